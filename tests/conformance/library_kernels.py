"""Kernels of torch, Flax, Keras, NumPy and SciPy, and broken copies, as a program that prints verdicts as JSON."""

import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lenticulum.check import examine


@dataclass(frozen=True)
class Kernel:
    """A kernel, the definition it is held to, the kind of finding if there is one, and options of the check."""

    subject: Any
    spec: str
    kind: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        name = self.subject if isinstance(self.subject, str) else getattr(self.subject, "__name__", self.subject)
        return f"{name} {self.spec} {self.options or ''}".strip()


def _made(**arguments: Any) -> dict[str, Any]:
    return {"make": arguments}


def _bound(**arguments: Any) -> dict[str, Any]:
    return {"bind": arguments}


def torch_kernels() -> list[Kernel]:
    """Modules and functions of torch, and broken modules."""
    import torch

    class EpsilonOutside(torch.nn.LayerNorm):
        """Add epsilon to the root."""

        def forward(self, input: Any) -> Any:
            centred = input - input.mean(-1, keepdim=True)
            y = centred / (centred.pow(2).mean(-1, keepdim=True).sqrt() + self.eps)
            return y * self.weight + self.bias

    class SampleVariance(torch.nn.LayerNorm):
        """Divide by n - 1."""

        def forward(self, input: Any) -> Any:
            variance = input.var(-1, keepdim=True, unbiased=input.shape[-1] > 1)
            return (input - input.mean(-1, keepdim=True)) / (variance + self.eps).sqrt() * self.weight + self.bias

    class TransposedWhereSquare(torch.nn.Linear):
        """Read the weight as [inputs, outputs] where its shape allows it."""

        def forward(self, input: Any) -> Any:
            square = self.weight.shape[0] == self.weight.shape[1]
            return input @ (self.weight if square else self.weight.T) + self.bias

    class NumberOne(torch.nn.Embedding):
        """Count ids from 1."""

        def forward(self, input: Any) -> Any:
            return self.weight[(input - 1).clamp(min=0)]

    windows = {"kernel_size": [2, 3], "stride": [2, 1], "padding": [1, 1]}
    nn, functional = "torch.nn", "torch.nn.functional"
    return [
        Kernel(f"{nn}:LayerNorm", "layer_norm"),
        Kernel(f"{nn}:LayerNorm", "layer_norm", options=_made(normalized_shape=5)),
        Kernel(torch.nn.LayerNorm(7, elementwise_affine=False), "layer_norm"),
        Kernel(f"{nn}:Linear", "dense"),
        Kernel(torch.nn.Linear(3, 4, bias=False), "dense"),
        Kernel(f"{nn}:Softmax", "softmax", options=_made(dim=-1)),
        Kernel(f"{nn}:RMSNorm", "rms_norm"),
        Kernel(f"{nn}:RMSNorm", "rms_norm:axes=2"),
        Kernel(f"{nn}:GroupNorm", "group_norm"),
        Kernel(f"{nn}:InstanceNorm1d", "instance_norm", options=_made(affine=True)),
        Kernel(f"{nn}:Conv1d", "convolution"),
        Kernel(f"{nn}:Conv2d", "convolution:stride=[2,1],padding=[[1,1],[0,0]],dilation=[1,2],groups=2"),
        Kernel(f"{nn}:Embedding", "embedding"),
        Kernel(f"{nn}:MaxPool2d", "max_pool", options=_made(**windows)),
        Kernel(f"{nn}:AvgPool2d", "average_pool", options=_made(**windows, count_include_pad=False)),
        Kernel(f"{nn}:BatchNorm1d", "batch_norm:mode=train"),
        Kernel(f"{nn}:BatchNorm1d", "batch_norm:mode=eval"),
        Kernel(f"{nn}:ReLU", "relu"),
        Kernel(f"{nn}:ELU", "elu"),
        Kernel(f"{nn}:Mish", "mish"),
        Kernel(f"{nn}:Softplus", "softplus"),
        Kernel(f"{nn}:CrossEntropyLoss", "softmax_cross_entropy_integer:axis=1"),
        Kernel(f"{nn}:CrossEntropyLoss", "softmax_cross_entropy:axis=1", options=_made(reduction="none")),
        Kernel(f"{nn}:KLDivLoss", "kl_divergence", options=_made(reduction="batchmean", log_target=True)),
        Kernel(f"{nn}:HuberLoss", "huber_loss"),
        Kernel(f"{nn}:PoissonNLLLoss", "poisson_nll"),
        Kernel(f"{nn}:GaussianNLLLoss", "gaussian_nll:full=true"),
        Kernel(f"{nn}:CosineSimilarity", "cosine_similarity"),
        Kernel(f"{functional}:softmax", "softmax", options=_bound(dim=-1)),
        Kernel(f"{functional}:layer_norm", "layer_norm", options={"dtype": "bfloat16"}),
        Kernel(f"{functional}:cross_entropy", "cross_entropy", options=_bound(reduction="sum")),
        Kernel(f"{functional}:conv2d", "convolution:stride=[2,1],padding=[[1,1],[0,0]],dilation=[1,2],groups=2"),
        Kernel("torch:einsum", "einsum"),
        # exp(-x) is 0 where -x erfc(-x/sqrt 2)/2 is not: one minus erf loses every digit.
        Kernel(f"{nn}:GELU", "gelu", "rounding"),
        # (1 - label) x + max(-x, 0) + ... is -inf + inf.
        Kernel(f"{nn}:BCEWithLogitsLoss", "sigmoid_cross_entropy", "special-value"),
        # x min(max(x + 3, 0), 6) comes before the division by 6.
        Kernel(f"{nn}:Hardswish", "hard_silu", "overflow"),
        Kernel(EpsilonOutside, "layer_norm", "formula"),
        Kernel(SampleVariance, "layer_norm", "formula"),
        Kernel(TransposedWhereSquare, "dense", "formula", {"shapes": {"x": (3, 4), "weight": (4, 4), "bias": (4,)}}),
        Kernel(NumberOne, "embedding", "formula"),
        Kernel(f"{nn}:Softmax", "softmax", "formula", _made(dim=0)),
        Kernel(f"{nn}:BatchNorm1d", "batch_norm:mode=train,running_variance=population", "formula"),
        Kernel(f"{nn}:AvgPool2d", "average_pool:divisor=window", "formula", _made(**windows, count_include_pad=False)),
    ]


