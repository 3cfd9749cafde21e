"""Functions of arrays that are right, and copies with one mistake each, for the command line."""

import jax
import jax.numpy as jnp


def right(x):
    return jax.nn.softmax(x)


def hot(x):
    """A temperature of 1.00001."""
    return jax.nn.softmax(x / 1.00001)


def naive(x):
    """No shift by the largest entry."""
    powers = jnp.exp(x)
    return powers / powers.sum(axis=-1, keepdims=True)


def above_one(x):
    """Off by one rounding where the value is 1: K says nothing, the range does."""
    y = jax.nn.softmax(x)
    return jnp.where(y == 1, jnp.nextafter(y, 2 * y), y)


def other_axis(x):
    return jax.nn.softmax(x, axis=0)


def forgetful(x):
    """Zeros for NaN."""
    return jnp.nan_to_num(jax.nn.softmax(x))


def flat(x):
    return jax.nn.softmax(x).ravel()


def raising(x):
    raise ValueError("no such array")


def doubled(x):
    """Returns two arrays."""
    return jax.nn.softmax(x), x


def one_pass(x, weight, bias, epsilon=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x * x).mean(axis=-1, keepdims=True) - mean * mean
    return (x - mean) / jnp.sqrt(variance + epsilon) * weight[None] + bias[None]


def sample_variance(x, weight, bias, epsilon=1e-5):
    return (x - x.mean(axis=-1, keepdims=True)) / jnp.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + epsilon) * weight[
        None
    ] + bias[None]


def narrow_matmul(x, y):
    """Accumulated in bfloat16, one product after the other."""
    x, y = x.astype(jnp.bfloat16), y.astype(jnp.bfloat16)
    total = jnp.zeros((x.shape[0], y.shape[1]), jnp.bfloat16)
    total, _ = jax.lax.scan(lambda sum, pair: (sum + jnp.outer(*pair), None), total, (x.T, y))
    return total.astype(jnp.float32)
