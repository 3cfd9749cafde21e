"""Modules of flax.nnx as pure modules: a graph and a state make an object for each call."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp

from lenticulum.check.modules.attributes import attributes, fingerprint, walk
from lenticulum.check.modules.pure_module import (
    EVAL,
    TRAIN,
    Arrays,
    PureModule,
    data_names,
    in_mode,
    mode_arguments,
)

#: The attributes by which nnx knows the mode of a node.
FLAGS = ("deterministic", "use_running_average")


class NnxModule(PureModule):
    """An object of nnx: its `Param`s are the parameters, all its other variables the state, keys and counts included.

    `apply` merges graph and state into a new object; `call` calls the object itself, which writes its state in place.
    """

    in_place = True

    def __init__(self, module: Any, bind: Mapping[str, Any]) -> None:
        nnx = _nnx()
        self.module, self.bind, self.kind = module, dict(bind), "a module of flax.nnx"
        graph, parameters, rest = nnx.split(module, nnx.Param, ...)
        self._graph = graph
        self._variables = {"/".join(map(str, path)): (path, each) for path, each in _flat(parameters, rest)}
        own = {"/".join(map(str, path)) for path, _ in nnx.to_flat_state(parameters)}
        values = {name: each.get_value() for name, (_, each) in self._variables.items()}
        self.parameters = {name: value for name, value in values.items() if name in own and _is_float(value)}
        self.state = {name: value for name, value in values.items() if name not in self.parameters}
        self._words = tuple(word for word in mode_arguments(module.__call__, needed=True) if word not in bind)
        self.names = data_names(module.__call__, bind)
        self.flagged = bool(flags(module))
        self.modes = (TRAIN, EVAL) if self.flagged or self._words else ()

    def fields(self) -> Mapping[str, Any]:
        """The attributes of all nodes that are no variables."""
        variable = _nnx().Variable
        return {
            f"{path} {name}": value
            for path, node in _nnx().iter_modules(self.module)
            for name, value in vars(node).items()
            if not isinstance(value, variable)
        }

    def apply(
        self, parameters: Mapping[str, Any], state: Mapping[str, Any], data: Sequence[Any], mode: str | None, key: Any
    ) -> tuple[Any, Arrays]:
        """Merge, set the mode, call, split."""
        del key
        nnx = _nnx()
        given = {**state, **parameters}
        flat = [(path, each.replace(jnp.asarray(given[name]))) for name, (path, each) in self._variables.items()]
        model = nnx.merge(self._graph, nnx.from_flat_state(flat))
        self.set_mode(model, mode)
        y = model(*data, **self.bind, **in_mode(self._words, mode))
        after = {"/".join(map(str, path)): each.get_value() for path, each in _flat(nnx.state(model))}
        return y, {name: value for name, value in after.items() if name not in self.parameters}

    def set_mode(self, model: Any, mode: str | None) -> None:
        """Set every flag that nnx reaches, in place."""
        if mode is not None and self.flagged:
            model.train() if mode == TRAIN else model.eval()

    def ready(self, mode: str | None) -> Any:
        """A copy with its flags set."""
        model = _nnx().clone(self.module)
        self.set_mode(model, mode)
        return model

    def call(self, ready: Any, data: Sequence[Any], mode: str | None, key: Any) -> Any:
        """Call it; its state is written."""
        del key
        return ready(*data, **self.bind, **in_mode(self._words, mode))

    def attributes(self, ready: Any) -> dict[str, str]:
        """The values of the variables, and all else that the nodes hold."""
        nnx = _nnx()
        found: dict[str, str] = {}
        for path, node in nnx.iter_graph(ready):
            name = "/".join(map(str, path))
            if isinstance(node, nnx.Variable):
                found[name] = f"{type(node).__name__} {fingerprint(node.get_value())}"
            elif isinstance(node, nnx.Module):
                inner = {each: value for each, value in vars(node).items() if not each.startswith("_pytree__")}
                plain = {each: value for each, value in inner.items() if not _is_graph(value)}
                for each, value in plain.items():
                    found.update({f"{name}/{each}{p}".lstrip("/"): bits for p, bits in attributes(value).items()})
        return found

    def rebuilt(self, ready: Any) -> Any:
        """Split and merge."""
        nnx = _nnx()
        return nnx.merge(*nnx.split(ready))

    def copied(self, ready: Any) -> Any:
        """Clone."""
        return _nnx().clone(ready)

    def unreached_flags(self) -> list[str]:
        """Flags of modules that are no part of the graph."""
        model = self.copied(self.module)
        if self.flagged:
            model.eval()
        nodes = ((path, each) for path, each in walk(model) if isinstance(each, _nnx().Module))
        return [f"{path}.{name}" for path, each in nodes for name in FLAGS if getattr(each, name, None) is False]

    def may_change(self, path: str) -> bool:
        """Variables of state may be written, and nothing else."""
        return path in self.state


def nnx_module(subject: Any, make: Mapping[str, Any], bind: Mapping[str, Any], seed: int) -> NnxModule:
    """Return the module of a class or a copy of an instance."""
    nnx = _nnx()
    if not inspect.isclass(subject):
        return NnxModule(nnx.clone(subject), bind)
    needs = "rngs" in inspect.signature(subject.__init__).parameters and "rngs" not in make
    return NnxModule(subject(**make, **({"rngs": nnx.Rngs(seed)} if needs else {})), bind)


def flags(module: Any) -> list[bool]:
    """Return the mode flags that nnx reaches."""
    found = (getattr(node, name, None) for _, node in _nnx().iter_modules(module) for name in FLAGS)
    return [each for each in found if isinstance(each, bool)]


def _nnx() -> Any:
    return sys.modules["flax.nnx"]


def _flat(*states: Any) -> list[tuple[Any, Any]]:
    return [pair for state in states for pair in _nnx().to_flat_state(state)]


def _is_float(value: Any) -> bool:
    return hasattr(value, "dtype") and jnp.issubdtype(value.dtype, jnp.floating)


def _is_graph(value: Any) -> bool:
    nnx = _nnx()
    return isinstance(value, nnx.Module | nnx.Variable | nnx.Rngs | nnx.RngStream)
