"""Exact roots of rationals, where they are rational."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpz


def perfect_root(value: Fraction, degree: int) -> Fraction | None:
    """The real root of this degree if it is rational (of a positive value, the positive one), else None.

    >>> perfect_root(Fraction(9, 4), 2), perfect_root(Fraction(-8), 3), perfect_root(Fraction(2), 2)
    (Fraction(3, 2), Fraction(-2, 1), None)
    """
    if value < 0:
        root = perfect_root(-value, degree) if degree % 2 else None
        return None if root is None else -root
    numerator, denominator = (int(fmpz(part).root(degree)) for part in (value.numerator, value.denominator))
    root = Fraction(numerator, denominator)
    return root if root**degree == value else None
