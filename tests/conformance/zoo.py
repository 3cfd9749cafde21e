"""Publicly reported bugs, rebuilt: the faulty kernel rejected, the fixed one accepted, and both under exchanged labels.

An adapter names roles only: which argument is x or y, whether the output is the derivative, in which format the entry
stores its numbers; and the definition by its name in the catalogue. Inputs come from the default generator. Run

    python -m tests.conformance.zoo

for a table: entry, what fired, kind, witness, and in how many of 20 seeds; with --json N for the verdicts of N seeds.
The elementwise entries are here; those of programs and of functions of arrays are in zoo_programs, those of compiled
programs, trees and keys in zoo_identity, and the reports of bugs that were none in zoo_false_reports.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from lenticulum.check import CheckResult, check, examine

SEEDS = 20
DATA = Path(__file__).parent / "data" / "reported_bugs.json"


@dataclass(frozen=True)
class Adapter:
    """What is said about an entry: definition, roles and format for the checker.

    For the reader: `kinds`: the kinds of finding that are right.
    """

    spec: str
    kinds: tuple[str, ...]
    roles: Mapping[str, str] = field(default_factory=dict)
    dtype: str = "float32"

    def options(self) -> dict[str, Any]:
        """Return the options of a check."""
        return {"roles": self.roles, "dtype": self.dtype}


ADAPTERS = {
    "C01": Adapter("softplus", ("derivative",), {"x": "xs", "output": "derivative"}),
    "C02": Adapter("relu:at_kink=zero", ("derivative",), {"x": "xs", "output": "derivative"}),
    "C19": Adapter("sinc", ("derivative",), {"x": "x", "output": "derivative"}, "float64"),
    "E10": Adapter("logaddexp2", ("rounding",), {"x": "a", "y": "b"}, "float16"),
    "E15": Adapter("gelu:approximate=none", ("formula",), {"x": "xs"}),
}


def entries() -> dict[str, dict[str, Any]]:
    """Return the rebuilt entries by id."""
    return {entry["id"]: entry for entry in json.loads(DATA.read_text(encoding="utf-8"))}


def function(code: str) -> Callable[..., Any]:
    """Return the last function that a piece of code defines, under a name that says nothing."""
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    found = namespace["fixed"] if "fixed" in namespace else namespace["faulty"]
    found.__name__ = found.__qualname__ = "subject"
    found.__module__ = "__main__"
    return found


def judged(code: str, adapter: Adapter, seed: int) -> CheckResult:
    """Return the verdict on a piece of code."""
    return examine(function(code), adapter.spec, seed=seed, **adapter.options())


@dataclass(frozen=True)
class Outcome:
    """The verdicts on one piece of code: in how many seeds it was rejected, first in which, and with which kinds."""

    seeds: int
    rejected: int
    first: int | None
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        if not self.rejected:
            return f"accepted in all {self.seeds} seeds"
        return (
            f"rejected in {self.rejected} of {self.seeds} seeds ({', '.join(self.kinds)}), first in seed {self.first}"
        )


def outcome(code: str, adapter: Adapter, seeds: int = SEEDS) -> Outcome:
    """Return the verdicts of some seeds."""
    results = [judged(code, adapter, seed) for seed in range(seeds)]
    rejected = [seed for seed, result in enumerate(results) if result.verdict != "conforms"]
    kinds = sorted({results[seed].kind or results[seed].verdict for seed in rejected})
    return Outcome(seeds, len(rejected), rejected[0] if rejected else None, tuple(kinds))


def both(entry: Mapping[str, Any], adapter: Adapter, seeds: int) -> dict[str, Any]:
    """Return the outcomes of the two pieces of code, as they are labelled and under exchanged labels."""
    return {
        label: {code: asdict(outcome(each[f"{code}_code"], adapter, seeds)) for code in ("faulty", "fixed")}
        for label, each in (("labelled", entry), ("exchanged", exchanged(entry)))
    }


def exchanged(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry with its two pieces of code exchanged."""
    return {**entry, "faulty_code": entry["fixed_code"], "fixed_code": entry["faulty_code"]}


def report(name: str, entry: Mapping[str, Any], adapter: Adapter) -> str:
    """Write what the checker says of one entry."""
    faulty, fixed = (outcome(entry[code], adapter) for code in ("faulty_code", "fixed_code"))
    swapped = exchanged(entry)
    other, another = (outcome(swapped[code], adapter) for code in ("faulty_code", "fixed_code"))
    follows = (other, another) == (fixed, faulty)
    lines = [f"{name}  {entry['title']}", f"  definition: {adapter.spec}, {adapter.dtype}"]
    lines += [
        f"  faulty: {faulty}",
        f"  fixed: {fixed}",
        f"  labels exchanged: the verdicts follow the code: {follows}",
    ]
    for label, found in (("faulty", faulty), ("fixed", fixed)):
        if found.first is not None:
            result = check(function(entry[f"{label}_code"]), adapter.spec, seed=found.first, **adapter.options())
            lines += [f"  {label}, seed {found.first}:", *(f"    {line}" for line in str(result).splitlines())]
    return "\n".join(lines)


if __name__ == "__main__":
    found = entries()
    if sys.argv[1:2] == ["--json"]:
        seeds = int(sys.argv[2])
        print(json.dumps({name: both(found[name], adapter, seeds) for name, adapter in ADAPTERS.items()}))
    else:
        for name, adapter in ADAPTERS.items():
            print(report(name, found[name], adapter), end="\n\n", flush=True)
        # The other files are found beside this one, however it was started.
        sys.path.insert(0, str(Path(__file__).parent))
        for text in import_module("zoo_sweep").reports():
            print(text, end="\n\n", flush=True)
