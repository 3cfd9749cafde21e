"""The same situations with value types: refused where they are wrong, and otherwise the right program."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import jax
import pytest

from lenticulum.terms.value import Value, value
from tests.conformance.jax_behaviours.behaviour import Counting, bits, ten, times_factor


@value
class Scale(Value):
    """A value type with one field."""

    factor: object = 2.0


@value
class Shift(Value):
    """Another with the same field."""

    factor: object = 2.0


def right(*objects: Any, traces: int, run: Callable[..., Any] = times_factor, x: Any = None) -> None:
    """Assert that every object is served its own program, bit for bit, within the stated number of traces."""
    x = ten() if x is None else x
    jit = Counting()
    compiled = jit(run, static_argnums=0)
    served = [bits(compiled(item, x)) for item in objects]
    for item, got in zip(objects, served, strict=True):
        jax.clear_caches()
        assert got == bits(jax.jit(functools.partial(run, item))(x))
    assert jit.traces == traces


def refused(error: type[Exception], function: Callable[[], Any], text: str) -> None:
    """Assert that it is refused, with a sentence that says what."""
    with pytest.raises(error, match=re.escape(text)):
        function()
