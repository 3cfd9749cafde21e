"""What a module offers to be checked: its public callables, and why the others are none."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Found:
    """A public callable of a module. `arguments`: the names it needs, or None if its signature says nothing."""

    name: str
    subject: Any
    arguments: tuple[str, ...] | None


def discover(module: ModuleType) -> tuple[list[Found], dict[str, str]]:
    """Return what a module defines and can be called, and the rest of its public names with the reason.

    Public is what stands in `__all__`, or else has no leading underscore. What was imported from elsewhere is neither.
    """
    found: list[Found] = []
    others: dict[str, str] = {}
    for name, subject in public(module).items():
        if not _at_home(subject, module.__name__):
            continue
        reason = _no_subject(subject)
        if reason is None:
            found.append(Found(name, subject, required(subject)))
        else:
            others[name] = reason
    return found, others


def public(module: ModuleType) -> Mapping[str, Any]:
    """Return the public names of a module, in the order of definition."""
    listed = getattr(module, "__all__", None)
    names = [name for name in vars(module) if not name.startswith("_")] if listed is None else list(listed)
    return {name: getattr(module, name) for name in names if hasattr(module, name)}


def required(subject: Any) -> tuple[str, ...] | None:
    """Return the arguments that a call must give by position.

    >>> required(lambda x, y, *, scale=1.0: x), required(lambda x, axis=-1: x)
    (('x', 'y'), ('x',))
    """
    try:
        parameters = inspect.signature(subject).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(p.name for p in parameters if p.kind in positional and p.default is inspect.Parameter.empty)


def _at_home(subject: Any, module: str) -> bool:
    """Return whether an object was made in this module or below it."""
    if isinstance(subject, ModuleType):
        return False
    inner = subject.func if isinstance(subject, functools.partial) else inspect.unwrap(subject)
    home = getattr(inner, "__module__", None)
    made_here = isinstance(home, str) and (home == module or home.startswith(f"{module}."))
    is_definition = inspect.isclass(inner) or inspect.isroutine(inner)
    # An object without a home of its own, such as a layer or a partial function, is the module's that holds it.
    return made_here or not is_definition or isinstance(subject, functools.partial)


def _no_subject(subject: Any) -> str | None:
    """Return why an object is nothing to check, or None."""
    if not callable(subject):
        return f"a {type(subject).__name__}, which cannot be called"
    if inspect.isclass(subject):
        if issubclass(subject, BaseException):
            return "an exception"
        if "__call__" not in {name for base in subject.__mro__[:-1] for name in vars(base)}:
            return "a class whose instances cannot be called"
    if inspect.iscoroutinefunction(subject) or inspect.isgeneratorfunction(subject):
        return "a coroutine or a generator, which returns no arrays"
    return None
