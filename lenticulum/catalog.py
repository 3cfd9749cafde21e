"""The catalogue: name -> description, interpreters, roles, conventions and laws. One row for each definition."""

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from lenticulum import terms
from lenticulum.terms import Number, Value


class UnknownName(LookupError):
    """A name that the catalogue does not have; the message suggests the nearest."""


@dataclass(frozen=True)
class Entry:
    """One definition: what it is called, what it needs, and what is known about it.

    `example`: a small instance of the description. `kind`: "layer", "loss" or "update". `arrays`: roles of the array
    arguments, in order; `optional` ones may be absent. `state`: the arrays that are read and written. `locality`: an
    output entry depends on one entry of the data ("element"), on one row of its last axis ("row"), or on everything
    ("batch"). `conventions`: the documented choices, with the allowed values. `short`: other spellings of the
    hyper-parameters. `reduction`: judged as a sum of products, in any order. `determines`, `purity`, `states` answer
    the three questions of every definition: which values determine the result; is it pure, seeded or an effect; where
    are the old and the new state.
    """

    name: str
    example: Value
    kind: str
    arrays: tuple[str, ...]
    equation: str
    source: str
    laws: tuple[str, ...]
    locality: str
    determines: str
    purity: str
    states: str
    optional: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    conventions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    reduction: bool = False

    @property
    def term(self) -> type[Value]:
        """The type of the description."""
        return type(self.example)

    def hyperparameters(self) -> dict[str, Any]:
        """Return the exact numbers among the fields, with their defaults (None where there is none)."""
        numbers = [each for each in dataclasses.fields(self.term) if each.type == Number]  # type: ignore[arg-type]
        return {each.name: None if each.default is dataclasses.MISSING else each.default for each in numbers}

    def canonical(self, name: str) -> str:
        """Return the field that a spelling means; an unknown spelling is returned as it is.

        >>> lookup("adam").canonical("eps")
        'epsilon'
        """
        return self.short.get(name, name)

    def spec(self) -> Callable[..., Any]:
        """Return the exact meaning: a plain function on exact arrays."""
        return import_module("lenticulum.spec.meaning").meaning_of(self.example)

    def fast(self) -> Callable[..., Any]:
        """Return the fast meaning: a plain function on JAX arrays. Imports JAX."""
        fast = import_module("lenticulum.fast")
        table = (
            fast.optimizers.update.UPDATES
            if self.kind == "update"
            else import_module("lenticulum.fast.meaning").MEANINGS
        )
        return table[self.term].function


CATALOG: dict[str, Entry] = {}


def entry(name: str, example: Value, **facts: Any) -> None:
    """Add one row.

    Raises: ValueError if a name is taken.
    """
    row = Entry(name, example, **facts)
    for spelling in (name, *row.aliases):
        if spelling in CATALOG:
            raise ValueError(f"the catalogue already has {spelling!r}")
        CATALOG[spelling] = row


def lookup(name: str) -> Entry:
    """Return the row of a name or an alias.

    Raises: UnknownName, with the nearest name.

    >>> lookup("sgd").name
    'gradient_descent'
    """
    if name not in CATALOG:
        raise UnknownName(f"no definition is called {name!r}{nearest(name, CATALOG)}\nknown: {', '.join(names())}")
    return CATALOG[name]


def names() -> list[str]:
    """Return the names of all definitions, without aliases.

    >>> "softmax" in names(), "sgd" in names()
    (True, False)
    """
    return [name for name, row in CATALOG.items() if row.name == name]


def nearest(name: str, known: Any) -> str:
    """Return a suggestion to append to a message, or nothing if no known name is near.

    >>> nearest("sofmax", ["softmax", "tanh"])
    '; did you mean softmax?'
    """
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


_STATELESS = "there is no state"
_EPSILON = {"eps": "epsilon"}
_RATE = {"lr": "rate", "learning_rate": "rate"}
_DECAY = {"momentum": "decay", "mu": "decay", "beta": "decay"}
_UPDATE_STATE = "the old state is an argument, the new state is returned; nothing is hidden"

