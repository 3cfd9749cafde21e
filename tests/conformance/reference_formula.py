"""A reference of mpmath or Fraction as a formula of exact arrays: the same code, read in the numbers of this library.

`mpf(str(x))`, `mpf(x)` and `Fraction(str(x))` mean the float x that the kernel received, exactly.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from lenticulum import numbers
from lenticulum.numbers import ExactArray, stack


def reference_formula(code: str) -> Callable[..., ExactArray]:
    """Return the function `reference` of a piece of code as a formula of exact arrays, given by name."""

    def formula(**arguments: Any) -> ExactArray:
        like = next(each for each in arguments.values() if isinstance(each, ExactArray))
        namespace = _namespace(like)
        exec(code, namespace)
        return _stacked(namespace["reference"](**{name: _lists(each) for name, each in arguments.items()}))

    formula.__name__ = "the reference"
    return formula


def _namespace(like: ExactArray) -> dict[str, Any]:
    """Return the globals of a reference: its modules are the numbers of the system of `like`."""

    def number(x: Any) -> Any:
        return x if isinstance(x, ExactArray) else like.lift(int(x))

    functions = {name: getattr(numbers, name) for name in ("exp", "log", "sqrt", "cos", "sin")}
    modules = {
        "mpmath": SimpleNamespace(mpf=number, pi=numbers.pi(like), **functions),
        "fractions": SimpleNamespace(Fraction=number),
    }

    def imported(name: str, *_: Any) -> Any:
        return modules[name]

    # The text of an exact number is the number.
    text = {"str": lambda x: x if isinstance(x, ExactArray) else str(x)}
    return {"__builtins__": {**vars(builtins), "__import__": imported, **text}}


def _lists(array: Any) -> Any:
    """Return nested lists of 0-d arrays."""
    return [_lists(row) for row in array] if isinstance(array, ExactArray) and array.ndim else array


def _stacked(result: Any) -> ExactArray:
    return stack([_stacked(each) for each in result]) if isinstance(result, list) else result
