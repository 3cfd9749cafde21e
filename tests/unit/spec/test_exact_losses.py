"""The exact losses in every number system: forward and reverse derivatives agree, enclosures agree, mpmath agrees."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from lenticulum.check.cases import cases
from lenticulum.check.definition import Definition, parse
from lenticulum.check.draw import SeededDraw
from lenticulum.check.finding import float_roles
from lenticulum.numbers import ball, decide, interval64, jvp, magnitude, rational, vjp, working_precision

SPECS = """
    logsumexp:axis=-1 log_softmax standardize glu absolute_loss:reduction=mean huber_loss:delta=3/4 smooth_l1_loss
    log_cosh_loss hinge_loss:reduction=sum poisson_nll poisson_nll:log_input=false,epsilon=1/8
    gaussian_nll:full=true cosine_similarity cosine_similarity:epsilon_at=product cosine_similarity:epsilon_at=square
    softmax_cross_entropy:label_smoothing=1/8 softmax_cross_entropy_integer:ignore_index=-100
    softmax_cross_entropy_integer:ignore_index=-100,reduction=weighted_mean sigmoid_cross_entropy:reduction=mean
    focal_loss:gamma=3/2,alpha=1/4 kl_divergence:reduction=row kl_divergence:log_target=true,reduction=batch_mean
