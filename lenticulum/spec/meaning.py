"""Meaning by exact type: the table from a description to the plain function that computes it."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from lenticulum.terms import Value

Function = Callable[..., Any]

#: Names that a function may take beside the fields of its description.
SPECIAL = ("state", "mode", "key")

_MEANINGS: dict[type[Value], Function] = {}


def meaning(description: type[Value]) -> Callable[[Function], Function]:
    """Register a plain function as the meaning of a description; the function itself is returned unchanged.

    The keyword-only arguments of the function are fields of the description, or `state`, `mode`, `key`.

    Raises:
        TypeError: if the function asks for something that the description does not have.
    """

    def register(function: Function) -> Function:
        known = {*getattr(description, "__dataclass_fields__", {}), *SPECIAL}
        unknown = [name for name in keywords(function) if name not in known]
        if unknown:
            asked = ", ".join(unknown)
            raise TypeError(f"{function.__name__} asks for {asked}, which {description.__name__} does not have")
        _MEANINGS[description] = function
        return function

    return register


def meaning_of(description: Value) -> Function:
    """Return the function registered for exactly this type.

    Raises:
        TypeError: if there is none; a subclass of a registered type does not inherit its meaning.
    """
    kind = type(description)
    if kind in _MEANINGS:
        return _MEANINGS[kind]
    parents = [parent.__name__ for parent in kind.__mro__[1:] if parent in _MEANINGS]
    hint = f"; it is a subclass of {parents[0]}, whose meaning it does not inherit" if parents else ""
    raise TypeError(f"no exact meaning for {kind.__name__}{hint}: register one with spec.meaning({kind.__name__})")


def keywords(function: Function) -> list[str]:
    """Return the keyword-only arguments of a function.

    >>> keywords(meaning_of)
    []
    """
    return list(_keywords(function))


# Read once: a definition is evaluated at every point, and reading a signature costs more than a small evaluation.
@cache
def _keywords(function: Function) -> tuple[str, ...]:
    parameters = inspect.signature(function).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY)


def fields_for(function: Function, description: Value) -> dict[str, Any]:
    """Return the fields of the description that the function asks for, by name."""
    return {name: getattr(description, name) for name in keywords(function) if name not in SPECIAL}
