"""The survey finds every primitive of a program, also those inside others, and says why it leaves a program out."""

import json

import coverage_page
import jax
import jax.numpy as jnp
import pytest
from jax import lax

from benchmarks.primitives import jax_nn, jax_random, jax_scipy_special
from benchmarks.primitives.collection import Survey
from benchmarks.primitives.example import call, composed, floats, integers, key
from benchmarks.primitives.tracing import equations, inner_programs, kind, programs

SCALAR, VECTOR = floats(), floats(3)


def survey_of(*examples):
    survey = Survey()
    for each in examples:
        survey.add(each)
    return survey


def names(example, form="forward"):
    return {equation.primitive.name for equation in equations(programs(example)[form]().jaxpr)}


def test_each_form_is_the_program_that_it_names():
    cube = composed("jax.numpy.power", lambda x: jnp.sin(x), VECTOR)
    forward, derivative = names(cube), names(cube, "jvp")
    assert forward == {"sin"}
    assert derivative == {"sin", "cos", "mul"}
    # The second derivative of the sine is a sine with the opposite sign.
    assert "neg" in names(cube, "jvp of vjp") - names(cube, "vjp")
    (equation,) = equations(programs(cube)["vmap"]().jaxpr)
    assert equation.invars[0].aval.shape == (2, 3)


@pytest.mark.parametrize(
    "outer",
    [
        lambda x: jax.jit(jnp.tan)(x),
        lambda x: lax.cond(x > 0, jnp.tan, jnp.cos, x),
        lambda x: lax.cond(x > 0, jnp.cos, jnp.tan, x),
        lambda x: lax.while_loop(lambda y: y < 1, jnp.tan, x),
        lambda x: lax.while_loop(lambda y: jnp.tan(y) < 1, lambda y: y + 1, x),
        lambda x: lax.scan(lambda c, _: (jnp.tan(c), None), x, length=3),
        lambda x: jax.checkpoint(jnp.tan)(x),
        lambda x: lax.reduce(x[None], 0.0, lambda a, b: jnp.tan(a) + b, (0,)),
        lambda x: lax.custom_root(lambda y: jnp.tan(y) - x, 0.0, lambda f, y: f(y), lambda g, y: y / g(1.0)),
    ],
)
def test_a_primitive_inside_another_one_is_found(outer):
    assert "tan" in names(composed("jax.jit", outer, SCALAR))


def test_programs_are_found_in_nested_parameters():
    program = jax.make_jaxpr(jnp.tan)(1.0)
    assert list(inner_programs({"a": (1, [program, program.jaxpr]), "b": "text"})) == [program.jaxpr, program.jaxpr]


def test_without_a_float_on_both_sides_there_is_no_derivative():
    for example in (call("jax.numpy.argmax", VECTOR), call("jax.numpy.arange", 5.0), call("jax.lax.clz", integers(3))):
        assert not {"jvp", "vjp", "jvp of vjp"} & set(programs(example))


def test_kinds_are_told_apart_by_dtype():
    dtypes = {"float": jnp.bfloat16, "int": jnp.uint8, "bool": jnp.bool_, "complex": jnp.complex64}
    assert {name: kind(jax.ShapeDtypeStruct((), dtype)) for name, dtype in dtypes.items()} == {n: n for n in dtypes}
    assert kind(key()) == "key"
    assert kind(jax.ShapeDtypeStruct((), jax.dtypes.float0)) == "float0"


def test_decompositions_complex_numbers_and_names_of_other_versions_are_left_out_with_the_reason():
    survey = survey_of(
        call("jax.numpy.linalg.cholesky", floats(2, 2)),
        composed(
            "jax.jit", lambda x: jax.jit(lambda y: jnp.sum(jnp.linalg.eigvalsh(y)))(x), floats(2, 2), what="inner"
        ),
        call("jax.numpy.fft.fft", VECTOR),
        composed("jax.lax.complex", lambda x: jnp.abs(lax.complex(x, x)), VECTOR),
        call("jax.numpy.a_function_of_the_future", VECTOR),
        call("jax.numpy.reshape", VECTOR, (5,)),
    )
    assert survey.primitives == {}
    assert {name: text.split(":")[0] for name, text in survey.left_out.items()} == {
        "jax.numpy.linalg.cholesky": "matrix decomposition cholesky",
        "jax.jit(inner)": "matrix decomposition eigh",
        "jax.numpy.fft.fft": "matrix decomposition fft",
        "jax.lax.complex": "complex numbers",
        "jax.numpy.a_function_of_the_future": "not in this version",
        "jax.numpy.reshape": "TypeError",
    }


def test_a_form_that_jax_refuses_is_left_out_by_itself():
    loop = composed("jax.lax.while_loop", lambda x: lax.while_loop(lambda y: y < 1, lambda y: y + y, x), SCALAR)
    survey = survey_of(loop)
    assert set(survey.left_out) == {"jax.lax.while_loop, vjp", "jax.lax.while_loop, jvp of vjp"}
    assert survey.primitives["while"]["forms"] == {"forward", "jvp", "vmap"}
    assert survey.primitives["lt"]["operands"] == {"float -> bool"}


def test_the_forward_derivative_of_a_custom_vjp_rule_is_left_out_because_it_does_not_run():
    sine = jax.custom_vjp(jnp.sin)
    sine.defvjp(lambda x: (jnp.sin(x), x), lambda x, cotangent: (cotangent * jnp.cos(x),))
    survey = survey_of(composed("jax.custom_vjp", sine, SCALAR))
    assert "does not run" in survey.left_out["jax.custom_vjp, jvp"]
    with pytest.raises(TypeError, match="custom_vjp"):
        jax.jvp(sine, (1.0,), (1.0,))


@pytest.mark.skipif(
    jax.__version__ not in coverage_page.surveys(coverage_page.SURVEYS), reason="not a surveyed version"
)
@pytest.mark.parametrize(
    "subject", [jax_nn, *(pytest.param(each, marks=pytest.mark.long) for each in (jax_random, jax_scipy_special))]
)
def test_what_a_module_uses_now_is_on_the_committed_list(subject):
    committed = json.loads((coverage_page.SURVEYS / f"jax-{jax.__version__}.json").read_text())["primitives"]
    for name, entry in survey_of(*subject.EXAMPLES).primitives.items():
        assert entry["operands"] <= set(committed[name]["operands"])
        assert entry["params"] <= set(committed[name]["params"])
        assert entry["forms"] <= set(committed[name]["forms"])
