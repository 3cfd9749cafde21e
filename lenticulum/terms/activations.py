"""The activations: functions of one number, applied to every entry. Documented choices are fields.

`at_kink` is the derivative at a point where the two one-sided derivatives differ. It is a convention: the value does
not depend on it. "half" is always the mean of the two.
"""

from fractions import Fraction

from lenticulum.terms.elementwise import UnaryElementwise
from lenticulum.terms.exact import Number, exact, one_of, positive
from lenticulum.terms.value import set_field, value

#: Of a function that is constant on one side: the slope 0, the slope 1, or their mean.
SLOPES = ("zero", "half", "one")
#: Of a function with one kink: the derivative from the left, from the right, or their mean.
SIDES = ("left", "half", "right")
#: Of a function with two kinks: the derivative outside the interval between them, inside, or their mean.
REGIONS = ("outside", "half", "inside")


@value
class Relu(UnaryElementwise):
    """y = max(x, 0), elementwise; the derivative at 0 is a convention, `at_kink`.

    Source: Nair and Hinton 2010; for the convention, Bertoin et al. 2021, arXiv:2106.12915.
    """

    at_kink: str = "zero"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.at_kink, "at_kink", SLOPES)


@value
class Relu6(UnaryElementwise):
    """y = min(max(x, 0), 6); the derivative at 0 and 6 is `at_kink`.

    Source: Krizhevsky 2010, Convolutional Deep Belief Networks on CIFAR-10.
    """

    at_kink: str = "zero"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.at_kink, "at_kink", SLOPES)


@value
class LeakyRelu(UnaryElementwise):
    """y = x for x > 0, negative_slope x for x < 0.

    The default slope 1/100 is that of PyTorch, JAX and Flax; Keras 3 and TensorFlow have 1/5. The derivative at 0 is
    the left one in PyTorch and the right one in JAX.
    Source: Maas, Hannun and Ng 2013.
    """

    negative_slope: Number = Fraction(1, 100)
    at_kink: str = "left"

    def __post_init__(self) -> None:
        """Make the slope exact; refuse an unknown convention."""
        set_field(self, "negative_slope", exact(self.negative_slope, "negative_slope"))
        one_of(self.at_kink, "at_kink", SIDES)


@value
class Elu(UnaryElementwise):
    """y = x for x > 0, alpha (exp x - 1) for x < 0; continuously differentiable only for alpha = 1.

    Source: Clevert, Unterthiner and Hochreiter 2016, arXiv:1511.07289.
    """

    alpha: Number = Fraction(1)
    at_kink: str = "left"

    def __post_init__(self) -> None:
        """Make alpha exact and positive; refuse an unknown convention."""
        set_field(self, "alpha", positive(exact(self.alpha, "alpha"), "alpha"))
        one_of(self.at_kink, "at_kink", SIDES)


@value
class Selu(UnaryElementwise):
    """y = scale x for x > 0, scale alpha (exp x - 1) for x < 0, with the published decimals as exact numbers.

    Source: Klambauer et al. 2017, arXiv:1706.02515.
    """

    scale: Number = Fraction("1.0507009873554804934193349852946")
    alpha: Number = Fraction("1.6732632423543772848170429916717")
    at_kink: str = "left"

    def __post_init__(self) -> None:
        """Make the constants exact and positive; refuse an unknown convention."""
        for name in ("scale", "alpha"):
            set_field(self, name, positive(exact(getattr(self, name), name), name))
        one_of(self.at_kink, "at_kink", SIDES)


@value
class Celu(UnaryElementwise):
    """y = x for x >= 0, alpha (exp(x / alpha) - 1) for x < 0; continuously differentiable for every alpha.

    Source: Barron 2017, arXiv:1704.07483.
    """

    alpha: Number = Fraction(1)

    def __post_init__(self) -> None:
        """Make alpha exact and positive."""
        set_field(self, "alpha", positive(exact(self.alpha, "alpha"), "alpha"))


