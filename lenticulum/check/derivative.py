"""Derivative rules against the exact derivative of the definition: value, structure, shape and dtype."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.cases import reals
from lenticulum.check.definition import Definition
from lenticulum.check.environment import Environment
from lenticulum.check.judge import Finding, Tally, judge
from lenticulum.check.target import one_line
from lenticulum.numbers import jvp, vjp
from lenticulum.spec.draw import Draw

_RULES = ("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_jvp_call_jaxpr")


class Derivative:
    """The exact derivative of a definition as something that is judged against.

    Roles: the arrays x, ..., and `tangent x`, ... (forward) or `cotangent` (reverse). Outputs: `tangent`, or
    `cotangent x`, .... The running bound is that of the textbook derivative, which differentiates operation by
    operation."""

    def __init__(self, definition: Definition, roles: tuple[str, ...], output: str, reverse: bool) -> None:
        self.definition, self.roles, self.output, self.reverse = definition, roles, output, reverse
        self.entry = dataclasses.replace(definition.entry, reduction=False, laws=(), locality="batch")

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, Any]:
        """Return the exact derivative."""

        def function(*arrays: Any) -> Any:
            return self.definition.outputs(term, dict(zip(self.roles, arrays, strict=True)))[self.output]

        primals = tuple(roles[role] for role in self.roles)
        if self.reverse:
            _, pull = vjp(function, *primals)
            pulled = pull(roles["cotangent"])
            return {f"cotangent {role}": each for role, each in zip(self.roles, pulled, strict=True)}
        _, tangents = jvp(
            lambda *arrays: (function(*arrays),), primals, tuple(roles[f"tangent {role}"] for role in self.roles)
        )
        return {"tangent": tangents[0]}


def has_rule(function: Callable[..., Any], *arrays: Any) -> bool:
    """Return whether the program of a function contains a custom derivative rule."""
    return _contains_rule(jax.make_jaxpr(function)(*arrays).jaxpr)


def _contains_rule(jaxpr: Any) -> bool:
    for equation in jaxpr.eqns:
        if equation.primitive.name in _RULES:
            return True
        for parameter in equation.params.values():
            inner = getattr(parameter, "jaxpr", parameter)
            if hasattr(inner, "eqns") and _contains_rule(inner):
                return True
    return False


def directions(function: Callable[..., Any], inputs: Mapping[str, np.ndarray], draw: Draw) -> dict[str, np.ndarray]:
    """Return drawn tangents for the arrays of `inputs`, and a cotangent for the result of the function."""
    y = jax.eval_shape(function, *inputs.values())
    tangents = {f"tangent {role}": reals(draw, array.shape, 2.0).astype(array.dtype) for role, array in inputs.items()}
    return {**tangents, "cotangent": reals(draw, y.shape, 2.0).astype(y.dtype)}


def check_derivative(
    definition: Definition,
    term: Any,
    function: Callable[..., Any],
    point: Mapping[str, np.ndarray],
    environment: Environment,
) -> tuple[Finding | None, Tally]:
    """Return a finding `derivative` if a rule is wrong, and the counts.

    `function` takes the arrays of `point` in order, without the tangents and the cotangent that are in it too.
    """
    roles = tuple(role for role in point if not role.startswith(("tangent ", "cotangent")))
    inputs = {role: point[role] for role in roles}
    primals = tuple(jnp.asarray(array) for array in inputs.values())
    tangents = tuple(jnp.asarray(point[f"tangent {role}"]) for role in roles)
    cotangent = point["cotangent"]
    output = "loss" if definition.entry.kind == "loss" else "y"
    tally = Tally()
    try:
        _, pull = jax.vjp(function, *primals)
    except Exception as error:
        return _structural(f"vjp raises {one_line(error)}"), tally
    try:
        pulled = pull(jnp.asarray(cotangent))
    except Exception as error:
        return _structural(f"the reverse rule raises {one_line(error)}"), tally
    for role, primal, each in zip(roles, primals, pulled, strict=True):
        if each.shape != primal.shape or each.dtype != primal.dtype:
            got, want = (f"{array.dtype}{list(array.shape)}" for array in (each, primal))
            return _structural(f"the cotangent of {role} is {got}; expected {want}"), tally
    reverse = Derivative(definition, roles, output, reverse=True)
    named = {f"cotangent {role}": np.asarray(each) for role, each in zip(roles, pulled, strict=True)}
    finding, counted = judge(reverse, term, {**inputs, "cotangent": cotangent}, named, environment)
    tally.merge(counted)
    if finding is not None:
        return dataclasses.replace(finding, kind="derivative"), tally
    try:
        _, tangent = jax.jvp(function, primals, tangents)
    except TypeError as error:
        # A custom_vjp has no forward rule at all, and says so; that is no defect.
        if "forward-mode" in str(error):
            return None, tally
        return _structural(f"jvp raises {one_line(error)}"), tally
    except Exception as error:
        return _structural(f"jvp raises {one_line(error)}"), tally
    forward = Derivative(definition, roles, output, reverse=False)
    given = {name: array for name, array in point.items() if name != "cotangent"}
    finding, counted = judge(forward, term, given, {"tangent": np.asarray(tangent)}, environment)
    tally.merge(counted)
    return (None if finding is None else dataclasses.replace(finding, kind="derivative")), tally


def _structural(note: str) -> Finding:
    return Finding("derivative", "derivative", (), float("nan"), "", "regular", note=note)
