"""Law: a key is used once; what is drawn for different parameters, or from different seeds, is different."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Inapplicable, Law

#: Bits of a uniform float32. Two independent rows of n numbers are equal with probability of about 2^(-n BITS).
BITS = 23

#: Rows of fewer numbers may be equal by chance more often than once in 2^40 pairs.
LEAST = 2


def _check(kernel: Kernel, draw: Draw) -> None:
    given = kernel.drawn(draw)
    ((seed, _),) = ((n, a) for n, a in kernel.arguments.items() if a.kind == "seed")
    rows, again = _rows(kernel, given), _rows(kernel, given)
    if min((row.size for row in rows), default=0) < LEAST:
        raise Inapplicable("rows of one number may be equal by chance")
    if [row.tobytes() for row in rows] != [row.tobytes() for row in again]:
        kernel.reject("nondeterministic", "one seed gives two results", given)
    places = {row.tobytes(): place for place, row in enumerate(rows)}
    for place, row in enumerate(rows):
        if places[row.tobytes()] != place:
            message = "two parameters are drawn from one key"
            kernel.reject("state", message, given, rows=[place, places[row.tobytes()]], both=row.tolist())
    other = _rows(kernel, {**given, seed: given[seed] ^ 1})
    if {row.tobytes() for row in rows} & {row.tobytes() for row in other}:
        kernel.reject("state", "two seeds give one draw", given, other=given[seed] ^ 1)


def _rows(kernel: Kernel, given: Any) -> list[np.ndarray]:
    """Return what is drawn for each parameter: a list of arrays, or the rows of one."""
    results = kernel.call(given)
    return [np.asarray(row) for row in (results[0] if len(results) == 1 else results)]


def _initial(function: Callable[[jax.Array, int, int], list[Any]]) -> Kernel:
    kinds = {"seed": Argument("seed"), "batch": Argument("small count"), "n": Argument("small count")}
    return Kernel(lambda seed, batch, n: function(jax.random.key(seed), batch, n), kinds)


def _split_again(key: jax.Array, batch: int, n: int) -> list[Any]:
    rows = []
    for _ in range(batch):
        _, used = jax.random.split(key)
        rows.append(jax.random.normal(used, (n,)))
    return rows


KEYS: Law[Kernel] = Law(
    "keys.used-once",
    "no two parameters are drawn from one key, and one seed gives one result",
    "https://github.com/google/flax/pull/2665",
    Grade.MEASURED,
    _initial(lambda key, batch, n: [jax.random.normal(each, (n,)) for each in jax.random.split(key, batch)]),
    _check,
    {
        "one key for all": _initial(lambda key, batch, n: [jax.random.normal(key, (n,)) for _ in range(batch)]),
        "a used key is split again": _initial(_split_again),
        "the key is not used": _initial(
            lambda key, batch, n: [jax.random.normal(each, (n,)) for each in jax.random.split(jax.random.key(0), batch)]
        ),
    },
)
