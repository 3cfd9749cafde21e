"""The rows of the layers."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

_EPSILON = {"eps": "epsilon"}

entry(
    "dense",
    terms.Dense(2, 3),
    kind="layer",
    arrays=("x", "weight", "bias"),
    optional=("bias",),
    equation="y = x Wᵀ + b, weight [outputs, inputs], bias [outputs]",
    source="https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html",
    laws=("affine in x", "linear in (weight, bias)", "the reverse derivative in x is c W"),
    locality="row",
    determines="x [..., inputs], weight and, if used, bias",
    purity="pure",
    states=STATELESS,
    aliases=("linear",),
    reduction=True,
)

entry(
    "bias",
    terms.Bias(3),
    kind="layer",
    arrays=("x", "bias"),
    equation="y = x + b",
    source="https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html",
    laws=("affine in x with slope 1",),
    locality="element",
    determines="x [..., features] and bias [features]",
    purity="pure",
    states=STATELESS,
)

entry(
    "softmax",
    terms.Softmax(),
    kind="layer",
    arrays=("x",),
    equation="y_i = exp x_i / sum_j exp x_j, along the last axis",
    source="Bridle 1990",
    laws=("sums to 1", "invariant under x -> x + c", "the derivative annihilates constants", "of one entry it is 1"),
    locality="row",
    determines="x [..., features]",
    purity="pure",
    states=STATELESS,
)

entry(
    "layer_norm",
    terms.LayerNorm(3),
    kind="layer",
    arrays=("x", "weight", "bias"),
    optional=("weight", "bias"),
    equation="y = weight (x - mean) / sqrt(var + epsilon) + bias; mean and population variance over the last axis",
    source="Ba, Kiros and Hinton 2016, arXiv:1607.06450",
    laws=("invariant under x -> x + c", "the reverse derivative in x sums to 0"),
    locality="row",
    determines="x [..., features], epsilon and, if used, weight and bias [features]",
    purity="pure",
    states=STATELESS,
    short=_EPSILON,
)

entry(
    "self_attention",
    terms.SelfAttention(4, 2, width=2),
    kind="layer",
    arrays=(
        "x",
        *(f"{each}_weight" for each in ("query", "key", "value", "output")),
        *(f"{each}_bias" for each in ("query", "key", "value", "output")),
    ),
    optional=("query_bias", "key_bias", "value_bias", "output_bias"),
    equation="y = concat_h(softmax(Q_h K_hᵀ / sqrt(width)) V_h) W_oᵀ + b_o; Q = x W_qᵀ + b_q, K and V likewise",
    source="Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2",
    laws=(
        "without a mask equivariant under permutations of the positions",
        "causal: row i depends on rows 0 ... i of x",
        "the heads add up",
        "of one head it is attention of the images of x",
    ),
    locality="batch",
    determines="x [..., positions, features], the weights, the biases that are used, heads and mask",
    purity="pure",
    states=STATELESS,
    conventions={"mask": ("none", "causal")},
    counts=("heads",),
)

entry(
    "batch_norm",
    terms.BatchNorm(3),
    kind="layer",
    arrays=("x", "weight", "bias"),
    optional=("weight", "bias"),
    state=("running_mean", "running_variance", "count"),
    equation="y = weight (x - m) / sqrt(s + epsilon) + bias; train: batch mean and variance; eval: the running pair",
    source="Ioffe and Szegedy 2015, arXiv:1502.03167",
    laws=(
        "evaluation preserves the state",
        "one update for each training application",
        "running' = (1 - w) running + w batch",
    ),
    locality="batch",
    determines="x [..., features], the mode, epsilon, new_weight, the conventions, weight, bias and the running pair",
    purity="pure: the mode is an argument",
    states="the old running pair (and count) is an argument, the new one is returned",
    conventions={
        "running_variance": ("sample", "population"),
        "normaliser": ("batch", "running"),
        "start": ("plain", "corrected", "first_batch", "cumulative"),
        "single": ("population", "reject"),
        "before_first_step": ("plain", "reject"),
    },
    short=_EPSILON,
    modes=("train", "eval"),
)

entry(
    "dropout",
    terms.Dropout(),
    kind="layer",
    arrays=("x",),
    state=("seed", "count"),
    equation="train: y = x mask / (1 - rate); eval: y = x",
    source="Srivastava et al. 2014, scaled in training; the mask by SplitMix64: Steele, Lea and Flood 2014",
    laws=("E[y] = x", "every y_i is 0 or x_i / (1 - rate)", "evaluation is the identity"),
    locality="element",
    determines="x, rate, the mode, and the key (draws=key) or seed and count (draws=seed_stream)",
    purity="seeded: pure given the key or the seed",
    states="draws=seed_stream: count is in the state that is passed and returned; draws=key: there is no state",
    conventions={"draws": ("key", "seed_stream"), "at_one": ("zero", "reject")},
    short={"p": "rate"},
    modes=("eval",),
)
