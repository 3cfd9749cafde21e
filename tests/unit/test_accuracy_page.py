"""The page of accuracies is made of the committed certificates, and each cell of a row is what its certificate says."""

import json
from fractions import Fraction
from pathlib import Path

import accuracy_page
import numpy as np
import pytest

from lenticulum.certify import certify
from lenticulum.certify.checker.json_reading import Unreadable
from lenticulum.certify.statement import certificate_of

SUBJECTS = {
    "exp-numpy": ("numpy:exp", "exp", {"dtype": "float16"}),
    "hypot-numpy": ("numpy:hypot", "hypot", {"dtype": "float16", "sample": 512}),
    "log-numpy": ("numpy:log1p", "log", {"dtype": "float16"}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with certificates as users make them."""
    folder = tmp_path_factory.mktemp("accuracy")
    for name, (subject, spec, options) in SUBJECTS.items():
        certificate_of(certify(subject, spec, **options), name).write(folder / f"{name}.json")
    return folder


def cells(folder: Path, name: str) -> dict[str, str]:
    return dict(zip(accuracy_page.HEAD, accuracy_page.row(folder / f"{name}.json"), strict=True))


def test_the_committed_page_is_what_the_committed_certificates_give():
    assert accuracy_page.PAGE.read_text(encoding="utf-8") == accuracy_page.page(accuracy_page.CERTIFICATES)


def test_a_page_has_one_row_for_each_certificate_in_the_order_of_definitions(folder):
    rows = [line for line in accuracy_page.page(folder).split("\n") if line.startswith("| `")]
    assert [row.split(" | ")[0] for row in rows] == ["| `exp`", "| `hypot`", "| `log`"]
    assert {row.count(" | ") for row in rows} == {len(accuracy_page.HEAD) - 1}


def test_a_row_of_a_sound_kernel(folder):
    found, made = cells(folder, "exp-numpy"), json.loads((folder / "exp-numpy.json").read_text())["predicate"]
    regular = made["strata"]["regular"]
    assert found["verdict"] == "conforms"
    assert "numpy:exp" in found["library"]
    assert found["library"].endswith("eager")
    exact = Fraction(float.fromhex(regular["ulp"]["at_most"]))
    assert exact <= Fraction(found["ulp"]) <= exact * Fraction(1001, 1000)
    pattern, decimal = found["worst input"].removesuffix(")").split(" (")
    assert pattern == regular["ulp"]["x"]
    assert Fraction(decimal) == Fraction(float(numpy_value(int(pattern, 16))))
    assert found["inputs"] == "binary16, every one (65 536)"
    assert found["subnormal"].startswith("kept; 0 of ")
    assert found["special"] == "2 050 of 2 050"


def numpy_value(pattern: int) -> np.float16:
    return np.array([pattern], np.uint16).view(np.float16)[0]


def test_a_row_of_another_function_says_that_it_differs(folder):
    assert cells(folder, "log-numpy")["verdict"].startswith("differs (")


def test_a_row_of_two_arguments_has_both_and_says_that_it_is_a_sample(folder):
    found = cells(folder, "hypot-numpy")
    assert found["worst input"].count(",") == 1
    assert found["inputs"].startswith("binary16, sampled (512 of ")


def test_a_file_that_is_no_certificate_is_refused(tmp_path):
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(Unreadable):
        accuracy_page.page(tmp_path)


def test_a_folder_without_certificates_has_a_page(tmp_path):
    assert "There is no certificate yet." in accuracy_page.page(tmp_path)
