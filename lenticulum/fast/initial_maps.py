"""How reparametrised terms start: the new parameters and the constants of a map, from drawn parameters of its term."""

from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

from lenticulum.fast.keys import Key, key_at
from lenticulum.fast.meaning import exact_row
from lenticulum.terms.map_algebra import ComposedMap, IdentityMap, PartwiseMap
from lenticulum.terms.parameter_maps import LowRank, Symmetric, WeightNorm
from lenticulum.terms.reparametrisations import Freeze, ParameterMap, Tie, picked, split
from lenticulum.terms.tree import Tree

#: From the map, a key and drawn parameters of the term: the new parameters and the constants.
Start = Callable[[Any, Key, Tree], tuple[Tree, Tree]]
Declared = TypeVar("Declared", bound=Start)

STARTS: dict[type[ParameterMap], Start] = {}


def initial_map(kind: type[ParameterMap]) -> Callable[[Declared], Declared]:
    """Declare how a parameter map starts.

    Arguments: `kind`: the exact type of the map.
    Returns: a decorator for a function (map, key, drawn) -> (new parameters, constants), where `drawn` are initial
    parameters of the term; it returns the function unchanged.
    """

    def declare(start: Declared) -> Declared:
        STARTS[kind] = start
        return start

    return declare


def initial_of(by: ParameterMap, key: Key, drawn: Tree, state: Tree) -> tuple[Tree, Tree]:
    """Return the new parameters and the state of the whole, from initial parameters and states of the term.

    Raises: TypeError for a map without a row of its own.
    """
    if isinstance(by, ComposedMap):
        for part in reversed(by.maps):
            drawn, state = initial_of(part, key, drawn, state)
        return drawn, state
    if isinstance(by, PartwiseMap):
        for name, part in by.parts().items():
            inside, of_part = initial_of(part, key_at(key, (name,)), drawn[name], state[name])
            drawn, state = drawn.with_entries(**{name: inside}), state.with_entries(**{name: of_part})
        return drawn, state
    parameters, frozen = exact_row(STARTS, type(by), "start of a parameter map")(by, key, drawn)
    return parameters, Tree(frozen=frozen, inner=state) if len(frozen) else state


@initial_map(IdentityMap)
@initial_map(Symmetric)
def as_drawn(by: ParameterMap, key: Key, drawn: Tree) -> tuple[Tree, Tree]:
    """Start from the drawn parameters.

    >>> as_drawn(IdentityMap(), jax.random.key(0), Tree(a=1.0))
    (Tree(a=1.0), Tree())
    """
    return drawn, Tree()


@initial_map(Tie)
def first_of_each(by: Tie, key: Key, drawn: Tree) -> tuple[Tree, Tree]:
    """Start a tied parameter as the first member of its group.

    >>> first_of_each(Tie((("a", "b"),)), jax.random.key(0), Tree(a=1.0, b=2.0))
    (Tree(a=1.0), Tree())
    """
    for follower in by.followers():
        drawn = drawn.without(split(follower))
    return drawn, Tree()


@initial_map(Freeze)
def frozen_as_drawn(by: Freeze, key: Key, drawn: Tree) -> tuple[Tree, Tree]:
    """Freeze the drawn values.

    >>> frozen_as_drawn(Freeze(("a",)), jax.random.key(0), Tree(a=1.0, b=2.0))
    (Tree(b=2.0), Tree(a=1.0))
    """
    frozen = picked(drawn, by.paths)
    for path in by.paths:
        drawn = drawn.without(split(path))
    return drawn, frozen


@initial_map(LowRank)
def nothing_added(by: LowRank, key: Key, drawn: Tree) -> tuple[Tree, Tree]:
    """Start at the base: A = 0, and B standard normal over the square root of the rank, from the key of its path.

    Source: Hu et al. 2021, arXiv:2106.09685, section 4.1: one factor random Gaussian, the other zero.

    >>> start, frozen = nothing_added(LowRank(("w",), 2), jax.random.key(0), Tree(w=jnp.ones((3, 1))))
    >>> start.w.left.shape, start.w.right.shape, frozen.w.tolist()
    ((3, 2), (2, 1), [[1.0], [1.0], [1.0]])
    """
    frozen = Tree()
    for path in map(split, by.paths):
        base = drawn.at(path)
        rows, columns = base.shape
        spread = jnp.sqrt(jnp.asarray(by.rank, base.dtype))
        right = jax.random.normal(key_at(key, (*path, "right")), (by.rank, columns), base.dtype) / spread
        beside = {"base": base} if by.base == "parameter" else {}
        drawn = drawn.with_leaf(path, Tree({**beside, "left": jnp.zeros((rows, by.rank), base.dtype), "right": right}))
        frozen = frozen if beside else frozen.with_leaf(path, base)
    return drawn, frozen


@initial_map(WeightNorm)
def same_matrix(by: WeightNorm, key: Key, drawn: Tree) -> tuple[Tree, Tree]:
    """Start at the drawn matrix: its rows are the directions, their lengths the gains.

    >>> start, _ = same_matrix(WeightNorm(("w",)), jax.random.key(0), Tree(w=jnp.array([[3.0, 4.0]])))
    >>> start.w.gain.tolist()
    [5.0]
    """
    for path in map(split, by.paths):
        weight = drawn.at(path)
        gain = jnp.sqrt(jnp.square(weight).sum(axis=-1))
        drawn = drawn.with_leaf(path, Tree(gain=gain, direction=weight))
    return drawn, Tree()