entry(
    "dense",
    terms.Dense(2, 3),
    kind="layer",
    arrays=("x", "weight", "bias"),
    optional=("bias",),
    equation="y = x Wᵀ + b, weight [outputs, inputs], bias [outputs]",
    source="reference/layers_and_floats.md, section 1",
    laws=("affine in x", "linear in (weight, bias)", "the reverse derivative in x is c W"),
    locality="row",
    determines="x [..., inputs], weight and, if used, bias",
    purity="pure",
    states=_STATELESS,
    aliases=("linear",),
    reduction=True,
)
entry(
    "bias",
    terms.Bias(3),
    kind="layer",
    arrays=("x", "bias"),
    equation="y = x + b",
    source="reference/layers_and_floats.md, section 1",
    laws=("affine in x with slope 1",),
    locality="element",
    determines="x [..., features] and bias [features]",
    purity="pure",
    states=_STATELESS,
)
entry(
    "tanh",
    terms.Tanh(),
    kind="layer",
    arrays=("x",),
    equation="y = tanh x, elementwise",
    source="reference/layers_and_floats.md, section 5",
    laws=("odd", "y' = 1 - y²", "|y| < 1 for finite x; ±1 at ±inf"),
    locality="element",
    determines="x",
    purity="pure",
    states=_STATELESS,
)
entry(
    "relu",
    terms.Relu(),
    kind="layer",
    arrays=("x",),
    equation="y = max(x, 0), elementwise",
    source="reference/layers_and_floats.md, section 5",
    laws=("idempotent", "positively homogeneous", "the derivative at 0 is 0, by convention"),
    locality="element",
    determines="x",
    purity="pure",
    states=_STATELESS,
)
entry(
    "softmax",
    terms.Softmax(),
    kind="layer",
    arrays=("x",),
    equation="y_i = exp x_i / sum_j exp x_j, along the last axis",
    source="Bridle 1990; reference/layers_and_floats.md, section 5",
    laws=("sums to 1", "invariant under x -> x + c", "the derivative annihilates constants", "of one entry it is 1"),
    locality="row",
    determines="x [..., features]",
    purity="pure",
    states=_STATELESS,
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
    states=_STATELESS,
    short=_EPSILON,
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
    source="Srivastava et al. 2014; reference/layers_and_floats.md, sections 2 and 7",
    laws=("E[y] = x", "every y_i is 0 or x_i / (1 - rate)", "evaluation is the identity"),
    locality="element",
    determines="x, rate, the mode, and the key (draws=key) or seed and count (draws=seed_stream)",
    purity="seeded: pure given the key or the seed",
    states="draws=seed_stream: count is in the state that is passed and returned; draws=key: there is no state",
    conventions={"draws": ("key", "seed_stream"), "at_one": ("zero", "reject")},
    short={"p": "rate"},
    modes=("eval",),
)
entry(
    "squared_loss",
    terms.SquaredLoss(),
    kind="loss",
    arrays=("label", "prediction"),
    equation="factor * sum (prediction - label)²",
    source="arXiv:2103.01931, equation 3.4",
    laws=("symmetric", "zero exactly where prediction = label"),
    locality="batch",
    determines="label and prediction of one shape, and factor (1/2 unless stated)",
    purity="pure",
    states=_STATELESS,
)
entry(
    "cross_entropy",
    terms.CrossEntropyLoss(),
    kind="loss",
    arrays=("label", "prediction"),
    equation="sum over rows of sum_i label_i (log sum_j exp prediction_j - prediction_i)",
    source="arXiv:2103.01931, equation 3.6; reference/layers_and_floats.md, section 6",
    laws=("linear in the label", "invariant under prediction -> prediction + c"),
    locality="batch",
    determines="label and prediction [..., classes] of one shape; labels need not be normalised",
    purity="pure",
    states=_STATELESS,
)
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
    states=_STATELESS,
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
    source="Polyak 1964; reference/layers_and_floats.md, section 11",
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
