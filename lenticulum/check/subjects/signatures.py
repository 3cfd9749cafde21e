"""Signatures: the named arguments of a function, from Python or, for a built-in of torch, from its docstring."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence
from typing import Any

Parameter = inspect.Parameter


def signature(function: Any, arrays: Sequence[str], optional: Sequence[str]) -> dict[str, Parameter]:
    """Return the named arguments of a function.

    One without a signature, or of any number of arguments, takes the arrays in order.
    """
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return documented(function) or _in_order(arrays, optional)
    if any(p.kind is Parameter.VAR_POSITIONAL for p in parameters.values()) and not any(
        map(is_needed, parameters.values())
    ):
        return documented(function) or _in_order(arrays, optional)
    return dict(parameters)


def _in_order(arrays: Sequence[str], optional: Sequence[str]) -> dict[str, Parameter]:
    kind = Parameter.POSITIONAL_ONLY
    return {each: Parameter(each, kind, default=None) if each in optional else Parameter(each, kind) for each in arrays}


def is_needed(parameter: Parameter) -> bool:
    """Return whether a call needs an argument."""
    variadic = parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return parameter.default is Parameter.empty and not variadic


def documented(function: Any) -> dict[str, Parameter]:
    """Return the arguments that the first line of a docstring names, as those of PyTorch do, or nothing.

    >>> def conv(*given): "conv(input, weight, bias=None, *, groups=1) -> Tensor"
    >>> {name: str(each.kind) for name, each in documented(conv).items()}["groups"]
    'KEYWORD_ONLY'
    """
    name, text = getattr(function, "__name__", ""), getattr(function, "__doc__", None) or ""
    # One pair of brackets may stand in the defaults.
    found = re.match(rf"\s*{re.escape(name)}\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text) if name else None
    try:
        tree = ast.parse(f"def f({found[1]}): ...") if found else None
    except SyntaxError:
        tree = None
    if tree is None or not isinstance(definition := tree.body[0], ast.FunctionDef):
        return {}
    given = definition.args
    places = [*given.posonlyargs, *given.args]
    missing: list[ast.expr | None] = [None] * (len(places) - len(given.defaults))
    pairs = [
        *(
            (each, default, Parameter.POSITIONAL_OR_KEYWORD)
            for each, default in zip(places, [*missing, *given.defaults], strict=True)
        ),
        *(
            (each, default, Parameter.KEYWORD_ONLY)
            for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        ),
    ]
    empty = Parameter.empty
    return {
        each.arg: Parameter(each.arg, kind, default=empty if default is None else ast.unparse(default))
        for each, default, kind in pairs
    }
