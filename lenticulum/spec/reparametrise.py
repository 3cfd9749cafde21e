"""Reparametrisation, exactly: from new parameters to the old ones, and the reverse for cotangents."""

from collections.abc import Callable
from typing import NamedTuple

from lenticulum.numbers import ExactArray, vjp
from lenticulum.spec.meaning import keywords
from lenticulum.terms import ComposedMap, ParameterMap, PartwiseMap, Tree, map_leaves

#: A plain function r(parameters, *, field, ..., frozen, shapes) -> the old parameters.
Function = Callable[..., Tree]

#: What a function may take beside the fields of its map: the constants in the state, and the shapes of the old
#: parameters.
SPECIAL = ("frozen", "shapes")

_MAPS: dict[type[ParameterMap], Function] = {}


class Original(NamedTuple):
    """A reparametrisation at a point: r(q), the state of the inner term, and the two ways back."""

    parameters: Tree
    state: Tree
    #: From the new state of the inner term to that of the whole.
    rewrap: Callable[[Tree], Tree]
    #: r*(q, .): from the cotangent of the old parameters to that of the new ones.
    pull: Callable[[Tree], Tree]


def parameter_map(kind: type[ParameterMap]) -> Callable[[Function], Function]:
    """Register a plain function as the exact meaning of a parameter map; the function is returned unchanged.

    r(parameters, *, field, ...) gives the old parameters from the new ones. It may also take `frozen`, the constants
    that the map keeps in the state, and `shapes`, those of the old parameters. Its reverse derivative needs no
    registration: it is that of the function, by one tape.

    Raises:
        TypeError: if the function asks for something that the map does not have.

    >>> from lenticulum.terms import value
    >>> @value
    ... class Doubled(ParameterMap):
    ...     def parameter_shapes(self, shapes):
    ...         return shapes
    >>> @parameter_map(Doubled)
    ... def doubled(parameters):
    ...     return map_leaves(lambda leaf: leaf + leaf, parameters)
    """

    def register(function: Function) -> Function:
        known = {*getattr(kind, "__dataclass_fields__", {}), *SPECIAL}
        unknown = [name for name in keywords(function) if name not in known]
        if unknown:
            raise TypeError(f"{function.__name__} asks for {', '.join(unknown)}, which {kind.__name__} does not have")
        _MAPS[kind] = function
        return function

    return register


def original(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """Return r(parameters), the state of the inner term, and how to put its new state and its cotangent back.

    (r* f)(q, a) = f(r(q), a), and put(q, a, b') = (r*(q, p'), a') where (p', a') = f*(r(q), a, b').

    Args:
        by: the map r.
        shapes: those of the parameters of the inner term.
        parameters, state: those of the whole.
    Raises:
        TypeError: for a map without a row of its own; a subclass does not inherit that of its base.
    Laws: 1* f = f, (s;r)* f = s*(r* f), R[r* f] = R[r]* R[f].
    Source: arXiv:2103.01931, Definitions 2.3 and 2.5.
    """
    if isinstance(by, ComposedMap):
        return _composed(by, shapes, parameters, state)
    if isinstance(by, PartwiseMap):
        return _partwise(by, shapes, parameters, state)
    return _by_function(by, shapes, parameters, state)


def function_of(by: ParameterMap) -> Function:
    """Return the function registered for exactly the type of this map."""
    kind = type(by)
    if kind in _MAPS:
        return _MAPS[kind]
    parents = [parent.__name__ for parent in kind.__mro__[1:] if parent in _MAPS]
    hint = f"; it is a subclass of {parents[0]}, whose meaning it does not inherit" if parents else ""
    raise TypeError(
        f"no exact meaning for the parameter map {kind.__name__}{hint}: "
        f"register one with spec.parameter_map({kind.__name__})"
    )


def _composed(by: ComposedMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    stages: list[Original] = []
    for part, target in zip(by.maps, by.targets(shapes), strict=True):
        stages.append(original(part, target, parameters, state))
        parameters, state = stages[-1].parameters, stages[-1].state

    def rewrap(new: Tree) -> Tree:
        for stage in reversed(stages):
            new = stage.rewrap(new)
        return new

    def pull(cotangent: Tree) -> Tree:
        for stage in reversed(stages):
            cotangent = stage.pull(cotangent)
        return cotangent

    return Original(parameters, state, rewrap, pull)


def _partwise(by: PartwiseMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    inside = {name: original(part, shapes[name], parameters[name], state[name]) for name, part in by.parts().items()}

    def rewrap(new: Tree) -> Tree:
        return new.with_entries(**{name: each.rewrap(new[name]) for name, each in inside.items()})

    def pull(cotangent: Tree) -> Tree:
        return cotangent.with_entries(**{name: each.pull(cotangent[name]) for name, each in inside.items()})

    return Original(
        parameters.with_entries(**{name: each.parameters for name, each in inside.items()}),
        state.with_entries(**{name: each.state for name, each in inside.items()}),
        rewrap,
        pull,
    )


def _by_function(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    function = function_of(by)
    wraps = len(by.frozen_shapes(shapes)) > 0
    frozen: Tree = state.frozen if wraps else Tree()
    fields = {name: getattr(by, name) for name in keywords(function) if name not in SPECIAL}

    def value(new: Tree, constants: Tree) -> Tree:
        given = {"frozen": constants, "shapes": shapes}
        return function(new, **fields, **{name: given[name] for name in keywords(function) if name in given})

    def rewrap(new: Tree) -> Tree:
        return Tree(frozen=frozen, inner=new) if wraps else new

    def pull(cotangent: Tree) -> Tree:
        return _pulled(value, parameters, frozen, cotangent)

    return Original(value(parameters, frozen), state.inner if wraps else state, rewrap, pull)


def _pulled(value: Callable[[Tree, Tree], Tree], parameters: Tree, frozen: Tree, cotangent: Tree) -> Tree:
    """The reverse derivative of a map, by one tape over its function.

    The constants go onto the tape too, so that they meet data of one number system, and their cotangents are dropped.
    """

    def forward(*leaves: ExactArray) -> tuple[ExactArray, ...]:
        remaining = list(leaves)
        new = map_leaves(lambda _: remaining.pop(0), parameters)
        return tuple(value(new, map_leaves(lambda _: remaining.pop(0), frozen)).leaves())

    _, pull = vjp(forward, *parameters.leaves(), *frozen.leaves())
    pulled = list(pull(tuple(cotangent.leaves())))
    return map_leaves(lambda _: pulled.pop(0), parameters)
