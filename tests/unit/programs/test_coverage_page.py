"""The page of coverage is made of the committed surveys, and nothing on their lists is missing without a reason."""

import json
import re
from pathlib import Path
from typing import Any

import coverage_page
import pytest

from lenticulum.programs import LEFT_OUT, rule


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return coverage_page.surveys(coverage_page.SURVEYS)


@pytest.fixture(scope="module")
def rules() -> set[str]:
    rule.load()
    return set(rule.RULES)


def entry(*operands: str) -> dict[str, Any]:
    return {"used by": ["f"], "forms": ["forward"], "operands": list(operands), "params": []}


def survey(version: str, primitives: dict[str, Any], **left_out: str) -> dict[str, Any]:
    return {"versions": {"jax": version}, "primitives": primitives, "left out": left_out}


def test_the_committed_page_is_what_the_committed_surveys_give(found, rules):
    assert coverage_page.PAGE.read_text(encoding="utf-8") == coverage_page.page(found, rules)


def test_the_oldest_and_the_newest_supported_jax_are_surveyed(found):
    # The requirement reads jax>=OLDEST,<LIMIT; the newest release is of the minor version before the limit.
    requirement = re.search(r'"jax>=([\d.]+),<([\d.]+)"', (Path(__file__).parents[3] / "pyproject.toml").read_text())
    oldest, limit = requirement.groups()
    first, *_, last = found
    assert first == oldest
    major, minor = coverage_page.numbers(limit)
    assert coverage_page.numbers(last)[:2] == [major, minor - 1]


def test_what_is_missing_has_a_reason_and_nothing_else_has(found, rules):
    listed = set(coverage_page.primitives(found))
    assert coverage_page.missing(found, rules) == sorted(listed & LEFT_OUT.keys())
    assert not rules & LEFT_OUT.keys()


def test_every_primitive_of_every_survey_has_one_row(found, rules):
    page = coverage_page.page(found, rules)
    rows = re.findall(r"^\| `([^`]+)`", page.split("## Left out")[0], flags=re.MULTILINE)
    names = [
        name for path in coverage_page.SURVEYS.glob("*.json") for name in json.loads(path.read_text())["primitives"]
    ]
    assert sorted(rows) == sorted(set(names))


def test_a_primitive_without_a_rule_is_missing_unless_it_is_discrete():
    made = {"1.0": survey("1.0", {"ours": entry("float -> float"), "bits": entry("int, key -> int")})}
    assert coverage_page.missing(made, set()) == ["ours"]
    assert coverage_page.missing(made, {"ours"}) == []
    page = coverage_page.page(made, set())
    assert "Primitives: 2. Interpreted: 0. Handed to JAX: 1. Missing: 1." in page
    assert "missing: no rule yet" in page


@pytest.mark.parametrize("kinds", ["float, int -> int", "int -> float", "nothing -> float"])
def test_a_float_on_either_side_in_either_version_keeps_a_primitive_from_jax(kinds):
    made = {"1.0": survey("1.0", {"f": entry("int -> int")}), "1.1": survey("1.1", {"f": entry(kinds)})}
    assert coverage_page.missing(made, set()) == ["f"]


def test_versions_are_named_where_they_differ():
    made = {
        "1.9": survey("1.9", {"old": entry("int -> int")}, f="complex numbers", g="no arrays"),
        "1.10": survey("1.10", {"new": entry("int -> int")}, g="no arrays"),
    }
    page = coverage_page.page(made, set())
    assert "| `old` | 1.9 |" in page
    assert "| `new` | 1.10 |" in page
    assert "| complex numbers | `f` (1.9) |" in page
    assert "| no arrays | `g` |" in page


def test_surveys_are_in_the_order_of_versions_not_of_letters(tmp_path):
    for version in ("1.10", "1.9"):
        (tmp_path / f"jax-{version}.json").write_text(json.dumps(survey(version, {})))
    assert list(coverage_page.surveys(tmp_path)) == ["1.9", "1.10"]
