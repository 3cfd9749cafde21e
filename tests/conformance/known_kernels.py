"""Public kernels and broken copies of them, and the sweep over many seeds as a program that prints JSON."""

import json
import sys
from dataclasses import dataclass, field
from typing import Any

import broken_kernels
import equinox
import jax
import optax

from lenticulum.check import examine

SEEDS = 200


@dataclass(frozen=True)
class Kernel:
    """A kernel, the definition it is held to, and the kind of finding where it is broken."""

    subject: Any
    spec: str
    kind: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.subject.__name__}-{self.spec}"


LOOK_AHEAD = "nesterov:stores=look_ahead"

GOOD = [
    Kernel(optax.sgd, "gradient_descent"),
    Kernel(optax.sgd, "momentum"),
    Kernel(optax.sgd, LOOK_AHEAD, options={"bind": {"nesterov": True}}),
    Kernel(optax.adagrad, "adagrad:epsilon_at=inside"),
    Kernel(optax.adam, "adam"),
    Kernel(equinox.nn.Linear, "dense"),
    Kernel(equinox.nn.LayerNorm, "layer_norm"),
    Kernel(jax.nn.softmax, "softmax"),
]

BROKEN = [
    Kernel(broken_kernels.softmax_temperature, "softmax", "formula"),
    Kernel(broken_kernels.LayerNormEpsilon, "layer_norm", "formula"),
    Kernel(broken_kernels.LayerNormOnePass, "layer_norm", "rounding"),
    Kernel(broken_kernels.adagrad_start, "adagrad:epsilon_at=inside", "formula"),
    Kernel(broken_kernels.adam_epsilon, "adam", "formula"),
    Kernel(broken_kernels.LinearMissingProduct, "dense", "formula"),
    Kernel(broken_kernels.sgd_rate, "gradient_descent", "formula"),
    Kernel(broken_kernels.sgd_first_buffer_damped, "momentum", "formula"),
    Kernel(broken_kernels.sgd_stale_look_ahead, LOOK_AHEAD, "formula"),
]


def sweep(kernels: list[Kernel]) -> dict[str, list[dict[str, Any]]]:
    """Return verdict, kind, number of entries that a criterion carried, and witness, for each kernel and seed."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kernel in kernels:
        results = [examine(kernel.subject, kernel.spec, seed=seed, **kernel.options) for seed in range(SEEDS)]
        found[str(kernel)] = [
            {
                "verdict": result.verdict,
                "kind": result.kind,
                "carried": sum(result.carried.values()),
                "witness": result.witness and result.witness.code,
            }
            for result in results
        ]
    return found


if __name__ == "__main__":
    print(json.dumps(sweep({"good": GOOD, "broken": BROKEN}[sys.argv[1]])))
