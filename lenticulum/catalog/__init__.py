"""The catalogue: name -> description, interpreters, roles, conventions and laws. One row for each definition."""

from lenticulum.catalog import activations as _activations
from lenticulum.catalog import elementwise as _elementwise
from lenticulum.catalog import layers as _layers
from lenticulum.catalog import losses as _losses
from lenticulum.catalog import operations as _operations
from lenticulum.catalog import optimizers as _optimizers
from lenticulum.catalog.entry import CATALOG, Entry, UnknownName, entry, lookup, names, nearest

#: The files of rows, in the order in which `names` lists them.
ROWS = (_activations, _elementwise, _layers, _losses, *_operations.ROWS, _optimizers)

__all__ = ["CATALOG", "ROWS", "Entry", "UnknownName", "entry", "lookup", "names", "nearest"]
