"""Updates: where to evaluate the model, and the next state and parameters; looked up by exact type."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import jax.numpy as jnp
import numpy as np

from lenticulum.fast.meaning import exact_row, field_names, keyword_names
from lenticulum.fast.shapes import require_tree
from lenticulum.terms.optimizers import Update
from lenticulum.terms.tree import Tree, map_leaves

Function = TypeVar("Function", bound=Callable[..., Any])


class UpdateMeaning(NamedTuple):
    """The three plain functions of an update; each takes the fields it needs by name."""

    next: Callable[..., tuple[Tree, Tree]]
    start: Callable[..., Tree]
    point: Callable[..., Tree]


UPDATES: dict[type, UpdateMeaning] = {}


def no_state(parameters: Tree) -> Tree:
    """Return the start state of an update without memory.

    >>> no_state(Tree(p=1.0))
    Tree()
    """
    return Tree()


def at_parameters(state: Tree, parameters: Tree) -> Tree:
    """Return the point of an update that evaluates the model where the parameters are.

    >>> at_parameters(Tree(), Tree(p=1.0))
    Tree(p=1.0)
    """
    return parameters


def recurrence(
    update_type: type[Update],
    *,
    start: Callable[..., Tree] = no_state,
    point: Callable[..., Tree] = at_parameters,
) -> Callable[[Function], Function]:
    """Declare a plain recurrence the fast meaning of an update type.

    f(state, parameters, gradient, *, field, ...) -> (state, parameters).

    Arguments: `start`: (parameters, *, field, ...) -> the first state; `point`: (state, parameters, *, field, ...) ->
    where the model is evaluated.
    Returns: a decorator that returns the function unchanged.
    Raises: TypeError if a keyword-only name is not a field, or the type already has a recurrence.
    """

    def declare(function: Function) -> Function:
        if update_type in UPDATES:
            raise TypeError(
                f"{update_type.__name__} already has a fast recurrence; a variant is a subclass with its own"
            )
        for name in (*keyword_names(function), *keyword_names(point), *keyword_names(start)):
            if name not in field_names(update_type):
                raise TypeError(
                    f"the recurrence of {update_type.__name__} takes {name!r}, which is not one of its fields"
                )
        UPDATES[update_type] = UpdateMeaning(function, start, point)
        return function

    return declare


def initial_update_state(update: Update, parameters: Tree) -> Tree:
    """Return the state before the first update: zeros or start values like the parameters, counts 0, products 1.

    >>> from lenticulum.terms import Momentum
    >>> initial_update_state(Momentum(), Tree(p=jnp.array([2.0])))
    Tree(buffer=Tree(p=Array([0.], dtype=float32)), count=Array(0, dtype=uint32))
    """
    start = _row(update).start
    return start(parameters, **_fields(update, start))


def update_point(update: Update, state: Tree, parameters: Tree) -> Tree:
    """Return the parameters at which the model is evaluated, U(s, p) (arXiv:2103.01931, equation 3.14).

    >>> from lenticulum.terms import GradientDescent
    >>> update_point(GradientDescent(), Tree(), Tree(p=1.0))
    Tree(p=1.0)
    """
    point = _row(update).point
    return point(state, parameters, **_fields(update, point))


def update_next(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    """Return the next state and parameters, U*(s, p, p'). The gradient is the negated cotangent.

    Source: arXiv:2103.01931, equation 3.14.

    >>> from lenticulum.terms import GradientDescent
    >>> moved = update_next(GradientDescent("1/2"), Tree(), Tree(p=jnp.array(2.0)), Tree(p=jnp.array(-1.0)))[1]
    >>> float(moved.p)
    1.5
    """
    return update_by_gradient(update, state, parameters, map_leaves(lambda leaf: -leaf, cotangent))


def update_by_gradient(update: Update, state: Tree, parameters: Tree, gradient: Tree) -> tuple[Tree, Tree]:
    """Return the next state and parameters from a gradient.

    Raises: ValueError if the trees do not have the structure and shapes of the parameters.

    >>> from lenticulum.terms import GradientDescent
    >>> moved = update_by_gradient(GradientDescent("1/2"), Tree(), Tree(p=jnp.array(2.0)), Tree(p=jnp.array(1.0)))[1]
    >>> float(moved.p)
    1.5
    """
    shapes = map_leaves(np.shape, parameters)
    require_tree(gradient, shapes, "gradient")
    require_tree(state, update.state_shapes(shapes), "state of the update")
    function = _row(update).next
    return function(state, parameters, gradient, **_fields(update, function))


def format_of(parameters: Tree) -> Any:
    """Return the floating-point format of the parameters, to which constants are rounded; float32 if there are none.

    Raises: TypeError for parameters of several formats, or of a format that is not floating point.

    >>> format_of(Tree(p=np.zeros(2, np.float32)))
    dtype('float32')
    """
    formats = {np.dtype(leaf.dtype) for leaf in parameters.leaves()} or {np.dtype(np.float32)}
    if len(formats) > 1 or not all(jnp.issubdtype(each, jnp.floating) for each in formats):
        names = ", ".join(sorted(str(each) for each in formats))
        raise TypeError(f"parameters: expected one floating-point format, got {names}; convert them first")
    return formats.pop()


def zeros_like(parameters: Tree) -> Tree:
    """Return a tree of zeros like the parameters.

    >>> zeros_like(Tree(p=jnp.array([2.0])))
    Tree(p=Array([0.], dtype=float32))
    """
    return map_leaves(jnp.zeros_like, parameters)


def _row(update: Update) -> UpdateMeaning:
    return exact_row(UPDATES, type(update), "recurrence")


def _fields(update: Update, function: Callable[..., Any]) -> dict[str, Any]:
    return {name: getattr(update, name) for name in keyword_names(function)}
