"""Losses: (label, prediction) -> one number, and the learning-rate cap that turns it into a cotangent."""

from fractions import Fraction

from lenticulum.terms.exact import Number, exact, one_of, positive
from lenticulum.terms.layers import one_array
from lenticulum.terms.spaces import SCALAR, UNIT, Space, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import set_field, value


@value
class SquaredLoss(Term):
    """factor * sum (prediction - label)^2. The factor 1/2 is the quadratic loss of arXiv:2103.01931."""

    factor: Number = Fraction(1, 2)

    def __post_init__(self) -> None:
        """Make the factor exact and positive."""
        set_field(self, "factor", positive(exact(self.factor, "factor"), "factor"))

    def target(self, source: Space) -> Space:
        """Return one number; the source is (label, prediction)."""
        return labelled(source, "SquaredLoss")


@value
class CrossEntropyLoss(Term):
    """sum_i label_i (logsumexp(prediction) - prediction_i), summed over every row; labels need not be normalised."""

    def target(self, source: Space) -> Space:
        """Return one number; the source is (label, prediction)."""
        return labelled(source, "CrossEntropyLoss")


@value
class DotLoss(Term):
    """sum label * prediction, over every entry; with a negative learning rate it is what deep dreaming ascends."""

    def target(self, source: Space) -> Space:
        """Return one number; the source is (label, prediction)."""
        return labelled(source, "DotLoss")


@value
class LearningRate(Term):
    """The cap on a loss: a lens (L, L') -> (1, 1), that is one map from the loss to its cotangent.

    `kind` "constant": -rate, the only place where descent enters; "scaled": -rate * loss.
    """

    rate: Number
    kind: str = "constant"

    def __post_init__(self) -> None:
        """Make the rate exact; a negative rate ascends."""
        set_field(self, "rate", exact(self.rate, "rate"))
        one_of(self.kind, "kind", ("constant", "scaled"))

    def target(self, source: Space) -> Space:
        """Return the unit; the source is one number."""
        unify(SCALAR, source, "LearningRate")
        return UNIT


def labelled(source: Space, part: str) -> Space:
    """Return one number if the source is a label and a prediction of one space.

    >>> labelled((3, 3), "SquaredLoss")
    'scalar'
    """
    label, prediction = pair(source, part)
    one_array(unify(label, prediction, part), part)
    return SCALAR
