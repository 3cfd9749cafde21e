"""Law: a value lies in the range of its function, as it is stored: |cosine| <= 1, 0 <= probability <= 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.numbers.formats import FORMATS
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law


def in_range(low: float, high: float) -> Law[Kernel]:
    """Return the law that every value of a kernel lies in [low, high].

    A kernel may return the statement that its own value does, as a boolean, instead of the value.
    """

    def check(kernel: Kernel, draw: Draw) -> None:
        given = kernel.drawn(draw)
        for array in kernel.call(given):
            if array.dtype.kind == "b":
                if not array.all():
                    kernel.reject("rounding", "the kernel finds its own value out of range", given, range=[low, high])
                continue
            outside = np.argwhere(~((low <= array) & (array <= high)))
            if len(outside):
                place = tuple(int(each) for each in outside[0])
                got = float(array[place])
                kind = _kind(got, low, high, kernel.dtype)
                kernel.reject(kind, "a value is out of range", given, position=list(place), got=got, range=[low, high])

    return Law(
        "range.bounded",
        "a value lies in the closed range of its function: rounding must not push it over the bound",
        "the inequality of Cauchy and Schwarz; https://github.com/pytorch/pytorch/issues/18057",
        Grade.MEASURED,
        _cosine(lambda s: s / max(s, np.finfo(np.float32).tiny)),
        check,
        {
            "square times reciprocal roots": _cosine(lambda s: s * (1 / np.sqrt(s)) * (1 / np.sqrt(s))),
            "divided by the roots one by one": _cosine(lambda s: s / np.sqrt(s) / np.sqrt(s)),
            "a squared norm instead of a norm": _cosine(lambda s: s / np.sqrt(s)),
            "a boolean that says so": _cosine(lambda s: s * (1 / np.sqrt(s)) * (1 / np.sqrt(s)) <= 1),
        },
    )


def _kind(got: float, low: float, high: float, dtype: str) -> str:
    """Return rounding if half of the digits of the bound are kept."""
    excess = max(low - got, got - high)
    size = max(abs(low), abs(high))
    return "rounding" if excess <= size * 2.0 ** (-FORMATS[dtype].precision / 2) else "formula"


def _cosine(cosine: Callable[[np.float32], np.floating | np.bool_]) -> Kernel:
    """Return the cosine of the vector (1, ..., n) and itself as a function of its squared length."""
    return Kernel(lambda n: cosine(np.square(np.arange(1, n + 1, dtype=np.float32)).sum()), {"n": Argument("count")})
