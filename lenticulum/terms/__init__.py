"""The language: descriptions as frozen values. No data, no arithmetic."""

from lenticulum.terms.exact import Number, exact
from lenticulum.terms.key import key
from lenticulum.terms.layers import BatchNorm, Bias, Dense, Dropout, LayerNorm, Relu, Softmax, Tanh
from lenticulum.terms.lenses import Add, Compose, Copy, Identity, Swap, Tensor, chain
from lenticulum.terms.losses import CrossEntropyLoss, LearningRate, SquaredLoss
from lenticulum.terms.modes import Mode
from lenticulum.terms.optimizers import Adam, GradientDescent, Momentum, Nesterov, Update
from lenticulum.terms.reparametrisations import Freeze, ParameterMap, Reparametrise, Tie, freeze, tie
from lenticulum.terms.spaces import SCALAR, UNIT, ShapeError, Space
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree, map_leaves
from lenticulum.terms.trees import display_name, parameterlength, statelength
from lenticulum.terms.value import Value, replace, value

__all__ = [
    "SCALAR",
    "UNIT",
    "Adam",
    "Add",
    "BatchNorm",
    "Bias",
    "Compose",
    "Copy",
    "CrossEntropyLoss",
    "Dense",
    "Dropout",
    "Freeze",
    "GradientDescent",
    "Identity",
    "LayerNorm",
    "LearningRate",
    "Mode",
    "Momentum",
    "Nesterov",
    "Number",
    "ParameterMap",
    "Path",
    "Relu",
    "Reparametrise",
    "ShapeError",
    "Softmax",
    "Space",
    "SquaredLoss",
    "SupervisedStep",
    "Swap",
    "Tanh",
    "Tensor",
    "Term",
    "Tie",
    "Tree",
    "Update",
    "Value",
    "chain",
    "display_name",
    "exact",
    "freeze",
    "key",
    "map_leaves",
    "parameterlength",
    "replace",
    "statelength",
    "tie",
    "value",
]
