"""Arguments of a function that has no definition: drawn from the kind of each, an edge lattice and mixed data.

An argument has a kind and named axes. Arguments that share an axis agree in its size; all sizes are equal in some cases
(a transposed operand then shows by its values alone) and distinct in others (it shows by its shape).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.cases import GENERIC
from lenticulum.check.rows import (
    HIDDEN,
    POSITION,
    cancelling_row,
    equal_row,
    generic_row,
    reals,
    shifted_row,
    small_row,
)
from lenticulum.check.tree_cases import TREES, gradients
from lenticulum.spec.draw import Draw

Array = np.ndarray
Shape = tuple[int, ...]

#: Where formulas branch, and what is exact in every format.
LATTICE = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, -0.0, 4.0, -4.0, 8.0)

#: The largest count: a long row.
COUNT = 200

#: Few lengths of rows, so that a kernel is compiled for few shapes.
LENGTHS = (2, 3, 5, 16, 100)


@dataclass(frozen=True)
class Argument:
    """What an argument is.

    `kind`: "value"; "score", masked by `of`; "mask", of which a row along the last axis may be closed, and "open mask",
    of which none is; "cotangent"; "weight"; "positive"; "lower" and "upper" (of the lower one); "bounded", which may
    equal a bound in `of`; "location" and "step" of equally spaced numbers; "count"; "length" of a row; "position";
    "width", even; "pair" of coordinates of the width in `of`; "epsilon"; "rate"; "base"; "probability", in (0, 1);
    "setting" and "flag", a sequence of values that a program reads, some of them again; "seed"; "small count"; the
    "gradient" of each use of a location; and the trees of `tree_cases`. `axes`: their names; none for a number. An axis
    with a prime (queries of self-attention: position', position) is as long as the one without, and the axis "1" has
    size 1.
    """

    kind: str
    axes: tuple[str, ...] = ()
    of: tuple[str, ...] = ()

    @property
    def integer(self) -> bool:
        """Whether it is a whole number or a tree of names, and has no derivative."""
        return self.kind in INTEGERS or self.kind in TREES


#: Kinds of which every number is one.
FREE = ("value", "score", "cotangent", "weight")

INTEGERS = ("count", "length", "position", "width", "pair", "seed", "small count")


def draw_arguments(draw: Draw, arguments: Mapping[str, Argument], dtype: Any) -> dict[str, Any]:
    """Return one case: float arrays of the dtype, boolean masks, and Python integers.

    An argument is drawn after those in its `of`.
    """
    axes = list(dict.fromkeys(axis.rstrip("'") for each in arguments.values() for axis in each.axes if axis != "1"))
    sizes = {"1": 1, **dict(zip(axes, _sizes(draw, len(axes)), strict=True))}
    found: dict[str, Any] = {}
    for name in sorted(arguments, key=lambda name: _depth(name, arguments)):
        argument = arguments[name]
        shape = tuple(sizes[axis.rstrip("'")] for axis in argument.axes)
        others = [_aligned(found[other], arguments[other], argument) for other in argument.of]
        drawn = _KINDS[argument.kind](draw, shape, others)
        found[name] = drawn if argument.integer else _typed(drawn, dtype)
    return {name: found[name] for name in arguments}


def _sizes(draw: Draw, count: int) -> list[int]:
    """Return equal sizes, distinct ones, or some that are 1."""
    family = draw.choice(("equal", "distinct", "thin"))
    if family == "equal":
        return [draw.integer(2, 3)] * count
    start = draw.integer(2, 3)
    return [1 if family == "thin" and draw.integer(0, 1) else start + place for place in range(count)]


def _depth(name: str, arguments: Mapping[str, Argument]) -> int:
    return max((1 + _depth(other, arguments) for other in arguments[name].of), default=0)


def _aligned(array: Any, argument: Argument, like: Argument) -> Any:
    """Return an array with its axes where another argument has them, so that it broadcasts to that."""
    if not isinstance(array, np.ndarray):
        return array
    return array.reshape(tuple(array.shape[argument.axes.index(a)] if a in argument.axes else 1 for a in like.axes))


def _typed(drawn: Any, dtype: Any) -> Array:
    array = np.asarray(drawn)
    return array if array.dtype.kind == "b" else array.astype(dtype)


def _lattice(draw: Draw, size: int) -> Array:
    return np.array([draw.choice(LATTICE) for _ in range(size)])


def _spread(draw: Draw, size: int) -> Array:
    """Sizes that differ by many powers of two: a sum loses most digits of its smaller terms."""
    return np.array([float(each) * 2.0 ** draw.integer(-12, 12) for each in reals(draw, (size,))])


#: Data of one argument, its entries as one row.
FAMILIES: tuple[Callable[[Draw, int], Array], ...] = (
    _lattice,
    generic_row,
    _spread,
    shifted_row,
    small_row,
    cancelling_row,
    equal_row,
)


def _value(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    del others
    return draw.choice(FAMILIES)(draw, int(np.prod(shape))).reshape(shape)


def _score(draw: Draw, shape: Shape, masks: list[Any]) -> Array:
    scores = _value(draw, shape, [])
    hidden = draw.choice((0.0, HIDDEN))
    return scores + hidden * ~np.broadcast_to(np.logical_and.reduce(masks), shape) if masks else scores


def _open_mask(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    """Return a mask with holes in which every row keeps an entry, a drawn one."""
    del others
    keep = np.array([draw.choice((True, False)) for _ in range(int(np.prod(shape)))]).reshape((-1, shape[-1]))
    for row in keep:
        row[draw.integer(0, shape[-1] - 1)] = True
    return keep.reshape(shape)


def _mask(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    keep = _open_mask(draw, shape, others).reshape((-1, shape[-1]))
    if draw.choice((False, True)):
        keep[draw.integer(0, len(keep) - 1)] = False
    return keep.reshape(shape)


def _nonzero(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    del others
    numbers = [draw.integer(-(2**23), 2**23) for _ in range(int(np.prod(shape)))]
    return np.array([number / 2**22 or 1.0 for number in numbers]).reshape(shape)


def _positive(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    """Return positive numbers of many sizes; their logarithms have both signs."""
    del others
    size = int(np.prod(shape))
    scales = np.array([2.0 ** draw.integer(-8, 8) for _ in range(size)]).reshape(shape)
    return np.asarray(scales * (1 + np.abs(reals(draw, shape))))


def _upper(draw: Draw, shape: Shape, lower: list[Any]) -> Array:
    return np.asarray(lower[0] + np.abs(_nonzero(draw, shape, [])))


def _bounded(draw: Draw, shape: Shape, bounds: list[Any]) -> Array:
    """Return the middle, a bound, or numbers on one side of all bounds."""
    low, high = (np.broadcast_to(extreme(bounds), shape) for extreme in (np.minimum.reduce, np.maximum.reduce))
    beyond = np.abs(_nonzero(draw, shape, []))
    return np.asarray(draw.choice(((low + high) / 2, low, high, high + beyond, low - beyond)))


def _settings(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    """Return values of which the first two differ and the first comes again, as a program meets them over time."""
    del others
    first = draw.integer(-8, 8)
    second = draw.choice([each for each in range(-8, 9) if each != first])
    return np.array([float([first, second, first][place % 3]) for place in range(int(np.prod(shape)))]).reshape(shape)


def _flags(draw: Draw, shape: Shape, others: list[Any]) -> Array:
    del others
    first = draw.choice((False, True))
    return np.array([first ^ bool(place % 2) for place in range(int(np.prod(shape)))]).reshape(shape)


def _one_of(row: tuple[float, ...]) -> Callable[[Draw, Shape, list[Any]], Array]:
    return lambda draw, shape, others: np.full(shape, draw.choice(row))


def _generic(name: str) -> tuple[float, ...]:
    return tuple(float(Fraction(text)) for text in GENERIC[name])


_KINDS: dict[str, Callable[[Draw, Shape, list[Any]], Any]] = {
    "value": _value,
    "score": _score,
    "mask": _mask,
    "open mask": _open_mask,
    "cotangent": _nonzero,
    "weight": _nonzero,
    "positive": _positive,
    "lower": _nonzero,
    "upper": _upper,
    "bounded": _bounded,
    # Every location + i step is a float of 24 bits.
    "location": lambda draw, shape, others: np.full(shape, float(draw.integer(-POSITION, POSITION))),
    "step": lambda draw, shape, others: np.full(shape, 2.0 ** -draw.integer(0, 10)),
    "count": lambda draw, shape, others: draw.integer(2, COUNT),
    "length": lambda draw, shape, others: draw.choice(LENGTHS),
    "position": lambda draw, shape, others: draw.integer(0, POSITION),
    "width": lambda draw, shape, others: 2 * draw.integer(1, 64),
    "pair": lambda draw, shape, width: draw.integer(0, width[0] // 2 - 1),
    "epsilon": _one_of((1e-5, 1e-6, 1e-3, 0.125)),
    "rate": _one_of(_generic("rate")),
    "base": _one_of((10_000.0, *_generic("base"))),
    "probability": lambda draw, shape, others: np.full(shape, draw.integer(1, 63) / 64),
    "setting": _settings,
    "flag": _flags,
    "seed": lambda draw, shape, others: draw.bits(31),
    "small count": lambda draw, shape, others: draw.integer(2, 4),
    "gradient": gradients,
    **TREES,
}
