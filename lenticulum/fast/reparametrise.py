"""Reparametrisation: rebuild the parameters of the inner term, in their original order, from the new ones."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from jax import lax

from lenticulum.fast.meaning import exact_row, field_names, keyword_names
from lenticulum.terms.map_algebra import ComposedMap, PartwiseMap
from lenticulum.terms.reparametrisations import ParameterMap
from lenticulum.terms.tree import Tree, map_leaves

Function = TypeVar("Function", bound=Callable[..., Tree])

#: What a function may take beside the fields of its map: the constants in the state, and the shapes of the old
#: parameters.
SPECIAL = ("frozen", "shapes")

MAPS: dict[type[ParameterMap], Callable[..., Tree]] = {}


class Original(NamedTuple):
    """r(q), the state of the inner term, and the way back from its new state to that of the whole."""

    parameters: Tree
    state: Tree
    rewrap: Callable[[Tree], Tree]


def parameter_map(kind: type[ParameterMap]) -> Callable[[Function], Function]:
    """Declare a plain function the fast meaning of a parameter map.

    r(parameters, *, field, ...) gives the old parameters from the new ones. It may also take `frozen`, the constants
    that the map keeps in the state, and `shapes`, those of the old parameters. Its put is that of jax.vjp.

    Arguments: `kind`: the exact type of the map. Returns: a decorator that returns the function unchanged.
    Raises: TypeError if a keyword-only name is neither a field nor one of the two, or if the type has a meaning.

    >>> from lenticulum.terms import Symmetric
    >>> parameter_map(Symmetric)(lambda parameters, *, paths: parameters)
    Traceback (most recent call last):
    TypeError: Symmetric already has a fast meaning; a variant is a subclass with its own
    """

    def declare(function: Function) -> Function:
        if kind in MAPS:
            raise TypeError(f"{kind.__name__} already has a fast meaning; a variant is a subclass with its own")
        for name in keyword_names(function):
            if name not in (*field_names(kind), *SPECIAL):
                raise TypeError(
                    f"the meaning of {kind.__name__} takes {name!r}; its fields are "
                    f"{', '.join(field_names(kind)) or 'none'}, and a map may also take frozen, shapes"
                )
        MAPS[kind] = function
        return function

    return declare


def original(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """Return r(q), the parameters of the inner term, its state, and how to put its new state back.

    Arguments: `by`: the map r; `shapes`: the parameter shapes of the inner term; `parameters`: q; `state`: of the
    whole.
    Raises: TypeError for a map without a row of its own.
    Laws: 1* f = f, (s;r)* f = s*(r* f).

    >>> from lenticulum.terms import Freeze
    >>> q, state = Tree(weight=1.0), Tree(frozen=Tree(bias=2.0), inner=Tree())
    >>> whole = original(Freeze(("bias",)), Tree(weight=(), bias=()), q, state)
    >>> whole.parameters.paths(), float(whole.parameters.bias), whole.state
    ([('weight',), ('bias',)], 2.0, Tree())
    """
    if isinstance(by, ComposedMap):
        return _composed(by, shapes, parameters, state)
    if isinstance(by, PartwiseMap):
        return _partwise(by, shapes, parameters, state)
    return _by_function(by, shapes, parameters, state)


def _composed(by: ComposedMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    stages: list[Original] = []
    for part, target in zip(by.maps, by.targets(shapes), strict=True):
        stages.append(original(part, target, parameters, state))
        parameters, state = stages[-1].parameters, stages[-1].state

    def rewrap(new: Tree) -> Tree:
        for stage in reversed(stages):
            new = stage.rewrap(new)
        return new

    return Original(parameters, state, rewrap)


def _partwise(by: PartwiseMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    inside = {name: original(part, shapes[name], parameters[name], state[name]) for name, part in by.parts().items()}

    def rewrap(new: Tree) -> Tree:
        return new.with_entries(**{name: each.rewrap(new[name]) for name, each in inside.items()})

    return Original(
        parameters.with_entries(**{name: each.parameters for name, each in inside.items()}),
        state.with_entries(**{name: each.state for name, each in inside.items()}),
        rewrap,
    )


def _by_function(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    function = exact_row(MAPS, type(by), "parameter map")
    wraps = len(by.frozen_shapes(shapes)) > 0
    # State is a constant of the reverse derivative.
    constants = map_leaves(lax.stop_gradient, state.frozen) if wraps else Tree()
    known: dict[str, Any] = {"frozen": constants, "shapes": shapes}
    given = {name: known[name] if name in known else getattr(by, name) for name in keyword_names(function)}

    def rewrap(new: Tree) -> Tree:
        return state.with_entries(inner=new) if wraps else new

    return Original(function(parameters, **given), state.inner if wraps else state, rewrap)
