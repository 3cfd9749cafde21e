"""Axes as fields: one axis, several, or None for all of them."""

from math import prod

from lenticulum.terms.exact import instance_of

#: What a user may write: one axis, several, or None for all of them. Negative axes count from the end.
Axes = int | tuple[int, ...] | None


def some_axes(given: Axes, name: str = "axis") -> Axes:
    """Return the axes if they are one int, several that differ, or None.

    Raises:
        TypeError: for anything else.
        ValueError: for no axis at all, or one that is named twice.

    >>> some_axes(-1), some_axes((0, 2)), some_axes(None)
    (-1, (0, 2), None)
    """
    if given is None:
        return None
    several = given if isinstance(given, tuple) else (given,)
    for axis in several:
        instance_of(axis, name, (int,), "an int, a tuple of ints or None")
    if not several or len(set(several)) != len(several):
        raise ValueError(f"{name} = {given}: expected at least one axis, each named once")
    return given


def one_axis(given: int | None, name: str = "axis") -> int | None:
    """Return the axis if it is one int, or None.

    >>> one_axis(-1)
    -1
    """
    if given is not None:
        instance_of(given, name, (int,), "an int or None")
    return given


def places(ndim: int, axis: Axes) -> tuple[int, ...]:
    """Return the axes as numbers from 0.

    >>> places(3, -1), places(2, None), places(3, (0, -1))
    ((2,), (0, 1), (0, 2))
    """
    if axis is None:
        return tuple(range(ndim))
    return tuple(each % ndim for each in (axis if isinstance(axis, tuple) else (axis,)))


def reduced(shape: tuple[int, ...], axis: Axes) -> int:
    """Return how many entries of an array of this shape are reduced to one.

    >>> reduced((2, 3, 5), (0, -1)), reduced((2, 3), None)
    (10, 6)
    """
    return prod(shape[place] for place in places(len(shape), axis))
