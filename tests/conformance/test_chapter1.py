"""Chapter 1 prints the published values inside executed blocks, and its laws reject their planted mistakes.

The blocks themselves are run by pytest as documentation (conftest.py in the root); here nothing runs them again.
"""

import importlib.util
import json
import re
from doctest import DocTestParser
from fractions import Fraction
from pathlib import Path

import jax.numpy as jnp
import pytest

from lenticulum import fast
from lenticulum.check.engine import run_law, run_planted
from lenticulum.terms import BatchNorm, Mode, Momentum, Tree

ROOT = Path(__file__).parents[2]
CHAPTER = (ROOT / "docs" / "chapter1.md").read_text()
DATA = json.loads((Path(__file__).parent / "data" / "torchlean.json").read_text())
VECTORS = {vector["id"]: vector for vector in DATA["vectors"]}

# A fence that sybil's MyST parser runs: three backticks and the word python, at the start of a line.
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:/\d+)?")


def sections() -> dict[str, str]:
    """Return the text below each heading of the second level."""
    _, *parts = re.split(r"^## ", CHAPTER, flags=re.MULTILINE)
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


def outputs(text: str) -> list[str]:
    """Return what the executed blocks of a text print, as doctest compares it: one string for each example."""
    return [
        example.want.rstrip("\n")
        for block in BLOCK.findall(text)
        for example in DocTestParser().get_examples(block)
        if example.want
    ]


def exercises():
    """Return the module beside the chapter, as a reader imports it."""
    spec = importlib.util.spec_from_file_location("exercises", ROOT / "docs" / "exercises.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def vector(identifier: str) -> tuple[dict, list]:
    return VECTORS[identifier]["inputs"], VECTORS[identifier]["expected"]


PUBLISHED = [
    ("A record of parameters", "6.5"),
    ("Exactness against floats", "55.511151"),
    ("Shapes as data", "[[4, 2], [4], [1, 4], [1]]"),
    ("Shapes as data", "17"),
    ("Shapes as data", "2026 [[4, 2], [4], [1, 4], [1]] 17\n7 [[4, 2], [4], [1, 4], [1]] 17"),
    ("Seeds", "-0.534110 0.833175\n-1.213642 0.820955"),
    ("Seeds", "0.964935 -0.659584\n0.073548 -1.193925"),
    ("Momentum", "1.975 0.25\n1.9275 0.475"),
    ("Momentum", "1.975000023841858 0.25\n1.9275000095367432 0.4749999940395355"),
    ("Momentum", "1.975 1.95 1.925"),
    ("Momentum", "1.975 1.925 1.85"),
    ("Modes", "[1.2, 2.2]"),
    ("Modes", "[1, 1, 1, 1] 0"),
    ("Modes", "[2, 0, 2, 0] 1"),
]


@pytest.mark.parametrize(("section", "value"), PUBLISHED)
def test_an_executed_block_of_the_section_prints_the_published_value(section, value):
    assert value in outputs(sections()[section])


def test_both_interpreters_print_the_value_of_the_dense_layer():
    assert outputs(sections()["A record of parameters"]).count("6.5") == 2


def test_the_weights_are_compared_before_and_after_an_unrelated_build():
    compared = """\
>>> unrelated = spec.build(99, Dense(8, 8))
>>> after = spec.build(2026, Dense(2, 2)).parameters.weight
>>> before.tobytes() == after.tobytes()
True
"""
    assert compared in "".join(BLOCK.findall(sections()["Seeds"]))


def test_no_output_of_the_chapter_is_abbreviated():
    # The doctest option ELLIPSIS is on, under which "..." would match anything.
    assert not [output for output in outputs(CHAPTER) if "..." in output]


def test_every_fenced_block_of_the_chapter_is_executed():
    fences = re.findall(r"^ *(?:```|~~~|:::).*$", CHAPTER, flags=re.MULTILINE)
    assert fences == ["```python", "```"] * len(BLOCK.findall(CHAPTER))


def test_every_number_in_the_prose_stands_in_an_executed_block():
    prose = re.sub(r"\[[^\]]*\]\([^)]*\)", "", BLOCK.sub("", CHAPTER))  # without blocks and links
    executed = set(NUMBER.findall("".join(BLOCK.findall(CHAPTER))))
    assert set(NUMBER.findall(prose)) - executed == set()


@pytest.mark.parametrize("section", [heading for heading in sections() if heading != "Exercises"])
def test_every_section_shows_a_failing_variant_and_says_what_it_does_not_show(section):
    assert "**A variant that fails.**" in sections()[section]
    assert "**What this does not show.**" in sections()[section]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_law_of_an_exercise_accepts_its_solution_and_rejects_every_planted_mistake(number):
    law = exercises().EXERCISES[number]
    assert run_law(law, seed=0, cases=200).held
    assert len(run_planted(law, seed=0, cases=200)) >= 3


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_chapter_shows_a_wrong_solution_rejected_with_its_witness_and_a_right_one_accepted(number):
    verdicts = re.findall(rf"^>>> check\({number}, \w+\)\n(\w+)(.*\n  \w+ = )?", CHAPTER, flags=re.MULTILINE)
    assert ("rejected", True) in [(verdict, bool(witness)) for verdict, witness in verdicts]
    assert "accepted" in [verdict for verdict, _ in verdicts]


def test_fast_momentum_gives_the_published_binary32_values():
    inputs, expected = vector("tl.basic.momentum.fp32")
    update = Momentum(str(inputs["lr"]), decay=str(inputs["mu"]))
    parameters = Tree(theta=jnp.float32(inputs["theta"]))
    state = fast.initial_update_state(update, parameters)
    found = []
    for _ in range(inputs["steps"]):
        cotangent = Tree(theta=jnp.float32(-inputs["g"]))
        state, parameters = fast.update_next(update, state, parameters, cotangent)
        found.append([float(parameters.theta), float(state.buffer.theta)])
    assert found == expected


def test_fast_batch_norm_gives_the_published_binary32_running_mean():
    inputs, expected = vector("tl.basic.bn_running.fp32")
    layer = BatchNorm(2, new_weight=str(inputs["m"]), use_weight=False, use_bias=False)
    state = Tree(running_mean=jnp.array(inputs["old"], jnp.float32), running_variance=jnp.ones(2))
    # Two equal rows have exactly the published batch mean.
    batch = jnp.array([inputs["batch"]] * 2, jnp.float32)
    _, after = fast.apply(layer, batch, Tree(), state, Mode.TRAIN, None)
    assert after.running_mean.tolist() == expected


def test_the_chapter_prints_the_published_binary32_values_exactly():
    # The decimals above are those of the file, so that text, interpreter and file cannot drift apart.
    (_, momentum), (_, running) = vector("tl.basic.momentum.fp32"), vector("tl.basic.bn_running.fp32")
    assert "\n".join(f"{theta} {buffer}" for theta, buffer in momentum) in outputs(sections()["Momentum"])
    assert str(running) in outputs(sections()["Modes"])


def test_the_exact_decimals_of_the_chapter_are_the_published_fractions():
    _, exact = vector("tl.basic.momentum.exact")
    _, accumulation = vector("tl.basic.accumulation")
    printed = outputs(sections()["Momentum"])
    assert "\n".join(" ".join(str(float(Fraction(each))) for each in row) for row in exact) in printed
    for run in ("fresh", "accumulated"):
        assert " ".join(str(float(Fraction(each))) for each in accumulation[run]) in printed
