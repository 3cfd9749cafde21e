"""Strides and paddings of windows, as libraries write them and as the definitions do."""

from __future__ import annotations

from typing import Any

from lenticulum.check.errors import CallError


def each_axis(value: Any, axes: int) -> tuple[int, ...]:
    """Return one size for each axis.

    >>> each_axis(2, 3), each_axis([2, 1], 2), each_axis(None, 1)
    ((2, 2, 2), (2, 1), (1,))
    """
    if value is None:
        return (1,) * axes
    return tuple(value) * (axes if len(value) == 1 else 1) if isinstance(value, list | tuple) else (value,) * axes


def pairs(value: Any, axes: int, name: str) -> tuple[tuple[int, int], ...]:
    """Return (before, after) for each axis.

    Raises: CallError for a padding in words that depends on the sizes.

    >>> pairs("VALID", 1, "layer"), pairs((1, 2), 2, "layer"), pairs(((0, 1), 2), 2, "layer")
    (((0, 0),), ((1, 1), (2, 2)), ((0, 1), (2, 2)))
    """
    if isinstance(value, str):
        if value.lower() != "valid":
            raise CallError(
                f"{name}: the padding {value!r} depends on the sizes, and that of the definition does not\n"
                'give pairs, or none at all: --make \'{"padding": "VALID"}\''
            )
        return ((0, 0),) * axes
    return tuple(
        (each, each) if isinstance(each, int) else (each[0], each[1])
        for each in (value if isinstance(value, list | tuple) else (value,) * axes)
    )


def alike(padding: Any, name: str) -> Any:
    """Return one size for each axis of a padding that is the same before and after.

    Raises: CallError for one that is not.

    >>> alike(((1, 1), (2, 2)), "torch")
    (1, 2)
    """
    if isinstance(padding, int):
        return padding
    if any(before != after for before, after in padding):
        raise CallError(f"{name} pads alike before and after; expected such a padding, got {padding}")
    return tuple(before for before, _ in padding)


def no_words(padding: Any) -> Any:
    """Return the padding of a definition for a library that knows none or all in words only.

    >>> no_words(0), no_words(((0, 0), (0, 0)))
    ('valid', 'valid')
    """
    if padding == 0 or isinstance(padding, tuple) and not any(map(any, padding)):
        return "valid"
    raise CallError(f"this library pads by nothing, or by as much as keeps the size; got {padding}")
