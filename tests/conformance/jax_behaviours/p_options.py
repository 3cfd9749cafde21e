"""Family p: options of jax that change between two calls."""

import jax
import jax.numpy as jnp

from tests.conformance.jax_behaviours.behaviour import Counting, against, cold, raised, row


def _between(function, option, value):
    """Call, change an option, call again, and compare with the cold program."""
    compiled, before = jax.jit(function), getattr(jax.config, option)
    compiled()
    jax.config.update(option, value)
    try:
        return against(compiled(), cold(function))
    finally:
        jax.config.update(option, before)


def _traces(option, value):
    jit, before = Counting(), getattr(jax.config, option)
    compiled = jit(lambda: jnp.zeros(()))
    compiled()
    jax.config.update(option, value)
    try:
        compiled()
    finally:
        jax.config.update(option, before)
    return f"{jit.traces} traces"


@row("p1", "x64, matmul precision, threefry_partitionable, dtype and rank promotion")
def part_of_the_key():
    jit = Counting()
    compiled = jit(lambda: jnp.zeros(()))
    compiled()
    with jax.enable_x64(True):
        compiled()
    rank = "warn" if jax.config.jax_numpy_rank_promotion == "raise" else "raise"
    return {
        "x64": _traces("jax_enable_x64", True),
        "x64 of a thread": f"{jit.traces} traces",
        "matmul precision": _traces("jax_default_matmul_precision", "float32"),
        "threefry_partitionable": _traces("jax_threefry_partitionable", not jax.config.jax_threefry_partitionable),
        "dtype promotion": _traces("jax_numpy_dtype_promotion", "strict"),
        "rank promotion": _traces("jax_numpy_rank_promotion", rank),
    }


@row("p2", "jax_default_prng_impl to rbg")
def generator():
    def draw():
        return jax.random.uniform(jax.random.PRNGKey(0))

    def shape():
        return jnp.array(jax.random.PRNGKey(0).shape)

    return {
        "uniform": _between(draw, "jax_default_prng_impl", "rbg"),
        "PRNGKey shape": _between(shape, "jax_default_prng_impl", "rbg"),
    }


@row("p3", "jax_enable_custom_prng: PRNGKey(0).ndim")
def typed_keys():
    value = not jax.config.jax_enable_custom_prng
    return _between(lambda: jnp.array(jax.random.PRNGKey(0).ndim), "jax_enable_custom_prng", value)


@row("p4", "jax_high_dynamic_range_gumbel")
def gumbel():
    def draw():
        return jax.random.gumbel(jax.random.key(0, impl="threefry2x32"))

    return raised(lambda: _Text(_between(draw, "jax_high_dynamic_range_gumbel", True)))


class _Text(str):
    """An outcome that is shown as it is."""

    def __repr__(self):
        return str(self)
