"""The reverse derivative of a term at a point, by jax.vjp of the composed get."""

import jax

from lenticulum.fast.apply import Scope, Wire, check, walk
from lenticulum.fast.keys import Key
from lenticulum.fast.shapes import require_cotangent
from lenticulum.terms.boundaries import end_of
from lenticulum.terms.modes import Mode
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree


def put(
    term: Term, x: Wire, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Wire
) -> tuple[Tree, Wire]:
    """Pull a cotangent back through a term.

    (parameters', x') = J(parameters, x)^T cotangent, where J is the derivative of the output in parameters and input.

    Arguments: as of `apply`, and `cotangent`: of the structure, shapes and formats of the output, () where the output
    is the unit. At a learning-rate cap the cotangent of the loss is the cap's, -rate or -rate * loss.
    Returns: the cotangent of the parameters and that of the input, with their structures. State is a constant: running
    statistics, frozen parameters and masks have no cotangent.
    Raises: as `apply`; ShapeError for a cotangent that has not the structure and the shapes of the output; TypeError or
    ValueError from jax.vjp for one of another format.
    Laws: RD.1 to RD.7, linearity in the cotangent, the composed puts of the exact interpreter.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Dense
    >>> parameters = Tree(weight=jnp.array([[2.0]]), bias=jnp.array([0.5]))
    >>> slopes, slope = put(Dense(1, 1), jnp.array([3.0]), parameters, Tree(), Mode.EVAL, None, jnp.array([1.0]))
    >>> float(slopes.weight[0, 0]), float(slopes.bias[0]), float(slope[0])
    (3.0, 1.0, 2.0)
    """
    check(term, x, parameters, state, mode)

    def get(parameters: Tree, x: Wire) -> tuple[tuple[Wire, list[Wire]], list[Wire]]:
        scope = Scope(mode, key, [])
        y, _ = walk(term, x, parameters, state, scope)
        return (y, [loss for loss, _ in scope.caps]), [seed for _, seed in scope.caps]

    (y, _), pull, seeds = jax.vjp(get, parameters, x, has_aux=True)
    require_cotangent(f"cotangent of {end_of(term)}", y, cotangent)
    return pull((cotangent, seeds))
