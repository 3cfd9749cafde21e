"""Of published instabilities the line that loses the digits is named, and the stable forms conform."""

import inspect
import json

import numpy as np
import pytest

from lenticulum import cli
from lenticulum.check import check
from tests.conformance import instabilities
from tests.conformance.instabilities import INSTABILITIES

NAMES = [unstable.__name__ for unstable, *_ in INSTABILITIES]


def float32(arguments):
    return [np.asarray(each, np.float32) for each in arguments]


def marked_line(function) -> int:
    lines, first = inspect.getsourcelines(function)
    (number,) = [first + place for place, line in enumerate(lines) if line.rstrip().endswith("# here")]
    return number


@pytest.mark.parametrize(("unstable", "stable", "arguments", "phenomenon"), INSTABILITIES, ids=NAMES)
def test_the_line_that_loses_the_digits_is_named(unstable, stable, arguments, phenomenon):
    found = check(unstable, at=float32(arguments))
    assert found.verdict == "differs"
    assert (found.lines[0].line.number, found.lines[0].phenomenon) == (marked_line(unstable), phenomenon)
    assert found.lines[0].line.file == instabilities.__file__


@pytest.mark.parametrize(("unstable", "stable", "arguments", "phenomenon"), INSTABILITIES, ids=NAMES)
def test_the_stable_form_conforms(unstable, stable, arguments, phenomenon):
    assert check(stable, at=float32(arguments)).verdict == "conforms"


def test_the_command_line_names_the_line(capsys):
    code = cli.run(["check", f"{instabilities.__file__}:one_minus_cosine", "--at", "[0.001]"])
    written = capsys.readouterr().out
    assert code == 1
    assert "DIFFERS (rounding)" in written
    assert (
        f"instabilities.py:{marked_line(instabilities.one_minus_cosine)} (one_minus_cosine)  sub: cancellation"
        in written
    )
    code = cli.run(["check", f"{instabilities.__file__}:plain_softmax", "--at", "[[1.0, 100.0]]", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert (code, data["finding"]["kind"], data["lines"][0]["primitive"]) == (1, "overflow", "exp")


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("[1", "is no JSON literal"),
        ('["a"]', "expected numbers in nested lists"),
        ("{}", "expected one list of arguments"),
        ("[]", "expected one list of arguments"),
        ("[[1.0, [2.0]]]", "expected numbers in nested lists"),
        ("[1.0, 2.0]", "cannot be called with float32[], float32[]"),
    ],
)
def test_a_wrong_point_is_refused_in_a_sentence(point, message, capsys):
    assert cli.run(["check", f"{instabilities.__file__}:one_minus_cosine", "--at", point]) == 2
    assert message in capsys.readouterr().err


def test_the_page_shows_the_source_with_the_line(tmp_path, capsys):
    page = tmp_path / "page.html"
    target = f"{instabilities.__file__}:one_minus_cosine"
    assert cli.run(["check", target, "--at", "[0.001]", "--html", str(page)]) == 1
    written = page.read_text(encoding="utf-8")
    number = marked_line(instabilities.one_minus_cosine)
    assert f'<tr class="lost"><td>{number}</td><td>    return 1 - cosine  # here</td><td>sub: cancellation' in written
    assert not any(each in written for each in ("<script", "src=", "href="))
    assert cli.run(["check", target, "--html", str(page)]) == 2
    assert "give --at" in capsys.readouterr().err
    assert cli.run(["check", target, "--at", "[0.001]", "--html", str(tmp_path / "none" / "page.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
