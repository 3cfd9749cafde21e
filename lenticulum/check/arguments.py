"""Arguments as users write them: name=value pairs, JSON literals, times, and numbers of ulp."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import prod
from typing import Any

from lenticulum.catalog import UnknownName, lookup, nearest
from lenticulum.check.errors import CallError
from lenticulum.check.held import held
from lenticulum.terms import exact

#: How --args writes the dtypes.
DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}

#: Entries of all arrays together. An exact number takes some hundred bytes and is kept with its bounds, so that these
#: take about a gigabyte; more would end without memory or time, not with a verdict.
MOST_ENTRIES = 1 << 22

#: Axes of an array: what every supported NumPy has.
MOST_AXES = 32

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


def read_roles(options: list[str] | None) -> dict[str, str]:
    """Read which argument plays a role.

    >>> read_roles(["x=logits"])
    {'x': 'logits'}
    """
    return dict(pair(each, "--role", "role=argument") for each in options or [])


def read_make(text: str | None) -> dict[str, Any]:
    """Read constructor arguments."""
    if text is None:
        return {}
    found = literal(text, "--make")
    if not isinstance(found, dict):
        raise CallError(f"--make {text!r}: expected a JSON object such as '{{\"shape\": 64}}'")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def read_shapes(text: str | None, spec: str | None, target: str) -> tuple[dict[str, tuple[int, ...]], str]:
    """Read shapes such as f32[8,16],f32[16]: by role for a definition, else by argument; and their one dtype."""
    if text is None:
        return {}, "float32"
    one, dense = r"\w+\[(?:\d{1,18}(?:,\d{1,18})*)?\]", "".join(text.split())
    if re.fullmatch(f"{one}(,{one})*", dense) is None:
        raise CallError(f"--args {text!r}: expected shapes such as f32[8,16],f32[16]")
    parts = re.findall(r"(\w+)\[([\d,]*)\]", dense)
    unknown = [name for name, _ in parts if name not in DTYPES]
    if unknown:
        raise CallError(
            f"--args: unknown dtype {unknown[0]!r}{nearest(unknown[0], DTYPES)}; expected {', '.join(DTYPES)}"
        )
    if len({name for name, _ in parts}) > 1:
        raise CallError(f"--args {text!r}: expected one dtype for all arrays")
    shapes = [tuple(int(size) for size in sizes.split(",") if size) for _, sizes in parts]
    if any(0 in shape for shape in shapes):
        raise CallError(f"--args {text!r}: expected sizes of at least 1")
    if max(map(len, shapes)) > MOST_AXES or sum(map(prod, shapes)) > MOST_ENTRIES:
        raise CallError(
            f"--args {text!r}: expected at most {MOST_ENTRIES} entries and {MOST_AXES} axes: "
            "each entry is held as an exact number of some hundred bytes"
        )
    names = list(lookup_or_refuse(spec).arrays) if spec is not None else argument_names(target)
    if len(shapes) > len(names):
        raise CallError(f"--args gives {len(shapes)} shapes; expected at most {len(names)}: {', '.join(names)}")
    return dict(zip(names, shapes, strict=False)), DTYPES[parts[0][0]]


def argument_names(target: str) -> list[str]:
    """Return the names of the required arguments of a target."""
    from lenticulum.check.modules.made import data_of, is_module
    from lenticulum.check.target import load, source_of_target
    from lenticulum.check.unspecified import required_names

    subject = load(target)
    return data_of(subject) if is_module(subject) else required_names(subject, source_of_target(target), {})


def lookup_or_refuse(spec: str) -> Any:
    """Return the row that a --spec names."""
    try:
        return lookup(spec.partition(":")[0])
    except UnknownName as error:
        raise CallError(str(error)) from None
