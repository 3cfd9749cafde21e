"""The library's own inputs for elementwise definitions: an edge lattice, near the thresholds of the value, and random.

Half of the random points are uniform over the signs and exponents of the format; the other half over those within 1/u
of 1, beyond which x + 1 is x or 1, and where the formulas of most functions have something to cancel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.enclosures import ends, magnitude_ends
from lenticulum.numbers import DomainError, Undecided, ball, working_precision
from lenticulum.numbers.formats import FORMATS, Format
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise import in_domain, special_points

Array = np.ndarray

#: Random points in a round, for one argument and for two.
RANDOM = 256

#: Bits that tell on which side of a threshold a value lies, for almost every argument.
PRECISION = 128


def lattice(term: Any, dtype: Any) -> list[float]:
    """Return the edges of a format and of a definition, both signs: zeros, infinities, NaN and where things change."""
    fmt, kind = FORMATS[np.dtype(dtype).name], np.dtype(dtype).type
    u, tiny, least = float(fmt.unit_roundoff), float(fmt.smallest_normal), float(fmt.smallest_subnormal)
    sizes = [0.0, np.inf, least, 2 * least, 3 * least, tiny / 2, tiny - least, tiny, tiny + least, 4 * tiny, 8 * tiny]
    largest, end = float(fmt.largest), 2.0**fmt.maximum_exponent
    sizes += [largest, largest * (1 - 2 * u), end, end / 2, end / 4, float(np.sqrt(end)), float(np.sqrt(tiny))]
    sizes += [1 - u, 1.0, 1 + 2 * u, u, 2 * u, 1 / u, 1 / (2 * u), np.pi / 4, np.pi / 2, np.pi]
    sizes += [2.0**exponent for exponent in range(-8, 9)] + [half / 2 for half in range(3, 17)]
    for point in (*special_points(term), *_fields(term)):
        sizes += [float(kind(point)), *_neighbours(abs(point), kind)]
    return [np.nan, *(sign * size for size in dict.fromkeys(sizes) for sign in (1.0, -1.0))]


def _fields(term: Any) -> list[float]:
    """Return the numbers among the fields, with 1/v and 1/(2v): where the kinks of activations lie."""
    held = [getattr(term, name) for name in term.__dataclass_fields__]  # type: ignore[attr-defined]
    numbers = [number for number in held if isinstance(number, Fraction | int) and number]
    return [float(each) for number in numbers for each in (number, 1 / Fraction(number), 1 / (2 * Fraction(number)))]


def _neighbours(value: float, kind: Any) -> list[float]:
    here = kind(value)
    return [float(np.nextafter(here, kind(end))) for end in (-np.inf, np.inf)]


def one_argument(definition: Definition, term: Any, dtype: Any, draw: Draw) -> dict[str, dict[str, Array]]:
    """Return the cases of a function of one argument."""
    edge = [*lattice(term, dtype), *_near_thresholds(definition, term, np.dtype(dtype).name, ())]
    return {"edge": {"x": _array(edge, dtype)}, "random": {"x": _array(random_points(draw, dtype, RANDOM), dtype)}}


def two_arguments(definition: Definition, term: Any, dtype: Any, draw: Draw) -> dict[str, dict[str, Array]]:
    """Return the cases of a function of two arguments: pairs of edges, exact and near ties, independent pairs."""
    fmt = FORMATS[np.dtype(dtype).name]
    sizes = (0.0, np.inf, float(fmt.smallest_subnormal), float(fmt.smallest_normal), 0.5, 1.0, 2.0, 3.0)
    core = [np.nan, *(s * v for v in (*sizes, float(fmt.largest)) for s in (1.0, -1.0))]
    core += [float(point) for point in special_points(term)]
    pairs = [(x, y) for x in dict.fromkeys(core) for y in dict.fromkeys(core)]
    ties = [value for value in lattice(term, dtype) if np.isfinite(value)]
    pairs += [(value, value) for value in ties] + [(value, -value) for value in ties]
    for other in (0.5, 1.0, -1.0, 2.0):
        pairs += [(x, other) for x in _near_thresholds(definition, term, np.dtype(dtype).name, (other,))]
    drawn = [_pair(draw, number, dtype) for number in range(RANDOM)]
    return {
        label: {role: _array([pair[place] for pair in found], dtype) for place, role in enumerate(("x", "y"))}
        for label, found in (("edge", pairs), ("random", drawn))
    }


def _pair(draw: Draw, number: int, dtype: Any) -> tuple[float, float]:
    """Return a pair: independent, or y a few ulp from x, at a distance about 1 from it, or relatively near."""
    x, y = random_points(draw, dtype, 2, offset=number)
    kind = np.dtype(dtype).type
    family = number % 4
    with np.errstate(over="ignore"):
        if family == 1:
            y = float(kind(x) + draw.integer(-4, 4) * np.spacing(np.abs(kind(x))))
        elif family == 2:
            y = float(kind(x) + kind(draw.integer(-16, 16) / 4))
        elif family == 3:
            y = x * (1 + draw.choice((1, -1)) * 2.0 ** -draw.integer(1, 12))
    return x, y


def random_points(draw: Draw, dtype: Any, count: int, offset: int = 0) -> list[float]:
    """Return points stratified by exponent, of either sign: an eighth of them powers of two, an eighth just below."""
    fmt = FORMATS[np.dtype(dtype).name]
    widths = ((fmt.minimum_exponent, fmt.maximum_exponent), (-fmt.precision, fmt.precision))
    found: list[float] = []
    for number in range(count):
        low, high = widths[(number + offset) % 2]
        low, high = max(low, fmt.minimum_exponent), min(high, fmt.maximum_exponent)
        found.append(draw.choice((1.0, -1.0)) * _significand(draw, fmt) * 2.0 ** draw.integer(low, high))
    return found


def _significand(draw: Draw, fmt: Format) -> float:
    """Return a number of the format in [1, 2)."""
    ends_of_binade = draw.integer(0, 7)
    last = (1 << fmt.fraction_bits) - 1
    bits = 0 if ends_of_binade == 0 else last if ends_of_binade == 1 else draw.bits(fmt.fraction_bits)
    return 1 + bits / (1 << fmt.fraction_bits)


def _array(values: Sequence[float], dtype: Any) -> Array:
    with np.errstate(over="ignore"):
        return np.array(values, np.float64).astype(dtype)


def _near_thresholds(definition: Definition, term: Any, dtype: str, others: tuple[float, ...]) -> list[float]:
    """Return the arguments x around which the value leaves the normal range: two on each side of every crossing."""
    return list(_crossings(_Key(definition, term), dtype, others))


class _Key:
    """A definition and its term, compared as the term is."""

    def __init__(self, definition: Definition, term: Any) -> None:
        self.definition, self.term = definition, term

    def __hash__(self) -> int:
        return hash((self.definition.entry.name, self.term))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Key)
            and self.definition.entry.name == other.definition.entry.name
            and (self.term == other.term)
        )


@lru_cache(maxsize=256)
def _crossings(key: _Key, dtype: str, others: tuple[float, ...]) -> tuple[float, ...]:
    fmt = FORMATS[dtype]
    grid = sorted({float(np.dtype(dtype).type(x)) for x in lattice(key.term, dtype) if np.isfinite(x)})
    sides = [_side(key, fmt, x, others) for x in grid]
    found: list[float] = []
    for (x, side), (next_x, next_side) in zip(
        zip(grid, sides, strict=True), zip(grid[1:], sides[1:], strict=True), strict=False
    ):
        if side is not None and next_side is not None and side != next_side:
            found += _bisected(key, fmt, dtype, x, next_x, others)
    return tuple(found)


def _side(key: _Key, fmt: Format, x: float, others: tuple[float, ...]) -> int | None:
    """Return 0 where |f| is below the normal range, 2 where it overflows, 1 between; None where it has no value."""
    point = (x, *others)
    if not in_domain(key.term, *(np.array([each]) for each in point))[0]:
        return None
    roles: Mapping[str, Any] = {
        role: ball([each]) for role, each in zip(key.definition.entry.arrays, point, strict=True)
    }
    try:
        with working_precision(PRECISION):
            low, high = magnitude_ends(ends(key.definition.outputs(key.term, roles)[key.definition.output])[0])
    except (DomainError, Undecided):
        return None
    return 2 if low >= fmt.overflow_threshold else 0 if high < fmt.smallest_normal else 1


def _bisected(key: _Key, fmt: Format, dtype: str, low: float, high: float, others: tuple[float, ...]) -> list[float]:
    """Return two numbers of the format on each side of one crossing between two numbers of the format."""
    kind = np.dtype(dtype).type
    first, last = _order(kind(low)), _order(kind(high))
    start = _side(key, fmt, low, others)
    while last - first > 1:
        middle = (first + last) // 2
        if _side(key, fmt, float(_number(middle, dtype)), others) == start:
            first = middle
        else:
            last = middle
    return [float(_number(place, dtype)) for place in range(first - 1, last + 2)]


def _order(value: Any) -> int:
    """Return the place of a float among the numbers of its format, 0 at zero."""
    bits = int(np.abs(value).view(f"u{value.dtype.itemsize}"))
    return -bits if value < 0 else bits


def _number(place: int, dtype: str) -> Any:
    kind = np.dtype(dtype)
    bits = np.array(abs(place)).astype(f"u{kind.itemsize}").view(kind)[()]
    return -bits if place < 0 else bits
