"""Optimizers: lenses on parameters (arXiv:2103.01931, section 3.4). Conventions are fields.

Each is written for a gradient g; as an update it receives the cotangent p' after the cap, and g = -p'. Where the rate
stands in the cap, the update's own `rate` is 1.
"""

from fractions import Fraction

from lenticulum.terms.exact import Number, exact, in_range, not_negative, one_of, positive
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import Value, set_field, value


class Update(Value):
    """A stateful update: a point to evaluate the model at, and the next state and parameters."""

    __slots__ = ()

    def state_shapes(self, parameters: Tree) -> Tree:
        """Return the shapes of the state, from those of the parameters."""
        return Tree()


@value
class GradientDescent(Update):
    """p <- p - rate g."""

    rate: Number = 1

    def __post_init__(self) -> None:
        """Make the rate exact."""
        set_field(self, "rate", exact(self.rate, "rate"))


@value
class Momentum(Update):
    """b <- decay b + (1 - dampening) g; p <- p - rate b. The first b is undamped g, or damped (`first`).

    `rate_in`: "step" as above, or "buffer": b <- decay b + rate (1 - dampening) g; p <- p - b.
    """

    rate: Number = 1
    decay: Number = Fraction(9, 10)
    dampening: Number = 0
    first: str = "undamped"
    rate_in: str = "step"

    def __post_init__(self) -> None:
        """Make the numbers exact and the conventions known."""
        set_field(self, "rate", exact(self.rate, "rate"))
        set_field(self, "decay", in_range(exact(self.decay, "decay"), "decay", 0, 1, ends="[)"))
        set_field(self, "dampening", in_range(exact(self.dampening, "dampening"), "dampening", 0, 1, ends="[)"))
        one_of(self.first, "first", ("undamped", "damped"))
        one_of(self.rate_in, "rate_in", ("step", "buffer"))

    def state_shapes(self, parameters: Tree) -> Tree:
        """Return the buffer and the count of steps."""
        return Tree(buffer=parameters, count=())


@value
class Nesterov(Update):
    """Momentum evaluated at the look-ahead p - decay * (the last step's move).

    `stores` "parameter": p is stored and the model is evaluated at q = p - rate decay b;
    b <- decay b + g(q); p <- p - rate b. `stores` "look_ahead": q itself is stored (optax, Keras):
    b <- decay b + g; q <- q - rate (g + decay b). One recurrence seen at two points.
    """

    rate: Number = 1
    decay: Number = Fraction(9, 10)
    stores: str = "parameter"
    rate_in: str = "step"

    def __post_init__(self) -> None:
        """Make the numbers exact and the conventions known."""
        set_field(self, "rate", exact(self.rate, "rate"))
        set_field(self, "decay", in_range(exact(self.decay, "decay"), "decay", 0, 1, ends="[)"))
        one_of(self.stores, "stores", ("parameter", "look_ahead"))
        one_of(self.rate_in, "rate_in", ("step", "buffer"))

    def state_shapes(self, parameters: Tree) -> Tree:
        """Return the buffer."""
        return Tree(buffer=parameters)


@value
class Adagrad(Update):
    """a <- a + g^2; p <- p - rate g / (sqrt(a) + epsilon). The first a is `start`.

    `epsilon_at`: "outside" the root as above (Duchi et al.; PyTorch, with start 0), or "inside":
    p <- p - rate g / sqrt(a + epsilon) (optax and Keras, with start 1/10).
    """

    rate: Number = Fraction(1, 100)
    start: Number = 0
    epsilon: Number = Fraction(1, 10**10)
    epsilon_at: str = "outside"

    def __post_init__(self) -> None:
        """Make the numbers exact and the conventions known; the denominator must never be zero."""
        set_field(self, "rate", exact(self.rate, "rate"))
        for name in ("start", "epsilon"):
            set_field(self, name, not_negative(exact(getattr(self, name), name), name))
        if self.start == self.epsilon == 0:
            raise ValueError(
                "start = 0 and epsilon = 0: expected one of them positive, else a zero gradient has no step"
            )
        one_of(self.epsilon_at, "epsilon_at", ("outside", "inside"))

    def state_shapes(self, parameters: Tree) -> Tree:
        """Return the sum of the squared gradients."""
        return Tree(accumulator=parameters)


@value
class Adam(Update):
    """m, v: averages of g and g^2; p <- p - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t) + epsilon_root) + epsilon).

    The state holds raw moments and the running products b1^t, b2^t (equivalent to a counter, exactly).
    `epsilon_at`: "corrected" as above (Kingma and Ba, Algorithm 1; optax, PyTorch), or "raw":
    rate sqrt(1 - b2^t) / (1 - b1^t) * m / (sqrt v + epsilon) (the reordered form; Keras).
    """

    rate: Number = Fraction(1, 1000)
    first_decay: Number = Fraction(9, 10)
    second_decay: Number = Fraction(999, 1000)
    epsilon: Number = Fraction(1, 10**8)
    epsilon_root: Number = 0
    epsilon_at: str = "corrected"

    def __post_init__(self) -> None:
        """Make the numbers exact and the conventions known."""
        set_field(self, "rate", exact(self.rate, "rate"))
        for name in ("first_decay", "second_decay"):
            set_field(self, name, in_range(exact(getattr(self, name), name), name, 0, 1, ends="[)"))
        set_field(self, "epsilon", positive(exact(self.epsilon, "epsilon"), "epsilon"))
        set_field(self, "epsilon_root", not_negative(exact(self.epsilon_root, "epsilon_root"), "epsilon_root"))
        one_of(self.epsilon_at, "epsilon_at", ("corrected", "raw"))

    def state_shapes(self, parameters: Tree) -> Tree:
        """Return both moments, then both running products."""
        return Tree(first_moment=parameters, second_moment=parameters, first_power=(), second_power=())
