"""init: look at a module, write a first test file and a baseline beside it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lenticulum.check.errors import CallError
from lenticulum.testing.first_tests.survey import Survey, survey
from lenticulum.testing.first_tests.written import baseline_file, test_file


@dataclass(frozen=True)
class InitResult:
    """What `init` found and wrote. `verdict`: "conforms", "differs" where the baseline has findings, "not covered"."""

    target: str
    survey: Survey
    tests: Path
    baseline: Path

    @property
    def verdict(self) -> str:
        """The verdict on the module as a whole."""
        if any(each.verdict == "differs" for each in self.survey.judged):
            return "differs"
        return "conforms" if any(each.verdict == "conforms" for each in self.survey.judged) else "not covered"

    @property
    def exit_code(self) -> int:
        """0: files written, nothing found; 1: files written, the baseline has findings; 3: nothing could be checked."""
        return {"conforms": 0, "differs": 1, "not covered": 3}[self.verdict]

    def as_json(self) -> str:
        """Return one JSON object."""
        judged = [
            {"name": each.name, "spec": each.spec, "verdict": each.verdict, "kind": each.kind, "told": each.told}
            for each in self.survey.judged
        ]
        facts = {"verdict": self.verdict, "target": self.target, "judged": judged, "left_out": self.survey.left_out}
        return json.dumps({**facts, "tests": str(self.tests), "baseline": str(self.baseline)})

    def __str__(self) -> str:
        head = f"{self.verdict.upper()}  {self.target}: {len(self.survey.judged)} tests in {self.tests}"
        lines = [f"  {each.name}: {_told(each.verdict, each.spec, each.told)}" for each in self.survey.judged]
        lines += [f"  {name}: left out ({why})" for name, why in self.survey.left_out.items()]
        known = sum(each.known for each in self.survey.judged)
        lines += [f"  {known} known findings in {self.baseline}", f"run: pytest {self.tests}"]
        return "\n".join([head, *lines])


def _told(verdict: str, spec: str | None, told: str) -> str:
    return f"conforms: {spec or 'the laws that need no definition'}" if verdict == "conforms" else told


def init(
    target: str,
    *,
    out: str | Path | None = None,
    make: Mapping[str, Mapping[str, Any]] | None = None,
    seed: int = 0,
    force: bool = False,
) -> InitResult:
    """Write a first test file for a module, and a baseline of what is found in it now.

    Every public callable of the module is checked by the laws that need no definition, and as each definition of the
    catalogue that it is near to, or is named after. What conforms becomes a test; what does not becomes a test too, and
    a line of the baseline, so that the first run is green and says what is known.

    Arguments: `target`: a dotted name or the path of a file; its code is imported and run. `out`: the test file, by
    default test_NAME.py here; the baseline lies beside it. `make`: constructor arguments by the name of a class; where
    there are none, arguments with the name of a size are small numbers. `seed`: of the drawn cases. `force`: overwrite
    both.
    Returns: InitResult, whose exit code is 1 where the baseline has a finding.
    Raises: CallError for a module that cannot be imported and for files that exist; nothing is overwritten unasked.
    """
    name = Path(target).stem if target.endswith(".py") else target.rpartition(".")[2]
    tests = Path(f"test_{name}.py" if out is None else out)
    if tests.suffix != ".py" or not tests.name.startswith("test_"):
        raise CallError(f"--out {tests}: expected a file test_NAME.py, which pytest collects")
    baseline = tests.with_name(f"{tests.stem.removeprefix('test_')}_baseline.json")
    existing = [str(each) for each in (tests, baseline) if each.exists()]
    if existing and not force:
        raise CallError(f"{' and '.join(existing)} exist; give another file with --out, or overwrite with --force")
    found = survey(target, seed, make or {})
    if not found.judged and not found.left_out:
        raise CallError(f"{target} defines no public callable; expected functions of arrays, modules or their classes")
    stored = os.path.relpath(target, tests.parent) if target.endswith(".py") else target
    try:
        tests.parent.mkdir(parents=True, exist_ok=True)
        _write(baseline, baseline_file(found, stored, seed))
        _write(tests, test_file(found, target, tests, baseline))
    except OSError as error:
        raise CallError(f"{tests}: it cannot be written ({error.strerror})") from None
    return InitResult(target, found, tests, baseline)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
