"""Law: a kernel is its formula with every operation rounded to a narrow format, bit for bit.

A compiler may keep more digits than the program asks for; an error-free transformation such as y - ((x + y) - x) is
then 0. The oracle rounds each operation once. To check a compiled kernel, pass it compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.numbers import FORMATS, rounded
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law

NARROW = "bfloat16"


def rounds(formula: Callable[..., Any]) -> Law[Kernel]:
    """Return the law that a kernel is a formula of its arguments, rounded operation by operation in its dtype.

    `formula` takes the arguments by name, as numbers that round (`Rounded`).
    """

    def check(kernel: Kernel, draw: Draw) -> None:
        given = kernel.drawn(draw)
        numbers = {name: rounded(np.asarray(each, np.float64), FORMATS[kernel.dtype]) for name, each in given.items()}
        expected = np.array([float(each) for each in formula(**numbers).elements])
        got = kernel.call(given)[0].astype(np.float64).ravel()
        if not np.array_equal(got, expected, equal_nan=True):
            place = int(np.flatnonzero(~((got == expected) | np.isnan(got) & np.isnan(expected)))[0])
            facts = {"position": place, "got": float(got[place]), "expected": float(expected[place])}
            kernel.reject(
                "rounding", f"the result is not rounded operation by operation to {kernel.dtype}", given, **facts
            )

    return Law(
        "rounding.each_operation",
        "the result is that of the formula with every operation rounded once",
        "IEEE 754-2019, clause 4.3.1; Knuth, The Art of Computer Programming, vol. 2, section 4.2.2 (two-sum)",
        Grade.EXACT,
        _error(_round),
        check,
        {
            "nothing is rounded": _error(lambda v: v),
            "only the result is rounded": _error(lambda v: v, _round),
            "rounded to float16": _error(lambda v: v.astype(jnp.float16).astype(jnp.float32)),
        },
    )


def rounding_error(x: Any, y: Any) -> Any:
    """Return y - ((x + y) - x): what the sum of x and y loses of y, if every operation is rounded."""
    return y - ((x + y) - x)


def _round(v: Any) -> Any:
    return v.astype(NARROW).astype(jnp.float32)


def _error(each: Callable[[Any], Any], last: Callable[[Any], Any] | None = None) -> Kernel:
    """Return the rounding error of a sum, in float32 with a function applied after each operation."""

    def function(x: Any, y: Any) -> Any:
        x, y = jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.float32)
        return (last or each)(y - each(each(x + y) - x))

    return Kernel(function, {"x": Argument("value", ("row",)), "y": Argument("value", ("row",))}, NARROW)
