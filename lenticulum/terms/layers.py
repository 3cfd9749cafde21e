"""The layers: affine maps, activations, normalisations, dropout. Conventions are fields."""

from fractions import Fraction

from lenticulum.terms.exact import Number, count, exact, in_range, one_of, positive
from lenticulum.terms.spaces import ONE_ARRAY, ShapeError, Space, bare, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import set_field, value


@value
class Dense(Term):
    """y = x Wᵀ + b, with weight [outputs, inputs] and bias [outputs]."""

    inputs: int
    outputs: int
    use_bias: bool = True

    def __post_init__(self) -> None:
        """Refuse empty shapes."""
        count(self.inputs, "inputs")
        count(self.outputs, "outputs")

    def parameter_shapes(self) -> Tree:
        """Return weight, then bias."""
        weight = Tree(weight=(self.outputs, self.inputs))
        return weight.with_entries(bias=(self.outputs,)) if self.use_bias else weight

    def target(self, source: Space) -> Space:
        """Return [outputs]."""
        unify(self.inputs, source, "Dense")
        return self.outputs


@value
class Bias(Term):
    """y = x + b."""

    features: int

    def __post_init__(self) -> None:
        """Refuse empty shapes."""
        count(self.features, "features")

    def parameter_shapes(self) -> Tree:
        """Return bias."""
        return Tree(bias=(self.features,))

    def target(self, source: Space) -> Space:
        """Return [features]."""
        return unify(self.features, source, "Bias")


@value
class Softmax(Term):
    """y = exp x / sum exp x along the last axis."""

    def target(self, source: Space) -> Space:
        """Return the source, which is one array."""
        return one_array(source, "Softmax")


@value
class LayerNorm(Term):
    """y = weight (x - mean) / sqrt(var + epsilon) + bias over the last axis, population variance."""

    features: int
    epsilon: Number = Fraction(1, 100_000)
    use_weight: bool = True
    use_bias: bool = True

    def __post_init__(self) -> None:
        """Make epsilon exact and positive."""
        count(self.features, "features")
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))

    def parameter_shapes(self) -> Tree:
        """Return weight, then bias, as far as they are used."""
        return affine_shapes(self.features, self.use_weight, self.use_bias)

    def target(self, source: Space) -> Space:
        """Return [features]."""
        return unify(self.features, source, "LayerNorm")


@value
class BatchNorm(Term):
    """Normalise each feature over the batch; one record for the conventions of many libraries.

    `new_weight` w: running' = (1 - w) running + w batch. `running_variance`: which estimate is averaged (the normaliser
    is always the population variance). `normaliser`: batch statistics, or the running pair including this batch.
    `start`: plain (0, 1), corrected (hidden from 0, divided by 1 - (1-w)^k), first_batch, or cumulative (w = 1/k).
    `single`: what happens to a batch of one element under the sample variance. `before_first_step`: what evaluation
    does with no training step: use (0, 1), or reject.
    """

    features: int
    epsilon: Number = Fraction(1, 100_000)
    new_weight: Number = Fraction(1, 10)
    running_variance: str = "sample"
    normaliser: str = "batch"
    start: str = "plain"
    single: str = "population"
    before_first_step: str = "plain"
    track: bool = True
    use_weight: bool = True
    use_bias: bool = True

    def __post_init__(self) -> None:
        """Make the numbers exact and the conventions known."""
        count(self.features, "features")
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))
        weight = in_range(exact(self.new_weight, "new_weight"), "new_weight", 0, 1, ends="()")
        set_field(self, "new_weight", weight)
        one_of(self.running_variance, "running_variance", ("sample", "population"))
        one_of(self.normaliser, "normaliser", ("batch", "running"))
        one_of(self.start, "start", ("plain", "corrected", "first_batch", "cumulative"))
        one_of(self.single, "single", ("population", "reject"))
        one_of(self.before_first_step, "before_first_step", ("plain", "reject"))
        if self.normaliser == "running" and not self.track:
            raise ValueError("normaliser = 'running' needs track = True: there is no running pair to normalise with")

    def parameter_shapes(self) -> Tree:
        """Return weight, then bias, as far as they are used."""
        return affine_shapes(self.features, self.use_weight, self.use_bias)

    def state_shapes(self) -> Tree:
        """Return running_mean and running_variance, and a count where the start value or the first step needs one."""
        if not self.track:
            return Tree()
        running = Tree(running_mean=(self.features,), running_variance=(self.features,))
        return running.with_entries(count=()) if self.counts() else running

    def counts(self) -> bool:
        """Return whether the number of training steps belongs to the state."""
        return self.start != "plain" or self.before_first_step == "reject"

    def target(self, source: Space) -> Space:
        """Return [features]."""
        return unify(self.features, source, "BatchNorm")


@value
class Dropout(Term):
    """Train: y = x mask / (1 - rate); eval: y = x.

    `draws`: "key" (the mask is drawn from the key of this application, derived from the layer's path) or "seed_stream"
    (the SplitMix64 stream of TorchLean, arXiv:2602.22631: seed and count are state). `rate` = 1 gives zeros, or is
    rejected (`at_one`).
    """

    rate: Number = Fraction(1, 2)
    draws: str = "key"
    at_one: str = "zero"

    def __post_init__(self) -> None:
        """Make the rate exact; the message states the allowed range and the value received."""
        one_of(self.draws, "draws", ("key", "seed_stream"))
        one_of(self.at_one, "at_one", ("zero", "reject"))
        ends = "[]" if self.at_one == "zero" else "[)"
        set_field(self, "rate", in_range(exact(self.rate, "rate"), "rate", 0, 1, ends=ends))

    def state_shapes(self) -> Tree:
        """Return seed (two 32-bit words, high first) and count for the seed stream, whatever the rate."""
        return Tree(seed=(2,), count=()) if self.draws == "seed_stream" else Tree()

    def target(self, source: Space) -> Space:
        """Return the source, which is one array."""
        return one_array(source, "Dropout")


def affine_shapes(features: int, use_weight: bool, use_bias: bool) -> Tree:
    """Return the shapes of an elementwise affine map, as far as its halves are used.

    >>> affine_shapes(3, True, True)
    Tree(weight=(3,), bias=(3,))
    """
    used = {"weight": use_weight, "bias": use_bias}
    return Tree({name: (features,) for name, use in used.items() if use})


def one_array(source: Space, part: str) -> Space:
    """Return the source if it is one array of features, not a product.

    >>> one_array(3, "Softmax")
    3
    """
    if isinstance(bare(source), int | None):
        return source
    raise ShapeError(part, ONE_ARRAY, source)
