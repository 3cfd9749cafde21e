"""Chapter 6: every block is run, every number stands in one, the exercises reject mistakes, and each tool is asked."""

import re

import pytest
import stale_tools
from test_chapter1 import BLOCK, NUMBER, ROOT, exercises, outputs

from lenticulum.check.engine import run_law, run_planted

CHAPTER = (ROOT / "docs" / "chapter6.md").read_text()
EXERCISES = (10, 11, 12)


def test_no_output_of_the_chapter_is_abbreviated():
    assert not [output for output in outputs(CHAPTER) if "..." in output]


def test_every_fenced_block_of_the_chapter_is_executed():
    fences = re.findall(r"^ *(?:```|~~~|:::).*$", CHAPTER, flags=re.MULTILINE)
    assert fences == ["```python", "```"] * len(BLOCK.findall(CHAPTER))


def test_every_number_in_the_prose_stands_in_an_executed_block():
    # Without blocks, links, code and headings. The chapters that are needed, and the exercises, have numbers too.
    prose = re.sub(r"\[[^\]]*\]\([^)]*\)|`[^`]*`|^#.*$|[Cc]hapter \d+", "", BLOCK.sub("", CHAPTER), flags=re.M)
    executed = set(NUMBER.findall("".join(BLOCK.findall(CHAPTER)).replace("_", "")))
    assert set(NUMBER.findall(prose)) - executed == set()


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


def test_the_cases_that_the_tools_are_asked_about_are_what_the_chapter_says():
    import jax

    jax.clear_caches()
    served, truth = stale_tools.stale(jax.jit)
    assert (float(served), float(truth)) == (20.0, 30.0)
    served, truth = stale_tools.needless(jax.jit)
    assert float(served) == float(truth)


def test_the_blind_spots_of_the_chapter_are_tested():
    # tests/unit/testing/test_auditing.py holds each of them to be blind.
    source = (ROOT / "tests" / "unit" / "testing" / "test_auditing.py").read_text()
    (sentence,) = re.findall(r"The audit is blind by construction to ([^.]*)\.", CHAPTER)
    for words, test in BLIND.items():
        assert words in " ".join(sentence.split())
        assert f"def test_blind_to_{test}" in source
    assert source.count("def test_blind_to_") == len(BLIND)


BLIND = {
    "a table keyed by `id` that was filled before": "a_side_table_that_is_filled_before",
    "the environment": "the_environment",
    "the state of types of jax, NumPy and the standard library": "the_state_of_types_that_are_opaque",
    "what is declared benign": "what_is_declared_benign",
    "what is compiled ahead of time by `lower`": "what_is_compiled_ahead_of_time",
    "eager calls of loops, in which no `jit` takes part": "a_wrong_answer_of_the_eager_side",
}
