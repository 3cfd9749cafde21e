"""The published cases of identity, each checked anew: what is found, how it is proved, and what it costs."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from lenticulum.check.identity import IdentityResult, check_identity

FILE = Path(__file__).parent / "data" / "identity_cases.json"
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in json.loads(FILE.read_text("utf-8"))}

#: What a case hands to the checker: not what it says about itself, nor the object that shows the difference.
GIVEN = ("args", "variants", "change")


class Checked(NamedTuple):
    """The results of one case, with the processor times in milliseconds."""

    static: IdentityResult
    program: IdentityResult
    static_time: float
    program_time: float


def executed(name: str) -> dict[str, Any]:
    """Execute the module of a case anew: function objects carry caches."""
    namespace: dict[str, Any] = {"__name__": f"identity_case_{name}"}
    exec(compile(CASES[name]["code"], f"<{name}>", "exec", dont_inherit=True), namespace)
    return namespace


def given(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments that a case has for the checker."""
    return {name: namespace[name] for name in GIVEN if name in namespace}


def checked(name: str) -> Checked:
    """Check a case without and with its program, each on a module of its own."""
    alone, whole = executed(name), executed(name)
    options = given(alone)
    alone["make"]()  # what jax compiles for the factory is no cost of the check
    start = time.process_time()
    static = check_identity(alone["make"], **options)
    middle = time.process_time()
    program = check_identity(whole["make"], run=whole["run"], **given(whole))
    return Checked(static, program, 1e3 * (middle - start), 1e3 * (time.process_time() - middle))


def main(names: Collection[str] = CASES) -> int:
    """Print a line for each case, then the medians."""
    checked("P01")  # the first check pays for imports
    found = {name: checked(name) for name in names}
    print(f"{'case':5} {'expected':28} {'found':28} {'severity':17} {'proof':34} {'static':>8} {'program':>8}")
    for name, each in found.items():
        first = next((f for f in each.program.findings if f.kind == CASES[name]["finding"]), each.program.finding)
        kind, severity, proof = ("-", "-", "-") if first is None else (first.kind, first.severity, _proof(first))
        times = f"{each.static_time:5.2f} ms {each.program_time:5.1f} ms"
        print(f"{name:5} {CASES[name]['finding'] or '-':28} {kind:28} {severity:17} {proof:34} {times}")
    static = [each.static_time for each in found.values()]
    program = [each.program_time for each in found.values()]
    print(f"median: {statistics.median(static):.2f} ms without, {statistics.median(program):.1f} ms with its program")
    controls = [each.program_time for name, each in found.items() if CASES[name]["finding"] is None]
    print(f"median of the controls, for which nothing need be compiled: {statistics.median(controls):.1f} ms")
    planted = [name for name in found if CASES[name]["finding"] is not None]
    right = [n for n in planted if CASES[n]["finding"] in {f.kind for f in found[n].program.findings}]
    wrong = [name for name in found if CASES[name]["finding"] is None and found[name].program.errors]
    print(f"{len(right)} of {len(planted)} planted cases found by kind, {len(wrong)} of the controls an error")
    return int(len(right) < len(planted) or bool(wrong))


def _proof(finding: Any) -> str:
    if finding.served is not None:
        from lenticulum.check.identity.finding import shown

        return f"{shown(finding.served)} / {shown(finding.truth)}"
    if finding.traces is not None:
        return f"{finding.traces} traces for {finding.programs} program"
    return finding.note[:34]


if __name__ == "__main__":
    sys.exit(main())
