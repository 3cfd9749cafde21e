"""The rows of pooling."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

_SHORT = {"kernel_size": "window", "window_shape": "window", "strides": "stride"}

entry(
    "max_pool",
    terms.MaxPool((2, 3), stride=(2, 1)),
    kind="array",
    arrays=("x",),
    equation="y[i] = max over the window of x[stride i + k - before]; padding is left out",
    source="https://docs.pytorch.org/docs/stable/generated/torch.nn.MaxPool2d.html",
    laws=("monotone", "x -> x + c adds c", "a window that holds padding alone is outside the domain"),
    locality="batch",
    determines="x [..., *spatial], window, stride and padding",
    purity="pure",
    states=STATELESS,
    short=_SHORT,
    kink="where the largest entry occurs twice, the derivative flows to the first in row-major order",
)

entry(
    "average_pool",
    terms.AveragePool((2, 3), stride=(2, 1)),
    kind="array",
    arrays=("x",),
    equation="y[i] = sum over the window of x[stride i + k - before] / n; n counts the cells, or the entries under it",
    source="https://docs.pytorch.org/docs/stable/generated/torch.nn.AvgPool2d.html",
    laws=("linear", "of constant x it is that constant (divisor=inside)"),
    locality="batch",
    determines="x [..., *spatial], window, stride, padding and divisor",
    purity="pure",
    states=STATELESS,
    conventions={"divisor": ("window", "inside")},
    short=_SHORT,
    aliases=("avg_pool",),
)

entry(
    "adaptive_average_pool",
    terms.AdaptiveAveragePool((2, 3)),
    kind="array",
    arrays=("x",),
    equation="y[i] = the mean of x over bin i: [floor(i N / M), ceil((i + 1) N / M)), or the parts of a split",
    source="https://docs.pytorch.org/docs/stable/generated/torch.nn.AdaptiveAvgPool2d.html",
    laws=("linear", "of constant x it is that constant", "one bin is the mean"),
    locality="batch",
    determines="x [..., *spatial], outputs (the number of bins of each axis) and bins",
    purity="pure",
    states=STATELESS,
    conventions={"bins": ("overlapping", "split")},
    short={"target_shape": "outputs", "output_size": "outputs"},
)
