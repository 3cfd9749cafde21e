"""A module of torch, Flax or Keras as a function of the roles of a definition: its data, its arrays, its numbers."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lenticulum.check.cases import cases
from lenticulum.check.definition import Definition, parse, tuples
from lenticulum.check.draw import SeededDraw
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.framework import Framework
from lenticulum.check.subjects.frameworks import framework_of
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.host import HostSubject
from lenticulum.check.subjects.sizes import sizes_of
from lenticulum.check.subjects.subject import number_of, role_of
from lenticulum.check.target import Source, one_line, source_of
from lenticulum.numbers.formats import FORMATS
from lenticulum.terms import Mode

#: A size that has many divisors, for a module that is made before the data are known.
SIZE = 12


def as_function(
    module: Any, spec: str, *, make: Mapping[str, Any] | None = None, roles: Mapping[str, str] | None = None
) -> ModuleFunction:
    """Return a module as a function of the roles of a definition.

    Its arguments are the data, then the arrays that the module holds, in the order and the layout of the definition,
    and by name the numbers that its constructor takes. Sizes are those of the data. The arrays are put into it for the
    call alone.
    Arguments: `module`: a class or an instance. `spec`: the definition. `make`: constructor arguments. `roles`: role ->
    argument of the call, or array, where the names do not say it.
    Raises: CallError if it is no such module, cannot be constructed, or its arrays play no known roles.
    """
    framework, source = framework_of(module), source_of(module)
    if framework is None:
        raise CallError(f"{source.name} is no module of torch, Flax or Keras")
    return ModuleFunction(module, source.name, framework, parse(spec), dict(make or {}), dict(roles or {}), "float32")


class ModuleFunction:
    """The function; `received`, `shapes`, `ranks`, `notes` as of a subject."""

    def __init__(
        self,
        module: Any,
        name: str,
        framework: Framework,
        definition: Definition,
        make: Mapping[str, Any],
        roles: Mapping[str, str],
        dtype: str,
    ) -> None:
        self.module, self.name, self.framework, self.roles = module, name, framework, roles
        self.definition, self.entry = definition, definition.entry
        self.is_class = inspect.isclass(module)
        if make and not self.is_class:
            raise CallError(f"{name} is an instance: --make constructs a class")
        self.made = {key: tuples(value) for key, value in make.items()}
        try:
            self._read(dtype)
        except CallError:
            raise
        except Exception as error:  # the module runs its own code to be made, and may be no such thing at all
            raise CallError(f"{name} cannot be read as {self.entry.name}: {one_line(error)}") from None
        self.notes = [f"{name}: {self.layout.words}"] if self.layout.words else []
        self.notes += self._judged_at()
        self.__signature__ = self._signature()

    def _read(self, dtype: str) -> None:
        """Find out what the module takes, and what it has by itself."""
        self.arguments = self._constructor() if self.is_class else {}
        first = self._constructed({}, dict.fromkeys(("inputs", "outputs", "features"), SIZE), [])
        self.received = self._received(first, dtype)
        self.layout = self.framework.layout(self.entry, first)
        self.data = self._data(first)
        self._find_arrays(self._probe(dtype))

    def _constructor(self) -> dict[str, str]:
        """Return the numbers that the constructor takes, argument -> role; what the definition states is made."""
        known = self.framework.parameters(self.module)
        variadic = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values())
        unknown = [each for each in self.made if each not in known]
        if unknown and not variadic:
            raise CallError(f"--make: {self.name} has no argument {unknown[0]!r}; it has {', '.join(known)}")
        numbers, settings = self.entry.hyperparameters(), self._settings()
        found: dict[str, str] = {}
        for each, parameter in known.items():
            role = self._role(each, (*numbers, *settings))
            needed = parameter.default is inspect.Parameter.empty
            if each in self.made or role is None:
                continue
            if role in numbers:
                found[each] = role
            elif role in self.definition.stated or needed and settings[role] is not None:
                self.made[each] = self.framework.written(role, self.definition.stated.get(role, settings[role]))
        return found

    def _settings(self) -> dict[str, Any]:
        words = {each: getattr(self.entry.example, each) for each in self.entry.conventions}
        return {**self.entry.settings(), **words}

    def _role(self, name: str, wanted: Sequence[str]) -> str | None:
        spelled = self.framework.spelling.get(name, name)
        return role_of(name if name in self.roles.values() else spelled, wanted, self.entry.short, self.roles)

    def _constructed(self, numbers: Mapping[str, float], sizes: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Return a module that fits the data."""
        framework = self.framework
        if not self.is_class:
            held = framework.fields(self.module)
            fitting = {n: sizes[s] for n, s in framework.sizes.items() if s in sizes and n in held} if data else {}
            return framework.resized(self.module, fitting, data)
        known = framework.parameters(self.module)
        fitting = {n: sizes[s] for n, s in framework.sizes.items() if s in sizes and n in known}
        if not data:
            fitting = {**fitting, **{n: 3 for n, s in framework.sizes.items() if s == "window" and n in known}}
            fitting = {n: size for n, size in fitting.items() if n not in self.made}
        # What it needs to be read is any number.
        needed = {n for n in self.arguments if known[n].default is inspect.Parameter.empty}
        taken = {n: numbers.get(r, 0.5) for n, r in self.arguments.items() if r in numbers or n in needed}
        taken = {n: 1 - each if n in framework.opposite else each for n, each in taken.items()}
        try:
            return framework.build(self.module, {**self.made, **taken, **fitting}, data)
        except Exception as error:
            raise CallError(
                f"constructing {self.name} failed: {one_line(error)}\n"
                "give its arguments with --make '{\"name\": ...}'"
            ) from None

    def _received(self, module: Any, dtype: str) -> dict[str, Any]:
        """Return the numbers and settings that the module has by itself, as the definition writes them."""
        numbers, settings = self.entry.hyperparameters(), self._settings()
        found: dict[str, Any] = {}
        for each, value in self.framework.fields(module).items():
            role = self._role(each, (*numbers, *settings))
            if role is None or role in self.arguments.values() or role in self.definition.stated:
                continue
            value = self.framework.read(role, each, value, module, self.entry)
            if role in numbers:
                # An epsilon that is None is that of the format (torch.nn.RMSNorm).
                value = float(FORMATS[dtype].unit_roundoff * 2) if value is None and role == "epsilon" else value
                if each in self.made or isinstance(value, int | float) and not isinstance(value, bool):
                    number = number_of(f"{self.name}.{each}", value)
                    found[role] = 1 - number if each in self.framework.opposite else number
            elif role in self.entry.settings():
                found[role] = tuples(value)
            elif value in self.entry.conventions[role]:
                found[role] = value
        return found

    def _judged_at(self) -> list[str]:
        words = [f"{role}={value}" for role, value in self.received.items() if role in self._settings()]
        return [f"judged at {', '.join(words)}, as {self.name} has it"] if words else []

    def _data(self, module: Any) -> dict[str, str]:
        """Return role -> argument of a call."""
        arguments = self.framework.takes(module)
        roles, found = list(self.entry.arrays), dict[str, str]()
        for argument in arguments:
            role = self._role(argument.name, [each for each in roles if each not in found])
            if role is not None:
                found[role] = argument.name
        left = [each.name for each in arguments if each.name not in found.values() and each.default is each.empty]
        open_roles = [each for each in roles if each not in found and each not in self.entry.optional]
        # What is left over belongs together if it is one argument, or x and y in this order.
        if len(left) == 1 and len(open_roles) >= 1 or left and len(left) == len(open_roles) == 2:
            found.update(zip(open_roles, left, strict=False))
        order = [each.name for each in arguments]
        return dict(sorted(found.items(), key=lambda pair: order.index(pair[1])))

    def _probe(self, dtype: str) -> dict[str, np.ndarray]:
        """Return the arrays of the first case that would be drawn."""
        received = {**self.definition.stated, **self.received}
        judged = dataclasses.replace(self.definition, stated=received)
        return dict(cases(judged, SeededDraw(0), {}, (), {}, np.dtype(dtype))[0].arrays)

    def _find_arrays(self, probe: Mapping[str, np.ndarray]) -> None:
        """Match the arrays that the module holds to roles, and fix the shapes that it does not take from the data."""
        wanted = [role for role in (*self.entry.arrays, *self.entry.state) if role not in self.data]
        given = [self.layout.put(role, probe[role]) for role in self.data]
        sizes = self._sizes({role: array.shape for role, array in probe.items() if hasattr(array, "shape")})
        module = self._constructed({}, sizes, given)
        found: dict[str, str] = {}
        for name in self.framework.arrays(module, given):
            role = self._role(name.rpartition("/")[2].rpartition(".")[2], [r for r in wanted if r not in found])
            if role is None:
                raise CallError(
                    f"{self.name}: the array {name!r} plays no known role of {self.entry.name}\n"
                    f"name it with --role ROLE={name} (roles: {', '.join(wanted) or 'none'})"
                )
            found[role] = name
        self.leaves = {role: found[role] for role in wanted if role in found}
        missing = [r for r in self.entry.arrays if r not in (*self.data, *self.leaves, *self.entry.optional)]
        if missing:
            raise CallError(f"{self.name} has no argument and no array for {missing[0]!r} of {self.entry.name}")
        self.shapes = self._own_shapes(probe, module)
        axes = self.framework.axes(module)
        self.ranks = {"x": axes + 2} if axes is not None and self.entry.name == "instance_norm" else {}

    def _own_shapes(self, probe: Mapping[str, np.ndarray], module: Any) -> dict[str, tuple[int, ...]]:
        """Return the shapes of a layer whose size was made with it."""
        if self.entry.kind != "layer":
            return {}
        held = self.made if self.is_class else self.framework.fields(self.module)
        own = {size: held[name] for name, size in self.framework.sizes.items() if held.get(name)}
        width: Any = own.get("inputs") or own.get("features")
        if isinstance(width, tuple):
            if np.size(width) > 1:
                raise CallError(
                    f"{self.name} is over the last {len(width)} axes; {self.entry.name} is over the last one"
                )
            width = width[-1]
        if width is None and "outputs" not in own:
            return self._stiff(probe, module)
        width = width or probe["x"].shape[-1]
        outputs = own.get("outputs", width if self.entry.name != "dense" else probe["weight"].shape[0])
        fixed = {"x": (6, width), "weight": (outputs, width), "bias": (outputs,)}
        if self.entry.name != "dense":
            fixed = {"x": (6, width), **{role: (width,) for role in self.leaves}}
        return {role: shape for role, shape in fixed.items() if role in self.data or role in self.leaves}

    def _stiff(self, probe: Mapping[str, np.ndarray], module: Any) -> dict[str, tuple[int, ...]]:
        """Return the shapes of a layer whose arrays keep theirs where the data have one feature more."""
        data = [self.layout.put(role, probe[role]) for role in self.data]
        wider = [np.concatenate([array, array[..., :1]], -1) for array in data]
        shapes = {role: array.shape for role, array in probe.items() if hasattr(array, "shape")}
        shapes |= {role: array.shape for role, array in zip(self.data, wider, strict=True)}
        try:
            other = self.framework.arrays(self._constructed({}, self._sizes(shapes), wider), wider)
        except Exception:  # it refuses them: its size is its own
            other = self.framework.arrays(module, data)
        held = self.framework.arrays(module, data)
        if not held or other != held:
            return {}
        found = {role: held[name] for role, name in self.leaves.items()}
        if "weight" in self.layout.into and "weight" in found:
            found["weight"] = found["weight"][::-1]
        features = found["weight"][-1] if "weight" in found else next(iter(found.values()))[-1]
        return {"x": (6, features), **found}

    def _sizes(self, shapes: Mapping[str, Sequence[int]]) -> dict[str, Any]:
        return sizes_of(self.entry.name, shapes, {**self.received, **self.definition.stated})

    def _signature(self) -> inspect.Signature:
        kinds = inspect.Parameter
        arrays = [kinds(role, kinds.POSITIONAL_OR_KEYWORD) for role in (*self.data, *self.leaves)]
        numbers = [kinds(role, kinds.KEYWORD_ONLY) for role in dict.fromkeys(self.arguments.values())]
        return inspect.Signature([*arrays, *numbers])

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """Return the value; in training the running arrays too."""
        given = {**dict(zip((*self.data, *self.leaves), arrays, strict=False)), **named}
        sizes = self._sizes({role: tuple(map(int, a.shape)) for role, a in given.items() if hasattr(a, "shape")})
        put = {role: self.layout.put(role, array) for role, array in given.items()}
        data = [put[role] for role in self.data]
        numbers = {role: given[role] for role in self.arguments.values() if role in given}
        module = self._constructed(numbers, sizes, data)
        held = {name: put[role] for role, name in self.leaves.items()}
        y, after = self.framework.apply(module, held, data, self.definition.mode is Mode.TRAIN)
        y = self.layout.returned(y)
        running = [after[name] for role, name in self.leaves.items() if role in self.entry.state]
        return (y, *running) if running and self.definition.mode is Mode.TRAIN else y


def module_subject(
    module: Any,
    source: Source,
    definition: Definition,
    framework: Framework,
    roles: Mapping[str, str],
    make: Mapping[str, Any],
    dtype: str,
) -> FunctionSubject:
    """Return a module as a subject."""
    function = ModuleFunction(module, source.name, framework, definition, make, roles, dtype)
    options = [f"{name}={value!r}" for name, value in (("make", dict(make)), ("roles", dict(roles))) if value]
    written = f"as_function({', '.join([source.expression, repr(str(definition)), *options])})"
    imports = (*source.imports, "from lenticulum.check import as_function")
    shown = Source(written, imports, source.name)
    subject = (
        FunctionSubject(function, shown, definition, {}, {})
        if framework.host is None
        else HostSubject(function, shown, definition, {}, {}, "", framework.host)
    )
    subject.received.update(function.received)
    subject.shapes.update(function.shapes)
    subject.ranks, subject.notes = function.ranks, function.notes
    return subject
