"""Batched evaluation: a term mapped over data, over parameters or over both, with every axis given."""

from typing import Any, NamedTuple

import jax

from lenticulum.fast.apply import Wire, apply
from lenticulum.fast.keys import Key
from lenticulum.terms.modes import Mode
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree


class Axes(NamedTuple):
    """Along which axis each argument is mapped; None where all members share it. There are no defaults.

    A default "0 for every array", as of `equinox.filter_vmap`, would map over the rows of a weight.
    """

    x: int | None
    parameters: int | None
    state: int | None
    key: int | None


def apply_batched(
    term: Term, x: Wire, parameters: Tree, state: Tree, mode: Mode, key: Any, *, axes: Axes
) -> tuple[Wire, Tree]:
    """Apply a term to every member of a batch.

    y_i, state'_i = term(x_i; parameters_i, state_i, mode, key_i).

    With `parameters` mapped it is an ensemble; with `x` alone it is the term itself, one example at a time, so that a
    batch normalisation sees one example.

    Arguments: as of `apply`, with one more axis where `axes` has a number.
    Returns: outputs stacked along axis 0, and states along the axis of the state.
    Raises: ValueError if no axis is given, or if members that share a state would write different ones; otherwise as
    `apply`, whose shapes are those of one member: so a weight cannot be mapped over its rows by accident.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Dense
    >>> ensemble = Tree(weight=jnp.array([[[1.0]], [[2.0]]]))
    >>> axes = Axes(x=None, parameters=0, state=None, key=None)
    >>> term = Dense(1, 1, use_bias=False)
    >>> apply_batched(term, jnp.array([3.0]), ensemble, Tree(), Mode.EVAL, None, axes=axes)[0].tolist()
    [[3.0], [6.0]]
    """
    if all(axis is None for axis in axes):
        raise ValueError("apply_batched: no axis is given; use apply, or say what is mapped: Axes(x=0, ...)")

    def member(x: Wire, parameters: Tree, state: Tree, key: Key | None) -> tuple[Wire, Tree]:
        return apply(term, x, parameters, state, mode, key)

    mapped = jax.vmap(member, in_axes=tuple(axes), out_axes=(0, axes.state))
    try:
        return mapped(x, parameters, state, key)
    except ValueError as error:
        if axes.state is None and "out_axes" in str(error):
            raise ValueError(
                "apply_batched: the members share one state and would write different ones; give the state an axis"
            ) from error
        raise
