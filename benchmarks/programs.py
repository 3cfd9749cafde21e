"""The cost of reading a program exactly, beside the same definition as mpmath numbers in NumPy object arrays.

    python -m benchmarks.programs

Layer normalisation of 64 rows of 256, and attention of 4 heads over 64 positions of 32 features, of jax.nn. The program
is read in float64 intervals; elements that they leave unbounded, or wider than half an ulp of float32, are counted as
the share that balls would have to decide. Pure balls stand beside it. All run in this process, one after the other.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np

from lenticulum.numbers import working_precision
from lenticulum.programs import Balls, Intervals, Program, trace

#: Bits of balls and of mpmath numbers.
PRECISION = 64

#: A relative width below half a unit in the last place of binary32.
WIDE = 2.0**-25

RNG = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    """Return normal numbers in float32."""
    return RNG.normal(size=shape).astype(np.float32)


def layer_norm(x: Any) -> Any:
    """Normalise each row."""
    return jax.nn.standardize(x, axis=-1, epsilon=1e-5)


def attention(query: Any, key: Any, value: Any, features: Any) -> Any:
    """Attend: [heads, positions, features]; the root of the number of features is taken by the program.

    (As a literal it would mean an interval as wide as a rounding, and so would every result.)
    """
    scores = jnp.einsum("hqd,hkd->hqk", query, key) / jnp.sqrt(features)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores), value)


def numbers(array: Any) -> Any:
    """Return an object array of mpmath numbers."""
    return np.vectorize(lambda entry: mpmath.mpf(float(entry)), otypes=[object])(array)


EXP = np.frompyfunc(mpmath.exp, 1, 1)
ROOT = np.frompyfunc(mpmath.sqrt, 1, 1)


def slow_layer_norm(x: Any) -> Any:
    """The definition over object arrays."""
    deviation = x - x.mean(axis=-1, keepdims=True)
    variance = (deviation * deviation).mean(axis=-1, keepdims=True)
    return deviation / ROOT(variance + mpmath.mpf("1e-5"))


def slow_attention(query: Any, key: Any, value: Any, features: Any) -> Any:
    """The definition over object arrays."""
    scores = np.stack([q @ k.T for q, k in zip(query, key, strict=True)]) / mpmath.sqrt(features.item())
    powers = EXP(scores)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.stack([w @ v for w, v in zip(weights, value, strict=True)])


CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[np.ndarray, ...]]] = {
    "layer_norm 64x256": (layer_norm, slow_layer_norm, (normal(64, 256),)),
    "attention 4x64x32": (
        attention,
        slow_attention,
        (*(normal(4, 64, 32) for _ in range(3)), np.float32(32)),
    ),
}


def timed(call: Callable[[], Any], repeat: int = 3) -> tuple[float, Any]:
    """Return the least seconds of some calls, and a result."""
    best, result = float("inf"), None
    for _ in range(repeat):
        started = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - started)
    return best, result


def escalated(found: Any) -> float:
    """Return the share of elements that are unbounded or wide."""
    size = np.maximum(np.abs(found.lo), np.abs(found.hi))
    return float(np.mean(~(found.hi - found.lo <= WIDE * size)))


def main() -> int:
    """Print the table."""
    head = ("intervals", "to balls", "balls", "mpmath", "mpmath / intervals", "mpmath / balls")
    print(f"{'definition':20}" + "".join(f"{name:>20}" for name in head))
    for name, (function, slow, arrays) in CASES.items():
        program: Program = trace(function, *arrays)
        intervals, found = timed(lambda program=program, arrays=arrays: program.read(Intervals(), *arrays)[0])
        with working_precision(PRECISION), mpmath.mp.workprec(PRECISION):
            balls, _ = timed(lambda program=program, arrays=arrays: program.read(Balls(), *arrays), 1)
            given = [numbers(array) for array in arrays]
            points, _ = timed(lambda slow=slow, given=given: slow(*given), 1)
        shown = (
            f"{intervals * 1e3:.1f} ms",
            f"{escalated(found):.2g}",
            f"{balls * 1e3:.0f} ms",
            f"{points * 1e3:.0f} ms",
        )
        shown += (f"{points / intervals:.0f}x", f"{points / balls:.1f}x")
        print(f"{name:20}" + "".join(f"{each:>20}" for each in shown), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
