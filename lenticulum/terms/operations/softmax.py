"""Functions built on normalised exponentials, and standardisation, along axes of an array."""

from lenticulum.terms.operations.axes import Axes
from lenticulum.terms.operations.reductions import Reduction, reduced
from lenticulum.terms.value import value


@value
class LogSumExp(Reduction):
    """y = log sum b exp x along `axis`, over the entries where `where` holds; b is 1 if it is absent."""

    axis: Axes = None
    keepdims: bool = False

    def __post_init__(self) -> None:
        """Check the axes."""
        reduced(self.axis, self.keepdims)
