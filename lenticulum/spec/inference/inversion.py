"""Bayesian inversion of finite open models, and the composition of inversions (AutoBayes, Def. 10 and 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from lenticulum.spec.inference.channel import pushforward
from lenticulum.spec.inference.distribution import Distribution
from lenticulum.terms.inference import Channel

# posterior[x][a]: a distribution on X x A.
Posterior = tuple[tuple[Fraction, ...], ...]
# inversion[y]: the posterior given y. None on null observations: any filler would carry weight 0 in every law, and
# would make an impossible observation look answered. Inversions are partial kernels, and compose as such.
Inversion = tuple[Posterior | None, ...]
# A prior on X is the context in which an observation is answered.
Inverter = Callable[[Distribution], Inversion]


def invert(channel: Channel, prior: Distribution) -> Inversion:
    """The exact Bayesian inversion of a channel at a prior.

    c†_pi(x, a | y) = c(a, y | x) pi(x) / (c_*pi)(y), and None where (c_*pi)(y) = 0.

    Laws: B1 (disintegration), Theorem 13.

    >>> from lenticulum.spec.inference.channel import pure
    >>> test = pure([[Fraction(9, 10), Fraction(1, 10), Fraction(0)], [Fraction(2, 5), Fraction(3, 5), Fraction(0)]])
    >>> invert(test, (Fraction(1, 5), Fraction(4, 5)))
    (((Fraction(9, 25),), (Fraction(16, 25),)), ((Fraction(1, 25),), (Fraction(24, 25),)), None)
    """
    weighted = list(zip(prior, channel.table, strict=True))
    return tuple(
        tuple(tuple(mass * row[y] / evidence for row in block) for mass, block in weighted) if evidence else None
        for y, evidence in enumerate(pushforward(channel, prior))
    )


def compose_inversions(upstream: Inversion, downstream: Inversion) -> Inversion:
    """The backward composite: sample y backwards from z, then x from y, and keep y.

    r(x, (a, y, b) | z) = upstream(x, a | y) downstream(y, b | z)                                          (Def. 12)

    `upstream` answers y, `downstream` answers z. The composite answers z where `downstream` does and gives mass only to
    what `upstream` answers; for exact inversions the second is implied (law B4).
    """
    return tuple(
        None if row is None or not answers(upstream, row) else _compose_at(upstream, row) for row in downstream
    )


def _compose_at(upstream: Inversion, row: Posterior) -> Posterior:
    some_answer = next(answer for answer in upstream if answer is not None)
    return tuple(
        tuple(
            Fraction(0) if answer is None else answer[x][a] * mass
            for a in range(len(some_answer[0]))
            for answer, masses in zip(upstream, row, strict=True)
            for mass in masses
        )
        for x in range(len(some_answer))
    )


def answers(upstream: Sequence[object], row: Posterior) -> bool:
    """Whether something (not None) is known upstream at each y to which `row`, a distribution on Y x B, gives mass."""
    return all(mass == 0 or known is not None for known, mass in zip(upstream, marginal(row), strict=True))


def marginal(posterior: Posterior) -> Distribution:
    """The marginal on X of a posterior on X x A."""
    return tuple(sum(masses, Fraction(0)) for masses in posterior)


def flatten(posterior: Posterior) -> Distribution:
    """A posterior on X x A as one distribution in row-major order."""
    return tuple(mass for masses in posterior for mass in masses)
