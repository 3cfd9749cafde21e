"""Derivative rules against the exact derivative of the definition: value, structure, shape and dtype."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding, Form, Tally, float_roles
from lenticulum.check.gradients import MODES
from lenticulum.check.judge import judge
from lenticulum.check.rows import reals
from lenticulum.check.target import one_line
from lenticulum.numbers import jvp, vjp
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise import Expected

#: Primitives of custom derivative rules; those of the second kind have no forward mode.
_REVERSE_ONLY = ("custom_vjp_call", "custom_vjp_call_jaxpr")
_RULES = ("custom_jvp_call", "custom_jvp_call_jaxpr", *_REVERSE_ONLY)


class Derivative:
    """The exact derivative of a definition as something that is judged against.

    Roles: the arrays x, ... of floats (integers and booleans stay as they are), and `tangent x`, ... (forward) or
    `cotangent` (reverse). Outputs: `tangent`, or `cotangent x`, .... The running bound is that of the textbook
    derivative, which differentiates operation by operation."""

    def __init__(self, definition: Definition, roles: tuple[str, ...], output: str, reverse: bool) -> None:
        self.definition, self.roles, self.output, self.reverse = definition, roles, output, reverse
        self.entry = dataclasses.replace(definition.entry, reduction=False, laws=(), locality="batch")

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, Any]:
        """Return the exact derivative."""
        return self._differentiated(lambda primals: self.definition.outputs(term, primals), roles)

    def forms(self, term: Any) -> tuple[Form, ...]:
        """Return the closed forms of the definition, each differentiated operation by operation."""
        return tuple(partial(self._differentiated, form) for form in self.definition.forms(term))

    def special(self, term: Any, *arrays: np.ndarray) -> dict[int, Expected]:
        """Refuse: the derivative of an elementwise function is `slopes.Slope`."""
        raise TypeError(f"{self.definition.entry.name} is no elementwise function")

    def _differentiated(self, form: Form, roles: Mapping[str, Any]) -> dict[str, Any]:
        def function(*arrays: Any) -> Any:
            return form({**roles, **dict(zip(self.roles, arrays, strict=True))})[self.output]

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
    return _contains(_RULES, jax.make_jaxpr(function)(*arrays).jaxpr)


def refusal(function: Callable[..., Any], *arrays: Any) -> str | None:
    """Return why JAX has no reverse derivative of a program (a kernel of Pallas, a loop of unknown length), if so."""

    def cotangents(*primals: Any) -> Any:
        y, pull = jax.vjp(function, *primals)
        return pull(jnp.zeros_like(y))

    try:
        jax.eval_shape(cotangents, *arrays)
    except Exception as error:
        return one_line(error)
    return None


def is_reverse_only(function: Callable[..., Any], *arrays: Any) -> bool:
    """Return whether a function has no forward derivative: a custom_vjp says so, and that is no defect."""
    return _contains(_REVERSE_ONLY, jax.make_jaxpr(function)(*arrays).jaxpr)


def modes_of(function: Callable[..., Any], *arrays: Any) -> tuple[str, ...]:
    """Return the modes in which JAX derives a function: both, or the reverse one alone."""
    return ("rev",) if is_reverse_only(function, *arrays) else MODES


def _contains(names: tuple[str, ...], jaxpr: Any) -> bool:
    for equation in jaxpr.eqns:
        if equation.primitive.name in names:
            return True
        for parameter in equation.params.values():
            inner = getattr(parameter, "jaxpr", parameter)
            if hasattr(inner, "eqns") and _contains(names, inner):
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

    `function` takes the float arrays of `point` in order, without the tangents and the cotangent that are in it too.
    """
    roles = tuple(role for role in float_roles(point) if not role.startswith(("tangent ", "cotangent")))
    inputs = {role: array for role, array in point.items() if not role.startswith(("tangent ", "cotangent"))}
    primals = tuple(jnp.asarray(point[role]) for role in roles)
    tangents = tuple(jnp.asarray(point[f"tangent {role}"]) for role in roles)
    cotangent = point["cotangent"]
    tally = Tally()
    pulled = reverse_rule(function, dict(zip(roles, primals, strict=True)), jnp.asarray(cotangent))
    if isinstance(pulled, Finding):
        return pulled, tally
    reverse = Derivative(definition, roles, definition.output, reverse=True)
    named = {f"cotangent {role}": np.asarray(each) for role, each in pulled.items()}
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
        return structural(f"jvp raises {one_line(error)}"), tally
    except Exception as error:
        return structural(f"jvp raises {one_line(error)}"), tally
    forward = Derivative(definition, roles, definition.output, reverse=False)
    given = {name: array for name, array in point.items() if name != "cotangent"}
    finding, counted = judge(forward, term, given, {"tangent": np.asarray(tangent)}, environment)
    tally.merge(counted)
    return (None if finding is None else dataclasses.replace(finding, kind="derivative")), tally


def shrinks(finding: Finding, function: Callable[..., Any], point: Mapping[str, np.ndarray]) -> bool:
    """Return whether a rejected derivative comes nearer to the exact one in binary64, as lost digits and range do.

    `function` takes the float arrays of `point` in order. A finding of structure never does.
    """
    if not finding.exact:
        return False
    with jax.enable_x64(True):
        wide = {role: jnp.asarray(point[role], jnp.float64) for role in float_roles(point)}
        primals = [each for role, each in wide.items() if not role.startswith(("tangent ", "cotangent"))]
        if finding.output == "tangent":
            tangents = [each for role, each in wide.items() if role.startswith("tangent ")]
            again = jax.jvp(function, tuple(primals), tuple(tangents))[1]
        else:
            roles = [role for role in wide if not role.startswith(("tangent ", "cotangent"))]
            pulled = jax.vjp(function, *primals)[1](wide["cotangent"])
            again = pulled[roles.index(finding.output.removeprefix("cotangent "))]
        return fewer_digits_lost(finding, float(again[finding.position]))


def fewer_digits_lost(finding: Finding, again: float) -> bool:
    """Return whether a second result, in binary64, is nearer to the exact value by half of the digits it brings.

    A wrong formula keeps its error, lost digits shrink it by about 2^29. The error of no number is the exact value.
    """
    exact = float(finding.exact)
    before = abs(finding.got - exact) if np.isfinite(finding.got) else abs(exact)
    return abs(again - exact) < before * 2**-14.5


def reverse_rule(
    function: Callable[..., Any], primals: Mapping[str, jax.Array], cotangent: jax.Array
) -> dict[str, jax.Array] | Finding:
    """Return the cotangents by role, or the finding that the reverse rule raises or has the wrong structure."""
    try:
        _, pull = jax.vjp(function, *primals.values())
    except Exception as error:
        return structural(f"vjp raises {one_line(error)}")
    try:
        pulled = dict(zip(primals, pull(cotangent), strict=True))
    except Exception as error:
        return structural(f"the reverse rule raises {one_line(error)}")
    for role, primal in primals.items():
        each = pulled[role]
        if each.shape != primal.shape or each.dtype != primal.dtype:
            got, want = (f"{array.dtype}{list(array.shape)}" for array in (each, primal))
            return structural(f"the cotangent of {role} is {got}; expected {want}")
    return pulled


def structural(note: str) -> Finding:
    """Return the finding that a derivative rule cannot be called, or returns something of the wrong structure."""
    return Finding("derivative", "derivative", (), float("nan"), "", "regular", note=note)
