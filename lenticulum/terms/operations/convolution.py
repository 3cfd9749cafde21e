"""Convolutions of one or more spatial axes, channels first, and their transposes."""

from lenticulum.terms.exact import count, one_of
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.operations.windows import Padding, Sizes, natural, padding_pairs, sizes
from lenticulum.terms.value import set_field, value


@value
class Convolution(Operation):
    """y[o, i] = bias[o] + sum_{c, k} weight[o, c, k] x[c, stride i + dilation k - before], the kernel not flipped.

    x [..., inputs, *spatial], weight [outputs, inputs / groups, *window], bias [outputs]. Output channel o reads the
    input channels of its group only. `padding`: (before, after) zeros for each spatial axis.
    """

    stride: Sizes = 1
    padding: Padding = 0
    dilation: Sizes = 1
    groups: int = 1

    def __post_init__(self) -> None:
        """Bring the sizes to one form; strides, dilations and groups are positive."""
        set_field(self, "stride", sizes(self.stride, "stride"))
        set_field(self, "padding", padding_pairs(self.padding, "padding"))
        set_field(self, "dilation", sizes(self.dilation, "dilation"))
        count(self.groups, "groups")


@value
class TransposedConvolution(Operation):
    """y[o, j] = bias[o] + sum of weight[c, o, k] x[c, i] over all i, k with stride i + dilation k - before = j.

    `kernel` "adjoint": weight [inputs, outputs / groups, *window], and the map is the adjoint of the convolution with
    the same weight and fields. "direct": weight [outputs, inputs / groups, *window], and x, spread out by the stride,
    is convolved with the kernel as it is, not reversed. `extra`: zeros appended after the last output of each axis
    (PyTorch: output_padding), which may be cells of the kernel.
    """

    stride: Sizes = 1
    padding: Padding = 0
    extra: Sizes = 0
    dilation: Sizes = 1
    groups: int = 1
    kernel: str = "adjoint"

    def __post_init__(self) -> None:
        """Bring the sizes to one form; `extra` is not negative, the other sizes are positive."""
        set_field(self, "stride", sizes(self.stride, "stride"))
        set_field(self, "padding", padding_pairs(self.padding, "padding"))
        extra = self.extra if isinstance(self.extra, tuple) else (self.extra,)
        set_field(self, "extra", tuple(natural(entry, "extra") for entry in extra))
        set_field(self, "dilation", sizes(self.dilation, "dilation"))
        count(self.groups, "groups")
        one_of(self.kernel, "kernel", ("adjoint", "direct"))
