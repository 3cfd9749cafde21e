"""Energies of finite rational models: r + sum of q log b, and +∞; entropy and relative entropy."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from lenticulum.numbers import LogRational, log, log_rational
from lenticulum.spec.inference.distribution import Distribution

# One 0-d value: a rational, a logarithm of a rational, their combinations, or +∞. Equality is decided.
Energy = LogRational

INFINITE: Energy = log_rational(float("inf"))


def energy(value: Fraction | int) -> Energy:
    """A rational energy."""
    return log_rational(value)


ZERO: Energy = energy(0)


def negative_log(probability: Fraction) -> Energy:
    """-log p, and +∞ at p = 0."""
    if probability == 0:
        return INFINITE
    return -log(log_rational(probability))


def expectation(weights: Iterable[Fraction], values: Iterable[Energy]) -> Energy:
    """The sum of w e over the pairs with w > 0: a weight 0 annihilates, an infinite energy included."""
    total = ZERO
    for weight, value in zip(weights, values, strict=True):
        if weight != 0:
            total = total + value * weight
    return total


def is_finite(value: Energy) -> bool:
    """Whether the energy is not +∞."""
    return value != INFINITE


def shannon_entropy(distribution: Distribution) -> Energy:
    """H(p) = -sum of p log p, with 0 log 0 = 0.

    >>> shannon_entropy((Fraction(1, 4), Fraction(3, 4), Fraction(0))) == log_rational(0, {4: 1, 3: Fraction(-3, 4)})
    True
    """
    return expectation(distribution, [negative_log(mass) for mass in distribution])


def relative_entropy(first: Distribution, second: Distribution) -> Energy:
    """KL(q || p) = E_q[log q - log p], and +∞ if q is not dominated by p."""
    return expectation(first, [negative_log(p) for p in second]) - shannon_entropy(first)
