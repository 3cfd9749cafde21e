"""The activations at ±0, ±inf and NaN: limits of the definition, and the sign of a zero where the definition gives it.

A value that is 0 on a whole side, as of relu below 0, has no sign: there a zero of either sign is right.
"""

from fractions import Fraction
from math import isqrt

import numpy as np

from lenticulum import terms
from lenticulum.numbers import FLOAT8_E4M3FN, FLOAT8_E5M2, ball, representable
from lenticulum.spec.elementwise.special import Array, Booleans, Expected, Rules, special

#: A zero of either sign.
ZERO = Expected(limit=lambda: ball(0))


def number(value: Fraction) -> Expected:
    """Return what is due where the value is this number: the number, if every format has it."""
    if representable(value, FLOAT8_E5M2) and representable(value, FLOAT8_E4M3FN):
        return Expected(float(value))
    return Expected(limit=lambda: ball(value))


def negative_zero(x: Array) -> Booleans:
    """Return where x is -0."""
    return (x == 0) & np.signbit(x)


@special(terms.Relu)
def relu_special(x: Array) -> Rules:
    """0 up to 0: at -0 IEEE 754-2019 maximum gives +0, C23 fmax either zero."""
    return [(negative_zero(x) | (x == -np.inf), ZERO), (x == 0, 0.0), (x == np.inf, np.inf)]


@special(terms.Relu6)
def relu6_special(x: Array) -> Rules:
    """0 up to 0, 6 at inf."""
    return [(negative_zero(x) | (x == -np.inf), ZERO), (x == 0, 0.0), (x == np.inf, 6.0)]


@special(terms.LeakyRelu)
def leaky_relu_special(x: Array, *, negative_slope: Fraction) -> Rules:
    """±0 at ±0 and -inf at -inf for a positive slope; for the slope 0 as relu; for a negative one inf at -inf."""
    if negative_slope > 0:
        return [(x == 0, x), (np.isinf(x), x)]
    at_negative = ZERO if negative_slope == 0 else np.inf
    return [(negative_zero(x), ZERO), (x == 0, 0.0), (x == -np.inf, at_negative), (x == np.inf, np.inf)]


@special(terms.Elu)
def elu_special(x: Array, *, alpha: Fraction) -> Rules:
    """±0 at ±0, -alpha at -inf."""
    return [(x == 0, x), (x == -np.inf, number(-alpha)), (x == np.inf, np.inf)]


@special(terms.Selu)
def selu_special(x: Array, *, scale: Fraction, alpha: Fraction) -> Rules:
    """±0 at ±0, -scale alpha at -inf."""
    return [(x == 0, x), (x == -np.inf, number(-scale * alpha)), (x == np.inf, np.inf)]


@special(terms.Celu)
def celu_special(x: Array, *, alpha: Fraction) -> Rules:
    """±0 at ±0, -alpha at -inf."""
    return [(x == 0, x), (x == -np.inf, number(-alpha)), (x == np.inf, np.inf)]


@special(terms.Gelu)
@special(terms.Silu)
@special(terms.Mish)
def gated_special(x: Array) -> Rules:
    """±0 at ±0; x times a positive number that tends to 0 faster: -0 at -inf; inf at inf."""
    return [(x == 0, x), (x == -np.inf, -0.0), (x == np.inf, np.inf)]


@special(terms.Softplus)
def softplus_special(x: Array, *, beta: Fraction) -> Rules:
    """log(2) / beta at ±0, +0 at -inf: the value is positive."""
    at_zero = Expected(limit=lambda: ball(2).log() / beta)
    return [(x == 0, at_zero), (x == -np.inf, 0.0), (x == np.inf, np.inf)]


@special(terms.LogSigmoid)
def log_sigmoid_special(x: Array) -> Rules:
    """-log 2 at ±0, -inf at -inf; at inf 0: -softplus(-x) tends to -0, log(sigmoid(x)) to log 1 = +0."""
    at_zero = Expected(limit=lambda: -ball(2).log())
    return [(x == 0, at_zero), (x == -np.inf, -np.inf), (x == np.inf, ZERO)]


@special(terms.HardSigmoid)
def hard_sigmoid_special(x: Array) -> Rules:
    """1/2 at ±0, 0 at -inf, 1 at inf."""
    return [(x == 0, 0.5), (x == -np.inf, ZERO), (x == np.inf, 1.0)]


@special(terms.HardSilu)
def hard_silu_special(x: Array) -> Rules:
    """±0 at ±0, 0 at -inf, inf at inf."""
    return [(x == 0, x), (x == -np.inf, ZERO), (x == np.inf, np.inf)]


@special(terms.HardTanh)
def hard_tanh_special(x: Array, *, low: Fraction, high: Fraction) -> Rules:
    """±0 at ±0 if 0 lies inside; the ends at ±inf, a zero among them of either sign."""
    at_low, at_high = (ZERO if end == 0 else number(end) for end in (low, high))
    ends = [(x == -np.inf, at_low), (x == np.inf, at_high)]
    if low < 0 < high:
        return [(x == 0, x), *ends]
    return [(x == 0, at_low if low >= 0 else at_high), *ends]


@special(terms.SoftSign)
def soft_sign_special(x: Array) -> Rules:
    """±0 at ±0, ±1 at ±inf."""
    return [(x == 0, x), (np.isinf(x), np.sign(x))]


@special(terms.Squareplus)
def squareplus_special(x: Array, *, b: Fraction) -> Rules:
    """sqrt(b) / 2 at ±0, +0 at -inf: the value is positive."""
    root = Fraction(isqrt(b.numerator), isqrt(b.denominator))
    at_zero = number(root / 2) if root * root == b else Expected(limit=lambda: ball(b).sqrt() / 2)
    return [(x == 0, at_zero), (x == -np.inf, 0.0), (x == np.inf, np.inf)]


@special(terms.SparsePlus)
def sparse_plus_special(x: Array) -> Rules:
    """1/4 at ±0, 0 at -inf, inf at inf."""
    return [(x == 0, 0.25), (x == -np.inf, ZERO), (x == np.inf, np.inf)]
