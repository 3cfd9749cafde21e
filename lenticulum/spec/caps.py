"""The learning-rate cap: the one map from a loss to its cotangent (arXiv:2103.01931, Definition 3.8)."""

from lenticulum.numbers import ExactArray
from lenticulum.spec.data import Data, array
from lenticulum.terms import LearningRate


def loss_cotangent(cap: LearningRate, loss: Data) -> ExactArray:
    """Return alpha(loss): -rate, or -rate * loss (equations 3.9, 3.10). The only place where descent enters."""
    value = array(loss, "LearningRate")
    rate = value.lift(cap.rate)  # pyright: ignore[reportArgumentType]
    return -rate if cap.kind == "constant" else -(rate * value)
