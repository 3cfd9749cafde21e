"""The rows of convolution and transposed convolution."""

from collections.abc import Mapping
from math import prod
from typing import Any

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

#: The names that jax.lax and PyTorch give to the fields.
_SHORT = {
    "window_strides": "stride",
    "strides": "stride",
    "rhs_dilation": "dilation",
    "feature_group_count": "groups",
    "output_padding": "extra",
}


def _products(term: Any, shapes: Mapping[str, tuple[int, ...]]) -> int:
    """The products of one output: those of a group and a window, and the bias."""
    weight = shapes["weight"]
    return prod(weight[1:]) + ("bias" in shapes)


def _transposed_products(term: Any, shapes: Mapping[str, tuple[int, ...]]) -> int:
    """The products of one output, at most: every input of a group with every cell of the window, and the bias."""
    weight = shapes["weight"]
    reads = weight[1] if term.kernel == "direct" else weight[0] // term.groups
    return reads * prod(weight[2:]) + ("bias" in shapes)


entry(
    "convolution",
    terms.Convolution(stride=(1, 1)),
    kind="array",
    arrays=("x", "weight", "bias"),
    optional=("bias",),
    equation="y[o, i] = bias[o] + sum_{c, k} weight[o, c, k] x[c, stride i + dilation k - before], in each group",
    source="Dumoulin and Visin 2016, arXiv:1603.07285",
    laws=(
        "linear in x and in weight",
        "the transposed convolution is its adjoint",
        "the kernel is not reversed",
    ),
    locality="batch",
    determines="x [..., inputs, *spatial], weight [outputs, inputs / groups, *window], bias [outputs] and every field; "
    "the fields have one entry for each spatial axis, or one for all",
    purity="pure",
    states=STATELESS,
    short=_SHORT,
    aliases=("conv",),
    reduction=True,
    summands=_products,
)

entry(
    "transposed_convolution",
    terms.TransposedConvolution(stride=(1, 1)),
    kind="array",
    arrays=("x", "weight", "bias"),
    optional=("bias",),
    equation="y[o, j] = bias[o] + sum of weight[c, o, k] x[c, i] over stride i + dilation k - before = j",
    source="Dumoulin and Visin 2016, arXiv:1603.07285, section 4",
    laws=("linear in x and in weight", "the adjoint of the convolution with the same weight and fields"),
    locality="batch",
    determines="x [..., inputs, *spatial], weight [inputs, outputs / groups, *window] (kernel=adjoint) or [outputs, "
    "inputs / groups, *window] (kernel=direct), bias [outputs] and every field",
    purity="pure",
    states=STATELESS,
    conventions={"kernel": ("adjoint", "direct")},
    short=_SHORT,
    aliases=("conv_transpose",),
    reduction=True,
    summands=_transposed_products,
)
