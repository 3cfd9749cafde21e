"""Modules of flax.linen and flax.nnx, and broken modules of both."""

from typing import Any

from library_kernel import Kernel, made


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
    exact_sums = made(**slow)
    conv = "convolution:stride=[2,1],padding=[[1,1],[0,2]],dilation=[1,2],groups=2"
    return [
        Kernel("flax.linen:LayerNorm", "layer_norm", options=exact_sums),
        Kernel(linen.LayerNorm(use_bias=False, use_fast_variance=False), "layer_norm"),
        Kernel("flax.linen:RMSNorm", "rms_norm"),
        Kernel("flax.linen:GroupNorm", "group_norm:groups=2", options=made(**slow, num_groups=2)),
        Kernel("flax.linen:InstanceNorm", "instance_norm", options=exact_sums),
        Kernel("flax.linen:Dense", "dense"),
        Kernel(linen.Dense(3), "dense"),
        Kernel("flax.linen:Conv", conv, options=made(kernel_size=[3, 2])),
        Kernel("flax.linen:Embed", "embedding"),
        Kernel("flax.linen:BatchNorm", "batch_norm:mode=train,running_variance=population", options=exact_sums),
        Kernel("flax.linen:BatchNorm", "batch_norm:mode=eval"),
        Kernel("flax.linen:softmax", "softmax"),
        Kernel("flax.nnx:LayerNorm", "layer_norm", options=exact_sums),
        Kernel(nnx.LayerNorm(7, use_fast_variance=False, rngs=nnx.Rngs(0)), "layer_norm"),
        Kernel("flax.nnx:RMSNorm", "rms_norm"),
        Kernel("flax.nnx:GroupNorm", "group_norm:groups=2", options=made(**slow, num_groups=2)),
        Kernel("flax.nnx:Linear", "dense"),
        Kernel("flax.nnx:Conv", "convolution", options=made(kernel_size=[3], padding=[[1, 2]], strides=[2])),
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
