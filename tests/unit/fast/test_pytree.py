"""PyTree nodes: nothing is lost in a round trip, and no two classes share a treedef."""

import jax
import jax.numpy as jnp
import pytest

from lenticulum.fast.pytree import register_node
from lenticulum.terms.value import Value, value


@value
class Scale(Value):
    factor: object = 1.0


class Node:
    __slots__ = ("array", "other", "term")

    def __init__(self, array, other, term):
        self.array, self.other, self.term = array, other, term


class Sibling(Node):
    __slots__ = ()


class Explosive(Node):
    """Runs code whenever an attribute is set or a constructor is called."""

    __slots__ = ()

    def __init__(self):
        raise AssertionError("constructor called")

    def __setattr__(self, name, value):
        raise AssertionError("assignment called")


for cls in (Node, Sibling, Explosive):
    register_node(cls, children=("array", "other"))


def attributes(node):
    return node.array, node.other, node.term


def test_a_round_trip_keeps_every_attribute_twice_for_any_leaves():
    leaves = [object(), object()]
    node = Node(*leaves, Scale(2.0))
    for _ in range(2):
        flat, treedef = jax.tree.flatten(node)
        assert flat == leaves
        node = jax.tree.unflatten(treedef, flat)
        assert attributes(node) == (*leaves, Scale(2.0))
    assert attributes(jax.tree.unflatten(treedef, [None, None])) == (None, None, Scale(2.0))


def test_unflatten_runs_no_code_of_the_class():
    node = object.__new__(Explosive)
    for name, attribute in (("array", 1.0), ("other", 2.0), ("term", Scale(2.0))):
        object.__setattr__(node, name, attribute)
    assert attributes(jax.tree.map(lambda leaf: -leaf, node)) == (-1.0, -2.0, Scale(2.0))


def test_the_treedef_separates_classes_and_values():
    def treedef(cls, factor):
        return jax.tree.structure(cls(1.0, 2.0, Scale(factor)))

    assert treedef(Node, 2.0) == treedef(Node, 2.0)
    assert treedef(Node, 2.0) != treedef(Sibling, 2.0)
    assert treedef(Node, 2.0) != treedef(Node, 2)


def test_a_rebuilt_node_is_traced_once_and_another_value_again():
    traces = []

    @jax.jit
    def run(node):
        traces.append(node.term)
        return node.array * node.term.factor

    results = [run(Node(jnp.int8(3), jnp.int8(0), Scale(factor))) for factor in (2.0, 2.0, 2, 2.0)]
    assert len(traces) == 2
    assert [str(result.dtype) for result in results] == ["float32", "float32", "int8", "float32"]


def test_auxiliary_data_that_is_no_value_is_refused():
    with pytest.raises(TypeError, match=r"Node\.term is a list; auxiliary data is compared by =="):
        jax.tree.flatten(Node(1.0, 2.0, [2.0]))


def test_a_class_that_could_lose_an_attribute_is_refused():
    class Open:
        pass

    class Two:
        __slots__ = ("array", "order", "term")

    with pytest.raises(TypeError, match="Open has a __dict__"):
        register_node(Open, children=())
    with pytest.raises(TypeError, match="expected every child and exactly one value besides"):
        register_node(Two, children=("array",))
    with pytest.raises(TypeError, match="expected every child and exactly one value besides"):
        register_node(Two, children=("array", "order", "weight"))
