"""Subject: what every adapter offers to the checker."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.environment import Environment, probe
from lenticulum.check.errors import CallError
from lenticulum.check.target import Source, one_line
from lenticulum.terms import exact

Numbers = Mapping[str, Fraction]
Inputs = Mapping[str, Any]


class Raised(Exception):
    """The subject raised an exception when it was called; `inputs`: the part of the arguments at which, if known."""

    def __init__(self, error: BaseException, inputs: Inputs | None = None) -> None:
        super().__init__(one_line(error))
        self.error, self.inputs = error, inputs


class WrongType(Exception):
    """The subject returned something of the wrong structure, shape or dtype."""

    kind = "type"


class Mutates(WrongType):
    """The subject changed one of its arguments: what it returned belongs to none that was passed."""

    kind = "mutates"


class Subject(ABC):
    """A kernel with named roles.

    `source`: how to write it. `numbers`: the hyper-parameters that it takes as arguments. `received`: those that it has
    by itself (fields of an instance, bound arguments), settings of an operation among them. `absent`: the optional
    roles that it does not have; `required`: those that it cannot be called without. `shapes`: shapes that it fixes, by
    role. `ranks`: numbers of axes that it fixes. `modes`: compiled, plain, or both. `notes`: what a result says of it.
    """

    source: Source
    numbers: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    modes: tuple[bool, ...] = (True, False)

    def __init__(self) -> None:
        self.received: dict[str, Any] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.ranks: dict[str, int] = {}
        self.notes: list[str] = []

    def environment(self, dtype: str) -> Environment:
        """Return the observed environment in which the subject runs."""
        return probe(dtype)

    @abstractmethod
    def call(self, inputs: Inputs, numbers: Numbers, *, compiled: bool) -> dict[str, Any]:
        """Return the outputs by name, as NumPy arrays. Raises: Raised, WrongType."""

    @abstractmethod
    def snippet(self, inputs: Inputs, numbers: Numbers, output: str, *, compiled: bool) -> list[str]:
        """Return the lines of a program that repeats a call and leaves the output in `got`."""


#: Other spellings of array roles. Roles only: no numbers and no shapes.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "x": ("inputs", "input", "a", "arr", "logits", "data"),
    "weight": ("weights", "w", "W", "kernel", "scale", "gamma", "embedding", "embeddings"),
    "bias": ("b", "beta", "offset", "shift"),
    "label": ("labels", "target", "targets", "y_true", "expected", "log_targets"),
    "prediction": (
        "predictions",
        "logits",
        "y_pred",
        "outputs",
        "predicted",
        "input",
        "predictor_outputs",
        "log_predictions",
    ),
    "parameters": ("parameter", "params", "param", "p"),
    "gradient": ("gradients", "grad", "grads", "g", "updates"),
    "buffer": ("trace", "velocity", "momentum_buffer"),
    "first_moment": ("mu", "m", "exp_avg"),
    "second_moment": ("nu", "v", "exp_avg_sq"),
    "accumulator": ("sum_of_squares", "sum", "acc"),
    "running_variance": ("running_var", "moving_variance"),
    "variance": ("var",),
    "running_mean": ("moving_mean",),
    "count": ("step", "t"),
}


def role_of(name: str, wanted: Sequence[str], short: Mapping[str, str], roles: Mapping[str, str]) -> str | None:
    """Return the role among `wanted` that an argument or a field of this name plays.

    `roles` (role -> name) is what the user said, and comes first; then the name itself, the short forms, the synonyms.

    >>> role_of("eps", ["x", "epsilon"], {"eps": "epsilon"}, {})
    'epsilon'
    """
    said = {argument: role for role, argument in roles.items()}
    if name in said:
        return said[name]
    for candidate in (name, short.get(name)):
        if candidate in wanted and candidate not in roles:
            return candidate
    return next((role for role in wanted if role not in roles and name in SYNONYMS.get(role, ())), None)


def number_of(name: str, value: Any) -> Fraction:
    """Return the exact value of a hyper-parameter that a subject has by itself: what the definition is taken at.

    Raises: CallError, under `name`, for anything but one finite number.

    >>> number_of("--bind eps", float("nan"))
    Traceback (most recent call last):
    lenticulum.check.errors.CallError: --bind eps = nan: expected a finite number such as 0.1
    """
    scalar = value.item() if getattr(value, "ndim", None) == 0 else value
    if not isinstance(scalar, int | float | Fraction) or isinstance(scalar, bool) or not abs(scalar) < math.inf:
        raise CallError(f"{name} = {value!r}: expected a finite number such as 0.1")
    return exact(scalar, name)


def floats(numbers: Numbers) -> dict[str, float]:
    """Return what a kernel receives: the nearest binary64 numbers."""
    return {name: float(number) for name, number in numbers.items()}


def arrays_of(outputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return outputs on the host."""
    return {name: np.asarray(array) for name, array in outputs.items()}
