"""Kernels of public libraries for softmax, gates and losses, and broken copies of them."""

import json
from typing import Any

import jax
import jax.numpy as jnp
import optax
from optax import losses

from lenticulum.check import examine


def log_softmax_twice(x: Any, axis: int = -1) -> Any:
    """Take the logarithm of a rounded softmax."""
    return jnp.log(jax.nn.softmax(x, axis=axis))


def standardize_sample(x: Any, axis: int = -1, epsilon: float = 1e-5) -> Any:
    """Divide by n - 1."""
    variance = jnp.var(x, axis=axis, keepdims=True, ddof=min(1, x.shape[axis] - 1))
    return (x - jnp.mean(x, axis=axis, keepdims=True)) / jnp.sqrt(variance + epsilon)


def glu_exchanged(x: Any, axis: int = -1) -> Any:
    """Gate by the first half."""
    gates, values = jnp.split(x, 2, axis=axis)
    return values * jax.nn.sigmoid(gates)


def huber_jump(predictions: Any, targets: Any, delta: float = 1.0) -> Any:
    """Leave -delta/2 out of the linear part."""
    distance = jnp.abs(predictions - targets)
    return jnp.where(distance <= delta, distance**2 / 2, delta * distance)


def naive_log_cosh(predictions: Any, targets: Any) -> Any:
    """Overflow."""
    return jnp.log(jnp.cosh(predictions - targets))


def hinge_label(predictor_outputs: Any, targets: Any) -> Any:
    """Leave the label out."""
    return jnp.maximum(0, 1 - predictor_outputs)


def mean_of_all(logits: Any, labels: Any) -> Any:
    """Divide by rows and classes."""
    return jnp.mean(-labels * jax.nn.log_softmax(logits))


def smoothing_over_others(logits: Any, labels: Any, label_smoothing: float = 0.0) -> Any:
    """Share the smoothing among the other classes."""
    classes = logits.shape[-1]
    labels = labels * (1 - label_smoothing) + label_smoothing / max(classes - 1, 1)
    return optax.softmax_cross_entropy(logits, labels)


def ignored_counted(logits: Any, labels: Any) -> Any:
    """Count ignored rows in the mean."""
    kept = labels != -1
    cost = optax.softmax_cross_entropy_with_integer_labels(logits, jnp.where(kept, labels, 0))
    return jnp.mean(jnp.where(kept, cost, 0))


def off_by_one(logits: Any, labels: Any) -> Any:
    """Count classes from 1."""
    return optax.softmax_cross_entropy_with_integer_labels(logits, jnp.maximum(labels - 1, 0))


def sigmoid_of_probability(logits: Any, labels: Any) -> Any:
    """Take logarithms of a rounded sigmoid."""
    p = jax.nn.sigmoid(logits)
    return -labels * jnp.log(p) - (1 - labels) * jnp.log(1 - p)


def focal_right(logits: Any, labels: Any, gamma: float = 2.0) -> Any:
    """Damp the right class."""
    p = jax.nn.sigmoid(logits)
    return (labels * p + (1 - labels) * (1 - p)) ** gamma * optax.sigmoid_binary_cross_entropy(logits, labels)


def kl_of_zero(log_predictions: Any, targets: Any) -> Any:
    """Have NaN where the label is 0."""
    return jnp.sum(targets * (jnp.log(targets) - log_predictions), axis=-1)


def cosine_of_products(predictions: Any, targets: Any, epsilon: float = 0.0) -> Any:
    """Add epsilon to the product of the lengths."""
    lengths = jnp.linalg.norm(predictions, axis=-1) * jnp.linalg.norm(targets, axis=-1)
    return jnp.sum(predictions * targets, axis=-1) / (lengths + epsilon)


def optax_mean(logits: Any, labels: Any, label_smoothing: float = 0.0) -> Any:
    """The mean of optax's cross-entropy at smoothed labels."""
    return jnp.mean(optax.softmax_cross_entropy(logits, optax.smooth_labels(labels, label_smoothing)))


STABLE: dict[str, Any] = {"bind": {"algorithm": "stable"}}

#: (kernel, definition, options of the check).
GOOD: list[tuple[Any, str, dict[str, Any]]] = [
    (jax.nn.logsumexp, "logsumexp:axis=-1,keepdims=true", {"bind": {"b": None}}),
    (jax.nn.log_softmax, "log_softmax:axis=0", {}),
    (jax.nn.standardize, "standardize", STABLE),
    (jax.nn.glu, "glu", {}),
    (losses.huber_loss, "huber_loss", {}),
    (losses.log_cosh, "log_cosh_loss", {}),
    (losses.hinge_loss, "hinge_loss", {}),
    (optax.softmax_cross_entropy, "softmax_cross_entropy", {}),
    (optax_mean, "softmax_cross_entropy:reduction=mean", {}),
    (optax.softmax_cross_entropy_with_integer_labels, "softmax_cross_entropy_integer:axis=0", {}),
    (optax.sigmoid_binary_cross_entropy, "sigmoid_cross_entropy", {}),
    (losses.kl_divergence, "kl_divergence:reduction=row", {}),
    (losses.kl_divergence_with_log_targets, "kl_divergence:reduction=row,log_target=true", {}),
    (losses.cosine_similarity, "cosine_similarity:epsilon_at=square", {}),
]

#: (kernel, definition, kind of the finding).
BROKEN: list[tuple[Any, str, str]] = [
    (jax.nn.logsumexp, "logsumexp", "derivative"),
    (optax.sigmoid_focal_loss, "focal_loss", "derivative"),
    (log_softmax_twice, "log_softmax", "overflow"),
    (standardize_sample, "standardize", "formula"),
    (jax.nn.standardize, "standardize", "rounding"),
    (glu_exchanged, "glu", "formula"),
    (huber_jump, "huber_loss", "formula"),
    (naive_log_cosh, "log_cosh_loss", "overflow"),
    (hinge_label, "hinge_loss", "formula"),
    (mean_of_all, "softmax_cross_entropy:reduction=mean", "formula"),
    (smoothing_over_others, "softmax_cross_entropy", "formula"),
    (ignored_counted, "softmax_cross_entropy_integer:ignore_index=-1,reduction=mean", "formula"),
    (off_by_one, "softmax_cross_entropy_integer", "formula"),
    (sigmoid_of_probability, "sigmoid_cross_entropy", "overflow"),
    (focal_right, "focal_loss", "formula"),
    (losses.kl_divergence, "kl_divergence:reduction=row,log_target=true", "special-value"),
    (kl_of_zero, "kl_divergence:reduction=row", "special-value"),
    (losses.cosine_similarity, "cosine_similarity", "formula"),
    (cosine_of_products, "cosine_similarity:epsilon_at=product", "formula"),
]


def sweep() -> dict[str, list[dict[str, Any]]]:
    """Return the verdict on every kernel, with the number of entries that a criterion carried and the witness."""
    checks = {
        "good": [examine(subject, spec, **options) for subject, spec, options in GOOD],
        "broken": [examine(subject, spec) for subject, spec, _ in BROKEN],
    }
    return {
        group: [
            {
                "verdict": result.verdict,
                "kind": result.kind,
                "carried": sum(result.carried.values()),
                "witness": result.witness.code if result.witness else "",
                "text": str(result),
            }
            for result in results
        ]
        for group, results in checks.items()
    }


if __name__ == "__main__":
    print(json.dumps(sweep()))
