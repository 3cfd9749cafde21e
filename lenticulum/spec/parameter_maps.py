"""What the parameter maps mean, exactly: plain functions from the new parameters to the old ones."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lenticulum import terms
from lenticulum.numbers import ExactArray, sqrt
from lenticulum.spec.reparametrise import parameter_map
from lenticulum.terms import Path, Tree
from lenticulum.terms.reparametrisations import filled, split


@parameter_map(terms.IdentityMap)
def identity(parameters: Tree) -> Tree:
    """Return the parameters."""
    return parameters


@parameter_map(terms.Tie)
def tied(parameters: Tree, *, groups: tuple[tuple[str, ...], ...], shapes: Tree) -> Tree:
    """Return Delta(parameters): every follower is the first of its group.

    The reverse derivative of reading one leaf twice is the sum of both cotangents.
    """
    firsts = {split(follower): split(first) for first, *followers in groups for follower in followers}

    def leaf(path: Path) -> Any:
        for follower, first in firsts.items():
            if path[: len(follower)] == follower:
                return parameters.at((*first, *path[len(follower) :]))
        return parameters.at(path)

    return filled(shapes, leaf)


@parameter_map(terms.Freeze)
def thawed(parameters: Tree, *, frozen: Tree, shapes: Tree) -> Tree:
    """Return the whole parameter tree, the frozen leaves taken from the state."""
    where = set(frozen.paths())
    return filled(shapes, lambda path: frozen.at(path) if path in where else parameters.at(path))


@parameter_map(terms.Symmetric)
def symmetric_at(parameters: Tree, *, paths: tuple[str, ...]) -> Tree:
    """Return the parameters with `symmetric` at every path."""
    return replaced(parameters, paths, symmetric)


@parameter_map(terms.LowRank)
def low_rank_at(parameters: Tree, *, paths: tuple[str, ...], scale: Fraction, frozen: Tree) -> Tree:
    """Return the parameters with `low_rank` at every path; the base is a constant, or a parameter there."""
    for path in map(split, paths):
        factors = parameters.at(path)
        base = factors.base if "base" in factors else frozen.at(path)
        parameters = parameters.with_leaf(path, low_rank(base, factors.left, factors.right, scale=scale))
    return parameters


@parameter_map(terms.WeightNorm)
def weight_norm_at(parameters: Tree, *, paths: tuple[str, ...]) -> Tree:
    """Return the parameters with `weight_norm` at every path."""
    return replaced(parameters, paths, lambda entry: weight_norm(entry.gain, entry.direction))


def symmetric(weight: ExactArray) -> ExactArray:
    """Return (W + Wᵀ) / 2.

    Values that determine the result: weight [n, n]. Pure.
    Laws: the result is symmetric; idempotent; the reverse derivative is the map itself.
    """
    return (weight + weight.T) / 2


def low_rank(base: ExactArray, left: ExactArray, right: ExactArray, *, scale: Fraction) -> ExactArray:
    """Return W0 + scale A B.

    Values that determine the result: base [rows, columns], left [rows, rank], right [rank, columns], scale. Pure.
    Laws: (A G, G⁻¹ B) gives the same for every invertible G. Source: Hu et al. 2021, arXiv:2106.09685, section 4.1.
    """
    return base + scale * (left @ right)


def weight_norm(gain: ExactArray, direction: ExactArray) -> ExactArray:
    """Return the matrix with the rows gᵢ vᵢ / |vᵢ|.

    Values that determine the result: gain [rows], direction [rows, columns] without a zero row. Pure.
    Laws: row i has the length |gᵢ|; k v gives the same for every k > 0.
    Source: Salimans and Kingma 2016, arXiv:1602.07868, equation 2.
    """
    length = sqrt((direction * direction).sum(axis=-1, keepdims=True))
    return gain[:, None] * direction / length


def replaced(parameters: Tree, paths: tuple[str, ...], function: Callable[[Any], ExactArray]) -> Tree:
    """Return the parameters with a function applied to the entry at every dotted path.

    >>> replaced(Tree(a=Tree(b=1)), ("a.b",), lambda entry: entry + 1)
    Tree(a=Tree(b=2))
    """
    for path in map(split, paths):
        parameters = parameters.with_leaf(path, function(parameters.at(path)))
    return parameters
