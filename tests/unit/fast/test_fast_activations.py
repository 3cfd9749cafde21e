"""The activations in JAX against the exact ones: values, derivatives, kinks, infinities, 16-bit formats."""

import math
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from activation_measures import dense, fast_of, judged, slope_errors, slopes, strata, term_of

from lenticulum.catalog import lookup, names
from lenticulum.numbers import FORMATS
from lenticulum.spec.elementwise.activation_derivatives import derivative_at, kinks

NAMES = [name for name in names() if lookup(name).term.__module__ == "lenticulum.terms.activations"]
SPECS = [
    *NAMES,
    "leaky_relu:negative_slope=0.2",
    "leaky_relu:negative_slope=0",
    "elu:alpha=2/3",
    "celu:alpha=3/2",
    "gelu:approximate=tanh",
    "softplus:beta=3",
    "softplus:beta=1/7",
    "hard_sigmoid:slope=1/5",
    "hard_tanh:low=-2,high=3",
    "squareplus:b=1/9",
]

#: A straightforward derivative has the roundings of a value, and those of its factors once more.
SLOPE_LIMIT = 8


# Every binade, and six times as many numbers where something happens: `make test-all`.
@pytest.mark.parametrize(("every", "count"), [(7, 50), pytest.param(1, 300, marks=pytest.mark.long)])
@pytest.mark.parametrize("spec", SPECS)
def test_values_in_binary32_conform(spec, every, count):
    x = np.concatenate([strata(every), dense(count)])
    finding, tally = judged(spec, fast_of(spec), x)
    assert finding is None
    assert tally.undecided == 0
    assert tally.strata["regular"] > x.size / 2
    # Nothing but flushed factors, in the last binades of a tail, needs the excuse of the running bound.
    assert set(tally.carried) <= {"K", "running bound", "overflow", "flushed"}
    assert tally.carried["running bound"] < x.size / 100


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("spec", SPECS)
def test_values_in_16_bits_conform(spec, dtype):
    sixteen_bits(spec, dtype, step=499)


@pytest.mark.long
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("spec", SPECS)
def test_all_values_in_16_bits_conform(spec, dtype):
    sixteen_bits(spec, dtype, step=1)


def sixteen_bits(spec, dtype, step):
    bits, infinity = np.arange(0, 2**16, step, dtype=np.uint16), 0x7C00 if dtype == "float16" else 0x7F80
    # Infinities, and one NaN for all: NumPy warns of an invalid operation where it converts a signalling one.
    bits = np.append(bits[bits & 0x7FFF < infinity], np.uint16([infinity, infinity | 0x8000, 0x7FFF]))
    x = bits.view(jnp.dtype(dtype))
    finding, tally = judged(spec, fast_of(spec), x)
    assert finding is None
    assert tally.undecided == 0


@pytest.mark.parametrize(("every", "count"), [(7, 50), pytest.param(1, 300, marks=pytest.mark.long)])
@pytest.mark.parametrize("spec", SPECS)
def test_derivatives_in_binary32_are_right_everywhere(spec, every, count):
    x = np.concatenate([strata(every), dense(count)])
    x = x[np.isfinite(x) & ((x == 0) | (np.abs(x) >= float(FORMATS["float32"].smallest_normal)))]
    errors = slope_errors(spec, x, slopes(fast_of(spec), x))
    worst = int(np.argmax(errors))
    assert errors[worst] <= SLOPE_LIMIT, f"at {x[worst]!r}"


KINKED = [name for name in NAMES if "at_kink" in lookup(name).conventions]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", KINKED)
def test_derivatives_at_kinks_follow_the_convention(name, dtype):
    for convention in lookup(name).conventions["at_kink"]:
        spec = f"{name}:at_kink={convention}"
        for kink in kinks(term_of(spec)):
            x = np.array([float(kink.point), -0.0 if kink.point == 0 else float(kink.point)], jnp.dtype(dtype))
            due = np.array(float(derivative_at(kink, convention))).astype(x.dtype)
            assert slopes(fast_of(spec), x).tolist() == [due, due], (convention, kink)
            y, y_first = (fast_of(s)(jnp.asarray(x)).tolist() for s in (spec, name))
            assert y == y_first, "the value does not depend on the convention"


