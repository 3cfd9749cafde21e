"""Trace an example forward, through its derivatives and under vmap, and collect the primitives of the programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core

from benchmarks.primitives.example import Example

DECOMPOSITIONS = frozenset(
    "cholesky cholesky_update eig eigh fft geqp3 geqrf hessenberg householder_product lu lu_pivots_to_permutation "
    "ormqr qr schur svd symmetric_product triangular_solve tridiagonal tridiagonal_solve".split()
)

# The parameter of the primitive call_hi_primitive that holds a jax.experimental.hijax.HiPrim.
WRAPPED = "_prim"


def programs(example: Example) -> dict[str, Callable[[], core.ClosedJaxpr]]:
    """Return the programs of an example by form: forward, jvp, vjp, jvp of vjp, and vmap.

    Derivatives are of every float result, with respect to every float argument; without one of each there are none.
    """
    leaves, tree = jax.tree.flatten(example.arguments)
    varied = [place for place, leaf in enumerate(leaves) if kind(leaf) == "float"]
    x = [leaves[place] for place in varied]

    def whole(*given: Any) -> Any:
        return example.function(*jax.tree.unflatten(tree, given))

    def primal(rest: list[Any]) -> Callable[..., list[Any]]:
        def at(*changed: Any) -> list[Any]:
            given = list(rest)
            for place, leaf in zip(varied, changed, strict=True):
                given[place] = leaf
            return [y for y in jax.tree.leaves(whole(*given)) if kind(y) == "float"]

        return at

    def forward_derivative(rest: list[Any], tangents: list[Any]) -> Any:
        return jax.jvp(primal(rest), [rest[place] for place in varied], tangents)

    def reverse_derivative(rest: list[Any], cotangents: list[Any]) -> Any:
        return jax.vjp(primal(rest), *(rest[place] for place in varied))[1](cotangents)

    def second_derivative(rest: list[Any], cotangents: list[Any], tangents: list[Any]) -> Any:
        def gradient(*changed: Any) -> Any:
            return jax.vjp(primal(rest), *changed)[1](cotangents)

        return jax.jvp(gradient, [rest[place] for place in varied], tangents)

    def results() -> list[Any]:
        return jax.eval_shape(lambda rest: primal(rest)(*(rest[place] for place in varied)), leaves)

    found = {"forward": lambda: jax.make_jaxpr(whole)(*leaves)}
    if leaves:
        found["vmap"] = lambda: jax.make_jaxpr(jax.vmap(whole))(*map(doubled, leaves))
    if varied and any(kind(y) == "float" for y in jax.tree.leaves(jax.eval_shape(whole, *leaves))):
        found["jvp"] = lambda: jax.make_jaxpr(forward_derivative)(leaves, x)
        found["vjp"] = lambda: jax.make_jaxpr(reverse_derivative)(leaves, results())
        found["jvp of vjp"] = lambda: jax.make_jaxpr(second_derivative)(leaves, results(), x)
    return found


def doubled(leaf: jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
    """Return the shape of two arrays like this one."""
    return jax.ShapeDtypeStruct((2, *leaf.shape), leaf.dtype)


def equations(jaxpr: core.Jaxpr) -> Iterator[Any]:
    """Yield the equations of a program and of every program in their parameters."""
    for equation in jaxpr.eqns:
        yield equation
        for parameter in equation.params.values():
            for inner in inner_programs(parameter):
                yield from equations(inner)
        if WRAPPED in equation.params:
            yield from equations(expansion(equation.params[WRAPPED]))


def expansion(wrapped: Any) -> core.Jaxpr:
    """Return the program that stands for a primitive of jax.experimental.hijax.HiPrim, as the compiler is given it."""

    def expanded(*flat: Any) -> Any:
        return wrapped.expand(*jax.tree.unflatten(wrapped.in_tree, flat))

    return jax.make_jaxpr(expanded)(*wrapped.in_avals_flat).jaxpr


def inner_programs(parameter: Any) -> Iterator[core.Jaxpr]:
    """Yield the programs in a parameter of an equation."""
    if isinstance(parameter, core.ClosedJaxpr):
        yield parameter.jaxpr
    elif isinstance(parameter, core.Jaxpr):
        yield parameter
    elif isinstance(parameter, dict):
        yield from inner_programs(tuple(parameter.values()))
    elif isinstance(parameter, tuple | list):
        for part in parameter:
            yield from inner_programs(part)


def kind(value: Any) -> str:
    """Return the kind of a value by its dtype: float, int, bool, key, complex, float0 or token."""
    dtype = getattr(getattr(value, "aval", value), "dtype", None)
    if dtype is None:
        return "token"
    if jnp.issubdtype(dtype, jax.dtypes.prng_key):
        return "key"
    if dtype == jax.dtypes.float0:
        return "float0"
    kinds = {"bool": jnp.bool_, "int": jnp.integer, "float": jnp.floating, "complex": jnp.complexfloating}
    return next(name for name, family in kinds.items() if jnp.issubdtype(dtype, family))


def kinds(values: list[Any]) -> str:
    """Return the kinds of the operands or results of an equation, each once."""
    return ", ".join(sorted({kind(value) for value in values})) or "nothing"


def refusal(found: list[Any]) -> str | None:
    """Return why a program is no part of the survey, or None: a matrix decomposition, or complex numbers."""
    names = sorted({equation.primitive.name for equation in found} & DECOMPOSITIONS)
    if names:
        return f"matrix decomposition {', '.join(names)}"
    if any(equation.primitive.name == "custom_lin" for equation in found):
        return "forward derivative of a custom_vjp rule, which JAX traces but does not run"
    if any(kind(value) == "complex" for equation in found for value in (*equation.invars, *equation.outvars)):
        return "complex numbers"
    return None


def reason(error: Exception) -> str:
    """Return the first sentence of an error, without addresses, so that it is the same in every run."""
    sentence = re.split(r"\.\s|\n", str(error).strip())[0]
    return f"{type(error).__name__}: {re.sub(r' at 0x[0-9a-f]+', '', sentence)}"
