"""What functions of arrays mean, exactly: meanings, shifted forms and laws."""

from lenticulum.spec.operations.attention import attention
from lenticulum.spec.operations.convolution import convolution, transposed_convolution
from lenticulum.spec.operations.norms import (
    group_norm,
    instance_norm,
    l2_normalize,
    rms_norm,
)
from lenticulum.spec.operations.pooling import adaptive_average_pool, average_pool, max_pool
from lenticulum.spec.operations.products import dot, einsum, matmul
from lenticulum.spec.operations.reductions import (
    cumsum,
    mean,
    norm,
    product,
    sum,
    variance,
)
from lenticulum.spec.operations.sequence import embedding, rotary_positions, sinusoidal_positions
from lenticulum.spec.operations.softmax import logsumexp

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