#: The limits of the derivatives at -inf and inf, by hand.
ENDS = {
    **dict.fromkeys(("relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus"), (0, 1)),
    **dict.fromkeys(("hard_silu", "squareplus", "sparse_plus", "gelu:approximate=tanh"), (0, 1)),
    **dict.fromkeys(("relu6", "hard_sigmoid", "hard_tanh", "soft_sign"), (0, 0)),
    "log_sigmoid": (1, 0),
    "leaky_relu": (0.01, 1),
    "selu": (0, 1.0507009873554805),
}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("spec", ENDS)
def test_derivatives_at_infinities_are_limits(spec, dtype):
    x = np.array([-np.inf, np.inf], jnp.dtype(dtype))
    assert slopes(fast_of(spec), x).tolist() == np.array(ENDS[spec]).astype(x.dtype).tolist()


def test_the_limits_name_every_activation():
    assert {spec.partition(":")[0] for spec in ENDS} == set(NAMES)


#: The second derivatives at 0, by hand: 2 phi(0) for gelu, 1/2 = 2 sigmoid'(0) for silu, 2 (1 - 9/25) / 2 for mish.
SECOND = {
    "gelu": math.sqrt(2 / math.pi),
    "gelu:approximate=tanh": math.sqrt(2 / math.pi),
    "silu": 0.5,
    "mish": 0.64,
    "softplus": 0.25,
    "softplus:beta=2": 0.5,
    "log_sigmoid": -0.25,
    "squareplus": 0.25,
    "sparse_plus": 0.5,
}


@pytest.mark.parametrize("spec", SECOND)
def test_second_derivatives_at_zero(spec):
    second = jax.grad(jax.grad(fast_of(spec)))(jnp.float32(0))
    # Two factors, each with the error allowed to a derivative.
    assert abs(float(second) - SECOND[spec]) <= 2 * SLOPE_LIMIT * 2**-24 * abs(SECOND[spec])


@pytest.mark.parametrize("spec", SPECS)
def test_nan_gives_nan(spec):
    assert math.isnan(float(fast_of(spec)(jnp.float32(np.nan))))


def naive_elu(x):
    return jnp.where(x > 0, x, jnp.exp(jnp.minimum(x, 0)) - 1)


MISTAKES = {
    "exp(x) - 1 cancels near 0": ("elu", naive_elu),
    "1 + erf cancels in the tail": ("gelu", lambda x: x / 2 * (1 + jax.lax.erf(x / math.sqrt(2)))),
    "the other gelu": ("gelu", fast_of("gelu:approximate=tanh")),
    "the third gelu": ("gelu:approximate=tanh", lambda x: x * jax.nn.sigmoid(1.702 * x)),
    "log of the sigmoid": ("log_sigmoid", lambda x: jnp.log(jax.nn.sigmoid(x))),
    "identity from 10 on": ("softplus", lambda x: jnp.where(x > 10, x, jnp.log1p(jnp.exp(x)))),
    "slope of another library": ("leaky_relu", fast_of("leaky_relu:negative_slope=0.2")),
    "alpha of another library": ("hard_sigmoid", fast_of("hard_sigmoid:slope=1/5")),
    "constant in six digits": ("selu", lambda x: 1.0507 * jax.nn.elu(x, 1.67326)),
    "product at infinity": ("hard_silu", lambda x: x * jax.nn.relu6(x + 3) / 6),
    "not quartered": ("sparse_plus", lambda x: jnp.where(jnp.abs(x) < 1, (x + 1) ** 2 / 2, jax.nn.sparse_plus(x))),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistaken_activation_is_rejected(mistake):
    spec, function = MISTAKES[mistake]
    finding, _ = judged(spec, function, np.append(dense(2), np.float32([-1e-3, 10.5, 3e38])))
    assert finding is not None


WRONG_SLOPES = {
    "expm1 + 1": ("elu", lambda x: jnp.where(x > 0, x, jnp.expm1(jnp.minimum(x, 0)))),
    "no derivative of the gate": ("silu", lambda x: x * jax.lax.stop_gradient(jax.nn.sigmoid(x))),
    "derivative of x >= 0": ("leaky_relu", jax.nn.leaky_relu),
}


@pytest.mark.parametrize("mistake", WRONG_SLOPES)
def test_a_mistaken_derivative_is_rejected(mistake):
    spec, function = WRONG_SLOPES[mistake]
    x = np.concatenate([np.zeros(1, np.float32), dense(150)])
    assert slope_errors(spec, x, slopes(function, x)).max() > 100 * SLOPE_LIMIT


def test_a_constant_that_the_format_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="alpha = 1e\\+60 rounds to inf in float32"):
        fast_of(f"elu:alpha={Fraction(10) ** 60}")(jnp.ones(1))
