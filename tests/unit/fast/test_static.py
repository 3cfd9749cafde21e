"""partition_static: an exact round trip, one skeleton for equal trees and another for each different one."""

import collections
import enum
from collections import OrderedDict
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.fast import combine_static, partition_static
from lenticulum.terms import Dense, Tree, Value, key, value


class Pair(NamedTuple):
    first: object
    second: object


class Twin(NamedTuple):
    first: object
    second: object


class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2


@value
class Scale(Value):
    factor: float


MASK = np.array([True, False, True])
STATIC = [
    *(None, True, False, 0, 1, -1, "relu", "", b"", Fraction(1, 2), Side.LEFT, np.dtype("float32"), frozenset({1})),
    *(np.int64(1), np.int32(1), np.uint8(1), np.bool_(True), MASK, MASK[::2], Dense(2, 3), Scale(0.0), Scale(-0.0)),
]
TRACED = [
    *(0.0, -0.0, 1.0, float("nan"), 1j, np.float32(1), np.float64(0.5), ml_dtypes.bfloat16(1), np.zeros(2, np.int8)),
    *(MASK.astype(np.int8), np.zeros((), np.float32), np.array(3), jnp.zeros(2), jnp.array(MASK), jax.random.key(0)),
    jax.ShapeDtypeStruct((2,), jnp.float32),
]


