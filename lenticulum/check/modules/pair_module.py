"""A pair of functions init and apply as a pure module: Haiku, flax.linen, stax, and plain tuples."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import jax

from lenticulum.check.modules.attributes import attributes
from lenticulum.check.modules.pure_module import (
    EVAL,
    KEY,
    TRAIN,
    Arrays,
    PureModule,
    data_names,
    in_mode,
    mode_arguments,
)
from lenticulum.check.subjects.flax_module import is_linen

#: Names under which the arguments of init and apply that are no data go.
_PARAMETERS, _STATE, _KEYS = ("params", "parameters", "variables"), ("state", "states"), ("key", "rng")


class PairModule(PureModule):
    """`init(key, *data)` gives parameters, or these and a state; `apply(parameters, [state], [key], *data)` the value.

    Of stax, `init(key, shape)` gives (shape of the result, parameters).
    """

    def __init__(self, init: Any, apply: Any, module: Any, bind: Mapping[str, Any], seed: int) -> None:
        self.module, self.bind, self._seed = module, dict(bind), seed
        self._init, self._apply, self.kind = init, apply, "a pair of init and apply"
        arguments = _positional(apply)
        self.stateful = any(name in _STATE for name in arguments)
        self._keyed = [name for name in arguments if name in _KEYS]
        self.random = bool(self._keyed) or "rng" in inspect.signature(apply).parameters or _takes_any(apply)
        self._by_shape = any("shape" in name for name in _positional(init))
        self._words = tuple(word for word in mode_arguments(apply, needed=False) if word not in bind)
        self.names = tuple(
            name for name in data_names(apply, bind) if name not in (*_PARAMETERS, *_STATE, *_KEYS, *arguments[:1])
        ) or ("x",)
        self.modes = (TRAIN, EVAL) if self._words else ()
        self.parameters, self.state = {}, {}

    def fitted(self, data: Sequence[Any]) -> PairModule:
        """Return the pair with what its init makes for the data."""
        found = type(self)(self._init, self._apply, self.module, self.bind, self._seed)
        found.set_variables(self._variables(KEY(self._seed), data))
        return found

    def _variables(self, key: Any, data: Sequence[Any]) -> Any:
        if self._by_shape:
            return self._init(key, *(tuple(each.shape) for each in data))[1]
        words = {word: each for word, each in in_mode(self._words, TRAIN).items() if word in _names(self._init)}
        return self._init(key, *data, **words)

    def set_variables(self, variables: Any) -> None:
        """Keep parameters and state as made."""
        parameters, state = variables if self.stateful else (variables, ())
        self.parameters, self._structure = _named(parameters)
        self.state, self._state_structure = _named(state)

    def accepts(self, data: Sequence[Any]) -> Exception | None:
        """Return what init or apply raises for data of these types, or None."""

        def trial(*given: Any) -> Any:
            found = self.fitted(given)
            return found.apply(found.parameters, found.state, given, self.first_mode, KEY())[0]

        try:
            jax.eval_shape(trial, *data)
        except Exception as error:  # a module is anyone's code
            return error
        return None

    def apply(
        self, parameters: Mapping[str, Any], state: Mapping[str, Any], data: Sequence[Any], mode: str | None, key: Any
    ) -> tuple[Any, Arrays]:
        """Call apply on trees of these arrays."""
        given = [jax.tree.unflatten(self._structure, [parameters[path] for path in self.parameters])]
        if self.stateful:
            given.append(jax.tree.unflatten(self._state_structure, [state[path] for path in self.state]))
        named = {**self.bind, **in_mode(self._words, mode)}
        if self._keyed:
            given.append(key)
        elif self.random:
            named["rng"] = key
        result = self._apply(*given, *data, **named)
        if not self.stateful:
            return result, {}
        y, after = result
        return y, _named(after)[0]

    def call(self, ready: Any, data: Sequence[Any], mode: str | None, key: Any) -> Any:
        """Call apply on the own parameters."""
        del ready
        return self.apply(self.parameters, self.state, data, mode, key)[0]

    def attributes(self, ready: Any) -> dict[str, str]:
        """What both functions hold, and the parameters."""
        del ready
        return attributes([self._init, self._apply, self.parameters, self.state])

    def rebuilt(self, ready: Any) -> Any:
        """A pair is no tree."""
        return ready

    def copied(self, ready: Any) -> Any:
        """Functions are values."""
        return ready


class LinenModule(PairModule):
    """A module of flax.linen: its collection "params" is the parameters, all others are the state."""

    def __init__(self, init: Any, apply: Any, module: Any, bind: Mapping[str, Any], seed: int) -> None:
        super().__init__(init, apply, module, bind, seed)
        self.kind, self.stateful, self.random, self._by_shape = "a module of flax.linen", True, True, False
        call = module.__call__
        self.names = data_names(call, bind)
        self._words = tuple(word for word in mode_arguments(call, needed=True) if word not in bind)
        self._fields = () if self._words else tuple(word for word in MODE_FIELDS if hasattr(module, word))
        self.modes = (TRAIN, EVAL) if self._words or self._fields else ()

    def _in_mode(self, mode: str | None) -> Any:
        words = in_mode(self._fields, mode)
        return self.module.clone(**words) if words else self.module

    def _variables(self, key: Any, data: Sequence[Any]) -> Any:
        keys = {"params": key, "dropout": jax.random.fold_in(key, 1)}
        made = dict(
            self._in_mode(self.first_mode).init(keys, *data, **self.bind, **in_mode(self._words, self.first_mode))
        )
        return made.pop("params", {}), made

    def apply(
        self, parameters: Mapping[str, Any], state: Mapping[str, Any], data: Sequence[Any], mode: str | None, key: Any
    ) -> tuple[Any, Arrays]:
        """Apply to the variables; every collection of the state may be written."""
        held = jax.tree.unflatten(self._state_structure, [state[path] for path in self.state])
        params = jax.tree.unflatten(self._structure, [parameters[path] for path in self.parameters])
        named = {**self.bind, **in_mode(self._words, mode)}
        y, after = self._in_mode(mode).apply(
            {"params": params, **held}, *data, mutable=list(held), rngs={"dropout": key}, **named
        )
        return y, _named({**held, **after})[0]

    def attributes(self, ready: Any) -> dict[str, str]:
        """The fields of the module, and the parameters."""
        return attributes([vars(ready), self.parameters, self.state])


MODE_FIELDS = ("use_running_average", "deterministic")


def is_pair(subject: Any) -> bool:
    """Return whether a subject has init and apply, or is a tuple of two functions."""
    if inspect.isclass(subject):
        return False
    if type(subject) is tuple:
        return len(subject) == 2 and all(inspect.isroutine(each) for each in subject)
    return all(callable(getattr(subject, name, None)) for name in ("init", "apply"))


def pair_module(subject: Any, make: Mapping[str, Any], bind: Mapping[str, Any], seed: int) -> PairModule:
    """Return the module of a pair, or of a class or instance of flax.linen."""
    if is_linen(subject):
        module = _constructed(subject, make)
        return LinenModule(module.init, module.apply, module, bind, seed)
    return PairModule(*_functions(subject), subject, bind, seed)


def _functions(subject: Any) -> tuple[Any, Any]:
    return subject if type(subject) is tuple else attrgetter("init", "apply")(subject)


def _constructed(subject: Any, make: Mapping[str, Any]) -> Any:
    return subject(**make) if inspect.isclass(subject) else subject


def _names(call: Any) -> list[str]:
    return list(inspect.signature(call).parameters)


def _positional(call: Any) -> list[str]:
    parameters = inspect.signature(call).parameters.values()
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _takes_any(call: Any) -> bool:
    """Return whether stax's `apply(parameters, inputs, **kwargs)`, whose keywords hold the key."""
    parameters = inspect.signature(call).parameters.values()
    kinds = [p.kind for p in parameters]
    return inspect.Parameter.VAR_KEYWORD in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds


def _named(tree: Any) -> tuple[Arrays, Any]:
    leaves, structure = jax.tree_util.tree_flatten_with_path(tree)
    return {jax.tree_util.keystr(path) or "array": leaf for path, leaf in leaves}, structure
