"""The fields of sliding windows for all axes of an array, as `jax.lax` takes them."""

from typing import TypeVar

T = TypeVar("T")


def over_leading(spatial: tuple[T, ...], one: T, axes: int) -> tuple[T, ...]:
    """Return entries for all axes of an array: `one` for those that lead.

    >>> over_leading((3, 2), 1, 4)
    (1, 1, 3, 2)
    """
    return (one,) * (axes - len(spatial)) + spatial
