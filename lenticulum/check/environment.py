"""The environment as it behaves: the float format of a kernel, and whether its backend flushes subnormal numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.errors import CallError
from lenticulum.numbers.formats import FORMATS as ALL_FORMATS
from lenticulum.numbers.formats import Format

FORMATS = {dtype: ALL_FORMATS[dtype] for dtype in ("float16", "bfloat16", "float32", "float64")}


@dataclass(frozen=True)
class Environment:
    """A format and the observed treatment of subnormals."""

    format: Format
    flushes: bool

    @property
    def eta(self) -> Fraction:
        """The absolute error that underflow excuses: half the subnormal spacing, or the smallest normal if flushed."""
        return self.format.smallest_normal if self.flushes else self.format.smallest_subnormal / 2


@lru_cache(maxsize=8)
def probe(dtype: str) -> Environment:
    """Observe the default JAX backend: halve the smallest normal number, and double the smallest subnormal one.

    Raises: CallError for a dtype that is no supported float format.
    """
    fmt = format_of(dtype)
    smallest, tiny = (jnp.asarray(np.array(float(x)), dtype) for x in (fmt.smallest_normal, fmt.smallest_subnormal))
    half, two = jnp.asarray(0.5, dtype), jnp.asarray(2, dtype)
    results = [jnp.multiply(smallest, half), jnp.multiply(tiny, two), jax.jit(jnp.multiply)(smallest, half)]
    return Environment(fmt, any(float(np.asarray(result)) == 0 for result in results))


@lru_cache(maxsize=32)
def probe_host(dtype: str, array: Callable[[np.ndarray], Any]) -> Environment:
    """Observe a library that computes eagerly on the host; `array` makes its array of a NumPy array of one entry."""
    fmt = format_of(dtype)
    ends = (fmt.smallest_normal, fmt.smallest_subnormal)
    smallest, tiny, half, two = (array(np.array([float(x)]).astype(dtype)) for x in (*ends, 0.5, 2))
    return Environment(fmt, float((smallest * half)[0]) == 0 or float((tiny * two)[0]) == 0)


def format_of(dtype: str) -> Format:
    """Return the format of a dtype. Raises: CallError if it is none that is supported."""
    if dtype not in FORMATS:
        raise CallError(f"dtype {dtype}: expected one of {', '.join(FORMATS)}")
    return FORMATS[dtype]
