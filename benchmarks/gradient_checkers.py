"""What checkers of gradients let through, and what they reject of correct functions.

    python -m benchmarks.gradient_checkers docs/gradients.json

Mistakes are planted in a rule for sin(x) y, at four sizes; correct functions are those of the tests, to second order.
Needs chex and torch. Each checker is called with its defaults; `torch.autograd.gradcheck` in float64, as it demands,
and in its fast mode for 10 000 entries, whose Jacobian has 10^8. The page docs/gradients.md is made from the file by
docs/gradients_page.py.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import chex  # pyright: ignore[reportMissingImports]
import jax
import jax.numpy as jnp
import numpy as np
import torch  # pyright: ignore[reportMissingImports]
from jax.test_util import check_grads as jax_check_grads

from lenticulum.testing import check_grads
from tests.conformance.right_functions import RIGHT

SIZES = (1, 100, 1000, 10_000)
DRAWS = 5
ALARM_DRAWS = 10

Rule = Callable[[Any, Any, Any, Any, Any], tuple[Any, Any]]

#: Reverse rules of sin(x) y: (module, x, y, cotangent) to the cotangents of x and y.
RULES: dict[str, Any] = {
    "none": lambda m, x, y, g: (g * m.cos(x) * y, g * m.sin(x)),
    "scaled by 1 + 1e-6": lambda m, x, y, g: (1.000001 * g * m.cos(x) * y, 1.000001 * g * m.sin(x)),
    "scaled by 1.01": lambda m, x, y, g: (1.01 * g * m.cos(x) * y, 1.01 * g * m.sin(x)),
    "one cotangent missing": lambda m, x, y, g: (g * m.cos(x) * y, 0 * g),
    "arguments exchanged": lambda m, x, y, g: (g * m.sin(x), g * m.cos(x) * y),
    "wrong sign": lambda m, x, y, g: (-g * m.cos(x) * y, -g * m.sin(x)),
}


def of_jax(rule: Any) -> Callable[..., Any]:
    """Return sin(x) y with this reverse rule."""

    @jax.custom_vjp
    def function(x: Any, y: Any) -> Any:
        return jnp.sin(x) * y

    function.defvjp(lambda x, y: (jnp.sin(x) * y, (x, y)), lambda kept, g: rule(jnp, *kept, g))
    return function


def of_torch(rule: Any) -> Callable[..., Any]:
    """Return the same for torch."""

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return torch.sin(x) * y

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> Any:
            x, y = ctx.saved_tensors
            return rule(torch, x, y, cotangents[0])

    return Function.apply


def arrays(size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays of normal numbers."""
    rng = np.random.default_rng([size, seed])
    return rng.normal(size=size).astype(np.float32), rng.normal(size=size).astype(np.float32)


def by_torch(rule: Any, size: int, seed: int) -> None:
    """Call gradcheck."""
    given = [torch.tensor(each.astype(np.float64), requires_grad=True) for each in arrays(size, seed)]
    torch.autograd.gradcheck(of_torch(rule), given, fast_mode=size >= 10_000)


CHECKERS: dict[str, Callable[[Any, int, int], Any]] = {
    "lenticulum.testing.check_grads": lambda rule, n, seed: check_grads(of_jax(rule), arrays(n, seed), 1, "rev"),
    "jax.test_util.check_grads": lambda rule, n, seed: jax_check_grads(of_jax(rule), arrays(n, seed), 1, ("rev",)),
    "chex.assert_numerical_grads": lambda rule, n, seed: chex.assert_numerical_grads(
        of_jax(rule), arrays(n, seed), 1, modes=("rev",)
    ),
    "torch.autograd.gradcheck": by_torch,
}


def rejected(checker: Callable[..., Any], *arguments: Any, **keywords: Any) -> bool:
    """Return whether a checker raises."""
    try:
        checker(*arguments, **keywords)
    except (AssertionError, RuntimeError):
        return True
    return False


def planted() -> list[dict[str, Any]]:
    """Return for each checker, mistake and size in how many draws it was rejected, and the seconds of one call."""
    rows = []
    for (name, checker), (mistake, rule), size in product(CHECKERS.items(), RULES.items(), SIZES):
        started = time.perf_counter()
        count = sum(rejected(checker, rule, size, seed) for seed in range(DRAWS))
        seconds = (time.perf_counter() - started) / DRAWS
        rows.append({"checker": name, "mistake": mistake, "size": size, "rejected": count, "seconds": seconds})
    return rows


def alarms() -> list[dict[str, Any]]:
    """Return for each JAX checker and correct function in how many draws it was rejected, to second order."""
    peers = {
        "lenticulum.testing.check_grads": check_grads,
        "jax.test_util.check_grads": jax_check_grads,
        "chex.assert_numerical_grads": chex.assert_numerical_grads,
    }
    rows = []
    for (name, right), (checker, call) in product(RIGHT.items(), peers.items()):
        draws = [right.draw(np.random.default_rng(seed)) for seed in range(ALARM_DRAWS)]
        count = sum(rejected(call, right.function, each, 2, modes=("fwd", "rev")) for each in draws)
        rows.append({"function": name, "checker": checker, "rejected": count})
    return rows


def main() -> int:
    """Write the file."""
    found = {
        "draws": DRAWS,
        "alarm_draws": ALARM_DRAWS,
        "versions": {"jax": jax.__version__, "chex": chex.__version__, "torch": torch.__version__},
        "planted": planted(),
        "alarms": alarms(),
    }
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
