"""The command `lenticulum certify`: exit codes, what is printed, and calls that are refused in one to three lines."""

import json

import pytest

from lenticulum import cli
from lenticulum.certify.checker.claim import parse

KERNELS = """
import numpy as np

def right(x):
    return np.exp(x)

def wrong(x):
    return np.exp(x) * x.dtype.type(1.25)

def raising(x):
    if (x == 3).any():
        raise ValueError("three")
    return np.exp(x)

def scaled(x, factor):
    return np.exp(x) * x.dtype.type(factor)
"""


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    (tmp_path / "kernels.py").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    return f"{tmp_path}/kernels.py"


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = cli.run(["certify", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


OPTIONS = ("--spec", "exp", "--dtype", "float16", "--backend", "numpy")


def test_what_conforms_is_said_first_and_exits_with_0(kernels, capsys):
    code, out, err = run(capsys, f"{kernels}:right", *OPTIONS)
    assert (code, err) == (0, "")
    assert out.startswith(f"CONFORMS  {kernels}:right is exp, within 0.5")
    assert "every input (65 536)" in out


@pytest.mark.parametrize(("name", "kind"), [("wrong", "formula"), ("raising", "raises")])
def test_what_differs_has_a_witness_and_exits_with_1(name, kind, kernels, capsys):
    code, out, _ = run(capsys, f"{kernels}:{name}", *OPTIONS)
    assert code == 1
    assert out.startswith(f"DIFFERS ({kind})")
    assert "to see it, run:" in out


def test_json_is_one_object(kernels, capsys):
    for name, verdict in (("right", "conforms"), ("wrong", "differs"), ("raising", "differs")):
        code, out, _ = run(capsys, f"{kernels}:{name}", *OPTIONS, "--json")
        data = json.loads(out)
        assert (data["verdict"], data["exit_code"]) == (verdict, code)


def test_a_bound_argument_a_bound_in_ulp_and_a_certificate(kernels, capsys, tmp_path):
    words = (f"{kernels}:scaled", *OPTIONS, "--bind", "factor=1", "--within", "0.51", "--out", "exp.json")
    code, out, _ = run(capsys, *words)
    assert code == 0, out
    assert parse((tmp_path / "exp.json").read_bytes()).predicate["verdict"]["rule"] == "within 51/100 ulp"
    assert cli.run(["verify", "exp.json", "--sample", "100", "--seed", "1"]) == 0
    capsys.readouterr()
    code, out, _ = run(capsys, *words[:-2], "--within", "0.4")
    assert code == 1


def test_a_part_is_not_covered_and_no_certificate(kernels, capsys):
    words = (f"{kernels}:right", *OPTIONS, "--shard", "1/2", "--store", "part")
    assert run(capsys, *words)[0] == 3
    code, out, err = run(capsys, *words, "--out", "part.json")
    assert (code, out) == (2, "")
    assert "a certificate needs all of it" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--spec", "exq"), "exp"),
        (("--spec", "adam"), "adam is checked by: lenticulum check"),
        (("--spec", "exp", "--dtype", "int8"), "expected one of float16"),
        (("--spec", "exp", "--dtype", "float16", "--backend", "tensorflow"), "expected one of jax, numpy, torch"),
        (("--spec", "exp", "--dtype", "float16", "--backend", "numpy", "--mode", "compiled"), "numpy has eager"),
        (("--spec", "exp", "--dtype", "float64", "--exhaustive"), "leave it out"),
        (("--spec", "exp", "--shard", "1/2"), "--shard needs --store"),
        (("--spec", "exp", "--shard", "3/2", "--store", "s"), "expected K/N"),
        (("--spec", "exp", "--shard", "0/2", "--store", "s"), "expected K/N"),
        (("--spec", "exp", "--dtype", "float16", "--merge", "missing"), "no such file"),
        (("--spec", "exp", "--budget", "soon"), "--budget"),
        (("--spec", "exp", "--within", "-1"), "--within"),
        (("--spec", "exp", "--bind", "factor"), "--bind"),
        (("--spec", "exp", "--jobs", "0"), "jobs"),
        (("--spec", "hypot", "--dtype", "float16", "--backend", "numpy"), "fails on 2 array"),
    ],
)
def test_a_wrong_call_exits_with_2_and_says_what_was_expected(words, message, kernels, capsys):
    code, out, err = run(capsys, f"{kernels}:right", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert 1 <= err.strip().count("\n") + 1 <= 3
