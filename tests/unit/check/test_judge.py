"""The default verdict on outputs made by hand, and metrics in common use that would get one of them wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lenticulum.check.definition import parse
from lenticulum.check.enclosures import decimal
from lenticulum.check.environment import Environment
from lenticulum.check.judge import judge, k_at
from lenticulum.check.metrics import K_LIMIT
from lenticulum.numbers import ball
from lenticulum.numbers.formats import BINARY32, round_to, ulp

FLUSHES, KEEPS = Environment(BINARY32, flushes=True), Environment(BINARY32, flushes=False)

Metric = Callable[["Example"], bool]


@dataclass(frozen=True)
class Example:
    """Arguments, an output, and the kind of finding that is right (None: it conforms)."""

    name: str
    spec: str
    inputs: dict[str, np.ndarray]
    output: np.ndarray
    kind: str | None
    environment: Environment = FLUSHES

    def __str__(self) -> str:
        return self.name

    def term(self) -> Any:
        """Return the description that fits the arguments."""
        return parse(self.spec).term({role: array.shape for role, array in self.inputs.items()}, {})

    def exact(self) -> np.ndarray:
        """Return the exact values, rounded to binary64."""
        outputs = parse(self.spec).outputs(self.term(), {role: ball(array) for role, array in self.inputs.items()})
        return np.array([float(each) for each in outputs["y"].reshape((-1,)).midpoint().tolist()])


def rounded(spec: str, **inputs: np.ndarray) -> np.ndarray:
    """Return the exact outputs, correctly rounded to binary32."""
    term = parse(spec).term({role: array.shape for role, array in inputs.items()}, {})
    exact = parse(spec).outputs(term, {role: ball(array) for role, array in inputs.items()})["y"]
    entries = [float(round_to(each, BINARY32)) for each in exact.reshape((-1,)).midpoint().tolist()]
    return np.array(entries, np.float32).reshape(exact.shape)


def layer_norm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return a sound LayerNorm in binary32: two passes, epsilon 1e-5."""
    deviation = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(deviation * deviation, axis=-1, keepdims=True)
    return deviation / np.sqrt(variance + np.float32(1e-5)) * weight + bias


def f32(values: Any) -> np.ndarray:
    """Return an array of binary32."""
    return np.array(values, np.float32)


ROW = f32([[0.3, -1.7, 2.1]])


def spoiled(value: float) -> np.ndarray:
    """Return the correctly rounded softmax of ROW with its first entry replaced."""
    return np.concatenate([f32([[value]]), rounded("softmax", x=ROW)[:, 1:]], axis=1)


# Of two entries LayerNorm makes ±1, hardly depending on either, so that K allows little; the rounded mean moves both.
FAR = {"x": f32([[1000.25, 999 + 2**-14]]), "weight": f32([1, 1]), "bias": f32([0, 0])}
ONES = f32([[1, 1, 1]])
CANCELLING = {"x": f32([[2**24, 1, -(2**24)]]), "weight": ONES}
SMALL_TERM = {"x": f32([[1, 1, 2**-18]]), "weight": ONES}
TINY = f32([[1.25 * 2**-20]])
SUBNORMAL = f32([[2**-130]])