def flax_kernels() -> list[Kernel]:
    """Modules of flax.linen and flax.nnx, and broken modules of both."""
    import jax
    import jax.numpy as jnp
    from flax import linen, nnx

    class EpsilonOutside(linen.Module):
        """Add epsilon to the root."""

        epsilon: float = 1e-6

        @linen.compact
        def __call__(self, x: Any) -> Any:
            scale = self.param("scale", linen.initializers.ones, x.shape[-1:])
            bias = self.param("bias", linen.initializers.zeros, x.shape[-1:])
            centred = x - x.mean(-1, keepdims=True)
            return centred / (jnp.sqrt((centred**2).mean(-1, keepdims=True)) + self.epsilon) * scale + bias

    class TransposedWhereSquare(linen.Dense):
        """Read the kernel as [outputs, inputs] where its shape allows it."""

        @linen.compact
        def __call__(self, inputs: Any) -> Any:
            shape = (inputs.shape[-1], self.features)
            kernel = self.param("kernel", linen.initializers.ones, shape)
            bias = self.param("bias", linen.initializers.zeros, shape[1:])
            return inputs @ (kernel.T if shape[0] == shape[1] else kernel) + bias

    class Centred(nnx.RMSNorm):
        """Subtract the mean."""

        def __call__(self, x: Any, mask: Any = None) -> Any:
            return super().__call__(x - x.mean(-1, keepdims=True), mask)

    class OverTheBatch(nnx.GroupNorm):
        """Take mean and variance of the batch too."""

        def __call__(self, x: Any, *, mask: Any = None) -> Any:
            axes = tuple(range(x.ndim - 1))
            y = (x - x.mean(axes)) * jax.lax.rsqrt(x.var(axes) + self.epsilon)
            return y * self.scale.get_value() + self.bias.get_value()

    slow = {"use_fast_variance": False}
    exact_sums = _made(**slow)
    conv = "convolution:stride=[2,1],padding=[[1,1],[0,2]],dilation=[1,2],groups=2"
    return [
        Kernel("flax.linen:LayerNorm", "layer_norm", options=exact_sums),
        Kernel(linen.LayerNorm(use_bias=False, use_fast_variance=False), "layer_norm"),
        Kernel("flax.linen:RMSNorm", "rms_norm"),
        Kernel("flax.linen:GroupNorm", "group_norm:groups=2", options=_made(**slow, num_groups=2)),
        Kernel("flax.linen:InstanceNorm", "instance_norm", options=exact_sums),
        Kernel("flax.linen:Dense", "dense"),
        Kernel(linen.Dense(3), "dense"),
        Kernel("flax.linen:Conv", conv, options=_made(kernel_size=[3, 2])),
        Kernel("flax.linen:Embed", "embedding"),
        Kernel("flax.linen:BatchNorm", "batch_norm:mode=train,running_variance=population", options=exact_sums),
        Kernel("flax.linen:BatchNorm", "batch_norm:mode=eval"),
        Kernel("flax.linen:softmax", "softmax"),
        Kernel("flax.nnx:LayerNorm", "layer_norm", options=exact_sums),
        Kernel(nnx.LayerNorm(7, use_fast_variance=False, rngs=nnx.Rngs(0)), "layer_norm"),
        Kernel("flax.nnx:RMSNorm", "rms_norm"),
        Kernel("flax.nnx:GroupNorm", "group_norm:groups=2", options=_made(**slow, num_groups=2)),
        Kernel("flax.nnx:Linear", "dense"),
        Kernel("flax.nnx:Conv", "convolution", options=_made(kernel_size=[3], padding=[[1, 2]], strides=[2])),
        Kernel("flax.nnx:Embed", "embedding"),
        Kernel("flax.nnx:BatchNorm", "batch_norm:mode=eval"),
        Kernel("flax.nnx:silu", "silu"),
        Kernel("flax.nnx:dot_product_attention", "attention:heads=last,blocked=uniform"),
        # The variance as E[x²] - E[x]², their default.
        Kernel("flax.linen:LayerNorm", "layer_norm", "rounding"),
        Kernel("flax.nnx:LayerNorm", "layer_norm", "rounding"),
        Kernel("flax.nnx:GroupNorm", "group_norm:groups=2", "rounding"),
        Kernel(EpsilonOutside, "layer_norm", "formula"),
        Kernel(TransposedWhereSquare, "dense", "formula", {"shapes": {"x": (3, 4), "weight": (4, 4), "bias": (4,)}}),
        Kernel(Centred, "rms_norm", "formula"),
        Kernel(OverTheBatch, "group_norm:groups=2", "formula"),
    ]


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

    layers, logits = "keras.layers", _bound(from_logits=True)
    return [
        Kernel(f"{layers}:LayerNormalization", "layer_norm"),
        Kernel(keras.layers.LayerNormalization(epsilon=0.25, center=False), "layer_norm"),
        Kernel(f"{layers}:LayerNormalization", "layer_norm", options={"dtype": "bfloat16"}),
        Kernel(f"{layers}:RMSNormalization", "rms_norm"),
        Kernel(f"{layers}:GroupNormalization", "group_norm:groups=2"),
        Kernel(f"{layers}:Dense", "dense"),
        Kernel(keras.layers.Dense(3, use_bias=False), "dense"),
        Kernel(f"{layers}:Conv2D", "convolution", options=_made(kernel_size=[3, 2], strides=[2, 1])),
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
        # x + softplus(-2 x) - log 2 is -inf + inf.
        Kernel("keras.losses:log_cosh", "log_cosh_loss:reduction=row_mean", "special-value"),
        # Keras has the loss -cosine, and clips both arguments of a divergence to [1e-7, 1].
        Kernel("keras.losses:cosine_similarity", "cosine_similarity", "formula"),
        Kernel("keras.losses:kl_divergence", "kl_divergence:reduction=row", "formula"),
        # From logits too it clips a sigmoid to [1e-7, 1 - 1e-7].
        Kernel("keras.losses:binary_focal_crossentropy", "focal_loss:reduction=row_mean", "formula", logits),
        Kernel(EpsilonOutside, "layer_norm", "formula"),
        Kernel(SampleVariance, "layer_norm", "formula"),
        Kernel(TransposedWhereSquare, "dense", "formula", {"shapes": {"x": (3, 4), "weight": (4, 4), "bias": (4,)}}),
        Kernel(f"{layers}:Softmax", "softmax", "formula", _made(axis=0)),
    ]


