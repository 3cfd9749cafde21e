"""Plausible mistakes in kernels of arrays, each of which breaks the law that it is listed with."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from bounds_for_laws import arrays_to, in_format, said
from law_inputs import attended, binary, classes, images, looked_up, masked, matrices, normed, pairs, rotated, rows

from lenticulum.check.definition import parse

SEEDS = (1, 2, 3)


def _one_pass(x):
    return (x * x).mean(-1) - x.mean(-1) ** 2


def _normalised(x, axis=-1, epsilon=1e-5):
    return (x - x.mean(axis, keepdims=True)) / jnp.sqrt(x.var(axis, keepdims=True) + epsilon)


def _attended(mask_scores, mask_weights=lambda weights, mask: weights):
    def kernel(query, key, value, mask):
        scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / query.shape[-1] ** 0.5
        return jnp.einsum("bhqk,bkhd->bqhd", mask_weights(jax.nn.softmax(mask_scores(scores, mask)), mask), value)

    return kernel


def _rotate(sign):
    def kernel(x):
        angles = jnp.arange(x.shape[0], dtype=x.dtype)[:, None] / 10_000.0 ** (jnp.arange(2, dtype=x.dtype) / 2)[None]
        a, b, c, s = x[:, 0::2], x[:, 1::2], jnp.cos(angles), jnp.sin(angles)
        return jnp.stack([a * c + sign * b * s, a * s + b * c], axis=-1).reshape(x.shape)

    return kernel


def _pool(x, fill):
    padded = jnp.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=fill)
    return jax.lax.reduce_window(padded, -jnp.inf, jax.lax.max, (1, 1, 2, 3), (1, 1, 2, 1), "VALID")


def _over_all_rows(prediction, label):
    return optax.losses.softmax_cross_entropy_with_integer_labels(prediction, jnp.maximum(label, 0)).mean()


#: Mistakes as they are made: law, definition, kernel, inputs.
WRONG: dict[str, tuple[str, str, Callable, Callable]] = {
    "epsilon in the denominator": (
        "normalisation",
        "softmax",
        lambda x: (
            jnp.exp(x - x.max(-1, keepdims=True))
            / (jnp.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True) + 1e-3)
        ),
        rows,
    ),
    "no maximum is subtracted": (
        "shift",
        "softmax",
        lambda x: jnp.exp(x) / jnp.exp(x).sum(-1, keepdims=True),
        lambda rng: {"x": 30 * rng.standard_normal((6, 5))},
    ),
    "the wrong axis": ("batching", "softmax", lambda x: jax.nn.softmax(x, axis=0), rows),
    "a temperature": ("normalisation", "log_softmax", lambda x: jax.nn.log_softmax(x) * 0.999, rows),
    "the maximum of what is masked too": (
        "masking",
        "logsumexp:axis=-1",
        lambda x, where: jnp.log(jnp.where(where, jnp.exp(x - x.max(-1, keepdims=True)), 0).sum(-1)) + x.max(-1),
        masked,
    ),
    "the variance in one pass is negative": (
        "range",
        "variance:axis=-1",
        _one_pass,
        lambda rng: {"x": 1000 + 0.01 * rng.standard_normal((6, 5))},
    ),
    "the variance in one pass is not invariant": ("shift", "variance:axis=-1", _one_pass, rows),
    "jax.nn.standardize takes the mean of squares minus the square of the mean": (
        "shift",
        "standardize",
        lambda x: jax.nn.standardize(x, epsilon=1e-5),
        rows,
    ),
    "the statistics of the batch": ("batching", "standardize", lambda x: _normalised(x, 0), rows),
    "no mean is subtracted": (
        "normalisation",
        "standardize",
        lambda x: x / jnp.sqrt((x * x).mean(-1, keepdims=True) + 1e-5),
        rows,
    ),
    "the bias is scaled too": (
        "linearity",
        "layer_norm",
        lambda x, weight, bias: (_normalised(x) + bias[None] * weight[None]) * weight[None],
        normed,
    ),
    "bias is read with the sign of the mean": (
        "symmetry",
        "layer_norm",
        lambda x, weight, bias: _normalised(x) * weight[None] + bias[None] * jnp.sign(x.mean(-1, keepdims=True)),
        normed,
    ),
    "divided by n - 1": ("shift", "mean:axis=-1", lambda x: x.sum(-1) / (x.shape[-1] - 1), rows),
    "the last entry is missing": ("concatenation", "sum:axis=-1", lambda x: x[:, :-1].sum(-1), rows),
    "the last entry counts twice": ("permutation", "sum:axis=-1", lambda x: x.sum(-1) + x[:, -1], rows),
    "an exclusive sum": ("concatenation", "cumsum:axis=-1", lambda x: jnp.cumsum(x, -1) - x, rows),
    "products in bfloat16": (
        "linearity",
        "matmul",
        lambda x, y: (x.astype(jnp.bfloat16) @ y.astype(jnp.bfloat16)).astype(x.dtype),
        matrices,
    ),
    "the second factor is transposed": ("transposition", "matmul", lambda x, y: x @ y.T, matrices),
    "the square of the norm": ("scale", "norm:axis=-1", lambda x: (x * x).sum(-1), rows),
    "logarithms of sizes": (
        "scale",
        "product:axis=-1",
        lambda x: jnp.exp(jnp.log(jnp.abs(x)).sum(-1)),
        lambda rng: {"x": rng.standard_normal((4, 5))},
    ),
    "epsilon inside the root": (
        "normalisation",
        "l2_normalize:epsilon=1/1024",
        lambda x: x / jnp.sqrt((x * x).sum(-1, keepdims=True) + 2.0**-10),
        lambda rng: {"x": rng.standard_normal((6, 5))},
    ),
    "epsilon is added to the product": (
        "scale",
        "cosine_similarity:epsilon=1/1024",
        lambda x, y: (x * y).sum(-1) / (jnp.linalg.norm(x, axis=-1) * jnp.linalg.norm(y, axis=-1) + 2.0**-10),
        lambda rng: {"x": rng.standard_normal((6, 5)), "y": rng.standard_normal((6, 5))},
    ),
    "-10 000 for a mask": ("masking", "attention:heads=last", _attended(lambda s, mask: s - 1e4 * ~mask), attended),
    "-1e9 for a mask": ("masking", "attention:heads=last", _attended(lambda s, mask: s - 1e9 * ~mask), attended),
    "masked after the softmax": (
        "masking",
        "attention:heads=last",
        _attended(lambda s, mask: s, lambda weights, mask: weights * mask),
        attended,
    ),
    "weights that do not sum to 1": (
        "normalisation",
        "attention:heads=last",
        _attended(lambda s, mask: jnp.where(mask, s, 0.0), lambda weights, mask: weights * mask),
        attended,
    ),
    "the mean over ignored rows": (
        "masking",
        "softmax_cross_entropy_integer:ignore_index=-1,reduction=mean",
        _over_all_rows,
        classes,
    ),
    "the logarithm of the sigmoid": (
        "symmetry",
        "sigmoid_cross_entropy",
        lambda prediction, label: (
            -label * jnp.log(jax.nn.sigmoid(prediction)) - (1 - label) * jnp.log(1 - jax.nn.sigmoid(prediction))
        ),
        binary,
    ),
    "one side of the kink": (
        "symmetry",
        "huber_loss",
        lambda prediction, label: jnp.where(
            prediction - label <= 1, (prediction - label) ** 2 / 2, prediction - label - 0.5
        ),
        pairs,
    ),
    "a mean for a sum": (
        "concatenation",
        "huber_loss:reduction=sum",
        lambda prediction, label: optax.huber_loss(prediction, label).mean(),
        pairs,
    ),
    "padded with zeros": (
        "range",
        "max_pool:padding=1",
        lambda x: _pool(x, 0.0),
        images,
    ),
    "the sign of a sine": ("normalisation", "rotary_positions", _rotate(1), rotated),
    "scaled by the whole table": (
        "masking",
        "embedding",
        lambda ids, weight: jnp.take(weight / jnp.abs(weight).max(), ids, axis=0),
        looked_up,
    ),
    "the wrong half is the gate": (
        "symmetry",
        "glu",
        lambda x: jax.nn.sigmoid(x[:, :2]) * x[:, 2:],
        rotated,
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_breaks_its_law(mistake):
    law, spec, kernel, inputs = WRONG[mistake]
    definition, call = parse(spec), arrays_to(kernel)
    violated = []
    for seed in SEEDS:
        given = in_format(inputs(np.random.default_rng(seed)), "float32")
        term = definition.term({role: array.shape for role, array in given.items()}, {})
        violated += [each for _, each in said(definition, term, call, given, seed, law) if each.violated]
    assert violated
    worst = violated[0]
    assert worst.law == law
    assert worst.place is not None
    assert worst.largest > 1


def test_rotation_and_pooling_without_the_mistake_keep_the_law():
    for spec, kernel, inputs in [
        ("rotary_positions", _rotate(-1), rotated),
        ("max_pool:padding=1", lambda x: _pool(x, -jnp.inf), images),
        ("attention:heads=last", _attended(lambda s, mask: jnp.where(mask, s, -jnp.inf)), attended),
    ]:
        given = in_format(inputs(np.random.default_rng(0)), "float32")
        definition = parse(spec)
        held = [each for _, each in said(definition, definition.term({}, {}), arrays_to(kernel), given, 0)]
        assert held
        assert not [each for each in held if each.violated]
