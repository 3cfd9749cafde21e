"""What a program can read of functions, modules, classes and instances: labels and parts by name."""

from __future__ import annotations

import builtins
import dis
import functools
import operator
import sys
import types
from collections.abc import Iterator
from typing import Any

from lenticulum.terms.key import key
from lenticulum.testing.watch import MISSING, Same, Seen, Watch

#: Packages whose own code and state are not read: what a user can change of them is not part of a fingerprint.
OPAQUE = frozenset({"jax", "jaxlib", "numpy", "ml_dtypes", "jaxtyping", "beartype", "lenticulum"}) | (
    frozenset(sys.stdlib_module_names) - {"__main__", "builtins"}
)

#: The flag of a class that was made by a class statement.
HEAP_TYPE = 1 << 9

#: Entries of a class that no program reads, or that repeat what its methods hold.
HOUSEKEEPING = frozenset(
    "__dict__ __weakref__ __module__ __doc__ __qualname__ __annotations__ __annotate__ __annotate_func__ "
    "__annotations_cache__ __static_attributes__ __firstlineno__ __dataclass_fields__ __dataclass_params__ "
    "__repr__ __match_args__ __abstractmethods__ _abc_impl __slots__ __orig_bases__ __parameters__ "
    "__type_params__".split()
)


def is_opaque(item: Any) -> bool:
    """Whether a function, class or module belongs to a package whose code and state are not read."""
    if isinstance(item, types.FunctionType):
        name = item.__globals__.get("__name__")  # not its `__module__`, which a wrapper copies from what it wraps
    elif isinstance(item, type):
        name = item.__module__
        if not item.__flags__ & HEAP_TYPE:
            return True
    else:
        name = item.__name__
    return isinstance(name, str) and name.partition(".")[0] in OPAQUE


def is_unit(item: Any) -> bool:
    """Whether an object is described apart, once for all that refer to it: a function or class of a user."""
    return isinstance(item, types.FunctionType | type) and not is_opaque(item)


# Functions and modules -----------------------------------------------------------------------------------------------


@functools.cache
def names_of(code: types.CodeType) -> tuple[tuple[str, ...], frozenset[str], tuple[str, ...]]:
    """Return the globals, the attributes and the modules that a code object names, nested functions included."""
    global_names: dict[str, None] = {}
    attributes: set[str] = set()
    modules: dict[str, None] = {}
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            global_names[name] = None
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM"):
            attributes.add(name)
        elif instruction.opname == "IMPORT_NAME":
            modules[name] = None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner_globals, inner_attributes, inner_modules = names_of(constant)
            global_names |= dict.fromkeys(inner_globals)
            attributes |= inner_attributes
            modules |= dict.fromkeys(inner_modules)
    return tuple(global_names), frozenset(attributes), tuple(modules)


def entries(
    mapping: Any, prefix: str, owner: str, seen: Seen, watch: Watch, skip: frozenset[str] = frozenset()
) -> None:
    """Add the entries of a mapping of names as parts."""
    keys, values = tuple(mapping), tuple(mapping.values())
    watch.entries.append((mapping, keys, values))
    for name, value in zip(keys, values, strict=True):
        if name not in skip:
            seen.parts.append((f"{prefix}{name}", owner, value))


def _cell_content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that is not assigned yet
        return MISSING


_CODE, _DEFAULTS, _KEYWORDS = map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__"))


def _cells(function: Any, seen: Seen, watch: Watch) -> None:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        content = _cell_content(cell)
        watch.reads.append((_cell_content, cell, content))
        seen.parts.append((f"cell {name}", function.__qualname__, content))


def _look_wrapper(function: Any, watch: Watch) -> Seen:
    """A function of jax, NumPy or the standard library: by identity, unless it closes over something."""
    if not function.__closure__:
        return Seen(Same(function))
    seen = Seen(("wrapper", function.__qualname__, function.__code__))
    _cells(function, seen, watch)
    return seen


