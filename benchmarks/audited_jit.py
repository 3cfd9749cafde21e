"""What a call of audited_jit costs beside jax.jit, in the same run.

    python -m benchmarks.audited_jit [FILE.json]

Each program is called in turn by both, in rounds; a number is the best round, in microseconds a call. Measured are
warm calls, in which nothing has moved: a function with a global, a static dataclass that is the same object or built
anew, a dictionary of parameters, a term of this library with its parameters, and a multilayer perceptron of Equinox as
a static argument beside its arrays. The aim is at most 100 microseconds more.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import equinox
import jax
import jax.numpy as jnp

from lenticulum import fast
from lenticulum.terms import Dense, Mode, Relu, Tree
from lenticulum.testing import Audit, audited_jit

ROUNDS, CALLS = 7, 500
X = jnp.float32(10)
FACTOR = 2.0

#: The state of a chain of three parts that have none.
STATELESS = Tree(layer_1=Tree(), layer_2=Tree(), layer_3=Tree())


@dataclasses.dataclass(frozen=True)
class Scale:
    """Four plain fields."""

    factor: float = 1.0
    power: int = 2
    name: str = "x"
    axes: tuple[int, ...] = (1, 2)

    def __call__(self, x: Any) -> Any:
        return self.factor * x**self.power


def scaled(x: Any) -> Any:
    """A function that names a global."""
    return FACTOR * x


def of_parameters(parameters: Any) -> Any:
    """A function of a dictionary of arrays."""
    return jax.tree.map(lambda each: FACTOR * each, parameters)


def applied(term: Any, parameters: Any, x: Any) -> Any:
    """A term of this library."""
    return fast.apply(term, x, parameters, STATELESS, Mode.EVAL, None)[0]


def combined(arrays: Any, static: Any, x: Any) -> Any:
    """A module of Equinox, taken apart."""
    return equinox.combine(arrays, static)(x)


def subjects() -> dict[str, tuple[Callable[..., Any], dict[str, Any], Callable[[], tuple[Any, ...]]]]:
    """Return function, options and arguments of each call."""
    parameters = {"w": [jnp.ones(3), jnp.ones(3)], "b": {"c": jnp.ones(3)}}
    term = Dense(2, 4) >> Relu() >> Dense(4, 1)
    weights = fast.initialparameters(jax.random.key(0), term)
    arrays, static = equinox.partition(equinox.nn.MLP(2, 3, 4, 2, key=jax.random.key(0)), equinox.is_array)
    one, x = Scale(), jnp.ones(2)

    def run(scale: Any, x: Any) -> Any:
        return scale(x)

    return {
        "function with a global": (scaled, {}, lambda: (X,)),
        "static dataclass, the same object": (run, {"static_argnums": 0}, lambda: (one, X)),
        "static dataclass, built anew": (run, {"static_argnums": 0}, lambda: (Scale(), X)),
        "dictionary of parameters": (of_parameters, {}, lambda: (parameters,)),
        "term of lenticulum": (applied, {"static_argnums": 0}, lambda: (term, weights, x)),
        "perceptron of Equinox": (combined, {"static_argnums": 1}, lambda: (arrays, static, x)),
    }


def best(call: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> float:
    """Return the time of a call in microseconds, of one round."""
    start = time.perf_counter()
    for _ in range(CALLS):
        call(*arguments())
    return (time.perf_counter() - start) / CALLS * 1e6


def measure() -> list[dict[str, Any]]:
    """Return the times of each subject."""
    rows = []
    for name, (function, options, arguments) in subjects().items():
        plain, audited = jax.jit(function, **options), audited_jit(function, audit=Audit(), **options)
        plain(*arguments()), audited(*arguments())
        pairs = [(best(plain, arguments), best(audited, arguments)) for _ in range(ROUNDS)]
        jit, ours = (min(column) for column in zip(*pairs, strict=True))
        rows.append({"subject": name, "jit": round(jit, 1), "audited": round(ours, 1), "ratio": round(ours / jit, 1)})
    return rows


def main() -> None:
    """Print the table, and write it where a file is named."""
    rows = measure()
    print(f"{'subject':36} {'jax.jit':>8} {'audited':>8} {'more':>8} {'ratio':>6}   microseconds a call")
    for row in rows:
        more = row["audited"] - row["jit"]
        print(f"{row['subject']:36} {row['jit']:8} {row['audited']:8} {more:8.1f} {row['ratio']:6}")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps({"jax": jax.__version__, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
