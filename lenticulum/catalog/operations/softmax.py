"""The rows of log-sum-exp and its relatives."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

entry(
    "logsumexp",
    terms.LogSumExp(),
    kind="array",
    arrays=("x", "b", "where"),
    optional=("b", "where"),
    booleans=("where",),
    equation="y = log sum b exp x, along the axes, over the entries where the mask holds",
    source="Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions",
    laws=("x -> x + c adds c", "of one entry it is x", "the derivative is the softmax, and sums to 1"),
    locality="batch",
    determines="x [...], axis (all unless stated), and, if used, b and the mask, which broadcast to x",
    purity="pure",
    states=STATELESS,
    short={"dim": "axis"},
)

entry(
    "log_softmax",
    terms.LogSoftmax(),
    kind="array",
    arrays=("x",),
    equation="y_i = x_i - log sum_j exp x_j, along the axis",
    source="Blanchard, Higham and Higham 2021, section 5",
    laws=("the exponentials sum to 1", "invariant under x -> x + c", "the reverse derivative sums to 0"),
    locality="batch",
    determines="x [...] and axis",
    purity="pure",
    states=STATELESS,
    short={"dim": "axis"},
)

entry(
    "standardize",
    terms.Standardize(),
    kind="array",
    arrays=("x",),
    equation="y = (x - mean) / sqrt(var + epsilon), along the axes, with the population variance",
    source="jax.nn.standardize",
    laws=("the mean is 0 and the variance var/(var + epsilon)", "invariant under x -> x + c", "layer_norm on one axis"),
    locality="batch",
    determines="x [...], axis and epsilon",
    purity="pure",
    states=STATELESS,
    short={"dim": "axis", "eps": "epsilon"},
)

entry(
    "glu",
    terms.Glu(),
    kind="array",
    arrays=("x",),
    equation="y = a sigmoid(b), a the first half of x along the axis, b the second",
    source="Dauphin et al. 2017, arXiv:1612.08083, equation 1",
    laws=("linear in the first half", "b -> -b gives a - y"),
    locality="batch",
    determines="x [...], of even size along axis",
    purity="pure",
    states=STATELESS,
    short={"dim": "axis"},
)
