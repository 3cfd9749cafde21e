"""init: a first test file that is green, fails on what gets worse, and asks to be told of what is mended."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from lenticulum.check.errors import CallError
from lenticulum.cli import run
from lenticulum.testing.baseline import read_baseline
from lenticulum.testing.first_tests.discover import discover
from lenticulum.testing.first_tests.init import init

MODULE = """
import equinox
import jax
import jax.numpy as jnp
from jax.nn import relu

def my_softmax(x):
    return jax.nn.softmax(x, axis=-1)

def gelu(x):
    return jax.nn.gelu(x, approximate=True)

@jax.custom_jvp
def sine(x):
    return jnp.sin(x)

sine.defjvp(lambda p, t: (jnp.sin(p[0]), SLOPE * jnp.cos(p[0]) * t[0]))

class Helper:
    pass

class Gate(equinox.Module):
    weight: jax.Array

    def __init__(self, size, *, key):
        self.weight = jax.random.normal(key, (size, size))

    def __call__(self, x):
        return x * jax.nn.sigmoid(self.weight @ x)

class Named(Gate):
    def __init__(self, size, name, *, key):
        super().__init__(size, key=key)

def _private(x):
    return x

NUMBERS = [1, 2]
"""

WRONG, RIGHT = MODULE.replace("SLOPE", "1.001"), MODULE.replace("SLOPE", "1.0")


def pytest_run(directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the written tests as a user does, in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mylib.py", *options]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A module of four names, and what `init` made of it."""
    directory = tmp_path_factory.mktemp("init")
    (directory / "mylib.py").write_text(WRONG, encoding="utf-8")
    return directory, init(str(directory / "mylib.py"), out=directory / "test_mylib.py")


def test_every_public_callable_is_found_with_the_definition_it_follows(written):
    _, result = written
    found = [(each.name, each.spec, each.verdict, each.kind) for each in result.survey.judged]
    assert found == [
        ("my_softmax", None, "conforms", "conforms"),
        ("my_softmax", "softmax", "conforms", "conforms"),
        ("gelu", None, "conforms", "conforms"),
        ("gelu", "gelu:approximate=tanh", "conforms", "conforms"),
        ("sine", None, "differs", "derivative"),
        ("Gate", None, "conforms", "conforms"),
    ]
    assert set(result.survey.left_out) == {"Helper", "Named", "NUMBERS"}
    assert result.survey.left_out["Named"].endswith("""give them with --make '{"Named": {"name": value}}'""")
    assert result.survey.make == {"Gate": {"size": 4}}
    assert result.exit_code == 1


def test_the_baseline_holds_what_is_known_and_nothing_else(written):
    directory, _ = written
    assert read_baseline(directory / "mylib_baseline.json").known == {("sine", None): "derivative"}


def test_the_first_run_is_green_and_its_report_says_what_is_known(written):
    directory, _ = written
    ended = pytest_run(directory, "--junitxml=report.xml")
    assert ended.returncode == 0, ended.stdout
    assert "5 passed, 1 xfailed" in ended.stdout
    report = (directory / "report.xml").read_text(encoding="utf-8")
    assert 'name="lenticulum.kind" value="derivative"' in report
    assert report.count('name="lenticulum.verdict" value="conforms"') == 5


def test_a_mended_finding_and_a_new_one_are_red(written):
    directory, _ = written
    try:
        mended = RIGHT.replace("jax.nn.softmax(x, axis=-1)", "jax.nn.softmax(x / 1.00001, axis=-1)")
        (directory / "mylib.py").write_text(mended, encoding="utf-8")
        ended = pytest_run(directory, "-k", "softmax-softmax or sine")
    finally:
        (directory / "mylib.py").write_text(WRONG, encoding="utf-8")
    assert ended.returncode == 1
    assert "the known finding (derivative) of sine is mended: remove it from mylib_baseline.json" in ended.stdout
    assert "DIFFERS (formula)" in ended.stdout


def test_nothing_is_overwritten_unasked(written):
    directory, _ = written
    before = (directory / "test_mylib.py").read_bytes()
    with pytest.raises(CallError, match="exist; give another file with --out, or overwrite with --force"):
        init(str(directory / "mylib.py"), out=directory / "test_mylib.py")
    assert (directory / "test_mylib.py").read_bytes() == before


