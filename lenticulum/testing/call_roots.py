"""The roots of a call: what is fingerprinted of its arguments, with titles. Traced arrays are not: jax sees to them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from lenticulum.terms.key import key

#: Options that decide what a trace reads of the generator, and are not part of jax's key (jax issue 40609).
GENERATOR_OPTIONS = ("jax_default_prng_impl", "jax_enable_custom_prng", "jax_high_dynamic_range_gumbel")

ARRAY = type(jax.numpy.zeros(()))

#: Types of arguments that have no structure.
LEAVES = frozenset({ARRAY, np.ndarray, bool, int, float, complex})


def title_of(root: Any) -> str:
    """Return what a function or class is called."""
    return f"class {root.__qualname__}" if isinstance(root, type) else getattr(root, "__qualname__", "arguments")


def structure(tree: Any, roots: list[Any]) -> tuple[Any, Any]:
    """Return a treedef as nested tuples (kind, auxiliary data, children), by strict keys and as it is.

    What is no plain data goes to the roots, which are looked into at each call.
    """
    data = tree.node_data()
    if data is None:
        return None, None
    kind, auxiliary = data
    if isinstance(auxiliary, list):
        auxiliary = tuple(auxiliary)  # the keys of a dictionary
    try:
        label = key(auxiliary)
    except TypeError:
        label = len(roots)
        roots.append(auxiliary)
        auxiliary = label
    pairs = [structure(child, roots) for child in tree.children()]
    return (kind, label, *[each for each, _ in pairs]), (kind, auxiliary, *[each for _, each in pairs])


def node_classes(tree: Any) -> set[type]:
    """Return the classes of the nodes of a treedef."""
    data = tree.node_data()
    return set() if data is None else {data[0]}.union(*map(node_classes, tree.children()))


def statics(function: Callable[..., Any], options: dict[str, Any]) -> tuple[frozenset[int], frozenset[str]]:
    """Return positions and names of the static arguments; as in jax, each of the two is inferred from the other."""
    numbers, names = options.get("static_argnums"), options.get("static_argnames")
    positions = frozenset([numbers] if isinstance(numbers, int) else numbers or ())
    static_names = frozenset([names] if isinstance(names, str) else names or ())
    if (numbers is None) == (names is None):
        return positions, static_names
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return positions, static_names
    by_place = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD or p.kind is p.POSITIONAL_ONLY]
    if names is None:
        found = (by_place[n] for n in positions if -len(by_place) <= n < len(by_place))
        return positions, frozenset(found)
    return frozenset(n for n, name in enumerate(by_place) if name in static_names), static_names


def copied(leaf: Any) -> Any:
    return leaf.copy() if type(leaf) is ARRAY else leaf
