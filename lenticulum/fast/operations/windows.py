"""The fields of sliding windows, spread over the spatial axes as `jax.lax` takes them."""

from typing import TypeVar

T = TypeVar("T")


def spread(entries: tuple[T, ...], axes: int, name: str) -> tuple[T, ...]:
    """Return one entry for each axis; a single one holds for all.

    >>> spread((2,), 3, "stride")
    (2, 2, 2)
    """
    if len(entries) not in (1, axes):
        raise ValueError(f"{name} = {entries}: expected {axes} entries, one for each spatial axis, or one for all")
    return entries * axes if len(entries) == 1 else entries


def over_leading(spatial: tuple[T, ...], one: T, axes: int) -> tuple[T, ...]:
    """Return entries for all axes of an array: `one` for those that lead.

    >>> over_leading((3, 2), 1, 4)
    (1, 1, 3, 2)
    """
    return (one,) * (axes - len(spatial)) + spatial
