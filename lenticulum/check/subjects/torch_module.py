"""Modules of PyTorch: classes and instances of torch.nn.Module."""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lenticulum.catalog import Entry
from lenticulum.check.subjects.framework import Arrays, Framework
from lenticulum.check.subjects.host import TORCH
from lenticulum.check.subjects.windows import each_axis, pairs


class TorchModules(Framework):
    """Arrays are put into a module by torch.func.functional_call, which leaves it as it is."""

    host = TORCH
    sizes = {
        "in_features": "inputs",
        "out_features": "outputs",
        "in_channels": "inputs",
        "out_channels": "outputs",
        "kernel_size": "window",
        "num_embeddings": "inputs",
        "embedding_dim": "outputs",
        "num_features": "features",
        "num_channels": "features",
        "normalized_shape": "features",
    }
    spelling = {"count_include_pad": "divisor", "momentum": "new_weight"}

    def build(self, kind: type, keywords: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Construct it; its own initial values are replaced in every call."""
        return kind(**keywords)

    def resized(self, instance: Any, sizes: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Copy it, and set the fields that say sizes."""
        found = copy.deepcopy(instance)
        for name, size in sizes.items():
            old = getattr(found, name)
            setattr(found, name, (size,) if isinstance(old, tuple) and isinstance(size, int) else size)
        return found

    def arrays(self, module: Any, data: Sequence[np.ndarray]) -> dict[str, tuple[int, ...]]:
        """Parameters and buffers; the number of batches seen is no array of a definition."""
        named = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        return {name: tuple(array.shape) for name, array in named.items() if name != "num_batches_tracked"}

    def apply(self, module: Any, arrays: Arrays, data: Sequence[Any], training: bool) -> tuple[Any, Arrays]:
        """Call it; a buffer is written in place, so each call gets its own."""
        held = {name: array.clone() for name, array in arrays.items()}
        y = sys.modules["torch"].func.functional_call(module.train(training), held, tuple(data))
        return y, held

    def fields(self, module: Any) -> Mapping[str, Any]:
        """Its attributes, and over how many axes it normalises."""
        shape = getattr(module, "normalized_shape", None)
        return {**vars(module), **({"axes": len(shape)} if isinstance(shape, tuple) else {})}

    def forward(self, module: Any) -> Any:
        """The method called forward."""
        return module.forward

    def axes(self, module: Any) -> int | None:
        """Conv2d and AvgPool2d say it in their names."""
        name = type(module).__name__
        return int(name[-2]) if name[-2:] in ("1d", "2d", "3d") else None

    def read(self, role: str, name: str, value: Any, module: Any, entry: Entry) -> Any:
        """Sizes of windows for every axis, words, and the epsilon None, which is that of the dtype."""
        if role == "padding":
            return pairs(value, self.axes(module) or 1, type(module).__name__)
        if role in ("stride", "dilation", "window", "extra"):
            return each_axis(value, self.axes(module) or 1)
        if role == "divisor":
            return "window" if value else "inside"
        if role == "reduction":
            weighted = entry.name == "softmax_cross_entropy_integer" and value == "mean"
            return "weighted_mean" if weighted else {"batchmean": "batch_mean"}.get(value, value)
        return value

    def written(self, role: str, value: Any) -> Any:
        """As its functions take them."""
        return TORCH.word(role, value)


def is_torch(subject: Any) -> bool:
    """Return whether a subject is a module of torch, or a class of them; torch is not imported for the question."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "nn"):
        return False
    return isinstance(subject, torch.nn.Module) or isinstance(subject, type) and issubclass(subject, torch.nn.Module)
