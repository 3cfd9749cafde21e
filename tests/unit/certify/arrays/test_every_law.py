"""Every law of every definition holds of its fast meaning and of anything inside the bounds, and rejects a mistake."""

from collections.abc import Callable

import jax
import numpy as np
import pytest
from bounds_for_laws import bound_of, drawn, fast_kernel, said

from lenticulum.certify.arrays.axes_of import AXES
from lenticulum.certify.arrays.invariance import Bound, Call, Inputs
from lenticulum.certify.arrays.invariances_of import LAWS, invariances
from lenticulum.check.definition import parse
from lenticulum.check.finding import float_roles

#: Definitions by name, each with the conventions and without the optional arrays that make all of its laws applicable.
SPECS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "softmax": (("softmax", ()),),
    "dense": (("dense", ()),),
    "layer_norm": (("layer_norm", ()), ("layer_norm", ("weight", "bias"))),
    "squared_loss": (("squared_loss", ()),),
    "cross_entropy": (("cross_entropy", ()),),
    "logsumexp": (("logsumexp:axis=0", ()), ("logsumexp:axis=[0,-1],keepdims=true", ())),
    "log_softmax": (("log_softmax", ()), ("log_softmax:axis=0", ())),
    "standardize": (("standardize", ()), ("standardize:axis=[0,1],epsilon=1/8", ())),
    "glu": (("glu:axis=0", ()),),
    "absolute_loss": (("absolute_loss", ()), ("absolute_loss:reduction=mean", ())),
    "huber_loss": (("huber_loss", ()), ("huber_loss:reduction=sum", ())),
    "smooth_l1_loss": (("smooth_l1_loss", ()), ("smooth_l1_loss:reduction=mean", ())),
    "log_cosh_loss": (("log_cosh_loss", ()), ("log_cosh_loss:reduction=sum", ())),
    "hinge_loss": (("hinge_loss", ()), ("hinge_loss:reduction=mean", ())),
    "poisson_nll": (("poisson_nll", ()), ("poisson_nll:log_input=false,epsilon=1/8,reduction=sum", ())),
    "gaussian_nll": (("gaussian_nll:epsilon=1/8", ()), ("gaussian_nll:epsilon=1/8,full=true,reduction=mean", ())),
    "cosine_similarity": (
        ("cosine_similarity:epsilon=1/1024", ()),
        ("cosine_similarity:epsilon=1/1024,epsilon_at=square,axis=0", ()),
    ),
    "softmax_cross_entropy": (
        ("softmax_cross_entropy:label_smoothing=1/8", ()),
        ("softmax_cross_entropy:axis=0,reduction=mean", ()),
    ),
    "softmax_cross_entropy_integer": (
        ("softmax_cross_entropy_integer:axis=0", ()),
        ("softmax_cross_entropy_integer:ignore_index=-100,reduction=sum", ()),
        ("softmax_cross_entropy_integer:ignore_index=-1,reduction=weighted_mean,label_smoothing=1/8", ()),
    ),
    "sigmoid_cross_entropy": (("sigmoid_cross_entropy", ()), ("sigmoid_cross_entropy:reduction=mean", ())),
    "focal_loss": (("focal_loss", ()), ("focal_loss:alpha=1/4,reduction=sum", ())),
    "kl_divergence": (("kl_divergence", ()), ("kl_divergence:log_target=true,reduction=row", ())),
    "sum": (("sum:axis=-1", ()), ("sum", ())),
    "mean": (("mean:axis=[0,-1],keepdims=true", ()),),
    "product": (("product:axis=0", ()),),
    "variance": (("variance:axis=0,estimate=sample", ()),),
    "cumsum": (("cumsum:axis=0", ()), ("cumsum", ())),
    "norm": (("norm:axis=-1", ()), ("norm:order=1,axis=0", ()), ("norm:order=infinity", ())),
    "dot": (("dot", ()),),
    "matmul": (("matmul", ()),),
    "einsum": (('einsum:equation="bij,bjk,ck->bic"', ()), ('einsum:equation="ii->i"', ())),
    "rms_norm": (("rms_norm", ()), ("rms_norm:axes=2", ("weight", "bias"))),
    "group_norm": (("group_norm", ()), ("group_norm:groups=3", ("weight", "bias"))),
    "instance_norm": (("instance_norm", ()), ("instance_norm", ("weight", "bias"))),
    "l2_normalize": (
        ("l2_normalize:epsilon=1/1024", ()),
        ("l2_normalize:epsilon=1/1024,axis=0,epsilon_at=maximum_square", ()),
    ),
    "convolution": (
        ("convolution:padding=[[1,0],[0,2]],dilation=[1,2]", ()),
        ("convolution:groups=2,stride=[2,1]", ("bias",)),
    ),
    "transposed_convolution": (
        ("transposed_convolution:stride=[2,1]", ()),
        ("transposed_convolution:kernel=direct,stride=[2,1]", ()),
    ),
    "max_pool": (("max_pool:padding=1", ()),),
    "average_pool": (("average_pool:padding=1,divisor=inside", ()), ("average_pool", ())),
    "adaptive_average_pool": (("adaptive_average_pool:bins=split", ()), ("adaptive_average_pool", ())),
    "embedding": (("embedding", ()),),
    "rotary_positions": (("rotary_positions", ()), ("rotary_positions:layout=half", ())),
    "sinusoidal_positions": (("sinusoidal_positions", ()), ("sinusoidal_positions:layout=half", ())),
    "attention": (
        ("attention", ()),
        ("attention:causal=start,heads=last", ()),
        ("attention:blocked=uniform,heads=last", ()),
    ),
}

