"""An Equinox module that is an operation: a class to construct or an instance, as a function of data and its arrays."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import equinox as eqx
import jax

from lenticulum.check.definition import Definition, tuples
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.subject import SYNONYMS, number_of, role_of
from lenticulum.check.target import Source, one_line

#: Arguments and fields that say the size of an example, and a size that has many divisors.
SIZES, SIZE = ("shape", "channels", "features", "num_features", "normalized_shape"), 12


class OperationModuleSubject(FunctionSubject):
    """A module that maps one array to one; its arrays are arguments too, and its fields the settings received."""

    def __init__(
        self, module: Any, source: Source, definition: Definition, roles: Mapping[str, str], make: Mapping[str, Any]
    ) -> None:
        entry = definition.entry
        instance, expression = constructed(module, source, make, definition)
        leaves = {role: name for role in entry.arrays if (name := _leaf(instance, role, roles))}
        data = next(role for role in entry.arrays if role not in leaves)
        leading = entry.leading and entry.leading(definition.term({}, {}))
        given = ", ".join(map(repr, (data, *leaves.values()))) + (f", leading={leading}" if leading else "")
        imports = (*source.imports, "import jax", f"from {__name__} import as_function")
        written = Source(f"as_function({expression}, {given})", imports, source.name)
        function = as_function(instance, data, *leaves.values(), leading=leading)
        super().__init__(function, written, definition, {**roles, **leaves}, {}, definition.output)
        wanted = (*entry.settings(), *entry.hyperparameters())
        for name, value in vars(instance).items():
            role = role_of(name, wanted, entry.short, roles)
            if role in entry.hyperparameters() and isinstance(value, int | float):
                self.received[role] = number_of(f"{source.name}.{name}", value)
            elif role in entry.settings():
                self.received[role] = tuples(value)


def as_function(module: Any, data: str, *leaves: str, leading: int | None = None) -> Callable[..., Any]:
    """Return a module as a function of its data and of some of its arrays, by these names.

    It is mapped over `leading` axes of the data, if negative over all but so many, if None over as many as the module
    does not take itself. An array with trailing axes of size one in the module (a bias of a convolution) is given
    without them. Where `leading` is given, a field that says a size says that of the data.

    >>> import jax.numpy as jnp
    >>> layer = eqx.nn.Embedding(weight=jnp.zeros((2, 1)))
    >>> as_function(layer, "ids", "weight")(jnp.array([1, 0]), jnp.array([[5.0], [7.0]])).tolist()
    [[7.0], [5.0]]
    """

    def function(x: Any, *arrays: Any) -> Any:
        filled = module
        for name, array in zip(leaves, arrays, strict=True):
            trailing = (1,) * (getattr(module, name).ndim - array.ndim)
            filled = eqx.tree_at(
                lambda m, name=name: getattr(m, name), filled, array.reshape((*array.shape, *trailing))
            )
        if leading is None:
            return _mapped(filled, x)(x)
        batch = leading % x.ndim
        return _mapped_over(_resized(filled, x.shape[batch:]), batch)(x)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in (data, *leaves)])  # type: ignore[attr-defined]
    return function


def constructed(module: Any, source: Source, make: Mapping[str, Any], definition: Definition) -> tuple[Any, str]:
    """Return the instance, and how to write it.

    What a class needs beside `make` are the stated fields of the definition, and a size, which the data say later.
    Raises: CallError if the class cannot be constructed.
    """
    if not inspect.isclass(module):
        if make:
            raise CallError(f"{source.name} is an instance: --make constructs a class")
        return module, source.expression
    given = {**_needed(module, definition), **{name: tuples(value) for name, value in make.items()}}
    parts = [f"{name}={value!r}" for name, value in given.items()]
    if "key" in inspect.signature(module).parameters:
        given["key"] = jax.random.key(0)
        parts.append("key=jax.random.key(0)")
    try:
        return module(**given), f"{source.expression}({', '.join(parts)})"
    except Exception as error:
        raise CallError(
            f"constructing {source.name} failed: {one_line(error)}\ngive its arguments with --make '{{\"name\": ...}}'"
        ) from None


def _needed(module: Any, definition: Definition) -> dict[str, Any]:
    """Return the arguments of a constructor that the definition says, and a size, which the data say later."""
    entry, found = definition.entry, {}
    fields = {**entry.hyperparameters(), **entry.settings(), **definition.stated}
    for name, parameter in inspect.signature(module).parameters.items():
        role = role_of(name, tuple(fields), entry.short, {})
        # What is neither stated nor asked for stays as the class has it, and is received.
        wanted = role in definition.stated or parameter.default is inspect.Parameter.empty
        if role is not None and wanted and fields[role] is not None:
            found[name] = float(fields[role]) if isinstance(fields[role], Fraction) else fields[role]
        elif name in SIZES and entry.leading is not None:
            found[name] = SIZE
    return found


def _resized(module: Any, shape: tuple[int, ...]) -> Any:
    """Return a module whose fields of size fit an example of this shape: all axes, or the first where it is one int."""
    fields = {field.name: getattr(module, field.name, None) for field in dataclasses.fields(module)}
    sizes = {name: shape if isinstance(fields[name], tuple) else shape[0] for name in SIZES if fields.get(name)}
    new = object.__new__(type(module))
    for name, value in {**fields, **sizes}.items():
        object.__setattr__(new, name, value)
    return new


def _mapped_over(module: Any, leading: int) -> Callable[..., Any]:
    function = module
    for _ in range(leading):
        function = jax.vmap(function)
    return function


def _leaf(instance: Any, role: str, roles: Mapping[str, str]) -> str | None:
    """Return the field of an instance that holds the array of a role."""
    candidates = (roles[role],) if role in roles else (role, *SYNONYMS.get(role, ()))
    return next((name for name in candidates if isinstance(getattr(instance, name, None), jax.Array)), None)


def _mapped(module: Any, x: Any) -> Callable[[Any], Any]:
    """Return the module mapped over the leading axes of x that it does not take."""
    function = module
    for _ in range(x.ndim):
        try:
            jax.eval_shape(function, x)
        except Exception:
            function = jax.vmap(function)
        else:
            return function
    return function
