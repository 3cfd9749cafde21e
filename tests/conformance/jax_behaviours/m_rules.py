"""Family m: custom rules, and what is jitted inside of what."""

import functools

import jax
import jax.numpy as jnp

from tests.conformance.jax_behaviours.behaviour import against, cold, ours, raised, row, ten, times_factor
from tests.conformance.jax_behaviours.described import Scale


class Always:
    """Equal to all of its kind."""

    def __init__(self, factor):
        self.factor = factor

    def __eq__(self, other):
        return type(self) is type(other)

    def __hash__(self):
        return 0


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def backward(item, x):
    """A product with a reverse rule."""
    return item.factor * x


backward.defvjp(lambda item, x: (item.factor * x, None), lambda item, kept, g: (item.factor * g,))


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def forward(item, x):
    """A product with a forward rule."""
    return item.factor * x


@forward.defjvp
def _forward(item, primals, tangents):
    return item.factor * primals[0], item.factor * tangents[0]


def _pair(run, kind=Always):
    run(kind(2.0), ten())
    return against(run(kind(3.0), ten()), cold(lambda x: run(kind(3.0), x), ten()))


@row("m1", "eager custom_vjp nondiff argument, equality always true")
def eager_rule():
    return _pair(backward)


@row("m2", "jit(grad(custom_vjp)) or jit(custom_jvp) with that argument static")
def compiled_rule():
    return {
        "grad of custom_vjp": _pair(jax.jit(jax.grad(backward, argnums=1), static_argnums=0)),
        "custom_jvp": _pair(jax.jit(forward, static_argnums=0)),
    }


def _both(kind):
    inner = jax.jit(times_factor, static_argnums=0)
    return jax.jit(lambda x: jnp.stack([inner(kind(2.0), x), inner(kind(3.0), x)]))(ten())


@row("m3", "one inner jitted function used with two such objects inside one outer trace")
def one_outer_trace():
    return against(_both(Always), jnp.array([20.0, 30.0]))


@row("m4", "checkpoint(static_argnums), eager")
def eager_checkpoint():
    return _pair(jax.checkpoint(times_factor, static_argnums=0))


@row("m5", "jnp array as nondiff argument inside jit")
def traced_nondiff():
    @functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
    def product(factor, x):
        return factor * x

    product.defvjp(lambda factor, x: (factor * x, None), lambda factor, kept, g: (factor * g,))
    return raised(jax.jit(lambda factor, x: jax.grad(product, argnums=1)(factor, x)), ten(), ten())


@ours("m1", "m2", "m3", "m4")
def values_are_served_their_own_rules():
    assert _both(Scale).tolist() == [20.0, 30.0]
    programs = (
        backward,
        jax.jit(jax.grad(backward, argnums=1), static_argnums=0),
        jax.jit(forward, static_argnums=0),
        jax.checkpoint(times_factor, static_argnums=0),
    )
    for run in programs:
        assert _pair(run, Scale).endswith("fresh")
