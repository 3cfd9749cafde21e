"""Layers, operations, activations and losses of Keras, and broken layers."""

import os
from typing import Any

from library_kernel import Kernel, bound, made


def keras_kernels() -> list[Kernel]:
    """Layers, operations, activations and losses of Keras, and broken layers."""
    os.environ["KERAS_BACKEND"] = "jax"
    import keras

    ops = keras.ops

    class EpsilonOutside(keras.layers.LayerNormalization):
        """Add epsilon to the root."""

        def call(self, inputs: Any) -> Any:
            centred = inputs - ops.mean(inputs, axis=-1, keepdims=True)
            root = ops.sqrt(ops.mean(centred * centred, axis=-1, keepdims=True))
            return centred / (root + self.epsilon) * self.gamma + self.beta

    class SampleVariance(keras.layers.LayerNormalization):
        """Divide by n - 1."""

        def call(self, inputs: Any) -> Any:
            count = inputs.shape[-1]
            variance = ops.var(inputs, axis=-1, keepdims=True) * (count / max(count - 1, 1))
            y = (inputs - ops.mean(inputs, axis=-1, keepdims=True)) / ops.sqrt(variance + self.epsilon)
            return y * self.gamma + self.beta

    class TransposedWhereSquare(keras.layers.Dense):
        """Read the kernel as [outputs, inputs] where its shape allows it."""

        def call(self, inputs: Any, training: Any = None) -> Any:
            square = self.kernel.shape[0] == self.kernel.shape[1]
            return ops.matmul(inputs, ops.transpose(self.kernel) if square else self.kernel) + self.bias

    layers, logits = "keras.layers", bound(from_logits=True)
    balanced = bound(from_logits=True, apply_class_balancing=True)
    return [
        Kernel(f"{layers}:LayerNormalization", "layer_norm"),
        Kernel(keras.layers.LayerNormalization(epsilon=0.25, center=False), "layer_norm"),
        Kernel(f"{layers}:LayerNormalization", "layer_norm", options={"dtype": "bfloat16"}),
        Kernel(f"{layers}:RMSNormalization", "rms_norm"),
        Kernel(f"{layers}:GroupNormalization", "group_norm:groups=2"),
        Kernel(f"{layers}:Dense", "dense"),
        Kernel(keras.layers.Dense(3, use_bias=False), "dense"),
        Kernel(f"{layers}:Conv2D", "convolution", options=made(kernel_size=[3, 2], strides=[2, 1])),
        Kernel(f"{layers}:Embedding", "embedding"),
        Kernel(f"{layers}:Softmax", "softmax"),
        Kernel(f"{layers}:UnitNormalization", "l2_normalize"),
        Kernel(f"{layers}:BatchNormalization", "batch_norm:mode=train,running_variance=population"),
        Kernel(f"{layers}:BatchNormalization", "batch_norm:mode=eval"),
        Kernel("keras.ops:softmax", "softmax"),
        Kernel("keras.ops:logsumexp", "logsumexp:axis=-1,keepdims=true"),
        Kernel("keras.ops:einsum", "einsum"),
        Kernel("keras.activations:log_softmax", "log_softmax"),
        Kernel("keras.activations:softplus", "softplus"),
        Kernel("keras.losses:huber", "huber_loss:reduction=row_mean"),
        Kernel("keras.losses:mean_absolute_error", "absolute_loss:reduction=row_mean"),
        Kernel("keras.losses:categorical_crossentropy", "softmax_cross_entropy", options=logits),
        Kernel("keras.losses:binary_crossentropy", "sigmoid_cross_entropy:reduction=row_mean", options=logits),
        # Whatever the format of the layer, its mean and variance are those of binary32.
        Kernel(f"{layers}:LayerNormalization", "layer_norm", "formula", {"dtype": "float64"}),
        # x + softplus(-2 x) - log 2 is -inf + inf.
        Kernel("keras.losses:log_cosh", "log_cosh_loss:reduction=row_mean", "special-value"),
        # Keras has the loss -cosine, and clips both arguments of a divergence to [1e-7, 1].
        Kernel("keras.losses:cosine_similarity", "cosine_similarity", "formula"),
        Kernel("keras.losses:kl_divergence", "kl_divergence:reduction=row", "formula"),
        # From logits too it clips a sigmoid to [1e-7, 1 - 1e-7].
        Kernel("keras.losses:binary_focal_crossentropy", "focal_loss:reduction=row_mean", "formula", balanced),
        Kernel(EpsilonOutside, "layer_norm", "formula"),
        Kernel(SampleVariance, "layer_norm", "formula"),
        Kernel(TransposedWhereSquare, "dense", "formula", {"shapes": {"x": (3, 4), "weight": (4, 4), "bias": (4,)}}),
        Kernel(f"{layers}:Softmax", "softmax", "formula", made(axis=0)),
    ]
