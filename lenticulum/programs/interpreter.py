"""The interpreter: one jaxpr, equation by equation, in any number system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from lenticulum.numbers import ExactArray
from lenticulum.programs.rule import Step, UnknownPrimitive, load, rule_of
from lenticulum.programs.source import location
from lenticulum.programs.systems import System
from lenticulum.programs.values import decided, host, is_float, is_key, is_masked, promoted

#: Called after each equation with its step, operands and results; returns the results to go on with.
Observer = Callable[[Step, list[Any], list[Any]], list[Any]]

#: Primitives that contain programs: they are read, also where all their operands are integers.
CONTAINERS = frozenset(
    "jit closed_call custom_jvp_call custom_vjp_call custom_vmap_call remat2"
    " scan while cond custom_linear_solve eval_jaxpr composite call_hi_primitive".split()
)

#: Of these, undecided booleans and integers give undecided ones; every other primitive needs them decided.
LOGIC = frozenset(
    "and or not xor select_n clamp reduce_and reduce_or eq ne convert_element_type cond"
    " reshape transpose broadcast_in_dim squeeze rev slice dynamic_slice dynamic_update_slice concatenate"
    " pad split tile stack unstack copy name optimization_barrier stop_gradient".split()
)


class Interpreter:
    """Reads programs in one number system.

    Arguments: `system`: how data, literals and conversions enter. `observe`: sees every equation (see `Observer`).
    """

    def __init__(self, system: System, observe: Observer | None = None) -> None:
        load()
        self.system = system
        self.observe = observe

    def closed(self, program: core.ClosedJaxpr, *arguments: Any) -> list[Any]:
        """Return the results of a program with its constants; see `values` for what values are."""
        constants = [self.constant(each) for each in program.consts]
        return self.read(program.jaxpr, constants, arguments)

    def constant(self, array: Any) -> Any:
        """Return an array of JAX or NumPy as a value; a float array as data, exact."""
        if isinstance(array, ExactArray) or is_key(jnp.asarray(array) if not hasattr(array, "dtype") else array):
            return array
        on_host = np.asarray(array)
        return self.system.data(on_host, on_host.dtype) if is_float(on_host) else on_host

    def read(self, jaxpr: core.Jaxpr, constants: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        """Return the results of an open program.

        Raises: UnknownPrimitive; Undecided where a branch, a length or an index depends on an undecided comparison.
        """
        values: dict[Any, Any] = {}
        for variables, given in ((jaxpr.constvars, constants), (jaxpr.invars, arguments)):
            values.update(zip(variables, given, strict=True))

        def value(variable: Any) -> Any:
            return self.literal(variable) if isinstance(variable, core.Literal) else values[variable]

        for equation in jaxpr.eqns:
            results = self.step(equation, [value(each) for each in equation.invars])
            values.update(zip(equation.outvars, results, strict=True))
        return [value(each) for each in jaxpr.outvars]

    def literal(self, variable: Any) -> Any:
        """Return what a literal means."""
        if not is_float(variable.aval):
            return np.asarray(variable.val, variable.aval.dtype)
        if np.shape(variable.val):
            return self.constant(np.asarray(variable.val))
        return self.system.literal(float(variable.val), variable.aval.dtype)

    def step(self, equation: core.JaxprEqn, operands: list[Any]) -> list[Any]:
        """Return the results of one equation."""
        step = Step(self, equation)
        refuse_complex(equation)
        operands = promoted(operands)
        several = equation.primitive.multiple_results
        if self._by_jax(equation, operands):
            found = bind(equation, [decided(each, step.name) for each in operands])
        else:
            found = rule_of(equation)(step, *operands)
        # NumPy makes scalars of 0-d arrays.
        results = [
            np.asarray(each) if isinstance(each, np.generic) else each for each in (found if several else [found])
        ]
        return results if self.observe is None else self.observe(step, operands, results)

    def _by_jax(self, equation: core.JaxprEqn, operands: list[Any]) -> bool:
        """Return whether an equation has only integers, booleans and keys, which JAX itself computes exactly."""
        name = equation.primitive.name
        if name in CONTAINERS or name in LOGIC and any(map(is_masked, operands)):
            return False
        variables = [*equation.invars, *equation.outvars]
        return not any(is_float(each.aval) for each in variables)


def refuse_complex(equation: core.JaxprEqn) -> None:
    """Refuse an equation on complex numbers, which are neither exact arrays nor discrete.

    Raises: UnknownPrimitive.
    """
    types = (getattr(each.aval, "dtype", None) for each in (*equation.invars, *equation.outvars))
    if any(getattr(each, "kind", "") == "c" for each in types):
        raise UnknownPrimitive(
            f"{equation.primitive.name} computes complex numbers, which have no enclosures here"
            f"\nit is used at {location(equation)}"
        )


def bind(equation: core.JaxprEqn, operands: Sequence[Any], **changed: Any) -> Any:
    """Return what JAX computes for an equation on discrete operands, with some parameters changed."""
    given = [each if isinstance(each, jax.Array) else jnp.asarray(each) for each in operands]
    results = equation.primitive.bind(*given, **{**equation.params, **changed})
    return list(map(host, results)) if equation.primitive.multiple_results else host(results)
