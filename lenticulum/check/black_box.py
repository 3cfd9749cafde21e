"""The derivative of a black box along a line: what differences can say of it, and how small a mistake they can see.

A function that is no JAX program has no exact derivative here. Its values are differenced along random directions, and
the error of the difference is estimated from the values themselves: the noise of the floats by a difference table, the
truncation by halving the step. So no step and no tolerance is chosen, and the smallest factor is stated by which a
derivative could be wrong unseen.

Sources: J. J. More and S. M. Wild, Estimating computational noise, SIAM J. Sci. Comput. 33, 2011; L. F. Richardson, The
deferred approach to the limit, 1927.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np

#: Values in a difference table, and the differences of these orders that estimate noise.
VALUES, ORDERS = 129, (2, 3, 4)

#: Independent differences of the highest order: the degrees of freedom of the estimate.
FREEDOM = VALUES // (1 + max(ORDERS))

#: The probability that noise alone exceeds a bound in one whole check.
CHANCE = 2.0**-40

#: Steps from 1/4 downwards, each half of the one before.
FIRST_STEP = 0.25

Line = Callable[[float], float]


@dataclass(frozen=True)
class Slope:
    """A derivative along a line by differences: its value, and the estimated bound of its error."""

    value: float
    error: float


def noise(line: Line, unit: float) -> float:
    """Return the standard deviation of the rounding noise of a function around 0.

    The k-th differences of values at so small a spacing contain no trend; those of independent noise of deviation s
    have the variance s² (2k)! / (k!)².
    """
    spacing = unit**0.75
    differences = np.array([line((place - VALUES // 2) * spacing) for place in range(VALUES)])
    found = 0.0
    for order in range(1, max(ORDERS) + 1):
        differences = np.diff(differences)
        if order in ORDERS:
            factor = math.factorial(order) ** 2 / math.factorial(2 * order)
            found = max(found, math.sqrt(factor * float(np.mean(differences**2))))
    # Where all values are equal, half a spacing of the format is as much as can be said.
    return max(found, unit * abs(line(0.0)) / 2)


def slope(line: Line, unit: float, deviations: float) -> Slope:
    """Return the derivative of a function at 0, by the step at which the estimated error is least.

    f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h + O(h⁴). Noise of deviation s enters with s sqrt(130) / 12h, and
    `deviations` of these are allowed; the truncation is at most the change from one step to the next, since
    it falls by a factor of 16 from each to the next.
    """
    scatter = noise(line, unit)
    count = int(-math.log2(unit) / 2)
    steps = [FIRST_STEP * 2.0**-place for place in range(count)]
    rises = [line(h) - line(-h) for h in (2 * FIRST_STEP, *steps)]
    values = [(8 * rise - wide) / (12 * h) for h, rise, wide in zip(steps, rises[1:], rises, strict=False)]
    errors = [
        deviations * scatter * math.sqrt(130) / (12 * h) + abs(value - after)
        for h, value, after in zip(steps, values, values[1:], strict=False)
    ]
    finite = [error if math.isfinite(error) else math.inf for error in errors]
    best = int(np.argmin(finite))
    return Slope(values[best], finite[best])


@lru_cache(maxsize=64)
def deviations_for(comparisons: int) -> float:
    """Return how many estimated standard deviations noise exceeds in any of so many comparisons with that chance.

    The deviation is estimated from few values, so this is the quantile of Student's distribution, not the normal one:
    P(|T| > t) = I_x(n/2, 1/2) with x = n / (n + t²), at n degrees of freedom.

    >>> 10 < deviations_for(1) < deviations_for(1000)
    True
    """
    half, chance = mpmath.mpf(FREEDOM) / 2, mpmath.mpf(CHANCE) / comparisons

    def excess(log_t: Any) -> Any:
        return mpmath.betainc(half, 0.5, 0, FREEDOM / (FREEDOM + mpmath.exp(2 * log_t)), regularized=True) - chance

    return float(mpmath.exp(mpmath.findroot(excess, (0, 30), solver="bisect", tol=1e-20)))


@dataclass(frozen=True)
class Comparison:
    """The derivative that a rule gives along a line, what differences give, and the smallest factor that they resolve.

    `resolves`: a rule that is wrong by a factor of 1 + resolves or more along this line would have been seen.
    """

    got: float
    expected: Slope
    resolves: float

    @property
    def agrees(self) -> bool:
        """Whether the two are as near as the differences can tell."""
        return abs(self.got - self.expected.value) <= self.expected.error


def compare(line: Line, derivative: Line, unit: float, comparisons: int) -> Comparison:
    """Compare the derivative along a line, as a rule gives it, with differences of the function.

    Arguments: `line`, `derivative`: of the distance t from the point. `unit`: the unit roundoff of the format.
    `comparisons`: how many are made in the whole check.
    """
    deviations = deviations_for(comparisons)
    found = slope(line, unit, deviations)
    error = found.error + deviations * noise(derivative, unit)
    got = derivative(0.0)
    return Comparison(got, Slope(found.value, error), error / abs(found.value) if found.value else math.inf)
