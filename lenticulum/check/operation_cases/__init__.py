"""Inputs of functions of arrays, one file for each family: an edge lattice and mixed random data."""

from lenticulum.check.operation_cases import softmax as softmax
from lenticulum.check.operation_cases.registry import operation_cases

__all__ = ["operation_cases"]
