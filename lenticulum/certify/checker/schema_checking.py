"""A checker of the part of JSON Schema (2020-12) that the published schema of certificates uses."""

from __future__ import annotations

import re
from typing import Any

from lenticulum.certify.checker.json_reading import Unreadable

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}

#: Every keyword is checked or says nothing about the value; any other is an error in the schema.
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}

NOT_ONE = "This is no certificate by the published schema"


def check_schema(value: Any, schema: dict[str, Any]) -> None:
    """Raise Unreadable with the first place at which a value does not follow the schema."""
    _check(value, schema, schema["$defs"], "")


def _check(value: Any, schema: dict[str, Any], definitions: dict[str, Any], path: str) -> None:
    for keyword, argument in schema.items():
        if keyword == "$ref":
            _check(value, definitions[argument.removeprefix("#/$defs/")], definitions, path)
        elif keyword == "anyOf":
            _any_of(value, argument, definitions, path)
        elif keyword in ("properties", "additionalProperties", "propertyNames"):
            if isinstance(value, dict):
                _members(keyword, value, schema, definitions, path)
        elif keyword == "items":
            for position, item in enumerate(value if isinstance(value, list) else []):
                _check(item, argument, definitions, f"{path}[{position}]")
        elif keyword not in ANNOTATIONS:
            _refuse_unless(_holds(keyword, argument, value), value, keyword, argument, path)


def _any_of(value: Any, choices: list[dict[str, Any]], definitions: dict[str, Any], path: str) -> None:
    """Check one of two choices, of which the second is null, so that a message can name the place inside the first."""
    first, null = choices
    assert null == {"type": "null"}
    if value is not None:
        _check(value, first, definitions, path)


def _members(
    keyword: str, value: dict[str, Any], schema: dict[str, Any], definitions: dict[str, Any], path: str
) -> None:
    argument = schema[keyword]
    if keyword == "properties":
        for name, member in value.items():
            if name in argument:
                _check(member, argument[name], definitions, f"{path}.{name}")
    elif keyword == "propertyNames":
        for name in value:
            _check(name, argument, definitions, f"{path}, in the name of a field")
    else:
        for name, member in value.items():
            if name in schema.get("properties", {}) or argument is True:
                continue
            if argument is False:
                raise Unreadable(f"{NOT_ONE}: {_place(path)} has an unknown field {name[:64]!r}.")
            _check(member, argument, definitions, f"{path}.{name[:64]}")


def _holds(keyword: str, argument: Any, value: Any) -> bool:
    """Whether a value follows one keyword; a keyword about another type holds."""
    if keyword == "type":
        # JSON's true is no number, although Python's True is.
        return isinstance(value, TYPES[argument]) and not (argument == "integer" and isinstance(value, bool))
    if keyword == "const":
        return type(value) is type(argument) and value == argument
    if keyword == "enum":
        return any(type(value) is type(each) and value == each for each in argument)
    if keyword == "required":
        return not isinstance(value, dict) or all(name in value for name in argument)
    if keyword in ("minimum", "maximum"):
        sign = 1 if keyword == "minimum" else -1
        return not isinstance(value, int) or sign * value >= sign * argument
    if keyword == "pattern":
        # A dollar sign at the end of a Python pattern also matches before a last newline; JSON Schema's does not.
        assert argument[0] + argument[-1] == "^$"
        return not isinstance(value, str) or re.fullmatch(argument[1:-1], value) is not None
    kind, sign = {
        "minLength": (str, 1),
        "maxLength": (str, -1),
        "minItems": (list, 1),
        "maxItems": (list, -1),
        "maxProperties": (dict, -1),
    }[keyword]
    return not isinstance(value, kind) or sign * len(value) >= sign * argument


def _refuse_unless(holds: bool, value: Any, keyword: str, argument: Any, path: str) -> None:
    if holds:
        return
    if keyword == "required":
        missing = next(name for name in argument if name not in value)
        raise Unreadable(f"{NOT_ONE}: {_place(path)} has no field {missing!r}.")
    shown = value if isinstance(value, str | int | float | None) else type(value).__name__
    raise Unreadable(f"{NOT_ONE}: {_place(path)} is {str(shown)[:64]!r}, expected {keyword} {argument!s:.200}.")


def _place(path: str) -> str:
    return path.removeprefix(".") or "the outermost value"
