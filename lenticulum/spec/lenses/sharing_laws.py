"""Laws of freezing and sharing: leaves are moved, the function stays, and moving back is the identity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.lenses.term_cases import data, parameters, wiring
from lenticulum.spec.put import put
from lenticulum.terms import Mode, Term, Tree, freeze_values, share_parameters, unfreeze
from lenticulum.terms.reparametrisations import split


@dataclass(frozen=True)
class Sharing:
    """The operations that the laws are about."""

    freeze: Callable[..., tuple[Term, Tree, Tree]] = freeze_values
    unfreeze: Callable[[Term, Tree, Tree], tuple[Term, Tree, Tree]] = unfreeze
    share: Callable[..., tuple[Term, Tree]] = share_parameters


SHARING = Sharing()


def case(draw: Draw) -> tuple[Term, Data, Tree, Tree, Data]:
    """A random wiring, hardly nested, a point of it, and a cotangent."""
    term, target = wiring(draw, 2, depth=1)
    return term, data(draw, 2, (2,)), parameters(draw, term), term.state_shapes(), data(draw, target, (2,))


def some_paths(draw: Draw, parameters: Tree) -> tuple[str, ...]:
    """One or more dotted paths of leaves."""
    paths = [".".join(path) for path in parameters.paths()]
    if not paths:
        raise Inapplicable("nothing to freeze")
    first = draw.integer(0, len(paths) - 1)
    draw.observe("everything is frozen", len(paths) == 1)
    return tuple(paths[first : first + draw.integer(1, 2)])


def unfreeze_undoes_freeze(of: Sharing, draw: Draw) -> None:
    """unfreeze . freeze = 1 on (term, parameters, state), and freeze . unfreeze = 1 on what freeze gave."""
    term, _, p, state, _ = case(draw)
    paths = some_paths(draw, p)
    frozen = of.freeze(term, p, state, *paths)
    require(of.unfreeze(*frozen) == (term, p, state), "unfreeze . freeze differs from 1", term=term, paths=paths)
    require(of.freeze(*of.unfreeze(*frozen), *paths) == frozen, "freeze . unfreeze differs from 1", paths=paths)


def freezing_keeps_the_function(of: Sharing, draw: Draw) -> None:
    """The outputs agree, the cotangents agree, and no frozen leaf has a cotangent."""
    term, x, p, state, cotangent = case(draw)
    paths = some_paths(draw, p)
    frozen_term, free, frozen_state = of.freeze(term, p, state, *paths)
    before, _ = apply(term, x, p, state, Mode.EVAL, None)
    after, kept = apply(frozen_term, x, free, frozen_state, Mode.EVAL, None)
    require((before, frozen_state) == (after, kept), "the function or the state changed", term=term, paths=paths)
    whole, to_x = put(term, x, p, state, Mode.EVAL, None, cotangent)
    for path in paths:
        whole = whole.without(split(path))
    pulled = put(frozen_term, x, free, frozen_state, Mode.EVAL, None, cotangent)
    require(pulled == (whole, to_x), "the cotangents differ", term=term, paths=paths, got=pulled)


def sharing_is_tying_at_a_value(of: Sharing, draw: Draw) -> None:
    """Every member of a group is the first, or the value given; then the outputs are those of the untied term there."""
    term, x, p, state, _ = case(draw)
    by_shape: dict[Any, list[str]] = {}
    for path, shape in zip(p.paths(), term.parameter_shapes().leaves(), strict=True):
        by_shape.setdefault(shape, []).append(".".join(path))
    groups = [tuple(members) for members in by_shape.values() if len(members) > 1]
    if not groups:
        raise Inapplicable("no two parameters of one shape")
    group = draw.choice(groups)
    given = rational_array(draw, p.at(split(group[0])).shape) if draw.choice([True, False]) else None
    tied, shared = of.share(term, p, group, values=() if given is None else (given,))
    everywhere = p
    for member in group:
        everywhere = everywhere.with_leaf(split(member), p.at(split(group[0])) if given is None else given)
    expected, _ = apply(term, x, everywhere, state, Mode.EVAL, None)
    got, _ = apply(tied, x, shared, state, Mode.EVAL, None)
    require(got == expected, "the members are not the first, or not the value given", term=term, group=group, got=got)


def _freeze_zeros(term: Term, parameters: Tree, state: Tree, *paths: str) -> tuple[Term, Tree, Tree]:
    """The frozen values are lost."""
    frozen_term, free, whole = freeze_values(term, parameters, state, *paths)
    frozen = whole.frozen
    for path in frozen.paths():
        frozen = frozen.with_leaf(path, frozen.at(path) * 0)
    return frozen_term, free, whole.with_entries(frozen=frozen)


def _unfreeze_at_the_end(term: Term, parameters: Tree, state: Tree) -> tuple[Term, Tree, Tree]:
    """The frozen leaves come back after the others, not in their places."""
    inner, _, inner_state = unfreeze(term, parameters, state)
    for path in state.frozen.paths():
        parameters = parameters.with_leaf(path, state.frozen.at(path))
    return inner, parameters, inner_state


def _share_the_second(term: Term, parameters: Tree, *groups: tuple[str, ...], values: Any = ()) -> tuple[Term, Tree]:
    """Members become the second of their group."""
    second = tuple(parameters.at(split(group[1])) for group in groups)
    return share_parameters(term, parameters, *groups, values=values or second)


def _share_without_the_value(
    term: Term, parameters: Tree, *groups: tuple[str, ...], values: Any = ()
) -> tuple[Term, Tree]:
    """The value given is ignored."""
    return share_parameters(term, parameters, *groups)


SOURCE = "freeze, unfreeze and share_parameters of Lux.jl, where unknown names are ignored; here they are errors"

LAWS: tuple[Law[Sharing], ...] = (
    Law(
        "unfreeze-undoes-freeze",
        "unfreeze . freeze = 1 on (term, parameters, state)",
        SOURCE,
        Grade.EXACT,
        SHARING,
        unfreeze_undoes_freeze,
        {
            "frozen values lost": replace(SHARING, freeze=_freeze_zeros),
            "put back at the end": replace(SHARING, unfreeze=_unfreeze_at_the_end),
        },
    ),
    Law(
        "freezing-keeps-the-function",
        "outputs and other cotangents stay, and no frozen leaf has a cotangent",
        SOURCE,
        Grade.EXACT,
        SHARING,
        freezing_keeps_the_function,
        {"frozen values lost": replace(SHARING, freeze=_freeze_zeros)},
    ),
    Law(
        "sharing-is-tying",
        "every member of a group is its first, or the value given",
        SOURCE,
        Grade.EXACT,
        SHARING,
        sharing_is_tying_at_a_value,
        {
            "the second of a group": replace(SHARING, share=_share_the_second),
            "value ignored": replace(SHARING, share=_share_without_the_value),
        },
    ),
)
