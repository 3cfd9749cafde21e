"""Sealing: when a construction has ended, the value gets its key and its classes can no longer be patched."""

import dataclasses
import inspect
from abc import ABCMeta
from types import MemberDescriptorType
from typing import Any, NoReturn, TypeVar, cast

from lenticulum.terms.key import Key, key, with_array_copies, with_array_views

T = TypeVar("T")

DECLARED = "_value_fields"  # in a class's own namespace: the names of its fields, written by `@value`
_SEALED = "_value_sealed"  # in a class's own namespace: it, or a subclass, has been constructed


def field_values(instance: object) -> dict[str, Any]:
    """Return the fields of a value by name, in order of declaration."""
    names: tuple[str, ...] = getattr(type(instance), DECLARED)
    return {name: getattr(instance, name) for name in names}


def field_key(instance: object) -> Key:
    """Return the keys of the fields as they are now: a checker compares them with the stored identity."""
    return tuple(map(key, field_values(instance).values()))


def refuse_assignment(instance: object, name: str, value: object = None) -> NoReturn:
    """Say that a value is frozen; an AttributeError, because `typing.Generic` tolerates no other."""
    raise dataclasses.FrozenInstanceError(
        f"{type(instance).__qualname__} is a value, {name!r} cannot be assigned or deleted; "
        "use replace, or set_field in __post_init__"
    )


def refuse_state(instance: object, state: object) -> NoReturn:
    """Say that no stored state is restored: it would bypass the constructor and its guards."""
    raise TypeError(f"{type(instance).__qualname__} is rebuilt through its constructor, not from a stored state")


class ValueMeta(ABCMeta):
    """The class of value classes: guards each construction, and seals what was constructed."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **keywords: Any) -> "ValueMeta":
        """Refuse two bases with fields by name: their layouts would conflict."""
        holders = [base for base in bases if getattr(base, DECLARED, ())]
        for first in holders:
            for second in holders:
                if not (issubclass(first, second) or issubclass(second, first)):
                    raise TypeError(
                        f"{name} has two bases with fields, {first.__qualname__} and {second.__qualname__}; "
                        "make one of them a field"
                    )
        return super().__new__(mcs, name, bases, namespace, **keywords)

    def __call__(cls: type[T], *args: Any, **keywords: Any) -> T:
        """Construct; take the key when the whole constructor has returned; seal the classes at their first use."""
        if DECLARED not in vars(cls):
            raise TypeError(f"{cls.__qualname__} is not declared a value type; put @value above the class")
        instance = cast(T, super().__call__(*args, **keywords))  # type: ignore[misc]
        if type(instance) is not cls:
            raise TypeError(f"{cls.__qualname__}.__new__ returned a {type(instance).__qualname__}; remove it")
        _identify(instance)
        if _SEALED not in vars(cls):
            _check_constructor(cls)
            _seal(cls)
        return instance

    def __setattr__(cls, name: str, value: object) -> None:
        _refuse_if_sealed(cls, name)
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        _refuse_if_sealed(cls, name)
        super().__delattr__(name)


class SealedSlot:
    """The slot of a field: written during construction only, also through `object.__setattr__`."""

    def __init__(self, slot: MemberDescriptorType) -> None:
        self.slot = slot

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self.slot
        held = cast(object, self.slot.__get__(instance, owner))
        # Most fields hold no array: that is settled at construction, so that a read does not walk the whole value.
        arrays = getattr(instance, "identity_arrays", None)
        return held if arrays is not None and self.slot.__name__ not in arrays else with_array_views(held)

    def __set__(self, instance: Any, value: object) -> None:
        if hasattr(instance, "identity_key"):
            refuse_assignment(instance, self.slot.__name__)
        self.slot.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        refuse_assignment(instance, self.slot.__name__)


def _identify(instance: object) -> None:
    """Copy the arrays and store key and hash; the key last, because it ends the construction."""
    cls = cast(type, type(instance))
    keys: list[Key] = []
    arrays: set[str] = set()
    for name in cast(tuple[str, ...], getattr(cls, DECLARED)):
        try:
            given = getattr(instance, name)
            copied = with_array_copies(given)
            keys.append(key(copied))
        except AttributeError:
            raise TypeError(f"{cls.__qualname__}.{name} was not set by the constructor; set every field") from None
        except TypeError as error:
            raise TypeError(f"{cls.__qualname__}.{name}: {error}") from None
        if copied is not given:
            object.__setattr__(instance, name, copied)
            arrays.add(name)
    identity = tuple(keys)
    object.__setattr__(instance, "identity_arrays", frozenset(arrays))
    object.__setattr__(instance, "identity_hash", hash((cls, identity)))
    object.__setattr__(instance, "identity_key", identity)


def _check_constructor(cls: type) -> None:
    """Every parameter of the constructor is a field: another one would be outside the key, and lost in a rebuild."""
    names: tuple[str, ...] = getattr(cls, DECLARED)
    parameters = list(inspect.signature(cls.__init__).parameters)[1:]
    for name in parameters:
        if name not in names:
            raise TypeError(f"{cls.__qualname__}.__init__ takes {name!r}, which is not a field; declare it as one")


def _seal(cls: type) -> None:
    # At the first construction, not at decoration: import hooks that add run-time checks assign to the class later.
    # All value classes of the method resolution order, since patching a parent changes its children.
    for base in cls.__mro__:
        if isinstance(base, ValueMeta):
            type.__setattr__(base, _SEALED, True)


def _refuse_if_sealed(cls: type, name: str) -> None:
    if _SEALED in vars(cls):
        raise TypeError(f"{cls.__qualname__} is sealed since its first use, {name!r} cannot change; write a subclass")
