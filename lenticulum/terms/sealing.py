"""Sealing: when a construction has ended, the value gets its key and its classes can no longer be patched."""

from __future__ import annotations

import dataclasses
from abc import ABCMeta
from types import MemberDescriptorType
from typing import Any, TypeVar, cast

import numpy as np

from lenticulum.terms.key import Key, canonical, key

T = TypeVar("T")

DECLARED = "_value_fields"  # in the class's own namespace: its fields, written by `@value`
_SEALED = "_value_sealed"  # in the class's own namespace: the class, or a subclass, has been constructed


def field_values(instance: object) -> dict[str, Any]:
    """The fields of a value, by name, in order of declaration."""
    names: tuple[str, ...] = getattr(type(instance), DECLARED)
    return {name: getattr(instance, name) for name in names}


def field_key(instance: object) -> Key:
    """The key of the fields as they are now, computed afresh: a checker compares it with the one stored."""
    keys: list[Key] = []
    for name, field in field_values(instance).items():
        try:
            keys.append(key(field))
        except TypeError as error:
            raise TypeError(f"{type(instance).__qualname__}.{name}: {error}") from None
    return tuple(keys)


def _refuse_patch(cls: type, name: str) -> None:
    if _SEALED in vars(cls):
        raise TypeError(f"{cls.__qualname__} is sealed since its first use, {name!r} cannot change; write a subclass")


def refuse_assignment(instance: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(
        f"{type(instance).__qualname__} is a value, {name!r} cannot be assigned; "
        "use replace, or set_field in __post_init__"
    )


def refuse_deletion(instance: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"{type(instance).__qualname__} is a value, {name!r} cannot be deleted")


def refuse_state(instance: object, state: object) -> None:
    raise TypeError(f"{type(instance).__qualname__} is rebuilt through its constructor, not from a stored state")


class ValueMeta(ABCMeta):
    """Guards construction: takes the key when the whole constructor has returned, then seals the classes used."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **keywords: Any) -> ValueMeta:
        with_fields = [base for base in bases if getattr(base, DECLARED, ())]
        for first in with_fields:
            for second in with_fields:
                if not (issubclass(first, second) or issubclass(second, first)):
                    raise TypeError(
                        f"{name} has two bases with fields, {first.__qualname__} and {second.__qualname__}; "
                        "make one of them a field"
                    )
        return super().__new__(mcs, name, bases, namespace, **keywords)

    def __call__(cls: type[T], *args: Any, **keywords: Any) -> T:
        if DECLARED not in vars(cls):
            raise TypeError(f"{cls.__qualname__} is not declared a value type; put @value above the class")
        instance = super().__call__(*args, **keywords)  # type: ignore[misc]
        if type(instance) is not cls:
            raise TypeError(f"{cls.__qualname__}.__new__ returned a {type(instance).__qualname__}; remove it")
        _finish(instance)
        _seal(cls)
        return cast(T, instance)

    def __setattr__(cls, name: str, value: object) -> None:
        _refuse_patch(cls, name)
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        _refuse_patch(cls, name)
        super().__delattr__(name)


class SealedSlot:
    """The slot of a field, written during construction only; an array is read as a view that cannot be written."""

    def __init__(self, slot: MemberDescriptorType) -> None:
        self.slot = slot

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self.slot
        stored = self.slot.__get__(instance, owner)
        # A view, because the shape and the dtype of a read-only array can still be assigned to.
        return stored.view() if type(stored) is np.ndarray else stored

    def __set__(self, instance: Any, value: object) -> None:
        if hasattr(instance, "_identity_key"):
            refuse_assignment(instance, self.slot.__name__, value)
        self.slot.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        refuse_deletion(instance, self.slot.__name__)


def _finish(instance: Any) -> None:
    for name, field in field_values(instance).items():
        try:
            object.__setattr__(instance, name, canonical(field))
        except TypeError as error:
            raise TypeError(f"{type(instance).__qualname__}.{name}: {error}") from None
    identity = field_key(instance)
    object.__setattr__(instance, "_identity_hash", hash((type(instance), identity)))
    object.__setattr__(instance, "_identity_key", identity)


def _seal(cls: type) -> None:
    # At the first construction, not at decoration: import hooks that add run-time checks assign to the class later.
    if _SEALED not in vars(cls):
        for base in cls.__mro__:
            if isinstance(base, ValueMeta):
                type.__setattr__(base, _SEALED, True)