""".split()
RATIONAL = ["absolute_loss:reduction=mean", "huber_loss:delta=3/4", "smooth_l1_loss", "hinge_loss:reduction=sum"]


def drawn(spec: str) -> tuple[Definition, Any, dict[str, Any]]:
    """A definition, its term, and the smallest arrays among its regular cases that hold several entries."""
    definition = parse(spec)
    regular = [case for case in cases(definition, SeededDraw(5), {}, (), {}, np.dtype("float32")) if _small(case)]
    case = min(regular, key=lambda each: (len(each.arrays), _size(each)))
    return definition, definition.term({}, {}), dict(case.arrays)


def _size(case: Any) -> int:
    return max(array.size for array in case.arrays.values())


def _small(case: Any) -> bool:
    return case.label == "regular" and _size(case) > 4


def value_of(definition: Definition, term: Any, arrays: dict[str, Any]) -> Callable[..., Any]:
    """The value as a function of the float arrays."""
    roles = float_roles(arrays)
    return lambda *floats: definition.outputs(term, {**arrays, **dict(zip(roles, floats, strict=True))})[
        definition.output
    ]


@pytest.mark.parametrize("spec", SPECS)
def test_forward_and_reverse_derivatives_are_adjoint(spec: str) -> None:
    definition, term, arrays = drawn(spec)
    value = value_of(definition, term, arrays)
    random = np.random.default_rng(3)
    points = [arrays[role].astype(np.float64) for role in float_roles(arrays)]
    tangents = [random.integers(-4, 5, point.shape) / 4 for point in points]

    def adjoint() -> bool:
        x = [ball(point) for point in points]
        y, pushed = jvp(value, x, [ball(each) for each in tangents])
        cotangent = ball(np.resize(np.array([1.0, -0.5, 0.25]), y.shape))
        _, pull = vjp(value, *x)
        left = (pushed * cotangent).sum()
        right = sum(((ball(t) * pulled).sum() for t, pulled in zip(tangents, pull(cotangent), strict=True)), 0 * left)
        return bool((left - right) ** 2 <= (left**2 + right**2 + 1) / 2**200)

    assert decide(adjoint, start=256)


@pytest.mark.parametrize("spec", RATIONAL)
def test_derivatives_over_the_rationals_agree_exactly(spec: str) -> None:
    definition, term, arrays = drawn(spec)
    value = value_of(definition, term, arrays)
    x = [rational(arrays[role]) for role in float_roles(arrays)]
    tangents = [rational(np.resize(np.array([1.0, -2.0, 0.5]), each.shape)) for each in x]
    y, pushed = jvp(value, x, tangents)
    cotangent = rational(np.resize(np.array([2.0, -0.25, 1.0]), y.shape))
    pulled = vjp(value, *x)[1](cotangent)
    total = sum(((t * each).sum() for t, each in zip(tangents, pulled, strict=True)), rational(0))
    assert (pushed * cotangent).sum() == total


@pytest.mark.parametrize("spec", SPECS)
def test_every_enclosure_holds_the_value(spec: str) -> None:
    definition, term, arrays = drawn(spec)
    value = value_of(definition, term, arrays)
    points = [arrays[role] for role in float_roles(arrays)]
    with working_precision(200):
        exact = value(*(ball(each) for each in points))
        low, high = exact.lower(), exact.upper()
    fast = value(*(interval64(each.astype(np.float64)) for each in points))
    claimed = fast.bounded().ravel()
    assert claimed.any()
    least, most = rational(fast.lo.ravel()[claimed]), rational(fast.hi.ravel()[claimed])
    assert bool(((least <= high.reshape((-1,))[claimed]) & (low.reshape((-1,))[claimed] <= most)).all())
    bounds = value(*(magnitude(each) for each in points))
    if bounds.bounded().all():
        assert bool(((bounds.lower() <= low) & (high <= bounds.upper())).all())
    else:
        assert spec.startswith(("logsumexp", "poisson_nll", "softmax_cross_entropy", "log_softmax", "log_cosh"))


def entropy(x: Any) -> Any:
    """x log x, and 0 at 0."""
    return x * mpmath.log(x) if x else mpmath.mpf(0)


def focal(x: Any, y: Any) -> Any:
    """gamma = 3/2, alpha = 1/4."""
    p = 1 / (1 + mpmath.exp(-x))
    q = y * (1 - p) + (1 - y) * p
    cost = -y * mpmath.log(p) - (1 - y) * mpmath.log(1 - p)
    return (y / 4 + 3 * (1 - y) / 4) * q ** mpmath.mpf("1.5") * cost


FORMULAS: dict[str, Callable[..., Any]] = {
    "log_cosh_loss": lambda p, t: mpmath.log(mpmath.cosh(p - t)),
    "poisson_nll": lambda p, t: mpmath.exp(p) - t * p,
    "poisson_nll:log_input=false,epsilon=1/8": lambda p, t: p - t * mpmath.log(p + mpmath.mpf("0.125")),
    "gaussian_nll:full=true": lambda p, t, v: -mpmath.log(mpmath.npdf(t, p, mpmath.sqrt(v))),
    "sigmoid_cross_entropy": lambda x, y: mpmath.log(1 + mpmath.exp(x)) - x * y,
    "focal_loss:gamma=3/2,alpha=1/4": focal,
    "kl_divergence": lambda p, y: entropy(y) - y * p,
    "kl_divergence:log_target=true": lambda p, y: mpmath.exp(y) * (y - p),
}


@pytest.mark.parametrize("spec", FORMULAS)
def test_values_agree_with_mpmath(spec: str) -> None:
    definition = parse(spec)
    term = definition.term({}, {})
    random = np.random.default_rng(11)
    prediction, label = random.normal(size=8), np.array([0.0, 1.0, 0.5, 0.25, 0.75, 1.0, 0.0, 0.125])
    points = [abs(prediction) if "log_input=false" in spec else prediction, label]
    points += [random.uniform(0.25, 4, 8)] if "variance" in definition.entry.arrays else []
    with working_precision(250), mpmath.workprec(250):
        y = definition.outputs(term, dict(zip(definition.entry.arrays, map(ball, points), strict=True)))
        expected = [FORMULAS[spec](*map(mpmath.mpf, row)) for row in zip(*points, strict=True)]
        for got, want in zip(y["loss"].midpoint().tolist(), expected, strict=True):
            assert abs(mpmath.mpf(got.numerator) / got.denominator - want) <= mpmath.mpf(2) ** -200 * (1 + abs(want))


def test_rows_agree_with_mpmath() -> None:
    x = np.random.default_rng(12).normal(size=5)
    label = np.array([0.5, 0.0, 0.25, 0.125, 2.0])
    with working_precision(250), mpmath.workprec(250):
        total = mpmath.log(mpmath.fsum(map(mpmath.exp, x)))
        for spec, arrays, expected in (
            ("logsumexp", {"x": ball(x)}, [total]),
            ("log_softmax", {"x": ball(x)}, [mpmath.mpf(each) - total for each in x]),
            (
                "softmax_cross_entropy",
                {"prediction": ball(x), "label": ball(label)},
                [mpmath.fsum(mpmath.mpf(y) * (total - mpmath.mpf(each)) for each, y in zip(x, label, strict=True))],
            ),
            (
                "softmax_cross_entropy_integer",
                {"prediction": ball(x), "label": np.array(3)},
                [total - mpmath.mpf(x[3])],
            ),
        ):
            definition = parse(spec)
            y = definition.outputs(definition.term({}, {}), arrays)[definition.output].midpoint().reshape((-1,))
            for got, want in zip(y.tolist(), expected, strict=True):
                assert abs(mpmath.mpf(got.numerator) / got.denominator - want) <= mpmath.mpf(2) ** -200, spec
