"""Chapter 2 prints the published errors inside executed blocks, and the laws of its exercises reject their mistakes.

The blocks themselves are run by pytest as documentation (conftest.py in the root); here nothing runs them again.
"""

import re

import pytest
from test_chapter1 import BLOCK, NUMBER, ROOT, exercises, outputs

from lenticulum.check.engine import run_law, run_planted

CHAPTER = (ROOT / "docs" / "chapter2.md").read_text()
EXERCISES = (4, 5, 6)


def sections() -> dict[str, str]:
    """Return the text below each heading of the second level."""
    _, *parts = re.split(r"^## ", CHAPTER, flags=re.MULTILINE)
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


def test_the_table_of_condition_and_defect_has_the_published_numbers():
    # Errors and K of six computations in binary32, found with another arithmetic.
    published = [(1.23e7, 0.47), (72.7, 0.99), (1.26e7, 8.4e6), (25, 20), (2.1e4, 8.3e3), (9.28e6, 8.0e5)]
    (table,) = [each for each in outputs(sections()["Condition and defect"]) if "reduced by a rounded pi" in each]
    found = [tuple(map(float, re.findall(r"([\d.e+]+) ulp   K = ([\d.e+]+)", row)[0])) for row in table.split("\n")]
    assert found == published


def test_no_output_of_the_chapter_is_abbreviated():
    # The doctest option ELLIPSIS is on, under which "..." would match anything.
    assert not [output for output in outputs(CHAPTER) if "..." in output]


def test_every_fenced_block_of_the_chapter_is_executed():
    fences = re.findall(r"^ *(?:```|~~~|:::).*$", CHAPTER, flags=re.MULTILINE)
    assert fences == ["```python", "```"] * len(BLOCK.findall(CHAPTER))


def test_every_number_in_the_prose_stands_in_an_executed_block():
    # Without blocks, links, formulas and headings: there a number is part of a definition.
    prose = re.sub(
        r"\$\$.*?\$\$|\$[^$]*\$|\[[^\]]*\]\([^)]*\)|`[^`]*`|^#.*$", "", BLOCK.sub("", CHAPTER), flags=re.DOTALL | re.M
    )
    executed = set(NUMBER.findall("".join(BLOCK.findall(CHAPTER)).replace("_", "")))
    assert set(NUMBER.findall(prose)) - executed == set()


@pytest.mark.parametrize("section", [heading for heading in sections() if heading != "Exercises"])
def test_every_section_shows_a_failing_variant_and_says_what_it_does_not_show(section):
    assert "**A variant that fails.**" in sections()[section]
    assert "**What this does not show.**" in sections()[section]


@pytest.mark.parametrize("number", EXERCISES)
def test_the_law_of_an_exercise_accepts_its_solution_and_rejects_every_planted_mistake(number):
    law = exercises().EXERCISES[number]
    assert run_law(law, seed=0, cases=200).held
    assert len(run_planted(law, seed=0, cases=200)) >= 3


@pytest.mark.parametrize("number", EXERCISES)
def test_the_chapter_shows_a_wrong_solution_rejected_with_its_witness_and_a_right_one_accepted(number):
    verdicts = re.findall(rf"^>>> check\({number}, \w+\)\n(\w+)(.*\n  \w+ = )?", CHAPTER, flags=re.MULTILINE)
    assert ("rejected", True) in [(verdict, bool(witness)) for verdict, witness in verdicts]
    assert "accepted" in [verdict for verdict, _ in verdicts]
