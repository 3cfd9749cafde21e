"""The closed forms of a definition as its sources print them, beside the one form that is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from lenticulum.numbers import ExactArray
from lenticulum.spec.meaning import Function, fields_for, keywords, meaning_of
from lenticulum.terms import Operation, Tree, Value

#: A closed form with the fields of its term filled in. The argument of a term is one array, or a pair of them; those of
#: an operation are its arrays, in the order of its roles.
Form = Callable[..., ExactArray]

F = TypeVar("F", bound=Function)


class _Row(NamedTuple):
    function: Function
    conventions: dict[str, object]


_TEXTBOOK: dict[type[Value], list[_Row]] = {}


def textbook(description: type[Value], **conventions: object) -> Callable[[F], F]:
    """Register a plain function as a closed form of a description; the function itself is returned unchanged.

    It takes what a meaning takes: f(parameters, x, *, field, ...), or f(array, ..., *, field, ...) of an operation.
    Where `conventions` are given, it is a form of the description under these values of its fields only. A float
    computed step by step along any form is excused within the running bound of that form.

    Raises: TypeError if the function or `conventions` name what is no field of the description.
    """
    known: tuple[str, ...] = tuple(getattr(description, "__dataclass_fields__", {}))

    def register(function: F) -> F:
        unknown = [name for name in (*keywords(function), *conventions) if name not in known]
        if unknown:
            asked = ", ".join(unknown)
            raise TypeError(f"{function.__name__} asks for {asked}, which {description.__name__} does not have")
        _TEXTBOOK.setdefault(description, []).append(_Row(function, conventions))
        return function

    return register


def forms_of(term: Value) -> tuple[Form, ...]:
    """Return the closed forms of a term; its meaning, where no other form is registered.

    Each takes one exact array, or the pair of them for a function of two arguments; that of an operation takes its
    arrays one by one. Each returns one array.

    Raises: TypeError if the term has no exact meaning.

    >>> from lenticulum.numbers import ball
    >>> from lenticulum.terms import Exp
    >>> [form(ball([0])) for form in forms_of(Exp())]
    [Ball([1.00000000000000])]
    """
    return tuple(_bound(function, term) for function in _registered(term))


def layer_forms_of(term: Value) -> tuple[Form, ...]:
    """Return the closed forms of a layer, each from its parameters and its argument; its meaning, if it has no other.

    Raises: TypeError if the term has no exact meaning.

    >>> from lenticulum.numbers import rational
    >>> from lenticulum.terms import Bias
    >>> [form(Tree(bias=rational([1])), rational([2])) for form in layer_forms_of(Bias(1))]
    [Rational([3])]
    """
    return tuple(partial(function, **fields_for(function, term)) for function in _registered(term))


def evaluation_of(term: Value) -> Form:
    """Return the meaning of a term with its fields filled in: the form that does not cancel."""
    return _bound(meaning_of(term), term)


def _registered(term: Value) -> list[Function]:
    registered = [row.function for row in _TEXTBOOK.get(type(term), []) if _applies(row, term)]
    return registered or [meaning_of(term)]


def _applies(row: _Row, term: Value) -> bool:
    return all(getattr(term, name) == choice for name, choice in row.conventions.items())


def _bound(function: Function, term: Value) -> Form:
    fields = fields_for(function, term)
    return partial(function, **fields) if isinstance(term, Operation) else partial(function, Tree(), **fields)