EXAMPLES = [
    Example("a correctly rounded result", "softmax", {"x": ROW}, rounded("softmax", x=ROW), None),
    Example("temperature 1.00001", "softmax", {"x": ROW}, rounded("softmax", x=ROW / f32(1.00001)), "formula"),
    Example("a sum that cancels, added from left to right", "dense", CANCELLING, f32([[0]]), None),
    Example("a small product left out", "dense", SMALL_TERM, f32([[2]]), "formula"),
    Example("sound LayerNorm far from zero", "layer_norm", FAR, layer_norm(**FAR), None),
    Example("eight ulp off near zero", "tanh", {"x": TINY}, rounded("tanh", x=TINY) * f32(1 + 2**-20), "formula"),
    Example("NaN for a number", "softmax", {"x": ROW}, spoiled(np.nan), "special-value"),
    Example("infinity for a number", "softmax", {"x": ROW}, spoiled(np.inf), "overflow"),
    Example("a zero of the wrong sign", "tanh", {"x": f32([[-0.0]])}, f32([[0.0]]), "special-value"),
    Example("a masked entry", "softmax", {"x": f32([[-np.inf, 0, 0]])}, f32([[0, 0.5, 0.5]]), None),
    Example("NaN kept in its row", "softmax", {"x": f32([[np.nan, 0]])}, f32([[np.nan, np.nan]]), None),
    Example("NaN lost", "softmax", {"x": f32([[np.nan, 0]])}, f32([[0, 1]]), "special-value"),
    Example("flushed where the backend flushes", "tanh", {"x": SUBNORMAL}, f32([[0.0]]), None),
    Example("flushed where nothing else is", "relu", {"x": f32([[2**-126]])}, f32([[0.0]]), "formula", KEEPS),
    Example("a subnormal result kept", "tanh", {"x": SUBNORMAL}, SUBNORMAL, None, KEEPS),
    Example(
        "a subnormal result flushed alone",
        "bias",
        {"x": f32([[2**-126]]), "bias": f32([-1.5 * 2**-126])},
        f32([[0]]),
        "flush",
        KEEPS,
    ),
]


def verdict(example: Example) -> str | None:
    """Return the kind of finding of the judge."""
    finding, tally = judge(
        parse(example.spec), example.term(), example.inputs, {"y": example.output}, example.environment
    )
    assert tally.undecided == 0
    return None if finding is None else finding.kind


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_default_verdict_is_right_on(example: Example) -> None:
    assert verdict(example) == example.kind


def relative(tolerance: float) -> Metric:
    """Accept by the relative error alone."""
    return lambda example: bool(
        (np.abs(example.output.ravel() - example.exact()) <= tolerance * np.abs(example.exact())).all()
    )


def allclose(example: Example) -> bool:
    """Accept by NumPy's defaults."""
    return np.allclose(example.output.ravel(), example.exact())


def few_ulp(example: Example) -> bool:
    """Accept up to 4 ulp."""
    pairs = zip(example.output.ravel().tolist(), example.exact().tolist(), strict=True)
    return all(abs(Fraction(y) - Fraction(f)) <= 4 * ulp(Fraction(f), BINARY32) for y, f in pairs)


def k_alone(example: Example) -> bool:
    """Accept by K without the running bound."""
    arguments = (parse(example.spec), example.term(), example.inputs, "y")
    ks = [k_at(*arguments, flat, float(y), example.environment) for flat, y in enumerate(example.output.ravel())]
    return all(k is not None and k <= K_LIMIT for k in ks)


def largest_error(example: Example) -> bool:
    """Accept unless the largest error is above 1e-5, which no NaN is."""
    return not bool((np.abs(example.output.ravel() - example.exact()) > 1e-5).any())


@pytest.mark.parametrize(
    ("metric", "misjudged"),
    [
        (relative(1e-5), "a sum that cancels, added from left to right"),
        (relative(1e-5), "a small product left out"),
        (allclose, "eight ulp off near zero"),
        (few_ulp, "a sum that cancels, added from left to right"),
        (few_ulp, "sound LayerNorm far from zero"),
        (k_alone, "sound LayerNorm far from zero"),
        (largest_error, "NaN for a number"),
    ],
)
def test_a_metric_in_common_use_misjudges(metric: Metric, misjudged: str) -> None:
    """Each planted metric gets an example wrong that the default verdict gets right."""
    example = next(each for each in EXAMPLES if each.name == misjudged)
    assert metric(example) != (example.kind is None)


def test_k_of_a_correctly_rounded_result_is_at_most_one() -> None:
    y = rounded("softmax", x=ROW)
    for flat, value in enumerate(y.ravel()):
        k = k_at(
            parse("softmax"), parse("softmax").term({"x": ROW.shape}, {}), {"x": ROW}, "y", flat, float(value), FLUSHES
        )
        assert k is not None
        # |y - f| <= u |f| for a normal result, and the condition only adds to the denominator.
        assert k <= 1


def test_the_exact_value_is_written_without_binary_noise() -> None:
    assert decimal((Fraction(1, 3), Fraction(1, 3))) == "0.333333333333"
