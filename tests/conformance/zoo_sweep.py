"""The verdicts on the entries of `zoo_programs` and `zoo_identity`, seed by seed, and on the false reports.

    python tests/conformance/zoo_sweep.py --json N

prints the verdicts of N seeds; `python -m tests.conformance.zoo` prints the table for a reader.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from zoo import SEEDS, Outcome, entries, exchanged
from zoo_false_reports import accused
from zoo_identity import ADAPTERS as OF_IDENTITY
from zoo_programs import ADAPTERS as OF_PROGRAMS
from zoo_programs import LEFT_OUT, ProgramAdapter, laws

from lenticulum.check.kernel_law import Kernel, KernelVerdict, examine_kernel
from lenticulum.spec.law import Law

ADAPTERS = {**OF_PROGRAMS, **OF_IDENTITY}


def summed_up(verdicts: list[KernelVerdict]) -> Outcome:
    """Return the verdicts of some seeds in short. A seed in which a law was never checked accepts nothing."""
    rejected = [seed for seed, each in enumerate(verdicts) if each.violation is not None or not each.checked]
    kinds = sorted({verdicts[seed].kind or "not checked" for seed in rejected})
    return Outcome(len(verdicts), len(rejected), rejected[0] if rejected else None, tuple(kinds))


def outcome(entry: Mapping[str, Any], label: str, adapter: ProgramAdapter, seeds: int) -> Outcome:
    """Return the verdicts on one of the two pieces of code of an entry."""
    return of_kernel(laws(adapter, entry), adapter.kernel(entry[f"{label}_code"]), seeds)


def of_kernel(stated: list[Law[Kernel]], kernel: Kernel, seeds: int) -> Outcome:
    """Return the verdicts on a kernel."""
    return summed_up([examine_kernel(stated, kernel, seed) for seed in range(seeds)])


def both(entry: Mapping[str, Any], adapter: ProgramAdapter, seeds: int) -> dict[str, Any]:
    """Return the outcomes of the two pieces of code, as they are labelled and under exchanged labels."""
    return {
        labels: {label: asdict(outcome(each, label, adapter, seeds)) for label in ("faulty", "fixed")}
        for labels, each in (("labelled", entry), ("exchanged", exchanged(entry)))
    }


def report(name: str, entry: Mapping[str, Any], adapter: ProgramAdapter, seeds: int = SEEDS) -> str:
    """Write what fired for one entry: law, kind, witness, and the seeds needed."""
    faulty, fixed = (outcome(entry, label, adapter, seeds) for label in ("faulty", "fixed"))
    swapped = exchanged(entry)
    follows = [outcome(swapped, label, adapter, seeds) for label in ("fixed", "faulty")] == [faulty, fixed]
    lines = [
        f"{name}  {entry['title']}",
        f"  definition: {adapter.definition}, {adapter.dtype}",
        f"  faulty: {faulty}",
        f"  fixed: {fixed}",
        f"  labels exchanged: the verdicts follow the code: {follows}",
    ]
    for label, found in (("faulty", faulty), ("fixed", fixed)):
        if found.first is not None:
            lines += _witness(label, adapter, entry, found.first)
    return "\n".join(lines)


def _witness(label: str, adapter: ProgramAdapter, entry: Mapping[str, Any], seed: int) -> list[str]:
    kernel = adapter.kernel(entry[f"{label}_code"])
    verdict = examine_kernel(laws(adapter, entry), kernel, seed, smallest=True)
    told = str(verdict.violation).splitlines()
    return [f"  {label}, seed {seed}: {verdict.kind}, law {verdict.law}", *(f"    {line}" for line in told)]


def reports() -> Iterator[str]:
    """Write every entry, those that are left out, and the false reports."""
    found = entries()
    for name, adapter in ADAPTERS.items():
        yield report(name, found[name], adapter)
    for name, why in LEFT_OUT.items():
        yield f"{name}  {found[name]['title']}\n  not checked: {why}"
    for name, (entry, law, kernel) in accused().items():
        lines = [
            f"{name}  claimed: {entry['claim']}",
            "  definition: the entry's reference, read in exact numbers, float64",
            f"  the accused kernel: {of_kernel([law], kernel, SEEDS)}",
        ]
        yield "\n".join(lines)


if __name__ == "__main__":
    seeds = int(sys.argv[sys.argv.index("--json") + 1])
    found = entries()
    programs = {name: both(found[name], adapter, seeds) for name, adapter in ADAPTERS.items()}
    accepted = {name: asdict(of_kernel([law], kernel, seeds)) for name, (_, law, kernel) in accused().items()}
    print(json.dumps({"programs": programs, "false reports": accepted}))
