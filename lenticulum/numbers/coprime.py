"""Coprime bases: integers written as products of powers of pairwise coprime integers, without factoring.

Source: D. J. Bernstein, Factoring into coprimes in essentially linear time, Journal of Algorithms 54 (2005); the
quadratic-time refinement here is enough for the small sets that occur.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from lenticulum.numbers.checking import no_type_check


@no_type_check
def coprime_base(numbers: Sequence[int]) -> list[int]:
    """Pairwise coprime integers > 1 such that each given positive integer is a product of their powers.

    >>> sorted(coprime_base([12, 18]))
    [2, 3]
    """
    base: list[int] = []
    pending = [n for n in numbers if n > 1]
    while pending:
        n = pending.pop()
        for i, b in enumerate(base):
            common = math.gcd(n, b)
            if common > 1:
                del base[i]
                pending.extend(part for part in (common, n // common, b // common) if part > 1)
                break
        else:
            base.append(n)
    return base


@no_type_check
def exponents(number: int, base: Sequence[int]) -> dict[int, int]:
    """The exponents of a positive integer over a coprime base that divides it out.

    >>> exponents(72, [2, 3])
    {2: 3, 3: 2}
    """
    result: dict[int, int] = {}
    for b in base:
        while number % b == 0:
            number //= b
            result[b] = result.get(b, 0) + 1
    if number != 1:
        raise ValueError(f"the base {list(base)} does not divide out the number: {number} is left")
    return result
