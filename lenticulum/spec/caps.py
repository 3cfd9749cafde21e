"""Sinks and the learning-rate cap: the one map from a wire to its cotangent (arXiv:2103.01931, Definition 3.8)."""

from lenticulum.numbers import ExactArray
from lenticulum.spec.data import Data, array, map_data
from lenticulum.terms import LearningRate, Sink


def loss_cotangent(cap: LearningRate, loss: Data) -> ExactArray:
    """Return alpha(loss): -rate, or -rate * loss (equations 3.9, 3.10). The only place where descent enters."""
    value = array(loss, "LearningRate")
    rate = value.lift(cap.rate)  # pyright: ignore[reportArgumentType]
    return -rate if cap.kind == "constant" else -(rate * value)


def sink_cotangent(sink: Sink, wire: Data) -> Data:
    """Return the cotangent that a sink gives to its wire: `number` at every entry, or number * the wire."""

    def of(leaf: ExactArray) -> ExactArray:
        number = leaf.lift(sink.number, leaf.shape)  # pyright: ignore[reportArgumentType]
        return number if sink.kind == "constant" else leaf * number

    return map_data(of, wire)
