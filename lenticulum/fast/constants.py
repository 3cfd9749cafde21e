"""Exact hyper-parameters as constants of a floating-point format: one rounding, refused where it changes the
meaning."""

from fractions import Fraction
from typing import Any

import numpy as np
from jax.typing import DTypeLike

from lenticulum.terms.exact import Number, exact


def constant(number: Number, dtype: DTypeLike, name: str = "number") -> Any:
    """Return the number of the format nearest to an exact number, ties to even.

    Going through a Python float would round twice, which is another number for one float32 in about 2^29.

    Arguments: `number`: exact, as in a field; `dtype`: the working format; `name`: the field, for the message.
    Returns: a NumPy scalar of that format.
    Raises: ValueError if the number overflows, or is not zero and rounds to zero: the recurrence would be another one.

    >>> constant("0.1", np.float32)
    np.float32(0.1)
    >>> constant(Fraction(1, 10**300), np.float32, "epsilon")
    Traceback (most recent call last):
    ValueError: epsilon = 1e-300 rounds to 0.0 in float32; use a larger number or a wider format
    """
    format, q = np.dtype(dtype), exact(number, name)
    rounded = _nearest(q, format)
    if not np.isfinite(rounded):
        raise ValueError(
            f"{name} = {_short(q)} rounds to {rounded} in {format}; use a smaller number or a wider format"
        )
    if q != 0 and rounded == 0:
        raise ValueError(f"{name} = {_short(q)} rounds to {rounded} in {format}; use a larger number or a wider format")
    return rounded


def decay_constant(number: Number, dtype: DTypeLike, name: str = "decay") -> Any:
    """Return a decay as a constant that is still below 1: an average with decay 1 would never move.

    Raises: ValueError if the decay rounds to 1.

    >>> decay_constant("0.999999999", np.float32)
    Traceback (most recent call last):
    ValueError: decay = 0.999999999 rounds to 1.0 in float32; use a smaller number or a wider format
    """
    rounded = constant(number, dtype, name)
    if rounded >= 1:
        raise ValueError(
            f"{name} = {_short(exact(number))} rounds to {rounded} in {np.dtype(dtype)}; "
            "use a smaller number or a wider format"
        )
    return rounded


def times(number: Number, x: Any, name: str = "number") -> Any:
    """Return number * x in the format of x; for the number 1 it is x itself, without a multiplication.

    >>> times("1/4", np.float32(8)), times(1, np.float32(8))
    (np.float32(2.0), np.float32(8.0))
    """
    return x if exact(number, name) == 1 else constant(number, x.dtype, name) * x


def _nearest(q: Fraction, format: np.dtype[Any]) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        try:
            near = format.type(float(q))
        except OverflowError:
            return format.type(np.inf if q > 0 else -np.inf)
        if not np.isfinite(near) or Fraction(float(near)) == q:
            return near
        neighbours = [near, np.nextafter(near, format.type(-np.inf)), np.nextafter(near, format.type(np.inf))]
        return min(filter(np.isfinite, neighbours), key=lambda each: (abs(Fraction(float(each)) - q), _is_odd(each)))


def _is_odd(number: Any) -> int:
    return number.tobytes()[0 if np.little_endian else -1] & 1


def _short(q: Fraction) -> str:
    try:
        return repr(float(q))
    except OverflowError:
        return f"about 1e{len(str(int(abs(q)))) - 1}"
