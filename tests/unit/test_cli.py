"""The command line: exit codes, and messages of one to three lines for every wrong call."""

import json
from pathlib import Path

import pytest

from lenticulum import cli
from lenticulum.catalog import names

BAD_CALLS = {
    "no command": [],
    "unknown command": ["chek", "jax.nn:softmax"],
    "no target": ["check"],
    "target without an attribute": ["check", "jax.nn"],
    "unknown module": ["check", "jaxx.nn:softmax", "--spec", "softmax"],
    "unknown submodule": ["check", "jax.nm:softmax", "--spec", "softmax"],
    "missing attribute": ["check", "jax.nn:sofmax", "--spec", "softmax"],
    "missing file": ["check", "no/such/file.py:f", "--spec", "softmax"],
    "module that fails at import": ["check", "{broken}:f", "--spec", "softmax"],
    "file that is no Python": ["check", "{garbled}:f", "--spec", "softmax"],
    "not callable": ["check", "math:pi", "--spec", "softmax"],
    "not callable, without a definition": ["check", "math:pi"],
    "unknown definition": ["check", "jax.nn:softmax", "--spec", "sofmax"],
    "unknown convention": ["check", "optax:adam", "--spec", "adam:epsilom=1/8"],
    "unknown choice": ["check", "optax:sgd", "--spec", "nesterov:stores=nothing"],
    "bad number": ["check", "optax:adam", "--spec", "adam:eps=one"],
    "number out of range": ["check", "optax:adam", "--spec", "adam:b1=3/2"],
    "convention without a value": ["check", "optax:adam", "--spec", "adam:eps"],
    "mode left out": ["check", "{kernels}:normalise", "--spec", "batch_norm"],
    "unknown option": ["check", "jax.nn:softmax", "--spce", "softmax"],
    "seed that is no number": ["check", "jax.nn:softmax", "--spec", "softmax", "--seed", "x"],
    "bad budget": ["check", "jax.nn:softmax", "--spec", "softmax", "--budget", "soon"],
    "bad ulps": ["check", "jax.nn:softmax", "--spec", "softmax", "--within", "few"],
    "bind without a value": ["check", "jax.nn:softmax", "--spec", "softmax", "--bind", "axis"],
    "bind that is no literal": ["check", "jax.nn:softmax", "--spec", "softmax", "--bind", "axis=-one"],
    "bind of an unknown argument": ["check", "jax.nn:softmax", "--spec", "softmax", "--bind", "axes=1"],
    "role of an unknown argument": ["check", "jax.nn:softmax", "--spec", "softmax", "--role", "x=input"],
    "argument without a role": ["check", "{kernels}:two", "--spec", "softmax"],
    "truncated JSON": ["check", "equinox.nn:LayerNorm", "--spec", "layer_norm", "--make", '{"shape": 4'],
    "make that is no object": ["check", "equinox.nn:LayerNorm", "--spec", "layer_norm", "--make", "[4]"],
    "make of an unknown argument": ["check", "equinox.nn:LayerNorm", "--spec", "layer_norm", "--make", '{"sise": 4}'],
    "make that the constructor refuses": [
        "check",
        "equinox.nn:LayerNorm",
        "--spec",
        "layer_norm",
        "--make",
        '{"shape": "a"}',
    ],
    "make of a function": ["check", "jax.nn:softmax", "--spec", "softmax", "--make", "{}x"],
    "point that is ragged": ["check", "jax.nn:softmax", "--spec", "softmax", "--at", "[[[1.0], [2.0, 3.0]]]"],
    "point of an unknown role": ["check", "jax.nn:softmax", "--spec", "softmax", "--at", '{"y": [1.0]}'],
    "point of one number": ["check", "jax.nn:softmax", "--spec", "softmax", "--at", "1.0"],
    "point with too many arguments": ["check", "jax.nn:softmax", "--spec", "softmax", "--at", "[[1.0], [2.0]]"],
    "shapes that do not fit": ["check", "{kernels}:dense", "--spec", "dense", "--args", "f32[2,3],f32[4,5]"],
    "shapes that are no shapes": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", "f32(2,3)"],
    "unknown dtype": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", "f31[2,3]"],
    "too many shapes": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", "f32[2],f32[2]"],
    "shapes beyond the memory": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", "f32[99999999999999]"],
    "shapes of more entries together": ["check", "{kernels}:dense", "--args", "f32[2048,1024],f32[2048,1024],f32[1]"],
    "shapes of too many axes": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", f"f32[{'1,' * 32}1]"],
    "shapes of endless sizes": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", f"f32[{'9' * 5000}]"],
    "a size left out": ["check", "jax.nn:softmax", "--spec", "softmax", "--args", "f32[2,,3]"],
    "a target that ends the process": ["check", "{kernels}:leaves", "--spec", "exp"],
    "a target that raises a base of exceptions": ["check", "{kernels}:gives_up", "--spec", "exp"],
    "a certified target that ends the process": ["certify", "{kernels}:leaves", "--spec", "exp", "--dtype", "float16"],
    "shapes that the subject refuses": ["check", "{kernels}:dense", "--args", "f32[2,3],f32[4,5],f32[7]"],
    "unknown name to show": ["show", "adm"],
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return files that targets name."""
    texts = {
        "broken": "raise RuntimeError('no device')\n",
        "garbled": "def f(:\n",
        "kernels": (
            "import jax.numpy as jnp\n"
            "def two(logits, temperature): return logits / temperature\n"
            "def dense(x, weight, bias): return x @ weight.T + bias[None, :]\n"
            "def normalise(x): return x\n"
            "def identity(x): return x + 0\n"
            "def leaves(x): raise SystemExit(0)\n"
            "def gives_up(x): raise BaseException('planted')\n"
        ),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return {name: str(tmp_path / f"{name}.py") for name in texts}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_a_wrong_call_is_answered_in_one_to_three_lines(
    name: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        word.format(**files) if "{" + word.partition("{")[2].partition("}")[0] + "}" in PLACES else word
        for word in BAD_CALLS[name]
    ]
    code = cli.run(arguments)
    said = capsys.readouterr()
    assert code == 2, said
    assert said.out == ""
    assert 1 <= len(said.err.splitlines()) <= 3
    assert "Traceback" not in said.err


PLACES = ("{broken}", "{garbled}", "{kernels}")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("unknown command", "check"),
        ("missing attribute", "softmax"),
        ("unknown definition", "softmax"),
        ("unknown convention", "epsilon"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(
    name: str, nearest: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    del files
    cli.run(BAD_CALLS[name])
    assert f"did you mean {nearest}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["check", "jax.nn.softmax"], "did you mean jax.nn:softmax?"),
        (["check", "mine:function"], "did you mean mine.py:function?"),
        (["check", "folder.mine:function"], "did you mean folder/mine.py:function?"),
        (["check", "jax.nn:softmax", "--spec", "softmax", "--at", "[1.0, 2.0]"], "takes one array (x), got 2"),
        (["certify", "jax.nn:softmax", "--spec", "softmax", "--dtype", "bf16"], "did you mean bfloat16?"),
        (["certify", "jax.nn:gelu", "--spec", "gelu", "--dtype", "bf16"], "did you mean bfloat16?"),
    ],
)
def test_a_call_that_is_nearly_right_is_answered_with_the_right_one(
    arguments: list[str],
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for place in (tmp_path, tmp_path / "folder"):
        (place / "mine.py").write_text("def function(x):\n    return x\n", encoding="utf-8")
    assert cli.run(arguments) == 2
    assert hint in capsys.readouterr().err


def test_show_without_a_name_lists_every_definition(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = [name for line in lines for name in line.partition(": ")[2].split(", ")]
    assert sorted(listed) == sorted(names())


def test_an_internal_error_exits_70(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from lenticulum.check import running

    def planted(*arguments: object, **named: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(running, "magnitude", planted)
    assert cli.run(["check", "jax.nn:softmax", "--spec", "softmax"]) == 70
    said = capsys.readouterr().err
    assert "RuntimeError: planted" in said
    assert "report" in said
    assert "Traceback" not in said


def test_the_exit_codes_are_0_1_3(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", "jax.nn:softmax", "--spec", "softmax"]) == 0
    assert capsys.readouterr().out.startswith("CONFORMS  jax.nn.softmax is softmax")
    assert cli.run(["check", f"{files['kernels']}:identity", "--spec", "softmax"]) == 1
    assert capsys.readouterr().out.startswith("DIFFERS (formula)")
    assert cli.run(["check", f"{files['kernels']}:identity"]) == 0
    assert "not covered: whether it is what it should be" in capsys.readouterr().out


def test_json_is_one_object(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", f"{files['kernels']}:identity", "--spec", "softmax", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["finding"]["kind"], found["exit_code"]) == ("differs", "formula", 1)
    assert "got = " in found["witness"]


def test_conventions_are_exact_and_have_short_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", "optax:adam", "--spec", "adam:eps=1/8,b1=0.9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spec"] == "adam:epsilon=1/8,first_decay=9/10"


def test_make_bind_role_args_at_and_within_do_what_they_say(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    kernels = files["kernels"]
    assert cli.run(["check", "equinox.nn:LayerNorm", "--spec", "layer_norm", "--make", '{"shape": 7, "eps": 0.5}']) == 0
    assert cli.run(["check", "optax:sgd", "--spec", "nesterov:stores=look_ahead", "--bind", "nesterov=true"]) == 0
    two = ["check", f"{kernels}:two", "--spec", "softmax", "--role", "x=logits", "--bind", "temperature=2.0"]
    assert cli.run(two) == 1
    assert cli.run(["check", f"{kernels}:dense", "--spec", "dense", "--args", "f32[2,3],f32[5,3],f32[5]"]) == 0
    capsys.readouterr()
    point = ["check", "jax.nn:softmax", "--spec", "softmax", "--at", "[[1.0, 88.0]]"]
    assert cli.run([*point, "--json"]) == 0
    # Two entries; twice if the compiled call has other bits than the plain one, which depends on the processor.
    assert json.loads(capsys.readouterr().out)["strata"] in ({"regular": 2}, {"regular": 4})
    # A correctly rounded quotient cannot be within 0 ulp of an irrational number.
    assert cli.run([*point, "--within", "0"]) == 1


def test_show_answers_the_three_questions(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["show", "adam"]) == 0
    said = capsys.readouterr().out
    for question in ("which values determine the result", "pure, seeded or an effect", "old and new state"):
        assert question in said
    assert "epsilon_at = corrected | raw; default corrected" in said
