"""What a user gives at a point is taken as it is or refused: nothing wraps, is truncated or becomes infinite."""

import json
import math
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from lenticulum import cli
from lenticulum.check import CallError, check
from lenticulum.check.held import held
from lenticulum.terms import exact
from lenticulum.testing import assert_conforms

LABELS = ["optax:softmax_cross_entropy_with_integer_labels", "--spec", "softmax_cross_entropy_integer"]
TANH = ["jax.numpy:tanh", "--spec", "tanh"]
MASKED = ["jax.nn:logsumexp", "--spec", "logsumexp:axis=-1"]
LEAKY = ["jax.nn:leaky_relu", "--spec", "leaky_relu"]
SGD = ["optax:sgd", "--spec", "momentum"]
MOMENTUM = ["optax:sgd", "--spec", "momentum", "--bind", "momentum=0.875"]

#: Arguments of `check`, and what the refusal must name. The ends of the formats are those of IEEE 754-2019, table 3.5.
REFUSED = {
    "a label beyond int32": ([*LABELS, "--at", "[[1.0,2.0],4294967297]"], "label: got 4294967297; .* 2147483647"),
    "a fractional label": ([*LABELS, "--at", "[[1.0,2.0],1.5]"], "label: got 1.5; expected an integer"),
    "a label that is no number": ([*LABELS, "--at", "[[1.0,2.0],NaN]"], "label: got nan; expected an integer"),
    "true for a label": ([*LABELS, "--at", "[[1.0,2.0],true]"], "label: got true; expected an integer"),
    "2 for a boolean": ([*MASKED, "--at", '{"x": [[1.0, 2.0]], "where": [[1, 2]]}'], "where: got 2; expected true"),
    "0.5 for a boolean": ([*MASKED, "--at", '{"x": [[1.0, 2.0]], "where": [[1, 0.5]]}'], "where: got 0.5; expected"),
    "an integer argument beyond int32": (["{file}:product", "--at", "[1.0, 99999999999]"], "argument 2: got 99999999"),
    "a decimal beyond all formats": (["{file}:log", "--at", "[1e999]"], r"got 1E\+999, .* 3.40282347e\+38"),
    "a decimal of an endless exponent": (["{file}:log", "--at", "[-1e999999999]"], r"got -1E\+999999999, which"),
    "an exponent that is no number": (["{file}:log", "--at", f"[1e{'9' * 30}]"], "the exponent of .* is too long"),
    "a decimal beyond float32": ([*TANH, "--at", "[1e39]"], r"x: got 1E\+39, which float32 does not hold"),
    "an integer beyond float16": ([*TANH, "--args", "f16[]", "--at", "[70000]"], "got 70000, which float16 .* 65504"),
    "a decimal that becomes 0": ([*TANH, "--at", "[1e-50]"], "got 1E-50, which float32 rounds to 0; .* 1.40129846e-45"),
    "true for a float": ([*TANH, "--at", "[true]"], "x: got true; expected a number"),
    "null": ([*TANH, "--at", "[[null]]"], "x: expected numbers in nested lists"),
    "a word": ([*TANH, "--at", '["1.0"]'], "x: expected numbers in nested lists"),
    "booleans among floats": (["{file}:log", "--at", "[[true, 1.5]]"], "argument 1: got true; expected a number"),
    "no entry": (["jax.nn:softmax", "--spec", "softmax", "--at", "[[]]"], "x: expected at least one entry"),
    "half a step": ([*MOMENTUM, "--at", '{"parameters": [1.0], "count": 2.5}'], "count: got 2.5; expected an integer"),
    "steps before the first": ([*MOMENTUM, "--at", '{"parameters": [1.0], "count": -1}'], "a number of steps"),
    "a list of steps": (
        [*MOMENTUM, "--at", '{"parameters": [1.0], "count": [1]}'],
        "count: expected a number of steps",
    ),
    "a bound number beyond float64": (["optax:adam", "--spec", "adam", "--bind", "eps=1e999"], r"eps: got 1E\+999"),
    "a bound number that becomes 0": (["optax:adam", "--spec", "adam", "--bind", "eps=1e-999"], "rounds to 0"),
    "a bound number that is none": (
        [*LEAKY, "--bind", "negative_slope=NaN"],
        "--bind negative_slope = nan: expected a",
    ),
    "an infinite bound number": ([*LEAKY, "--bind", "negative_slope=-Infinity"], "= -inf: expected a finite number"),
    "true for a bound number": ([*LEAKY, "--bind", "negative_slope=true"], "= True: expected a finite number"),
    "a word for a bound number": ([*LEAKY, "--bind", 'negative_slope="0.1"'], "= '0.1': expected a finite number"),
    "nothing for a bound number": ([*LEAKY, "--bind", "negative_slope=null"], "= None: expected a finite number"),
    "a list for a bound number": ([*LEAKY, "--bind", "negative_slope=[0.1]"], r"= \[0.1\]: expected a finite number"),
    "a bound number beyond float32": (
        [*LEAKY, "--bind", "negative_slope=1e39"],
        "slope is beyond float32: .* 3.40282347e",
    ),
    "a bound decay that is none": ([*SGD, "--bind", "momentum=NaN"], "--bind momentum = nan: expected a finite"),
    "a word for a bound decay": ([*SGD, "--bind", 'momentum="a"'], "momentum = 'a': expected a finite"),
    "true for a bound decay": ([*SGD, "--bind", "momentum=true"], "momentum = True: expected a finite"),
    "a made number that is none": (
        ["equinox.nn:LayerNorm", "--spec", "layer_norm", "--make", '{"shape": 7, "eps": NaN}'],
        "LayerNorm.eps = nan: expected a finite",
    ),
    "a stated number beyond float16": (
        [*LEAKY[:-1], "leaky_relu:negative_slope=70000", "--args", "f16[3]"],
        "beyond float16: .* 65504",
    ),
    "a made number beyond float64": (
        ["equinox.nn:LayerNorm", "--spec", "layer_norm", "--make", '{"shape": 7, "eps": 1e999}'],
        r"--make: got 1E\+999, which float64 does not hold",
    ),
    "a stated number beyond float64": (["optax:adam", "--spec", "adam:eps=1e400"], r"1.79769313e\+308"),
    "a stated number of an endless exponent": (["optax:adam", "--spec", "adam:eps=1e999999999"], "a finite number"),
    "ulps of an endless exponent": ([*TANH, "--within", "1e999999999"], "expected a number of ulp"),
    "brackets without end": ([*TANH, "--at", "[" * 100_000], "is no JSON literal"),
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "functions.py"
    path.write_text("import jax.numpy as jnp\ndef log(x): return jnp.log(x)\ndef product(x, n): return x * n\n")
    return str(path)


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_dtype_does_not_hold_is_refused(name: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, named = REFUSED[name]
    code = cli.run(["check", *(word.replace("{file}", file) for word in arguments)])
    said = capsys.readouterr()
    assert (code, said.out) == (2, ""), said
    assert len(said.err.splitlines()) == 1
    assert re.search(named, said.err), said.err


@pytest.mark.parametrize(
    "arguments",
    [
        [*LABELS, "--at", "[[1.0,2.0],1]"],
        [*MASKED, "--at", '{"x": [[1.0, 2.0]], "where": [[1, 0]]}'],
        [*TANH, "--at", "[[Infinity, -Infinity, NaN]]"],
        [*TANH, "--args", "f16[]", "--at", "[65519]"],
        [*MOMENTUM, "--at", '{"parameters": [1.0], "gradient": [2], "buffer": [0.5], "count": 2}'],
        ["{file}:product", "--at", "[1.0, -2147483648]"],
    ],
    ids=" ".join,
)
def test_what_a_dtype_holds_is_taken(arguments: list[str], file: str) -> None:
    assert cli.run(["check", *(word.replace("{file}", file) for word in arguments)]) == 0


def test_a_decimal_is_rounded_once() -> None:
    # Halfway between two numbers of binary32, and a little more: binary64 lies between and would hide the rest.
    assert held("x", Decimal("1.000000059604644775390625"), "float32") == 1
    assert held("x", Decimal("1.000000059604644775390625000000001"), "float32") == np.float32(1 + 2**-23)
    assert held("x", Fraction(1, 3), "bfloat16") == 0.333984375  # 171 / 512


def test_an_array_has_the_values_that_were_given() -> None:
    given = [[True, False], [0, 1], [-0.0, math.inf, math.nan], [2**31 - 1]]
    dtypes = ["bool", "bool", "float16", "int32"]
    found = [held("x", each, dtype) for each, dtype in zip(given, dtypes, strict=True)]
    assert [array.dtype.name for array in found] == dtypes
    assert repr([array.tolist() for array in found]) == "[[True, False], [False, True], [-0.0, inf, nan], [2147483647]]"
    bits = np.array([0x7FA00001], np.uint32).view(np.float32)
    assert held("x", bits, "float32").view(np.uint32) == 0x7FA00001


def test_lists_and_wider_arrays_are_points_of_a_check() -> None:
    point: tuple[Any, ...] = ([0.1, 88.3], np.array([0.1, 88.3]), jnp.array([0.1, 88.3]))
    assert [check(jax.nn.softmax, "softmax", at={"x": x}).verdict for x in point] == ["conforms"] * 3
    assert check(lambda x: x + 0, "softmax", at={"x": [0.5]}).verdict == "differs"
    # The function is judged at the numbers that it got: 0.1 is no number of binary32.
    result = check(lambda x: x * 3, at=[np.array([0.1])])
    exact_value = 3 * Fraction(float(np.float32(0.1)))
    assert result.verdict == "conforms"
    assert f"exact {float(exact_value):.12g}" in result.notes[0].replace("000  K", "  K")
    narrow = check(lambda x: x * 3, at=[np.array([0.1], np.float16)])
    assert "jnp.float16" in narrow.witness.code  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: check(lambda x: x, at=[1e39]), "argument 1: got 1e.39"),
        (lambda: check(lambda n: n, at=[np.array([2**40])]), "argument 1: got 1099511627776"),
        (lambda: check(lambda k: k, at=[jax.random.key(0)]), "argument 1: expected an array that NumPy reads"),
        (lambda: check(jnp.tanh, "tanh", at={"x": np.array([1e39])}), "x: got 1e.39"),
        (lambda: check(jnp.tanh, "tanh", at={"z": [1.0]}), "tanh has no array 'z'"),
        (lambda: check(jnp.tanh, at={"x": [1.0]}), "a point by role needs a definition"),
        (lambda: check(jnp.tanh, at=[1.0], dtype="int8"), "dtype int8: expected one of"),
        (lambda: assert_conforms(jnp.tanh, "tanh", np.array([1e39]), dtype="float32"), "x: got 1e.39"),
    ],
)
def test_a_call_from_python_is_refused_alike(call: Any, named: str) -> None:
    with pytest.raises(CallError, match=named):
        call()


