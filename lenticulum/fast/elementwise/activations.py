"""The activations in JAX. Formats narrower than binary32 are widened, so that each result is rounded once.

Derivatives at kinks follow the conventions of the term; at infinities value and derivative are the limits.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.elementwise import gates
from lenticulum.fast.elementwise.pieces import between_infinities, widened, with_slope
from lenticulum.fast.meaning import meaning
from lenticulum.terms import activations as terms
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.tree import Tree

Entries = Float[Array, "..."]

#: How far the derivative at a kink lies on the way from its first convention to its last.
WEIGHTS = {"zero": 0.0, "half": 0.5, "one": 1.0, "left": 0.0, "right": 1.0, "outside": 0.0, "inside": 1.0}


@meaning(terms.Relu)
def relu(parameters: Tree, x: Entries, *, at_kink: str) -> Entries:
    """Return the positive part of every entry.

    y = max(x, 0); the derivative at 0 is 0, 1/2 or 1.

    >>> relu(Tree(), jnp.array([-1.0, 0.0, 2.0]), at_kink="zero").tolist()
    [0.0, 0.0, 2.0]
    """
    y = jax.nn.relu(x)
    return y if at_kink == "zero" else with_slope(y, x, 0, WEIGHTS[at_kink])


@meaning(terms.Relu6)
def relu6(parameters: Tree, x: Entries, *, at_kink: str) -> Entries:
    """Return min(max(x, 0), 6).

    >>> relu6(Tree(), jnp.array([-1.0, 2.0, 7.0]), at_kink="zero").tolist()
    [0.0, 2.0, 6.0]
    """
    return _clipped(x, 0.0, 6.0, WEIGHTS[at_kink])


@meaning(terms.LeakyRelu)
def leaky_relu(parameters: Tree, x: Entries, *, negative_slope: Number, at_kink: str) -> Entries:
    """Return x above 0 and negative_slope x below.

    >>> leaky_relu(Tree(), jnp.array([-8.0, 2.0]), negative_slope="1/4", at_kink="left").tolist()
    [-2.0, 2.0]
    """

    def function(x: Entries) -> Entries:
        slope = constant(negative_slope, x.dtype, "negative_slope")
        # A slope 0 times -inf would be NaN.
        below = slope * x if slope else jnp.zeros_like(x)
        return with_slope(jnp.where(x < 0, below, x), x, 0, _between(slope, 1, at_kink))

    return widened(function, x)


@meaning(terms.Elu)
def elu(parameters: Tree, x: Entries, *, alpha: Number, at_kink: str) -> Entries:
    """Return x above 0 and alpha expm1 x below.

    >>> elu(Tree(), jnp.array([-jnp.inf, 0.0, 2.0]), alpha="1/2", at_kink="left").tolist()
    [-0.5, 0.0, 2.0]
    """

    def function(x: Entries) -> Entries:
        return _exponential_unit(x, constant(alpha, x.dtype, "alpha"), 1, at_kink)

    return widened(function, x)


@meaning(terms.Selu)
def selu(parameters: Tree, x: Entries, *, scale: Number, alpha: Number, at_kink: str) -> Entries:
    """Return scale x above 0 and scale alpha expm1 x below.

    >>> selu(Tree(), jnp.array([-jnp.inf, 4.0]), scale="1/2", alpha=2, at_kink="left").tolist()
    [-1.0, 2.0]
    """

    def function(x: Entries) -> Entries:
        below = constant(exact(scale, "scale") * exact(alpha, "alpha"), x.dtype, "scale alpha")
        return _exponential_unit(x, below, constant(scale, x.dtype, "scale"), at_kink)

    return widened(function, x)


@meaning(terms.Celu)
def celu(parameters: Tree, x: Entries, *, alpha: Number) -> Entries:
    """Return x from 0 on and alpha expm1(x / alpha) below.

    >>> celu(Tree(), jnp.array([-jnp.inf, 0.0, 2.0]), alpha=3).tolist()
    [-3.0, 0.0, 2.0]
    """

    def function(x: Entries) -> Entries:
        a = constant(alpha, x.dtype, "alpha")
        return jnp.where(x < 0, a * gates.expm1(jnp.where(x < 0, x, 0) / a), x)

    return widened(function, x)


@meaning(terms.Gelu)
def gelu(parameters: Tree, x: Entries, *, approximate: str) -> Entries:
    """Return x Phi(x), or its approximation x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x³))).

    >>> gelu(Tree(), jnp.array([-jnp.inf, 0.0, jnp.inf]), approximate="none").tolist()
    [-0.0, 0.0, inf]
    """
    function = _gelu if approximate == "none" else _gelu_by_tanh
    return widened(lambda x: between_infinities(function, x, -0.0), x)


def _gelu(x: Entries) -> Entries:
    return x / 2 * jax.lax.erfc(-x * constant("0.70710678118654752440084436210485", x.dtype))


def _gelu_by_tanh(x: Entries) -> Entries:
    # x sigmoid(2 z) does not cancel. Beyond 32 the sigmoid is 0 or 1, and x³ might overflow.
    near = jnp.clip(x, -32, 32)
    twice = constant("1.5957691216057307117597842397375", x.dtype)
    return x * gates.sigmoid(twice * near * (1 + constant("0.044715", x.dtype) * near * near))


@meaning(terms.Silu)
def silu(parameters: Tree, x: Entries) -> Entries:
    """Return x sigmoid(x).

    >>> silu(Tree(), jnp.array([-jnp.inf, 0.0, jnp.inf])).tolist()
    [-0.0, 0.0, inf]
    """
    return widened(lambda x: between_infinities(lambda x: x * gates.sigmoid(x), x, -0.0), x)


@meaning(terms.Mish)
def mish(parameters: Tree, x: Entries) -> Entries:
    """Return x tanh(softplus(x)).

    >>> mish(Tree(), jnp.array([-jnp.inf, 0.0, jnp.inf])).tolist()
    [-0.0, 0.0, inf]
    """
    return widened(lambda x: between_infinities(lambda x: x * gates.tanh_softplus(x), x, -0.0), x)


@meaning(terms.Softplus)
def softplus(parameters: Tree, x: Entries, *, beta: Number) -> Entries:
    """Return log(1 + exp(beta x)) / beta.

    >>> softplus(Tree(), jnp.array([-jnp.inf, 1000.0]), beta=1).tolist()
    [0.0, 1000.0]
    """
    return widened(lambda x: gates.softplus(x, constant(beta, x.dtype, "beta")), x)


@meaning(terms.LogSigmoid)
def log_sigmoid(parameters: Tree, x: Entries) -> Entries:
    """Return log sigmoid(x) = -softplus(-x).

    >>> log_sigmoid(Tree(), jnp.array([-1000.0])).tolist()
    [-1000.0]
    """
    return widened(lambda x: -gates.softplus(-x, jnp.ones((), x.dtype)), x)


@meaning(terms.HardSigmoid)
def hard_sigmoid(parameters: Tree, x: Entries, *, slope: Number, at_kink: str) -> Entries:
    """Return slope x + 1/2, clipped to [0, 1].

    >>> hard_sigmoid(Tree(), jnp.array([-4.0, 0.0, 4.0]), slope="1/6", at_kink="outside").tolist()
    [0.0, 0.5, 1.0]
    """

    def function(x: Entries) -> Entries:
        width = 1 / exact(slope, "slope")
        end, whole = constant(width / 2, x.dtype, "1 / (2 slope)"), constant(width, x.dtype, "1 / slope")
        # The pieces are chosen by x: x + end may round to the end of the interval beside it.
        y = jnp.where(x <= -end, 0, jnp.where(x >= end, 1, (x + end) / whole))
        at_ends = WEIGHTS[at_kink] / whole
        return with_slope(with_slope(y, x, -end, at_ends), x, end, at_ends)

    return widened(function, x)


@meaning(terms.HardSilu)
def hard_silu(parameters: Tree, x: Entries, *, at_kink: str) -> Entries:
    """Return x relu6(x + 3) / 6.

    >>> hard_silu(Tree(), jnp.array([-4.0, 0.0, 4.0]), at_kink="outside").tolist()
    [0.0, 0.0, 4.0]
    """

    def function(x: Entries) -> Entries:
        low, high = x <= -3, x >= 3
        between = jnp.where(low | high, 0, x)
        y = jnp.where(low, 0, jnp.where(high, x, between * (between + 3) / 6))
        y = with_slope(y, x, -3, _between(0, -0.5, at_kink))
        return with_slope(y, x, 3, _between(1, 1.5, at_kink))

    return widened(function, x)


@meaning(terms.HardTanh)
def hard_tanh(parameters: Tree, x: Entries, *, low: Number, high: Number, at_kink: str) -> Entries:
    """Return min(max(x, low), high).

    >>> hard_tanh(Tree(), jnp.array([-4.0, 0.5, 4.0]), low=-1, high=1, at_kink="outside").tolist()
    [-1.0, 0.5, 1.0]
    """
    return _clipped(x, constant(low, x.dtype, "low"), constant(high, x.dtype, "high"), WEIGHTS[at_kink])


@meaning(terms.SoftSign)
def soft_sign(parameters: Tree, x: Entries) -> Entries:
    """Return x / (1 + |x|).

    >>> soft_sign(Tree(), jnp.array([-jnp.inf, 1.0])).tolist()
    [-1.0, 0.5]
    """
    return widened(gates.soft_sign, x)


@meaning(terms.Squareplus)
def squareplus(parameters: Tree, x: Entries, *, b: Number) -> Entries:
    """Return (x + sqrt(x² + b)) / 2.

    >>> squareplus(Tree(), jnp.array([-jnp.inf, 0.0]), b=4).tolist()
    [0.0, 1.0]
    """

    def function(x: Entries) -> Entries:
        return between_infinities(lambda x: gates.squareplus(x, constant(b, x.dtype, "b")), x, 0.0)

    return widened(function, x)


@meaning(terms.SparsePlus)
def sparse_plus(parameters: Tree, x: Entries) -> Entries:
    """Return 0 up to -1, (x + 1)² / 4 between, and x from 1 on.

    >>> sparse_plus(Tree(), jnp.array([-2.0, 0.0, 2.0])).tolist()
    [0.0, 0.25, 2.0]
    """

    def function(x: Entries) -> Entries:
        low, high = x <= -1, x >= 1
        between = jnp.where(low | high, 0, x) + 1
        return jnp.where(low, 0, jnp.where(high, x, between * between / 4))

    return widened(function, x)


def _between(first: Any, last: Any, at_kink: str) -> Any:
    return first + WEIGHTS[at_kink] * (last - first)


def _clipped(x: Entries, low: Any, high: Any, inside: float) -> Entries:
    """min(max(x, low), high), whose derivative at low and high is `inside`."""
    y = jnp.clip(x, low, high)
    return with_slope(with_slope(y, x, low, inside), x, high, inside)


def _exponential_unit(x: Entries, below: Any, above: Any, at_kink: str) -> Entries:
    """`above` x above 0, `below` expm1 x below, the derivative at 0 by convention."""
    y = jnp.where(x < 0, below * gates.expm1(jnp.where(x < 0, x, 0)), above * x)
    return with_slope(y, x, 0, _between(below, above, at_kink))
