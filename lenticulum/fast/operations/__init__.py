"""The fast meanings of functions of arrays."""

from lenticulum.fast.operations.attention import attention
from lenticulum.fast.operations.convolution import convolution, transposed_convolution
from lenticulum.fast.operations.norms import (
    group_norm,
    instance_norm,
    l2_normalize,
    rms_norm,
)
from lenticulum.fast.operations.pooling import adaptive_average_pool, average_pool, max_pool
from lenticulum.fast.operations.products import dot, einsum, matmul
from lenticulum.fast.operations.reductions import (
    cumsum,
    mean,
    norm,
    product,
    sum,
    variance,
)
from lenticulum.fast.operations.sequence import embedding, rotary_positions, sinusoidal_positions
from lenticulum.fast.operations.softmax import logsumexp

__all__ = [
    "adaptive_average_pool",
    "attention",
    "average_pool",
    "convolution",
    "cumsum",
    "dot",
    "einsum",
    "embedding",
    "group_norm",
    "instance_norm",
    "l2_normalize",
    "logsumexp",
    "matmul",
    "max_pool",
    "mean",
    "norm",
    "product",
    "rms_norm",
    "rotary_positions",
    "sinusoidal_positions",
    "sum",
    "transposed_convolution",
    "variance",
]
