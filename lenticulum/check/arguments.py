"""Arguments as users write them: name=value pairs, JSON literals, times, and numbers of ulp."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from lenticulum.check.errors import CallError
from lenticulum.check.held import held
from lenticulum.terms import exact

NIGHT = 8 * 3600.0


def pair(text: str, option: str, form: str) -> tuple[str, str]:
    """Split name=value.

    >>> pair("axis=-1", "--bind", "name=value")
    ('axis', '-1')
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise CallError(f"{option} {text!r}: expected {form}")
    return name, value


def literal(text: str, option: str, real: Callable[[str], Any] | None = None) -> Any:
    """Read a JSON literal; `real` reads its decimals, by default to the nearest binary64 number.

    Raises: CallError if it is none, or a finite decimal beyond the numbers of binary64.

    >>> literal("[0.1, Infinity]", "--bind x")
    [0.1, inf]
    >>> literal("[1, 1e999]", "--bind x")
    Traceback (most recent call last):
    lenticulum.check.errors.CallError: --bind x: got 1E+999, which float64 does not hold; its largest number is ...
    """
    read = real or (lambda text: held(option, decimal(text), "float64").item())
    try:
        return json.loads(text, parse_float=read)
    except CallError:
        raise
    except (ValueError, RecursionError) as error:
        raise CallError(f'{option} {text!r} is no JSON literal ({error}); write true, 0.5, "word" or [1, 2]') from None


def decimal(text: str) -> Decimal:
    """Return a decimal exactly.

    >>> decimal("1e-400")
    Decimal('1E-400')
    """
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"the exponent of {text} is too long") from None


def read_bind(texts: list[str] | None) -> dict[str, Any]:
    """Read fixed arguments.

    >>> read_bind(["approximate=false", "axis=-1"])
    {'approximate': False, 'axis': -1}
    """
    named = (pair(text, "--bind", "name=value") for text in texts or [])
    return {name: literal(value, f"--bind {name}") for name, value in named}


def read_budget(text: str | None) -> float:
    """Return seconds.

    >>> read_budget("1m"), read_budget(None)
    (60.0, 0.0)
    """
    if text is None:
        return 0.0
    if text == "night":
        return NIGHT
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([sm])", text)
    if match is None:
        raise CallError(f"--budget {text!r}: expected a time such as 2s, 1m or night")
    return float(match[1]) * (60 if match[2] == "m" else 1)


def read_within(text: str | None) -> Fraction | None:
    """Return a number of ulp, exactly."""
    if text is None:
        return None
    try:
        ulps = exact(text, "--within")
    except ValueError:
        raise CallError(f"--within {text!r}: expected a number of ulp such as 1/2 or 3") from None
    if ulps < 0:
        raise CallError(f"--within {text}: expected a number of ulp >= 0")
    return ulps
