"""What the elementwise functions mean, exactly: meanings, closed forms as printed, special values, laws."""

from lenticulum.spec.elementwise import activation_forms as activation_forms
from lenticulum.spec.elementwise import activation_special as activation_special
from lenticulum.spec.elementwise.activations import (
    celu,
    elu,
    gelu,
    hard_sigmoid,
    hard_silu,
    hard_tanh,
    leaky_relu,
    log_sigmoid,
    mish,
    relu,
    relu6,
    selu,
    silu,
    soft_sign,
    softplus,
    sparse_plus,
    squareplus,
)
from lenticulum.spec.elementwise.entropy import entr, xlog1py, xlogy
from lenticulum.spec.elementwise.error import erf, erfc, erfinv
from lenticulum.spec.elementwise.exponential import exp, exp2, expm1
from lenticulum.spec.elementwise.gamma import digamma, lgamma
from lenticulum.spec.elementwise.hyperbolic import acosh, asinh, atanh, cosh, sinh, tanh
from lenticulum.spec.elementwise.logarithm import log, log1p, log2, log10
from lenticulum.spec.elementwise.logistic import logaddexp, logaddexp2, logit, sigmoid
from lenticulum.spec.elementwise.root import cbrt, pow, rsqrt, sqrt
from lenticulum.spec.elementwise.special import Expected, answers, expected, in_domain, special, special_points
from lenticulum.spec.elementwise.textbook import evaluation_of, forms_of, layer_forms_of, textbook
from lenticulum.spec.elementwise.trigonometric import acos, asin, atan, atan2, cos, hypot, sin, sinc, tan

__all__ = [
    "Expected",
    "acos",
    "acosh",
    "answers",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "celu",
    "cos",
    "cosh",
    "digamma",
    "elu",
    "entr",
    "erf",
    "erfc",
    "erfinv",
    "evaluation_of",
    "exp",
    "exp2",
    "expected",
    "expm1",
    "forms_of",
    "layer_forms_of",
    "gelu",
    "hard_sigmoid",
    "hard_silu",
    "hard_tanh",
    "hypot",
    "in_domain",
    "leaky_relu",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_sigmoid",
    "logaddexp",
    "logaddexp2",
    "logit",
    "mish",
    "pow",
    "relu",
    "relu6",
    "rsqrt",
    "selu",
    "sigmoid",
    "silu",
    "sin",
    "sinc",
    "sinh",
    "soft_sign",
    "softplus",
    "sparse_plus",
    "special",
    "special_points",
    "sqrt",
    "squareplus",
    "tan",
    "tanh",
    "textbook",
    "xlog1py",
    "xlogy",
]
