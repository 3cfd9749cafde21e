"""Loops: Repeat and Stack as one scan, so that the program has one body, whatever the count."""

from typing import Any

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, UInt32

from lenticulum.fast.apply import Scope, Wire, structural, walk
from lenticulum.terms.repetition import Repeat, Stack
from lenticulum.terms.tree import Tree


@structural(Repeat)
def repeat(term: Repeat, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    """Return y_n, where y_0 = x and y_i = l(y_(i-1)), or l((y_(i-1), x)) with injection; the state is threaded."""

    def body(carried: tuple[Wire, Tree], number: UInt32[Array, ""]) -> tuple[tuple[Wire, Tree], Any]:
        y, before = carried
        inner = scope.call(number)._replace(caps=[])
        y, after = walk(term.term, (y, x) if term.injection else y, parameters, before, inner)
        return (y, after), inner.caps

    (y, state), caps = lax.scan(body, (x, state), calls(term.count))
    scope.caps.extend(caps)
    return y, state


@structural(Stack)
def stack(term: Stack, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    """Return l_n(... l_1(x)): the copies lie along the leading axis of every leaf."""

    def body(y: Wire, copy: tuple[UInt32[Array, ""], Tree, Tree]) -> tuple[Wire, Any]:
        number, own, before = copy
        inner = scope.call(number)._replace(caps=[])
        y, after = walk(term.term, y, own, before, inner)
        return y, (after, inner.caps)

    y, (after, caps) = lax.scan(body, x, (calls(term.count), parameters, state))
    scope.caps.extend(caps)
    return y, after


def calls(count: int) -> UInt32[Array, " count"]:
    """Return the numbers of the calls, from 0.

    >>> calls(3).tolist()
    [0, 1, 2]
    """
    return jnp.arange(count, dtype=jnp.uint32)
