"""Pooling over windows of the last axes, and over bins that adapt to a size."""

from lenticulum.terms.exact import one_of
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.operations.windows import Padding, Sizes, padding_pairs, sizes
from lenticulum.terms.value import set_field, value


@value
class MaxPool(Operation):
    """y[i] = max over the window of x[stride i + k - before]; padding is left out, ties go to the first cell.

    x [..., *spatial]; the number of spatial axes is the number of entries of `window`. The cells of a window are in
    row-major order.
    """

    window: tuple[int, ...]
    stride: Sizes = 1
    padding: Padding = 0

    def __post_init__(self) -> None:
        """Bring the sizes to one form."""
        _windows(self)


@value
class AveragePool(Operation):
    """y[i] = sum over the window of x[stride i + k - before], divided by the number of cells.

    x [..., *spatial]; padding counts as 0. `divisor` "window": all cells of the window; "inside": only those that are
    not padding.
    """

    window: tuple[int, ...]
    stride: Sizes = 1
    padding: Padding = 0
    divisor: str = "window"

    def __post_init__(self) -> None:
        """Bring the sizes to one form."""
        _windows(self)
        one_of(self.divisor, "divisor", ("window", "inside"))


@value
class AdaptiveAveragePool(Operation):
    """y[i] = the mean of x over bin i of each axis, for as many bins as `outputs` says.

    `bins` "overlapping": [floor(i N / M), ceil((i + 1) N / M)) for N entries and M bins, so that neighbours may share
    an entry. "split": disjoint bins, the first N mod M of them with one entry more.
    """

    outputs: tuple[int, ...]
    bins: str = "overlapping"

    def __post_init__(self) -> None:
        """Refuse empty outputs."""
        set_field(self, "outputs", sizes(self.outputs, "outputs"))
        one_of(self.bins, "bins", ("overlapping", "split"))


def _windows(term: MaxPool | AveragePool) -> None:
    set_field(term, "window", sizes(term.window, "window"))
    set_field(term, "stride", sizes(term.stride, "stride"))
    set_field(term, "padding", padding_pairs(term.padding, "padding"))
