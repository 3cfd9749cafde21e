"""Modules and functions of torch, and broken modules."""

from typing import Any

from library_kernel import Kernel, bound, made


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
        Kernel(f"{nn}:LayerNorm", "layer_norm", options=made(normalized_shape=5)),
        Kernel(torch.nn.LayerNorm(7, elementwise_affine=False), "layer_norm"),
        Kernel(f"{nn}:Linear", "dense"),
        Kernel(torch.nn.Linear(3, 4, bias=False), "dense"),
        Kernel(f"{nn}:Softmax", "softmax", options=made(dim=-1)),
        Kernel(f"{nn}:RMSNorm", "rms_norm"),
        Kernel(f"{nn}:RMSNorm", "rms_norm:axes=2"),
        Kernel(f"{nn}:GroupNorm", "group_norm"),
        Kernel(f"{nn}:InstanceNorm1d", "instance_norm", options=made(affine=True)),
        Kernel(f"{nn}:Conv1d", "convolution"),
        Kernel(f"{nn}:Conv2d", "convolution:stride=[2,1],padding=[[1,1],[0,0]],dilation=[1,2],groups=2"),
        Kernel(f"{nn}:Embedding", "embedding"),
        Kernel(f"{nn}:MaxPool2d", "max_pool", options=made(**windows)),
        Kernel(f"{nn}:AvgPool2d", "average_pool", options=made(**windows, count_include_pad=False)),
        Kernel(f"{nn}:BatchNorm1d", "batch_norm:mode=train"),
        Kernel(f"{nn}:BatchNorm1d", "batch_norm:mode=eval"),
        Kernel(f"{nn}:ReLU", "relu"),
        Kernel(f"{nn}:ELU", "elu"),
        Kernel(f"{nn}:Mish", "mish"),
        Kernel(f"{nn}:Softplus", "softplus"),
        Kernel(f"{nn}:CrossEntropyLoss", "softmax_cross_entropy_integer:axis=1"),
        Kernel(f"{nn}:CrossEntropyLoss", "softmax_cross_entropy:axis=1", options=made(reduction="none")),
        Kernel(f"{nn}:KLDivLoss", "kl_divergence", options=made(reduction="batchmean", log_target=True)),
        Kernel(f"{nn}:HuberLoss", "huber_loss"),
        Kernel(f"{nn}:PoissonNLLLoss", "poisson_nll"),
        Kernel(f"{nn}:GaussianNLLLoss", "gaussian_nll:full=true"),
        Kernel(f"{nn}:CosineSimilarity", "cosine_similarity"),
        Kernel(f"{functional}:softmax", "softmax", options=bound(dim=-1)),
        Kernel(f"{functional}:layer_norm", "layer_norm", options={"dtype": "bfloat16"}),
        Kernel(f"{functional}:cross_entropy", "cross_entropy", options=bound(reduction="sum")),
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
        Kernel(f"{nn}:Softmax", "softmax", "formula", made(dim=0)),
        Kernel(f"{nn}:BatchNorm1d", "batch_norm:mode=train,running_variance=population", "formula"),
        Kernel(f"{nn}:AvgPool2d", "average_pool:divisor=window", "formula", made(**windows, count_include_pad=False)),
    ]
