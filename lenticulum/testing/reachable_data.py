"""What a program can read of containers, arrays and other data: labels and parts by name."""

from __future__ import annotations

import decimal
import fractions
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from lenticulum.terms.key import key
from lenticulum.testing.reachable_code import is_opaque, look_instance
from lenticulum.testing.watch import MISSING, Seen, Watch

PLAIN = (type(None), bool, int, float, complex, str, bytes, fractions.Fraction)

#: What never changes and shows all of itself.
SHOWN = (np.dtype, decimal.Decimal, range, slice, type(Ellipsis), type(NotImplemented))


def _own_state(item: Any, plain: tuple[type, ...], seen: Seen, watch: Watch) -> Seen:
    """Add what an instance of a subclass holds beside its elements."""
    if type(item) not in plain and not is_opaque(type(item)):
        seen.parts += look_instance(item, watch).parts
    return seen


def look_mapping(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    keys, values = tuple(item), tuple(item.values())
    watch.entries.append((item, keys, values))
    plain = tuple(key(each) if type(each) in PLAIN else None for each in keys)
    seen = Seen((type(item).__qualname__, plain))
    for number, (each, value) in enumerate(zip(keys, values, strict=True)):
        if plain[number] is None:
            seen.parts.append((f"key {number}", "", each))
        seen.parts.append((f"[{each!r}]" if plain[number] else f"value {number}", "", value))
    return _own_state(item, (dict, types.MappingProxyType), seen, watch)


def look_sequence(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    elements = tuple(item)
    if not isinstance(item, tuple):
        watch.items.append((item, elements))
    seen = Seen((type(item).__qualname__, len(elements)), [(f"[{n}]", "", part) for n, part in enumerate(elements)])
    return _own_state(item, (list, tuple), seen, watch)


def look_set(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    elements = tuple(item)
    watch.items.append((item, elements))
    plain = frozenset(key(each) for each in elements if type(each) in PLAIN)
    rest = [(f"element {n}", "", each) for n, each in enumerate(elements) if type(each) not in PLAIN]
    return _own_state(item, (set, frozenset), Seen((type(item).__qualname__, plain), rest), watch)


def look_array(array: Any, names: frozenset[str], watch: Watch) -> Seen:
    bits = array.tobytes()
    watch.arrays.append((array, array.dtype, array.shape, bits))
    label = ("array", type(array).__qualname__, repr(array.dtype), array.shape)
    if array.dtype.hasobject:
        return Seen(label, [(f"[{n}]", "", part) for n, part in enumerate(array.ravel().tolist())])
    seen = Seen((*label, bits))
    if isinstance(array, np.ma.MaskedArray):
        # `tobytes` fills what is hidden in: the data and the mask are two things.
        data, mask = np.ma.getdata(array), np.ma.getmaskarray(array)
        seen.parts += [(".data", "", data), (".mask", "", mask)]
    return _own_state(array, (np.ndarray,), seen, watch)


def look_scalar(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    return Seen(("scalar", repr(item.dtype), item.tobytes()))


def look_bytes(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    watch.items.append((item, tuple(item)))
    return Seen(("bytearray", bytes(item)))


def look_context_variable(variable: Any, names: frozenset[str], watch: Watch) -> Seen:
    read: Callable[[Any], Any] = lambda missing: variable.get(missing)  # noqa: E731 - a default of its own wins
    content = variable.get(MISSING)
    watch.reads.append((read, MISSING, content))
    return Seen(("context variable", variable.name), [("content", variable.name, content)])


def look_shown(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    return Seen((type(item).__name__, repr(item)))


def look_reference(reference: Any, names: frozenset[str], watch: Watch) -> Seen:
    return Seen(("weak reference",), [("referent", "", reference())])