def same(one, other):
    """Whether two trees have the same types, order, bits, and the same object in the place of each traced leaf."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[name], other[name]) for name in one)
    if isinstance(one, Tree):
        return one.names() == other.names() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other or (not any(one is leaf for leaf in TRACED) and key(one) == key(other))


def containers(inner):
    names = st.sampled_from(["a", "b", "c"])
    return st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.builds(Pair, inner, inner),
        st.builds(Twin, inner, inner),
        st.lists(st.tuples(names, inner), max_size=3).map(dict),
        st.lists(st.tuples(names, inner), max_size=3).map(dict).map(Tree),
    )


LEAVES = st.sampled_from([*STATIC, *TRACED])


@given(st.recursive(LEAVES, containers, max_leaves=12))
def test_the_round_trip_is_exact(tree):
    leaves, skeleton = partition_static(tree)
    assert same(combine_static(leaves, skeleton), tree)
    assert partition_static(combine_static(leaves, skeleton))[1] == skeleton


def test_what_is_static_and_what_is_traced():
    for leaf in STATIC:
        assert partition_static(leaf)[0] == (), repr(leaf)
    for leaf in TRACED:
        (traced,), _ = partition_static(leaf)
        assert traced is leaf


#: Each differs from every other in one thing that == or NumPy overlooks.
DIFFERENT = [
    *(1, True, 1.0, np.int64(1), np.int32(1), np.uint8(1), np.bool_(True), "1", b"1", Fraction(1), None, Side.LEFT),
    *(Side.RIGHT, [1], (1,), [1.0], (True,), Pair(1, 2), Twin(1, 2), (1, 2), [1, 2], [], (), {}, Tree(), [[]], [()]),
    *({"a": 1, "b": 2}, {"b": 2, "a": 1}, Tree(a=1, b=2), Tree(b=2, a=1), {"a": True, "b": 2}, {1: 0}, {True: 0}),
    *(MASK, ~MASK, MASK[None], MASK[:2], [MASK], Scale(0.0), Scale(-0.0), Scale(1.0), Dense(1, 1), frozenset({1})),
    *(frozenset({True}), Pair(None, None), (None, None), [None], {"a": None}, {"a": ()}, {"a": []}),
]


def test_each_different_tree_has_another_skeleton():
    skeletons = [partition_static(tree)[1] for tree in DIFFERENT]
    assert len(set(skeletons)) == len(DIFFERENT)


#: Programs in which the value matters: dtype, sign of infinity, branch, selection.
TWINS = [1, True, np.int64(1), np.int32(1), np.uint8(1), np.bool_(True), 2, Scale(0.0), Scale(-0.0), MASK, ~MASK]


def program(traces):
    def run(leaves, skeleton):
        traces.append(skeleton)
        tree = combine_static(leaves, skeleton)
        given = tree["given"].factor if isinstance(tree["given"], Scale) else tree["given"]
        y = tree["x"] * given
        return (1 / y, jnp.where(given, y, -y)) if isinstance(tree["given"], Scale) else (y, y.dtype.itemsize * y)

    return jax.jit(run, static_argnums=1)


def bits(results):
    return [(each.dtype, np.asarray(each).tobytes()) for each in results]


def rebuilt(twin):
    """An equal value that is another object."""
    if isinstance(twin, np.ndarray):
        return twin.copy()
    return Scale(twin.factor) if isinstance(twin, Scale) else twin


def test_one_trace_for_equal_values_another_for_each_different_one_and_served_is_cold():
    traces = []
    served, x = program(traces), jnp.array([1, 2, 3], jnp.int8)
    for _ in range(3):
        for twin in TWINS:
            served(*partition_static({"given": rebuilt(twin), "x": x}))
    assert len(traces) == len(TWINS)
    for twin in TWINS:
        tree = partition_static({"given": rebuilt(twin), "x": x})
        assert bits(served(*tree)) == bits(program([])(*tree))
    assert len(traces) == len(TWINS)


@dataclass(frozen=True)
class ByEquality:
    """A planted mistake: a skeleton compared by ==, as jax compares what is nested in a tuple."""

    tree: tuple


def numbers_traced(tree):
    """A planted mistake: every NumPy scalar is traced, as the entries of a shape were in T3Toolbox."""
    leaves, skeleton = partition_static({**tree, "given": float(tree["given"])})
    return (tree["given"], *leaves[1:]), skeleton


def test_a_skeleton_compared_by_equality_serves_the_wrong_program():
    traces = []

    def run(x, skeleton):
        traces.append(skeleton)
        (factor,) = skeleton.tree
        return x * factor

    served, x = jax.jit(run, static_argnums=1), jnp.array([1, 2, 3], jnp.int8)
    results = [served(x, ByEquality((twin,))).dtype for twin in (1, 1.0, True)]
    assert len(traces) == 1
    right = program([])
    assert [right(*partition_static({"given": twin, "x": x}))[0].dtype for twin in (1, 1.0, True)] != results


def test_a_shape_of_numpy_integers_is_static_and_a_traced_one_is_no_shape():
    def zeros(leaves, skeleton):
        tree = combine_static(leaves, skeleton)
        return jnp.zeros((tree["given"],)) + tree["x"]

    tree = {"given": np.int64(3), "x": 1.0}
    assert jax.jit(zeros, static_argnums=1)(*partition_static(tree)).shape == (3,)
    with pytest.raises(TypeError, match="Shapes must be 1D sequences of concrete values"):
        jax.jit(zeros, static_argnums=1)(*numbers_traced(tree))


def test_a_traced_mask_and_a_traced_number_run_one_program_with_right_results():
    traces = []

    @jax.jit
    def reciprocal(x):
        traces.append(x)
        return 1 / x

    assert [float(reciprocal(partition_static(each)[0][0])) for each in (0.0, -0.0)] == [np.inf, -np.inf]
    masked = program(traces)
    for mask in (MASK, ~MASK):
        leaves, skeleton = partition_static({"given": jnp.array(mask), "x": jnp.ones(3)})
        assert masked(leaves, skeleton)[0].tolist() == mask.tolist()
    assert len(traces) == 2


def test_a_mask_and_its_twin_of_integers_are_two_programs():
    traces = []
    served = program(traces)
    for mask in (MASK, MASK.astype(np.int8), MASK, MASK.astype(np.int8)):
        served(*partition_static({"given": mask, "x": jnp.ones(3)}))
    assert len(traces) == 2


def test_a_static_mask_is_a_copy_that_its_owner_cannot_change():
    mask = MASK.copy()
    _, skeleton = partition_static([mask])
    mask[0] = False
    (kept,) = combine_static((), skeleton)
    assert kept.tolist() == MASK.tolist()
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = False


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"a": [1, {2}]}, r"\['a'\]\[1\]: a set is not plain data; use a frozenset"),
        (Tree(f=len), r"\.f: a builtin_function_or_method is not plain data"),
        (OrderedDict(a=1), "the tree: an OrderedDict is not plain data; use a tuple of"),
        (np.array([None]), "the dtype dtype.'O'. has no exact name"),
        ({len: 1}, "the key <built-in function len> of the tree"),
        ([np.ma.masked_array([1])], r"\[0\]: a MaskedArray is not plain data"),
    ],
)
def test_anything_else_is_refused_with_its_place(tree, message):
    with pytest.raises(TypeError, match=message):
        partition_static(tree)


def test_holes_and_leaves_are_counted():
    leaves, skeleton = partition_static([1.0, 2, 3.0])
    with pytest.raises(ValueError, match="fewer leaves"):
        combine_static(leaves[:1], skeleton)
    with pytest.raises(ValueError, match="more leaves"):
        combine_static((*leaves, 4.0), skeleton)


def test_a_named_tuple_is_split_by_its_fields_whatever_it_iterates_over():
    class Backwards(collections.namedtuple("Pair", "first second")):
        __slots__ = ()

        def __iter__(self):
            return iter((self[1], self[0]))

    assert combine_static(*partition_static(Backwards(1, 2))).first == 1
