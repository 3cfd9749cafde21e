"""Which adapter fits a subject."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import equinox as eqx

from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.module import ModuleSubject
from lenticulum.check.subjects.subject import Subject, role_of
from lenticulum.check.subjects.transformation import TransformationSubject, is_transformation
from lenticulum.check.target import Source


def adapt(
    subject: Any,
    source: Source,
    definition: Definition,
    *,
    roles: Mapping[str, str],
    bind: Mapping[str, Any],
    make: Mapping[str, Any],
) -> Subject:
    """Return the adapter of a subject for a definition.

    An object with init and update, or a function without an argument for the gradient, is an optax transformation (or
    its factory); an Equinox class or instance is a module; anything else that can be called is a function.
    Raises: CallError if the subject cannot be called or its roles cannot be told.
    """
    is_module = isinstance(subject, eqx.Module) or (inspect.isclass(subject) and issubclass(subject, eqx.Module))
    if make and not is_module:
        raise CallError(f"--make constructs an Equinox module; {source.name} is none")
    if definition.entry.kind == "update" and (is_transformation(subject) or _is_factory(subject, definition, roles)):
        return TransformationSubject(subject, source, definition, roles, bind)
    if is_module and definition.entry.kind == "layer":
        if bind:
            raise CallError("--bind fixes arguments of a function; give those of a module with --make")
        return ModuleSubject(subject, source, definition, roles, make)
    if not callable(subject):
        raise CallError(f"{source.name} is a {type(subject).__name__}, which cannot be called")
    return FunctionSubject(subject, source, definition, roles, bind)


def _is_factory(subject: Any, definition: Definition, roles: Mapping[str, str]) -> bool:
    if not callable(subject):
        return False
    try:
        names = list(inspect.signature(subject).parameters)
    except (TypeError, ValueError):
        return False
    return not any(role_of(name, ("gradient",), definition.entry.short, roles) == "gradient" for name in names)
