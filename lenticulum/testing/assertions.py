"""Assertions about laws, for a test suite."""

from __future__ import annotations

from typing import Any

from lenticulum.check.engine import LawResult, run_law, run_planted
from lenticulum.spec.law import Law
from lenticulum.testing.tally import SESSION


def assert_holds(law: Law[Any], subject: Any = None, *, seed: int | None = None, cases: int = 100) -> LawResult:
    """Assert that a law holds of a subject in every case drawn.

    Arguments: `subject`: what is checked, by default the law's own; `seed`: by default that of `--lenticulum-seed`.
    Returns: the result, with the number of cases checked, undecided and not applicable; the plugin adds them up.
    Raises: AssertionError with the shrunk violation and its witness, or where no case could be checked.
    """
    result = run_law(law, subject, seed=SESSION.seed if seed is None else seed, cases=cases)
    SESSION.add(checked=result.checked, undecided=result.undecided, not_run=result.inapplicable)
    if not result.held:
        raise AssertionError(str(result))
    return result


def assert_rejects_mistakes(law: Law[Any], *, seed: int | None = None, cases: int = 100) -> dict[str, LawResult]:
    """Assert that a law rejects every mistake planted for it; an AssertionError names one that it accepts."""
    return run_planted(law, seed=SESSION.seed if seed is None else seed, cases=cases)