def numpy_kernels() -> list[Kernel]:
    """Functions of NumPy arrays, and broken ones."""

    def logsumexp(x: Any) -> Any:
        """Overflow."""
        return np.log(np.sum(np.exp(x), dtype=x.dtype))

    def one_pass(x: Any) -> Any:
        """E[x²] - E[x]²."""
        return np.mean(x * x) - np.mean(x) ** 2

    def of_columns(x: Any) -> Any:
        """Normalise along the other axis."""
        e = np.exp(x - x.max(0))
        return e / e.sum(0)

    found = [
        Kernel(f"numpy:{name}", spec, options={"dtype": dtype})
        for dtype in ("float32", "float64")
        for name, spec in (
            ("var", "variance:axis=0,keepdims=true"),
            ("matmul", "matmul"),
            ("einsum", 'einsum:equation="ij,jk,kl->il"'),
            ("cumsum", "cumsum:axis=1"),
            ("sum", "sum:axis=[0,1]"),
        )
    ]
    return [
        *found,
        Kernel("numpy:linalg.norm", "norm", options={"dtype": "float64"}),
        # The squares of subnormal numbers are 0.
        Kernel("numpy:linalg.norm", "norm", "rounding"),
        Kernel("numpy:var", "variance:estimate=sample", "formula"),
        Kernel(logsumexp, "logsumexp", "overflow"),
        Kernel(one_pass, "variance", "rounding"),
        Kernel(of_columns, "softmax", "formula"),
    ]


