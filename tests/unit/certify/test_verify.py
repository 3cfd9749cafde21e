"""Verifying: what is read, what is answered, a part, an older certificate, a subject run again, and the one file."""

import copy
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from soft_sign_by_fractions import certificate, fields_of, toward_zero

from lenticulum import cli
from lenticulum.certify import certify, lenticulum_check, rerun
from lenticulum.certify.certificate import at_least, at_most, build, output_bytes, seal
from lenticulum.certify.checker.generate import TARGET, generate
from lenticulum.certify.checker.merkle import leaf_hash
from lenticulum.certify.domain import Domain
from lenticulum.certify.statement import certificate_of
from lenticulum.certify.subject import Subject
from lenticulum.certify.verify import choose_part, verify
from lenticulum.check.errors import CallError
from lenticulum.numbers.formats import BINARY32

MADE = certificate()

KERNELS = """
import numpy as np

def naive(x):
    return x / (1 + np.abs(x))

def soft_sign(x):
    return np.where(np.isinf(x), np.sign(x), naive(x))

def relu(x):
    return np.where(x > 0, x, np.where(x <= 0, np.zeros_like(x), x))

def power(x, y):
    return np.power(x.astype(np.float64), y.astype(np.float64)).astype(x.dtype)

def other(x):
    return np.where(x == 2, x, soft_sign(x))

def wider(x):
    return soft_sign(x).astype(np.float32)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a valid certificate with its sidecar."""
    MADE.write(tmp_path / "soft_sign.json")
    return tmp_path / "soft_sign.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with kernels in a file."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "kernels.py").write_text(KERNELS)
    return folder


