"""Whole runs: right kernels of libraries conform, planted mistakes differ with their kind, bad calls are refused."""

import json
from fractions import Fraction
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import wrong_arrays

from lenticulum.certify.arrays import Family, certify_arrays
from lenticulum.check.errors import CallError
from lenticulum.cli import run

FILE = Path(wrong_arrays.__file__)
FEW = {"families": (Family(), Family(shift=1000.0)), "sample": 1}

RIGHT = {
    "jax.nn.softmax": (jax.nn.softmax, "softmax", {}),
    "jax.nn.log_softmax": (jax.nn.log_softmax, "log_softmax", {}),
    "jax.nn.logsumexp": (jax.nn.logsumexp, "logsumexp", {}),
    "jnp.var": (jnp.var, "variance:axis=-1", {}),
    "jnp.mean": (jnp.mean, "mean:axis=-1", {}),
    "jnp.sum": (jnp.sum, "sum:axis=-1", {}),
    "jnp.matmul": (jnp.matmul, "matmul", {}),
    "jnp.linalg.norm": (jnp.linalg.norm, "norm:axis=-1,order=2", {"bind": {"ord": 2}}),
    "equinox LayerNorm": (eqx.nn.LayerNorm, "layer_norm", {}),
    "optax cross entropy": (optax.softmax_cross_entropy_with_integer_labels, "softmax_cross_entropy_integer", {}),
    "optax cosine": (optax.cosine_similarity, "cosine_similarity:epsilon=1/8,epsilon_at=square", {}),
    "np.var": (np.var, "variance:axis=-1", {}),
    "attention": (
        jax.nn.dot_product_attention,
        "attention:heads=last,blocked=uniform",
        {"shapes": dict.fromkeys(("query", "key", "value"), (1, 8, 2, 4)) | {"mask": (1, 2, 8, 8)}},
    ),
}


NARROW = ("jax.nn.log_softmax", "jnp.matmul", "equinox LayerNorm", "optax cross entropy")


@pytest.mark.parametrize(
    ("name", "dtype"), [*((name, "float32") for name in RIGHT), *((name, "bfloat16") for name in NARROW)]
)
def test_right_kernels_conform(name, dtype):
    subject, spec, options = RIGHT[name]
    result = certify_arrays(subject, spec, dtype=dtype, **options, **FEW)
    assert (result.verdict, result.finding) == ("conforms", None), str(result)
    assert sum(each.outputs for each in result.families) == sum(each.accepted.total() for each in result.families)


