"""Cross-entropies on logits and their relatives, with the conventions in which libraries differ."""

from fractions import Fraction

from lenticulum.terms.exact import Number, exact, in_range, instance_of, one_of
from lenticulum.terms.operations.axes import one_axis
from lenticulum.terms.operations.losses import ENTRY_REDUCTIONS, REDUCTIONS, Loss
from lenticulum.terms.value import set_field, value


@value
class SoftmaxCrossEntropy(Loss):
    """-sum_c weight_c label'_c log softmax(prediction)_c over the classes, which lie along `axis`.

    label' = (1 - label_smoothing) label + label_smoothing / classes; labels need not be normalised. weight [classes]
    is 1 if it is absent. `reduction`: of the rows.
    """

    axis: int = -1
    label_smoothing: Number = Fraction(0)
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make the smoothing exact, from 0 to 1."""
        one_axis(self.axis)
        smoothing = exact(self.label_smoothing, "label_smoothing")
        set_field(self, "label_smoothing", in_range(smoothing, "label_smoothing", 0, 1, ends="[]"))
        one_of(self.reduction, "reduction", REDUCTIONS)


@value
class SoftmaxCrossEntropyInteger(Loss):
    """The same with the label as the number of a class; a row whose label is `ignore_index` has loss 0.

    `reduction` "mean": over the rows that are not ignored; "weighted_mean": the sum divided by that of the weights of
    their labels. Any other number outside 0 <= label < classes is an error.
    """

    axis: int = -1
    label_smoothing: Number = Fraction(0)
    ignore_index: int | None = None
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make the smoothing exact, from 0 to 1."""
        one_axis(self.axis)
        smoothing = exact(self.label_smoothing, "label_smoothing")
        set_field(self, "label_smoothing", in_range(smoothing, "label_smoothing", 0, 1, ends="[]"))
        if self.ignore_index is not None:
            instance_of(self.ignore_index, "ignore_index", (int,), "an int or None")
        one_of(self.reduction, "reduction", (*REDUCTIONS, "weighted_mean"))


@value
class SigmoidCrossEntropy(Loss):
    """-label log sigmoid(prediction) - (1 - label) log sigmoid(-prediction), entry by entry."""

    reduction: str = "none"

    def __post_init__(self) -> None:
        """Check the reduction."""
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class FocalLoss(Loss):
    """The sigmoid cross-entropy times q^gamma, q = label sigmoid(-prediction) + (1 - label) sigmoid(prediction).

    q is the probability of the wrong class. `alpha`: times alpha label + (1 - alpha)(1 - label), or None. A label lies
    in [0, 1].
    """

    gamma: Number = Fraction(2)
    alpha: Number | None = None
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Make gamma and alpha exact; gamma is not negative."""
        gamma = exact(self.gamma, "gamma")
        if gamma < 0:
            raise ValueError(f"gamma = {gamma}: expected a number >= 0")
        set_field(self, "gamma", gamma)
        if self.alpha is not None:
            set_field(self, "alpha", exact(self.alpha, "alpha"))
        one_of(self.reduction, "reduction", ENTRY_REDUCTIONS)


@value
class KlDivergence(Loss):
    """label (log label - prediction), the prediction being a logarithm, entry by entry; 0 where the label is 0.

    `log_target`: the label is given as its logarithm: exp(label) (label - prediction). `reduction` "row" sums over
    the last axis, "batch_mean" divides the sum by the length of the first axis.
    """

    log_target: bool = False
    reduction: str = "none"

    def __post_init__(self) -> None:
        """Check the conventions."""
        instance_of(self.log_target, "log_target", (bool,), "True or False")
        one_of(self.reduction, "reduction", (*REDUCTIONS, "row", "batch_mean"))
