"""Descriptions of functions of arrays."""

from lenticulum.terms.operations.convolution import Convolution, TransposedConvolution
from lenticulum.terms.operations.cross_entropy import (
    FocalLoss,
    KlDivergence,
    SigmoidCrossEntropy,
    SoftmaxCrossEntropy,
    SoftmaxCrossEntropyInteger,
)
from lenticulum.terms.operations.losses import (
    AbsoluteLoss,
    CosineSimilarity,
    GaussianNll,
    HingeLoss,
    HuberLoss,
    LogCoshLoss,
    PoissonNll,
    SmoothL1Loss,
)
from lenticulum.terms.operations.norms import GroupNorm, InstanceNorm, L2Normalize, RmsNorm
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.operations.pooling import AdaptiveAveragePool, AveragePool, MaxPool
from lenticulum.terms.operations.reductions import (
    CumulativeSum,
    Dot,
    Einsum,
    Matmul,
    Mean,
    Norm,
    Product,
    Sum,
    Variance,
)
from lenticulum.terms.operations.sequence import Attention, Embedding, RotaryPositions, SinusoidalPositions
from lenticulum.terms.operations.softmax import Glu, LogSoftmax, LogSumExp, Standardize

__all__ = [
    "AbsoluteLoss",
    "AdaptiveAveragePool",
    "Attention",
    "AveragePool",
    "Convolution",
    "CosineSimilarity",
    "CumulativeSum",
    "Dot",
    "Einsum",
    "Embedding",
    "FocalLoss",
    "GaussianNll",
    "Glu",
    "GroupNorm",
    "HingeLoss",
    "HuberLoss",
    "InstanceNorm",
    "KlDivergence",
    "L2Normalize",
    "LogCoshLoss",
    "LogSoftmax",
    "LogSumExp",
    "Matmul",
    "MaxPool",
    "Mean",
    "Norm",
    "Operation",
    "PoissonNll",
    "Product",
    "RmsNorm",
    "RotaryPositions",
    "SigmoidCrossEntropy",
    "SinusoidalPositions",
    "SmoothL1Loss",
    "SoftmaxCrossEntropy",
    "SoftmaxCrossEntropyInteger",
    "Standardize",
    "Sum",
    "TransposedConvolution",
    "Variance",
]
