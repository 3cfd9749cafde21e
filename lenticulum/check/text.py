"""Arrays and numbers as Python text that reads back to the same bits."""

import math
from typing import Any

import numpy as np


def number(value: Any) -> str:
    """Write one number, a float with the fewest digits that read back to it.

    >>> number(np.float32(0.1)), number(float("-inf")), number(np.float32(-0.0)), number(np.int32(3)), number(np.True_)
    ('0.1', '-jnp.inf', '-0.0', '3', 'True')
    """
    if isinstance(value, np.integer | np.bool_):
        return str(value)
    plain = float(value)
    if math.isnan(plain):
        return "jnp.nan"
    if math.isinf(plain):
        return "jnp.inf" if plain > 0 else "-jnp.inf"
    short = repr(float(str(value))) if isinstance(value, np.floating) else repr(plain)
    # Reading goes through binary64: where that would round twice, all digits are written.
    return short if np.asarray(float(short)).astype(np.asarray(value).dtype) == value else repr(plain)


def nested(array: np.ndarray) -> str:
    """Write an array as nested lists."""
    if array.ndim == 0:
        return number(array[()])
    return (
        "["
        + ", ".join(
            nested(row) if row.ndim else number(array[place]) for place, row in enumerate(map(np.asarray, array))
        )
        + "]"
    )


def jax_array(array: np.ndarray) -> str:
    """Write an array as a JAX array.

    >>> jax_array(np.array([[1, np.nan]], np.float32))
    'jnp.array([[1.0, jnp.nan]], jnp.float32)'
    """
    return f"jnp.array({nested(array)}, jnp.{array.dtype.name})"
