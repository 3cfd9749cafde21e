"""The normalisations without state: by the root mean square, by groups of channels, by instance, by length."""

from fractions import Fraction

from lenticulum.terms.exact import Number, count, exact, one_of, positive
from lenticulum.terms.operations.axes import Axes, some_axes
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.value import set_field, value

EPSILON = Fraction(1, 100_000)
EPSILON_AT = ("maximum", "inside", "outside", "maximum_square")


@value
class RmsNorm(Operation):
    """y = weight x / sqrt(mean(x²) + epsilon) + bias, the mean over the last `axes` axes; weight and bias optional.

    The mean is not subtracted. weight and bias have the shape of these axes.
    """

    axes: int = 1
    epsilon: Number = EPSILON

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        count(self.axes, "axes")
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))


@value
class GroupNorm(Operation):
    """y = weight (x - mean) / sqrt(var + epsilon) + bias, mean and population variance of each group of channels.

    x [batch, channels, ...]; the channels are `groups` blocks of neighbours; weight and bias [channels], optional.
    """

    groups: int
    epsilon: Number = EPSILON

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        count(self.groups, "groups")
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))


@value
class InstanceNorm(Operation):
    """y = weight (x - mean) / sqrt(var + epsilon) + bias, mean and population variance of each channel of each example.

    x [batch, channels, ...] with at least one axis after the channels; weight and bias [channels], optional.
    """

    epsilon: Number = EPSILON

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))


@value
class L2Normalize(Operation):
    """y = x divided by its Euclidean length over `axis`, which epsilon keeps from 0.

    `epsilon_at`: "maximum" x / max(||x||, epsilon) (PyTorch), "inside" x / sqrt(||x||² + epsilon), "outside"
    x / (||x|| + epsilon), "maximum_square" x / sqrt(max(||x||², epsilon)) (TensorFlow).
    """

    axis: Axes = -1
    epsilon: Number = Fraction(1, 10**12)
    epsilon_at: str = "maximum"

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        some_axes(self.axis)
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))
        one_of(self.epsilon_at, "epsilon_at", EPSILON_AT)
