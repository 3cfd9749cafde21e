"""A traced program: a JAX function at the shapes of some arguments, and its exact meaning in any number system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend import core
from numpy.typing import NDArray

from lenticulum.programs.interpreter import Interpreter, Observer
from lenticulum.programs.op_by_op import OpByOp
from lenticulum.programs.systems import System
from lenticulum.programs.values import is_float


@dataclass(frozen=True)
class Program:
    """A closed jaxpr with the structure of its result.

    >>> import jax.numpy as jnp
    >>> from lenticulum.programs import Balls
    >>> program = trace(lambda x: jnp.exp(x) - 1, np.zeros(2, np.float32))
    >>> program.read(Balls(), np.array([0.0, 1.0], np.float32))[0]
    TotalBall([0, [1.71828182845905 +/- ...]])
    """

    jaxpr: core.ClosedJaxpr
    structure: Any

    def read(self, system: System, *arguments: Any, observe: Observer | None = None) -> list[Any]:
        """Return the leaves of the result in a number system.

        Arguments: `arguments`: the leaves of the arguments in order, as NumPy arrays (floats are exact data), keys, or
        exact arrays already (dual numbers, say).
        Raises: UnknownPrimitive; Undecided.
        """
        interpreter = Interpreter(system, observe)
        return interpreter.closed(self.jaxpr, *map(interpreter.constant, arguments))

    def floats(self) -> list[int]:
        """Return the places of the floating-point arguments."""
        return [place for place, variable in enumerate(self.jaxpr.jaxpr.invars) if is_float(variable.aval)]

    def run(self, *arguments: Any) -> list[NDArray[Any]]:
        """Return the leaves of the result as JAX computes them op by op."""
        runner = OpByOp()
        return [np.asarray(each) for each in runner.closed(self.jaxpr, *map(runner.constant, arguments))]


def trace(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Program:
    """Return the program of a JAX function at these arguments (arrays, or trees of them)."""
    jaxpr, shapes = jax.make_jaxpr(lambda *given: function(*given, **keywords), return_shape=True)(*arguments)
    return Program(jaxpr, jax.tree.structure(shapes))
