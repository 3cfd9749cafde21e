"""Arrays without operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum.programs.interpreter import bind
from lenticulum.programs.rule import Step, rule


@rule("iota")
def iota(step: Step) -> Any:
    """The positions along an axis."""
    return step.interpreter.system.data(np.asarray(bind(step.equation, [])), step.dtype)


@rule("empty", "empty2")
def empty(step: Step) -> Any:
    """An array that nobody has written to: unbounded, as JAX promises no values."""
    return step.interpreter.system.data(np.full(step.shape, np.nan), step.dtype)
