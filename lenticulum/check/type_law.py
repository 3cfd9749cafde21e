"""Law: what belongs to a parameter has its type: its cotangent, and the parameter after an update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law


def keeps_type(parameter: str) -> Law[Kernel]:
    """Return the law that a kernel returns an array of the shape and the dtype of one of its arguments."""

    def check(kernel: Kernel, draw: Draw) -> None:
        given = kernel.drawn(draw)
        got, like = kernel.call(given)[0], np.asarray(given[parameter])
        if (got.shape, got.dtype) != (like.shape, like.dtype):
            types = [f"{array.dtype}{list(array.shape)}" for array in (got, like)]
            kernel.reject("type", f"the result has not the type of {parameter}", given, got=types[0], expected=types[1])

    def kernel(function: Callable[..., Any]) -> Kernel:
        return Kernel(function, {parameter: Argument("value", ("column",)), "ybar": COTANGENT})

    return Law(
        "type.parameter",
        "the cotangent of an operand that was broadcast is summed back, and an update keeps the type of a parameter",
        "x broadcast to y = B x is linear, and its reverse derivative is Bᵀ: the sum over the axes that were added",
        Grade.MEASURED,
        kernel(lambda ybar, **named: named[parameter] - jnp.asarray(ybar).sum(axis=0)),
        check,
        {
            "not summed back": kernel(lambda ybar, **named: named[parameter] - jnp.asarray(ybar)),
            "summed to a number": kernel(lambda ybar, **named: jnp.asarray(ybar).sum()),
            "an axis of size 1 is kept": kernel(lambda ybar, **named: jnp.asarray(ybar).sum(axis=0, keepdims=True)),
            "in a wider format": kernel(lambda ybar, **named: named[parameter] - ybar.astype(np.float64).sum(axis=0)),
        },
    )


COTANGENT = Argument("cotangent", ("row", "column"))
