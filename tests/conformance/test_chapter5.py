"""The exercises of chapter 5 reject their planted mistakes, and the chapter prints every slip with its values.

The blocks themselves are run by pytest as documentation (conftest.py in the root); here nothing runs them again.
"""

import importlib.util
from pathlib import Path

import pytest

from lenticulum.check.engine import run_law, run_planted
from lenticulum.spec.slips import SLIPS

DOCS = Path(__file__).parents[2] / "docs"
CHAPTER = (DOCS / "chapter5.md").read_text()


def exercises():
    """Return the module beside the chapter, as a reader imports it."""
    spec = importlib.util.spec_from_file_location("exercises", DOCS / "exercises.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.EXERCISES


EXERCISES = exercises()


@pytest.mark.parametrize("number", [7, 8, 9])
def test_an_exercise_accepts_its_solution_and_rejects_what_is_planted(number):
    assert run_law(EXERCISES[number], seed=1, cases=100).held
    assert set(run_planted(EXERCISES[number], seed=2, cases=100)) == set(EXERCISES[number].planted)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.equation)
def test_the_chapter_prints_every_slip_with_both_values_and_its_law(slip):
    right, printed = slip.values()
    assert f"   right   {' '.join(map(str, right))}\n   printed {' '.join(map(str, printed))}\n" in CHAPTER
    assert all(f"   {law.id}: " in CHAPTER for law, _ in slip.rejected_by)


def test_every_section_says_what_it_does_not_show():
    sections = CHAPTER.split("\n## ")[1:-1]
    without = [section.partition("\n")[0] for section in sections if "**What this does not show.**" not in section]
    assert without == ["Parameters"]  # its point continues in the next section
