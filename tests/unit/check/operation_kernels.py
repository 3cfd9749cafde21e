"""The fast meanings of operations as kernels: functions of the arrays of a row, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from lenticulum import fast
from lenticulum.check.definition import parse
from lenticulum.fast.meaning import MEANINGS


def kernel(spec: str) -> Callable[..., Any]:
    """Return the fast meaning of a definition with its fields filled in, as a function of its arrays."""
    assert fast
    definition = parse(spec)
    term: Any = definition.term({}, {})
    meaning = MEANINGS[type(term)]
    fields = {name: getattr(term, name) for name in meaning.fields}
    roles, optional = definition.entry.arrays, definition.entry.optional

    def function(**arrays: Any) -> Any:
        return meaning.function(*(arrays.get(role) for role in roles), **fields)

    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                role, inspect.Parameter.KEYWORD_ONLY, default=None if role in optional else inspect.Parameter.empty
            )
            for role in roles
        ]
    )
    return function
