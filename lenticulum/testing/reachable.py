"""What a program can read of an object: a label of its own bits, and its parts by name."""

from __future__ import annotations

import collections
import contextvars
import enum
import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from lenticulum.terms.key import Keyed, key
from lenticulum.testing import reachable_code as code
from lenticulum.testing import reachable_data as data
from lenticulum.testing.watch import MISSING, Seen, Watch


def look(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    """Return label and parts of an object. `names`: the attributes that the code which reads it names."""
    kind = type(item)
    if kind in data.PLAIN:
        return Seen(key(item))
    if isinstance(item, Keyed):
        return Seen(key(item), [("class", "", kind)])
    for kinds, describe in _DESCRIBE:
        if isinstance(item, kinds):
            return describe(item, names, watch)
    if code.is_opaque(kind):
        return Seen(("missing",)) if item is MISSING else code.look_opaque(item)
    return code.look_instance(item, watch)


_DESCRIBE: tuple[tuple[Any, Callable[[Any, frozenset[str], Watch], Seen]], ...] = (
    (types.FunctionType, code.look_function),
    (type, code.look_class),
    (types.ModuleType, code.look_module),
    (types.MethodType, code.look_method),
    (types.BuiltinFunctionType, code.look_builtin),
    (functools.partial, code.look_partial),
    ((property, classmethod, staticmethod, functools.cached_property, functools.partialmethod), code.look_descriptor),
    ((types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType), code.look_slot),
    (enum.Enum, code.look_enum),
    ((dict, types.MappingProxyType), data.look_mapping),
    ((list, tuple, collections.deque), data.look_sequence),
    ((set, frozenset), data.look_set),
    (np.ndarray, data.look_array),
    (np.generic, data.look_scalar),
    (bytearray, data.look_bytes),
    (contextvars.ContextVar, data.look_context_variable),
    (weakref.ref, data.look_reference),
    (data.SHOWN, data.look_shown),
)
