"""Rebuilding: the object with one part replaced, through its constructor where that can be called again."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Mapping
from types import CellType, FunctionType, MethodType
from typing import Any

from lenticulum.check.identity.form import form
from lenticulum.check.identity.parts import Path, attributes, is_record, part, parts


class Refused(Exception):
    """The constructor, or the class, does not accept the part."""


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How an instance can be constructed again.

    `given`: the values of the constructor's parameters. `attribute`: the attribute that each is stored in, for those
    that are. `exact`: constructing with `given` stores exactly what the instance stores.
    """

    cls: type
    given: Mapping[str, Any]
    attribute: Mapping[str, str]
    positional: tuple[str, ...]
    exact: bool

    def build(self, **changes: Any) -> Any:
        """Construct with some parameters changed. Raises: whatever the constructor raises."""
        values = {**self.given, **changes}
        return self.cls(*(values[n] for n in self.positional), **_without(values, self.positional))

    def parameter(self, name: str) -> str | None:
        """Return the parameter of the constructor that determines an attribute, if there is one."""
        return next((p for p, stored in self.attribute.items() if stored == name), None)

    def hidden(self) -> list[str]:
        """Return the parameters that are stored under no name of theirs, such as an `InitVar`."""
        return [name for name in self.given if name not in self.attribute]


def _without(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def recipe(instance: Any) -> Recipe | None:
    """Return how to construct an instance again, or None where its constructor takes what nobody knows."""
    stored = attributes(instance)
    parameters = _parameters(type(instance))
    if parameters is None:
        return None
    given: dict[str, Any] = {}
    attribute: dict[str, str] = {}
    unknown: list[str] = []
    for name, (default, _) in parameters.items():
        spellings = (name, f"_{name}", f"{name}_", f"_{type(instance).__name__.lstrip('_')}__{name}")
        home = next((spelling for spelling in spellings if spelling in stored), None)
        if home is not None:
            attribute[name], given[name] = home, stored[home]
        elif default is not inspect.Parameter.empty:
            given[name] = default
        else:
            unknown.append(name)
    rest = [name for name in stored if name not in attribute.values()]
    if len(unknown) > len(rest):
        return None
    for name, home in zip(unknown, rest, strict=False):
        attribute[name], given[name] = home, stored[home]
    found = Recipe(
        type(instance),
        {name: given[name] for name in parameters},
        attribute,
        tuple(name for name, (_, positional) in parameters.items() if positional),
        True,
    )
    try:
        exact = form(found.build()) == form(instance)
    except Exception:  # the constructor is anyone's code
        return None
    # A guess of what an unknown parameter was counts only if it gives the instance back.
    return found if exact else None if unknown else dataclasses.replace(found, exact=False)


@functools.lru_cache(maxsize=512)
def _parameters(cls: type) -> dict[str, tuple[Any, bool]] | None:
    # Of the initializer where there is one: a metaclass may take (*args, **keywords) and pass them on.
    written = cls.__init__ is not object.__init__
    try:
        parameters = list(inspect.signature(cls.__init__ if written else cls).parameters.items())[int(written) :]
    except (TypeError, ValueError):
        return None
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {
        name: (parameter.default, parameter.kind is inspect.Parameter.POSITIONAL_ONLY)
        for name, parameter in parameters
        if parameter.kind not in variable
    }


def copied(instance: Any, **changes: Any) -> Any:
    """Return a copy of what an instance stores, without what it has cached, and without a call of its constructor.

    Raises: Refused where the class cannot be instantiated so.
    """
    try:
        new = object.__new__(type(instance))
        for name, value in {**attributes(instance), **changes}.items():
            object.__setattr__(new, name, value)
    except (TypeError, AttributeError) as error:
        raise Refused(str(error)) from None
    return new


def rebuilt(value: Any, path: Path, new: Any) -> Any:
    """Return a value with the part at the end of a path replaced, built through constructors where that is possible.

    Raises: Refused where a constructor or a class does not accept the part.

    >>> rebuilt((1, [2, 3]), (1, 0), 5)
    (1, [5, 3])
    >>> rebuilt(functools.partial(max, 1), ("args", 0), 7)(5)
    7
    """
    return Rebuilder().rebuilt(value, path, new)


class Rebuilder:
    """Rebuilds one object many times: how each instance in it is constructed is found out once."""

    def __init__(self) -> None:
        self._recipes: dict[int, tuple[Any, Recipe | None]] = {}

    def recipe(self, instance: Any) -> Recipe | None:
        """Return how an instance is constructed again."""
        if id(instance) not in self._recipes:
            self._recipes[id(instance)] = (instance, recipe(instance))  # held, so that the address stays its own
        return self._recipes[id(instance)][1]

    def rebuilt(self, value: Any, path: Path, new: Any) -> Any:
        """Return a value with the part at the end of a path replaced. Raises: Refused."""
        if not path:
            return new
        step, *rest = path
        for name, child in parts(value):
            if name is step or name == step:
                return self._replaced(value, step, self.rebuilt(child, tuple(rest), new))
        known = self.recipe(value)
        if known is None or step not in known.given:
            raise Refused(f"{type(value).__qualname__} has no part {step!r}")
        return _built(known, step, new)

    def exact(self, value: Any, path: Path) -> bool:
        """Whether replacing a part by itself gives the value back: no constructor on the path changes what it gets."""
        for place in range(len(path)):
            instance = part(value, path[:place])
            if is_record(type(instance)) and (known := self.recipe(instance)) is not None and not known.exact:
                return False
        return True

    def _replaced(self, value: Any, step: Any, new: Any) -> Any:
        if isinstance(value, functools.partial):
            func, args, keywords = (new if step == name else child for name, child in parts(value))
            return type(value)(func, *args, **keywords)
        if isinstance(value, MethodType):
            return MethodType(value.__func__, new)
        if isinstance(value, FunctionType):
            return _function(value, step, new)
        if isinstance(value, tuple):
            return tuple.__new__(type(value), [new if place == step else each for place, each in enumerate(value)])
        if isinstance(value, list):
            return type(value)(new if place == step else each for place, each in enumerate(value))
        if isinstance(value, dict):
            return type(value)({name: new if name is step or name == step else old for name, old in value.items()})
        known = self.recipe(value)
        parameter = known.parameter(step) if known is not None else None
        if known is not None and parameter is not None:
            return _built(known, parameter, new)
        return copied(value, **{step: new})


def _built(known: Recipe, parameter: str, new: Any) -> Any:
    try:
        return known.build(**{parameter: new})
    except Exception as error:  # the constructor is anyone's code
        raise Refused(f"{type(error).__name__}: {error}") from None


def _function(function: FunctionType, step: str, new: Any) -> FunctionType:
    where, _, name = step.partition(" ")
    code, cells = function.__code__, function.__closure__ or ()
    if where == "cell":
        cells = tuple(
            CellType(new) if free == name else cell for free, cell in zip(code.co_freevars, cells, strict=True)
        )
    defaults, keyword = function.__defaults__ or (), dict(function.__kwdefaults__ or {})
    if where == "default" and name in keyword:
        keyword[name] = new
    elif where == "default":
        names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
        defaults = tuple(new if each == name else old for each, old in zip(names, defaults, strict=True))
    made = FunctionType(code, function.__globals__, function.__name__, defaults or None, cells or None)
    made.__kwdefaults__ = keyword or None
    return made


def assignable(instance: Any, name: str) -> bool:
    """Whether ordinary assignment to an attribute is accepted; tried on a copy."""
    try:
        setattr(copied(instance), name, attributes(instance)[name])
    except Exception:  # frozen, or a guard of its own
        return False
    return True
