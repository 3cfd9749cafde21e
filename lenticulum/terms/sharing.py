"""Freezing and sharing on (term, parameters, state): leaves are moved, none is computed."""

from typing import Any

from lenticulum.terms.reparametrisations import Freeze, Reparametrise, filled, freeze, picked, split, tie
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree


def freeze_values(term: Term, parameters: Tree, state: Tree, *paths: str) -> tuple[Reparametrise, Tree, Tree]:
    """Return the term with the named parameters frozen at their values, and its parameters and state.

    The values move from the parameters into state.frozen, so the output is the same and no gradient has a frozen leaf.

    Args:
        term: what to freeze in; parameters, state: its trees.
        paths: dotted paths of parameters or of subtrees of parameters.
    Raises:
        ValueError: for a path that the term does not have (`freeze` of Lux ignores it).
    Laws:
        unfreeze . freeze = 1 on (term, parameters, state); equal outputs.
    Source:
        `freeze` of Lux.jl.

    >>> from lenticulum.terms import Bias
    >>> freeze_values(Bias(2) >> Bias(2), Tree(layer_1=Tree(bias="b"), layer_2=Tree(bias="c")), Tree(), "layer_1")[1]
    Tree(layer_2=Tree(bias='c'))
    """
    frozen_term = freeze(term, *paths)
    frozen = picked(parameters, paths)
    for path in paths:
        parameters = parameters.without(split(path))
    return frozen_term, parameters, Tree(frozen=frozen, inner=state)


def unfreeze(term: Term, parameters: Tree, state: Tree) -> tuple[Term, Tree, Tree]:
    """Return the term below a freeze, with the frozen values as parameters in their places again.

    Raises:
        TypeError: for a term that is not frozen.
    Laws:
        unfreeze . freeze = 1 and freeze . unfreeze = 1 on (term, parameters, state).

    >>> from lenticulum.terms import Bias
    >>> unfreeze(*freeze_values(Bias(2), Tree(bias="b"), Tree(), "bias"))
    (Bias(features=2), Tree(bias='b'), Tree())
    """
    if not (isinstance(term, Reparametrise) and isinstance(term.by, Freeze)):
        raise TypeError(f"unfreeze: expected a term made by freeze, got {type(term).__name__}")
    frozen: Tree = state.frozen
    where = set(frozen.paths())

    def value_at(path: Path) -> Any:
        return frozen.at(path) if path in where else parameters.at(path)

    return term.term, filled(term.term.parameter_shapes(), value_at), state.inner


def share_parameters(
    term: Term, parameters: Tree, *groups: tuple[str, ...], values: tuple[Any, ...] = ()
) -> tuple[Reparametrise, Tree]:
    """Return the term with the members of each group tied, and its parameters: one value for each group.

    The value is that of the first member, or the one given. `tie` is Delta, so sharing survives every later step.

    Args:
        term: what to share in; parameters: its parameters.
        groups: disjoint tuples of dotted paths with equal shapes.
        values: nothing, or one value for each group.
    Raises:
        ValueError: for unknown paths, groups that overlap, unequal shapes, or another number of values.
    Source:
        `share_parameters` of Lux.jl, which ties by object identity.

    >>> from lenticulum.terms import Bias
    >>> before = Tree(layer_1=Tree(bias="b"), layer_2=Tree(bias="c"))
    >>> share_parameters(Bias(2) >> Bias(2), before, ("layer_1.bias", "layer_2.bias"), values=("d",))[1]
    Tree(layer_1=Tree(bias='d'), layer_2=Tree())
    """
    if values and len(values) != len(groups):
        raise ValueError(f"share_parameters: {len(groups)} groups need as many values, got {len(values)}")
    tied = tie(term, *groups)
    for group, given in zip(groups, values, strict=False):
        parameters = parameters.with_leaf(split(group[0]), given)
    for _, *followers in groups:
        for follower in followers:
            parameters = parameters.without(split(follower))
    return tied, parameters
