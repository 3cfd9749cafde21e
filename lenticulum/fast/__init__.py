"""The fast interpreter: what a term means, in JAX."""

from lenticulum.fast import arithmetic as arithmetic
from lenticulum.fast import containers as containers
from lenticulum.fast import elementwise as elementwise
from lenticulum.fast import hypernetwork as hypernetwork
from lenticulum.fast import layers as layers
from lenticulum.fast import loops as loops
from lenticulum.fast import losses as losses
from lenticulum.fast import operations as operations
from lenticulum.fast import optimizers as optimizers
from lenticulum.fast import parameter_maps as parameter_maps
from lenticulum.fast import tree as tree
from lenticulum.fast.apply import apply
from lenticulum.fast.batched import Axes, apply_batched
from lenticulum.fast.compiled import CompiledStep, CompiledTerm, advance_in_place, compiled_step, compiled_term
from lenticulum.fast.dream import DreamResult, dream_step
from lenticulum.fast.elementwise import tanh
from lenticulum.fast.elementwise.activations import relu
from lenticulum.fast.initial import initial, initialparameters, initialstates, setup
from lenticulum.fast.initial_maps import initial_map
from lenticulum.fast.layers import batch_norm, bias, dense, dropout, layer_norm, self_attention, softmax
from lenticulum.fast.losses import cross_entropy, dot, learning_rate, sink, squared
from lenticulum.fast.meaning import meaning
from lenticulum.fast.model import Model
from lenticulum.fast.optimizers import (
    adagrad,
    adam,
    gradient_descent,
    initial_update_state,
    momentum,
    nesterov,
    nesterov_point,
    recurrence,
    update_next,
    update_point,
)
from lenticulum.fast.put import put
from lenticulum.fast.pytree import register_node
from lenticulum.fast.reparametrise import parameter_map
from lenticulum.fast.saving import SavedRunError, from_bytes, load_run, save_run, to_bytes
from lenticulum.fast.stateful import Effectful, EvaluationModel, HeldModel, TrainingModel
from lenticulum.fast.static import Skeleton, combine_static, partition_static
from lenticulum.fast.step import StepResult, train_step
from lenticulum.fast.train_state import Advanced, TrainState, advance, advance_all, start_training

__all__ = [
    "Advanced",
    "Axes",
    "CompiledStep",
    "CompiledTerm",
    "DreamResult",
    "Effectful",
    "EvaluationModel",
    "HeldModel",
    "Model",
    "SavedRunError",
    "Skeleton",
    "StepResult",
    "TrainState",
    "TrainingModel",
    "adagrad",
    "adam",
    "advance",
    "advance_all",
    "advance_in_place",
    "apply",
    "apply_batched",
    "batch_norm",
    "bias",
    "combine_static",
    "compiled_step",
    "compiled_term",
    "cross_entropy",
    "dense",
    "dot",
    "dream_step",
    "dropout",
    "from_bytes",
    "gradient_descent",
    "initial",
    "initial_map",
    "initial_update_state",
    "initialparameters",
    "initialstates",
    "layer_norm",
    "learning_rate",
    "load_run",
    "meaning",
    "momentum",
    "nesterov",
    "nesterov_point",
    "parameter_map",
    "partition_static",
    "put",
    "recurrence",
    "register_node",
    "relu",
    "save_run",
    "self_attention",
    "setup",
    "sink",
    "softmax",
    "squared",
    "start_training",
    "tanh",
    "to_bytes",
    "train_step",
    "update_next",
    "update_point",
]
