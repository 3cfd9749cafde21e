"""The page of modules is made of its data, the data says what the project claims, and some of it is made again."""

import json
import subprocess
import sys
from importlib.util import find_spec

import modules_page
import pytest

from lenticulum.check.modules.check_module import LAWS


def data():
    return json.loads(modules_page.DATA.read_text(encoding="utf-8"))


def test_the_page_is_made_of_the_data():
    assert modules_page.PAGE.read_text(encoding="utf-8") == modules_page.page(data())


def test_the_data_is_of_the_laws_that_are_tried():
    assert data()["laws"] == [{"name": law.name, "statement": law.statement, "source": law.source} for law in LAWS]


def test_every_broken_module_is_found_with_the_kind_that_was_written_down():
    planted = [each for each in data()["modules"] if each["planted"]]
    assert len(planted) >= 15
    assert {each["target"]: each["kind"] for each in planted} == {each["target"]: each["planted"] for each in planted}


def test_modules_of_libraries_are_clean_or_their_findings_explained():
    own = [each for each in data()["modules"] if not each["planted"]]
    assert sum(each["target"].startswith("equinox.nn:") for each in own) >= 10
    assert sum(each["target"].startswith("flax.nnx:") for each in own) >= 10
    assert {each["target"] for each in own if each["verdict"] != "conforms"} == set(modules_page.REAL)


#: Rows that are made again here: a sound module of Equinox, and a broken one of Flax.
AGAIN = {"PReLU", "SelfCorrecting"}

PROGRAM = """
import json, sys, warnings
warnings.simplefilter("ignore")
from benchmarks.modules import LIBRARY, PLANTED, row
given = [*((*each, None) for each in LIBRARY), *PLANTED]
again = [each for each in given if each[0].partition(":")[2] in sys.argv[1:]]
print(json.dumps([row(*each) for each in again]))
"""


def test_rows_made_again_are_those_of_the_data():
    if find_spec("flax") is None:
        pytest.skip("flax is not installed")
    found = subprocess.run([sys.executable, "-c", PROGRAM, *AGAIN], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    recorded = {(each["target"], json.dumps(each["make"])): each for each in data()["modules"]}
    again = json.loads(found.stdout)
    assert len(again) >= len(AGAIN)
    for each in again:
        expected = recorded[each["target"], json.dumps(each["make"])]
        for name in ("verdict", "kind", "held", "broken", "not_applicable", "not_tried", "not_run"):
            assert each[name] == expected[name], (each["target"], name)