@value
class Gelu(UnaryElementwise):
    """y = x Phi(x), or its approximation by tanh: two functions, which differ by up to 5e-4.

    `approximate` = "tanh": y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x³))). The default of PyTorch and Keras is
    "none", that of `jax.nn.gelu` is "tanh".
    Source: Hendrycks and Gimpel 2016, arXiv:1606.08415.
    """

    approximate: str = "none"

    def __post_init__(self) -> None:
        """Refuse an unknown approximation."""
        one_of(self.approximate, "approximate", ("none", "tanh"))


@value
class Silu(UnaryElementwise):
    """y = x sigmoid(x), also called swish.

    Source: Elfwing, Uchibe and Doya 2018, arXiv:1702.03118.
    """


@value
class Mish(UnaryElementwise):
    """y = x tanh(softplus(x)).

    Source: Misra 2020, arXiv:1908.08681.
    """


@value
class Softplus(UnaryElementwise):
    """y = log(1 + exp(beta x)) / beta. There is no threshold: beyond one, the identity is an approximation.

    Source: Dugas et al. 2001.
    """

    beta: Number = Fraction(1)

    def __post_init__(self) -> None:
        """Make beta exact and positive."""
        set_field(self, "beta", positive(exact(self.beta, "beta"), "beta"))


@value
class LogSigmoid(UnaryElementwise):
    """y = log sigmoid(x) = -log(1 + exp(-x))."""


@value
class HardSigmoid(UnaryElementwise):
    """y = slope x + 1/2, clipped to [0, 1].

    `slope` = 1/6 is relu6(x + 3) / 6, as in PyTorch, JAX and Keras 3 (Howard et al. 2019, arXiv:1905.02244); 1/5 is
    the function of Keras 2 and of ONNX (Courbariaux, Bengio and David 2015, arXiv:1511.00363, have 1/2).
    """

    slope: Number = Fraction(1, 6)
    at_kink: str = "outside"

    def __post_init__(self) -> None:
        """Make the slope exact and positive; refuse an unknown convention."""
        set_field(self, "slope", positive(exact(self.slope, "slope"), "slope"))
        one_of(self.at_kink, "at_kink", REGIONS)


@value
class HardSilu(UnaryElementwise):
    """y = x relu6(x + 3) / 6, also called hard swish; its derivative jumps at -3 and 3.

    Source: Howard et al. 2019, arXiv:1905.02244.
    """

    at_kink: str = "outside"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.at_kink, "at_kink", REGIONS)


@value
class HardTanh(UnaryElementwise):
    """y = min(max(x, low), high). The derivative at the ends is 0 in PyTorch ("outside") and 1 in JAX ("inside").

    Source: Collobert 2004, Large Scale Machine Learning.
    """

    low: Number = Fraction(-1)
    high: Number = Fraction(1)
    at_kink: str = "outside"

    def __post_init__(self) -> None:
        """Make the ends exact, low below high; refuse an unknown convention."""
        low, high = exact(self.low, "low"), exact(self.high, "high")
        if low >= high:
            raise ValueError(f"low = {low}, high = {high}: expected low < high")
        set_field(self, "low", low)
        set_field(self, "high", high)
        one_of(self.at_kink, "at_kink", REGIONS)


@value
class SoftSign(UnaryElementwise):
    """y = x / (1 + |x|).

    Source: Turian, Bergstra and Bengio 2009.
    """


@value
class Squareplus(UnaryElementwise):
    """y = (x + sqrt(x² + b)) / 2.

    Source: Barron 2021, arXiv:2112.11687.
    """

    b: Number = Fraction(4)

    def __post_init__(self) -> None:
        """Make b exact and positive."""
        set_field(self, "b", positive(exact(self.b, "b"), "b"))


@value
class SparsePlus(UnaryElementwise):
    """y = 0 for x <= -1, (x + 1)² / 4 between, x for x >= 1; continuously differentiable.

    Source: Blondel, Martins and Niculae 2020, arXiv:1901.02324, section 6.2.
    """
