"""Mapping over the layers of a term, together with their parameters and states."""

from collections.abc import Callable

from lenticulum.terms.container import Container, Part, own_trees, placed
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree
from lenticulum.terms.value import replace

Mapped = tuple[Term, Tree, Tree]
LayerFunction = Callable[[Term, Tree, Tree, Path], Mapped]


def layer_map(function: LayerFunction, term: Term, parameters: Tree, state: Tree) -> Mapped:
    """Apply a function to every layer of a term: (layer', p', s') = function(layer, p, s, path).

    Containers are entered, and made anew from what the function returns. A term that holds no terms is a layer; so are
    a Stack and a Reparametrise, whose leaves are not those of one part.

    Args:
        function: takes a layer, its parameters, its state and its path, and returns the first three.
        term: what to map over.
        parameters: the tree named by `term.parameter_shapes()`, of arrays or anything else.
        state: the tree named by `term.state_shapes()`.
    Returns: the term, its parameters and its state after the map.
    Raises: ValueError, naming the path, if trees come back that are not those of the layer; ShapeError if the new
        layers do not fit.
    Laws: layer_map(identity) is the identity; layer_map(f) then layer_map(g) is layer_map(f then g), if f returns
        layers for layers. Source: `layer_map` of Lux.jl (github.com/LuxDL/Lux.jl).

    >>> from lenticulum.terms import Dense, Tanh, Relu
    >>> def rectified(layer, parameters, state, path):
    ...     return (Relu() if layer == Tanh() else layer), parameters, state
    >>> term, _, _ = layer_map(rectified, Tanh() >> Dense(1, 1) >> Tanh(), Tree(
    ...     layer_1=Tree(), layer_2=Tree(weight=1, bias=2), layer_3=Tree()), Tree(
    ...     layer_1=Tree(), layer_2=Tree(), layer_3=Tree()))
    >>> term == Relu() >> Dense(1, 1) >> Relu()
    True
    """
    return _mapped(function, term, parameters, state, ())


def _mapped(function: LayerFunction, term: Term, parameters: Tree, state: Tree, path: Path) -> Mapped:
    if not isinstance(term, Container) or any(part.copies is not None for part in term.inside()):
        return _checked(function(term, parameters, state, path), path)
    found: list[Mapped] = []
    for part in term.inside():
        found.append(_mapped(function, part.term, *own_trees(part, parameters, state), (*path, *part.path)))
    renewed = _renewed(term, term.inside(), [layer for layer, _, _ in found])
    parameters, state = Tree(), Tree()
    for part, (_, own_parameters, own_state) in zip(renewed.inside(), found, strict=True):
        if part.listed:
            parameters, state = placed(parameters, part.path, own_parameters), placed(state, part.path, own_state)
    return renewed, parameters, state


def _renewed(term: Container, parts: tuple[Part, ...], layers: list[Term]) -> Container:
    """The container with other terms in its fields."""
    fields: dict[str, tuple[Term, ...]] = {}
    for part, layer in zip(parts, layers, strict=True):
        fields[part.field] = (*fields.get(part.field, ()), layer)
    held = {name: layers if isinstance(getattr(term, name), tuple) else layers[0] for name, layers in fields.items()}
    return replace(term, **held)


def _checked(mapped: Mapped, path: Path) -> Mapped:
    layer, parameters, state = mapped
    where = f"layer_map: {'.'.join(path) or 'the root'} ({type(layer).__name__})"
    for what, shapes, got in (
        ("parameters", layer.parameter_shapes(), parameters),
        ("state", layer.state_shapes(), state),
    ):
        if shapes.paths() != got.paths():
            expected, found = (", ".join(".".join(each) for each in tree.paths()) or "none" for tree in (shapes, got))
            raise ValueError(f"{where}: expected {what} {expected}; got {found}")
    return mapped
