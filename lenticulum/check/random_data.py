"""Random data for a term: float32 arrays of mixed scale and sign, and states that the term can be in."""

from collections.abc import Callable
from math import prod
from typing import Any, cast

import numpy as np

from lenticulum.numbers.checking import no_type_check
from lenticulum.spec.draw import Draw
from lenticulum.terms import SCALAR, UNIT, Path, Space, Tree
from lenticulum.terms.spaces import bare

#: A float32 array, or nested pairs of them.
Arrays = Any

SIGNIFICAND = 23


# Unchecked at run time, as the draws are: it is called for every element.
@no_type_check
def number(bits: int) -> np.float32:
    """The float32 that 26 bits denote: a sign, a scale 1, 1/2, 1/4 or 1/8, and 23 bits of a fraction below 1.

    >>> number(0), number(1 << 22), number(1 << 25 | 1 << 22)
    (np.float32(0.0), np.float32(0.5), np.float32(-0.5))
    """
    fraction = bits & ((1 << SIGNIFICAND) - 1)
    scale = bits >> SIGNIFICAND & 3
    return np.float32((-1 if bits >> 25 else 1) * fraction * 2.0 ** -(SIGNIFICAND + scale))


def array(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """An array with one scale from 1/2 to 4, and another in each element; sometimes with equal entries or zeros."""
    scale = draw.choice((1.0, 2.0, 4.0, 0.5))
    style = draw.integer(0, 15)
    count = 1 if style == 15 else prod(shape)
    entries = np.array([number(draw.bits(26)) for _ in range(count)], np.float32) * np.float32(scale)
    if style == 14:
        # An exact zero: the kink of relu, a dead input, a gradient that vanishes.
        entries[: (prod(shape) + 1) // 2] = 0
    return np.resize(entries, shape)


def positive_array(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """An array of numbers in [1/16, 2 + 1/16]: variances and second moments."""
    entries = [abs(number(draw.bits(25))) * 2 + np.float32(1 / 16) for _ in range(prod(shape))]
    return np.array(entries, np.float32).reshape(shape)


def directions(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """An array of numbers of any sign with magnitudes in [1/16, 2 + 1/16]: no row of it is zero."""
    signs = np.array([draw.choice((-1, 1)) for _ in range(prod(shape))], np.float32).reshape(shape)
    return signs * positive_array(draw, shape)


def data(draw: Draw, space: Space, leading: tuple[int, ...]) -> Arrays:
    """Data of a space, with leading axes; one number for a loss, () for the unit."""
    space = bare(space)
    if space == UNIT:
        return ()
    if isinstance(space, tuple):
        return tuple(data(draw, part, leading) for part in space)
    return array(draw, () if space == SCALAR else (*leading, cast(int, space)))


def flat(arrays: Arrays) -> list[np.ndarray]:
    """The arrays in nested pairs, in order.

    >>> flat((np.zeros(1), ((), np.ones(1))))
    [array([0.]), array([1.])]
    """
    return [leaf for part in arrays for leaf in flat(part)] if isinstance(arrays, tuple) else [arrays]


def parameters(draw: Draw, shapes: Tree) -> Tree:
    """Parameters of these shapes; a direction has no zero row, which weight normalisation divides by."""
    return _filled(shapes, lambda path, shape: (directions if path[-1] == "direction" else array)(draw, shape))


def state(draw: Draw, shapes: Tree, *, least_count: int = 0) -> Tree:
    """A state of these shapes that a term or an update can be in, mostly not its initial one.

    Variances, second moments and accumulators are positive, products of decay rates lie in (0, 1], counts are small
    integers of at least `least_count`, seeds are two words of 32 bits, directions are not zero; everything else is an
    array of any sign.
    """

    def leaf(path: Path, shape: tuple[int, ...]) -> np.ndarray:
        name = path[-1]
        if name == "seed":
            return np.array([draw.bits(32) for _ in range(prod(shape))], np.uint32).reshape(shape)
        if name == "count":
            return np.array([draw.integer(least_count, 3) for _ in range(prod(shape))], np.uint32).reshape(shape)
        if name in ("first_power", "second_power"):
            return np.array(1 - abs(number(draw.bits(25))) / 2, np.float32)
        if name == "running_variance" or "second_moment" in path or "accumulator" in path:
            return positive_array(draw, shape)
        return (directions if name == "direction" else array)(draw, shape)

    return _filled(shapes, leaf)


def _filled(shapes: Tree, leaf: Callable[[Path, tuple[int, ...]], np.ndarray], path: Path = ()) -> Tree:
    """The tree of the structure of `shapes`, empty subtrees included, with each leaf made from its path and shape."""
    entries = {}
    for name in shapes:
        here, entry = (*path, name), shapes[name]
        entries[name] = _filled(entry, leaf, here) if isinstance(entry, Tree) else leaf(here, entry)
    return Tree(entries)
