"""Programs whose bodies are cached by identity: what such a body reads past its arguments goes stale, and is found."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from lenticulum.check.identity import check_identity
from lenticulum.check.identity.finding import CAPTURED, OUTSIDE

X = jnp.float32(10.0)


@dataclasses.dataclass(frozen=True)
class Scale:
    """A sound key: what goes wrong here is the program."""

    factor: float = 2.0


@dataclasses.dataclass(frozen=True)
class Forgetful:
    """A key without its parameter."""

    factor: float = dataclasses.field(default=2.0, compare=False)


HELD: dict[str, Scale] = {}


def body(x):
    return HELD["scale"].factor * x


def scan_body(x, _):
    return body(x), None


def loop_body(state):
    return state[0] + 1, body(state[1])


def below_one(state):
    return state[0] < 1


def unchanged(x):
    return x


def through_scan(x):
    return lax.scan(scan_body, x, None, length=1)[0]


def through_while_loop(x):
    return lax.while_loop(below_one, loop_body, (0, x))[1]


def through_cond(x):
    return lax.cond(jnp.abs(x) >= 0, body, unchanged, x)


def through_checkpoint(x):
    return jax.checkpoint(body)(x)


def through_make_jaxpr(x):
    return jax.extend.core.jaxpr_as_fun(jax.make_jaxpr(body)(x))(x)[0]


STALE = [through_scan, through_while_loop, through_cond, through_checkpoint, through_make_jaxpr]


def past_the_arguments(through, scale, x):
    HELD["scale"] = scale
    return through(x)


@pytest.mark.parametrize("carrier", ["static", "eager"])
@pytest.mark.parametrize("through", STALE)
def test_a_body_that_reads_the_object_past_its_arguments_is_found(through, carrier):
    run = functools.partial(past_the_arguments, through)
    result = check_identity(Scale, run=run, args=(X,), carrier=carrier)
    assert result.verdict == "differs", str(result)
    [finding] = result.errors
    assert (finding.kind, finding.path) == (CAPTURED, ("factor",))
    # The first factor is served for the second: 10 · 2, where 10 times the other value is right, exactly.
    assert float(finding.served) == 20.0
    assert float(finding.truth) == 10.0 * float(finding.change.split()[-1]) != 20.0


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def by_jvp(scale, x):
    return scale.factor * x


@by_jvp.defjvp
def by_jvp_rule(scale, primals, tangents):
    return by_jvp(scale, *primals), scale.factor * tangents[0]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def by_vjp(scale, x):
    return scale.factor * x


by_vjp.defvjp(lambda scale, x: (scale.factor * x, None), lambda scale, _, cotangent: (scale.factor * cotangent,))


def derivative(rule, scale, x):
    return jax.grad(lambda y: rule(scale, y))(x)


@pytest.mark.parametrize("rule", [by_jvp, by_vjp])
def test_a_sound_object_is_fresh_as_an_argument_that_is_not_differentiated(rule):
    run = functools.partial(derivative, rule)
    carrier = "static" if rule is by_jvp else "eager"
    result = check_identity(Scale, run=run, args=(X,), carrier=carrier)
    assert result.verdict == "conforms", str(result)


@pytest.mark.parametrize("rule", [by_jvp, by_vjp])
def test_a_key_without_its_parameter_serves_another_derivative(rule):
    result = check_identity(Forgetful, run=functools.partial(derivative, rule), args=(X,))
    [finding] = result.errors
    assert finding.kind == OUTSIDE
    assert (float(finding.served), finding.traces, finding.programs) == (2.0, 1, 2)
    assert float(finding.truth) == float(finding.change.split()[-1])


@functools.partial(jax.checkpoint, static_argnums=(0,))
def recomputed(scale, x):
    return jnp.sin(scale.factor * x)


@functools.partial(jax.jit, static_argnums=0)
def inner(scale, x):
    return scale.factor * x


@pytest.mark.parametrize("run", [recomputed, inner])
def test_an_inner_program_is_cold_where_the_caches_are_cleared(run):
    # The outer call is not compiled, so only what is inside can be stale; the cold arm must not be served that.
    result = check_identity(Forgetful, run=lambda scale, x: run(scale, x), args=(X,), carrier="eager")
    [finding] = result.errors
    assert (finding.kind, finding.path) == (OUTSIDE, ("factor",))
    truth = check_identity(Scale, run=lambda scale, x: run(scale, x), args=(X,), carrier="eager")
    assert truth.verdict == "conforms", str(truth)


@pytest.mark.parametrize(
    "run",
    [
        lambda scale, x: lax.scan(lambda carry, _: (scale.factor * carry, None), x, None, length=1)[0],
        lambda scale, x: lax.scan(lambda carry, f: (f * carry, None), x, jnp.array([scale.factor]))[0],
        lambda scale, x: lax.while_loop(below_one, lambda s: (s[0] + 1, scale.factor * s[1]), (0, x))[1],
        lambda scale, x: lax.cond(x > 0, lambda y: scale.factor * y, unchanged, x),
        lambda scale, x: jax.checkpoint(lambda y: scale.factor * y)(x),
    ],
)
def test_a_body_made_anew_or_given_its_values_is_fresh(run):
    result = check_identity(Scale, run=run, args=(X,))
    assert result.verdict == "conforms", str(result)
    assert (result.traces, result.programs) == (1, 1)


@jax.tree_util.register_pytree_node_class
class Node:
    """A pytree whose auxiliary data is sound."""

    def __init__(self, array, scale):
        self.array, self.scale = array, scale

    def tree_flatten(self):
        return (self.array,), self.scale

    @classmethod
    def tree_unflatten(cls, scale, children):
        return cls(*children, scale)


@pytest.mark.parametrize("through", [through_scan, through_checkpoint])
def test_a_pytree_argument_is_read_past_the_arguments_too(through):
    def run(node):
        HELD["scale"] = node.scale
        return through(node.array)

    result = check_identity(lambda: Node(X, Scale()), run=run)
    assert result.carrier == "pytree argument"
    [finding] = result.errors
    assert (finding.kind, finding.path[0]) == (CAPTURED, "scale")
    assert np.asarray(finding.served) == 20.0