def look_function(function: Any, names: frozenset[str], watch: Watch) -> Seen:
    code = function.__code__
    if is_opaque(function):
        return _look_wrapper(function, watch)
    global_names, attributes, modules = names_of(code)
    seen = Seen(("function", function.__qualname__, code, attributes))
    for read in (_CODE, _DEFAULTS, _KEYWORDS):
        watch.reads.append((read, function, read(function)))
    if function.__defaults__:
        seen.parts.append(("defaults", "", function.__defaults__))
    if function.__kwdefaults__:
        seen.parts.append(("defaults by name", "", function.__kwdefaults__))
    _cells(function, seen, watch)
    find, owner = function.__globals__.get, str(function.__module__)
    for name in global_names:
        found = find(name, MISSING)
        watch.lookups.append((find, name, found))
        if found is not MISSING or not hasattr(builtins, name):
            seen.parts.append((f"global {name}", owner, found))
    for name in modules:
        found = sys.modules.get(name, MISSING)
        watch.lookups.append((sys.modules.get, name, found))
        seen.parts.append((f"module {name}", "", found))
    if function.__dict__:
        entries(function.__dict__, ".", function.__qualname__, seen, watch, skip=frozenset({"__wrapped__"}))
    return seen


def look_module(module: Any, names: frozenset[str], watch: Watch) -> Seen:
    seen = Seen(("module", module.__name__))
    if is_opaque(module):
        return seen
    find = vars(module).get
    for name in sorted(names):
        found = find(name, MISSING)
        watch.lookups.append((find, name, found))
        if found is not MISSING:
            seen.parts.append((f".{name}", module.__name__, found))
    return seen


def look_method(method: Any, names: frozenset[str], watch: Watch) -> Seen:
    return Seen(("method",), [("function", "", method.__func__), ("self", "", method.__self__)])


def look_builtin(function: Any, names: frozenset[str], watch: Watch) -> Seen:
    owner = getattr(function, "__self__", None)
    parts = [] if owner is None or isinstance(owner, types.ModuleType | type) else [("self", "", owner)]
    return Seen(("built-in", function.__qualname__) if parts else Same(function), parts)


def look_partial(partial: Any, names: frozenset[str], watch: Watch) -> Seen:
    parts = [("function", "", partial.func), ("arguments", "", partial.args), ("keywords", "", partial.keywords)]
    return Seen(("partial", Same(type(partial))), parts)


# Classes and instances -----------------------------------------------------------------------------------------------


def look_class(cls: Any, names: frozenset[str], watch: Watch) -> Seen:
    if is_opaque(cls):
        return Seen(Same(cls))
    seen = Seen(("class", cls.__module__, cls.__qualname__))
    for base in cls.__mro__:
        if is_opaque(base):
            seen.parts.append((f"base {base.__name__}", "", base))
        else:
            entries(vars(base), ".", base.__qualname__, seen, watch, skip=HOUSEKEEPING)
    return seen


def look_descriptor(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    inner = [(name, getattr(item, name, None)) for name in ("fget", "func", "__func__", "fset")]
    return Seen((type(item).__name__,), [(name, "", part) for name, part in inner if part is not None])


def look_slot(item: Any, names: frozenset[str], watch: Watch) -> Seen:
    return Seen((type(item).__name__, item.__name__))


def slots_of(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the slots of a class and of all its bases."""
    for base in cls.__mro__:
        for name, item in vars(base).items():
            if isinstance(item, types.MemberDescriptorType):
                yield name, item


def _slot_content(pair: tuple[Any, Any]) -> Any:
    descriptor, instance = pair
    try:
        return descriptor.__get__(instance, type(instance))
    except AttributeError:
        return MISSING


def look_instance(item: Any, watch: Watch) -> Seen:
    cls = type(item)
    seen = Seen(("instance", cls.__qualname__), [("class", "", cls)])
    attributes = getattr(item, "__dict__", None)
    if isinstance(attributes, dict):
        entries(attributes, ".", cls.__qualname__, seen, watch)
    for name, descriptor in slots_of(cls):
        content = _slot_content((descriptor, item))
        watch.reads.append((_slot_content, (descriptor, item), content))
        seen.parts.append((f".{name}", cls.__qualname__, content))
    return seen


def look_enum(member: Any, names: frozenset[str], watch: Watch) -> Seen:
    return Seen(key(member), [("class", "", type(member))])


def look_opaque(item: Any) -> Seen:
    """An object of jax, NumPy or the standard library: by identity, but for the functions of a user that it wraps."""
    attributes = getattr(item, "__dict__", None)
    wrapped = {name: attributes.get(name) for name in RULES} if isinstance(attributes, dict) else {}
    wrapped["__wrapped__"] = getattr(item, "__wrapped__", None)
    parts = [(name, "", part) for name, part in wrapped.items() if callable(part)]
    return Seen((type(item).__name__,), parts) if parts else Seen(Same(item))


#: Where jax keeps the functions of `custom_jvp` and `custom_vjp`.
RULES = ("fun", "jvp", "fwd", "bwd")
