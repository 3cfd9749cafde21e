"""The rows of the normalisations without state."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms.operations.norms import EPSILON_AT

_PARAMETERS = ("x", "weight", "bias")

entry(
    "rms_norm",
    terms.RmsNorm(),
    kind="array",
    arrays=_PARAMETERS,
    optional=("weight", "bias"),
    equation="y = weight x / sqrt(mean(x²) + epsilon) + bias, the mean over the last axes (one unless stated)",
    source="Zhang and Sennrich 2019, arXiv:1910.07467",
    laws=("x -> a x with epsilon -> a² epsilon changes the sign alone", "the mean is not subtracted"),
    locality="batch",
    determines="x, axes (how many), epsilon and, if used, weight and bias of the shape of these axes",
    leading=lambda term: -term.axes,
    purity="pure",
    states=STATELESS,
    short={"eps": "epsilon"},
)

entry(
    "group_norm",
    terms.GroupNorm(2),
    kind="array",
    arrays=_PARAMETERS,
    optional=("weight", "bias"),
    equation="y = weight (x - mean) / sqrt(var + epsilon) + bias; mean and population variance of each group",
    source="Wu and He 2018, arXiv:1803.08494",
    laws=("one group is layer norm of each example", "as many groups as channels are instance norm"),
    locality="batch",
    determines="x [batch, channels, ...], groups (2 unless stated), epsilon and, if used, weight and bias [channels]",
    leading=lambda term: 1,
    purity="pure",
    states=STATELESS,
    short={"eps": "epsilon", "num_groups": "groups"},
)

entry(
    "instance_norm",
    terms.InstanceNorm(),
    kind="array",
    arrays=_PARAMETERS,
    optional=("weight", "bias"),
    equation="y = weight (x - mean) / sqrt(var + epsilon) + bias; mean and population variance of each channel",
    source="Ulyanov, Vedaldi and Lempitsky 2016, arXiv:1607.08022",
    laws=("invariant under x -> x + c for each example and channel",),
    locality="batch",
    determines="x [batch, channels, positions, ...], epsilon and, if used, weight and bias [channels]",
    leading=lambda term: 1,
    purity="pure",
    states=STATELESS,
    short={"eps": "epsilon"},
)

entry(
    "l2_normalize",
    terms.L2Normalize(),
    kind="array",
    arrays=("x",),
    equation="y = x / D, D = max(r, epsilon), sqrt(r² + epsilon), r + epsilon or sqrt(max(r², epsilon)), r = |x|",
    source="PyTorch, https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.normalize.html",
    laws=("|y| <= 1", "x -> a x changes nothing where a > 0 and the other argument of the maximum is smaller"),
    locality="batch",
    determines="x, axis (the last unless stated), epsilon (1/10^12 unless stated) and where it stands",
    purity="pure",
    states=STATELESS,
    conventions={"epsilon_at": EPSILON_AT},
    short={"eps": "epsilon", "dim": "axis"},
    kink="at |x| = epsilon, or its root, of the maxima: there the derivative is that of the constant divisor",
)
