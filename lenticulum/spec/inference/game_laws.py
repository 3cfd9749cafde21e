"""Laws of statistical games: free energies of composites, of tensors, and with a prior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from lenticulum.spec.draw import Draw, distribution
from lenticulum.spec.inference import enumeration
from lenticulum.spec.inference.channel import observed_size, pushforward, unobserved_size
from lenticulum.spec.inference.distribution import Distribution, marginals
from lenticulum.spec.inference.energy import (
    ZERO,
    Energy,
    energy,
    negative_log,
    relative_entropy,
    shannon_entropy,
)
from lenticulum.spec.inference.game import (
    Entropies,
    Game,
    accumulate,
    add,
    average,
    compose,
    expected_energy,
    identity_game,
    likelihood_game,
    loss,
    prior_game,
    shannon,
    tensor,
    zero_entropy,
)
from lenticulum.spec.inference.generators import Support, channels, games, lens, rational_games
from lenticulum.spec.inference.inversion import flatten, invert
from lenticulum.spec.inference.lens import BayesianLens, exact
from lenticulum.spec.law import Grade, Law, require

Combine = Callable[[Game, Game], Game]
Loss = Callable[[Game, Distribution], Entropies]

POINT: Distribution = (Fraction(1),)  # the only prior of a closed game


def is_enumerated(compose: Combine, draw: Draw) -> None:
    """F1, against the enumeration of every path."""
    (first, second), prior = games(draw, 2)
    found = loss(compose(first, second), prior)
    expected = enumeration.free_energies([first, second], prior)
    require(found == expected, "the free energy differs from the enumeration", prior=prior, found=found, paths=expected)


def is_associative(compose: Combine, draw: Draw) -> None:
    """F2."""
    (first, second, third), prior = games(draw, 3)
    left = loss(compose(compose(first, second), third), prior)
    right = loss(compose(first, compose(second, third)), prior)
    require(left == right, "free energies depend on the bracketing", prior=prior, left=left, right=right)


def gives_the_evidence(prior_game: Callable[[Distribution], Game], draw: Draw) -> None:
    """F5."""
    chain, prior = channels(draw, draw.integer(1, 2))
    game = prior_game(prior)
    for link in chain:
        game = compose(game, likelihood_game(exact(link)))
    evidence = enumeration.evidence(chain, prior)
    for z, (mass, value) in enumerate(zip(evidence, loss(game, POINT), strict=True)):
        expected = None if mass == 0 else negative_log(mass)
        require(
            value == expected,
            "the closed free energy is not -log p(z)",
            prior=prior,
            z=z,
            found=value,
            expected=expected,
        )


def exceeds_the_surprise_by_the_divergence(loss: Loss, draw: Draw) -> None:
    """F6."""
    (model,), prior = channels(draw, 1)
    approximate = lens(draw, model, Support.POSTERIOR)
    answers, posteriors = approximate.inverter(prior), invert(model, prior)
    values = loss(compose(prior_game(prior), likelihood_game(approximate)), POINT)
    for y, (value, answer, posterior) in enumerate(zip(values, answers, posteriors, strict=True)):
        if value is None or answer is None or posterior is None:
            require(posterior is None, "an observation with positive evidence has no free energy", prior=prior, y=y)
            continue
        gap = value - negative_log(enumeration.evidence([model], prior)[y])
        witness = {"channel": model, "prior": prior, "y": y, "gap": gap}
        require(
            gap == relative_entropy(flatten(answer), flatten(posterior)), "the gap is not the divergence", **witness
        )
        require(bool(gap >= ZERO), "the free energy is below the surprise", **witness)
        require((gap == ZERO) == (answer == posterior), "the gap vanishes exactly on the posterior", **witness)


def counts_the_entropy_it_omits(loss: Loss, draw: Draw) -> None:
    """F7."""
    (model,), prior = channels(draw, 1)
    without_entropy = replace(likelihood_game(exact(model)), entropy=zero_entropy(observed_size(model)))
    values = loss(compose(prior_game(prior), without_entropy), POINT)
    for y, (value, posterior) in enumerate(zip(values, invert(model, prior), strict=True)):
        expected = (
            None
            if posterior is None
            else negative_log(enumeration.evidence([model], prior)[y]) + shannon_entropy(flatten(posterior))
        )
        require(value == expected, "F is not -log p(y) + H(c†(y))", prior=prior, y=y, found=value, expected=expected)


def contributes_nothing(identity: Callable[[int], Game], draw: Draw) -> None:
    """F8."""
    (game,), prior = games(draw, 1)
    model = game.lens.channel
    alone = loss(game, prior)
    before = loss(compose(identity(unobserved_size(model)), game), prior)
    require(before == alone, "an identity upstream changes the free energy", prior=prior, alone=alone, found=before)
    after = loss(compose(game, identity(observed_size(model))), prior)
    require(after == alone, "an identity downstream changes the free energy", prior=prior, alone=alone, found=after)


def adds_under_tensor(tensor: Combine, draw: Draw) -> None:
    """F9."""
    (first,), _ = rational_games(draw, 1)
    (second,), _ = rational_games(draw, 1)
    sizes = unobserved_size(first.lens.channel), unobserved_size(second.lens.channel)
    prior = distribution(draw, sizes[0] * sizes[1])
    of_first, of_second = marginals(prior, *sizes)
    expected = tuple(add(left, right) for left in loss(first, of_first) for right in loss(second, of_second))
    found = loss(tensor(first, second), prior)
    require(found == expected, "the free energies do not add", prior=prior, found=found, expected=expected)


def averaging_forward(first: Game, second: Game) -> Game:
    """The mistake of averaging the upstream entropy under the forward law of y, not under the downstream answer."""

    def entropy(prior: Distribution) -> Entropies:
        between = pushforward(first.lens.channel, prior)
        averaged = average(first.entropy(prior), tuple((mass,) for mass in between))
        return tuple(add(averaged, own) for own in second.entropy(between))

    return replace(compose(first, second), entropy=entropy)


def at_the_wrong_prior(first: Game, second: Game) -> Game:
    """The mistake of taking the downstream entropy at pi for c_*pi, wherever the sizes agree."""

    def entropy(prior: Distribution) -> Entropies:
        pushed = pushforward(first.lens.channel, prior)
        stale = prior if len(prior) == len(pushed) else pushed
        return accumulate(first.entropy(prior), second.lens.inverter(pushed), second.entropy(stale))

    return replace(compose(first, second), entropy=entropy)


def halving(first: Game, second: Game) -> Game:
    """The mistake of averaging the two energies instead of adding them."""
    right = compose(first, second)
    return replace(
        right, energy=tuple(tuple(tuple(e * Fraction(1, 2) for e in row) for row in block) for block in right.energy)
    )


def forgotten_prior(prior: Distribution) -> Game:
    """The mistake of composing with a prior whose energy is 0: the free energy misses -log pi(x)."""
    right = prior_game(prior)
    return replace(right, energy=(((ZERO,) * len(prior),),))


def prior_with_entropy(prior: Distribution) -> Game:
    """The mistake of an entropy on the prior game, which infers nothing."""

    def entropy(unit: Distribution) -> Entropies:
        return (shannon_entropy(prior),) * len(prior)

    return replace(prior_game(prior), entropy=entropy)


def without_entropy(game: Game, prior: Distribution) -> Entropies:
    """The mistake of an expected energy for a free energy."""
    return loss(replace(game, entropy=zero_entropy(observed_size(game.lens.channel))), prior)


def with_entropy_added(game: Game, prior: Distribution) -> Entropies:
    """The mistake of energy plus entropy."""

    def value(y: int) -> Energy | None:
        answer, entropy = game.lens.inverter(prior)[y], game.entropy(prior)[y]
        return None if answer is None or entropy is None else expected_energy(game, answer, y) + entropy

    return tuple(value(y) for y in range(observed_size(game.lens.channel)))


def with_shannon_entropy(game: Game, prior: Distribution) -> Entropies:
    """The mistake of a Shannon entropy where the game has none."""
    return loss(replace(game, entropy=shannon(game.lens.inverter)), prior)


def identity_with_energy(size: int) -> Game:
    """The mistake of a relay that costs something."""
    right = identity_game(size)
    return replace(right, energy=tuple(tuple(tuple(energy(1) for _ in row) for row in block) for block in right.energy))


def identity_answering_its_prior(size: int) -> Game:
    """The mistake of an identity that ignores what it observes."""
    right = identity_game(size)
    ignoring = BayesianLens(right.lens.channel, lambda prior: (tuple((mass,) for mass in prior),) * size)
    return replace(right, lens=ignoring)


def tensor_dropping_an_entropy(first: Game, second: Game) -> Game:
    """The mistake of keeping only the first entropy."""
    return tensor(first, replace(second, entropy=zero_entropy(observed_size(second.lens.channel))))


def tensor_dropping_an_energy(first: Game, second: Game) -> Game:
    """The mistake of keeping only the second energy."""
    dropped = tuple(tuple(tuple(ZERO for _ in row) for row in block) for block in first.energy)
    return tensor(replace(first, energy=dropped), second)


LAWS = (
    Law(
        id="F1.enumeration",
        statement="the free energy of a composite game is the sum over all paths",
        source="arXiv:2503.18608, Definition 22",
        grade=Grade.EXACT,
        subject=compose,
        check=is_enumerated,
        planted={
            "entropy averaged under the upstream law": averaging_forward,
            "entropy at the wrong prior": at_the_wrong_prior,
            "energies averaged": halving,
        },
    ),
    Law(
        id="F2",
        statement="the free energy of a chain of games does not depend on the bracketing",
        source="arXiv:2503.18608, Definition 22 and Theorem 23",
        grade=Grade.EXACT,
        subject=compose,
        check=is_associative,
        planted={"energies averaged": halving, "entropy at the wrong prior": at_the_wrong_prior},
    ),
    Law(
        id="F5",
        statement="exact inversions and the prior composed: F(z) = -log p(z), for chains of any length",
        source="arXiv:2503.18608, Remark 24",
        grade=Grade.EXACT,
        subject=prior_game,
        check=gives_the_evidence,
        planted={"prior forgotten": forgotten_prior, "entropy on the prior": prior_with_entropy},
    ),
    Law(
        id="F6",
        statement="F + log p(y) = KL(c'_pi(y) || c†_pi(y)) >= 0, and = 0 iff the two are equal",
        source="arXiv:2503.18608, Definition 17 and Remark 24",
        grade=Grade.EXACT,
        subject=loss,
        check=exceeds_the_surprise_by_the_divergence,
        planted={"entropy dropped": without_entropy, "entropy added": with_entropy_added},
    ),
    Law(
        id="F7",
        statement="zero entropy and exact inversion: F = -log p(y) + H(c†_pi(y))",
        source="arXiv:2503.18608, Proposition 18, form (3)",
        grade=Grade.EXACT,
        subject=loss,
        check=counts_the_entropy_it_omits,
        planted={"Shannon entropy where there is none": with_shannon_entropy},
    ),
    Law(
        id="F8",
        statement="F of the identity game composed with c on either side is F of c",
        source="arXiv:2503.18608, Definition 22",
        grade=Grade.EXACT,
        subject=identity_game,
        check=contributes_nothing,
        planted={"a relay that costs": identity_with_energy, "observation ignored": identity_answering_its_prior},
    ),
    Law(
        id="F9",
        statement="F of a tensor at omega and (y, z) = F_c(omega_X, y) + F_d(omega_W, z)",
        source="arXiv:2503.18608, Definition 25",
        grade=Grade.EXACT,
        subject=tensor,
        check=adds_under_tensor,
        planted={"entropy dropped": tensor_dropping_an_entropy, "energy dropped": tensor_dropping_an_energy},
    ),
)
