"""A definition as it is asked for: a row of the catalogue with its stated conventions, in any exact arithmetic."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from lenticulum.catalog import Entry, UnknownName, lookup, nearest
from lenticulum.check.errors import CallError
from lenticulum.check.finding import float_roles
from lenticulum.numbers import DomainError, ExactArray, ball, stack, zeros_like
from lenticulum.spec import apply, update_next
from lenticulum.spec.elementwise import Expected, answers, evaluation_of, forms_of, layer_forms_of
from lenticulum.terms import Mode, Tree, Value, exact
from lenticulum.terms import replace as replace_fields

#: Role -> array of one exact system; the integer role `count` is a plain int.
Roles = Mapping[str, Any]


@dataclass(frozen=True)
class Definition:
    """A row of the catalogue and what was stated about it: exact rationals, conventions as words, the mode.

    Of an operation the axes, sizes and flags too, as Python values.
    """

    entry: Entry
    stated: Mapping[str, Any]
    mode: Mode = Mode.EVAL

    #: The order of a derivative: of the value itself.
    order = 0

    def __str__(self) -> str:
        words = [f"mode={self.mode.value}"] if self.entry.modes else []
        words += [f"{name}={written(choice)}" for name, choice in self.stated.items()]
        return ":".join([self.entry.name, ",".join(words)] if words else [self.entry.name])

    @property
    def output(self) -> str:
        """The name of the value: loss, value (of a function of two arguments), y; of an update the parameters."""
        if self.entry.kind == "array":
            return self.entry.output
        if self.entry.kind in ("loss", "update"):
            return "loss" if self.entry.kind == "loss" else "parameters"
        return "value" if self.entry.kind == "elementwise" and len(self.entry.arrays) > 1 else "y"

    def term(self, shapes: Mapping[str, tuple[int, ...]], numbers: Mapping[str, Any]) -> Value:
        """Return the description that fits arrays of these shapes, at these hyper-parameters (stated ones come first).

        Raises: CallError if the arrays do not fit each other, naming both shapes.
        """
        fields: dict[str, Any] = {**numbers, **self.stated}
        if self.entry.kind == "array":
            return replace_fields(self.entry.example, **fields)
        for optional in self.entry.optional:
            fields[f"use_{optional}"] = optional in shapes
        known = self.entry.term.__dataclass_fields__  # type: ignore[attr-defined]
        if self.entry.kind == "layer" and not shapes["x"]:
            raise CallError(f"{self.entry.name}: x has shape []; expected at least one axis")
        if "features" in known or "inputs" in known:
            fields["features" if "features" in known else "inputs"] = shapes["x"][-1]
        if "outputs" in known:
            fields["outputs"] = shapes["weight"][0]
        if self.entry.name == "batch_norm":
            fields["track"] = "running_mean" in shapes
        if self.entry.name == "self_attention":
            fields["heads"] = fields.get("heads", self.entry.example.heads)  # type: ignore[attr-defined]
            # If the heads do not divide the rows, the shapes that are then expected say so.
            fields["width"] = max(1, shapes["query_weight"][0] // fields["heads"])
        try:
            term = self.entry.term(**fields)
        except (TypeError, ValueError) as error:
            raise CallError(f"{self}: {error}") from None
        self._check_shapes(term, shapes)
        return term

    def _check_shapes(self, term: Any, shapes: Mapping[str, tuple[int, ...]]) -> None:
        if self.entry.kind == "layer":
            expected = dict(zip(term.parameter_shapes(), term.parameter_shapes().leaves(), strict=True))
        else:
            first = self.entry.arrays[0]
            expected = {name: shapes[first] for name in self.entry.arrays[1:]}
        for name, shape in expected.items():
            if tuple(shapes[name]) != tuple(shape):
                raise CallError(f"{self.entry.name}: {name} has shape {list(shapes[name])}; expected {list(shape)}")

    def outputs(self, term: Any, roles: Roles) -> dict[str, ExactArray]:
        """Return the exact outputs by name.

        An elementwise function has y (of two arguments: value), a layer y and the running pair, a loss its loss, an
        update its update, parameters and state. Of an operation, an optional array may be missing from the roles.

        Raises: CallError if the arrays of an operation do not fit each other.
        """
        if self.entry.kind == "array":
            return self._operation(evaluation_of(term), roles)
        if self.entry.kind == "elementwise":
            return self._elementwise(term, roles)
        if self.entry.kind == "update":
            return self._updated(term, roles)
        if self.entry.kind == "loss":
            loss, _ = apply(term, (roles["label"], roles["prediction"]), Tree(), Tree(), Mode.EVAL, None)
            return {"loss": loss}  # type: ignore[dict-item]
        parameters = Tree({name: roles[name] for name in term.parameter_shapes()})
        # A missing count is zero: evaluation of a stream of dropout does not read it.
        state = Tree({name: np.uint32(roles[name]) if name == "count" else roles[name] for name in term.state_shapes()})
        y, after = apply(term, roles["x"], parameters, state, self.mode, None)
        running = {name: after[name] for name in after if name.startswith("running")}
        return {"y": y, **running}  # type: ignore[dict-item]

    def forms(self, term: Any) -> tuple[Callable[[Roles], dict[str, ExactArray]], ...]:
        """Return the closed forms as the sources print them, each from the roles to the outputs by name.

        Of a definition with state it is the meaning alone.
        """
        if self.entry.kind == "array":
            return tuple(partial(self._operation, form) for form in forms_of(term))
        if self.entry.kind == "update" or self.entry.state:
            return (lambda roles: self.outputs(term, roles),)
        if self.entry.kind == "layer":
            return tuple(partial(self._layer, term, form) for form in layer_forms_of(term))
        name = self.output

        def named(form: Callable[[Any], ExactArray], roles: Roles) -> dict[str, ExactArray]:
            arrays = tuple(roles[role] for role in self.entry.arrays)
            return {name: form(arrays[0] if len(arrays) == 1 else arrays)}

        return tuple(partial(named, form) for form in forms_of(term))

    def _layer(self, term: Any, form: Callable[..., ExactArray], roles: Roles) -> dict[str, ExactArray]:
        return {self.output: form(Tree({name: roles[name] for name in term.parameter_shapes()}), roles["x"])}

    def _operation(self, form: Callable[..., ExactArray], roles: Roles) -> dict[str, ExactArray]:
        try:
            return {self.output: form(*(roles.get(role) for role in self.entry.arrays))}
        except (ValueError, IndexError) as error:
            raise CallError(f"{self}: {error}") from None

    def require_fit(self, term: Any, arrays: Mapping[str, np.ndarray]) -> None:
        """Refuse arrays to whose shapes an operation gives no value; floats count as ones.

        Raises: CallError.
        """
        floats = float_roles(arrays)
        ones = {role: ball(np.ones(array.shape)) if role in floats else array for role, array in arrays.items()}
        try:
            self.outputs(term, ones)
        except DomainError as error:
            raise CallError(f"{self}: {error}") from None

    def special(self, term: Any, *arrays: np.ndarray) -> dict[int, Expected]:
        """Return what is due at the special inputs of an elementwise function, by flat position (binary64 arrays)."""
        due: dict[int, Expected] = {}
        for where, what in answers(term, *arrays):
            for flat in np.flatnonzero(where).tolist():
                due[flat] = what if isinstance(what, Expected) else Expected(float(what.ravel()[flat]))
        return due

    def _elementwise(self, term: Any, roles: Roles) -> dict[str, ExactArray]:
        arrays = tuple(roles[name] for name in self.entry.arrays)
        x = arrays[0] if len(arrays) == 1 else arrays
        y, _ = apply(term, x, Tree(), Tree(), Mode.EVAL, None)
        return {self.output: y}  # type: ignore[dict-item]

    def _updated(self, term: Any, roles: Roles) -> dict[str, ExactArray]:
        parameters = roles["parameters"]
        # Each of these updates is p' = p + step(state, g), so the step is the value at p = 0: exact, and in a running
        # error bound free of the rounding of the last addition. Both values come from one evaluation.
        both = stack([parameters, zeros_like(parameters)])
        after, moved = update_next(term, self._update_state(term, roles), Tree(p=both), Tree(p=-roles["gradient"]))
        arrays = {
            name: after[name].p if isinstance(after[name], Tree) else after[name] for name in after if name != "count"
        }
        return {"update": moved.p[1], "parameters": moved.p[0], **arrays}

    def _update_state(self, term: Any, roles: Roles) -> Tree:
        """Return the state. Several independent steps are one leading axis, and then `count` is a tuple."""
        parameters: ExactArray = roles["parameters"]
        state: dict[str, Any] = {}
        for name in self.entry.state:
            if name == "count":
                counts = roles["count"] if isinstance(roles["count"], tuple) else (roles["count"],)
                if len({count > 0 for count in counts}) > 1:
                    raise ValueError(f"{self.entry.name}: the first step and later ones are different functions")
                state[name] = np.uint32(counts[0])
            elif name.endswith("_power"):
                decay = getattr(term, name.replace("_power", "_decay"))
                state[name] = roles[name] if name in roles else powers(parameters, decay, roles["count"])
            else:
                state[name] = Tree(p=roles[name])
        return Tree(state)

    def variants(self) -> list[Definition]:
        """Return the same definition under every other combination of its conventions."""
        flags = {name: (False, True) for name, each in self.entry.settings().items() if isinstance(each, bool)}
        choices = {**self.entry.conventions, **flags}
        names = list(choices)
        chosen = [self.stated.get(name, getattr(self.entry.example, name)) for name in names]
        combinations = product(*choices.values())
        changes = [
            {n: new for n, new, old in zip(names, each, chosen, strict=True) if new != old} for each in combinations
        ]
        # Fewest changes first: the nearest convention is the most useful answer.
        changed = sorted(filter(None, changes), key=len)
        return [replace(self, stated={**self.stated, **each}) for each in changed]


def powers(parameters: ExactArray, decay: Fraction, count: int | tuple[int, ...]) -> ExactArray:
    """Return decay^count, which a counter determines: one number, or one for each step along the first axis."""
    base = parameters.lift(decay)
    if isinstance(count, int):
        return base**count
    return stack([base**each for each in count]).reshape((len(count),) + (1,) * (parameters.ndim - 1))


def parse(text: str) -> Definition:
    """Read NAME or NAME:convention=value,...; numbers are exact.

    Raises: CallError naming what was given and what exists.

    >>> str(parse("adam:eps=1/8,epsilon_at=raw"))
    'adam:epsilon=1/8,epsilon_at=raw'
    """
    name, _, words = text.partition(":")
    try:
        row = lookup(name)
    except UnknownName as error:
        raise CallError(str(error)) from None
    stated: dict[str, Any] = {}
    mode = None
    for word in separated(words):
        key, equals, choice = word.partition("=")
        if not equals or not choice:
            raise CallError(f"--spec {text}: {word!r} is no convention; write name=value, such as {example(row)}")
        if key == "mode" and row.modes:
            mode = one_mode(row, choice)
        else:
            field, value = read(row, key, choice)
            stated[field] = value
    if row.modes and mode is None:
        raise CallError(f"{name} needs a mode: write {name}:mode={row.modes[0]}")
    return Definition(row, stated, mode or Mode.EVAL)


def separated(words: str) -> list[str]:
    """Return the parts between commas, of which those in brackets or quotes separate nothing.

    >>> separated('axis=[0,1],equation="ij,jk->ik"')
    ['axis=[0,1]', 'equation="ij,jk->ik"']
    >>> separated("stride=[2,1],padding=[[0,1],[2,2]]")
    ['stride=[2,1]', 'padding=[[0,1],[2,2]]']
    """
    parts, depth, quoted = [""], 0, False
    for each in words:
        quoted ^= each == '"'
        depth += 0 if quoted else (each == "[") - (each == "]")
        if each == "," and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += each
    return parts if words else []


def setting(row: Entry, field: str, choice: str) -> Any:
    """Return the value of a field of an operation that is neither a number nor a convention in words.

    It is a JSON literal, lists being tuples, or else a word, in the one form that the field has.

    Raises: CallError if the field does not take it.

    >>> setting(lookup("logsumexp"), "axis", "[0,1]"), setting(lookup("logsumexp"), "axis", "null")
    ((0, 1), None)
    """
    try:
        found = json.loads(choice)
    except ValueError:
        found = choice
    found = tuples(found)
    try:
        return getattr(replace_fields(row.example, **{field: found}), field)
    except (TypeError, ValueError) as error:
        raise CallError(f"{row.name}: {error}") from None


def tuples(found: Any) -> Any:
    """Return a JSON value with lists as tuples.

    >>> tuples([[1, 1], [0, 2]])
    ((1, 1), (0, 2))
    """
    return tuple(map(tuples, found)) if isinstance(found, list) else found


def written(choice: Any) -> str:
    """Write what was stated as it is read.

    >>> written((0, 1)), written(Fraction(1, 8)), written("tanh"), written(None)
    ('[0,1]', '1/8', 'tanh', 'null')
    """
    return str(choice) if isinstance(choice, str | Fraction) else json.dumps(choice, separators=(",", ":"))


def read(row: Entry, key: str, choice: str) -> tuple[str, Any]:
    """Return the field that a convention states, and its exact value."""
    field = row.canonical(key)
    numbers = row.hyperparameters()
    if field in row.settings():
        return field, setting(row, field, choice)
    if field in row.conventions:
        if choice not in row.conventions[field]:
            allowed = ", ".join(row.conventions[field])
            raise CallError(f"{row.name}: {key}={choice} is not a convention; expected one of {allowed}")
        return field, choice
    if field in numbers:
        try:
            return field, exact(choice, key)
        except ValueError as error:
            raise CallError(f"{row.name}: {error}") from None
    known = [*numbers, *row.conventions, *row.settings(), *(["mode"] if row.modes else [])]
    raise CallError(
        f"{row.name} has no convention {key!r}{nearest(key, [*known, *row.short])}\nknown: {', '.join(known) or 'none'}"
    )


def one_mode(row: Entry, choice: str) -> Mode:
    """Return the mode of a word."""
    if choice not in row.modes:
        raise CallError(f"{row.name}: mode={choice} cannot be checked; expected one of {', '.join(row.modes)}")
    return Mode(choice)


def example(row: Entry) -> str:
    """Return a convention of the row as it would be written.

    >>> example(lookup("layer_norm"))
    'layer_norm:epsilon=1/100000'
    """
    options = {name: choices[0] for name, choices in row.conventions.items()} | row.hyperparameters()
    return next((f"{row.name}:{name}={choice}" for name, choice in reversed(options.items())), row.name)
