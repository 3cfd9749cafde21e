"""A row of the catalogue, and the table of them by name."""

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from lenticulum.terms import Number, Value

#: What a definition without state answers to the question where the state is.
STATELESS = "there is no state"


class UnknownName(LookupError):
    """A name that the catalogue does not have; the message suggests the nearest."""


@dataclass(frozen=True)
class Entry:
    """One definition: what it is called, what it needs, and what is known about it.

    `example`: a small instance of the description. `kind`: "elementwise", "layer", "loss", "update", or "array" for a
    function of arrays (an `Operation`), whose value is called `output`. `arrays`: roles of the array arguments, in
    order; `optional` ones may be absent, `integers` and `booleans` hold such numbers and have no derivative. `state`:
    the arrays that are read and written. `locality`: an output entry depends on one entry of the data ("element"), on
    one row of its last axis ("row"), or on everything ("batch"). `conventions`: the documented choices, with the
    allowed values. `short`: other spellings of the hyper-parameters. `reduction`: judged as a sum of products, in any
    order, of which there are `summands` (of a description and the shapes by role; in a layer, as many as it has inputs,
    and the bias). `leading`: how many axes of x are those of a batch, which a module of one example is mapped over; if
    it is negative, all but so many. `kink`: where the derivative jumps, and what it is there. `counts`: numbers of
    parts that are fields of a layer (heads), which no shape says. `determines`, `purity`,
    `states` answer the three questions of every definition: which values determine the result; is it pure, seeded or an
    effect; where are the old and the new state.
    """

    name: str
    example: Value
    kind: str
    arrays: tuple[str, ...]
    equation: str
    source: str
    laws: tuple[str, ...]
    locality: str
    determines: str
    purity: str
    states: str
    optional: tuple[str, ...] = ()
    integers: tuple[str, ...] = ()
    booleans: tuple[str, ...] = ()
    output: str = "y"
    state: tuple[str, ...] = ()
    conventions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    reduction: bool = False
    summands: Callable[[Any, Mapping[str, tuple[int, ...]]], int] | None = None
    leading: Callable[[Any], int] | None = None
    kink: str = ""
    counts: tuple[str, ...] = ()

    @property
    def term(self) -> type[Value]:
        """The type of the description."""
        return type(self.example)

    def hyperparameters(self) -> dict[str, Any]:
        """Return the exact numbers among the fields, with their defaults (None where there is none)."""
        fields: Any = dataclasses.fields(self.term)  # type: ignore[arg-type]
        numbers = [each for each in fields if each.type in (Number, Number | None)]
        return {each.name: None if each.default is dataclasses.MISSING else each.default for each in numbers}

    def settings(self) -> dict[str, Any]:
        """Return the fields that are neither numbers nor words: axes, sizes, flags; of a layer its counts."""
        if self.kind != "array":
            return {name: getattr(self.example, name) for name in self.counts}
        known = {*self.hyperparameters(), *self.conventions}
        names = [each.name for each in dataclasses.fields(self.term) if each.name not in known]  # type: ignore[arg-type]
        return {name: getattr(self.example, name) for name in names}

    def canonical(self, name: str) -> str:
        """Return the field that a spelling means; an unknown spelling is returned as it is.

        >>> lookup("adam").canonical("eps")
        'epsilon'
        """
        return self.short.get(name, name)

    def spec(self) -> Callable[..., Any]:
        """Return the exact meaning: a plain function on exact arrays."""
        return import_module("lenticulum.spec.meaning").meaning_of(self.example)

    def fast(self) -> Callable[..., Any]:
        """Return the fast meaning: a plain function on JAX arrays. Imports JAX."""
        fast = import_module("lenticulum.fast")
        table = (
            fast.optimizers.update.UPDATES
            if self.kind == "update"
            else import_module("lenticulum.fast.meaning").MEANINGS
        )
        return table[self.term].function


CATALOG: dict[str, Entry] = {}


def entry(name: str, example: Value, **facts: Any) -> None:
    """Add one row.

    Raises: ValueError if a name is taken.
    """
    row = Entry(name, example, **facts)
    for spelling in (name, *row.aliases):
        if spelling in CATALOG:
            raise ValueError(f"the catalogue already has {spelling!r}")
        CATALOG[spelling] = row


def lookup(name: str) -> Entry:
    """Return the row of a name or an alias.

    Raises: UnknownName, with the nearest name.

    >>> lookup("sgd").name
    'gradient_descent'
    """
    if name not in CATALOG:
        raise UnknownName(f"no definition is called {name!r}{nearest(name, CATALOG)}\nknown: {', '.join(names())}")
    return CATALOG[name]


def names() -> list[str]:
    """Return the names of all definitions, without aliases.

    >>> "softmax" in names(), "sgd" in names()
    (True, False)
    """
    return [name for name, row in CATALOG.items() if row.name == name]


def nearest(name: str, known: Any) -> str:
    """Return a suggestion to append to a message, or nothing if no known name is near.

    >>> nearest("sofmax", ["softmax", "tanh"])
    '; did you mean softmax?'
    """
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""
