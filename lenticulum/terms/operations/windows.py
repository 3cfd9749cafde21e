"""The fields of sliding windows: one entry for each spatial axis, or one for all of them."""

from typing import TypeVar

from lenticulum.terms.exact import count, instance_of

T = TypeVar("T")

#: What a user may write: one int for every axis, or one for each.
Sizes = int | tuple[int, ...]

#: One int for both sides of every axis, or (before, after) for each axis.
Padding = int | tuple[tuple[int, int], ...]


def sizes(given: Sizes, name: str) -> tuple[int, ...]:
    """Return the sizes as a tuple of positive ints.

    >>> sizes(2, "stride"), sizes((2, 1), "stride")
    ((2,), (2, 1))
    """
    entries = given if isinstance(given, tuple) else (given,)
    if not entries:
        raise ValueError(f"{name} = (): expected at least one entry")
    return tuple(count(entry, name) for entry in entries)


def padding_pairs(given: Padding, name: str) -> tuple[tuple[int, int], ...]:
    """Return the padding as pairs (before, after) of ints that are not negative.

    >>> padding_pairs(1, "padding"), padding_pairs(((0, 2), (1, 1)), "padding")
    (((1, 1),), ((0, 2), (1, 1)))
    """
    pairs = given if isinstance(given, tuple) else ((given, given),)
    if not pairs:
        raise ValueError(f"{name} = (): expected at least one pair")
    for pair in pairs:
        instance_of(pair, name, (tuple,), "pairs (before, after)")
        if len(pair) != 2:
            raise ValueError(f"{name} = {pair}: expected a pair (before, after)")
        for side in pair:
            natural(side, name)
    return tuple(pairs)


def natural(number: int, name: str) -> int:
    """Return `number` if it is an int that is not negative.

    >>> natural(0, "padding")
    0
    """
    instance_of(number, name, (int,), "an int")
    if number < 0:
        raise ValueError(f"{name} = {number}: expected at least 0")
    return number


def per_axis(entries: tuple[T, ...], axes: int, name: str) -> tuple[T, ...]:
    """Return one entry for each axis; a single one holds for all.

    >>> per_axis((2,), 3, "stride"), per_axis((2, 1), 2, "stride")
    ((2, 2, 2), (2, 1))
    """
    if len(entries) == 1:
        return entries * axes
    if len(entries) != axes:
        raise ValueError(f"{name} = {entries}: expected {axes} entries, one for each spatial axis, or one for all")
    return entries
