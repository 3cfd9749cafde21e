"""Trees of named leaves as JAX pytrees: flattened in order of construction, not in alphabetical order."""

from collections.abc import Iterable
from typing import Any

import jax
from jax.tree_util import GetAttrKey

from lenticulum.terms.tree import Tree


def _flatten(tree: Tree) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    names = tree.names()
    return tuple(tree[name] for name in names), names


def _flatten_with_keys(tree: Tree) -> tuple[tuple[tuple[Any, Any], ...], tuple[str, ...]]:
    names = tree.names()
    return tuple((GetAttrKey(name), tree[name]) for name in names), names


def _unflatten(names: tuple[str, ...], entries: Iterable[Any]) -> Tree:
    return Tree(dict(zip(names, entries, strict=True)))


jax.tree_util.register_pytree_with_keys(Tree, _flatten_with_keys, _unflatten, _flatten)
