"""The rows of the optimizers."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

_EPSILON = {"eps": "epsilon"}
_RATE = {"lr": "rate", "learning_rate": "rate"}
_DECAY = {"momentum": "decay", "mu": "decay", "beta": "decay"}
_UPDATE_STATE = "the old state is an argument, the new state is returned; nothing is hidden"

entry(
    "gradient_descent",
    terms.GradientDescent(),
    kind="update",
    arrays=("parameters", "gradient"),
    equation="p' = p - rate g",
    source="Cauchy 1847; arXiv:2103.01931, equation 3.11",
    laws=("zero gradient changes nothing", "run(xs ++ ys) = run(ys) after run(xs)", "contracts x²/2 by 1 - rate"),
    locality="element",
    determines="parameters, gradient and rate",
    purity="pure",
    states=STATELESS,
    short=_RATE,
    aliases=("sgd",),
)

entry(
    "momentum",
    terms.Momentum(),
    kind="update",
    arrays=("parameters", "gradient"),
    state=("buffer", "count"),
    equation="b' = decay b + (1 - dampening) g (the first b' is g if first=undamped); p' = p - rate b'",
    source="Polyak 1964; dampening: https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html",
    laws=("with decay 0 it is gradient descent", "run(xs ++ ys) = run(ys) after run(xs)"),
    locality="element",
    determines="parameters, gradient, buffer, count and every field",
    purity="pure",
    states=_UPDATE_STATE,
    conventions={"first": ("undamped", "damped"), "rate_in": ("step", "buffer")},
    short={**_RATE, **_DECAY, "trace": "buffer"},
)

entry(
    "nesterov",
    terms.Nesterov(),
    kind="update",
    arrays=("parameters", "gradient"),
    state=("buffer",),
    equation="b' = decay b + g; stores=parameter: p' = p - rate b'; stores=look_ahead: q' = q - rate (g + decay b')",
    source="Nesterov 1983; Sutskever et al. 2013",
    laws=("the two forms are conjugate by q = p - rate decay b", "run(xs ++ ys) = run(ys) after run(xs)"),
    locality="element",
    determines="parameters, gradient (at the look-ahead), buffer and every field",
    purity="pure",
    states=_UPDATE_STATE,
    conventions={"stores": ("parameter", "look_ahead"), "rate_in": ("step", "buffer")},
    short={**_RATE, **_DECAY, "trace": "buffer"},
)

entry(
    "adagrad",
    terms.Adagrad(),
    kind="update",
    arrays=("parameters", "gradient"),
    state=("accumulator",),
    equation=(
        "a' = a + g², the first a is start; epsilon_at=outside: p' = p - rate g / (sqrt(a') + epsilon); "
        "epsilon_at=inside: p' = p - rate g / sqrt(a' + epsilon)"
    ),
    source="Duchi, Hazan and Singer 2011, https://jmlr.org/papers/v12/duchi11a.html",
    laws=(
        "a_t = start + the sum of the squared gradients",
        "g and epsilon times c, start times c²: the same trajectory",
        "run(xs ++ ys) = run(ys) after run(xs)",
    ),
    locality="element",
    determines="parameters, gradient, accumulator and every field but start, which the first state holds",
    purity="pure",
    states=_UPDATE_STATE,
    conventions={"epsilon_at": ("outside", "inside")},
    short={**_RATE, **_EPSILON, "delta": "epsilon", "initial_accumulator_value": "start"},
)

entry(
    "adam",
    terms.Adam(),
    kind="update",
    arrays=("parameters", "gradient"),
    state=("first_moment", "second_moment", "first_power", "second_power"),
    equation=(
        "m' = b1 m + (1-b1) g; v' = b2 v + (1-b2) g²; "
        "p' = p - rate (m'/(1-b1^t)) / (sqrt(v'/(1-b2^t) + epsilon_root) + epsilon)"
    ),
    source="Kingma and Ba 2015, Algorithm 1, arXiv:1412.6980",
    laws=(
        "closed form of the moments",
        "run(xs ++ ys) = run(ys) after run(xs)",
        "zero gradient from zero state changes nothing",
    ),
    locality="element",
    determines="parameters, gradient, both moments, both running products and every field",
    purity="pure",
    states=_UPDATE_STATE + "; raw moments and the products b1^t, b2^t (a counter determines them)",
    conventions={"epsilon_at": ("corrected", "raw")},
    short={
        **_RATE,
        **_EPSILON,
        "b1": "first_decay",
        "beta1": "first_decay",
        "b2": "second_decay",
        "beta2": "second_decay",
        "eps_root": "epsilon_root",
    },
)
