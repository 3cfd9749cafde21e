"""Order that rounding keeps: numbers of the format between which a function lies, for the definitions that have them.

If m <= f and m is a number of a format, then m <= f rounded to it, for rounding is monotone; the same for M >= f and M
rounded. An output outside [m, M] is farther from f than a number of the format that is known without any computation:
no evaluation order excuses that, however small the error is.

Source: J.-M. Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., section 2.2 (monotonicity of rounding).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lenticulum import terms
from lenticulum.numbers import Rational
from lenticulum.terms import Term

#: From exact arguments to a lower and an upper bound; None where there is none.
Bounds = tuple[Rational | None, Rational | None]
F = TypeVar("F", bound=Callable[..., Bounds])

_BOUNDS: dict[type[Term], Callable[..., Bounds]] = {}


def between(description: type[Term]) -> Callable[[F], F]:
    """Register bounds of a description: bounds(x, y) on rational arrays of its arguments."""

    def register(bounds: F) -> F:
        _BOUNDS[description] = bounds
        return bounds

    return register


def has_bounds(term: Term) -> bool:
    """Return whether bounds are known for a term."""
    return type(term) in _BOUNDS


def bounds_of(term: Term, *x: Rational) -> Bounds:
    """Return the bounds of a term at finite arguments. Raises: KeyError if none are known, see `has_bounds`.

    >>> from lenticulum.numbers import rational
    >>> bounds_of(terms.Logaddexp2(), rational(3), rational("1/2"))
    (Rational(3), Rational(4))
    """
    return _BOUNDS[type(term)](*x)


@between(terms.Logaddexp)
def logaddexp_bounds(x: Rational, y: Rational) -> Bounds:
    """e^x + e^y > e^max(x, y); the upper bound max + log 2 is no number of any format."""
    return x.maximum(y), None


@between(terms.Logaddexp2)
def logaddexp2_bounds(x: Rational, y: Rational) -> Bounds:
    """2^max(x, y) < 2^x + 2^y <= 2^(max(x, y) + 1)."""
    return x.maximum(y), x.maximum(y) + 1
