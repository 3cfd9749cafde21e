"""check_grads: the derivatives of a JAX function, in the call of `jax.test_util.check_grads`, without tolerances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lenticulum.check.derivation import MODES
from lenticulum.check.gradients import GradientResult, check_derivatives
from lenticulum.numbers import Undecided
from lenticulum.testing.tally import SESSION


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int,
    modes: Sequence[str] | str = MODES,
    atol: Any = None,
    rtol: Any = None,
    eps: Any = None,
) -> GradientResult:
    """Assert that what JAX derives of a function is its derivative, to an order.

    Nothing is differenced: the derivative of the function's own program is computed exactly, without a look at custom
    rules, and compared entry by entry with what JAX computes; see `lenticulum.check.gradients`.

    Arguments: `f`: a JAX function of the arrays, or trees of arrays, `args`. `order`: from 1. `modes`: "fwd", "rev" or
    both. `atol`, `rtol`, `eps` are those of `jax.test_util.check_grads`, so that its callers need not change; no value
    of theirs has an effect.
    Returns: how many entries were judged. Raises: AssertionError with the first wrong entry; CallError for what cannot
    be checked; Undecided, also where no entry has a finite derivative; UnknownPrimitive.

    >>> import jax, jax.numpy as jnp
    >>> @jax.custom_jvp
    ... def sine(x):
    ...     return jnp.sin(x)
    >>> sine.defjvp(lambda primals, tangents: (jnp.sin(primals[0]), 1.000001 * jnp.cos(primals[0]) * tangents[0]))
    ... # doctest: +ELLIPSIS
    <function ...>
    >>> check_grads(sine, (jnp.ones(1000),), order=1, modes="fwd")
    Traceback (most recent call last):
    AssertionError: fwd: result 0[0]: got ..., exact [...], the rule itself means [...]
    """
    del atol, rtol, eps
    result = check_derivatives(f, args, order, (modes,) if isinstance(modes, str) else tuple(modes), SESSION.seed)
    SESSION.add(checked=result.judged, undecided=result.excused, not_run=result.no_value)
    if result.wrong is not None:
        raise AssertionError(str(result.wrong))
    if result.no_value and not result.judged:
        raise Undecided(
            "no derivative has a finite value at these arguments, so that nothing was checked: choose others"
        )
    return result
