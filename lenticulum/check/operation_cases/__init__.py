"""Inputs of functions of arrays, one file for each family: an edge lattice and mixed random data."""

from lenticulum.check.operation_cases import convolution as convolution
from lenticulum.check.operation_cases import cross_entropy as cross_entropy
from lenticulum.check.operation_cases import losses as losses
from lenticulum.check.operation_cases import norms as norms
from lenticulum.check.operation_cases import pooling as pooling
from lenticulum.check.operation_cases import reductions as reductions
from lenticulum.check.operation_cases import sequence as sequence
from lenticulum.check.operation_cases import softmax as softmax
from lenticulum.check.operation_cases.registry import operation_cases

__all__ = ["operation_cases"]
