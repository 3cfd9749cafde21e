"""The fast recurrences of the optimizers: plain functions on trees."""

from lenticulum.fast.optimizers.adagrad import adagrad
from lenticulum.fast.optimizers.adam import adam
from lenticulum.fast.optimizers.gradient_descent import gradient_descent
from lenticulum.fast.optimizers.momentum import momentum
from lenticulum.fast.optimizers.nesterov import nesterov, nesterov_point
from lenticulum.fast.optimizers.update import initial_update_state, recurrence, update_next, update_point

__all__ = [
    "adagrad",
    "adam",
    "gradient_descent",
    "initial_update_state",
    "momentum",
    "nesterov",
    "nesterov_point",
    "recurrence",
    "update_next",
    "update_point",
]
