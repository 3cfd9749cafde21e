"""What a term's shapes determine without drawing anything: lengths and names."""

from math import prod

from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree


def parameterlength(term: Term) -> int:
    """Return the number of scalars in the parameters; additive over parts, no draw needed.

    >>> from lenticulum.terms import Dense, Relu
    >>> parameterlength(Dense(2, 4) >> Relu() >> Dense(4, 1))
    17
    """
    return scalars(term.parameter_shapes())


def statelength(term: Term) -> int:
    """Return the number of scalars in the state. The mode is an argument, so it does not count.

    >>> from lenticulum.terms import BatchNorm
    >>> statelength(BatchNorm(3))
    6
    """
    return scalars(term.state_shapes())


def scalars(shapes: Tree) -> int:
    """Return the number of scalars in a tree of shapes.

    >>> scalars(Tree(weight=(4, 2), bias=(4,)))
    12
    """
    return sum(prod(shape) for shape in shapes.leaves())


def display_name(term: Term) -> str:
    """Return the field `name` of a term that has one, else the name of its type.

    >>> from lenticulum.terms import Tanh
    >>> display_name(Tanh())
    'Tanh'
    """
    return str(getattr(term, "name", type(term).__name__))
