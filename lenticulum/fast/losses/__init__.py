"""The fast meanings of the losses and of the learning-rate cap."""

from lenticulum.fast.losses.cross_entropy import cross_entropy
from lenticulum.fast.losses.dot import dot
from lenticulum.fast.losses.learning_rate import learning_rate
from lenticulum.fast.losses.sink import sink
from lenticulum.fast.losses.squared import squared

__all__ = ["cross_entropy", "dot", "learning_rate", "sink", "squared"]
