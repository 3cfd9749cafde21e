"""Runs a program op by op: every primitive by itself, outside compiled loops and calls, so that nothing is fused."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from lenticulum.programs.interpreter import CONTAINERS, Interpreter
from lenticulum.programs.rule import Step, load, rule_of


class OpByOp(Interpreter):
    """Reads programs in the floats of JAX itself.

    `jax.disable_jit` does not do this for a jaxpr: it still compiles the body of a scan, a while or a jit as one
    program, in which XLA may write x / 3 as a product and contract products and sums.
    """

    def __init__(self) -> None:
        load()
        self.held: dict[tuple[Any, bytes], jax.Array] = {}

    def constant(self, array: Any) -> Any:
        """Return an array as one of JAX."""
        return array if isinstance(array, jax.Array) else jnp.asarray(array)

    def literal(self, variable: Any) -> Any:
        """Return the number that the program holds; to make an array of it takes as long as two operations on it."""
        number = np.asarray(variable.val, variable.aval.dtype)
        key = number.dtype, number.tobytes()
        if key not in self.held:
            self.held[key] = jnp.asarray(number)
        return self.held[key]

    def step(self, equation: core.JaxprEqn, operands: list[Any]) -> list[Any]:
        """Return the results of one equation: of one that holds programs by reading them, otherwise as JAX computes."""
        if equation.primitive.name in CONTAINERS:
            return list(rule_of(equation)(Step(self, equation), *operands))
        parameters = equation.primitive.get_bind_params(equation.params)
        results = equation.primitive.bind(*operands, **parameters)
        return list(results) if equation.primitive.multiple_results else [results]
