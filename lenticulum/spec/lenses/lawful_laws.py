"""Laws of the lawful lenses on trees, exactly; and of what looks like one and is none: aliases, overlaps, modes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.lenses import lawful
from lenticulum.spec.lenses.lawful import Accessor
from lenticulum.terms import Tree
from lenticulum.terms.tree import Path

Selected = Callable[[Path], bool]
Freezing = tuple[Callable[[Tree], tuple[Tree, Tree]], Callable[[Tree, Tree], Tree]]


@dataclass(frozen=True)
class TreeLenses:
    """The lawful lenses, as records, so that a planted mistake replaces one of them."""

    field: Callable[[Path], Accessor] = lawful.field
    editing: Callable[..., Accessor] = lawful.editing
    unchecked_editing: Callable[..., Accessor] = lawful.aliased_editing
    selection: Callable[[Selected], Accessor] = lawful.selection
    partition: Callable[[Tree, Selected], tuple[Tree, Tree]] = lawful.partition
    combine: Callable[[Tree, Tree], Tree] = lawful.combine
    freezing: Callable[..., Freezing] = lawful.freezing
    substate: Callable[..., Accessor] = lawful.substate
    set_mode: Callable[[Tree, Any], Tree] = lawful.set_mode


LENSES = TreeLenses()


def tree(draw: Draw, depth: int = 2, *, absent: bool = False) -> Tree:
    """A random tree with two or three entries, at the top a leaf and a subtree; some leaves None if `absent`."""
    entries: dict[str, Any] = {}
    for name in ["a", "b", "inference"][: draw.integer(2, 3)]:
        nested = depth > 0 and (name == "b" and depth == 2 or name != "inference" and draw.integer(0, 2) == 0)
        entries[name] = tree(draw, depth - 1, absent=absent) if nested else _leaf(draw, absent)
    return Tree(entries)


def _leaf(draw: Draw, absent: bool = False) -> Any:
    return None if absent and draw.integer(0, 2) == 0 else fraction(draw)


def drawn_lens(of: TreeLenses, draw: Draw) -> tuple[Accessor, Tree, Any, Any]:
    """One of the lenses, a tree to apply it to, and two parts to put."""
    t = tree(draw)
    kind = draw.choice(["field", "subtree", "editing", "selection", "substate"])
    paths = t.paths()
    path = draw.choice(paths)
    if kind == "field":
        return of.field(path), t, _leaf(draw), _leaf(draw)
    if kind == "subtree":
        return of.field(("b",)), t, tree(draw, 1), tree(draw, 1)
    if kind == "editing":
        chosen = [each for each in paths if draw.integer(0, 1)]
        one, other = (tuple(_leaf(draw) for _ in chosen) for _ in range(2))
        return of.editing(*chosen), t, one, other
    if kind == "substate":
        one, other = (Tree(b=_leaf(draw), a=_leaf(draw)) for _ in range(2))
        return of.substate("b", "a"), t, one, other
    selected = _selector(draw, paths)
    return of.selection(selected), t, _half(draw, t, selected), _half(draw, t, selected)


def _half(draw: Draw, t: Tree, selected: Selected) -> Tree:
    """A half of a tree with new leaves where it is selected, and None elsewhere."""
    for path in t.paths():
        t = t.with_leaf(path, _leaf(draw) if selected(path) else None)
    return t


def _selector(draw: Draw, paths: list[Path]) -> Selected:
    chosen = {path for path in paths if draw.integer(0, 1)}
    return lambda path: path in chosen


def get_put(of: TreeLenses, draw: Draw) -> None:
    """put(s, get s) = s."""
    lens, s, _, _ = drawn_lens(of, draw)
    back = lens.put(s, lens.get(s))
    require(back == s, "putting back what was got changes the tree", tree=s, part=lens.get(s), put=back)


def put_get(of: TreeLenses, draw: Draw) -> None:
    """get(put(s, a)) = a."""
    lens, s, a, _ = drawn_lens(of, draw)
    found = lens.get(lens.put(s, a))
    require(found == a, "what was put is not got", tree=s, part=a, got=found)


def put_put(of: TreeLenses, draw: Draw) -> None:
    """put(put(s, a), b) = put(s, b)."""
    lens, s, a, b = drawn_lens(of, draw)
    twice, once = lens.put(lens.put(s, a), b), lens.put(s, b)
    require(twice == once, "the first put shows after the second", tree=s, first=a, second=b, twice=twice, once=once)


def partition_and_combine_are_inverse(of: TreeLenses, draw: Draw) -> None:
    """combine(partition(t, p)) = t for every p, leaves None included; on complementary halves also the other way."""
    t = tree(draw, absent=True)
    selected = _selector(draw, t.paths())
    inside, outside = of.partition(t, selected)
    require(of.combine(inside, outside) == t, "the halves do not combine", tree=t, halves=(inside, outside))
    require(of.combine(outside, inside) == t, "complementary halves have an order", tree=t, halves=(inside, outside))
    full = tree(draw)
    halves = of.partition(full, _selector(draw, full.paths()))
    again = of.partition(of.combine(*halves), lambda path: halves[0].at(path) is not None)
    require(again == halves, "complementary halves are not found again", halves=halves, again=again)


def overlapping_halves_have_an_order(of: TreeLenses, draw: Draw) -> None:
    """Where both trees have a leaf, the first wins: combine(a, b) = a, combine(b, a) = b."""
    a = tree(draw)
    b = a
    for path in a.paths():
        b = b.with_leaf(path, _leaf(draw))
    if a == b:
        raise Inapplicable("equal halves have no order")
    forward, backward = of.combine(a, b), of.combine(b, a)
    require((forward, backward) == (a, b), "the first does not win", a=a, b=b, combined=(forward, backward))
    require(forward != backward, "overlapping halves have no order", a=a, b=b)


def aliased_selectors_fail(of: TreeLenses, draw: Draw) -> None:
    """Two selectors of one node: PutGet fails at (x, y) with x != y, so `editing` refuses them."""
    t = tree(draw)
    path = draw.choice(t.paths())
    x, y = fraction(draw), fraction(draw)
    if x == y:
        raise Inapplicable("equal values do not show the alias")
    lens = of.unchecked_editing(path, path)
    got = lens.get(lens.put(t, (x, y)))
    require(got != (x, y), "an alias obeys PutGet", tree=t, path=path, put=(x, y), got=got)
    outer = path[: draw.integer(1, len(path))]
    for selectors in ((path, path), (outer, path)):
        try:
            of.editing(*selectors)
        except ValueError:
            continue
        require(False, "an alias is not refused", selectors=selectors)


def freeze_and_unfreeze_are_inverse(of: TreeLenses, draw: Draw) -> None:
    """unfreeze(freeze t) = t leaf by leaf, freeze(unfreeze(r, f)) = (r, f), and r has no frozen leaf."""
    t = tree(draw)
    chosen = [path for path in t.paths() if draw.integer(0, 1)]
    freeze, unfreeze = of.freezing(*chosen)
    rest, frozen = freeze(t)
    require(not set(rest.paths()) & set(chosen), "a frozen leaf is still a parameter", rest=rest, frozen=chosen)
    back = unfreeze(rest, frozen)
    same = {path: back.at(path) for path in back.paths()} == {path: t.at(path) for path in t.paths()}
    require(same, "unfreezing does not give the tree back", tree=t, back=back)
    require(freeze(back) == (rest, frozen), "freezing again gives others", halves=(rest, frozen), again=freeze(back))


def mode_setters_overwrite(of: TreeLenses, draw: Draw) -> None:
    """Idempotent; the last writer wins; commutes with writes to other keys; and forgets: it has no inverse."""
    t = tree(draw).with_entries(inference=fraction(draw))
    x, y = fraction(draw), fraction(draw)
    once = of.set_mode(t, x)
    require(of.set_mode(once, x) == once, "setting twice differs from once", tree=t, value=x)
    last = of.set_mode(once, y)
    require(last == of.set_mode(t, y), "the last writer does not win", tree=t, values=(x, y), last=last)
    others = [path for path in t.paths() if path[-1] != "inference"]
    other = lawful.field(draw.choice(others))
    one, two = other.put(of.set_mode(t, x), y), of.set_mode(other.put(t, y), x)
    require(one == two, "a write elsewhere does not commute", tree=t, orders=(one, two))
    mixed = t.with_entries(inference=t.inference + 1)
    require(of.set_mode(mixed, x) == of.set_mode(t, x), "the old mode shows", trees=(t, mixed), value=x)


def _kept_at(path: Path) -> Accessor:
    """A put of zero is no put."""
    right = lawful.field(path)
    return Accessor(right.get, lambda t, value: right.put(t, value) if value else t)


def _added_at(path: Path) -> Accessor:
    right = lawful.field(path)
    return Accessor(right.get, lambda t, value: t if isinstance(value, Tree) else right.put(t, t.at(path) + value))


def _backwards_editing(*paths: Path) -> Accessor:
    right = lawful.editing(*paths)
    return Accessor(right.get, lambda t, values: right.put(t, tuple(values)[::-1]))


def _logging_substate(*names: str) -> Accessor:
    right = lawful.substate(*names)

    def put(state: Tree, part: Tree) -> Tree:
        return right.put(state, part).with_entries(writes=(state["writes"] if "writes" in state else 0) + 1)

    return Accessor(right.get, put)


def _later_wins(first: Tree, second: Tree) -> Tree:
    return lawful.combine(second, first)


def _larger_wins(first: Tree, second: Tree) -> Tree:
    """In either order the same, so that no order could matter."""
    for path in first.paths():
        one, other = first.at(path), second.at(path)
        first = first.with_leaf(path, other if one is None else one if other is None else max(one, other))
    return first


def _falsy_is_missing(first: Tree, second: Tree) -> Tree:
    for path in first.paths():
        if not first.at(path):
            first = first.with_leaf(path, second.at(path))
    return first


def _copying_freeze(*paths: Path) -> Freezing:
    freeze, unfreeze = lawful.freezing(*paths)
    return lambda t: (t, freeze(t)[1]), unfreeze


def _negating_mode(t: Tree, value: Any) -> Tree:
    for path in t.paths():
        if path[-1] == "inference":
            t = t.with_leaf(path, value - t.at(path))
    return t


SOURCE = "Foster et al. 2007, doi:10.1145/1232420.1232424 (GetPut, PutGet, PutPut)"

LAWS: tuple[Law[TreeLenses], ...] = (
    Law(
        "lawful-get-put",
        "put(s, get s) = s for accessors, editing, partition, substates",
        SOURCE,
        Grade.EXACT,
        LENSES,
        get_put,
        {
            "added to the entry": replace(LENSES, field=_added_at),
            "values put backwards": replace(LENSES, editing=_backwards_editing),
            "writes counted": replace(LENSES, substate=_logging_substate),
        },
    ),
    Law(
        "lawful-put-get",
        "get(put(s, a)) = a for accessors, editing, partition, substates",
        SOURCE,
        Grade.EXACT,
        LENSES,
        put_get,
        {
            "zero is not put": replace(LENSES, field=_kept_at),
            "added to the entry": replace(LENSES, field=_added_at),
            "values put backwards": replace(LENSES, editing=_backwards_editing),
        },
    ),
    Law(
        "lawful-put-put",
        "put(put(s, a), b) = put(s, b) for accessors, editing, partition, substates",
        SOURCE,
        Grade.EXACT,
        LENSES,
        put_put,
        {
            "added to the entry": replace(LENSES, field=_added_at),
            "writes counted": replace(LENSES, substate=_logging_substate),
        },
    ),
    Law(
        "partition-combine",
        "combine(partition(t, p)) = t; partition(combine(a, b)) = (a, b) for complementary halves, in either order",
        "the documentation of equinox.partition and equinox.combine",
        Grade.EXACT,
        LENSES,
        partition_and_combine_are_inverse,
        {"zero taken for missing": replace(LENSES, combine=_falsy_is_missing)},
    ),
    Law(
        "combine-has-an-order",
        "where both halves have a leaf the first wins, so overlapping halves have an order",
        "the documentation of equinox.combine",
        Grade.EXACT,
        LENSES,
        overlapping_halves_have_an_order,
        {
            "the later wins": replace(LENSES, combine=_later_wins),
            "the larger wins": replace(LENSES, combine=_larger_wins),
        },
    ),
    Law(
        "aliased-selectors-fail",
        "two selectors of one node violate PutGet, and editing refuses them",
        "the documentation of equinox.tree_at: nodes must be uniquely addressed",
        Grade.EXACT,
        LENSES,
        aliased_selectors_fail,
        {"aliases accepted": replace(LENSES, editing=lawful.aliased_editing)},
    ),
    Law(
        "freeze-unfreeze",
        "unfreeze(freeze t) = t, freeze(unfreeze(r, f)) = (r, f), and r has no frozen leaf",
        "the documentation of Lux.Experimental.freeze and unfreeze",
        Grade.EXACT,
        LENSES,
        freeze_and_unfreeze_are_inverse,
        {"frozen leaves kept": replace(LENSES, freezing=_copying_freeze)},
    ),
    Law(
        "mode-setters-overwrite",
        "setting a mode is idempotent, the last writer wins, other writes commute, and it has no inverse",
        "the documentation of equinox.nn.inference_mode",
        Grade.EXACT,
        LENSES,
        mode_setters_overwrite,
        {"toggles": replace(LENSES, set_mode=_negating_mode)},
    ),
)
