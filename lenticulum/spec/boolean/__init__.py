"""Boolean functions: formal polynomials over Z/2, algebraic normal forms, truth tables, and circuits with reverses."""

from lenticulum.spec.boolean.anf import Anf, lifted, reduce
from lenticulum.spec.boolean.ascent import ascend, ascent_step
from lenticulum.spec.boolean.circuit import Circuit, beside, chain, multiplexer
from lenticulum.spec.boolean.table import Table, evaluate, interpolate, table

__all__ = [
    "Anf",
    "Circuit",
    "Table",
    "ascend",
    "ascent_step",
    "beside",
    "chain",
    "evaluate",
    "interpolate",
    "lifted",
    "multiplexer",
    "reduce",
    "table",
]
