"""Law: a result does not depend on earlier settings of a program: no program is served for another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law

#: Kinds of argument that are a sequence of settings, one for each call.
SETTINGS = ("setting", "flag")


def _check(kernel: Kernel, draw: Draw) -> None:
    given = kernel.drawn(draw)
    (name,) = (name for name, argument in kernel.arguments.items() if argument.kind in SETTINGS)
    served = _one_by_one(kernel, given)
    cold = [_cold(kernel, {**given, name: given[name][place : place + 1]}) for place in range(len(given[name]))]
    if len(served) != len(cold):
        kernel.reject("type", f"{len(cold)} settings give {len(served)} results", given)
    for place, (warm, alone) in enumerate(zip(served, cold, strict=True)):
        if _bits(warm) == _bits(alone):
            continue
        earlier = [given[name][other].item() for other in range(place) if _bits(cold[other]) == _bits(warm)]
        what = f"that of the earlier setting {earlier[0]}" if earlier else "that of no setting"
        kernel.reject(
            "identity" if earlier else "state",
            f"the result of a setting of {name} depends on the settings before it",
            given,
            setting=given[name][place].item(),
            served=warm.tolist(),
            truth=alone.tolist(),
            what=what,
        )


def _one_by_one(kernel: Kernel, given: Mapping[str, Any]) -> list[np.ndarray]:
    """Return the result of each setting; a kernel returns them in one list."""
    results = kernel.call(given)
    return [np.asarray(each) for each in results[0]] if len(results) == 1 and results[0].ndim else results


def _cold(kernel: Kernel, given: Mapping[str, Any]) -> np.ndarray:
    """Return the result of one setting in a program that nothing was compiled for."""
    jax.clear_caches()
    (result,) = _one_by_one(kernel, given)
    return result


def _bits(array: Any) -> tuple[str, tuple[int, ...], bytes]:
    each = np.asarray(array)
    return each.dtype.name, each.shape, each.tobytes()


class Scaled:
    """scale x, with a scale that is set from outside."""

    def __init__(self) -> None:
        self.scale = 1.0

    def __call__(self, x: Any) -> Any:
        return self.scale * x


def _program(compiled: Callable[[Scaled], Callable[[Any], Any]]) -> Kernel:
    """Return a kernel that calls one compiled object under several scales."""

    def function(scales: np.ndarray, x: float) -> list[float]:
        scaled = Scaled()
        program, results = compiled(scaled), []
        for scale in scales.tolist():
            scaled.scale = scale
            results.append(float(program(x)))
        return results

    return Kernel(function, {"scales": Argument("setting", ("time",)), "x": Argument("weight")})


def _scale_as_an_argument(scaled: Scaled) -> Callable[[Any], Any]:
    program = jax.jit(lambda scale, x: scale * x)
    return lambda x: program(scaled.scale, x)


def _accumulated(scaled: Scaled) -> Callable[[Any], Any]:
    total: list[float] = []

    def program(x: Any) -> float:
        total.append(scaled.scale)
        return sum(total) * x

    return program


HISTORY: Law[Kernel] = Law(
    "identity.history",
    "the result of a setting is that of a program compiled for it alone, bit for bit",
    "https://github.com/jax-ml/jax/issues/5206",
    Grade.MEASURED,
    _program(_scale_as_an_argument),
    _check,
    {
        "read once, at the first trace": _program(lambda scaled: jax.jit(scaled.__call__)),
        "all settings so far are added": _program(_accumulated),
    },
)
