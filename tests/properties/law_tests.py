"""How the tests of law collections read: one test for each law, one for each planted mistake."""

from typing import Any

import pytest

from lenticulum.check.draw import SeededDraw
from lenticulum.numbers import Undecided
from lenticulum.spec.law import Inapplicable, Law, Violation


def every_law(*laws: Law[Any]) -> Any:
    """Run a test once for each law, under its name."""
    return pytest.mark.parametrize("law", laws, ids=[law.id for law in laws])


def every_planted_mistake(*laws: Law[Any]) -> Any:
    """Run a test once for each planted mistake of each law."""
    cases = [pytest.param(law, name, id=f"{law.id}: {name}") for law in laws for name in law.planted]
    assert all(law.planted for law in laws), "a law without a planted mistake is not yet a test"
    return pytest.mark.parametrize(("law", "mistake"), cases)


def rejects(law: Law[Any], subject: Any, *, seed: int, cases: int) -> bool:
    """Whether the law finds a violation within these cases; it is not shrunk, which takes a thousand cases more."""
    for case in range(cases):
        try:
            law.check(subject, SeededDraw(seed, case))
        except (Inapplicable, Undecided):
            continue
        except Violation:
            return True
    return False
