"""The exact interpreter: what a term means, and the laws it satisfies. No JAX."""

from lenticulum.spec import (
    arithmetic,
    containers,
    elementwise,
    hypernetwork,
    layers,
    losses,
    operations,
    optimizers,
    parameter_maps,
)
from lenticulum.spec.apply import apply
from lenticulum.spec.build import Built, build
from lenticulum.spec.dream import DreamResult, dream_step
from lenticulum.spec.keys import Key
from lenticulum.spec.meaning import meaning
from lenticulum.spec.optimizers.update import initial_update_state, update_next, update_point
from lenticulum.spec.put import put
from lenticulum.spec.reparametrise import parameter_map
from lenticulum.spec.step import StepResult, train_step

__all__ = [
    "Built",
    "DreamResult",
    "Key",
    "StepResult",
    "apply",
    "arithmetic",
    "build",
    "containers",
    "dream_step",
    "elementwise",
    "hypernetwork",
    "initial_update_state",
    "layers",
    "losses",
    "meaning",
    "operations",
    "optimizers",
    "parameter_map",
    "parameter_maps",
    "put",
    "train_step",
    "update_next",
    "update_point",
]
