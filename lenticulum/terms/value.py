"""Value types: frozen descriptions whose identity is their type and the strict key of every field."""

import dataclasses
import functools
from abc import ABC
from types import MemberDescriptorType
from typing import Any, Generic, Protocol, TypeVar, cast, dataclass_transform

from lenticulum.terms.key import Keyed
from lenticulum.terms.sealing import (
    DECLARED,
    SealedSlot,
    ValueMeta,
    field_values,
    refuse_assignment,
    refuse_state,
)

T = TypeVar("T")

_IDENTITY_METHODS = ("__eq__", "__ne__", "__hash__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__")
_UNSEALED_BASES: tuple[Any, ...] = (object, Keyed, ABC, Generic, Protocol)


class Value(Keyed, metaclass=ValueMeta):
    """The base of every description: equal exactly when the types are one and the keys of all fields are equal.

    `a == b` iff `type(a) is type(b)` and `key(a) == key(b)`; the hash is that of type and key.
    A subclass without fields and with `__slots__ = ()` is an abstract base; one with fields is declared by `@value`.

    Laws:
        The laws of the key (tests/properties/test_identity.py).
    Source:
        The rule of T3Toolbox (github.com/NickAlger/T3Toolbox): parameters are fields, behaviour is methods.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return self.identity_key == cast(Value, other).identity_key

    def __hash__(self) -> int:
        return self.identity_hash

    def __copy__(self) -> "Value":
        return self

    def __deepcopy__(self, memo: object) -> "Value":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor: a carried hash is wrong in another process.
        return _rebuild, (type(self), tuple(field_values(self).items()))


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
def value(cls: type[T]) -> type[T]:
    """Declare a class a value type: frozen, slotted, compared and hashed by the strict key of all its fields.

    Args:
        cls: a class with annotated fields; the base `Value` is added if missing. Its `__post_init__` may validate,
            raise, and bring a field to its one canonical form with `set_field`.
    Returns:
        The class, made anew: its methods call a base by name, since zero-argument `super()` would find the old one.
    Raises:
        TypeError: for `InitVar`, `compare=False`, `hash=False`, `init=False`, a cached property, an equality or hash of
            its own, and a base that cannot be sealed or holds attributes that are not fields.

    >>> @value
    ... class Scale(Value):
    ...     factor: float = 1.0
    >>> Scale(2.0), Scale(2.0) == Scale(2.0), Scale(0.0) == Scale(-0.0)
    (Scale(factor=2.0), True, False)
    """
    declared = cast("type[Any]", cls if isinstance(cls, ValueMeta) else _with_base(cls))
    _check_bases(declared)
    declared = dataclasses.dataclass(frozen=True, eq=False, slots=True)(declared)
    names = _checked_fields(declared)
    _check_attributes(declared, names)
    for name in names:
        slot: object = declared.__dict__.get(name)  # absent where a parent has the field
        if isinstance(slot, MemberDescriptorType):
            setattr(declared, name, SealedSlot(slot))
    # `frozen=True` and `slots=True` generate these in every subclass, so a method of the base would not be reached.
    declared.__setattr__ = refuse_assignment
    declared.__delattr__ = refuse_assignment
    declared.__setstate__ = refuse_state
    setattr(declared, DECLARED, names)
    return declared


def set_field(instance: object, name: str, value: object) -> None:
    """Replace a field by its canonical form, in `__post_init__`.

    Raises:
        AttributeError: for a name that is not a field, and once the construction has ended.
    """
    if name not in getattr(type(instance), DECLARED, ()):
        raise AttributeError(f"{type(instance).__qualname__} has no field {name!r}; declare it in the class body")
    object.__setattr__(instance, name, value)


def replace(instance: T, **changes: object) -> T:
    """Return the value with some fields changed, rebuilt through the constructor.

    Raises:
        TypeError: for a name that is not a field (a method is not one: a variant is a subclass).

    >>> @value
    ... class Scale(Value):
    ...     factor: float = 1.0
    >>> replace(Scale(2.0), factor=3.0)
    Scale(factor=3.0)
    """
    fields = field_values(instance)
    for name in changes:
        if name not in fields:
            raise TypeError(
                f"{type(instance).__qualname__} has no field {name!r}, only {', '.join(fields) or 'none'}; "
                "a variant of a behaviour is a subclass"
            )
    return type(instance)(**(fields | changes))


def _with_base(cls: type) -> ValueMeta:
    bases = tuple(base for base in cls.__bases__ if base is not object)
    namespace = {name: item for name, item in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    return ValueMeta(cls.__name__, (*bases, Value), namespace)


def _check_bases(cls: type) -> None:
    """Every base must be sealable and hold nothing: a patched mixin or a hidden attribute is outside every key."""
    for base in cls.__mro__[1:]:
        if base in _UNSEALED_BASES:
            continue
        if not isinstance(base, ValueMeta):
            raise TypeError(f"{cls.__qualname__} has the base {base.__qualname__}; derive that from Value")
        if base.__dictoffset__ != 0:
            raise TypeError(
                f"{cls.__qualname__} has the base {base.__qualname__}, whose instances have a __dict__; "
                "write __slots__ = () in it, or @value above it"
            )


def _checked_fields(cls: type) -> tuple[str, ...]:
    """The names of the fields, all of which take part in the identity."""
    options = {"compare": "compare=False", "init": "init=False"}
    for field in dataclasses.fields(cast(Any, cls)):
        refused = [text for option, text in options.items() if not getattr(field, option)]
        if field.hash is False:
            refused.append("hash=False")
        if refused:
            raise TypeError(f"{cls.__qualname__}.{field.name} has {refused[0]}; what does not matter is not a field")
    pseudo: dict[str, Any] = vars(cls)["__dataclass_fields__"]
    for name, field in pseudo.items():
        if field._field_type.name == "_FIELD_INITVAR":
            raise TypeError(f"{cls.__qualname__}.{name} is an InitVar, which no key sees; make it a field")
    return tuple(field.name for field in dataclasses.fields(cast(Any, cls)))


def _check_attributes(cls: type, names: tuple[str, ...]) -> None:
    for method in _IDENTITY_METHODS:
        if getattr(cls, method) is not getattr(Value, method):
            raise TypeError(f"{cls.__qualname__} defines {method}; the identity of a value type is its key alone")
    for base in cls.__mro__:
        for name, attribute in vars(base).items():
            if isinstance(attribute, functools.cached_property):
                raise TypeError(f"{cls.__qualname__}.{name} is a cached property; use a plain property")
            if isinstance(attribute, MemberDescriptorType) and base is not Keyed and name not in names:
                raise TypeError(f"{cls.__qualname__} has the slot {name!r}, which is not a field; annotate it")


def _rebuild(cls: type, fields: tuple[tuple[str, object], ...]) -> object:
    return cls(**dict(fields))
