"""Numbers that `==` confuses with a number: other types of the same value, and the other zero."""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

#: What of the same value a caller may pass where a real number is due. A complex number is no real one, though equal.
_PLAIN = (bool, int, float, Fraction, Decimal)
_NUMPY = (np.bool_, np.int64, np.int8, np.float32, np.float64, np.float16)


def number_twins(old: Any) -> Iterator[tuple[str, Any]]:
    """Yield numbers equal to `old`, of other types or another sign of zero, each with its expression.

    >>> [text for text, _ in number_twins(0.0)][:3]
    ['-0.0', 'False', '0']
    """
    yield from _zeros(old)
    if isinstance(old, complex) and not isinstance(old, np.generic):
        if old.imag == 0:
            yield repr(old.real), old.real
            yield f"np.complex64({old!r})", np.complex64(old)
        return
    kinds: tuple[Any, ...] = (*_PLAIN, *_NUMPY)
    for kind in kinds:
        if kind is type(old):
            continue
        try:
            new = kind(old)
        except (TypeError, ValueError, OverflowError, ArithmeticError):
            continue
        if new == old:
            yield _text(kind, new), new
    if isinstance(old, int) and not isinstance(old, bool):
        yield f"enum.IntEnum('Twin', {{'X': {old!r}}}).X", enum_twin(enum.IntEnum, old)


@functools.lru_cache(maxsize=512, typed=True)
def enum_twin(kind: Any, old: Any) -> Any:
    """Return the member of an enumeration of a kind that equals a value; such a class is slow to make."""
    return kind("Twin", {"X": old})["X"]


def _zeros(old: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(old, float | np.floating) and old == 0:
        yield ("-old" if isinstance(old, np.generic) else repr(-old)), -old
    if isinstance(old, complex) and old.imag == 0:
        yield f"complex({old.real!r}, {-old.imag!r})", complex(old.real, -old.imag)


def _text(kind: type, new: Any) -> str:
    if kind in (bool, int, float):
        return repr(new)
    if kind is Fraction:
        return f"fractions.Fraction({new.numerator}, {new.denominator})"
    if kind is Decimal:
        return f"decimal.Decimal({str(new)!r})"
    return f"np.{kind.__name__}({new.item()!r})"
