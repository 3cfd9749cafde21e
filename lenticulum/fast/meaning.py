"""The table of fast meanings: which plain function computes a description, looked up by its exact type."""

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from lenticulum.terms.value import Value

Function = TypeVar("Function", bound=Callable[..., Any])

#: What a function may ask for beside the fields of its term.
CONTEXT = ("state", "mode", "key")


class Meaning(NamedTuple):
    """A plain function, the fields it takes by name, and what it takes of state, mode and key."""

    function: Callable[..., Any]
    fields: tuple[str, ...]
    context: tuple[str, ...]


MEANINGS: dict[type[Value], Meaning] = {}


def meaning(term_type: type[Value]) -> Callable[[Function], Function]:
    """Declare a plain function the fast meaning of a term type.

    f(parameters, x, *, field, ...) -> y, or with state and, where needed, mode and key among the keyword-only names,
    f(parameters, x, *, field, ..., state, mode, key) -> (y, state). That of an operation takes its arrays instead,
    f(array, ..., *, field, ...) -> y.

    Arguments: `term_type`: the exact type of the description. Returns: a decorator that returns the function unchanged.
    Raises: TypeError if a keyword-only name is neither a field nor one of the three, if the function takes mode or key
    without state, or if the type already has a meaning.

    >>> from lenticulum.terms import Term, value
    >>> @value
    ... class Double(Term):
    ...     pass
    >>> meaning(Double)(lambda parameters, x, *, slope: slope * x)
    Traceback (most recent call last):
    TypeError: the meaning of Double takes 'slope'; its fields are none, and a meaning may also take state, mode, key
    """

    def declare(function: Function) -> Function:
        if term_type in MEANINGS:
            raise TypeError(f"{term_type.__name__} already has a fast meaning; a variant is a subclass with its own")
        MEANINGS[term_type] = _read(term_type, function)
        return function

    return declare


def exact_row(table: Mapping[type, Any], kind: type, what: str) -> Any:
    """Return the row of an exact type.

    Raises: TypeError naming the type and the base that it would wrongly have inherited from.

    >>> exact_row({int: "whole"}, bool, "meaning")
    Traceback (most recent call last):
    TypeError: bool has no fast meaning; it does not inherit that of int, so register one for bool itself
    """
    if kind in table:
        return table[kind]
    base = next((base for base in kind.__mro__ if base in table), None)
    if base is None:
        raise TypeError(f"{kind.__name__} has no fast {what}; register one for {kind.__name__} itself")
    raise TypeError(
        f"{kind.__name__} has no fast {what}; it does not inherit that of {base.__name__}, "
        f"so register one for {kind.__name__} itself"
    )


def keyword_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the keyword-only names of a function, in order.

    >>> keyword_names(lambda x, *, rate, decay: x)
    ('rate', 'decay')
    """
    parameters = inspect.signature(function).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY)


def field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a value type.

    >>> from lenticulum.terms import Bias
    >>> field_names(Bias)
    ('features',)
    """
    return tuple(field.name for field in dataclasses.fields(kind))


def _read(term_type: type[Value], function: Callable[..., Any]) -> Meaning:
    names, fields = keyword_names(function), field_names(term_type)
    for name in names:
        if name not in (*fields, *CONTEXT):
            raise TypeError(
                f"the meaning of {term_type.__name__} takes {name!r}; "
                f"its fields are {', '.join(fields) or 'none'}, and a meaning may also take state, mode, key"
            )
    context = tuple(name for name in names if name in CONTEXT)
    if context and "state" not in context:
        raise TypeError(
            f"the meaning of {term_type.__name__} takes {', '.join(context)} but not state; "
            "take state too and return (y, state)"
        )
    return Meaning(function, tuple(name for name in names if name not in CONTEXT), context)
