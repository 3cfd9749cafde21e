"""Modules of Flax: flax.linen, which are applied to variables, and flax.nnx, which hold them."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from lenticulum.catalog import Entry
from lenticulum.check.subjects.framework import Arrays, Framework
from lenticulum.check.subjects.layout import Layout, channels_last
from lenticulum.check.subjects.windows import each_axis, pairs


class _Flax(Framework):
    """What both have in common: names, and the layout with channels last."""

    sizes = {
        "features": "outputs",
        "num_embeddings": "inputs",
        "kernel_size": "window",
        "in_features": "inputs",
        "out_features": "outputs",
        "num_features": "features",
    }
    spelling = {
        "kernel_dilation": "dilation",
        "momentum": "new_weight",
        "mean": "running_mean",
        "var": "running_variance",
    }
    opposite = ("momentum",)

    def axes(self, module: Any) -> int | None:
        """A convolution has the size of its window for each axis."""
        window = getattr(module, "kernel_size", None)
        return None if window is None else 1 if isinstance(window, int) else len(window)

    def read(self, role: str, name: str, value: Any, module: Any, entry: Entry) -> Any:
        """Sizes of windows for every axis."""
        if role == "padding":
            return pairs(value, self.axes(module) or 1, type(module).__name__)
        return each_axis(value, self.axes(module) or 1) if role in ("stride", "dilation") else value

    def layout(self, entry: Entry, module: Any) -> Layout:
        """Channels last, kernels [..., inputs, outputs]."""
        return channels_last(entry.name, type(module).__name__)


class LinenModules(_Flax):
    """A module of flax.linen is a dataclass; its arrays are variables by collection and name."""

    def build(self, kind: type, keywords: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Construct it."""
        return kind(**keywords)

    def resized(self, instance: Any, sizes: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Clone it."""
        return instance.clone(**sizes)

    def fields(self, module: Any) -> Mapping[str, Any]:
        """The fields of the dataclass."""
        return {field.name: getattr(module, field.name) for field in dataclasses.fields(module)}

    def forward(self, module: Any) -> Any:
        """Its call."""
        return module.__call__

    def arrays(self, module: Any, data: Sequence[np.ndarray]) -> dict[str, tuple[int, ...]]:
        """What init makes; the path of a variable within its collection is its name."""
        made = jax.eval_shape(
            _in_mode(module, False).init, jax.random.key(0), *(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in data)
        )
        return {name: leaf.shape for _, name, leaf in _paths(made)}

    def apply(self, module: Any, arrays: Arrays, data: Sequence[Any], training: bool) -> tuple[Any, Arrays]:
        """Apply it to the variables; those of the statistics may be written."""
        variables: dict[str, Any] = {}
        for name, array in arrays.items():
            collection = "batch_stats" if name in ("mean", "var") else "params"
            *above, last = name.split("/")
            place = variables.setdefault(collection, {})
            for each in above:
                place = place.setdefault(each, {})
            place[last] = array
        y, after = _in_mode(module, training).apply(variables, *data, mutable=["batch_stats"])
        return y, {**arrays, **{name: leaf for _, name, leaf in _paths(after)}}


def _in_mode(module: Any, training: bool) -> Any:
    """Return a module in a mode, which of a batch norm is a field."""
    return module.clone(use_running_average=not training) if hasattr(module, "use_running_average") else module


def _paths(variables: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Return collection, name and leaf of each variable."""
    found = []
    for path, leaf in jax.tree_util.tree_flatten_with_path(variables)[0]:
        collection, *names = (str(each.key) for each in path)
        found.append((collection, "/".join(names), leaf))
    return found


class NnxModules(_Flax):
    """A module of flax.nnx holds variables; a graph and a state make a new one, so that none is changed."""

    def build(self, kind: type, keywords: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Construct it with a seed, outside of any trace."""
        needs = {"rngs"} & set(self.parameters(kind))
        with jax.ensure_compile_time_eval():
            return kind(**keywords, **{name: sys.modules["flax.nnx"].Rngs(0) for name in needs})

    def resized(self, instance: Any, sizes: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Make a copy, and set the fields that say sizes."""
        nnx = sys.modules["flax.nnx"]
        with jax.ensure_compile_time_eval():
            found = nnx.clone(instance)
            for name, size in sizes.items():
                setattr(found, name, size)
        return found

    def forward(self, module: Any) -> Any:
        """Its call."""
        return module.__call__

    def fields(self, module: Any) -> Mapping[str, Any]:
        """The attributes that are no variables."""
        variable = sys.modules["flax.nnx"].Variable
        return {name: value for name, value in vars(module).items() if not isinstance(value, variable)}

    def arrays(self, module: Any, data: Sequence[np.ndarray]) -> dict[str, tuple[int, ...]]:
        """Parameters and running statistics."""
        return {name: tuple(variable.shape) for name, variable in _variables(module)[1].items()}

    def apply(self, module: Any, arrays: Arrays, data: Sequence[Any], training: bool) -> tuple[Any, Arrays]:
        """Make a module of the same graph with these arrays, and call it."""
        nnx = sys.modules["flax.nnx"]
        graph, variables, rest = _variables(module)
        state = [(tuple(name.split("/")), each.replace(arrays[name])) for name, each in variables.items()]
        filled = nnx.merge(graph, nnx.from_flat_state(state), rest)
        filled.train() if training else filled.eval()
        y = filled(*data)
        return y, {name: each.get_value() for name, each in _variables(filled)[1].items()}


def _variables(module: Any) -> tuple[Any, dict[str, Any], Any]:
    nnx = sys.modules["flax.nnx"]
    graph, state, rest = nnx.split(module, (nnx.Param, nnx.BatchStat), ...)
    return graph, {"/".join(map(str, path)): each for path, each in nnx.to_flat_state(state)}, rest


def is_linen(subject: Any) -> bool:
    """Return whether a subject is a module of flax.linen, or a class of them; Flax is not imported for the question."""
    return _is(subject, "flax.linen")


def is_nnx(subject: Any) -> bool:
    """Return whether a subject is a module of flax.nnx, or a class of them; Flax is not imported for the question."""
    return _is(subject, "flax.nnx")


def _is(subject: Any, home: str) -> bool:
    module = getattr(sys.modules.get(home), "Module", None)
    return module is not None and (
        isinstance(subject, module) or isinstance(subject, type) and issubclass(subject, module)
    )
