"""The activations, in the form that is evaluated.

It cancels in no tail and has no threshold but the pieces of the definition, so that enclosures of the value and of the
derivative stay narrow. The closed forms that the sources print are in `activation_forms`.
"""

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import (
    ExactArray,
    absolute,
    asinh,
    exp,
    expm1,
    maximum,
    minimum,
    normal_cdf,
    pi,
    sigmoid,
    sqrt,
    tanh,
    where,
    zeros_like,
)
from lenticulum.numbers import softplus as exact_softplus
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree

HALF = Fraction(1, 2)

#: The coefficient of x³ in the tanh approximation of gelu.
CUBIC = Fraction("0.044715")

#: How far the derivative at a kink lies on the way from its first convention to its last.
WEIGHTS = {
    **{"zero": Fraction(0), "half": HALF, "one": Fraction(1)},
    **{"left": Fraction(0), "right": Fraction(1)},
    **{"outside": Fraction(0), "inside": Fraction(1)},
}


def with_slope(y: ExactArray, x: ExactArray, point: Fraction | int, slope: Fraction) -> ExactArray:
    """Return y, with `slope` added to its derivative where x = point, and the same value.

    The derivatives of `maximum` and `minimum` at an exact tie are 0, so that x - max(x, 0) - min(x, 0), which is 0
    everywhere, has the derivative 1 at 0 and 0 elsewhere.
    """
    if slope == 0:
        return y
    if point == 0:
        return y + slope * (x - maximum(x, 0) - minimum(x, 0))
    nothing = zeros_like(x)
    return y + slope * where(x < point, nothing, where(x > point, nothing, x - point))


def clip(x: ExactArray, low: Fraction | int, high: Fraction | int, inside: Fraction) -> ExactArray:
    """Return min(max(x, low), high), whose derivative at low and high is `inside`."""
    y = minimum(maximum(x, low), high)
    return with_slope(with_slope(y, x, low, inside), x, high, inside)


def rectified(x: ExactArray, negative: ExactArray, left: Fraction, right: Fraction, at_kink: str) -> ExactArray:
    """Return max(x, 0) + negative, where `negative` is a function of min(x, 0) whose slope at 0 is `left`."""
    return with_slope(maximum(x, 0) + negative, x, 0, left + WEIGHTS[at_kink] * (right - left))


def cubic(x: ExactArray) -> ExactArray:
    """Return sqrt(2/pi) (x + 0.044715 x³)."""
    return sqrt(2 / pi(x)) * (x + CUBIC * x**3)


@meaning(terms.Relu)
def relu(parameters: Tree, x: ExactArray, *, at_kink: str) -> ExactArray:
    """Return max(x, 0). Derivative 0 below 0, 1 above, at 0 by convention. Determined by x. Pure; no state."""
    return with_slope(maximum(x, 0), x, 0, WEIGHTS[at_kink])


@meaning(terms.Relu6)
def relu6(parameters: Tree, x: ExactArray, *, at_kink: str) -> ExactArray:
    """Return min(max(x, 0), 6). Derivative 1 between, 0 outside, at 0 and 6 by convention. Determined by x. Pure."""
    return clip(x, 0, 6, WEIGHTS[at_kink])


@meaning(terms.LeakyRelu)
def leaky_relu(parameters: Tree, x: ExactArray, *, negative_slope: Fraction, at_kink: str) -> ExactArray:
    """Return x above 0, negative_slope x below; derivative at 0 by convention. Determined by x and the slope. Pure."""
    return rectified(x, negative_slope * minimum(x, 0), negative_slope, Fraction(1), at_kink)


@meaning(terms.Elu)
def elu(parameters: Tree, x: ExactArray, *, alpha: Fraction, at_kink: str) -> ExactArray:
    """Return x above 0, alpha expm1 x below; derivative alpha e^x below, at 0 by convention.

    Determined by x and alpha. Pure; no state.
    """
    return rectified(x, alpha * expm1(minimum(x, 0)), alpha, Fraction(1), at_kink)


@meaning(terms.Selu)
def selu(parameters: Tree, x: ExactArray, *, scale: Fraction, alpha: Fraction, at_kink: str) -> ExactArray:
    """Return scale elu(x, alpha); derivative at 0 by convention. Determined by x and the constants. Pure; no state."""
    return scale * elu(parameters, x, alpha=alpha, at_kink=at_kink)