def scipy_kernels() -> list[Kernel]:
    """Functions of SciPy."""
    import scipy.special

    def huber(prediction: Any, label: Any, delta: float) -> Any:
        """scipy.special.huber takes the difference."""
        return scipy.special.huber(prediction.dtype.type(delta), prediction - label)

    special, along = "scipy.special", _bound(axis=-1)
    found = [
        Kernel(subject, spec, options={**options, "dtype": dtype})
        for dtype in ("float32", "float64")
        for subject, spec, options in (
            (f"{special}:softmax", "softmax", along),
            (f"{special}:log_softmax", "log_softmax", {}),
            (f"{special}:logsumexp", "logsumexp:axis=-1", {}),
            (f"{special}:expit", "sigmoid", {}),
            (f"{special}:log_expit", "log_sigmoid", {}),
            (f"{special}:entr", "entr", {}),
            (huber, "huber_loss", {}),
        )
    ]
    return [
        *found,
        # Its default is the softmax of all entries; and it has no binary16 of its own.
        Kernel(f"{special}:softmax", "softmax", "formula"),
        Kernel(f"{special}:expit", "sigmoid", "type", {"dtype": "float16"}),
    ]


LIBRARIES = {
    "torch": torch_kernels,
    "flax": flax_kernels,
    "keras": keras_kernels,
    "numpy": numpy_kernels,
    "scipy": scipy_kernels,
}


def facts(kernel: Kernel) -> dict[str, Any]:
    """Return the verdict, and whether the witness, run by itself, gives what was found."""
    result = examine(kernel.subject, kernel.spec, **kernel.options)
    shown = None
    if result.witness is not None and result.kind != "type" and not result.finding.output.startswith("cotangent"):
        namespace: dict[str, Any] = {}
        bare = getattr(kernel.subject, "__name__", "subject")
        exec(result.witness.code, {bare: kernel.subject, "subject": kernel.subject}, namespace)
        got = float(np.asarray(namespace["got"], np.float64)[result.finding.position])
        shown = bool(np.array_equal(got, result.finding.got, equal_nan=True))
    return {
        "kernel": str(kernel),
        "expected": kernel.kind,
        "verdict": result.verdict,
        "kind": result.kind,
        "carried": sum(result.carried.values()),
        "shown": shown,
        "text": str(result),
    }


if __name__ == "__main__":
    print(json.dumps([facts(kernel) for kernel in LIBRARIES[sys.argv[1]]()]))
