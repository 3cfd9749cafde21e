"""Descriptions of functions of arrays."""

from lenticulum.terms.operations.convolution import Convolution, TransposedConvolution
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
from lenticulum.terms.operations.softmax import LogSumExp

__all__ = [
    "AdaptiveAveragePool",
    "Attention",
    "AveragePool",
    "Convolution",
    "CumulativeSum",
    "Dot",
    "Einsum",
    "Embedding",
    "GroupNorm",
    "InstanceNorm",
    "L2Normalize",
    "LogSumExp",
    "Matmul",
    "MaxPool",
    "Mean",
    "Norm",
    "Operation",
    "Product",
    "RmsNorm",
    "RotaryPositions",
    "SinusoidalPositions",
    "Sum",
    "TransposedConvolution",
    "Variance",
]