@meaning(terms.Celu)
def celu(parameters: Tree, x: ExactArray, *, alpha: Fraction) -> ExactArray:
    """Return x above 0, alpha expm1(x / alpha) below; derivative e^(x/alpha) below, 1 at 0 and above.

    Determined by x and alpha. Pure; no state.
    """
    return rectified(x, alpha * expm1(minimum(x, 0) / alpha), Fraction(1), Fraction(1), "right")


@meaning(terms.Gelu)
def gelu(parameters: Tree, x: ExactArray, *, approximate: str) -> ExactArray:
    """Return x Phi(x), or x sigmoid(2 z) with z = sqrt(2/pi) (x + 0.044715 x³). Determined by x. Pure; no state.

    (1 + tanh z) / 2 = sigmoid(2 z), which does not cancel where z is negative.
    """
    if approximate == "none":
        return x * normal_cdf(x)
    return x * sigmoid(2 * cubic(x))


@meaning(terms.Silu)
def silu(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x sigmoid(x). Determined by x. Pure; no state."""
    return x * sigmoid(x)


@meaning(terms.Mish)
def mish(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x tanh(softplus(x)). Determined by x. Pure; no state."""
    return x * tanh(exact_softplus(x))


@meaning(terms.Softplus)
def softplus(parameters: Tree, x: ExactArray, *, beta: Fraction) -> ExactArray:
    """Return log(1 + exp(beta x)) / beta, for every x. Derivative sigmoid(beta x). Determined by x and beta. Pure."""
    return exact_softplus(beta * x) / beta


@meaning(terms.LogSigmoid)
def log_sigmoid(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log sigmoid(x) = -softplus(-x). Derivative sigmoid(-x). Determined by x. Pure; no state."""
    return -exact_softplus(-x)


@meaning(terms.HardSigmoid)
def hard_sigmoid(parameters: Tree, x: ExactArray, *, slope: Fraction, at_kink: str) -> ExactArray:
    """Return slope clip(x + 1/(2 slope), 0, 1/slope); at the two ends the derivative is a convention.

    The sum is taken before the multiplication, so that it cancels without a rounding. Determined by x and slope. Pure.
    """
    return slope * clip(x + HALF / slope, 0, 1 / slope, WEIGHTS[at_kink])


@meaning(terms.HardSilu)
def hard_silu(parameters: Tree, x: ExactArray, *, at_kink: str) -> ExactArray:
    """Return x relu6(x + 3) / 6; the derivative at ±3 is a convention. Determined by x. Pure; no state."""
    return x * clip(x + 3, 0, 6, WEIGHTS[at_kink]) / 6


@meaning(terms.HardTanh)
def hard_tanh(parameters: Tree, x: ExactArray, *, low: Fraction, high: Fraction, at_kink: str) -> ExactArray:
    """Return min(max(x, low), high); the derivative at the ends is a convention. Determined by x and the ends. Pure."""
    return clip(x, low, high, WEIGHTS[at_kink])


@meaning(terms.SoftSign)
def soft_sign(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x / (1 + |x|). Derivative 1 / (1 + |x|)². Determined by x. Pure; no state."""
    return x / (1 + absolute(x))


@meaning(terms.Squareplus)
def squareplus(parameters: Tree, x: ExactArray, *, b: Fraction) -> ExactArray:
    """Return sqrt(b)/2 exp(asinh(x / sqrt b)) = (x + sqrt(x² + b)) / 2. Determined by x and b. Pure; no state.

    exp(asinh t) = t + sqrt(t² + 1), which does not cancel where t is negative.
    """
    root = sqrt(x.lift(b))
    return root / 2 * exp(asinh(x / root))


@meaning(terms.SparsePlus)
def sparse_plus(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 0 up to -1, (x + 1)² / 4 between, x from 1 on. Derivative 0, (x + 1) / 2, 1. Determined by x. Pure."""
    low, high, nothing = x <= -1, x >= 1, zeros_like(x)
    between = where(low, nothing, where(high, nothing, x))
    return where(low, nothing, where(high, x, (between + 1) ** 2 / 4))
