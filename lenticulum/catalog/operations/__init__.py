"""The rows of the functions of arrays, one file for each family."""

from lenticulum.catalog.operations import softmax as _softmax

#: The files of rows, in the order in which `names` lists them.
ROWS = (_softmax,)

__all__ = ["ROWS"]
