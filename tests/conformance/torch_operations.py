"""What torch computes for windows, embedding and attention on fixed inputs, as a program that prints JSON."""

import json
from typing import Any

import numpy as np
import torch
from torch.nn import functional

RANDOM = np.random.default_rng(2026)


def array(*shape: int) -> torch.Tensor:
    """Numbers of binary32 of both signs, some of them far larger."""
    numbers = RANDOM.normal(size=shape) * RANDOM.choice([1.0, 1.0, 30.0], size=shape)
    return torch.tensor(numbers.astype(np.float32))


def ties(*shape: int) -> torch.Tensor:
    """Small whole numbers, so that the largest often occurs twice."""
    return torch.tensor(RANDOM.integers(-2, 3, shape).astype(np.float32))


def called(function: Any, arrays: list[torch.Tensor], **fields: Any) -> dict[str, Any]:
    """The arrays, the value, and the gradients of sum(cotangent * value) in the arrays of floats."""
    floats = [each.requires_grad_() if each.dtype == torch.float32 else each for each in arrays]
    y = function(*floats, **fields)
    cotangent = torch.tensor(RANDOM.integers(-3, 4, y.shape).astype(np.float32))
    wanted = [each for each in floats if each.dtype == torch.float32]
    gradients = torch.autograd.grad(y, wanted, cotangent)
    return {
        "arrays": [each.tolist() for each in floats],
        "y": y.tolist(),
        "cotangent": cotangent.tolist(),
        "gradients": [each.tolist() for each in gradients],
    }


def results() -> dict[str, dict[str, Any]]:
    """One call of each function, by the name of a term in `test_torch_operations`."""
    attend = functional.scaled_dot_product_attention
    mask = torch.tensor([[True, False, True], [False, True, True], [False, False, False]])
    ids = torch.tensor([[3, 0], [1, 3]])
    conv = {"stride": (2, 1), "padding": (1, 2), "dilation": (1, 2), "groups": 2}
    return {
        "conv1d": called(functional.conv1d, [array(2, 2, 6), array(3, 2, 3), array(3)], stride=2, padding=1),
        "conv2d": called(functional.conv2d, [array(2, 4, 5, 4), array(6, 2, 3, 2), array(6)], **conv),
        "conv3d": called(functional.conv3d, [array(1, 2, 3, 4, 2), array(2, 2, 2, 3, 1)], stride=(1, 2, 1)),
        "conv_transpose2d": called(
            functional.conv_transpose2d, [array(2, 4, 3, 2), array(4, 3, 3, 2), array(6)], output_padding=(1, 0), **conv
        ),
        "max_pool2d": called(functional.max_pool2d, [ties(2, 5, 6)], kernel_size=(2, 3), stride=(2, 1), padding=(1, 1)),
        "avg_pool2d": called(
            functional.avg_pool2d, [array(2, 5, 6)], kernel_size=(2, 3), stride=(2, 1), padding=(1, 1)
        ),
        "avg_pool2d inside": called(
            functional.avg_pool2d, [array(2, 5, 6)], kernel_size=(2, 3), stride=2, padding=1, count_include_pad=False
        ),
        "adaptive_avg_pool2d": called(functional.adaptive_avg_pool2d, [array(2, 5, 7)], output_size=(3, 2)),
        "embedding": called(functional.embedding, [ids, ties(4, 3)]),
        "attention": called(attend, [array(2, 3, 4), array(2, 5, 4), array(2, 5, 3)]),
        "attention causal": called(attend, [array(2, 4, 4), array(2, 3, 4), array(2, 3, 3)], is_causal=True),
        "attention mask": called(attend, [array(2, 3, 4), array(2, 3, 4), array(2, 3, 4)], attn_mask=mask, scale=0.375),
        "attention shared": called(attend, [array(1, 4, 2, 3), array(1, 2, 3, 3), array(1, 2, 3, 3)], enable_gqa=True),
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(json.dumps(results()))
