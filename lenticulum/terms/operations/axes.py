"""Axes as fields: one axis, several, or None for all of them."""

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
