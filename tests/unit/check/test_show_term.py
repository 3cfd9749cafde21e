"""`lenticulum show` on a term of the user's: text, LaTeX, a picture in a file; wrong calls are sentences and exit 2."""

import xml.etree.ElementTree as ElementTree

import pytest

from lenticulum import cli

TERMS = """
from lenticulum.terms import Add, Copy, Dense, Identity, Relu, Tensor
MODEL = Dense(2, 3) >> Relu()
MISFIT = Copy() >> Tensor(Dense(2, 3), Identity()) >> Add() >> Dense(3, 1)
NUMBER = 3
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "model.py").write_text(TERMS, encoding="utf-8")
    return tmp_path / "model.py"


def test_a_term_is_shown_as_text(file, capsys):
    assert cli.run(["show", f"{file}:MODEL"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Compose() : [2] -> [3]",
        "  layer_1 = Dense(inputs=2, outputs=3, use_bias=True) : [2] -> [3]",
        "  layer_2 = Relu(at_kink='zero') : [3] -> [3]",
    ]


def test_a_term_is_shown_as_latex_and_drawn(file, capsys):
    picture = file.parent / "model.svg"
    assert cli.run(["show", f"{file}:MODEL", "--latex", "--svg", str(picture)]) == 0
    assert r"y &= \max\left(x_{1}, 0\right)" in capsys.readouterr().out
    assert ElementTree.parse(picture).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{file}:NUMBER"], "expected a term of lenticulum.terms, got int"),
        (["{file}:MODLE"], "did you mean MODEL?"),
        (["{file}:MISFIT"], "its parts do not fit: layer_3 (Add): expected [3], got [2]"),
        (["{file}:MODEL", "--svg", "{file}/nowhere.svg"], "it cannot be written"),
        (["relu", "--latex"], "--latex and --svg draw a term"),
        (["--svg", "out.svg"], "--latex and --svg draw a term"),
    ],
)
def test_a_wrong_call_is_a_sentence(arguments, message, file, capsys):
    assert cli.run(["show", *(each.format(file=file) for each in arguments)]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""
    assert len(printed.err.splitlines()) <= 3
