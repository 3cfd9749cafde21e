"""Law: what a mask blocks has no influence; the result is the same, bit for bit, whatever stands there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.check.rows import reals
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Inapplicable, Law


def _check(kernel: Kernel, draw: Draw) -> None:
    given = kernel.drawn(draw)
    for name, argument in kernel.arguments.items():
        for mask in argument.of if argument.kind == "score" else ():
            axes = kernel.arguments[mask].axes
            shape = tuple(given[name].shape[place] if axis in axes else 1 for place, axis in enumerate(argument.axes))
            blocked = ~np.broadcast_to(given[mask].reshape(shape), given[name].shape)
            if not blocked.any():
                raise Inapplicable(f"{mask} blocks nothing")
            others = reals(draw, given[name].shape, 64.0).astype(given[name].dtype)
            changed = {**given, name: np.where(blocked, others, given[name])}
            pairs = zip(kernel.call(given), kernel.call(changed), strict=True)
            if not all(np.array_equal(one, other, equal_nan=True) for one, other in pairs):
                message = f"the result changes with entries of {name} that {mask} blocks"
                kernel.reject("formula", message, given, instead=changed[name].tolist())


def _weights(function: Callable[[Any, Any], Any]) -> Kernel:
    """Return the weights of an attention in which the keys of one mask are seen by every query."""
    scores, keep = Argument("score", ("query", "key"), ("keep",)), Argument("open mask", ("key",))
    return Kernel(lambda s, keep: function(jnp.asarray(s), jnp.asarray(keep)), {"s": scores, "keep": keep})


MASKING: Law[Kernel] = Law(
    "masking.independent",
    "the result does not depend on what the mask blocks",
    "a blocked key has weight exactly 0: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
    Grade.MEASURED,
    _weights(lambda s, keep: jax.nn.softmax(jnp.where(keep, s, -jnp.inf), axis=-1)),
    _check,
    {
        "the mask lies along the queries": _weights(
            lambda s, keep: jax.nn.softmax(jnp.where(jnp.resize(keep, (len(s),))[:, None], s, -jnp.inf), axis=-1)
        ),
        "too small a constant": _weights(lambda s, keep: jax.nn.softmax(s - (1.0 - keep), axis=-1)),
        "masked after the softmax": _weights(lambda s, keep: jax.nn.softmax(s, axis=-1) * keep),
        "no mask": _weights(lambda s, keep: jax.nn.softmax(s, axis=-1)),
    },
)
