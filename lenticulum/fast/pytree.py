"""PyTree nodes whose treedef says exactly what they are: arrays are children, one value is the auxiliary data."""

from typing import Any, TypeVar

import jax

from lenticulum.terms.value import Value

Node = TypeVar("Node")


def register_node(cls: type[Node], children: tuple[str, ...]) -> type[Node]:
    """Make a slotted class a PyTree node with the named attributes as children and the one other as auxiliary data.

    `register_dataclass` is not used: the treedefs of two sibling classes with equal fields are equal there, and
    unflatten runs the constructor again (wrong programs from this: cusp-ai-oss/kUPS 114 on GitHub).

    Args:
        cls: a class whose instances have no `__dict__`; its slots are the children and one value (`terms.value`).
        children: the names of the slots that hold arrays, or trees of arrays, in flatten order.
    Returns:
        `cls`, so that the call can stand below the class.
    Raises:
        TypeError: for a class with a `__dict__`, for names that leave not exactly one other slot; on flattening, for
            auxiliary data that is not a value type.
    Laws:
        Flatten then unflatten keeps every attribute, for any leaves, without running code of `cls`; the treedef differs
        from that of every other class. tests/unit/fast/test_pytree.py.

    >>> from lenticulum.terms import Dense
    >>> class Bound:
    ...     __slots__ = ("term", "weight")
    ...     def __init__(self, term, weight):
    ...         self.term, self.weight = term, weight
    >>> _ = register_node(Bound, children=("weight",))
    >>> doubled = jax.tree.map(lambda leaf: 2 * leaf, Bound(Dense(1, 1), 3.0))
    >>> doubled.term, doubled.weight
    (Dense(inputs=1, outputs=1, use_bias=True), 6.0)
    """
    name = _auxiliary_name(cls, children)

    def flatten(node: Node) -> tuple[tuple[Any, ...], Value]:
        auxiliary = getattr(node, name)
        if not isinstance(auxiliary, Value):
            raise TypeError(
                f"{cls.__qualname__}.{name} is a {type(auxiliary).__qualname__}; auxiliary data is compared by ==, "
                "so it must be one value type"
            )
        return tuple(getattr(node, child) for child in children), auxiliary

    def unflatten(auxiliary: Value, leaves: tuple[Any, ...]) -> Node:
        node = object.__new__(cls)
        object.__setattr__(node, name, auxiliary)
        for child, leaf in zip(children, leaves, strict=True):
            object.__setattr__(node, child, leaf)
        return node

    jax.tree_util.register_pytree_node(cls, flatten, unflatten)
    return cls


def _auxiliary_name(cls: type, children: tuple[str, ...]) -> str:
    """Return the one slot that is not a child."""
    if cls.__dictoffset__ != 0:
        raise TypeError(f"{cls.__qualname__} has a __dict__, which flattening would lose; write __slots__ in it")
    slots = [name for base in cls.__mro__ for name in _slots(base) if name != "__weakref__"]
    others = [name for name in slots if name not in children]
    missing = [name for name in children if name not in slots]
    if missing or len(others) != 1:
        raise TypeError(
            f"{cls.__qualname__} has the slots {', '.join(slots) or 'none'} and the children "
            f"{', '.join(children) or 'none'}; expected every child and exactly one value besides"
        )
    return others[0]


def _slots(cls: type) -> tuple[str, ...]:
    declared = cls.__dict__.get("__slots__", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)
