"""Honest bounds for functions of arrays: families of inputs, K, the running bound, T, and laws that need no oracle."""

from lenticulum.certify.arrays.family import FAMILIES as FAMILIES
from lenticulum.certify.arrays.family import Family as Family
from lenticulum.certify.arrays.kernel import certify_arrays as certify_arrays
from lenticulum.certify.arrays.result import ArrayResult as ArrayResult
