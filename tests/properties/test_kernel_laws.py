"""The laws of kernels without a definition: each holds of its own subject, and rejects what is planted."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from law_tests import every_law, every_planted_mistake

from lenticulum.check.alias_law import ALIASES
from lenticulum.check.argument_cases import Argument
from lenticulum.check.derivative_law import OWN_DERIVATIVE
from lenticulum.check.history_law import HISTORY
from lenticulum.check.kernel_law import Kernel, examine_kernel
from lenticulum.check.key_law import KEYS
from lenticulum.check.masking_law import MASKING
from lenticulum.check.meaning_law import Claim, meets
from lenticulum.check.name_law import NAMES
from lenticulum.check.range_law import in_range
from lenticulum.check.rounding_law import rounding_error, rounds
from lenticulum.check.type_law import keeps_type
from lenticulum.spec.law import Law

SEEDS = 3


def backward(function: Any) -> Kernel:
    """A backward pass of y = x w, on NumPy arrays."""
    arguments = {
        "x": Argument("value", ("row", "column")),
        "w": Argument("weight", ("column",)),
        "dy": Argument("cotangent", ("row", "column")),
    }
    return Kernel(function, arguments)


def overwritten(x: Any, w: Any, dy: Any) -> Any:
    dy *= w
    return dy, (dy * x).sum(axis=0)


BACKWARD = meets(
    Claim('einsum:equation="ij,j->ij"', lambda x, w, dy: {"x": x, "y": w, "cotangent": dy}, of=("x", "y")),
    backward(lambda x, w, dy: (dy * w, (dy * x).sum(axis=0))),
    {
        "the cotangent is overwritten": backward(overwritten),
        "no gradient of the weight": backward(lambda x, w, dy: (dy * w, np.zeros_like(w))),
        "not summed": backward(lambda x, w, dy: (dy * w, dy * x)),
    },
)


def normalised(variance: Any) -> Kernel:
    """The first entry of a normalised row of equally spaced numbers."""

    def function(mean: Any, step: Any, n: int, eps: Any) -> Any:
        x = jnp.float32(mean) + jnp.arange(n, dtype=jnp.float32) * jnp.float32(step)
        return ((x - jnp.mean(x)) / jnp.sqrt(variance(x) + eps))[0]

    kinds = {"mean": "location", "step": "step", "n": "length", "eps": "epsilon"}
    return Kernel(function, {name: Argument(kind) for name, kind in kinds.items()})


NORMALISED = meets(
    Claim(
        "layer_norm",
        lambda mean, step, n, eps: {"x": mean + np.arange(n, dtype=mean.dtype) * step, "epsilon": eps},
        entry=lambda **_: (0,),
    ),
    normalised(jnp.var),
    {
        "one-pass variance": normalised(lambda x: jnp.maximum(jnp.mean(x * x) - jnp.mean(x) ** 2, 0)),
        "sample variance": normalised(lambda x: jnp.var(x, ddof=1)),
    },
)

LAWS: tuple[Law[Kernel], ...] = (
    OWN_DERIVATIVE,
    MASKING,
    BACKWARD,
    NORMALISED,
    in_range(-1.0, 1.0),
    rounds(rounding_error),
    keeps_type("b"),
    HISTORY,
    ALIASES,
    NAMES,
    KEYS,
)


@every_law(*LAWS)
def test_the_law_holds(law: Law[Kernel]) -> None:
    verdict = examine_kernel([law], law.subject, 0, cases=3)
    assert verdict.violation is None, verdict.violation
    assert verdict.checked


@every_planted_mistake(*LAWS)
def test_a_planted_mistake_is_rejected(law: Law[Kernel], mistake: str) -> None:
    assert any(examine_kernel([law], law.planted[mistake], seed).violation for seed in range(SEEDS))


def test_lost_digits_and_a_wrong_formula_are_told_apart() -> None:
    kinds = {
        name: {examine_kernel([NORMALISED], NORMALISED.planted[name], seed).kind for seed in range(SEEDS)}
        for name in NORMALISED.planted
    }
    assert kinds == {"one-pass variance": {"rounding"}, "sample variance": {"formula"}}
