"""The program that shows a wrong derivative of a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.finding import float_roles
from lenticulum.check.subjects.function import FunctionSubject, with_constants
from lenticulum.check.subjects.subject import floats
from lenticulum.check.text import jax_array


def positional(
    subject: FunctionSubject, roles: list[str], numbers: Mapping[str, Fraction], fixed: Mapping[str, Any] | None = None
) -> Callable[..., Any]:
    """Return the function of the arrays of some roles, in order; those of `fixed` stay as they are."""

    def function(*arrays: Any) -> Any:
        values = {**(fixed or {}), **dict(zip(roles, arrays, strict=True)), **floats(numbers)}
        passed, named = subject.split({name: values[role] for name, role in subject.order.items() if role in values})
        return with_constants(subject.function, tuple(subject.constants(values).items()), False)(*passed, **named)

    return function


def derivative_lines(
    subject: FunctionSubject,
    output: str,
    inputs: Mapping[str, Any],
    numbers: Mapping[str, Fraction],
    compiled: bool,
) -> list[str]:
    """Return the lines of a program that leaves the derivative called `output` in `got`."""
    roles = [role for role in float_roles(inputs) if not role.startswith(("tangent", "cotangent"))]
    others = {role: array for role, array in inputs.items() if role not in float_roles(inputs)}
    constants = {
        **subject.constants(inputs),
        **{name: float(numbers[role]) for name, role in subject.order.items() if role in numbers},
    }
    by_role = {role: name for name, role in subject.order.items()}
    names = [by_role[role] for role in roles]
    fixed = "".join(f", {name}={value!r}" for name, value in constants.items())
    passed = ", ".join(name if name in subject.positional else f"{name}={name}" for name in names)
    lines = [*subject.source.imports, "import jax", "import jax.numpy as jnp"]
    fixed += "".join(f", {by_role[role]}={jax_array(array)}" for role, array in others.items())
    lines.append(f"function = lambda {', '.join(names)}: {subject.source.expression}({passed}{fixed})")
    points = ", ".join(jax_array(inputs[role]) for role in roles)
    kind, _, role = output.rpartition(" ")
    if kind.endswith("derivative"):
        return [*lines, *_slope(kind, roles.index(role), names, [inputs[each] for each in roles], compiled)]
    if output == "tangent":
        tangents = ", ".join(jax_array(inputs[f"tangent {role}"]) for role in roles)
        return [*lines, f"got = jax.jvp(function, ({points},), ({tangents},))[1]"]
    if "cotangent" not in inputs:
        return [*lines, f"got = jax.vjp(function, {points})"]
    place = roles.index(role) if kind == "cotangent" else None
    pick = "" if place is None else f"[{place}]"
    return [*lines, f"got = jax.vjp(function, {points})[1]({jax_array(inputs['cotangent'])}){pick}"]


def _slope(kind: str, place: int, names: list[str], arrays: list[np.ndarray], compiled: bool) -> list[str]:
    given, points = ", ".join(names), ", ".join(map(jax_array, arrays))
    ones = ", ".join(jax_array(np.full_like(array, number == place)) for number, array in enumerate(arrays))
    reverse = f"jax.vjp(function, {given})[1](jnp.ones_like({names[place]}))[{place}]"
    pushed = "slope" if kind == "second derivative" else "function"
    forward = f"jax.jvp({pushed}, ({given},), ({ones},))[1]"
    lines = [f"slope = lambda {given}: {reverse}"] if pushed == "slope" else []
    lines.append(f"derivative = lambda {given}: {reverse if kind == 'derivative' else forward}")
    return [*lines, f"got = jax.jit(derivative)({points})" if compiled else f"got = derivative({points})"]
