"""Laws of trees as Equinox handles them, with Equinox itself as the subject, and the random trees they run over.

Trees are compared by structure, None a leaf, and by the identity of leaves: nothing is rounded, so nothing is close.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Inapplicable, Law, require

Where = Callable[[Any], Any]
Path = tuple[Any, ...]


@dataclass(frozen=True)
class Trees:
    """What Equinox does with trees, as records, so that a planted mistake replaces one of them."""

    tree_at: Callable[..., Any] = eqx.tree_at
    filter: Callable[..., Any] = eqx.filter
    partition: Callable[..., Any] = eqx.partition
    combine: Callable[..., Any] = eqx.combine
    tree_equal: Callable[..., Any] = eqx.tree_equal
    inference_mode: Callable[..., Any] = eqx.nn.inference_mode


EQUINOX = Trees()


class Node(eqx.Module):
    """A module with two children, and a static field."""

    left: Any
    right: Any
    name: str = eqx.field(static=True)


def is_none(x: Any) -> bool:
    """Whether a node is None: then it is treated as a leaf."""
    return x is None


def same(one: Any, other: Any) -> bool:
    """Whether two trees have one structure and the same leaves."""
    ones, structure = jax.tree.flatten(one, is_leaf=is_none)
    others, other_structure = jax.tree.flatten(other, is_leaf=is_none)
    return structure == other_structure and all(map(same_leaf, ones, others))


def same_leaf(one: Any, other: Any) -> bool:
    """Whether two leaves are one object, or equal numbers of one type."""
    return one is other or (type(one) is type(other) and not isinstance(one, np.ndarray) and one == other)


def leaf(draw: Draw) -> Any:
    """An array, a number, a word, a function, or None."""
    kind = draw.choice(["array", "int", "float", "word", "function", "none", "zero"])
    if kind == "array":
        return np.array([draw.integer(-9, 9) for _ in range(draw.integer(1, 3))], np.float32)
    plain = {"int": draw.integer(-9, 9), "float": draw.integer(-9, 9) / 4, "word": "w", "function": jnp.tanh}
    return {**plain, "none": None, "zero": 0}[kind]


def tree(draw: Draw, depth: int = 2) -> Any:
    """A random tree of lists, tuples, dicts and modules; empty nodes, and one object at two places, occur."""
    kind = draw.choice(["list", "tuple", "dict", "module", "aliased"]) if depth == 2 else "leaf"
    if depth in (0, 1):
        kind = draw.choice(["leaf", "leaf", "leaf", "empty", *(["list", "module", "tuple"] if depth else [])])
    if kind == "leaf":
        return leaf(draw)
    if kind == "empty":
        return draw.choice([[], (), {}])
    children = [tree(draw, depth - 1) for _ in range(draw.integer(2, 3))]
    if kind == "aliased":
        return [children[0], children[1], children[0]]
    if kind == "dict":
        return dict(zip("abc", children, strict=False))
    if kind == "module":
        return Node(children[0], children[1], "name")
    return children if kind == "list" else tuple(children)


def paths(t: Any) -> list[Path]:
    """The paths of all leaves, None included."""
    return [path for path, _ in jax.tree_util.tree_flatten_with_path(t, is_leaf=is_none)[0]]


def reach(path: Path) -> Where:
    """The node at a path."""

    def where(t: Any) -> Any:
        for key in path:
            if isinstance(key, jax.tree_util.GetAttrKey):
                t = getattr(t, key.name)
            else:
                t = t[key.idx if isinstance(key, jax.tree_util.SequenceKey) else key.key]
        return t

    return where


def addressed(draw: Draw) -> tuple[Any, Where, Path]:
    """A tree, and one of its nodes: a leaf, or a subtree above one."""
    t = tree(draw)
    found = paths(t)
    if not found:
        raise Inapplicable("the tree has no leaf")
    path = draw.choice(found)
    path = path[: draw.integer(1, len(path))]
    return t, reach(path), path


def tree_at_is_lawful(of: Trees, draw: Draw) -> None:
    """GetPut, PutGet and PutPut of (where, tree_at), leaf by leaf; and nothing else changes."""
    t, where, path = addressed(draw)
    a, b = tree(draw, 1), tree(draw, 1)
    put = lambda s, value: of.tree_at(where, s, value, is_leaf=is_none)  # noqa: E731
    before = jax.tree.flatten(t, is_leaf=is_none)
    require(same(put(t, where(t)), t), "GetPut fails", tree=t, path=path)
    once = put(t, a)
    require(same(where(once), a), "PutGet fails", tree=t, path=path, put=a, got=where(once))
    require(same(put(once, b), put(t, b)), "PutPut fails", tree=t, path=path, puts=(a, b))
    after = jax.tree.flatten(t, is_leaf=is_none)
    unchanged = before[1] == after[1] and all(x is y for x, y in zip(before[0], after[0], strict=True))
    require(unchanged, "the tree that was given has changed", tree=t, path=path)


def tree_at_addresses_one_place(of: Trees, draw: Draw) -> None:
    """Of one object at two places, the place that is addressed is replaced, and the other is not."""
    child = tree(draw, 1)
    t = [child, tree(draw, 1), child]
    place, value = draw.choice([0, 2]), object()
    put = of.tree_at(lambda s: s[place], t, value, is_leaf=is_none)
    others = [i for i in range(3) if i != place]
    require(put[place] is value, "the place is not replaced", tree=t, place=place, put=put)
    require(all(same(put[i], t[i]) for i in others), "another place is replaced too", tree=t, place=place, put=put)


def two_places_commute(of: Trees, draw: Draw) -> None:
    """Replacing two nodes at once, in either order, or one after the other, gives one tree."""
    t = tree(draw)
    found = paths(t)
    if len(found) < 2:
        raise Inapplicable("the tree has less than two leaves")
    one = draw.choice(found)
    other = draw.choice([path for path in found if path != one])
    first, second, x, y = reach(one), reach(other), object(), object()
    both = of.tree_at(lambda s: (first(s), second(s)), t, (x, y), is_leaf=is_none)
    swapped = of.tree_at(lambda s: (second(s), first(s)), t, (y, x), is_leaf=is_none)
    require(same(both, swapped), "the order of the selectors shows", tree=t, paths=(one, other))
    in_turn = of.tree_at(second, of.tree_at(first, t, x, is_leaf=is_none), y, is_leaf=is_none)
    require(same(both, in_turn), "at once differs from one by one", tree=t, paths=(one, other))


def selector(draw: Draw, t: Any) -> Any:
    """A filter: a predicate on leaves, or a tree of booleans."""
    if draw.integer(0, 1):
        return draw.choice([eqx.is_array, eqx.is_inexact_array, lambda x: x == 0 if isinstance(x, int) else False])
    leaves, structure = jax.tree.flatten(t)
    return jax.tree.unflatten(structure, [bool(draw.integer(0, 1)) for _ in leaves])


def partition_and_combine_are_inverse(of: Trees, draw: Draw) -> None:
    """combine(partition(t, p)) = t in either order; partition is filter and its inverse; complements return."""
    t = tree(draw)
    chosen = selector(draw, t)
    inside, outside = of.partition(t, chosen)
    require(same(of.filter(t, chosen), inside), "filter is not the first half", tree=t)
    require(same(of.filter(t, chosen, inverse=True), outside), "the inverse filter is not the second half", tree=t)
    require(same(of.combine(inside, outside), t), "the halves do not combine", tree=t, halves=(inside, outside))
    require(same(of.combine(outside, inside), t), "complementary halves have an order", tree=t)
    mask = jax.tree.map(lambda x: x is not None, inside, is_leaf=is_none)
    whole = of.combine(inside, outside)
    again = of.partition(whole, mask, is_leaf=is_none)
    require(same(again[0], inside), "the first half is not found again", tree=t, half=inside, again=again[0])


def overlapping_halves_have_an_order(of: Trees, draw: Draw) -> None:
    """Where both trees have a leaf, the first wins."""
    count = draw.integer(1, 3)
    a, b = [object() for _ in range(count)], [object() for _ in range(count)]
    require(same(of.combine(a, b), a), "the first does not win")
    require(same(of.combine(b, a), b), "the order does not show")


def tree_equal_is_equality(of: Trees, draw: Draw) -> None:
    """Reflexive without NaN; not with another leaf or structure; NaN differs from NaN; 1, 1.0 and True by type only."""
    t = tree(draw)
    require(bool(of.tree_equal(t, t)), "a tree is not itself", tree=t)
    require(not of.tree_equal(t, [t]), "two structures are one", tree=t)
    found = paths(t)
    if found:
        changed = eqx.tree_at(reach(draw.choice(found)), t, np.array([100.0], np.float32), is_leaf=is_none)
        require(not of.tree_equal(t, changed), "another leaf is not seen", tree=t, changed=changed)
    require(not of.tree_equal([float("nan")], [float("nan")]), "NaN is NaN")
    one, other = draw.choice([(1, True), (1, 1.0), (0, False)])
    require(bool(of.tree_equal([one], [other])), "equal numbers of two types differ", leaves=(one, other))
    require(not of.tree_equal([one], [other], typematch=True), "the types do not show", leaves=(one, other))
    x = np.array([draw.integer(-9, 9)], np.float32)
    require(not of.tree_equal(x, np.nextafter(x, np.float32(99))), "a neighbour is equal", x=x)
    require(not of.tree_equal(x, x.astype(np.float64)), "the dtype does not show", x=x)


def modes(draw: Draw) -> Any:
    """Layers with flags of both values."""
    layers = [eqx.nn.Dropout(0.5, inference=bool(draw.integer(0, 1))) for _ in range(draw.integer(1, 3))]
    return {"layers": layers, "word": Node(eqx.nn.Dropout(0.25, inference=True), leaf(draw), "name")}


def inference_mode_overwrites(of: Trees, draw: Draw) -> None:
    """Idempotent; the last writer wins; other leaves stay; and what the flags were is gone."""
    t, first, last = modes(draw), bool(draw.integer(0, 1)), bool(draw.integer(0, 1))
    once = of.inference_mode(t, first)
    require(same(of.inference_mode(once, first), once), "setting twice differs from once", tree=t, value=first)
    require(same(of.inference_mode(once, last), of.inference_mode(t, last)), "the first writer shows", tree=t)
    require(same(once["word"].right, t["word"].right), "another leaf is written", tree=t)
    flags = [each.inference for each in once["layers"]]
    require(flags == [first] * len(flags), "a flag is not written", tree=t, flags=flags)
    mixed = eqx.tree_at(lambda s: s["layers"][0].inference, t, not t["layers"][0].inference)
    require(same(of.inference_mode(mixed, last), of.inference_mode(t, last)), "the old flags show", trees=(t, mixed))


def _everywhere(where: Where, t: Any, value: Any, is_leaf: Any = None) -> Any:
    """Every place of the object that is addressed."""
    node = where(t)
    return jax.tree.map(lambda x: value if x is node else x, t, is_leaf=lambda x: x is node or x is None)


def _truthy(one: Any, other: Any) -> Any:
    return jax.tree.map(lambda x, y: x if x is not None and np.any(x != 0) else y, one, other, is_leaf=is_none)


def _first_only(where: Where, t: Any, value: Any, is_leaf: Any = None) -> Any:
    nodes = where(t)
    if not isinstance(value, tuple) or not isinstance(nodes, tuple) or len(value) != 2:
        return eqx.tree_at(where, t, value, is_leaf=is_leaf)
    return eqx.tree_at(lambda s: where(s)[0], t, value[0], is_leaf=is_leaf)


def _leaves_equal(*trees: Any, typematch: bool = False) -> bool:
    lists = [jax.tree.leaves(t) for t in trees]
    return len({len(each) for each in lists}) == 1 and bool(eqx.tree_equal(*lists, typematch=typematch))


def _nearly_equal(*trees: Any, typematch: bool = False) -> Any:
    return eqx.tree_equal(*trees, typematch=typematch, rtol=1e-5, atol=1e-8)


def _toggles(t: Any, value: bool) -> Any:
    def flags(s: Any) -> list[Any]:
        return [each.inference for each in (*s["layers"], s["word"].left)]

    return eqx.tree_at(flags, t, replace_fn=lambda old: old != value)


SOURCE = "the documentation of Equinox 0.13: eqx.tree_at, filter, partition, combine, tree_equal, nn.inference_mode"

LAWS: tuple[Law[Trees], ...] = (
    Law(
        "equinox-tree-at",
        "tree_at obeys GetPut, PutGet and PutPut, and leaves what it was given",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        tree_at_is_lawful,
        {"puts nothing": replace(EQUINOX, tree_at=lambda where, t, value, is_leaf=None: t)},
    ),
    Law(
        "equinox-tree-at-one-place",
        "of one object at two places, tree_at replaces the one that is addressed",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        tree_at_addresses_one_place,
        {"by value": replace(EQUINOX, tree_at=_everywhere)},
    ),
    Law(
        "equinox-tree-at-commutes",
        "two places are replaced at once, in either order, or in turn",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        two_places_commute,
        {"the first only": replace(EQUINOX, tree_at=_first_only)},
    ),
    Law(
        "equinox-partition-combine",
        "combine(partition(t, p)) = t, with None leaves, empty nodes and aliases, in either order",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        partition_and_combine_are_inverse,
        {
            "zero taken for missing": replace(EQUINOX, combine=_truthy),
            "filter kept": replace(EQUINOX, filter=lambda t, p, inverse=False: t),
        },
    ),
    Law(
        "equinox-combine-order",
        "where both halves have a leaf the first wins",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        overlapping_halves_have_an_order,
        {"the later wins": replace(EQUINOX, combine=lambda one, other: eqx.combine(other, one))},
    ),
    Law(
        "equinox-tree-equal",
        "tree_equal is structure, then leaves; NaN differs from NaN; types show on demand",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        tree_equal_is_equality,
        {
            "leaves only": replace(EQUINOX, tree_equal=_leaves_equal),
            "within a tolerance": replace(EQUINOX, tree_equal=_nearly_equal),
        },
    ),
    Law(
        "equinox-inference-mode",
        "inference_mode is idempotent, the last writer wins, and it has no inverse",
        SOURCE,
        Grade.EXACT,
        EQUINOX,
        inference_mode_overwrites,
        {"toggles": replace(EQUINOX, inference_mode=_toggles)},
    ),
)
