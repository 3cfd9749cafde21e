"""Law: what JAX derives is the derivative of the program of a function, in every argument, also in one used twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import jax
import jax.numpy as jnp

from lenticulum.check.argument_cases import Argument
from lenticulum.check.derivative import modes_of
from lenticulum.check.finding import float_roles
from lenticulum.check.gradients import check_derivatives
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law

#: At a point of the edge lattice a second derivative jumps more often than a first one.
ORDER = 1


def _check(kernel: Kernel, draw: Draw) -> None:
    given = kernel.drawn(draw)
    _derivatives(kernel, given, draw.bits(16))
    twins = _twins(given)
    if twins:
        _derivatives(kernel, given, draw.bits(16), draw.choice(twins))


def _twins(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the pairs of arguments that one number can be passed for: floats of one shape."""
    return [(a, b) for a, b in combinations(float_roles(given), 2) if given[a].shape == given[b].shape]


def _derivatives(kernel: Kernel, given: Mapping[str, Any], seed: int, twins: tuple[str, ...] = ()) -> None:
    """Check the derivative; the first of the twins gets the number of the last."""
    floats = {name: given[name] for name in float_roles(given) if name not in twins[:1]}
    fixed = {name: each for name, each in given.items() if name not in floats and name not in twins}

    def function(*arrays: Any) -> Any:
        values = dict(zip(floats, arrays, strict=True))
        if twins:
            values[twins[0]] = values[twins[1]]
        return kernel.function(**fixed, **values)

    arrays = tuple(floats.values())
    wrong = check_derivatives(function, arrays, ORDER, modes_of(function, *arrays), seed).wrong
    if wrong is None:
        return
    used = f" with {twins[0]} = {twins[1]}" if twins else ""
    # A result of the reverse mode belongs to an argument, one of the forward mode to an output.
    where = f"in {list(floats)[wrong.output]}" if wrong.chain == "rev" else f"of result {wrong.output}"
    shown = {**given, twins[0]: given[twins[1]]} if twins else given
    facts = {"note": wrong.note} if wrong.note else {"got": wrong.got, "exact": wrong.exact, "rule": wrong.rule}
    message = f"the {wrong.chain} derivative {where}{used}, along a drawn direction, is not that of the program"
    kernel.reject("derivative", message, shown, position=list(wrong.position), **facts)


def _ruled(rule: Callable[..., Any]) -> Kernel:
    """Return x clipped to the bounds, with a forward rule."""

    def function(x: Any, low: Any, high: Any) -> Any:
        return jnp.minimum(jnp.maximum(x, low), high)

    clip = jax.custom_jvp(function)
    clip.defjvp(lambda p, t: (function(*p), rule(*p, *t)))
    return Kernel(clip, CLIP)


CLIP = {
    "x": Argument("bounded", (), ("low", "high")),
    "low": Argument("lower"),
    "high": Argument("upper", (), ("low",)),
}

OWN_DERIVATIVE: Law[Kernel] = Law(
    "derivative.own",
    "what JAX derives is the derivative of the program, in every argument, also where one is passed for two",
    "the chain rule; membership in the subdifferential at kinks",
    Grade.ENCLOSED,
    _ruled(lambda x, low, high, s, t, u: jnp.where(x >= high, u, jnp.where(x <= low, t, s))),
    _check,
    {
        "the bounds are constants": _ruled(lambda x, low, high, s, t, u: jnp.where((x > low) & (x < high), s, 0.0)),
        "the upper bound is a constant": _ruled(
            lambda x, low, high, s, t, u: jnp.where(x > high, 0.0, jnp.where(x <= low, t, s))
        ),
        "scaled by 1 + 1e-6": _ruled(
            lambda x, low, high, s, t, u: 1.000001 * jnp.where(x >= high, u, jnp.where(x <= low, t, s))
        ),
        "guarded value, unguarded derivative": Kernel(
            lambda x: jnp.where(x < 1, x, jnp.sqrt(x)), {"x": Argument("value")}
        ),
    },
)
