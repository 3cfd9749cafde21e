"""What the optimizers mean, exactly: the textbook recurrences on trees of parameters and gradients."""

from lenticulum.spec.optimizers.adagrad import adagrad
from lenticulum.spec.optimizers.adam import adam
from lenticulum.spec.optimizers.gradient_descent import gradient_descent
from lenticulum.spec.optimizers.momentum import momentum
from lenticulum.spec.optimizers.nesterov import look_ahead, nesterov
from lenticulum.spec.optimizers.update import initial_update_state, update_next, update_point

__all__ = [
    "adagrad",
    "adam",
    "gradient_descent",
    "initial_update_state",
    "look_ahead",
    "momentum",
    "nesterov",
    "update_next",
    "update_point",
]