WRONG = {
    "hot": ("softmax", "formula"),
    "naive": ("softmax", "special-value"),
    "other_axis": ("softmax", "formula"),
    "flat": ("softmax", "type"),
    "raising": ("softmax", "raises"),
    "doubled": ("softmax", "type"),
    "one_pass": ("layer_norm:epsilon=1/100000", "rounding"),
    "sample_variance": ("layer_norm:epsilon=1/100000", "formula"),
    "narrow_matmul": ("matmul", "formula"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_planted_mistake_differs_with_its_kind_and_the_witness_shows_it(name):
    spec, kind = WRONG[name]
    shapes = {"x": (4, 96), "y": (96, 3)} if spec == "matmul" else {}
    result = certify_arrays(f"{FILE}:{name}", spec, shapes=shapes, **FEW)
    assert (result.verdict, result.kind) == ("differs", kind), str(result)
    if kind not in ("type", "raises"):
        scope = {}
        exec("\n".join(result.witness), scope)
        got = float(np.asarray(scope["got"])[result.finding.position])
        assert got == result.finding.got or np.isnan(got) and np.isnan(result.finding.got)


def test_a_witness_with_special_values_is_small():
    result = certify_arrays(f"{FILE}:forgetful", "softmax", shapes={"x": (16, 32)}, **FEW)
    assert (result.verdict, result.kind) == ("differs", "special-value")
    scope = {}
    exec("\n".join(result.witness), scope)
    assert scope["got"].size <= 4
    assert np.asarray(scope["got"])[result.finding.position] == 0


def test_shapes_that_do_not_fit_another_convention_are_no_error():
    def mean_of_values(query, key, value):
        return jnp.broadcast_to(value.mean(axis=-2, keepdims=True), query.shape)

    shapes = {"query": (1, 2, 3, 4), "key": (1, 2, 5, 4), "value": (1, 2, 5, 4)}
    result = certify_arrays(mean_of_values, "attention:heads=first", shapes=shapes, **FEW)
    assert (result.verdict, result.kind, result.matches) == ("differs", "formula", ())


def test_a_law_finds_what_no_single_value_shows():
    result = certify_arrays(f"{FILE}:above_one", "softmax", shapes={"x": (3, 1)}, **FEW)
    assert sum(each.rejected + each.undecided for each in result.families) == 0
    assert (result.verdict, result.kind) == ("differs", "formula")
    assert "the law of range is broken: softmax <= 1" in str(result)


def test_the_laws_of_a_definition_are_tried():
    result = certify_arrays(jax.nn.softmax, "softmax", shapes={"x": (3, 5)}, **FEW)
    assert {each.law for each in result.laws} == {"permutation", "batching", "shift", "normalisation", "range"}
    assert all(each.calls and each.compared and not each.violated and each.largest <= 1 for each in result.laws)


def test_what_the_subject_is_instead_is_said():
    result = certify_arrays(jax.nn.dot_product_attention, "attention:heads=last,blocked=zero", **FEW)
    assert result.verdict == "differs"
    assert "blocked=uniform" in result.matches[0]


def test_one_call_gives_one_result():
    first, second = (certify_arrays(jax.nn.softmax, "softmax", **FEW) for _ in range(2))
    assert first.families == second.families
    assert first.families != certify_arrays(jax.nn.softmax, "softmax", seed=1, **FEW).families


def test_plain_and_compiled_are_two_modes():
    result = certify_arrays(jax.nn.softmax, "softmax", mode="op by op", **FEW)
    assert (result.verdict, result.mode) == ("conforms", "op by op")
    with pytest.raises(CallError, match="has eager"):
        certify_arrays(lambda x: np.asarray(x).sum(axis=-1), "sum:axis=-1", mode="compiled", **FEW)


def test_within_is_in_ulp():
    assert certify_arrays(jax.nn.softmax, "softmax", within=Fraction(1, 2), **FEW).verdict == "differs"
    assert certify_arrays(jax.nn.softmax, "softmax", within=Fraction(2**20), **FEW).verdict == "conforms"


def test_time_that_is_spent_covers_nothing():
    result = certify_arrays(jax.nn.softmax, "softmax", budget=0.0)
    assert (result.verdict, result.exit_code) == ("not covered", 3)
    assert "0 calls" in result.coverage


def test_calls_outside_the_domain_cover_nothing():
    options = {"families": (Family(scale=0.0),), "sample": 1, "shapes": {"x": (2, 3), "y": (2, 3)}}
    result = certify_arrays(optax.cosine_similarity, "cosine_similarity:epsilon=0", **options)
    assert (result.families[0].outputs, result.families[0].outside, result.verdict) == (0, 1, "not covered")


def command(capsys, *words):
    code = run(["certify", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_prints_the_verdict_first(capsys):
    code, out, err = command(capsys, f"{FILE}:right", "--spec", "softmax", "--args", "bf16[3,5]", "--sample", "1")
    assert (code, err) == (0, "")
    assert out.startswith("CONFORMS  ")
    assert "bfloat16, compiled, sampled (10 calls, 150 outputs; shapes: x 3x5)" in out
    assert "not claimed" in out


def test_json_is_one_object_that_says_what_the_text_says(capsys):
    words = (
        f"{FILE}:one_pass",
        "--spec",
        "layer_norm:epsilon=1/100000",
        "--args",
        "f32[4,16],f32[16],f32[16]",
        "--json",
    )
    code, out, _ = command(capsys, *words)
    found = json.loads(out)
    assert (code, found["verdict"], found["exit_code"], found["finding"]["kind"]) == (1, "differs", 1, "rounding")
    worst = {each["family"]: each["largest"]["k"]["at_least"] for each in found["families"] if "k" in each["largest"]}
    assert worst["mean 1000"] > 4 > worst["mean 0"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--spec", "softmax", "--dtype", "float64"), "expected one of float32, float16, bfloat16"),
        (("--spec", "softmax", "--dtype", "bfloat16", "--args", "f32[3,5]"), "disagree"),
        (("--spec", "softmax", "--exhaustive"), "certify --exhaustive is for an elementwise function"),
        (("--spec", "softmax", "--out", "x.json"), "certify --out is for an elementwise function"),
        (("--spec", "exp", "--args", "f32[3]"), "this definition is elementwise"),
        (("--spec", "softmax", "--mode", "eager"), "has compiled, op by op"),
        (("--spec", "adam"), "adam is checked by: lenticulum check"),
        (("--spec", "batch_norm:mode=train"), "batch_norm is checked by: lenticulum check"),
        (("--spec", "matmul"), "has no argument for"),
        (("--spec", "softmax", "--args", "f32[0,5]"), "sizes of at least 1"),
        (("--spec", "softmaxx"), "did you mean softmax?"),
    ],
)
def test_a_wrong_call_is_one_message_and_exit_code_2(words, message, capsys):
    code, out, err = command(capsys, f"{FILE}:right", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) <= 3
