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
