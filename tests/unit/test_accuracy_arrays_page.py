"""The page of functions of arrays is made of its data, the data agree with themselves, and a part is made again."""

import json
from typing import Any

import accuracy_arrays_page as made
import pytest

from lenticulum.certify.surroundings import surroundings

CHEAP = ("jax.nn:softmax", "jax.nn:standardize", "jax.numpy:var")


def data() -> Any:
    return json.loads(made.DATA.read_text(encoding="utf-8"))


def results(planted: bool = False) -> list[Any]:
    return [each for each in data()["results"] if (each["library"] == made.PLANTED) is planted]


def test_the_page_is_made_of_the_data() -> None:
    assert made.PAGE.read_text(encoding="utf-8") == made.page(data())


def test_each_output_is_accepted_rejected_or_undecided() -> None:
    for each in (*results(), *results(planted=True)):
        for family in each["families"]:
            counted = sum(family["accepted"].values()) + family["rejected"] + family["undecided"]
            assert counted == family["outputs"], each["target"]
            assert counted > 0 or each["finding"]["kind"] == "type", each["target"]


@pytest.mark.parametrize("planted", [False, True])
def test_each_verdict_follows_from_the_numbers(planted: bool) -> None:
    for each in results(planted):
        families = each["families"]
        wrong, left = (sum(family[name] for family in families) for name in ("rejected", "undecided"))
        if each["verdict"] == "conforms":
            assert (wrong, left, each["finding"]) == (0, 0, None), each["target"]
        if each["verdict"] == "differs":
            assert each["finding"]["kind"], each["target"]
            assert "got = " in each["witness"], each["target"]
        if wrong:
            assert each["verdict"] == "differs", each["target"]


def test_a_large_error_is_inside_the_bound_or_a_finding() -> None:
    for each in results():
        for family in each["families"]:
            largest = family["largest"]
            if not family["rejected"] and "k" in largest and largest["k"]["at_least"] > made.K_LIMIT:
                assert set(family["accepted"]) - {"K"}, each["target"]
            if set(family["accepted"]) == {"K"} and not family["rejected"] and "k" in largest:
                assert largest["k"]["at_most"] <= made.K_LIMIT, each["target"]


def test_a_function_that_ignores_its_data_is_rejected_in_float32() -> None:
    found = [each for each in results(planted=True) if each["dtype"] == "float32"]
    assert {each["topic"] for each in found} == {each["topic"] for each in results()}
    assert {each["verdict"] for each in found} == {"differs"}
    assert all(each["families"][0]["rejected"] for each in found)


def test_a_part_is_made_again_bit_for_bit() -> None:
    benchmark = pytest.importorskip("benchmarks.accuracy_arrays", reason="benchmarks are not installed")
    known, here = data(), surroundings("jax")
    same = all(known["versions"][name] == version for name, version in here["versions"].items())
    if not same or (known["processor"], known["platform"]) != (here["processor"], here["platform"]):
        pytest.skip("other versions, or another processor")
    rows = [row for row in benchmark.ROWS if row.target in CHEAP]
    assert len(rows) == len(CHEAP)
    for row in rows:
        assert json.loads(json.dumps(benchmark.certified(row, "float32"))) in known["results"]
