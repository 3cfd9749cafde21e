"""What the parameter maps mean in JAX: plain functions from the new parameters to the old ones."""

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import times
from lenticulum.fast.reparametrise import parameter_map
from lenticulum.terms.exact import Number
from lenticulum.terms.map_algebra import IdentityMap
from lenticulum.terms.parameter_maps import LowRank, Symmetric, WeightNorm
from lenticulum.terms.reparametrisations import Freeze, Tie, filled, split
from lenticulum.terms.tree import Path, Tree


@parameter_map(IdentityMap)
def unchanged(parameters: Tree) -> Tree:
    """Return the parameters.

    >>> unchanged(Tree(a=1.0))
    Tree(a=1.0)
    """
    return parameters


@parameter_map(Tie)
def tied(parameters: Tree, *, groups: tuple[tuple[str, ...], ...], shapes: Tree) -> Tree:
    """Return the parameters with every follower equal to the first of its group.

    >>> tied(Tree(a=1.0), groups=(("a", "b"),), shapes=Tree(a=(), b=()))
    Tree(a=1.0, b=1.0)
    """
    # The reverse derivative of reading one leaf twice is the sum, which jax.vjp supplies.
    first_of = {split(follower): split(first) for first, *rest in groups for follower in rest}

    def leaf(path: Path) -> Any:
        for follower, first in first_of.items():
            if path[: len(follower)] == follower:
                return parameters.at((*first, *path[len(follower) :]))
        return parameters.at(path)

    return filled(shapes, leaf)


@parameter_map(Freeze)
def thawed(parameters: Tree, *, frozen: Tree, shapes: Tree) -> Tree:
    """Return the whole parameter tree, the frozen leaves taken from the state.

    >>> thawed(Tree(a=1.0), frozen=Tree(b=2.0), shapes=Tree(a=(), b=()))
    Tree(a=1.0, b=2.0)
    """
    where = set(frozen.paths())
    return filled(shapes, lambda path: frozen.at(path) if path in where else parameters.at(path))


@parameter_map(Symmetric)
def symmetric_at(parameters: Tree, *, paths: tuple[str, ...]) -> Tree:
    """Return the parameters with `symmetric` at every path.

    >>> symmetric_at(Tree(weight=jnp.array([[1.0, 2.0], [4.0, 5.0]])), paths=("weight",)).weight.tolist()
    [[1.0, 3.0], [3.0, 5.0]]
    """
    return replaced(parameters, paths, symmetric)


@parameter_map(LowRank)
def low_rank_at(parameters: Tree, *, paths: tuple[str, ...], scale: Number, frozen: Tree) -> Tree:
    """Return the parameters with `low_rank` at every path; the base is a constant, or a parameter beside the factors.

    >>> factors = Tree(left=jnp.ones((2, 1)), right=jnp.ones((1, 1)))
    >>> base = Tree(weight=jnp.ones((2, 1)))
    >>> low_rank_at(Tree(weight=factors), paths=("weight",), scale=3, frozen=base).weight.tolist()
    [[4.0], [4.0]]
    """
    for path in map(split, paths):
        factors = parameters.at(path)
        base = factors.base if "base" in factors else frozen.at(path)
        parameters = parameters.with_leaf(path, low_rank(base, factors.left, factors.right, scale=scale))
    return parameters


@parameter_map(WeightNorm)
def weight_norm_at(parameters: Tree, *, paths: tuple[str, ...]) -> Tree:
    """Return the parameters with `weight_norm` at every path.

    >>> entry = Tree(gain=jnp.array([10.0]), direction=jnp.array([[3.0, 4.0]]))
    >>> weight_norm_at(Tree(weight=entry), paths=("weight",)).weight.tolist()
    [[6.0, 8.0]]
    """
    return replaced(parameters, paths, lambda entry: weight_norm(entry.gain, entry.direction))


def symmetric(weight: Float[Array, "n n"]) -> Float[Array, "n n"]:
    """Return the symmetric part of a matrix.

    y = (W + Wᵀ) / 2.

    >>> symmetric(jnp.array([[0.0, 2.0], [0.0, 0.0]])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return (weight + weight.T) / 2


def low_rank(
    base: Float[Array, "rows columns"],
    left: Float[Array, "rows rank"],
    right: Float[Array, "rank columns"],
    *,
    scale: Number,
) -> Float[Array, "rows columns"]:
    """Return a base and a product of low rank.

    y = W0 + scale A B.

    Source: Hu et al. 2021, arXiv:2106.09685, section 4.1.

    >>> low_rank(jnp.zeros((1, 1)), jnp.full((1, 2), 3.0), jnp.ones((2, 1)), scale="1/2").tolist()
    [[3.0]]
    """
    return base + times(scale, left @ right, "scale")


def weight_norm(gain: Float[Array, " rows"], direction: Float[Array, "rows columns"]) -> Float[Array, "rows columns"]:
    """Return the matrix whose rows have the lengths `gain` and the directions `direction`.

    yᵢ = gᵢ vᵢ / |vᵢ|.

    A row of zeros has no direction and gives NaN.
    Source: Salimans and Kingma 2016, arXiv:1602.07868, equation 2.

    >>> weight_norm(jnp.array([5.0]), jnp.array([[0.0, 2.0]])).tolist()
    [[0.0, 5.0]]
    """
    length = jnp.sqrt(jnp.square(direction).sum(axis=-1, keepdims=True))
    return jnp.broadcast_to(gain[:, None], direction.shape) * direction / jnp.broadcast_to(length, direction.shape)


def replaced(parameters: Tree, paths: tuple[str, ...], function: Callable[[Any], Any]) -> Tree:
    """Return the parameters with a function applied to the entry at every dotted path.

    >>> replaced(Tree(a=Tree(b=1)), ("a.b",), lambda entry: entry + 1)
    Tree(a=Tree(b=2))
    """
    for path in map(split, paths):
        parameters = parameters.with_leaf(path, function(parameters.at(path)))
    return parameters