def test_an_exact_number_has_a_short_exponent() -> None:
    assert exact("1e-0_400") == Fraction(1, 10**400)
    for text in ("1e1000", "1E-9999999999", "1e1_0_0_0_0_0_0_0_0"):
        with pytest.raises(ValueError, match="expected a finite number"):
            exact(text)


def test_an_undecided_point_names_no_definition(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", f"{file}:log", "--at", "[NaN]"]) == 3
    assert capsys.readouterr().out.splitlines()[0] == f"UNDECIDED  {file}:log at this point"


def test_the_package_runs_as_a_module() -> None:
    call = [sys.executable, "-m", "lenticulum", "check", "jax.numpy:tanh", "--spec", "tanh", "--at", "[0.5]", "--json"]
    run = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (run.returncode, json.loads(run.stdout)["verdict"]) == (0, "conforms"), run.stderr


def test_a_bound_scalar_of_any_library_is_a_number() -> None:
    for slope in (np.float32(0.25), np.array(0.25), jnp.array(0.25), 0.25):
        result = check(jax.nn.leaky_relu, "leaky_relu:at_kink=right", bind={"negative_slope": slope}, at={"x": [-4.0]})
        assert result.verdict == "conforms"


def test_a_number_that_is_stated_may_be_bound_as_the_kernel_has_it() -> None:
    def leaky(x: Any, negative_slope: float | None) -> Any:
        return jnp.where(x < 0, x * (0.125 if negative_slope is None else negative_slope), x)

    stated = "leaky_relu:negative_slope=1/8,at_kink=right"
    assert check(leaky, stated, bind={"negative_slope": None}).verdict == "conforms"


def test_an_update_that_raises_is_found_at_the_call() -> None:
    def failing(rate: float) -> optax.GradientTransformation:
        def update(gradient: Any, state: Any, parameters: Any = None) -> Any:
            raise RuntimeError("planted")

        return optax.GradientTransformation(optax.sgd(rate).init, update)

    result = check(failing, "sgd")
    assert (result.verdict, result.kind) == ("differs", "raises")
    assert result.witness is not None
    assert "update, state = " in result.witness.code
