"""Family j: auxiliary data of pytrees, and its equality."""

import jax
import numpy as np

from tests.conformance.jax_behaviours.behaviour import Node, against, aux_pair, cold, ours, raised, row, ten
from tests.conformance.jax_behaviours.described import refused


def compared(equal, hashed=True):
    """A class with a value and an equality of its own."""
    namespace = {"__init__": lambda self, value: setattr(self, "value", value), "__eq__": equal}
    return type("Compared", (), namespace | ({"__hash__": lambda self: hash(self.value)} if hashed else {}))


def times_value(item, x):
    """The program."""
    return item.value * x


@row("j1", "aux __eq__ always true")
def always_equal():
    kind = compared(lambda a, b: True)
    return aux_pair(kind(2.0), kind(3.0), times_value)


@row("j2", "aux __eq__ is <=: 2 then 3, and 3 then 2")
def at_most():
    kind = compared(lambda a, b: a.value <= b.value)
    return {
        "2 then 3": aux_pair(kind(2.0), kind(3.0), times_value),
        "3 then 2": aux_pair(kind(3.0), kind(2.0), times_value),
    }


def _second(make):
    jax.clear_caches()  # auxiliary data of one class is compared across functions (j6)
    compiled = jax.jit(lambda node: node.array)
    compiled(Node(ten(), make()))
    return raised(compiled, Node(ten(), make()))


def _raise(a, b):
    raise ValueError("not comparable")


@row("j3", "aux array of 2 elements, or __eq__ raising or returning an array")
def no_equality():
    raising, returning = compared(_raise), compared(lambda a, b: np.array([True, True]))
    return {
        "array": _second(lambda: np.array([1.0, 2.0])),
        "raising": _second(lambda: raising(2.0)),
        "returning an array": _second(lambda: returning(2.0)),
    }


class Forgetful:
    """A node whose flatten forgets the factor."""

    def __init__(self, array, factor=1.0):
        self.array, self.factor = array, factor


jax.tree_util.register_pytree_node(
    Forgetful, lambda node: ((node.array,), None), lambda aux, children: Forgetful(children[0])
)


@row("j4", "flatten forgets a parameter, unflatten takes its default")
def forgotten():
    served = jax.jit(lambda node: node.factor * node.array)(Forgetful(ten(), 5.0))
    return against(served, cold(lambda x: 5.0 * x, ten()))


@row("j5", "aux __eq__ without __hash__, or equal with unequal hashes; __eq__ returning NotImplemented")
def hash_is_not_asked():
    unhashed = compared(lambda a, b: a.value == b.value, hashed=False)
    other_hash = type(
        "Hashed",
        (),
        {
            "__init__": lambda self, value: setattr(self, "value", value),
            "__eq__": lambda a, b: a.value == b.value,
            "__hash__": lambda self: id(self),
        },
    )
    undecided = compared(lambda a, b: NotImplemented)
    return {
        "no hash": aux_pair(unhashed(2.0), unhashed(3.0), times_value),
        "hashes differ": aux_pair(other_hash(2.0), other_hash(3.0), times_value),
        "NotImplemented": aux_pair(undecided(2.0), undecided(3.0), times_value),
    }


@row("j6", "numpy scalar as aux, after a tuple was aux of the same class, even under another function")
def scalar_after_tuple():
    class Held(Node):
        pass

    jax.tree_util.register_pytree_node(
        Held, lambda node: ((node.array,), node.aux), lambda aux, children: Held(children[0], aux)
    )
    same, other = jax.jit(lambda node: node.array), jax.jit(lambda node: 2 * node.array)
    same(Held(ten(), (1, 2)))
    return {
        "the same function": raised(same, Held(ten(), np.bool_(True))),
        "another function": raised(other, Held(ten(), np.bool_(True))),
    }


@ours("j1", "j2", "j3", "j5", "j6")
def auxiliary_data_is_one_value():
    from lenticulum.fast.pytree import register_node

    class Ours:
        __slots__ = ("array", "term")

        def __init__(self, array, term):
            self.array, self.term = array, term

    register_node(Ours, children=("array",))
    refused(TypeError, lambda: jax.jit(lambda node: node.array)(Ours(ten(), np.array([1.0, 2.0]))), "ndarray")
    refused(TypeError, lambda: jax.jit(lambda node: node.array)(Ours(ten(), compared(_raise)(2.0))), "Compared")


@ours("j4")
def nothing_is_forgotten():
    from lenticulum.fast.pytree import register_node

    class Ours:
        __slots__ = ("array", "factor", "term")

    refused(TypeError, lambda: register_node(Ours, children=("array",)), "exactly one value besides")
