"""Laws of the map over layers: identity and composition, on names that stand for the leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.terms import (
    Add,
    BatchNorm,
    Bias,
    Branch,
    Dense,
    Dropout,
    Maxout,
    PairwiseFusion,
    Parallel,
    Path,
    Repeat,
    Skip,
    Stack,
    Subtract,
    Tanh,
    Term,
    Tree,
    chain,
    layer_map,
    map_leaves,
)
from lenticulum.terms.layer_map import LayerFunction, Mapped

Subject = Callable[[LayerFunction, Term, Tree, Tree], Mapped]


def model(draw: Draw, depth: int = 2) -> Term:
    """A term of containers, all on two features, with and without leaves in their connections."""
    if depth == 0:
        return draw.choice([Dense(2, 2), Bias(2), Tanh(), BatchNorm(2), Dropout(draws="seed_stream")])
    parts = tuple(model(draw, depth - 1) for _ in range(2))
    joined = draw.choice([Add(), Subtract(), Parallel(Add(), (BatchNorm(2), Bias(2)))])
    kinds = [
        chain(*parts),
        Parallel(joined, parts),
        Branch(parts, joined, ("embed", "mix")),
        Skip(parts[0], joined),
        PairwiseFusion(joined, parts),
        Maxout(parts),
        Repeat(parts[0], 2),
        Stack(parts[0], 2),
    ]
    return draw.choice(kinds)


def named(shapes: Tree, root: str) -> Tree:
    """The tree whose leaves are their own paths."""
    filled = shapes
    for path in shapes.paths():
        filled = filled.with_leaf(path, ".".join((root, *path)))
    return filled


@dataclass(frozen=True)
class Marked:
    """A function on layers that writes its mark and the path on every leaf, and makes every tanh a bias of its mark."""

    mark: str

    def __call__(self, layer: Term, parameters: Tree, state: Tree, path: Path) -> Mapped:
        """Return the layer with its leaves marked."""

        def marked(leaf: object) -> str:
            return f"{self.mark}({leaf} at {'.'.join(path)})"

        if layer == Tanh():
            return Bias(2), Tree(bias=f"{self.mark} new"), state
        return layer, map_leaves(marked, parameters), map_leaves(marked, state)


def _case(draw: Draw) -> Mapped:
    term = model(draw)
    return term, named(term.parameter_shapes(), "parameters"), named(term.state_shapes(), "state")


def the_identity_changes_nothing(of: Subject, draw: Draw) -> None:
    """layer_map((l, p, s) -> (l, p, s)) returns the term and its trees."""
    case = _case(draw)
    mapped = of(lambda layer, parameters, state, path: (layer, parameters, state), *case)
    require(mapped == case, "the identity changed something", before=case, after=mapped)


def a_composite_is_mapped_in_one_pass(of: Subject, draw: Draw) -> None:
    """layer_map(f) then layer_map(g) is layer_map(f then g)."""
    case = _case(draw)
    f, g = Marked("f"), Marked("g")

    def composite(layer: Term, parameters: Tree, state: Tree, path: Path) -> Mapped:
        return g(*f(layer, parameters, state, path), path)

    twice, once = of(g, *of(f, *case)), layer_map(composite, *case)
    require(twice == once, "two passes differ from one", twice=twice, once=once)


def every_leaf_is_seen_once_under_its_path(of: Subject, draw: Draw) -> None:
    """The leaf at a path is given to the function once, as part of the layer at the start of that path."""
    term, parameters, state = _case(draw)
    seen: list[tuple[str, str]] = []

    def noted(layer: Term, parameters: Tree, state: Tree, path: Path) -> Mapped:
        for root, tree in (("parameters", parameters), ("state", state)):
            paths = [".".join((root, *path, *inner)) for inner in tree.paths()]
            seen.extend(zip(paths, tree.leaves(), strict=True))
        return layer, parameters, state

    of(noted, term, parameters, state)
    expected = [(leaf, leaf) for leaf in (*parameters.leaves(), *state.leaves())]
    require(sorted(seen) == sorted(expected), "not every leaf is seen once under its path", seen=seen, leaves=expected)


def last_part_left_out(function: LayerFunction, term: Term, parameters: Tree, state: Tree) -> Mapped:
    """The last layer is not mapped."""
    paths: list[Path] = []

    def noted(layer: Term, parameters: Tree, state: Tree, path: Path) -> Mapped:
        paths.append(path)
        return layer, parameters, state

    layer_map(noted, term, parameters, state)

    def all_but_last(layer: Term, parameters: Tree, state: Tree, path: Path) -> Mapped:
        return (layer, parameters, state) if path == paths[-1] else function(layer, parameters, state, path)

    return layer_map(all_but_last, term, parameters, state)


def mapped_twice(function: LayerFunction, term: Term, parameters: Tree, state: Tree) -> Mapped:
    """The function is applied again to what it returned."""
    return layer_map(function, *layer_map(function, term, parameters, state))


def state_forgotten(function: LayerFunction, term: Term, parameters: Tree, state: Tree) -> Mapped:
    """The state comes back as its shapes."""
    layer, mapped, _ = layer_map(function, term, parameters, state)
    return layer, mapped, layer.state_shapes()


def path_of_the_root(function: LayerFunction, term: Term, parameters: Tree, state: Tree) -> Mapped:
    """Every layer is told that it stands at the root."""
    return layer_map(lambda layer, p, s, path: function(layer, p, s, ()), term, parameters, state)


SOURCE = "layer_map of Lux.jl (github.com/LuxDL/Lux.jl), as a functor on terms with their trees"

LAWS: tuple[Law[Subject], ...] = (
    Law(
        "layer-map-identity",
        "mapping the identity over the layers changes nothing",
        SOURCE,
        Grade.EXACT,
        layer_map,
        the_identity_changes_nothing,
        {"state forgotten": state_forgotten},
    ),
    Law(
        "layer-map-composition",
        "mapping f and then g is mapping f then g",
        SOURCE,
        Grade.EXACT,
        layer_map,
        a_composite_is_mapped_in_one_pass,
        {"last part left out": last_part_left_out, "mapped twice": mapped_twice, "path of the root": path_of_the_root},
    ),
    Law(
        "layer-map-paths",
        "every leaf is seen once, under its own path",
        SOURCE,
        Grade.EXACT,
        layer_map,
        every_leaf_is_seen_once_under_its_path,
        {"last part left out": last_part_left_out, "path of the root": path_of_the_root},
    ),
)
