"""The derivative of a black box along a line: what differences can say of it, and how small a mistake they can see.

A function that is no JAX program has no exact derivative here. Its values are differenced along random directions, and
the error of the difference is estimated from the values themselves: the noise of the floats by the scatter of a few
values around a parabola, the truncation by halving the step. So no step and no tolerance is chosen, and the smallest
factor is stated by which a derivative could be wrong unseen.

Sources: J. J. More and S. M. Wild, Estimating computational noise, SIAM J. Sci. Comput. 33, 2011; L. F. Richardson, The
deferred approach to the limit, 1927.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import mpmath
import numpy as np

#: Values whose scatter around a parabola estimates noise, and the degrees of freedom that are left: it takes three.
VALUES = 40
FREEDOM = VALUES - 3

#: The probability that noise alone exceeds a bound in one whole check.
CHANCE = 2.0**-40

#: Steps from 1/2 downwards, each half of the one before. The first only shows how the change falls to the second.
FIRST_STEP = 0.5

Line = Callable[[float], float]


@dataclass(frozen=True)
class Slope:
    """A derivative along a line by differences: its value, and the estimated bound of its error."""

    value: float
    error: float

    def apart(self, other: Slope) -> float:
        """Return the error of this one by which it is as near to another as the error of that one allows."""
        return self.error + abs(self.value - other.value) - other.error


def noise(line: Line, unit: float) -> float:
    """Return the standard deviation of the rounding noise of a function around 0.

    It is that of a few values around their parabola of least squares: so near to 0 they contain no other trend. They
    lie at random places: at equal spacings, near to a whole number of those of the floats, the rounding of the argument
    itself would be a trend.
    """
    places, trendless = _places()
    values = np.array([line(place * unit**0.75) for place in places.tolist()])
    if not np.isfinite(values).all():
        return math.inf
    rest = trendless @ (values - values[0])
    # Where all values are equal, half a spacing of the format is as much as can be said.
    return max(math.sqrt(float(rest @ rest) / FREEDOM), unit * float(np.abs(values).max()) / 2)


@cache
def _places() -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the values, one apart in the mean, and the projection on what no parabola there explains."""
    places = np.random.default_rng(0).uniform(-VALUES / 2, VALUES / 2, VALUES)
    trends, _ = np.linalg.qr(np.vander(places / VALUES, VALUES - FREEDOM))
    return places, np.eye(VALUES) - trends @ trends.T


def slope(line: Line, unit: float, comparisons: int) -> Slope:
    """Return the derivative of a function at 0, by the step at which the estimated error is least.

    Noise of deviation s enters a difference with s sqrt(130) / 12h, and as many of these are allowed as
    `deviations_for` says. Truncation falls by a factor of 16 from each step to the next, so that it is at most the
    change to the next step, and a sixteenth of the change to this one: the larger counts, since either may vanish by
    chance. It is at least what noise leaves unexplained between this step and any smaller one: far from 0 a function
    may look smooth that is not. Noise grows as steps shrink: where it alone exceeds the least error, none is left.
    """
    allowed, scatter = deviations_for(comparisons) * math.sqrt(130) / 12, noise(line, unit)
    rounded: list[Slope] = []
    errors: list[float] = []
    for h, value, size in _differences(line, unit):
        new = Slope(value, allowed * max(scatter, unit * size / 2) / h)
        errors = [max(error, old.apart(new)) for error, old in zip(errors, rounded, strict=False)]
        if len(rounded) > 1:
            before, last = rounded[-2:]
            truncation = max(abs(last.value - value), abs(before.value - last.value) / 16)
            errors.append(last.error + truncation if math.isfinite(truncation) else math.inf)
        elif rounded:
            errors.append(math.inf)
        rounded.append(new)
        if errors and 2 * allowed * scatter / h >= min(errors):
            break
    best = errors.index(min(errors))
    return Slope(rounded[best].value, errors[best])


def _differences(line: Line, unit: float) -> Iterator[tuple[float, float, float]]:
    """Yield steps, f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h + O(h⁴), and the size of the values in it.

    The steps end at the root of the unit.
    """
    h, wide = FIRST_STEP, (line(2 * FIRST_STEP), line(-2 * FIRST_STEP))
    for _ in range(int(-math.log2(unit) / 2)):
        near = line(h), line(-h)
        yield h, (8 * (near[0] - near[1]) - (wide[0] - wide[1])) / (12 * h), max(map(abs, (*near, *wide)))
        h, wide = h / 2, near


@lru_cache(maxsize=64)
def deviations_for(comparisons: int) -> float:
    """Return how many estimated standard deviations noise exceeds in any of so many comparisons with that chance.

    The deviation is estimated from few values, so this is the quantile of Student's distribution, not the normal one:
    P(|T| > t) = I_x(n/2, 1/2) with x = n / (n + t²), at n degrees of freedom. In each comparison there are two: that of
    the function and that of its derivative.

    >>> 10 < deviations_for(1) < deviations_for(1000)
    True
    """
    half, chance = mpmath.mpf(FREEDOM) / 2, mpmath.mpf(CHANCE) / (2 * comparisons)

    def excess(log_t: Any) -> Any:
        return mpmath.betainc(half, 0.5, 0, FREEDOM / (FREEDOM + mpmath.exp(2 * log_t)), regularized=True) - chance

    return float(mpmath.exp(mpmath.findroot(excess, (0, 30), solver="bisect", tol=1e-20)))


@dataclass(frozen=True)
class Comparison:
    """The derivative that a rule gives along a line, and what differences of the function give.

    `derivative`: by the rule, of the distance from the point. `got`: that at the point. `differenced`: by differences.
    `comparisons`: how many are made in the whole check. `unit`: the unit roundoff of the format.
    """

    derivative: Line
    got: float
    differenced: Slope
    unit: float
    comparisons: int

    @property
    def agrees(self) -> bool:
        """Whether the two are as near as the differences can tell: mostly so near that no noise of the rule matters."""
        return self._within(self.differenced) or self._within(self.expected)

    def _within(self, slope: Slope) -> bool:
        return abs(self.got - slope.value) <= slope.error

    @cached_property
    def expected(self) -> Slope:
        """What differences give, with the noise of the rule added to the error: none where that is not finite."""
        scatter = deviations_for(self.comparisons) * noise(self.derivative, self.unit)
        return Slope(self.differenced.value, self.differenced.error + (scatter if math.isfinite(scatter) else 0.0))

    @property
    def resolves(self) -> float:
        """The least factor that is seen: a rule wrong by a factor of 1 + resolves or more does not agree."""
        return self.expected.error / abs(self.expected.value) if self.expected.value else math.inf


def compare(line: Line, derivative: Line, unit: float, comparisons: int) -> Comparison:
    """Compare the derivative along a line, as a rule gives it, with differences of the function.

    Arguments: `line`, `derivative`: of the distance t from the point. `unit`, `comparisons`: as in `Comparison`.
    """
    return Comparison(derivative, derivative(0.0), slope(line, unit, comparisons), unit, comparisons)
