"""The containers: the equation of each, in which the fields that hold terms are maps to be called."""

from typing import Any

from lenticulum import terms
from lenticulum.fast.arithmetic import maximum
from lenticulum.fast.meaning import meaning
from lenticulum.fast.parts import Map
from lenticulum.terms.tree import Tree

Maps = tuple[Map, ...]


@meaning(terms.Parallel)
def parallel(x: Any, *, connection: Map | None, parts: Maps) -> Any:
    """Return c(l_1(x_1), ..., l_n(x_n)); if x is one array, every x_i is x.

    >>> parallel(3, connection=sum, parts=(abs, float))
    6.0
    """
    outputs = tuple(layer(each) for layer, each in zip(parts, inputs(x, len(parts)), strict=True))
    return outputs if connection is None else connection(outputs)


@meaning(terms.Branch)
def branch(x: Any, *, parts: Maps, fusion: Map | None) -> Any:
    """Return c(l_1(x), ..., l_n(x)).

    >>> branch(3, parts=(abs, float), fusion=None)
    (3, 3.0)
    """
    outputs = tuple(layer(x) for layer in parts)
    return outputs if fusion is None else fusion(outputs)


@meaning(terms.Skip)
def skip(x: Any, *, term: Map, connection: Map) -> Any:
    """Return c(l(x), x).

    >>> skip(-3, term=abs, connection=sum)
    0
    """
    return connection((term(x), x))


@meaning(terms.PairwiseFusion)
def pairwise_fusion(x: Any, *, connection: Map, parts: Maps) -> Any:
    """Return y_n, where y_0 = x_1 and y_i = c(x_(i+1), l_i(y_(i-1))); if x is one array, every x_i is x.

    >>> pairwise_fusion((-1, 10), connection=sum, parts=(abs,))
    11
    """
    fused, *others = inputs(x, len(parts) + 1)
    for layer, other in zip(parts, others, strict=True):
        fused = connection((other, layer(fused)))
    return fused


@meaning(terms.Maxout)
def maxout(x: Any, *, parts: Maps) -> Any:
    """Return max(l_1(x), ..., l_n(x)), entry by entry.

    >>> import jax.numpy as jnp
    >>> float(maxout(jnp.array(-3.0), parts=(jnp.abs, jnp.exp)))
    3.0
    """
    return maximum(Tree(), tuple(layer(x) for layer in parts))


def inputs(x: Any, number: int) -> tuple[Any, ...]:
    """Return x_1, ..., x_n: the entries of a tuple, or one array n times.

    >>> inputs((1, 2), 2), inputs(1, 2)
    ((1, 2), (1, 1))
    """
    return x if isinstance(x, tuple) else (x,) * number
