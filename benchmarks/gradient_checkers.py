"""What checkers of gradients let through, what they reject of correct functions, and how long they take.

    python -m benchmarks.gradient_checkers docs/gradients.json

Mistakes are planted in a rule for sin(x) y, at four sizes; correct functions are those of the tests, to second order.
Needs chex and torch. Each checker is called with its defaults; those of torch in float64, `torch.autograd.gradcheck`
in its fast mode for 10 000 entries, whose Jacobian has 10^8. The page docs/gradients.md is made from the file by
docs/gradients_page.py.

Every row is kept in FILE.part as soon as it is known, so that a run that was stopped goes on; delete that file after a
change of a checker.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import chex  # pyright: ignore[reportMissingImports]
import jax
import jax.numpy as jnp
import numpy as np
import torch  # pyright: ignore[reportMissingImports]
from jax.test_util import check_grads as jax_check_grads

from lenticulum.check.gradients import check_derivatives
from lenticulum.testing import check_grads, gradcheck
from lenticulum.testing.torch_gradients import Line
from tests.conformance.right_functions import RIGHT

SIZES = (1, 100, 1000, 10_000)
DRAWS = 5

#: Draws of each correct function: ours, and of each peer.
OUR_DRAWS, PEER_DRAWS = 200, 10

#: Calls that are timed, and with 10 000 entries.
CALLS, LONG_CALLS = 15, 3

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


def tensors(size: int, seed: int, dtype: Any = torch.float64) -> tuple[Any, ...]:
    """Return the same as tensors that require a gradient."""
    return tuple(torch.tensor(each).to(dtype).requires_grad_() for each in arrays(size, seed))


OURS, OURS_TORCH = "lenticulum.testing.check_grads", "lenticulum.testing.gradcheck"

CHECKERS: dict[str, Callable[[Any, int, int], Any]] = {
    OURS: lambda rule, n, seed: check_grads(of_jax(rule), arrays(n, seed), 1, "rev"),
    OURS_TORCH: lambda rule, n, seed: gradcheck(of_torch(rule), tensors(n, seed)),
    "jax.test_util.check_grads": lambda rule, n, seed: jax_check_grads(of_jax(rule), arrays(n, seed), 1, ("rev",)),
    "chex.assert_numerical_grads": lambda rule, n, seed: chex.assert_numerical_grads(
        of_jax(rule), arrays(n, seed), 1, modes=("rev",)
    ),
    "torch.autograd.gradcheck": lambda rule, n, seed: torch.autograd.gradcheck(
        of_torch(rule), tensors(n, seed), fast_mode=n >= 10_000
    ),
}


def rejected(checker: Callable[..., Any], *arguments: Any, **keywords: Any) -> bool:
    """Return whether a checker raises."""
    try:
        checker(*arguments, **keywords)
    except (AssertionError, RuntimeError):
        return True
    return False


def planted(checker: str, mistake: str, size: int) -> dict[str, Any]:
    """Return in how many draws a mistake was rejected."""
    return {"rejected": sum(rejected(CHECKERS[checker], RULES[mistake], size, seed) for seed in range(DRAWS))}


def seconds(size: int) -> dict[str, Any]:
    """Return the processor time of a call of each checker on the right rule: medians of calls in turn, after one."""
    calls = CALLS if size < 10_000 else LONG_CALLS
    found: dict[str, list[float]] = {checker: [] for checker in CHECKERS}
    for seed in range(1 + calls):
        for name, checker in CHECKERS.items():
            started = time.process_time()
            rejected(checker, RULES["none"], size, seed)
            found[name].append(time.process_time() - started)
    return {"seconds": {name: statistics.median(each[1:]) for name, each in found.items()}}


def resolved(dtype: str, size: int) -> dict[str, Any]:
    """Return the factor that `gradcheck` resolves on the right rule: the median over draws and directions."""
    factors: list[float] = []
    for seed in range(DRAWS):
        line = Line(torch, of_torch(RULES["none"]), tensors(size, seed, getattr(torch, dtype)))
        generator = torch.Generator().manual_seed(seed)
        factors += [line.drawn(generator).compare("backward").resolves for _ in range(4)]
    return {"resolves": statistics.median(factors)}


PEERS = {
    "jax.test_util.check_grads": jax_check_grads,
    "chex.assert_numerical_grads": chex.assert_numerical_grads,
}


def alarms(function: str, checker: str) -> dict[str, Any]:
    """Return in how many draws a correct function was rejected, to second order in both modes."""
    right = RIGHT[function]
    draws = [right.draw(np.random.default_rng(seed)) for seed in range(OUR_DRAWS if checker == OURS else PEER_DRAWS)]
    if checker == OURS:
        wrong = [check_derivatives(right.function, each, 2, seed=seed).wrong for seed, each in enumerate(draws)]
        count = sum(each is not None for each in wrong)
    else:
        count = sum(rejected(PEERS[checker], right.function, each, 2, modes=("fwd", "rev")) for each in draws)
    return {"draws": len(draws), "rejected": count}


#: Kind of row: how it is measured, and the names and values of what it is measured of.
ROWS: dict[str, tuple[Callable[..., dict[str, Any]], dict[str, Any]]] = {
    "planted": (planted, {"checker": CHECKERS, "mistake": RULES, "size": SIZES}),
    "times": (seconds, {"size": SIZES}),
    "resolved": (resolved, {"dtype": ("float64", "float32"), "size": SIZES}),
    "alarms": (alarms, {"function": RIGHT, "checker": (OURS, *PEERS)}),
}


def measured(part: Path) -> dict[str, list[dict[str, Any]]]:
    """Return all rows; those that are in the file of a stopped run are taken from there."""
    known = [json.loads(line) for line in part.read_text(encoding="utf-8").splitlines()] if part.exists() else []
    found: dict[str, list[dict[str, Any]]] = {}
    for kind, (measure, names) in ROWS.items():
        found[kind] = []
        for values in product(*names.values()):
            row = {"kind": kind, **dict(zip(names, values, strict=True))}
            done = next((each for each in known if row.items() <= each.items()), None)
            if done is None:
                done = {**row, **measure(*values)}
                with part.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(done) + "\n")
            found[kind].append({name: value for name, value in done.items() if name != "kind"})
    return found


def main() -> int:
    """Write the file."""
    target = Path(sys.argv[1])
    part = target.with_name(target.name + ".part")
    versions = {"jax": jax.__version__, "chex": chex.__version__, "torch": torch.__version__}
    found = {"draws": DRAWS, "versions": versions, **measured(part)}
    target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    part.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
