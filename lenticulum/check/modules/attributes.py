"""Everything that an object holds, by path: fields, slots, items, closures; each leaf with its bits."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from lenticulum.check.identity.parts import cached_names

#: An object of more parts is looked at so far only.
MOST = 5000


def attributes(root: Any) -> dict[str, str]:
    """Return the fingerprints of the leaves of an object.

    >>> attributes({"a": [1, 1.0]})
    {"['a'][0]": 'int 1', "['a'][1]": 'float 1.0'}
    """
    return {path: fingerprint(value) for path, value in walk(root) if not _parts(value)}


def walk(root: Any) -> Iterator[tuple[str, Any]]:
    """Give path and value of every object that is reachable, each object once, the root first."""
    seen: set[int] = set()
    kept: list[Any] = []
    waiting: list[tuple[str, Any]] = [("", root)]
    while waiting and len(kept) < MOST:
        path, value = waiting.pop()
        if id(value) in seen:
            continue
        parts = _parts(value)
        if parts:
            seen.add(id(value))
        kept.append(value)
        yield path, value
        waiting += [(path + name, each) for name, each in reversed(parts)]


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the paths at which two sets of attributes differ."""
    return [path for path in dict.fromkeys((*before, *after)) if before.get(path) != after.get(path)]


def fingerprint(value: Any) -> str:
    """Return type and bits of a leaf; of an object without parts its type alone."""
    if isinstance(value, jax.core.Tracer):
        return f"a tracer {type(value).__name__}"
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    if isinstance(value, np.ndarray | np.generic | jax.Array):
        host = np.asarray(value)
        return f"{host.dtype.name}{list(host.shape)} {host.tobytes().hex()}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return f"{type(value).__name__} {value!r}"
    return type(value).__qualname__


def _parts(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(f"[{name!r}]", each) for name, each in list(value.items())]
    if isinstance(value, list | tuple):
        return [(f"[{place}]", each) for place, each in enumerate(value)]
    if isinstance(value, functools.partial):
        return [(".func", value.func), (".args", value.args), (".keywords", value.keywords)]
    if isinstance(value, types.MethodType):
        return [(".__self__", value.__self__), (".__func__", value.__func__)]
    if isinstance(value, types.FunctionType):
        return [*_closure(value), *((f".{n}", each) for n, each in vars(value).items() if n != "__wrapped__")]
    if _is_leaf(value):
        return []
    return [(f".{name}", each) for name, each in _fields(value)]


def _closure(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    names, cells = function.__code__.co_freevars, function.__closure__ or ()  # type: ignore[attr-defined]
    found = []
    for name, cell in zip(names, cells, strict=True):
        try:
            found.append((f".<{name}>", cell.cell_contents))
        except ValueError:  # a name that is not bound yet
            continue
    return found


def _is_leaf(value: Any) -> bool:
    plain = (type, types.ModuleType, types.BuiltinFunctionType, np.ndarray, np.generic, jax.Array, str, bytes)
    home = type(value).__module__.partition(".")[0]
    return isinstance(value, plain) or home in ("jax", "jaxlib", "builtins", "numpy")


def _fields(value: Any) -> list[tuple[str, Any]]:
    slots = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
    # A cached value follows from the others: that a call fills it changes nothing.
    cached = cached_names(type(value))
    stored = [(name, each) for name, each in getattr(value, "__dict__", {}).items() if name not in cached]
    return [*stored, *((name, getattr(value, name)) for name in slots)]


def _slots(kind: type) -> list[str]:
    names = vars(kind).get("__slots__", ())
    found = [names] if isinstance(names, str) else list(names)
    return [name for name in found if name not in ("__dict__", "__weakref__")]
