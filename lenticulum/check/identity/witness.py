"""Witnesses of identity: programs that set `got`, what is served, and `truth`, with every cache cleared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lenticulum.check.identity.carrier import Carrier, Tree
from lenticulum.check.target import source_of
from lenticulum.check.witness import Witness

#: Names that an expression of another value may use, with the imports that they need.
_NEEDS = {
    "np.": "import numpy as np",
    "jnp.": "import jax.numpy as jnp",
    "enum.": "import enum",
    "collections.": "import collections",
    "copy.copy": "import copy",
    "fractions.": "import fractions",
    "decimal.": "import decimal",
    "equinox.": "import equinox",
}
_OURS = ("rebuilt", "part", "copied", "doubled", "with_entry", "twin_number", "round_trip")


@dataclass(frozen=True)
class Names:
    """How a built object, the program and its arguments are written down; imports, and lines that define them."""

    make: str = "make()"
    run: str = "run"
    args: str = "args"
    imports: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def names_of(make: Any, run: Any) -> Names:
    """Return how a factory and a program are written: by their modules, else by the names of the parameters.

    >>> names_of(lambda: 0, None).make
    'make()'
    """
    imports: list[str] = []

    def written(item: Any, otherwise: str) -> str:
        source = source_of(item)
        imports.extend(source.imports)
        return source.expression if source.imports else otherwise

    return Names(f"{written(make, 'make')}()", written(run, "run"), "args", tuple(imports))


class Writer:
    """Writes the witnesses of one check."""

    def __init__(self, names: Names, carrier: Carrier, program: bool) -> None:
        self.names, self.carrier, self.program = names, carrier, program

    def pair(self, lines: Sequence[str]) -> Witness:
        """Of two objects: the second is called after the first."""
        if not self.program:
            return self._witness(lines, self._same_key())
        call = f"compiled(first, *{self.names.args})"
        return self._witness(
            lines, [self._compiled(), call, f"got = compiled(other, *{self.names.args})", *self._cold("other")]
        )

    def mutation(self, lines: Sequence[str], line: str) -> Witness:
        """Of one object, changed between two calls."""
        if not self.program:
            return self._witness(lines, [line])
        args = self.names.args
        body = [
            self._compiled(),
            f"compiled(first, *{args})",
            line,
            f"got = compiled(first, *{args})",
            *self._cold("first"),
        ]
        return self._witness(lines, body)

    def round_trip(self) -> Witness:
        """Of one object, as the program receives it."""
        if not self.program:
            return self._witness(["first = make()"], ["got = round_trip(first)"])
        args = self.names.args
        truth = f"truth = jax.jit(lambda *given: {self.names.run}(first, *given))(*{args})"
        return self._witness(["first = make()"], [self._compiled(), f"got = compiled(first, *{args})", truth])

    def _compiled(self) -> str:
        return f"compiled = {self.carrier.expression(self.names.run)}"

    def _cold(self, name: str) -> list[str]:
        fresh = self.carrier.expression(f"lambda *given: {self.names.run}(*given)")
        call = (
            f"({fresh})({name}, *{self.names.args})"
            if fresh.startswith("lambda")
            else f"{fresh}({name}, *{self.names.args})"
        )
        return ["jax.clear_caches()", f"truth = {call}"]

    def _same_key(self) -> list[str]:
        if isinstance(self.carrier, Tree):
            return ["got = jax.tree.structure(first) == jax.tree.structure(other)"]
        return ["got = hash(first) == hash(other) and first == other"]

    def _witness(self, lines: Sequence[str], body: Sequence[str]) -> Witness:
        made = [line.replace("make()", self.names.make) for line in lines]
        text = "\n".join((*made, *body))
        needed = (line for name, line in _NEEDS.items() if re.search(rf"\b{re.escape(name)}", text))
        imports = [*self.names.imports, "import jax", *needed]
        ours = [name for name in _OURS if f"{name}(" in text]
        imports += [f"from lenticulum.check.identity import {', '.join(ours)}"] if ours else []
        return Witness({}, (*dict.fromkeys(imports), *self.names.lines, *made, *body))
