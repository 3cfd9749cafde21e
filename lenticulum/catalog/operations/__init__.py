"""The rows of the functions of arrays, one file for each family."""

from lenticulum.catalog.operations import convolution as _convolution
from lenticulum.catalog.operations import cross_entropy as _cross_entropy
from lenticulum.catalog.operations import losses as _losses
from lenticulum.catalog.operations import norms as _norms
from lenticulum.catalog.operations import pooling as _pooling
from lenticulum.catalog.operations import reductions as _reductions
from lenticulum.catalog.operations import sequence as _sequence
from lenticulum.catalog.operations import softmax as _softmax

#: The files of rows, in the order in which `names` lists them.
ROWS = (
    _softmax,
    _losses,
    _cross_entropy,
    _reductions,
    _norms,
    _convolution,
    _pooling,
    _sequence,
)

__all__ = ["ROWS"]
