"""1 - cos x as it is often written; near 0 it loses every digit (command-line.md)."""

import jax.numpy as jnp


def one_minus_cosine(x):
    cosine = jnp.cos(x)
    return 1 - cosine
