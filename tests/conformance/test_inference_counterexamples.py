"""Statements on inference that are often believed and false, each with its published or closed-form counterexample."""

from fractions import Fraction

from lenticulum.numbers import log_rational
from lenticulum.spec.inference.channel import compose, identity, latent_size, observed_size, pure, pushforward
from lenticulum.spec.inference.channel import tensor as tensor_channels
from lenticulum.spec.inference.distribution import uniform
from lenticulum.spec.inference.energy import ZERO, expectation, negative_log, relative_entropy
from lenticulum.spec.inference.game import likelihood_game, loss
from lenticulum.spec.inference.inversion import flatten, invert, marginal
from lenticulum.spec.inference.lens import exact, tensor

NOISY = pure([[Fraction(9, 10), Fraction(1, 10)], [Fraction(2, 5), Fraction(3, 5)]])


def test_pushing_a_posterior_forward_does_not_return_the_observation():
    posterior = marginal(invert(NOISY, uniform(2))[0])
    assert pushforward(NOISY, posterior)[0] == Fraction(97, 130)


def test_the_tensor_of_inversions_misses_log_2_on_a_perfectly_correlated_prior():
    constant = pure([[Fraction(1)], [Fraction(1)]])
    half, none = Fraction(1, 2), Fraction(0)
    correlated = (half, none, none, half)
    exactly = invert(tensor_channels(constant, constant), correlated)[0]
    apart = tensor(exact(constant), exact(constant)).inverter(correlated)[0]
    assert relative_entropy(flatten(exactly), flatten(apart)) == log_rational(0, {2: 1})


def test_the_open_free_energy_of_an_exact_game_is_not_the_surprise():
    prior = (Fraction(2, 5), Fraction(3, 5))
    values = loss(likelihood_game(exact(NOISY)), prior)
    for y, evidence in enumerate(pushforward(NOISY, prior)):
        posterior = marginal(invert(NOISY, prior)[y])
        missing = expectation(posterior, [negative_log(mass) for mass in prior])
        assert values[y] == negative_log(evidence) - missing
        assert missing != ZERO


def test_composing_with_the_identity_multiplies_the_latent_space_by_the_observed_one():
    widened = compose(NOISY, identity(observed_size(NOISY)))
    assert latent_size(widened) == observed_size(NOISY) * latent_size(NOISY)
    assert pushforward(widened, uniform(2)) == pushforward(NOISY, uniform(2))
