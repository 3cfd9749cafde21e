"""Variational free energy of a Bayesian lens in its three equal forms (AutoBayes, Def. 17 and Prop. 18)."""

from __future__ import annotations

from lenticulum.spec.inference.channel import pushforward
from lenticulum.spec.inference.distribution import Distribution
from lenticulum.spec.inference.energy import (
    INFINITE,
    Energy,
    expectation,
    negative_log,
    relative_entropy,
    shannon_entropy,
)
from lenticulum.spec.inference.inversion import Posterior, flatten, invert
from lenticulum.terms.inference import Channel


def from_posterior(channel: Channel, prior: Distribution, answer: Posterior, y: int) -> Energy:
    """Form (1): how far the answer is from the posterior, and how surprising the observation is.

    VFE = E[log c'(x, a | y) - log c†_pi(x, a | y)] - log (c_*pi)(y) = KL(c'(y) || c†_pi(y)) - log (c_*pi)(y).

    +∞ on a null observation, where -log p is.
    """
    posterior = invert(channel, prior)[y]
    if posterior is None:
        return INFINITE
    return relative_entropy(flatten(answer), flatten(posterior)) + negative_log(pushforward(channel, prior)[y])


def from_joint(channel: Channel, prior: Distribution, answer: Posterior, y: int) -> Energy:
    """Form (2): the exact posterior has cancelled.

    VFE = E[log c'(x, a | y) - log c(a, y | x) - log pi(x)],   expectations over (x, a) ~ c'(y).
    """
    terms = [
        negative_log(row[y] * mass) - negative_log(own)
        for mass, block, owns in zip(prior, channel.table, answer, strict=True)
        for row, own in zip(block, owns, strict=True)
        if own != 0
    ]
    return expectation([own for own in flatten(answer) if own != 0], terms)


def from_energy_and_entropy(channel: Channel, prior: Distribution, answer: Posterior, y: int) -> Energy:
    """Form (3): expected energy minus entropy.

    VFE = E[-log c(a, y | x) - log pi(x)] - H(c'(y)).
    """
    energies = [
        negative_log(row[y]) + negative_log(mass)
        for mass, block in zip(prior, channel.table, strict=True)
        for row in block
    ]
    return expectation(flatten(answer), energies) - shannon_entropy(flatten(answer))


FORMS = (from_posterior, from_joint, from_energy_and_entropy)
