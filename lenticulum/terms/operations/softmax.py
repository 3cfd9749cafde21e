"""Functions built on normalised exponentials, and standardisation, along axes of an array."""

from fractions import Fraction

from lenticulum.terms.exact import Number, exact, positive
from lenticulum.terms.operations.axes import Axes, one_axis, some_axes
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.operations.reductions import Reduction, reduced
from lenticulum.terms.value import set_field, value


@value
class LogSumExp(Reduction):
    """y = log sum b exp x along `axis`, over the entries where `where` holds; b is 1 if it is absent."""

    axis: Axes = None
    keepdims: bool = False

    def __post_init__(self) -> None:
        """Check the axes."""
        reduced(self.axis, self.keepdims)


@value
class LogSoftmax(Operation):
    """y_i = x_i - log sum_j exp x_j along `axis`."""

    axis: int = -1

    def __post_init__(self) -> None:
        """Check the axis."""
        one_axis(self.axis)


@value
class Standardize(Operation):
    """y = (x - mean) / sqrt(var + epsilon) along `axis`, with the population variance."""

    axis: Axes = -1
    epsilon: Number = Fraction(1, 100_000)

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        some_axes(self.axis)
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))


@value
class Glu(Operation):
    """y = a sigmoid(b), a the first half of x along `axis` and b the second."""

    axis: int = -1

    def __post_init__(self) -> None:
        """Check the axis."""
        one_axis(self.axis)
