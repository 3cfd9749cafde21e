"""Layers of Keras with the JAX back end, through stateless calls."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from lenticulum.catalog import Entry
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.framework import Arrays, Framework
from lenticulum.check.subjects.layout import Layout, channels_last
from lenticulum.check.subjects.windows import each_axis, no_words, pairs
from lenticulum.check.target import KERAS_BACKEND


class KerasLayers(Framework):
    """A layer is made again from its configuration for the shapes of the data, built, and called without its state."""

    sizes = {
        "units": "outputs",
        "filters": "outputs",
        "kernel_size": "window",
        "input_dim": "inputs",
        "output_dim": "outputs",
    }
    spelling = {"dilation_rate": "dilation", "pool_size": "window", "momentum": "new_weight"}
    opposite = ("momentum",)

    def build(self, kind: type, keywords: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Construct it in the float format of the data, and build it, outside of any trace."""
        with jax.ensure_compile_time_eval():
            dtype = next((each.dtype.name for each in data if each.dtype.kind in "fV"), None)
            given = keywords if dtype is None or "dtype" in keywords else {**keywords, "dtype": dtype}
            return self._built(kind(**given), data)

    def resized(self, instance: Any, sizes: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Make another layer of the same configuration."""
        with jax.ensure_compile_time_eval():
            return self._built(type(instance).from_config({**instance.get_config(), **sizes}), data)

    def _built(self, layer: Any, data: Sequence[Any]) -> Any:
        if data and not layer.built:
            layer.build(data[0].shape)
        return layer

    def forward(self, module: Any) -> Any:
        """The method called call."""
        return module.call

    def fields(self, module: Any) -> Mapping[str, Any]:
        """Its configuration."""
        return module.get_config()

    def axes(self, module: Any) -> int | None:
        """Convolutions and pools have a rank."""
        window = module.get_config().get("kernel_size") or module.get_config().get("pool_size")
        return len(window) if isinstance(window, list | tuple) else None

    def arrays(self, module: Any, data: Sequence[np.ndarray]) -> dict[str, tuple[int, ...]]:
        """Its variables, but for the states of random numbers."""
        return {each.name: tuple(each.shape) for each in module.variables if "seed" not in each.name}

    def apply(self, module: Any, arrays: Arrays, data: Sequence[Any], training: bool) -> tuple[Any, Arrays]:
        """Call it with these values for its variables."""
        trainable = [arrays[each.name] for each in module.trainable_variables]
        # The state of random numbers is the layer's own.
        fixed = [arrays.get(each.name, each.value) for each in module.non_trainable_variables]
        mode = {"training": training} if fixed else {}
        y, after = module.stateless_call(trainable, fixed, *data, **mode)
        changed = zip((each.name for each in module.non_trainable_variables), after, strict=True)
        return y, {**arrays, **dict(changed)}

    def read(self, role: str, name: str, value: Any, module: Any, entry: Entry) -> Any:
        """Sizes of windows for every axis."""
        if role == "padding":
            return pairs(value, self.axes(module) or 1, type(module).__name__)
        return each_axis(value, self.axes(module) or 1) if role in ("stride", "dilation", "window") else value

    def written(self, role: str, value: Any) -> Any:
        """Padding is a word."""
        return no_words(value) if role == "padding" else value

    def layout(self, entry: Entry, module: Any) -> Layout:
        """Channels last, kernels [..., inputs, outputs].

        Raises: CallError for a layer with channels first.
        """
        config = module.get_config()
        if config.get("data_format") == "channels_first" or entry.name == "group_norm" and config["axis"] != -1:
            raise CallError(f"{type(module).__name__}: expected the channels last (the default of Keras)")
        return channels_last(entry.name, type(module).__name__)


def is_keras(subject: Any) -> bool:
    """Return whether a subject is a layer of Keras, or a class of them; Keras is not imported for the question."""
    layer = getattr(sys.modules.get("keras"), "Layer", None)
    return layer is not None and (
        isinstance(subject, layer) or isinstance(subject, type) and issubclass(subject, layer)
    )


def require_jax(subject: Any, name: str) -> None:
    """Refuse a function or layer of Keras with another back end. Raises: CallError."""
    if "keras" not in sys.modules:
        return
    home = getattr(subject if isinstance(subject, type) else type(subject), "__module__", "")
    if not (is_keras(subject) or home.startswith("keras.") or getattr(subject, "__module__", "").startswith("keras.")):
        return
    backend = sys.modules["keras"].backend.backend()
    if backend != "jax":
        raise CallError(f"{name}: keras runs on {backend}, and its layers are checked on JAX; {KERAS_BACKEND}")
