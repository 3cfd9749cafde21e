"""The parts of an object: what is stored in it, step by step, whether or not its class calls it a field."""

from __future__ import annotations

import dataclasses
import enum
import functools
import sys
from collections.abc import Iterator
from types import FunctionType, MethodType, SimpleNamespace
from typing import Any

Path = tuple[Any, ...]

#: No more than so many parts are listed, and none deeper: an object may hold a whole data set.
MOST, DEEPEST = 300, 8

_HEAP_TYPE = 1 << 9


def attributes(instance: Any) -> dict[str, Any]:
    """Return what an instance stores by name: fields, `__dict__` and the slots of every class, without cached values.

    >>> attributes(SimpleNamespace(factor=2.0))
    {'factor': 2.0}
    """
    cached = cached_names(type(instance))
    stored = getattr(instance, "__dict__", {})
    found: dict[str, Any] = {}
    for name in dict.fromkeys((*_declared(type(instance)), *stored)):
        if name in cached:
            continue
        try:
            found[name] = stored[name] if name in stored else object.__getattribute__(instance, name)
        except AttributeError:  # declared and never set
            continue
    return found


@functools.lru_cache(maxsize=512)
def _declared(cls: type) -> tuple[str, ...]:
    fields = tuple(field.name for field in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else ()
    return (*fields, *slot_names(cls))


@functools.lru_cache(maxsize=512)
def cached_names(cls: type) -> frozenset[str]:
    """Return the names of the cached properties of a class."""
    return frozenset(
        name for base in cls.__mro__ for name, item in vars(base).items() if isinstance(item, functools.cached_property)
    )


@functools.lru_cache(maxsize=512)
def slot_names(cls: type) -> tuple[str, ...]:
    """Return the slots of a class and of every class above it, as attributes are spelled."""
    names: list[str] = []
    for base in cls.__mro__:
        declared = base.__dict__.get("__slots__", ())
        for name in (declared,) if isinstance(declared, str) else tuple(declared):
            mangled = f"_{base.__name__.lstrip('_')}{name}" if name.startswith("__") and name[-2:] != "__" else name
            names += [] if name in ("__dict__", "__weakref__") else [mangled]
    return tuple(names)


@functools.lru_cache(maxsize=512)
def is_record(cls: type) -> bool:
    """Whether instances of a class are records of parts, not numbers, arrays, or objects of a library or of Python."""
    root = cls.__module__.partition(".")[0]
    if issubclass(cls, type | enum.Enum | tuple | list | dict | set | frozenset | str | bytes | int | float | complex):
        return False
    if root in ("jax", "jaxlib", "numpy", "ml_dtypes", "torch"):
        return False
    if root in sys.stdlib_module_names:
        return cls is SimpleNamespace or (root == "builtins" and bool(cls.__flags__ & _HEAP_TYPE))
    return True


def parts(value: Any) -> list[tuple[Any, Any]]:
    """Return the steps into a value with what lies there: attributes, elements, entries, cells and defaults.

    >>> parts(functools.partial(max, 1))
    [('func', <built-in function max>), ('args', (1,)), ('keywords', {})]
    """
    if isinstance(value, functools.partial):
        return [("func", value.func), ("args", value.args), ("keywords", value.keywords)]
    if isinstance(value, MethodType):
        return [("__self__", value.__self__)]
    if isinstance(value, FunctionType):
        return [*_cells(value), *_defaults(value)]
    if isinstance(value, tuple | list):
        return list(enumerate(value))
    if isinstance(value, dict):
        return list(value.items())
    return list(attributes(value).items()) if is_record(type(value)) else []


def _cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield f"cell {name}", cell.cell_contents
        except ValueError:  # not yet set
            continue


def _defaults(function: FunctionType) -> Iterator[tuple[str, Any]]:
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    given = function.__defaults__ or ()
    yield from ((f"default {n}", v) for n, v in zip(names[len(names) - len(given) :], given, strict=True))
    yield from ((f"default {n}", v) for n, v in (function.__kwdefaults__ or {}).items())


def part(value: Any, path: Path) -> Any:
    """Return what lies at the end of a path.

    >>> part(functools.partial(max, 1, 5), ("args", 1))
    5
    """
    for step in path:
        value = next(child for name, child in parts(value) if name is step or name == step)
    return value


def inventory(value: Any) -> list[tuple[Path, Any]]:
    """Return every part at any depth with its path, the outer ones first; nothing twice along one path.

    Of long sequences some places are taken, and no more than MOST parts in all; `left_out` says what is missing.
    """
    return _walked(value)[0]


def left_out(value: Any) -> list[str]:
    """Say which parts of an object the inventory does not have.

    >>> left_out(SimpleNamespace(table=tuple(range(100))))
    ['.table: 95 of 100 elements']
    """
    return _walked(value)[1]


def _walked(value: Any) -> tuple[list[tuple[Path, Any]], list[str]]:
    found: list[tuple[Path, Any]] = []
    missing: list[str] = []

    def walk(each: Any, path: Path, above: tuple[int, ...]) -> None:
        if id(each) in above:
            return
        children = parts(each)
        chosen = _several(children) if isinstance(each, tuple | list | dict) else children
        if children and len(path) >= DEEPEST:
            missing.append(f"{written(path)}: what lies deeper than {DEEPEST}")
            return
        if len(chosen) < len(children):
            missing.append(f"{written(path)}: {len(children) - len(chosen)} of {len(children)} elements")
        for place, (step, child) in enumerate(chosen):
            if len(found) >= MOST:
                missing.append(f"{written(path)}: {len(chosen) - place} parts, after the first {MOST} of all")
                return
            found.append(((*path, step), child))
            walk(child, (*path, step), (*above, id(each)))

    walk(value, (), ())
    return found, missing


def _several(children: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return all of a few elements, or those of several places: a key may look at some places only."""
    count = len(children)
    if count <= 6:
        return children
    return [children[place] for place in (0, 1, count // 2, count - 2, count - 1)]


def expression(name: str, value: Any, path: Path) -> str:
    """Write how a part of the object called `name` is reached in Python.

    >>> expression("first", functools.partial(max, 1, [2]), ("args", 1, 0))
    'first.args[1][0]'
    """
    text = name
    for place, step in enumerate(path):
        owner = part(value, path[:place])
        if isinstance(owner, FunctionType):
            return f"part({name}, {path!r})"
        text += f"[{step!r}]" if isinstance(owner, tuple | list | dict) else f".{step}"
    return text


def written(path: Path) -> str:
    """Write a path as Python would, as far as Python can.

    >>> written(("inner", "groups", 0)), written(("forward", "cell scale"))
    ('.inner.groups[0]', '.forward.<cell scale>')
    """
    text = ""
    for step in path:
        if isinstance(step, str) and step.isidentifier():
            text += f".{step}"
        elif isinstance(step, str) and step.partition(" ")[0] in ("cell", "default"):
            text += f".<{step}>"
        else:
            text += f"[{step!r}]"
    return text or "the object"
