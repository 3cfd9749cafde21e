"""The activations of `jax.nn` as subjects: what conforms, and every difference with its witness (binary32, CPU)."""

from functools import partial

import jax
import numpy as np
import pytest
from activation_measures import dense, judged, slope_errors, slopes, strata
from jax import nn
from test_fast_activations import SLOPE_LIMIT

EXACT_GELU = partial(nn.gelu, approximate=False)

#: Specification -> subject, the kind of finding with its witness or None, and the infinities that give NaN.
VALUES = {
    "relu": (nn.relu, None, 0),
    "relu6": (nn.relu6, None, 0),
    "leaky_relu": (nn.leaky_relu, None, 0),
    "elu": (nn.elu, None, 0),
    "selu": (nn.selu, None, 0),
    # max(-0, 0) + expm1(-0) = 0 - 0.
    "celu": (nn.celu, ("special-value", -0.0), 0),
    "gelu": (EXACT_GELU, None, 1),
    "gelu:approximate=tanh": (nn.gelu, None, 1),
    "silu": (nn.silu, None, 1),
    "mish": (nn.mish, None, 1),
    "softplus": (nn.softplus, None, 0),
    "log_sigmoid": (nn.log_sigmoid, None, 0),
    "hard_sigmoid": (nn.hard_sigmoid, None, 0),
    "hard_silu": (nn.hard_silu, None, 1),
    "hard_tanh": (nn.hard_tanh, None, 0),
    "soft_sign": (nn.soft_sign, None, 2),
    # x + sqrt(x²) = 0 where x² neither overflows nor leaves room for its running bound.
    "squareplus": (nn.squareplus, ("formula", -(2.0**64) * (1 - 2**-24)), 1),
    "sparse_plus": (nn.sparse_plus, None, 0),
}


@pytest.mark.parametrize("spec", VALUES)
def test_values_of_jax(spec):
    function, difference, undefined = VALUES[spec]
    witness = [] if difference is None else [difference[1]]
    x = np.concatenate([strata(16), dense(12)])
    x = np.concatenate([x[x != 0], np.zeros(1, np.float32), np.array(witness, np.float32)])
    finding, tally = judged(spec, function, x)
    assert tally.carried["undefined at infinity"] == undefined
    if difference is None:
        assert finding is None
    else:
        assert (finding.kind, x[finding.position]) == difference


#: The largest number of binary32 below 3, and a large number beside a power of two.
BELOW_3, LARGE = 3 * (1 - 2**-24), 2.0**63 * (1 + 2**-23)

#: Specification -> subject, and an input at which its derivative is wrong, with what it is there.
# From jax 0.12 on the slope of elu is exp(x), without the detour over expm1; that of squareplus has become NaN.
NEWER = tuple(map(int, jax.__version__.split(".")[:2])) >= (0, 12)

SLOPES = {
    "leaky_relu:at_kink=right": (nn.leaky_relu, None),
    "leaky_relu:at_kink=left": (nn.leaky_relu, (0.0, 1.0)),
    "hard_tanh:at_kink=inside": (nn.hard_tanh, None),
    "hard_tanh:at_kink=outside": (nn.hard_tanh, (1.0, 1.0)),
    "relu": (nn.relu, None),
    "relu6": (nn.relu6, None),
    # x + 3 rounds to 6, the kink.
    "hard_sigmoid": (nn.hard_sigmoid, (BELOW_3, 0.0)),
    "hard_silu": (nn.hard_silu, (BELOW_3, 1.0)),
    "gelu": (EXACT_GELU, None),
    # expm1(x) + 1 is a multiple of 2^-24 there.
    "elu": (nn.elu, None if NEWER else (-17.384651, 0.0)),
    "selu": (nn.selu, None if NEWER else (-17.384651, 0.0)),
    "celu": (nn.celu, None if NEWER else (-17.384651, 0.0)),
    # x³ overflows: 0 inf. x² does: the slope of the root is lost.
    "gelu:approximate=tanh": (nn.gelu, (2.0**64, np.nan)),
    "squareplus": (nn.squareplus, (3e38, np.nan if NEWER else 0.5)),
    "sparse_plus": (nn.sparse_plus, None),
    # 1/(1 + x) - x/(1 + x)² cancels.
    "soft_sign": (nn.soft_sign, (LARGE, 2.0**-63 * (1 - 2**-23))),
}


@pytest.mark.parametrize("spec", SLOPES)
def test_derivatives_of_jax(spec):
    function, difference = SLOPES[spec]
    if difference is None:
        x = np.append(dense(40), np.float32(0))
        assert slope_errors(spec, x, slopes(function, x)).max() <= SLOPE_LIMIT
        return
    x, returned = (np.array([number], np.float32) for number in difference)
    got = slopes(function, x)
    assert np.array_equal(got, returned, equal_nan=True)
    assert slope_errors(spec, x, got)[0] > 100 * SLOPE_LIMIT


@pytest.mark.parametrize("spec", ["gelu:approximate=tanh", "silu", "mish", "soft_sign", "squareplus", "sparse_plus"])
def test_derivatives_of_jax_that_are_nan_at_infinity(spec):
    # The limits are 1, and 0 of soft_sign.
    assert np.isnan(slopes(VALUES[spec][0], np.array([np.inf], np.float32))).all()


@pytest.mark.parametrize("spec", ["silu", "mish"])
def test_gated_derivatives_of_jax_lose_the_digits_of_the_gate(spec):
    # x s (1 - s) and x (1 - t²) with s and t rounded: an error of about |x| u, up to where the gate is 1.
    function, x = VALUES[spec][0], dense(40)
    assert SLOPE_LIMIT < slope_errors(spec, x, slopes(function, x)).max() < 2 * 17


def test_every_activation_of_jax_is_a_subject():
    others = {"identity", "sigmoid", "sparse_sigmoid", "glu", "softmax", "log_softmax", "logsumexp", "logmeanexp"}
    others |= {"standardize", "one_hot", "dot_product_attention", "scaled_matmul", "scaled_dot_general"}
    others |= {"get_scaled_dot_general_config", "initializers", "log1mexp", "tanh", "soft_cap", "swish", "hard_swish"}
    public = {name for name in vars(jax.nn) if not name.startswith("_")}
    assert public - others == {spec.partition(":")[0] for spec in VALUES}
