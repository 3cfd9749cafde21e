"""Which library of modules a subject is of; none is imported for the question."""

from __future__ import annotations

from typing import Any

from lenticulum.check.subjects.flax_module import LinenModules, NnxModules, is_linen, is_nnx
from lenticulum.check.subjects.framework import Framework
from lenticulum.check.subjects.keras_layer import KerasLayers, is_keras
from lenticulum.check.subjects.torch_module import TorchModules, is_torch

FRAMEWORKS: tuple[tuple[Any, Framework], ...] = (
    (is_torch, TorchModules()),
    (is_linen, LinenModules()),
    (is_nnx, NnxModules()),
    (is_keras, KerasLayers()),
)


def framework_of(subject: Any) -> Framework | None:
    """Return the library of a module, or None if the subject is no module of one that is imported."""
    return next((framework for is_module, framework in FRAMEWORKS if is_module(subject)), None)
