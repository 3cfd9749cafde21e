"""The closed forms of the activations as the sources print them.

They are there for the running bound: a float computed step by step along one of them may differ by what its roundings
allow. The derivative at a kink is not part of them.
"""

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import (
    ExactArray,
    absolute,
    erfc,
    exp,
    expm1,
    log1p,
    maximum,
    minimum,
    normal_cdf,
    sigmoid,
    sqrt,
    tanh,
)
from lenticulum.spec.elementwise.activations import HALF, cubic
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.terms import Tree


def clip(x: ExactArray, low: Fraction | int, high: Fraction | int) -> ExactArray:
    """Return min(max(x, low), high)."""
    return minimum(maximum(x, low), high)


@textbook(terms.Relu)
def relu_by_maximum(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return max(x, 0)."""
    return maximum(x, 0)


@textbook(terms.Relu6)
def relu6_by_maximum(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return min(max(x, 0), 6)."""
    return clip(x, 0, 6)


@textbook(terms.LeakyRelu)
def leaky_relu_by_sum(parameters: Tree, x: ExactArray, *, negative_slope: Fraction) -> ExactArray:
    """Return max(x, 0) + negative_slope min(x, 0)."""
    return maximum(x, 0) + negative_slope * minimum(x, 0)


@textbook(terms.Elu)
def elu_by_sum(parameters: Tree, x: ExactArray, *, alpha: Fraction) -> ExactArray:
    """Return max(x, 0) + alpha expm1(min(x, 0))."""
    return maximum(x, 0) + alpha * expm1(minimum(x, 0))


@textbook(terms.Selu)
def selu_by_sum(parameters: Tree, x: ExactArray, *, scale: Fraction, alpha: Fraction) -> ExactArray:
    """Return scale (max(x, 0) + alpha expm1(min(x, 0)))."""
    return scale * elu_by_sum(parameters, x, alpha=alpha)


@textbook(terms.Celu)
def celu_by_sum(parameters: Tree, x: ExactArray, *, alpha: Fraction) -> ExactArray:
    """Return max(x, 0) + alpha expm1(min(x, 0) / alpha)."""
    return maximum(x, 0) + alpha * expm1(minimum(x, 0) / alpha)


@textbook(terms.HardTanh)
def hard_tanh_by_maximum(parameters: Tree, x: ExactArray, *, low: Fraction, high: Fraction) -> ExactArray:
    """Return min(max(x, low), high)."""
    return clip(x, low, high)


@textbook(terms.Gelu, approximate="none")
def gelu_by_distribution(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x Phi(x)."""
    return x * normal_cdf(x)


@textbook(terms.Gelu, approximate="none")
def gelu_by_complementary_error_function(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x/2 erfc(-x / sqrt 2)."""
    return x / 2 * erfc(-x * sqrt(x.lift(HALF)))


@textbook(terms.Gelu, approximate="tanh")
def gelu_by_tanh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x/2 (1 + tanh z)."""
    return x / 2 * (1 + tanh(cubic(x)))


@textbook(terms.Gelu, approximate="tanh")
def gelu_by_sigmoid(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x sigmoid(2 z)."""
    return x * sigmoid(2 * cubic(x))


@textbook(terms.Silu)
def silu_by_sigmoid(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x sigmoid(x)."""
    return x * sigmoid(x)


@textbook(terms.Silu)
def silu_by_exponential(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x / (1 + exp(-x))."""
    return x / (1 + exp(-x))


@textbook(terms.Mish)
def mish_by_logarithm(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x tanh(log(1 + exp x))."""
    return x * tanh(log1p(exp(x)))


@textbook(terms.Mish)
def mish_by_shifted_logarithm(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x tanh(max(x, 0) + log(1 + exp(-|x|)))."""
    return x * tanh(maximum(x, 0) + log1p(exp(-absolute(x))))


@textbook(terms.Softplus)
def softplus_by_logarithm(parameters: Tree, x: ExactArray, *, beta: Fraction) -> ExactArray:
    """Return log(1 + exp(beta x)) / beta, whose exponential overflows for large x."""
    return log1p(exp(beta * x)) / beta


@textbook(terms.Softplus)
def softplus_by_shifted_logarithm(parameters: Tree, x: ExactArray, *, beta: Fraction) -> ExactArray:
    """Return max(x, 0) + log(1 + exp(-beta |x|)) / beta, which does not overflow."""
    return maximum(x, 0) + log1p(exp(-(beta * absolute(x)))) / beta


@textbook(terms.LogSigmoid)
def log_sigmoid_by_logarithm(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return -log(1 + exp(-x)), whose exponential overflows for large negative x."""
    return -log1p(exp(-x))


@textbook(terms.LogSigmoid)
def log_sigmoid_by_shifted_logarithm(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return min(x, 0) - log(1 + exp(-|x|)), which does not overflow."""
    return minimum(x, 0) - log1p(exp(-absolute(x)))


@textbook(terms.HardSigmoid)
def hard_sigmoid_by_relu6(parameters: Tree, x: ExactArray, *, slope: Fraction) -> ExactArray:
    """Return clip(x + 1/(2 slope), 0, 1/slope) divided by 1/slope: relu6(x + 3) / 6."""
    return clip(x + HALF / slope, 0, 1 / slope) / (1 / slope)


@textbook(terms.HardSigmoid)
def hard_sigmoid_by_line(parameters: Tree, x: ExactArray, *, slope: Fraction) -> ExactArray:
    """Return clip(slope x + 1/2, 0, 1)."""
    return clip(slope * x + HALF, 0, 1)


@textbook(terms.HardSilu)
def hard_silu_by_product(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x relu6(x + 3) / 6, multiplied first."""
    return x * clip(x + 3, 0, 6) / 6


@textbook(terms.HardSilu)
def hard_silu_by_hard_sigmoid(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x hard_sigmoid(x), divided first."""
    return x * (clip(x + 3, 0, 6) / 6)


@textbook(terms.Squareplus)
def squareplus_by_root(parameters: Tree, x: ExactArray, *, b: Fraction) -> ExactArray:
    """Return (x + sqrt(x² + b)) / 2."""
    return (x + sqrt(x * x + b)) / 2
