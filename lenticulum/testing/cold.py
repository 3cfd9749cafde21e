"""Results served and cold, as bits: those of a call, and those of the same program run one equation after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.core

from lenticulum.check.identity.program import bits


def result_bits(result: Any) -> Any:
    """Return structure and bits of a result, of traced values the type."""
    return bits(jax.tree.map(lambda leaf: str(jax.typeof(leaf)) if isinstance(leaf, jax.core.Tracer) else leaf, result))


def op_by_op(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the results of a function, traced and then run one equation after the other: nothing is fused."""
    closed = jax.make_jaxpr(lambda *leaves: function(*leaves))(*arguments)
    leaves = jax.tree.leaves(arguments)
    return jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *leaves)
