"""The rows of embedding, positions and attention."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

entry(
    "embedding",
    terms.Embedding(),
    kind="array",
    arrays=("ids", "weight"),
    integers=("ids",),
    equation="y[..., :] = weight[ids[...], :]",
    source="https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.embedding.html",
    laws=("linear in weight", "the reverse derivative adds the cotangents of one row", "ids outside are rejected"),
    locality="batch",
    determines="ids [...] with 0 <= id < rows, and weight [rows, features]",
    purity="pure",
    states=STATELESS,
)

entry(
    "rotary_positions",
    terms.RotaryPositions(),
    kind="array",
    arrays=("x", "positions"),
    optional=("positions",),
    integers=("positions",),
    equation="pair i of x[..., position, :] is rotated by position / base^(2 i / width)",
    source="Su et al. 2021, arXiv:2104.09864",
    laws=("linear in x", "keeps the norm", "<y_m, y_n> depends on m - n only", "an odd width keeps its last entry"),
    locality="batch",
    determines="x [..., positions, width], positions (0, 1, 2, ... unless given), base and layout",
    purity="pure",
    states=STATELESS,
    conventions={"layout": ("interleaved", "half")},
    short={"theta": "base"},
    aliases=("rope",),
)

entry(
    "sinusoidal_positions",
    terms.SinusoidalPositions(4),
    kind="array",
    arrays=("x",),
    equation="sin and cos of x / base^(2 i / features), side by side, or all sines first",
    source="Vaswani et al. 2017, arXiv:1706.03762, section 3.5",
    laws=("sin² + cos² = 1 in each pair", "a shift of x rotates each pair"),
    locality="batch",
    determines="x [...] of real positions, features, base and layout",
    purity="pure",
    states=STATELESS,
    conventions={"layout": ("interleaved", "half")},
)

entry(
    "attention",
    terms.Attention(),
    kind="array",
    arrays=("query", "key", "value", "bias", "mask"),
    optional=("bias", "mask"),
    booleans=("mask",),
    equation="y_i = sum_j w_ij value_j, w_ij proportional to exp(scale <query_i, key_j> + bias_ij) over the allowed j",
    source="Vaswani et al. 2017, arXiv:1706.03762, equation 1",
    laws=(
        "the weights of a query sum to 1",
        "linear in value",
        "keys and values may be permuted together",
        "a blocked key has weight exactly 0",
    ),
    locality="batch",
    determines="query, key and value [..., heads, positions, width] (heads=first) or [..., positions, heads, width] "
    "(heads=last), bias and mask, which broadcast to [..., heads, queries, keys], and every field; "
    "scale is 1 / sqrt(width) unless stated",
    purity="pure",
    states=STATELESS,
    conventions={
        "heads": ("first", "last"),
        "causal": ("none", "start", "end"),
        "blocked": ("zero", "uniform", "nan"),
    },
)
