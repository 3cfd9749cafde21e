"""The fast meanings of functions of arrays."""

from lenticulum.fast.operations.attention import attention
from lenticulum.fast.operations.convolution import convolution, transposed_convolution
from lenticulum.fast.operations.cross_entropy import (
    focal_loss,
    kl_divergence,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    softmax_cross_entropy_integer,
)
from lenticulum.fast.operations.losses import (
    absolute_loss,
    cosine_similarity,
    gaussian_nll,
    hinge_loss,
    huber_loss,
    log_cosh_loss,
    poisson_nll,
    smooth_l1_loss,
)
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
from lenticulum.fast.operations.softmax import glu, log_softmax, logsumexp, standardize

__all__ = [
    "absolute_loss",
    "adaptive_average_pool",
    "attention",
    "average_pool",
    "convolution",
    "cosine_similarity",
    "cumsum",
    "dot",
    "einsum",
    "embedding",
    "focal_loss",
    "gaussian_nll",
    "glu",
    "group_norm",
    "hinge_loss",
    "huber_loss",
    "instance_norm",
    "kl_divergence",
    "l2_normalize",
    "log_cosh_loss",
    "log_softmax",
    "logsumexp",
    "matmul",
    "max_pool",
    "mean",
    "norm",
    "poisson_nll",
    "product",
    "rms_norm",
    "rotary_positions",
    "sigmoid_cross_entropy",
    "sinusoidal_positions",
    "smooth_l1_loss",
    "softmax_cross_entropy",
    "softmax_cross_entropy_integer",
    "standardize",
    "sum",
    "transposed_convolution",
    "variance",
]