#: Of a fast meaning that conforms by K and not by its bound: log sum exp x - x_i cancels where x is shifted far.
OUTSIDE_THE_BOUND = {"cross_entropy": {"shift"}}

EACH = [spec for several in SPECS.values() for spec in several]


def _position(y: np.ndarray, inputs: Inputs) -> np.ndarray:
    return y + np.arange(y.size).reshape(y.shape) / 8


def _all(inputs: Inputs) -> float:
    return float(sum(np.tanh(inputs[role].astype(np.float64)).sum() for role in float_roles(inputs)))


def _first(inputs: Inputs) -> float:
    return float(inputs[float_roles(inputs)[0]].ravel()[0])


#: Mistakes in the value, each a function of the right value and of the inputs.
MISTAKES: dict[str, Callable[[np.ndarray, Inputs], np.ndarray]] = {
    "a term that depends on the position": _position,
    "the mean of the batch is subtracted": lambda y, inputs: y - y.mean(),
    "a constant is added": lambda y, inputs: y + 0.125,
    "a factor": lambda y, inputs: y * 1.125,
    "the wrong sign": lambda y, inputs: -y,
    "the sign is lost": lambda y, inputs: np.abs(y),
    "saturates": lambda y, inputs: np.tanh(y),
    "reads what is hidden": lambda y, inputs: y + _all(inputs),
    "adds the first entry": lambda y, inputs: y + _first(inputs),
}


def mistaken(kernel: Call, mistake: Callable[[np.ndarray, Inputs], np.ndarray]) -> Call:
    """Return a kernel that makes a mistake, in the same format."""

    def call(inputs: Inputs) -> np.ndarray:
        y = kernel(inputs)
        return mistake(y.astype(np.float64), inputs).astype(y.dtype)

    return call


def inside(bound: Bound, dtype: str, choose: Callable[[tuple[int, ...]], np.ndarray]) -> Call:
    """Return a kernel that answers with a number inside its bound: this part of the way from one end to the other."""

    def call(inputs: Inputs) -> np.ndarray:
        lo, hi = bound(inputs)
        part = choose(lo.shape)
        between = (lo * (1 - part) + hi * part).astype(dtype).astype(np.float64)
        return np.clip(between, lo, hi)

    return call


def test_every_definition_with_laws_has_labels_and_is_tried():
    assert LAWS.keys() == AXES.keys() == {parse(name).entry.term for name in SPECS}
    assert all({parse(spec).entry.name for spec, _ in several} == {name} for name, several in SPECS.items())


@pytest.mark.long
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(("spec", "absent"), EACH)
def test_the_fast_meaning_keeps_every_law(spec, absent, dtype):
    definition = parse(spec)
    held = [
        each
        for term, inputs in drawn(definition, dtype, 1, absent, most=2)
        for _, each in said(definition, term, fast_kernel(definition, term), inputs, 1)
    ]
    # Every operation was compiled for every shape.
    jax.clear_caches()
    assert held
    assert {each.law for each in held if each.violated or each.largest > 1} <= OUTSIDE_THE_BOUND.get(spec, set())


@pytest.mark.parametrize(("spec", "absent"), EACH)
def test_whatever_lies_inside_the_bounds_keeps_the_laws_that_allow_the_bounds(spec, absent):
    definition, rng = parse(spec), np.random.default_rng(2)
    for term, inputs in drawn(definition, "float32", 2, absent, most=2):
        bound = bound_of(definition, term, "float32")
        kernel = inside(bound, "float64", lambda shape: rng.choice([0.0, 1.0, 0.5], shape))
        for _, each in said(definition, term, kernel, inputs, 2):
            allows_nothing = each.law in ("masking", "range") and each.allowed == 0
            assert allows_nothing or not each.violated, each


@pytest.mark.parametrize("name", SPECS)
def test_every_law_rejects_a_mistake(name):
    left = {each.statement for spec, _ in SPECS[name] for each in invariances(parse(spec), parse(spec).entry.example)}
    for spec, absent in SPECS[name]:
        definition = parse(spec)
        for term, inputs in drawn(definition, "float32", 3, absent):
            kernel = inside(bound_of(definition, term, "float32"), "float32", lambda shape: np.full(shape, 0.5))
            for mistake in MISTAKES.values():
                if not left:
                    return
                found = said(definition, term, mistaken(kernel, mistake), inputs, 3)
                left -= {invariance.statement for invariance, held in found if held.violated}
    assert not left
