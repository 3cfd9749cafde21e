"""Callable pytrees as pure modules: modules of Equinox, with their State, and `jax.tree_util.Partial`."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

import equinox as eqx
import jax

from lenticulum.check.errors import CallError
from lenticulum.check.modules.attributes import walk
from lenticulum.check.modules.pure_module import (
    EVAL,
    TRAIN,
    Arrays,
    PureModule,
    data_names,
    in_mode,
    mode_arguments,
    takes,
)

#: The attribute by which Equinox knows the mode of a node.
FLAG = "inference"


class TreeModule(PureModule):
    """A callable pytree: its arrays of floats are the parameters, `equinox.nn.State` is the state.

    A module with a field `axis_name` is called under `vmap` over the first axis of its data, which has this name.
    """

    def __init__(self, model: Any, state: Any, bind: Mapping[str, Any]) -> None:
        self.module, self.bind = model, dict(bind)
        self.kind = "a module of Equinox" if is_equinox(model) else f"a pytree {type(model).__name__}"
        parameters, self._rest = eqx.partition(model, eqx.is_inexact_array)
        self.parameters, self._structure = _named(parameters)
        self.state, self._state_structure = _named_state(state)
        self.names = data_names(model, bind)
        self.random = takes(model, "key") and "key" not in self.names
        self.stateful = takes(model, "state") and (bool(self.state) or _is_needed(model, "state"))
        self._words = tuple(word for word in mode_arguments(model, needed=True) if word not in bind)
        self.flagged = bool(flags(model))
        self.modes = (TRAIN, EVAL) if self.flagged or self._words else ()
        self.axes = tuple(dict.fromkeys(_axis_names(model)))
        self.convention = "mapped" if self.axes else "example"

    def fields(self) -> Mapping[str, Any]:
        """The settings of all nodes; one name stands for its last value."""
        return {
            f"{number} {name}": value
            for number, node in enumerate(_nodes(self.module))
            for name, value in getattr(node, "__dict__", {}).items()
        }

    def apply(
        self, parameters: Mapping[str, Any], state: Mapping[str, Any], data: Sequence[Any], mode: str | None, key: Any
    ) -> tuple[Any, Arrays]:
        """Put the arrays in, set the mode, call."""
        filled = jax.tree.unflatten(self._structure, [parameters[path] for path in self.parameters])
        model = self.set_mode(eqx.combine(filled, self._rest), mode)
        held = jax.tree.unflatten(self._state_structure, [state[path] for path in self.state])
        y, after = self._called(model, data, held, mode, key)
        return y, _named_state(after)[0]

    def _called(self, model: Any, data: Sequence[Any], state: Any, mode: str | None, key: Any) -> tuple[Any, Any]:
        named = {**self.bind, **in_mode(self._words, mode), **({"key": key} if self.random else {})}
        if not self.stateful:
            return self._mapped(lambda *d: (model(*d, **named), state), data)
        return self._mapped(lambda *d: model(*d, state=state, **named), data)

    def _mapped(self, function: Any, data: Sequence[Any]) -> tuple[Any, Any]:
        for name in reversed(self.axes):
            function = jax.vmap(function, out_axes=(0, None), axis_name=name)
        return function(*data)

    def set_mode(self, model: Any, mode: str | None) -> Any:
        """Return a model with every flag that Equinox reaches set."""
        return model if mode is None or not self.flagged else eqx.nn.inference_mode(model, mode == EVAL)

    def ready(self, mode: str | None) -> Any:
        """A copy of the model, where it can be copied, with its flags set."""
        try:
            model = copy.deepcopy(self.module)
        except Exception:  # a static field may hold anything
            model = self.module
        return self.set_mode(model, mode)

    def call(self, ready: Any, data: Sequence[Any], mode: str | None, key: Any) -> Any:
        """Call it with the first state."""
        state = jax.tree.unflatten(self._state_structure, list(self.state.values()))
        return self._called(ready, data, state, mode, key)[0]

    def unreached_flags(self) -> list[str]:
        """Flags that are not set: in static fields, behind closures and in whatever is no part of the tree."""
        model = eqx.nn.inference_mode(self.module, True)
        nodes = ((path, each) for path, each in walk(model) if isinstance(each, eqx.Module))
        return [f"{path}.{FLAG}" for path, each in nodes if getattr(each, FLAG, None) is False]


def tree_module(subject: Any, name: str, make: Mapping[str, Any], bind: Mapping[str, Any], seed: int) -> TreeModule:
    """Return the module of a class, an instance, or a pair of a model and its State. Raises: CallError."""
    if inspect.isclass(subject):
        model, state = eqx.nn.make_with_state(subject)(**make, **_key(subject, make, seed))
    elif isinstance(subject, tuple):
        model, state = subject
    else:
        try:
            state = eqx.nn.State(subject)
        except ValueError:
            raise CallError(f"{name} was made with a State, which is not here: give the pair (model, state)") from None
        # A model without state stays the object that it is: rebuilding it may lose what a law should see.
        model = eqx.nn.delete_init_state(subject) if jax.tree.leaves(state) else subject
    if not callable(model):
        raise CallError(f"{name} is a {type(model).__name__}, which cannot be called")
    return TreeModule(model, state, bind)


def is_tree(subject: Any) -> bool:
    """Return whether a subject is a module of Equinox (class, instance, or one and its State) or a callable pytree."""
    if inspect.isclass(subject):
        return issubclass(subject, eqx.Module)
    if isinstance(subject, tuple):
        return len(subject) == 2 and isinstance(subject[0], eqx.Module) and isinstance(subject[1], eqx.nn.State)
    return isinstance(subject, eqx.Module) or callable(subject) and not jax.tree_util.all_leaves([subject])


def is_equinox(model: Any) -> bool:
    """Return whether an object is a module of Equinox."""
    return isinstance(model, eqx.Module)


def flags(model: Any) -> list[bool]:
    """Return the mode flags that Equinox reaches: attributes `inference` of nodes that are booleans."""
    return [v for node in _nodes(model) if isinstance(v := getattr(node, FLAG, None), bool)]


def _nodes(model: Any) -> list[Any]:
    found = [model]
    for node in found:
        inner = jax.tree.leaves(node, is_leaf=lambda x, node=node: x is not node and isinstance(x, eqx.Module))
        found += [each for each in inner if isinstance(each, eqx.Module)]
    return found


def _axis_names(model: Any) -> list[Any]:
    names = (getattr(node, "axis_name", None) for node in _nodes(model))
    return [each for name in names if name is not None for each in (name if isinstance(name, list | tuple) else [name])]


def _named(tree: Any) -> tuple[Arrays, Any]:
    return {_path(path) or "array": leaf for path, leaf in _leaves(tree)}, jax.tree.structure(tree)


def _named_state(state: eqx.nn.State) -> tuple[Arrays, Any]:
    """Return the entries of a State by their markers, which are paths in the model."""
    values, markers = state.tree_flatten()
    entries = [
        (f"{marker}{_path(path)}", leaf)
        for marker, value in zip(markers, values, strict=True)
        for path, leaf in _leaves(value)
    ]
    return dict(entries), jax.tree.structure(state)


def _leaves(tree: Any) -> list[tuple[Any, Any]]:
    return jax.tree_util.tree_flatten_with_path(tree)[0]


def _path(path: Any) -> str:
    return re.sub(r"\[<flat index (\d+)>\]", r"[\1]", jax.tree_util.keystr(path))


def _key(kind: type, make: Mapping[str, Any], seed: int) -> dict[str, Any]:
    return {"key": jax.random.key(seed)} if takes(kind, "key") and "key" not in make else {}


def _is_needed(call: Any, name: str) -> bool:
    parameter = inspect.signature(call).parameters[name]
    return parameter.default is parameter.empty
