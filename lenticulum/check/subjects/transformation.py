"""An optax transformation as a subject: a factory of (init, update), or one made; state leaves go by name."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.subject import Inputs, Numbers, Raised, Subject, arrays_of, floats, number_of, role_of
from lenticulum.check.target import Source, one_line
from lenticulum.check.text import jax_array
from lenticulum.terms import exact


class TransformationSubject(Subject):
    """An update with `init(parameters)` and `update(gradient, state, parameters)`."""

    def __init__(
        self, subject: Any, source: Source, definition: Definition, roles: Mapping[str, str], bind: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self.subject, self.source, self.bound, self.roles = subject, source, dict(bind), roles
        self.entry, self.stated = definition.entry, definition.stated
        self.arguments: dict[str, str] = {}
        if not is_transformation(subject):
            self._read_factory()
        elif bind:
            raise CallError(f"{source.name} is already made: --bind fixes arguments of a factory")
        self._match_state()

    def _read_factory(self) -> None:
        parameters = inspect.signature(self.subject).parameters
        unknown = [name for name in self.bound if name not in parameters]
        if unknown:
            raise CallError(f"{self.source.name} has no argument {unknown[0]!r}; it has {', '.join(parameters)}")
        numbers = tuple(self.entry.hyperparameters())
        for name, parameter in parameters.items():
            role = role_of(name, numbers, self.entry.short, self.roles)
            if name in self.bound:
                if role is not None and role not in self.stated:
                    self.received[role] = number_of(f"--bind {name}", self.bound[name])
            elif role is not None:
                self.arguments[name] = role
            elif parameter.default is inspect.Parameter.empty:
                raise CallError(
                    f"{self.source.name}: the argument {name!r} plays no known role of {self.entry.name}\n"
                    f"name it with --role ROLE={name} (roles: {', '.join(numbers)}), or --bind it"
                )
        self.numbers = tuple(role for role in numbers if role in self.arguments.values())

    def _keywords(self, numbers: Numbers) -> dict[str, Any]:
        values = floats(numbers)
        return {**{name: values[role] for name, role in self.arguments.items() if role in values}, **self.bound}

    def _made(self, numbers: Numbers) -> Any:
        if is_transformation(self.subject):
            return self.subject
        made = _made(self.subject, tuple(self._keywords(numbers).items()))
        if not is_transformation(made):
            raise CallError(
                f"{self.source.name} makes a {type(made).__name__}; expected something with init and update"
            )
        return made

    def _match_state(self) -> None:
        generic = {role: exact("1/2", role) for role in self.numbers}
        try:
            state = self._made(generic).init(jnp.zeros(3))
        except CallError:
            raise
        except Exception as error:
            raise CallError(f"{self.source.name}: making it and init failed: {one_line(error)}") from None
        wanted = ["count" if role.endswith("_power") else role for role in self.entry.state]
        wanted = list(dict.fromkeys([*wanted, "count"]))
        self.leaves: dict[str, str] = {}
        for name in state_leaves(state):
            role = role_of(name, wanted, self.entry.short, self.roles)
            if role is None:
                raise CallError(
                    f"{self.source.name}: the state leaf {name!r} plays no known role of {self.entry.name}\n"
                    f"name it with --role ROLE={name} (roles: {', '.join(wanted)})"
                )
            self.leaves[role] = name
        for role in self.entry.state:
            needed = "count" if role.endswith("_power") else role
            if needed not in self.leaves and role != "count":
                raise CallError(
                    f"{self.source.name}: its state has {', '.join(self.leaves.values()) or 'no leaves'}, "
                    f"and {self.entry.name} needs {needed}"
                )

    def call(self, inputs: Inputs, numbers: Numbers, *, compiled: bool) -> dict[str, Any]:
        """Take one step from the given state."""
        held = self._held(inputs)
        try:
            transformation = self._made(numbers)
            take_step = _compiled_update(transformation) if compiled else _update(transformation)
            parameters, gradient = jnp.asarray(inputs["parameters"]), jnp.asarray(inputs["gradient"])
            update, after = jax.block_until_ready(take_step(parameters, gradient, held))
            # Added outside, as in a user's loop (optax.apply_updates), so that the sum is not fused into the step.
            moved = parameters + update
        except CallError:
            raise
        except Exception as error:
            raise Raised(error) from error
        states = {role: after[name] for role, name in self.leaves.items()}
        return arrays_of({"update": update, "parameters": moved, **states})

    def _held(self, inputs: Inputs) -> dict[str, Any]:
        """Return the state to put in; before the first step nothing, so that init is checked too."""
        if inputs["count"] == 0:
            return {}
        return {name: inputs[role] for role, name in self.leaves.items()}

    def snippet(self, inputs: Inputs, numbers: Numbers, output: str, *, compiled: bool) -> list[str]:
        """Return the program: make, initialise, put the state in, take one step."""
        imports = [*self.source.imports, "import jax", "import jax.numpy as jnp"]
        given = ", ".join(f"{name}={value!r}" for name, value in self._keywords(numbers).items())
        made = self.source.expression if is_transformation(self.subject) else f"{self.source.expression}({given})"
        lines = [f"transformation = {made}", f"parameters = {jax_array(inputs['parameters'])}"]
        lines.append("state = transformation.init(parameters)")
        if self.leaves and output in self.leaves or self._held(inputs):
            imports.append("from lenticulum.check import state_leaves, with_state")
        if self._held(inputs):
            held = [f"{name}={_state_text(value)}" for name, value in self._held(inputs).items()]
            lines.append(f"state = with_state(state, {', '.join(held)})")
        update = "jax.jit(transformation.update)" if compiled else "transformation.update"
        lines.append(f"update, state = {update}({jax_array(inputs['gradient'])}, state, parameters)")
        leaf = f"state_leaves(state)[{self.leaves[output]!r}]" if output in self.leaves else "update"
        return [*imports, *lines, f"got = {'parameters + update' if output == 'parameters' else leaf}"]


def _state_text(value: Any) -> str:
    return jax_array(value) if isinstance(value, np.ndarray) else repr(value)


def is_transformation(subject: Any) -> bool:
    """Return whether an object has init and update."""
    return callable(getattr(subject, "init", None)) and callable(getattr(subject, "update", None))


@lru_cache(maxsize=128)
def _made(factory: Callable[..., Any], keywords: tuple[tuple[str, Any], ...]) -> Any:
    return factory(**dict(keywords))


def _update(transformation: Any) -> Callable[..., Any]:
    def update(parameters: Any, gradient: Any, held: Mapping[str, Any]) -> Any:
        state = with_state(transformation.init(parameters), **held)
        step, after = transformation.update(gradient, state, parameters)
        return step, state_leaves(after)

    return update


@lru_cache(maxsize=128)
def _compiled_update(transformation: Any) -> Callable[..., Any]:
    return jax.jit(_update(transformation))


def state_leaves(state: Any) -> dict[str, Any]:
    """Return the leaves of an optimizer state by the name of the innermost field that holds them.

    Raises: ValueError if two leaves have one name, or a leaf has none.
    """
    found: dict[str, Any] = {}
    for name, leaf in _named(state, ""):
        if not name or name in found:
            raise ValueError(f"the state has {'two leaves' if name else 'a leaf without a name'} {name}".rstrip())
        found[name] = leaf
    return found


def _named(node: Any, name: str) -> list[tuple[str, Any]]:
    if hasattr(node, "_fields"):
        return [each for field in node._fields for each in _named(getattr(node, field), field)]
    if dataclasses.is_dataclass(node):
        return [each for field in dataclasses.fields(node) for each in _named(getattr(node, field.name), field.name)]
    if isinstance(node, Mapping):
        return [each for key in sorted(node) for each in _named(node[key], str(key))]
    if isinstance(node, tuple | list):
        return [each for part in node for each in _named(part, name)]
    return [] if node is None else [(name, node)]


def with_state(state: Any, **leaves: Any) -> Any:
    """Return an optimizer state with some leaves replaced, by name, keeping the dtype of each."""
    names = list(state_leaves(state))
    unknown = [name for name in leaves if name not in names]
    if unknown:
        raise ValueError(f"the state has no leaf {unknown[0]!r}; it has {', '.join(names)}")
    flat, structure = jax.tree.flatten(state)
    new = [jnp.asarray(leaves.get(name, leaf), leaf.dtype) for name, leaf in zip(names, flat, strict=True)]
    return jax.tree.unflatten(structure, new)
