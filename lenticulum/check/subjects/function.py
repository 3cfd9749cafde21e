"""A JAX function as a subject: its arguments are matched to roles by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.definition import Definition, tuples
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.signatures import is_needed, signature
from lenticulum.check.subjects.subject import (
    Inputs,
    Numbers,
    Raised,
    Subject,
    WrongType,
    arrays_of,
    floats,
    number_of,
    role_of,
)
from lenticulum.check.target import Source
from lenticulum.check.text import jax_array
from lenticulum.terms import Mode
from lenticulum.terms import replace as replace_fields

T = TypeVar("T")

#: An argument that says the shape of an example, which is that of the last axes of x (torch).
SHAPE = "normalized_shape"

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class FunctionSubject(Subject):
    """A function of arrays. Every required argument has a role or is bound; `output` names what it returns."""

    def __init__(
        self,
        function: Callable[..., Any],
        source: Source,
        definition: Definition,
        roles: Mapping[str, str],
        bind: Mapping[str, Any],
        output: str = "",
    ) -> None:
        super().__init__()
        self.function, self.source, self.bound = function, source, dict(bind)
        self.output = output or definition.output
        self.trains, self.value_alone = definition.mode is Mode.TRAIN, False
        entry = definition.entry
        self.arrays = (*entry.arrays, *entry.state) if entry.kind == "update" or entry.modes else entry.arrays
        self.short, self.optional = entry.short, entry.optional
        settings = _settings(definition)
        wanted = (*self.arrays, *entry.hyperparameters(), *settings)
        parameters = signature(function, entry.arrays, entry.optional)
        unknown = [name for name in (*bind, *roles.values()) if name not in parameters]
        if unknown and not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
            raise CallError(f"{source.name} has no argument {unknown[0]!r}; it has {', '.join(parameters) or 'none'}")
        self.order = {name: role for name in parameters if (role := self._role(name, wanted, roles, bind)) is not None}
        self._match_the_last(parameters, entry.arrays)
        self._check_roles(parameters, entry)
        taken = set(self.order.values())
        self.settings = {name: each for name, each in settings.items() if name in taken}
        self.positional = [
            name for name in self.order if parameters[name].kind in _POSITIONAL and self._leads(name, parameters)
        ]
        self.numbers = tuple(name for name in entry.hyperparameters() if name in taken)
        self.sized = SHAPE in parameters and SHAPE not in bind
        self.example_axes = definition.stated.get("axes", getattr(entry.example, "axes", 1))
        self.absent = tuple(name for name in entry.optional if name not in taken)
        needed = {role for name, role in self.order.items() if is_needed(parameters[name])}
        self.required = tuple(role for role in entry.optional if role in needed)
        for name, value in bind.items():
            role = role_of(name, tuple(entry.hyperparameters()), entry.short, roles)
            # None where the definition has no number of its own says the same as leaving it out.
            unstated = role is not None and value is None and entry.hyperparameters()[role] is None
            if role is not None and role not in definition.stated and not unstated:
                self.received[role] = number_of(f"--bind {name}", value)
            setting = role_of(name, tuple(settings), entry.short, roles)
            if setting is not None:
                self.received[setting] = self._setting(name, value, setting, entry)

    def _setting(self, name: str, value: Any, setting: str, entry: Any) -> Any:
        """Return the setting that a bound argument is. Raises: CallError if the definition has no such value."""
        try:
            return getattr(replace_fields(entry.example, **{setting: tuples(value)}), setting)
        except (TypeError, ValueError) as error:
            raise CallError(f"--bind {name}={value!r}: {error}; state it in --spec instead") from None

    def _role(
        self, name: str, wanted: tuple[str, ...], roles: Mapping[str, str], bind: Mapping[str, Any]
    ) -> str | None:
        return None if name in bind else role_of(name, wanted, self.short, roles)

    def _match_the_last(self, parameters: Mapping[str, inspect.Parameter], arrays: tuple[str, ...]) -> None:
        """One array role and one required argument left over belong together, whatever the argument is called.

        If no role of x and y is recognised, two required arguments are x and y in this order (power(x1, x2)).
        """
        roles = [role for role in arrays if role not in self.order.values()]
        names = [
            name
            for name, p in parameters.items()
            if is_needed(p) and name not in self.order and name not in self.bound and name != SHAPE
        ]
        if len(roles) > len(names):
            roles = [role for role in roles if role not in self.optional]
        if len(roles) == len(names) == 1 or len(names) == 2 and roles == ["x", "y"]:
            left = dict(zip(names, roles, strict=True))
            self.order = {n: left.get(n, self.order.get(n, "")) for n in parameters if n in self.order or n in left}

    def _check_roles(self, parameters: Mapping[str, inspect.Parameter], entry: Any) -> None:
        roles, known = ", ".join((*self.arrays, *entry.hyperparameters())), ", ".join(parameters)
        for name, parameter in parameters.items():
            if is_needed(parameter) and name not in self.order and name not in self.bound and name != SHAPE:
                raise CallError(
                    f"{self.source.name}: the argument {name!r} plays no known role of {entry.name}\n"
                    f"name it with --role ROLE={name} (roles: {roles}), or --bind it"
                )
        missing = [role for role in entry.arrays if role not in self.order.values() and role not in entry.optional]
        if missing:
            raise CallError(
                f"{self.source.name} has no argument for {missing[0]!r} of {entry.name}: it has {known}\n"
                f"name it with --role {missing[0]}=ARGUMENT"
            )

    def _leads(self, name: str, parameters: Mapping[str, inspect.Parameter]) -> bool:
        """Return whether this argument and every one before it are passed, and none is a setting: it can be positional.

        A setting is a constant of a compiled function, so it is passed by name.
        """
        before = list(parameters)[: list(parameters).index(name) + 1]
        return all(each in self.order and self.order[each] not in self.settings for each in before)

    def arguments(self, inputs: Inputs, numbers: Numbers) -> tuple[list[Any], dict[str, Any]]:
        """Return what is passed: positional and by keyword."""
        values = {**inputs, **floats(numbers)}
        named = {name: device(values[role]) for name, role in self.order.items() if role in values}
        positional, named = self.split(named)
        return positional, {**named, **self.constants(inputs)}

    def constants(self, inputs: Inputs) -> dict[str, Any]:
        """Return what is no array: the settings of the definition, the bound arguments, the shape of an example."""
        settings = {name: self.settings[role] for name, role in self.order.items() if role in self.settings}
        shape = {SHAPE: tuple(map(int, inputs["x"].shape[-self.example_axes :]))} if self.sized else {}
        return {**settings, **self.bound, **shape}

    def split(self, named: Mapping[str, T]) -> tuple[list[T], dict[str, T]]:
        """Return the arguments that are passed by position, up to the first that is absent, and the others."""
        leading = list(takewhile(lambda name: name in named, self.positional))
        return [named[name] for name in leading], {name: each for name, each in named.items() if name not in leading}

    def call(self, inputs: Inputs, numbers: Numbers, *, compiled: bool) -> dict[str, Any]:
        """Call the function once, plainly or under jit with the hyper-parameters as constants."""
        positional, named = self.arguments(inputs, numbers)
        static = {name: each for name, each in named.items() if not isinstance(each, jax.Array)}
        dynamic = {name: each for name, each in named.items() if isinstance(each, jax.Array)}
        try:
            function = with_constants(self.function, tuple(static.items()), compiled)
            result = jax.block_until_ready(function(*positional, **dynamic))
        except Exception as error:
            raise Raised(error) from error
        return arrays_of(self._named(result))

    def _named(self, result: Any) -> dict[str, Any]:
        expected = self._named_places()
        if hasattr(result, "_asdict"):
            result = result._asdict()
        if isinstance(result, Mapping):
            named = {role_of(str(name), expected, self.short, {}) or str(name): each for name, each in result.items()}
        else:
            parts = list(result) if isinstance(result, tuple | list) else [result]
            # In evaluation the state stays: a function may leave it out.
            self.value_alone = not self.trains and len(parts) == 1
            expected = self._named_places()
            if len(parts) != len(expected):
                raise WrongType(f"returns {len(parts)} values; expected {', '.join(expected)}")
            named = dict(zip(expected, parts, strict=True))
        return {name: each for name, each in named.items() if name in expected}

    def snippet(self, inputs: Inputs, numbers: Numbers, output: str, *, compiled: bool) -> list[str]:
        """Return the program of one call."""
        values = {**inputs, **floats(numbers)}
        texts = {name: _text(values[role]) for name, role in self.order.items() if role in values}
        passed, texts = self.split(texts)
        constants = [f"{name}={value!r}" for name, value in self.constants(inputs).items()]
        constants += [f"{name}={text}" for name, text in texts.items() if not text.startswith("jnp.")]
        arrays = [f"{name}={text}" for name, text in texts.items() if text.startswith("jnp.")]
        function = self.source.expression
        if constants and compiled:
            function = f"partial({function}, {', '.join(constants)})"
        call = f"jax.jit({function})" if compiled else function
        arguments = [*passed, *arrays, *([] if compiled else constants)]
        imports = [*self.source.imports, "import jax", "import jax.numpy as jnp"]
        imports += ["from functools import partial"] if function.startswith("partial") else []
        return [*imports, f"got = {call}({', '.join(arguments)}){self.pick(output)}"]

    def pick(self, output: str) -> str:
        """Return what takes an output from the result of a call, as text."""
        parts = self._named_places()
        return f"[{parts.index(output)}]" if len(parts) > 1 and output in parts else ""

    def _named_places(self) -> list[str]:
        roles = list(self.order.values())
        if "parameters" in roles:
            return [
                "parameters",
                *(role for role in roles if role in self.arrays and role not in ("parameters", "gradient")),
            ]
        return [self.output, *(role for role in roles if role.startswith("running") and not self.value_alone)]


@lru_cache(maxsize=256)
def _jitted(function: Callable[..., Any], static: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    constants = dict(static)
    return jax.jit(lambda *arrays, **named: function(*arrays, **named, **constants))


def with_constants(
    function: Callable[..., Any], static: tuple[tuple[str, Any], ...], compiled: bool
) -> Callable[..., Any]:
    """Return the function with its constants; compiled once for each setting of them, where they can be hashed."""
    constants = dict(static)
    if not compiled:
        return lambda *arrays, **named: function(*arrays, **named, **constants)
    try:
        return _jitted(function, static)
    except TypeError:
        return jax.jit(lambda *arrays, **named: function(*arrays, **named, **constants))


def _settings(definition: Definition) -> dict[str, Any]:
    """Return what an operation has beside numbers, as a subject gets it: words, axes, sizes, flags; else nothing."""
    entry = definition.entry
    if entry.kind != "array":
        return {}
    words = {name: getattr(entry.example, name) for name in entry.conventions}
    stated = {name: definition.stated.get(name, each) for name, each in {**entry.settings(), **words}.items()}
    return {name: float(each) if isinstance(each, Fraction) else each for name, each in stated.items()}


def device(value: Any) -> Any:
    """Return an array on the device; a count as a 32-bit integer, a number as it is."""
    if isinstance(value, np.ndarray):
        return jnp.asarray(value)
    return jnp.asarray(value, jnp.int32) if isinstance(value, int) else value


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return jax_array(value)
    return f"jnp.array({value}, jnp.int32)" if isinstance(value, int) else repr(value)
