"""The reductions: sums, means, variances and norms over axes, running sums, and sums of products."""

from lenticulum.terms.exact import instance_of, one_of
from lenticulum.terms.operations.axes import Axes, one_axis, some_axes
from lenticulum.terms.operations.equation import parse
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.value import value

ESTIMATES = ("population", "sample")
ORDERS = ("1", "2", "infinity")


class Reduction(Operation):
    """The base of a function that reduces `axis`: one, several or None for all; `keepdims` leaves them of size one."""

    __slots__ = ()


def reduced(axis: Axes, keepdims: bool) -> None:
    """Refuse what are no axes, and anything but True or False for `keepdims`.

    >>> reduced((0, -1), True)
    """
    some_axes(axis)
    instance_of(keepdims, "keepdims", (bool,), "True or False")


@value
class Sum(Reduction):
    """y = the sum of x over `axis`; of no entries 0."""

    axis: Axes = None
    keepdims: bool = False

    def __post_init__(self) -> None:
        """Check the axes."""
        reduced(self.axis, self.keepdims)


@value
class Mean(Reduction):
    """y = the sum of x over `axis` divided by the number of summands, of which there is at least one."""

    axis: Axes = None
    keepdims: bool = False

    def __post_init__(self) -> None:
        """Check the axes."""
        reduced(self.axis, self.keepdims)


@value
class Product(Reduction):
    """y = the product of x over `axis`; of no entries 1."""

    axis: Axes = None
    keepdims: bool = False

    def __post_init__(self) -> None:
        """Check the axes."""
        reduced(self.axis, self.keepdims)


@value
class Variance(Reduction):
    """y = the sum of (x - mean)² over `axis`, divided by n or n - 1.

    `estimate`: "population" divides by the number n of entries (NumPy, JAX, Keras), "sample" by n - 1 (PyTorch), and
    needs two entries at least.
    """

    axis: Axes = None
    keepdims: bool = False
    estimate: str = "population"

    def __post_init__(self) -> None:
        """Check the axes and the convention."""
        reduced(self.axis, self.keepdims)
        one_of(self.estimate, "estimate", ESTIMATES)


@value
class CumulativeSum(Operation):
    """y_i = x_0 + ... + x_i along `axis`; None takes all entries in row-major order, and y has one axis."""

    axis: int | None = None

    def __post_init__(self) -> None:
        """Check the axis."""
        one_axis(self.axis)


@value
class Norm(Reduction):
    """y = the norm of the vector of all entries over `axis`, whatever their shape.

    `order`: "1" sum |x|, "2" sqrt(sum x²) (of a matrix the Frobenius norm), "infinity" max |x|.
    """

    order: str = "2"
    axis: Axes = None
    keepdims: bool = False

    def __post_init__(self) -> None:
        """Check the axes and the convention."""
        reduced(self.axis, self.keepdims)
        one_of(self.order, "order", ORDERS)


@value
class Dot(Operation):
    """value = sum_k x_k y_k of two vectors of one length."""


@value
class Matmul(Operation):
    """value_ij = sum_k x_ik y_kj over the last two axes; axes before them broadcast; a vector is a row, or a column."""


@value
class Einsum(Operation):
    """value[output letters] = the sum over all other letters of the product of the operands.

    `equation`: the explicit form, ab,bc->ac: one letter for each axis, no ellipsis, no spaces. A letter twice in one
    operand takes the diagonal. At most three operands.
    """

    equation: str

    def __post_init__(self) -> None:
        """Refuse what is not an equation in the explicit form."""
        operands = parse(self.equation).operands
        if len(operands) > 3:
            raise ValueError(f"equation = {self.equation!r}: got {len(operands)} operands, expected at most 3")
