"""Losses of arrays: a prediction against a label, entry by entry or row by row, and what is made of the entries."""

from fractions import Fraction

from lenticulum.terms.exact import Number, exact, instance_of, one_of, positive
from lenticulum.terms.operations.axes import one_axis
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.value import set_field, value

#: Every entry, their sum, or their mean.
REDUCTIONS = ("none", "sum", "mean")

#: Those, and the mean over the last axis (Keras).
ENTRY_REDUCTIONS = (*REDUCTIONS, "row_mean")


class Loss(Operation):
    """The base of a loss of arrays.

    `reduction` "none" keeps the entries; "sum" and "mean" are over all of them, "row_mean" over the last axis.
    """

    __slots__ = ()


@value
class AbsoluteLoss(Loss):
    """|prediction - label|, entry by entry."""

    reduction: str = "none"

    def __post_init__(self) -> None:
        """Check the reduction."""
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class HuberLoss(Loss):
    """d²/2 where d = |prediction - label| <= delta, and delta (d - delta/2) beyond, entry by entry."""

    delta: Number = Fraction(1)
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make delta exact and positive."""
        set_field(self, "delta", positive(exact(self.delta, "delta"), "delta"))
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class SmoothL1Loss(Loss):
    """d²/(2 beta) where d = |prediction - label| <= beta, and d - beta/2 beyond: the Huber loss divided by beta."""

    beta: Number = Fraction(1)
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make beta exact and positive."""
        set_field(self, "beta", positive(exact(self.beta, "beta"), "beta"))
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class LogCoshLoss(Loss):
    """log cosh(prediction - label), entry by entry."""

    reduction: str = "none"

    def __post_init__(self) -> None:
        """Check the reduction."""
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class HingeLoss(Loss):
    """max(0, 1 - label prediction), entry by entry; a label is -1 or 1."""

    reduction: str = "none"

    def __post_init__(self) -> None:
        """Check the reduction."""
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class PoissonNll(Loss):
    """The negative log-likelihood of Poisson counts, without log label!, entry by entry.

    `log_input`: exp(prediction) - label prediction, of the logarithm of a rate. Otherwise the prediction is a rate:
    prediction - label log(prediction + epsilon).
    """

    log_input: bool = True
    epsilon: Number = Fraction(1, 10**8)
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        instance_of(self.log_input, "log_input", (bool,), "True or False")
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class GaussianNll(Loss):
    """(log s + (prediction - label)² / s) / 2 with s = max(variance, epsilon), entry by entry.

    `full` adds log(2 pi) / 2.
    """

    epsilon: Number = Fraction(1, 10**6)
    full: bool = False
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))
        instance_of(self.full, "full", (bool,), "True or False")
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class CosineSimilarity(Operation):
    """y = <x, y> / (|x| |y|) along `axis`, with the lengths kept from zero by epsilon.

    `epsilon_at` "each": max(|x|, epsilon) max(|y|, epsilon); "product": max(|x| |y|, epsilon); "square": the root of
    max(|x|², epsilon) max(|y|², epsilon). With epsilon 0 both lengths are positive.
    """

    axis: int = -1
    epsilon: Number = Fraction(1, 10**8)
    epsilon_at: str = "each"

    def __post_init__(self) -> None:
        """Make epsilon exact and not negative."""
        one_axis(self.axis)
        epsilon = exact(self.epsilon, "epsilon")
        if epsilon < 0:
            raise ValueError(f"epsilon = {epsilon}: expected a number >= 0")
        set_field(self, "epsilon", epsilon)
        one_of(self.epsilon_at, "epsilon_at", ("each", "product", "square"))