@pytest.mark.parametrize(
    ("module", "text", "message"),
    [
        ("nothing.py", None, "there is no file 'nothing.py'"),
        ("broken.py", "1 / 0", "failed: ZeroDivisionError"),
        ("empty.py", "", "defines no public callable"),
        ("empty.py:f", "", "expected a module without an attribute, such as empty.py"),
        ("no_such_package", None, "there is no module 'no_such_package'"),
    ],
)
def test_a_wrong_call_is_a_sentence(tmp_path, monkeypatch, capsys, module, text, message):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path(module.partition(":")[0]).write_text(text, encoding="utf-8")
    assert run(["init", module]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("test_*"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        ('{"Gat": {}}', "has no public class 'Gat'; did you mean Gate?"),
        ('{"Gate": 3}', "expected an object of arguments"),
        ("[]", "--make"),
    ],
)
def test_wrong_constructor_arguments_are_a_sentence(written, tmp_path, capsys, make, message):
    directory, _ = written
    assert run(["init", str(directory / "mylib.py"), "--out", str(tmp_path / "test_x.py"), "--make", make]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_that_pytest_does_not_collect_is_refused(tmp_path, capsys):
    (tmp_path / "mylib.py").write_text("def f(x): return x", encoding="utf-8")
    assert run(["init", str(tmp_path / "mylib.py"), "--out", str(tmp_path / "checks.py")]) == 2
    assert "expected a file test_NAME.py" in capsys.readouterr().err


ENTRY = {"name": "f", "spec": None, "kind": "formula", "told": "DIFFERS"}
GOOD = {"version": 1, "target": "mylib", "seed": 0, "make": {}, "known": [ENTRY]}


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([], "expected an object with version, target, seed, make, known"),
        ({**GOOD, "more": 1}, "expected an object with version"),
        ({**GOOD, "version": 2}, "expected version 1"),
        ({**GOOD, "seed": True}, "a seed"),
        ({**GOOD, "make": {"Gate": 3}}, "make has an object of arguments"),
        ({**GOOD, "known": {}}, "known is a list"),
        ({**GOOD, "known": [{**ENTRY, "kind": 3}]}, "a finding has name, spec, kind and told"),
        ({**GOOD, "known": [{**ENTRY, "spec": 3}]}, "is a text or null"),
        ({**GOOD, "known": [ENTRY, ENTRY]}, "is there twice"),
    ],
)
def test_a_baseline_is_read_by_its_schema(tmp_path, found, message):
    file = tmp_path / "baseline.json"
    file.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_baseline(file)


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "\ud800".encode("utf-16", "surrogatepass"), " " * (1 << 21)])
def test_a_file_that_is_no_baseline_is_a_sentence(tmp_path, text):
    file = tmp_path / "baseline.json"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ValueError, match=r"baseline\.json'?: (is not JSON|a baseline has at most)"):
        read_baseline(file)


def test_names_and_paths_are_text_in_the_test_file(tmp_path):
    # A path may hold what would end a docstring, or escape; a name may lie outside the basic plane.
    module = tmp_path / 'x\\Nb"""+print(1)+"""y.py'
    module.write_text("def \U00020000(x):\n    return 2.0 * x\n", encoding="utf-8")
    result = init(str(module), out=tmp_path / "test_names.py")
    tree = ast.parse(result.tests.read_text(encoding="utf-8"))
    assert [type(each).__name__ for each in tree.body[:2]] == ["Expr", "ImportFrom"]
    assert "\U00020000" in result.tests.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"version": 1, "version": 1}', "'version' occurs twice in one object"),
        ('{"seed": ' + "9" * 5000 + "}", "Exceeds the limit"),
        (json.dumps({**GOOD, "seed": -1}), "a seed is 0 or more"),
    ],
)
def test_what_a_merge_or_a_hand_leaves_is_a_sentence_with_the_file(tmp_path, text, message):
    file = tmp_path / "baseline.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"baseline\.json.*" + message):
        read_baseline(file)


def test_what_a_module_prints_is_not_the_report(tmp_path, capsys):
    (tmp_path / "loud.py").write_text(
        "print('loud')\ndef f(x):\n    print('f')\n    return 2.0 * x\n", encoding="utf-8"
    )
    assert run(["check", f"{tmp_path}/loud.py:f", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "conforms"


def test_what_was_imported_is_not_the_modules(written):
    directory, _ = written
    from lenticulum.check.target import load_module

    found, _ = discover(load_module(str(directory / "mylib.py")))
    assert [each.name for each in found] == ["my_softmax", "gelu", "sine", "Gate", "Named"]
