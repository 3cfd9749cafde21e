"""Which adapter fits a subject."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any

import equinox as eqx

from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.attention_module import AttentionModuleSubject
from lenticulum.check.subjects.frameworks import framework_of
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.host import HostSubject, host_library, probes, traceable
from lenticulum.check.subjects.keras_layer import require_jax
from lenticulum.check.subjects.library_module import module_subject
from lenticulum.check.subjects.module import ModuleSubject
from lenticulum.check.subjects.operation_module import OperationModuleSubject
from lenticulum.check.subjects.subject import Subject, role_of
from lenticulum.check.subjects.transformation import TransformationSubject, is_transformation
from lenticulum.check.target import Source

#: What a function returns that is itself the derivative of a definition in its first argument.
DERIVATIVE = "derivative"


def adapt(
    subject: Any,
    source: Source,
    definition: Definition,
    *,
    roles: Mapping[str, str],
    bind: Mapping[str, Any],
    make: Mapping[str, Any],
    dtype: str = "float32",
) -> Subject:
    """Return the adapter of a subject for a definition.

    An object with init and update, or a function without an argument for the gradient, is an optax transformation (or
    its factory); a class or instance of Equinox, torch, Flax or Keras is a module; anything else that can be called is
    a function. The role `output` says that a function returns the derivative of an elementwise definition in its first
    argument. A function that JAX cannot trace is called on what it takes: NumPy arrays, torch tensors, or elementwise
    NumPy scalars. An einsum gets the equation of the definition first.
    Raises: CallError if the subject cannot be called or its roles cannot be told.
    """
    require_jax(subject, source.name)
    framework = framework_of(subject)
    is_module = isinstance(subject, eqx.Module) or (inspect.isclass(subject) and issubclass(subject, eqx.Module))
    if make and framework is None and not is_module:
        raise CallError(f"--make constructs a module of Equinox, torch, Flax or Keras; {source.name} is none")
    if definition.entry.kind == "update" and (is_transformation(subject) or _is_factory(subject, definition, roles)):
        return TransformationSubject(subject, source, definition, roles, bind)
    if bind and (is_module or framework is not None):
        raise CallError("--bind fixes arguments of a function; give those of a module with --make")
    if framework is not None and definition.entry.kind != "update":
        return module_subject(subject, source, definition, framework, roles, make, dtype)
    if is_module and definition.entry.name == "self_attention":
        return AttentionModuleSubject(subject, source, definition, roles, make)
    if is_module and definition.entry.kind in ("layer", "elementwise", "array"):
        adapter = OperationModuleSubject if definition.entry.kind == "array" else ModuleSubject
        return adapter(subject, source, definition, roles, make)
    if not callable(subject):
        raise CallError(f"{source.name} is a {type(subject).__name__}, which cannot be called")
    if definition.entry.name == "einsum" and _takes_any_number(subject):
        equation = {**definition.entry.settings(), **definition.stated}["equation"]
        subject = partial(subject, equation)
        source = Source(
            f"partial({source.expression}, {equation!r})",
            (*source.imports, "from functools import partial"),
            source.name,
        )
    output = _output(definition, roles)
    named = {role: name for role, name in roles.items() if role != "output"}
    function = FunctionSubject(subject, source, definition, named, bind, output)
    if definition.entry.kind != "update":
        given = probes(function, definition, dtype)
        library = None if not given or traceable(function, given[0]) else host_library(function, definition, given)
        if library is not None:
            return HostSubject(subject, source, definition, named, bind, output, library)
    return function


def _output(definition: Definition, roles: Mapping[str, str]) -> str:
    """Return what a function returns: the value of the definition, or its derivative."""
    if "output" not in roles:
        return definition.output
    if roles["output"] != DERIVATIVE or definition.entry.kind != "elementwise":
        raise CallError(
            f"--role output={roles['output']}: {definition.entry.name} has the output {definition.output}"
            + (f", or {DERIVATIVE}" if definition.entry.kind == "elementwise" else "")
        )
    return DERIVATIVE


def _takes_any_number(subject: Any) -> bool:
    """Return whether a function takes an equation and any number of operands, as einsum does everywhere."""
    try:
        parameters = inspect.signature(subject).parameters.values()
    except (TypeError, ValueError):
        return False
    return not isinstance(subject, partial) and any(p.kind is p.VAR_POSITIONAL for p in parameters)


def _is_factory(subject: Any, definition: Definition, roles: Mapping[str, str]) -> bool:
    if not callable(subject):
        return False
    try:
        names = list(inspect.signature(subject).parameters)
    except (TypeError, ValueError):
        return False
    return not any(role_of(name, ("gradient",), definition.entry.short, roles) == "gradient" for name in names)
