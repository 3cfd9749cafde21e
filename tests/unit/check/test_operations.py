"""Definitions of functions of arrays: how they are stated, called, judged and shown."""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.check import CallError, check, examine
from lenticulum.check.definition import parse
from lenticulum.check.special import expected_special
from lenticulum.cli import run
from lenticulum.numbers import ball, working_precision

#: In jax.nn.logsumexp an entry of weight 0 has no slope (tests/conformance/test_loss_kernels.py).
UNWEIGHTED: dict[str, Any] = {"b": None}


def naive(x: Any, axis: Any = None, b: Any = None, where: Any = None) -> Any:
    """Overflow beyond exp 88."""
    return jnp.log(jnp.sum(jnp.exp(x) * (1 if b is None else b), axis=axis, where=where))


def unmasked(x: Any, axis: Any = None, b: Any = None, where: Any = None) -> Any:
    """Leave the mask out."""
    return jax.nn.logsumexp(x, axis=axis, b=b)


def last(x: Any) -> Any:
    """Reduce the last axis."""
    return jax.nn.logsumexp(x, axis=-1)


def zero_for_masked(x: Any, axis: Any = None) -> Any:
    """Take an entry of -inf for zero."""
    return jax.nn.logsumexp(jnp.where(x == -jnp.inf, 0, x), axis=axis)


@jax.custom_vjp
def wrong_rule(x: Any) -> Any:
    """Have a derivative that is not divided by the sum."""
    return jax.nn.logsumexp(x)


wrong_rule.defvjp(lambda x: (wrong_rule(x), x), lambda x, g: (g * jnp.exp(x - jnp.max(x)),))


@pytest.mark.parametrize("axis", ["null", "0"])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_setting_is_passed_to_the_subject(axis: str, dtype: str) -> None:
    result = examine(jax.nn.logsumexp, f"logsumexp:axis={axis}", dtype=dtype, bind=UNWEIGHTED)
    assert result.verdict == "conforms", str(result)
    assert {"regular", "special input"} <= set(result.strata)


@pytest.mark.parametrize(
    ("subject", "spec", "kind"),
    [
        (naive, "logsumexp", "overflow"),
        (unmasked, "logsumexp:axis=0", "formula"),
        (last, "logsumexp", "type"),
        (zero_for_masked, "logsumexp:axis=-1", "formula"),
        (wrong_rule, "logsumexp", "derivative"),
    ],
)
def test_a_wrong_kernel_differs_and_its_witness_runs(subject: Any, spec: str, kind: str) -> None:
    result = check(subject, spec)
    assert (result.verdict, result.kind) == ("differs", kind), str(result)
    assert result.witness is not None
    namespace: dict[str, Any] = {}
    exec(result.witness.code, namespace)
    if kind != "type":
        assert float(namespace["got"][result.finding.position]) == result.finding.got


def test_a_bound_setting_is_known_to_the_definition() -> None:
    assert examine(jax.nn.logsumexp, "logsumexp", bind={"axis": [0, 1], **UNWEIGHTED}).verdict == "conforms"
    assert examine(jax.nn.logsumexp, "logsumexp:axis=0", bind={"axis": -1, **UNWEIGHTED}).kind == "type"


def test_one_point_takes_the_arrays_that_are_given() -> None:
    x = np.array([[1.0, 2.0, 4.0]], np.float32)  # entries of the value, the cotangent, the tangent
    assert examine(jax.nn.logsumexp, "logsumexp:axis=-1", at={"x": x}).strata == {"regular": 1 + 3 + 1}
    mask = np.array([[True, False, True]])
    assert examine(unmasked, "logsumexp:axis=-1", at={"x": x, "where": mask}).verdict == "differs"


def test_stated_shapes_replace_the_palette() -> None:
    result = examine(jax.nn.logsumexp, "logsumexp:axis=-1", shapes={"x": (3, 1, 2)})
    assert (result.verdict, sum(result.strata.values())) == ("conforms", 3 + 6 + 3)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("logsumexp:axis=first", "axis"),
        ("logsumexp:axis=[0,0]", "each named once"),
        ("logsumexp:axes=1", "has no convention 'axes'; did you mean axis?"),
    ],
)
def test_a_wrong_setting_is_refused(spec: str, message: str) -> None:
    with pytest.raises(CallError, match=re.escape(message)):
        parse(spec)


def test_an_axis_that_does_not_exist_is_a_wrong_call() -> None:
    with pytest.raises(CallError, match="axis 5"):
        parse("logsumexp:axis=5").outputs(parse("logsumexp:axis=5").term({}, {}), {"x": ball([[1.0]])})


def test_a_definition_is_written_as_it_is_read() -> None:
    for spec in ("logsumexp", "logsumexp:axis=[0,1]", "logsumexp:axis=null", "logsumexp:axis=-1"):
        assert str(parse(spec)) == spec
    assert parse("logsumexp:dim=[0,1]").stated == {"axis": (0, 1)}


def test_only_entries_that_depend_on_a_special_input_are_special() -> None:
    definition = parse("logsumexp:axis=-1")
    x = np.array([[np.nan, 1.0], [-np.inf, 2.0], [3.0, 4.0], [np.inf, 0.0]], np.float32)
    term = definition.term({}, {})
    with working_precision(96):
        due = expected_special(definition, term, {"x": x})["y"]
    assert {flat: (each.value, each.judged) for flat, each in due.items()}.keys() == {0, 1, 3}
    assert np.isnan(due[0].value)
    assert (due[1].value, due[1].judged) == (None, True)
    assert due[3].value == np.inf
    x[0] = -np.inf
    masked = {"x": x, "where": np.isfinite(x) | (np.arange(2) == 1)}
    with working_precision(96):
        assert expected_special(definition, term, masked)["y"].keys() == {0}


def test_show_lists_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "logsumexp"]) == 0
    shown = capsys.readouterr().out
    assert "keepdims = false, a JSON literal" in shown
    assert "axis = null, a JSON literal  (also dim)" in shown
    assert "arrays: x, b (optional), where (optional)" in shown


def test_the_command_line_reads_points_of_every_dtype(capsys: pytest.CaptureFixture[str]) -> None:
    point = '{"x": [[1.0, 2.0]], "where": [[true, false]]}'
    assert run(["check", "jax.nn:logsumexp", "--spec", "logsumexp:axis=-1", "--at", point]) == 0
    assert "CONFORMS" in capsys.readouterr().out
