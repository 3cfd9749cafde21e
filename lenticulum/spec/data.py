"""What flows along the wires of the exact interpreter: exact arrays and nested pairs of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from lenticulum.numbers import ExactArray

if TYPE_CHECKING:
    Data = ExactArray | tuple["Data", ...]
else:
    Data = ExactArray | tuple  # run-time type checkers follow a recursive alias to a small depth only, and slowly


def is_pair(x: Any) -> TypeGuard[tuple[Data, Data]]:
    """Return whether x is a pair."""
    return isinstance(x, tuple) and len(x) == 2  # pyright: ignore[reportUnknownArgumentType]


def both(x: Data, part: str) -> tuple[Data, Data]:
    """Return the halves of a pair, or say which part needed one."""
    if not is_pair(x):
        raise TypeError(f"{part}: expected a pair of inputs, got {describe(x)}")
    return x


def array(x: Data, part: str) -> ExactArray:
    """Return x if it is one exact array, or say which part needed one."""
    if not isinstance(x, ExactArray):
        raise TypeError(f"{part}: expected one exact array, got {describe(x)}; build it with rational or ball")
    return x


def describe(x: Any) -> str:
    """Name a piece of data for a message."""
    if isinstance(x, ExactArray):
        return f"{x.dtype}{list(x.shape)}"
    if isinstance(x, tuple):
        return f"({', '.join(map(describe, cast('tuple[Any, ...]', x)))})"
    return type(x).__name__


def leaves_of(x: Data) -> list[ExactArray]:
    """Return the exact arrays of data, in order."""
    return [x] if isinstance(x, ExactArray) else [leaf for part in x for leaf in leaves_of(part)]


def rebuild(like: Data, leaves: list[ExactArray]) -> Data:
    """Return data of the structure of `like` with the given arrays, which are consumed from the front."""
    if isinstance(like, ExactArray):
        return leaves.pop(0)
    return tuple(rebuild(part, leaves) for part in like)


def map_data(function: Callable[..., ExactArray], x: Data, *others: Data) -> Data:
    """Apply a function array by array to data of one structure."""
    if isinstance(x, ExactArray):
        return function(x, *others)
    for other in others:
        if not isinstance(other, tuple) or len(other) != len(x):
            raise TypeError(f"expected data of the structure {describe(x)}, got {describe(other)}")
    return tuple(map_data(function, *parts) for parts in zip(x, *others, strict=True))  # pyright: ignore[reportArgumentType]


def add(x: Data, y: Data) -> Data:
    """Return x + y, array by array."""
    return map_data(plus, x, y)


def plus(x: ExactArray, y: ExactArray) -> ExactArray:
    """Return x + y for two arrays."""
    return x + y


def add_contributions(x: Data, y: Data) -> Data:
    """Return x + y, array by array, for the cotangents of two uses of one wire: no order of addition is fixed."""
    return map_data(in_any_order, x, y)


def in_any_order(x: ExactArray, y: ExactArray) -> ExactArray:
    """Return x + y for two arrays of contributions."""
    return x.added_in_any_order(y)
