"""An Equinox module as a subject: a class to construct, or an instance; fields are matched to roles by name."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.subject import SYNONYMS, Inputs, Numbers, Raised, Subject, floats, number_of, role_of
from lenticulum.check.target import Source, one_line
from lenticulum.check.text import jax_array

#: Arguments of constructors that say a shape, with the field of the definition that they are.
SHAPES = {
    "in_features": "inputs",
    "out_features": "outputs",
    "in_size": "inputs",
    "out_size": "outputs",
    "shape": "features",
    "features": "features",
    "num_features": "features",
    "dim": "features",
    "size": "features",
}


class ModuleSubject(Subject):
    """A module that maps one example [features] to one output; batches are mapped by vmap."""

    def __init__(
        self, module: Any, source: Source, definition: Definition, roles: Mapping[str, str], make: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self.module, self.source, self.roles, self.made = module, source, roles, dict(make)
        self.entry = definition.entry
        self.is_class = inspect.isclass(module)
        if make and not self.is_class:
            raise CallError(f"{source.name} is an instance: --make constructs a class")
        self.arguments: dict[str, str] = {}
        if self.is_class:
            self._read_constructor()
        probe = self._build({}, {"x": np.zeros((1, 3)), "weight": np.zeros((3, 3))})
        self.leaves = {role: name for role in self.entry.arrays[1:] if (name := self._leaf(probe, role))}
        self.absent = tuple(role for role in self.entry.optional if role not in self.leaves)
        for role in self.entry.hyperparameters():
            name = next((f for f in vars(probe) if role_of(f, (role,), self.entry.short, roles) == role), None)
            if name is not None and role not in self.numbers and isinstance(getattr(probe, name), int | float):
                self.received[role] = number_of(f"{source.name}.{name}", getattr(probe, name))
        if not self.is_class or any(name in SHAPES for name in self.made):
            self._fix_shapes(probe)

    def _read_constructor(self) -> None:
        parameters = inspect.signature(self.module).parameters
        unknown = [name for name in self.made if name not in parameters]
        if unknown:
            raise CallError(
                f"--make: {self.source.name} has no argument {unknown[0]!r}; it has {', '.join(parameters)}"
            )
        numbers = tuple(self.entry.hyperparameters())
        for name, parameter in parameters.items():
            if name in self.made:
                continue
            role = role_of(name, numbers, self.entry.short, self.roles)
            if role is not None or name in SHAPES or name == "key":
                self.arguments[name] = role or SHAPES.get(name, name)
            elif parameter.default is inspect.Parameter.empty and parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                raise CallError(
                    f"{self.source.name}: the constructor argument {name!r} plays no known role of {self.entry.name}\n"
                    f"give it with --make '{{\"{name}\": ...}}'"
                )
        self.numbers = tuple(role for role in numbers if role in self.arguments.values())

    def _keywords(self, numbers: Numbers, inputs: Inputs) -> dict[str, Any]:
        features = int(inputs["x"].shape[-1])
        outputs = int(inputs["weight"].shape[0]) if "weight" in inputs else features
        values = {**floats(numbers), "features": features, "inputs": features, "outputs": outputs}
        known = {name: values[role] for name, role in self.arguments.items() if role in values}
        return {**known, **self.made}

    def _build(self, numbers: Numbers, inputs: Inputs) -> Any:
        """Return the module before its arrays are put in."""
        if not self.is_class:
            return self.module
        needs_key = "key" in self.arguments
        try:
            return _constructed(self.module, tuple(sorted(self._keywords(numbers, inputs).items())), needs_key)
        except TypeError as error:
            if "unhashable" in str(error):
                return _constructed.__wrapped__(self.module, tuple(self._keywords(numbers, inputs).items()), needs_key)
            raise CallError(f"constructing {self.source.name} failed: {one_line(error)}") from None
        except Exception as error:
            raise CallError(f"constructing {self.source.name} failed: {one_line(error)}") from None

    def _leaf(self, module: Any, role: str) -> str | None:
        candidates = (self.roles[role],) if role in self.roles else (role, *SYNONYMS.get(role, ()))
        return next((name for name in candidates if isinstance(getattr(module, name, None), jax.Array)), None)

    def _fix_shapes(self, probe: Any) -> None:
        for role, name in self.leaves.items():
            self.shapes[role] = tuple(getattr(probe, name).shape)
        features = next(
            (getattr(probe, name) for name in SHAPES if SHAPES[name] == "features" and hasattr(probe, name)), None
        )
        if "weight" in self.shapes:
            features = self.shapes["weight"][-1]
        if isinstance(features, tuple):
            features = features[-1]
        if isinstance(features, int):
            self.shapes["x"] = (6, features)

    def _filled(self, inputs: Inputs, numbers: Numbers) -> Any:
        module = self._build(numbers, inputs)
        names = list(self.leaves.values())
        arrays = [jnp.asarray(inputs[role]) for role in self.leaves]
        return eqx.tree_at(lambda m: [getattr(m, name) for name in names], module, arrays) if names else module

    def call(self, inputs: Inputs, numbers: Numbers, *, compiled: bool) -> dict[str, Any]:
        """Map the module over the batch: compiled under vmap, or plainly, one example after another."""
        module = self._filled(inputs, numbers)
        x = jnp.asarray(inputs["x"])
        rows = x.reshape((-1, x.shape[-1]))
        try:
            y = mapped(module, rows) if compiled else np.stack([np.asarray(module(row)) for row in rows])
        except Exception as error:
            raise Raised(error) from error
        y = np.asarray(y)
        return {"y": y.reshape((*x.shape[:-1], *y.shape[1:]))}

    def snippet(self, inputs: Inputs, numbers: Numbers, output: str, *, compiled: bool) -> list[str]:
        """Return the program: construct, put the arrays in, apply."""
        del output
        imports = [*self.source.imports, "import equinox", "import jax", "import jax.numpy as jnp"]
        lines = [f"layer = {self.source.expression}"]
        if self.is_class:
            given = [f"{name}={value!r}" for name, value in self._keywords(numbers, inputs).items()]
            given += ["key=jax.random.key(0)"] if "key" in self.arguments else []
            lines = [f"layer = {self.source.expression}({', '.join(given)})"]
        if self.leaves:
            fields = ", ".join(f"m.{name}" for name in self.leaves.values())
            arrays = ", ".join(jax_array(inputs[role]) for role in self.leaves)
            lines.append(f"layer = equinox.tree_at(lambda m: [{fields}], layer, [{arrays}])")
        rows = inputs["x"].reshape((-1, inputs["x"].shape[-1]))
        x = jax_array(rows)
        call = f"equinox.filter_jit(lambda layer, x: jax.vmap(layer)(x))(layer, {x})"
        plain = f"jnp.stack([layer(row) for row in {x}])"
        return [*imports, *lines, f"got = {call if compiled else plain}"]


@lru_cache(maxsize=128)
def _constructed(module: Any, keywords: tuple[tuple[str, Any], ...], needs_key: bool) -> Any:
    key = {"key": jax.random.key(0)} if needs_key else {}
    return module(**dict(keywords), **key)


@eqx.filter_jit
def mapped(layer: Any, x: Any) -> Any:
    """Return the module mapped over the rows of a batch."""
    return jax.vmap(layer)(x)
