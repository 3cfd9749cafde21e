"""The rows of the losses of a prediction against a label, entry by entry."""

from typing import Any

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms.operations.losses import ENTRY_REDUCTIONS

_REDUCTION = {"reduction": ENTRY_REDUCTIONS}
_DETERMINES = "prediction and label [...], which broadcast, and reduction"


def _loss(name: str, example: terms.Operation, **facts: Any) -> None:
    settled = {"arrays": ("prediction", "label"), "conventions": _REDUCTION, "determines": _DETERMINES}
    entry(
        name,
        example,
        kind="array",
        output="loss",
        locality="batch",
        purity="pure",
        states=STATELESS,
        **{**settled, **facts},
    )


_loss(
    "absolute_loss",
    terms.AbsoluteLoss(),
    equation="|prediction - label|",
    source="torch.nn.L1Loss",
    laws=("symmetric", "zero exactly where prediction = label", "the triangle inequality"),
    kink="at prediction = label; the derivative there is 0",
    aliases=("l1_loss",),
)

_loss(
    "huber_loss",
    terms.HuberLoss(),
    equation="d²/2 where d = |prediction - label| <= delta, else delta (d - delta/2)",
    source="Huber 1964, Robust estimation of a location parameter",
    laws=("symmetric", "the derivative is the difference, clipped to [-delta, delta]", "beta times smooth_l1_loss"),
    determines=f"{_DETERMINES}, delta",
    aliases=("huber",),
)

_loss(
    "smooth_l1_loss",
    terms.SmoothL1Loss(),
    equation="d²/(2 beta) where d = |prediction - label| <= beta, else d - beta/2",
    source="Girshick 2015, arXiv:1504.08083, equation 3",
    laws=("symmetric", "the derivative is the difference divided by beta, clipped to [-1, 1]"),
    determines=f"{_DETERMINES}, beta",
    aliases=("smooth_l1",),
)

_loss(
    "log_cosh_loss",
    terms.LogCoshLoss(),
    equation="log cosh(prediction - label)",
    source="optax.losses.log_cosh",
    laws=("symmetric", "between d - log 2 and min(d, d²/2)", "the derivative is tanh of the difference"),
    aliases=("log_cosh",),
)

_loss(
    "hinge_loss",
    terms.HingeLoss(),
    equation="max(0, 1 - label prediction)",
    source="Cortes and Vapnik 1995, Support-vector networks",
    laws=("zero from margin 1 on", "(prediction, label) -> (-prediction, -label) changes nothing"),
    kink="at label prediction = 1; the derivative there is 0",
    aliases=("hinge",),
)

_loss(
    "poisson_nll",
    terms.PoissonNll(),
    equation="exp(prediction) - label prediction, or of a rate prediction - label log(prediction + epsilon)",
    source="torch.nn.PoissonNLLLoss",
    laws=("least where exp(prediction) = label",),
    determines=f"{_DETERMINES}, log_input, and epsilon without log_input",
    short={"eps": "epsilon"},
)

_loss(
    "gaussian_nll",
    terms.GaussianNll(),
    arrays=("prediction", "label", "variance"),
    equation="(log s + (prediction - label)²/s)/2, s = max(variance, epsilon); full adds log(2 pi)/2",
    source="Nix and Weigend 1994, Estimating the mean and variance of the target probability distribution",
    laws=("least in the variance at the squared difference", "exp of minus the full form integrates to 1"),
    determines="prediction, label and variance [...], which broadcast, epsilon, full and reduction",
    kink="at variance = epsilon; the derivative there is 0",
    short={"eps": "epsilon"},
)

entry(
    "cosine_similarity",
    terms.CosineSimilarity(),
    kind="array",
    arrays=("x", "y"),
    equation="y = <x, y> / (|x| |y|) along the axis; epsilon keeps the lengths from zero",
    source="torch.nn.CosineSimilarity",
    laws=("at most 1 in size", "invariant under x -> a x, a > 0", "of x and x it is 1"),
    locality="batch",
    determines="x and y [...], which broadcast, axis, epsilon and epsilon_at",
    purity="pure",
    states=STATELESS,
    conventions={"epsilon_at": ("each", "product", "square")},
    short={"eps": "epsilon", "dim": "axis"},
)
