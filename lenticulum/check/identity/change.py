"""Other values for a part: each with the Python expression that makes it from the old one."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from lenticulum.check.identity.array_change import array_changes, array_twins
from lenticulum.check.identity.container_change import container_changes, container_twins
from lenticulum.check.identity.number_twins import enum_twin, number_twins


class Change(NamedTuple):
    """A value to put in place of `old`, and the expression that says so; it may use np, jnp, enum and collections."""

    text: str
    new: Any


def changes(old: Any) -> Iterator[Change]:
    """Yield values unequal to `old`: large and small changes, at several places, of every projection a key may take.

    Large ones come first: a small one may round away in a program.

    >>> [change.text for change in changes(2.0)][:3]
    ['1027.0', '3.0', '-2.0']
    """
    return (Change(*each) for each in _changes(old))


def twins(old: Any) -> Iterator[Change]:
    """Yield values that `==`, text or bytes confuse with `old`, and that may be another program.

    >>> [change.text for change in twins(True)][:2]
    ['1', '1.0']
    """
    return (Change(*each) for each in _twins(old))


Pairs = Iterator[tuple[str, Any]]


def _changes(old: Any) -> Pairs:
    if isinstance(old, enum.Enum):
        yield from _members(old)
    elif isinstance(old, bool | np.bool_):
        yield "not old", type(old)(not old)
    elif isinstance(old, np.generic):
        yield from ((text.replace("array", "scalar"), new[()]) for text, new in array_changes(np.asarray(old)))
    elif type(old) in (int, float, complex, Fraction):
        yield from ((repr(new), new) for new in _numbers(old))
    elif isinstance(old, str | bytes):
        yield from ((repr(new), new) for new in _texts(old))
    elif isinstance(old, np.ndarray):
        yield from array_changes(old)
    elif isinstance(old, jax.Array):
        yield from _device_changes(old)
    elif old is None:
        yield from (("0", 0), ("1.0", 1.0), ("'other'", "other"))
    elif _is_format(old):
        yield from _formats(old)
    elif isinstance(old, range | slice):
        yield f"{type(old).__name__}(old.start, old.stop + 1, old.step)", type(old)(old.start, old.stop + 1, old.step)
    elif isinstance(old, FunctionType | MethodType) or (callable(old) and not isinstance(old, type) and _opaque(old)):
        yield "doubled(old)", doubled(old)
    else:
        yield from container_changes(old)


def _twins(old: Any) -> Pairs:
    if isinstance(old, enum.Enum):
        yield from _enum_twins(old)
    elif isinstance(old, np.ndarray):
        yield from array_twins(old)
    elif isinstance(old, str):
        yield f"enum.StrEnum('Twin', {{'X': {old!r}}}).X", enum_twin(enum.StrEnum, old)
    elif isinstance(old, range):
        if not old:  # all empty ranges are equal
            yield "range(old.start + 1, old.start)", range(old.start + 1, old.start)
    elif isinstance(old, bool | int | float | complex | Fraction | np.generic):
        yield from number_twins(old)
    else:
        yield from container_twins(old)


def _numbers(old: Any) -> Iterator[Any]:
    candidates: list[Any]
    if type(old) is int:
        candidates = [old + 1000, old + 1, -old, old - 1]
    elif type(old) is float:
        candidates = [1023.0 + 2.0 * old, old + 1.0, -old, old * 1.5, old * (1.0 + 2.0**-12), old + 2.0**-30]
        candidates += [math.nextafter(old, math.inf)]
    elif type(old) is complex:
        candidates = [old + 1000, old + 1, old.conjugate(), complex(old.real, old.imag + 1), -old]
    else:
        candidates = [old + 1000, old + 1, -old, old + Fraction(1, 10**9)]
    kept: list[Any] = []
    for new in candidates:
        if new != old and new not in kept and new == new:
            kept.append(new)
            yield new


def _texts(old: Any) -> Iterator[Any]:
    other: Any = b"other" if isinstance(old, bytes) else "other"
    blank: Any = b" " if isinstance(old, bytes) else " "
    for new in (other, old + other, old[:-1], old[::-1], old.swapcase(), blank + old):
        if new != old:
            yield new


def _members(old: enum.Enum) -> Pairs:
    kind = type(old)
    others = [member for member in kind if member is not old]
    for member in (*others[:2], *others[-1:]):
        yield f"type(old)[{member.name!r}]", member
    if isinstance(old, enum.Flag):
        for member in others[:2]:
            yield f"old ^ type(old)[{member.name!r}]", _combined(old, member)


def _combined(old: Any, member: Any) -> Any:
    return old ^ member


def _enum_twins(old: enum.Enum) -> Pairs:
    """Equal members of another class: of integers, strings and flags, where `==` is that of the value."""
    base = next((each for each in (enum.IntFlag, enum.IntEnum, enum.StrEnum) if isinstance(old, each)), None)
    value = old.value
    if base is not None:
        yield f"enum.{base.__name__}('Twin', {{'X': {value!r}}}).X", enum_twin(base, value)
    if isinstance(value, int | str | float) and value == old:
        yield repr(value), value


#: Another format of one kind, and another one of one size: a program in either is another program.
_NEXT = {
    "float32": ("bfloat16", "int32"),
    "bfloat16": ("float32", "float16"),
    "float16": ("float32", "bfloat16"),
    "float64": ("float32", "int64"),
    "int32": ("int8", "float32"),
    "int8": ("int16", "uint8"),
    "int64": ("int32", "float64"),
    "bool": ("int8", "uint8"),
}


def _is_format(old: Any) -> bool:
    """Whether this is a dtype, a scalar type of NumPy, or one of jnp.float32, jnp.int8, ..."""
    scalar_type = isinstance(old, type) and (issubclass(old, np.generic) or type(old).__name__ == "_ScalarMeta")
    return isinstance(old, np.dtype) or scalar_type


def _formats(old: Any) -> Pairs:
    for other in _NEXT.get(np.dtype(old).name, ("float32", "int8")):
        if isinstance(old, np.dtype):
            yield f"jnp.dtype({other!r})", jnp.dtype(other)
        elif issubclass(old, np.generic):
            yield f"jnp.dtype({other!r}).type", jnp.dtype(other).type
        else:
            yield f"jnp.{other}", getattr(jnp, other)


def _device_changes(old: jax.Array) -> Pairs:
    if jnp.issubdtype(old.dtype, jax.dtypes.extended) or isinstance(old, Tracer):
        return
    for text, new in array_changes(np.asarray(old)):
        yield f"jnp.asarray({text.replace('old', 'np.asarray(old)')})", jax.device_put(new)


def _opaque(value: Any) -> bool:
    from lenticulum.check.identity.parts import parts

    return not parts(value)


def doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with twice the result: another behaviour in the place of the given one."""

    def twice(*args: Any, **keywords: Any) -> Any:
        return jax.tree.map(lambda leaf: leaf + leaf, function(*args, **keywords))

    return twice