@pytest.fixture(scope="module")
def of_kernel(folder: Path) -> Path:
    """Return the certificate of a kernel in a file, made as users make it."""
    made = certify(f"{folder}/kernels.py:soft_sign", "soft_sign", dtype="float16", backend="numpy")
    certificate_of(made, "soft").write(folder / "soft.json")
    return folder / "soft.json"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the one file on a Python without any package."""
    command = [sys.executable, "-I", "-S", str(TARGET), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


# ---- the one file


def test_the_one_file_is_what_its_parts_make():
    assert TARGET.read_text(encoding="utf-8") == generate(), "run python -m lenticulum.certify.checker.generate"


def test_the_one_file_imports_the_standard_library_alone():
    lines = [line for line in TARGET.read_text().splitlines() if line.lstrip().startswith(("import ", "from "))]
    modules = {line.split()[1].partition(".")[0] for line in lines}
    assert modules <= sys.stdlib_module_names


def test_the_one_file_verifies_on_a_python_without_packages(file):
    done = run(file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"VERIFIED  {file}\n")
    assert "every output (256) was judged again" in done.stdout


def test_the_one_file_starts_in_less_than_a_second():
    started = time.process_time_ns(), os.times().children_user
    run("--help")
    assert os.times().children_user - started[1] < 1


def test_the_one_file_and_the_package_say_the_same(file, capsys):
    assert cli.run(["verify", str(file)]) == 0
    assert capsys.readouterr().out == run(file).stdout


def test_maker_and_checker_agree_on_every_input_of_a_16_bit_format(of_kernel):
    done = run(of_kernel, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["word"] == "VERIFIED"
    assert found["undecided"] == []
    assert "every output (65 536) was judged again" in found["done"]


@pytest.mark.parametrize(
    ("kernel", "spec", "dtype", "verdict"),
    [
        ("naive", "tanh", "float8_e5m2", "differs"),
        ("naive", "soft_sign", "float8_e4m3fn", "conforms"),
        ("relu", "relu", "float8_e5m2", "conforms"),
        pytest.param("power", "pow", "float8_e5m2", "conforms", marks=pytest.mark.long),
    ],
)
def test_maker_and_checker_agree_on_other_formats_and_verdicts(kernel, spec, dtype, verdict, folder):
    made = certify(f"{folder}/kernels.py:{kernel}", spec, dtype=dtype, backend="numpy")
    assert made.verdict == verdict
    certificate_of(made, dtype).write(folder / f"{dtype}.json")
    assert run(folder / f"{dtype}.json").returncode == 0


# ---- answers


def test_a_rejected_certificate_names_the_field_as_claimed_and_as_recomputed(file):
    statement = copy.deepcopy(MADE.statement)
    statement["predicate"]["strata"]["regular"]["ulp"]["at_most"] = "0x1.0000000000000p-3"
    statement["predicate"]["strata"]["regular"]["ulp"]["at_least"] = "0x1.0000000000000p-3"
    file.write_text(json.dumps(statement))
    done = run(file)
    assert done.returncode == 1
    assert done.stdout.startswith("REJECTED")
    assert "strata.regular.ulp.at_" in done.stdout


def test_a_certificate_that_differs_is_verified_as_such(tmp_path):
    certificate(toward_zero).write(tmp_path / "wrong.json")
    done = run(tmp_path / "wrong.json")
    assert done.returncode == 0
    assert "differs from soft_sign" in done.stdout


def test_without_its_sidecar_nothing_is_verified(file):
    (file.parent / "soft_sign.outputs.xz").unlink()
    done = run(file)
    assert done.returncode == 3
    assert "NOT DECIDED" in done.stdout
    assert "the sidecar soft_sign.outputs.xz does not lie beside the certificate" in done.stdout


def test_an_unknown_definition_is_not_decided(file):
    statement = copy.deepcopy(MADE.statement)
    statement["predicate"]["definition"]["name"] = "soft_sigh"
    statement["predicate"]["claim"] = statement["predicate"]["claim"].replace("soft_sign by", "soft_sigh by")
    seal(statement)
    file.write_text(json.dumps(statement))
    done = run(file)
    assert done.returncode == 3
    assert "this checker cannot judge the claim" in done.stdout


def test_a_sample_says_what_it_can_miss(file):
    done = run(file, "--sample", 100, "--seed", 7)
    assert done.returncode == 0
    assert "100 outputs drawn with seed 7 were judged again" in done.stdout
    assert "1 - (1 - q)^100" in done.stdout
    assert "not checked: counts" in done.stdout


def test_a_sample_without_a_seed_is_drawn_anew(file):
    drawn = {verify(file, part=choose_part(2, None, None)).checked.done for _ in range(2)}
    assert len(drawn) == 2


def test_a_part_finds_what_lies_in_it(file):
    # The kernel that is wrong from 1 on claims what the right one does.
    wrong, right = certificate(toward_zero), MADE
    statement = copy.deepcopy(right.statement)
    for name in ("root", "sidecar_sha256"):
        statement["predicate"]["outputs"][name] = wrong.statement["predicate"]["outputs"][name]
    seal(statement)
    file.write_text(json.dumps(statement))
    (file.parent / "soft_sign.outputs.xz").write_bytes(wrong.sidecars["soft_sign.outputs.xz"])
    assert run(file, "--part", "0x10:16").returncode == 0
    assert run(file, "--part", "0x38:16").returncode == 1


def test_strings_of_a_certificate_cannot_move_the_cursor(file):
    statement = copy.deepcopy(MADE.statement)
    statement["subject"][0]["name"] = "\x1b[2JVERIFIED\r\n"
    file.write_text(json.dumps(statement))
    done = run(file)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\r" not in done.stdout


# ---- what is no certificate

CONTENT = MADE.content
BAD_FILES = {
    "empty": b"",
    "no JSON": b"certificate",
    "truncated": CONTENT[: len(CONTENT) // 2],
    "truncated by one": CONTENT[:-2],
    "twice": CONTENT + CONTENT,
    "byte order mark": b"\xef\xbb\xbf" + CONTENT,
    "UTF-16": CONTENT.decode().encode("utf-16"),
    "no UTF-8": CONTENT[:100] + b"\xff" + CONTENT[100:],
    "huge": b" " * (16 * 2**20) + CONTENT,
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "deep in a free field": CONTENT.replace(b'"cost":{', b'"cost":{"a":' + b"[" * 40 + b"]" * 40 + b","),
    "unclosed brackets": b"[" * 100_000,
    "NaN": CONTENT.replace(b"0.25", b"NaN"),
    "Infinity": CONTENT.replace(b"0.25", b"-Infinity"),
    "beyond a double": CONTENT.replace(b"0.25", b"1e999"),
    "long integer": CONTENT.replace(b"0.25", b"9" * 5000),
    "key twice": CONTENT.replace(b'"cost":', b'"cost":{},"cost":'),
    "half a surrogate pair": CONTENT.replace(b"other formats", b"\\ud800"),
    "a number": b"1",
    "a list": b"[]",
    "null": b"null",
    "another predicate": CONTENT.replace(b"elementwise-accuracy/v1", b"elementwise-accuracy/v2"),
    "NUL": b"\0" * 100,
    "pickle": b"\x80\x04K\x01.",
    "path in a name": CONTENT.replace(b"soft_sign.outputs.xz", b"../soft_sign.outputs.xz"),
    "absolute path": CONTENT.replace(b"soft_sign.outputs.xz", b"/etc/passwd"),
    "hidden name": CONTENT.replace(b"soft_sign.outputs.xz", b".outputs.xz"),
}


def refused(*arguments: object) -> None:
    done = run(*arguments)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("lenticulum-check: ")
    assert len(done.stderr) < 400


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_certificate_is_refused_in_one_sentence(name, file, capsys):
    assert BAD_FILES[name] != CONTENT
    file.write_bytes(BAD_FILES[name])
    for program, prefix in ((lenticulum_check.run, "lenticulum-check: "), (cli.run, "lenticulum: ")):
        words = [str(file)] if program is lenticulum_check.run else ["verify", str(file)]
        assert program(words) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(prefix)
        assert said.err.count("\n") == 1
        assert len(said.err) < 400


def test_what_is_no_regular_file_is_refused(tmp_path, file):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "missing.json", "/dev/zero", "no\nfile"):
        refused(path)
    (tmp_path / "soft_sign.outputs.xz").unlink()
    os.mkfifo(tmp_path / "soft_sign.outputs.xz")
    refused(file)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--sample", "0"],
        ["--sample", "few"],
        ["--part", "0x10"],
        ["--part", "-1:4"],
        ["--part", "0:0"],
        ["--sample", "4", "--part", "0:4"],
        ["--unknown"],
    ],
)
def test_wrong_calls_are_refused(arguments, file, capsys):
    assert lenticulum_check.run([*([str(file)] if arguments else []), *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bug_of_the_checker_is_no_verdict(monkeypatch, file, capsys):
    def planted(*arguments: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(lenticulum_check, "judge", planted)
    assert lenticulum_check.run([str(file)]) == 70
    assert "planted" in capsys.readouterr().err


# ---- an older certificate


def changed(statement, tmp_path: Path, name: str, change) -> Path:
    statement = copy.deepcopy(statement)
    change(statement["predicate"])
    seal(statement)
    (tmp_path / name).write_text(json.dumps(statement))
    return tmp_path / name


def test_against_itself_nothing_changed(file):
    result = verify(file, baseline=file)
    assert (result.exit_code, result.changes) == (0, ())
    assert "nothing changed" in str(result)


def test_a_larger_bound_than_before_is_worse(file, tmp_path):
    def tighter(predicate):
        for metric in ("ulp", "K"):
            bound = predicate["strata"]["regular"][metric]
            bound["at_most"] = bound["at_least"] = "0x1.0000000000000p-2"
        predicate["strata"]["regular"]["histogram"] = None
        predicate["environment"]["versions"] = {"numpy": "1.0"}

    old = changed(MADE.statement, tmp_path, "old.json", tighter)
    result = verify(file, baseline=old)
    assert result.word == "VERIFIED"
    assert result.exit_code == 1
    assert [(change.word, change.path) for change in result.changes] == [
        ("worse", "the largest ulp of stratum regular"),
        ("worse", "the largest K of stratum regular"),
        ("changed", "environment versions.numpy"),
    ]
    assert json.loads(result.as_json())["baseline"]["worse"] is True
    assert cli.run(["verify", str(file), "--baseline", str(old)]) == 1


def test_a_smaller_bound_than_before_is_better(file, tmp_path):
    def wider(predicate):
        predicate["strata"]["regular"]["ulp"]["at_most"] = at_most(4.0)

    result = verify(file, baseline=changed(MADE.statement, tmp_path, "old.json", wider))
    assert result.exit_code == 0
    assert [change.word for change in result.changes] == ["better"]


def test_a_verdict_that_was_better_is_worse(tmp_path, file):
    certificate(toward_zero, name="wrong").write(tmp_path / "wrong.json")
    result = verify(tmp_path / "wrong.json", baseline=file)
    assert result.exit_code == 1
    assert ("worse", "the verdict") in [(change.word, change.path) for change in result.changes]
    assert verify(file, baseline=tmp_path / "wrong.json").exit_code == 0


def test_a_baseline_of_another_definition_is_refused(file, of_kernel):
    with pytest.raises(CallError, match=r"--baseline: its format is binary16 to binary16, here it is float8_e5m2"):
        verify(file, baseline=of_kernel)


def test_a_baseline_that_contradicts_itself_is_refused(file, tmp_path):
    old = tmp_path / "old.json"
    old.write_bytes(CONTENT.replace(b'"checked":256', b'"checked":255'))
    with pytest.raises(CallError, match="contradicts itself"):
        verify(file, baseline=old)


# ---- the subject run again


def test_the_subject_is_run_again_and_compared(of_kernel):
    target = f"{of_kernel.parent}/kernels.py:soft_sign"
    result = verify(of_kernel, part=choose_part(50, None, 1), subject=target)
    assert result.exit_code == 0, str(result)
    assert result.checked.level == 3
    assert f"{target} was run again on 16 of 16 leaves" in str(result)


def test_another_subject_is_rejected_with_an_input(of_kernel):
    target = f"{of_kernel.parent}/kernels.py:other"
    result = verify(of_kernel, part=choose_part(50, None, 1), subject=target)
    assert result.exit_code == 1
    # 2 / 3 in binary16, and 2.
    assert "output at input 0x4000: claimed 0x3955, recomputed 0x4000" in str(result)


def binary32_certificate(folder: Path, seed: int) -> Path:
    """Write a certificate of all 2^32 inputs; of its leaves only those that `seed` draws are computed."""
    kernel = Subject(f"{folder}/kernels.py:soft_sign", "numpy", "float32", "eager").opened()
    leaves = [bytes(32)] * 65_536
    for number in random.Random(seed).sample(range(65_536), 2):
        bits, format = kernel(*Domain("float32", 1).patterns(number << 16, 1 << 16))
        leaves[number] = leaf_hash(output_bytes(bits, format))
    at_one = {"at_most": at_most(1.5), "at_least": at_least(0.0), "x": "0x3f800000", "y": "0x3f000000"}
    numbers = {"rejected": 0, "no_number": 0, "histogram": None, "zero_sign": 0, "undecided": []}

    def stratum(count: int, x: str, y: str) -> dict:
        found = (
            {"ulp": {**at_one, "x": x, "y": y}, "K": {**at_one, "x": x, "y": y}} if count else {"ulp": None, "K": None}
        )
        return {"count": count, "accepted": {"K": count}, "correctly_rounded": count, **found, **numbers}

    # Signed zeros and infinities, 2 (2^23 - 1) NaN, as many subnormal inputs, and 2^-126, whose result is subnormal.
    nan = 2 * (2**23 - 1)
    fields = {
        **fields_of([], BINARY32),
        "coverage": {"kind": "exhaustive", "checked": 2**32, "seed": None},
        "strata": {
            "regular": stratum(2**32 - 4 - 2 * nan - 2, "0x3f800000", "0x3f000000"),
            "subnormal input": stratum(nan, "0x00000001", "0x00000001"),
            "subnormal result": stratum(2, "0x00800000", "0x00800000"),
            "overflow": stratum(0, "", ""),
        },
        "special": {"count": 4 + nan, "wrong_count": 0, "wrong": []},
    }
    build(f"{folder}/kernels.py:soft_sign", "1" * 64, fields, name="wide", leaves=leaves).write(folder / "wide.json")
    return folder / "wide.json"


def test_of_all_binary32_inputs_drawn_leaves_are_run_again(folder, monkeypatch):
    monkeypatch.setattr(rerun, "RERUN", 2)
    monkeypatch.setattr(rerun, "SAMPLE", 50)
    path, target = binary32_certificate(folder, seed=3), f"{folder}/kernels.py:soft_sign"
    alone = verify(path)
    assert (alone.word, alone.checked.level) == ("VERIFIED", 1)
    assert "not checked: inputs other than the witnesses: the outputs are not kept" in str(alone)
    result = verify(path, subject=target, seed=3)
    assert (result.word, result.checked.level) == ("VERIFIED", 3), str(result)
    assert "was run again on 2 of 65 536 leaves drawn with seed 3" in str(result)
    assert "50 outputs of these leaves were judged again" in str(result)
    assert verify(path, subject=f"{folder}/kernels.py:other", seed=3).word == "VERIFIED"  # 2 is in no drawn leaf
    assert verify(path, subject=f"{folder}/kernels.py:naive", seed=4).word == "REJECTED"


def test_a_subject_that_does_not_fit_is_a_wrong_call(of_kernel):
    part = choose_part(50, None, 1)
    for target, words in (
        ("kernels.py:wider", "returns binary32"),
        ("kernels.py:missing", "no attribute"),
        ("kernels.py:np", "expected a function"),
    ):
        with pytest.raises(CallError, match=words):
            verify(of_kernel, part=part, subject=f"{of_kernel.parent}/{target}")
    with pytest.raises(CallError, match="add --subject TARGET"):
        verify(of_kernel, part=part, bind={"a": 1})


def test_nothing_that_a_certificate_names_is_run(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trap.py").write_text("open('sprung', 'w')\ndef f(x): return x\n")
    statement = copy.deepcopy(MADE.statement)
    statement["predicate"]["claim"] = statement["predicate"]["claim"].replace("tests:soft_sign", "trap.py:f")
    statement["subject"][0]["name"] = "trap.py:f"
    seal(statement)
    file.write_text(json.dumps(statement))
    assert verify(file).exit_code == 0
    assert not (tmp_path / "sprung").exists()
