"""The seven laws of the key, each with encodings in use elsewhere that it rejects.

A law is a predicate over an encoding and values. The strict key must satisfy it on every draw; every planted encoding
must break it on a fixed list of values that are equal for some purpose and different for a program.
"""

import collections
import enum
import fractions
import itertools
import struct

import hypothesis.strategies as st
import jax
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings

from lenticulum.terms.key import key
from lenticulum.terms.sealing import field_key, field_values
from lenticulum.terms.value import Value, replace, value

Lower = collections.namedtuple("Lower", "low high")
Upper = collections.namedtuple("Upper", "high low")


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Fruit(enum.IntEnum):
    RED = 1


@value
class Pair(Value):
    first: object
    second: object = None


@value
class Twin(Value):
    first: object
    second: object = None


# Values that `==`, text, bytes or position confuse. Every planted encoding must fail on this list alone.
ATOMS = [
    *(None, False, True, -2, -1, 0, 1, 2, 0.0, -0.0, 1.0, 0.5, 1 / 3, float("nan"), float("inf")),
    *(0j, complex(0.0, -0.0), 1 + 0j, complex(float("nan"), 0.0), "", "1", "None", b"1"),
    *(fractions.Fraction(1, 2), fractions.Fraction(1), Colour.RED, Colour.BLUE, Fruit.RED),
    *(np.float32(0.5), np.float64(0.5), np.int64(1), np.bool_(True), ml_dtypes.bfloat16(0.5)),
    *(np.dtype("int8"), np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)),
]
FORMATS = [np.dtype(name) for name in ("bool", "int8", "uint8", "int32", "float32", "int64", "float64")]
FORMATS += [np.dtype(kind) for kind in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz)]
ARRAYS = [
    np.full(shape, number).astype(dtype)
    for dtype in FORMATS
    for shape, number in (((), 0), ((), 1), ((2,), 1), ((2, 1), 1), ((0, 2), 0), ((0, 3), 0))
] + [np.array([-0.0, 1.0]), np.array([0.0, 1.0]), np.array([np.nan])]
NESTED = [
    container(*parts)
    for container in (lambda *parts: tuple(parts), Lower, Upper, Pair, Twin)
    for parts in ((1, 2), (1, 2.0), ((1, 2), 3), (1, (2, 3)), (Colour.RED, np.array([1])))
] + [
    frozenset({1}),
    frozenset({True}),
    frozenset({1, "1"}),
    frozenset({float("nan")}),
    frozenset(map(float, 2 * ["nan"])),
]
PALETTE = [*ATOMS, *ARRAYS, *NESTED]

LEAVES = st.one_of(
    st.sampled_from(PALETTE),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.fractions(),
    st.text(max_size=3),
    st.binary(max_size=3),
)
VALUES = st.one_of(
    LEAVES,
    st.tuples(LEAVES, LEAVES),
    st.builds(Lower, LEAVES, LEAVES),
    st.builds(Upper, LEAVES, LEAVES),
    st.frozensets(st.sampled_from(ATOMS), max_size=3),
    st.builds(Pair, LEAVES, st.tuples(LEAVES)),
    st.builds(Twin, LEAVES, st.builds(Pair, LEAVES)),
)
REFUSABLE = [[1], [], {"a": 1}, {1}, range(2), print, object(), np.array([None]), np.zeros(2, ">i4"), float]
REFUSED = st.sampled_from(REFUSABLE) | st.tuples(LEAVES, st.sampled_from(REFUSABLE))


def float_bits(number):
    return "nan" if number != number else struct.pack("<d", number)


def same(left, right):
    """Whether two plain values have one type and the same bits: the second formulation, without any key."""
    if type(left) is not type(right):
        return False
    if isinstance(left, enum.Enum | np.dtype):
        return left is right or (isinstance(left, np.dtype) and left.name == right.name)
    if isinstance(left, Value):
        return same(tuple(field_values(left).values()), tuple(field_values(right).values()))
    if isinstance(left, np.ndarray | np.generic):
        same_format = left.dtype.name == right.dtype.name and left.shape == right.shape
        return same_format and left.tobytes() == right.tobytes()
    if isinstance(left, float):
        return float_bits(left) == float_bits(right)
    if isinstance(left, complex):
        return float_bits(left.real) == float_bits(right.real) and float_bits(left.imag) == float_bits(right.imag)
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, frozenset):
        # A matching in both directions: members are hashable atoms, few enough to try all.
        return len(left) == len(right) and all(
            sum(same(member, other) for other in left) == sum(same(member, other) for other in right) for member in left
        )
    return left == right


def rebuilt(plain):
    """The same value from new objects, as a constructor called again makes it."""
    if isinstance(plain, Value):
        return type(plain)(**{name: rebuilt(field) for name, field in field_values(plain).items()})
    if isinstance(plain, np.ndarray):
        return plain.copy(order="F")
    if isinstance(plain, tuple):
        return tuple.__new__(type(plain), [rebuilt(element) for element in plain])
    if isinstance(plain, float) and type(plain) is float:
        return struct.unpack("<d", struct.pack("<d", plain))[0]
    return plain


# Law 1 ---------------------------------------------------------------------------------------------------------------


def is_refused(encoding, plain):
    try:
        encoding(plain)
    except TypeError:
        return True
    return False


def by_address(plain):
    try:
        return key(plain)
    except TypeError:
        return ("object", id(plain))


def list_as_tuple(plain):
    return key(tuple(plain) if type(plain) is list else plain)


@given(VALUES)
def test_law_1_every_accepted_value_has_a_key(plain):
    hash(key(plain))
    hash(Pair(plain))


@given(REFUSED)
def test_law_1_every_other_value_is_refused_also_at_construction(plain):
    assert is_refused(key, plain)
    assert is_refused(Pair, plain)


@pytest.mark.parametrize("planted", [by_address, list_as_tuple])
def test_law_1_rejects_an_encoding_that_accepts_what_can_change(planted):
    assert any(not is_refused(planted, plain) for plain in REFUSABLE)


# Law 2 ---------------------------------------------------------------------------------------------------------------


def is_equivalence(relation, left, middle, right):
    """Reflexive, symmetric, transitive; a bool, and the same one when asked again."""
    triple = (left, middle, right)
    answers = {(i, j): relation(triple[i], triple[j]) for i in range(3) for j in range(3)}
    again = {(i, j): relation(triple[i], triple[j]) for i in range(3) for j in range(3)}
    if any(type(answer) is not bool for answer in answers.values()) or answers != again:
        return False
    reflexive = all(answers[i, i] for i in range(3))
    symmetric = all(answers[i, j] == answers[j, i] for i, j in answers)
    transitive = all(answers[i, k] or not (answers[i, j] and answers[j, k]) for i, j in answers for k in range(3))
    return reflexive and symmetric and transitive


def number_at_most(left, right):
    return left <= right if type(left) is type(right) is int else left is right


def equal_fields(left, right):
    return (left == right) if isinstance(left, np.ndarray) else bool(key(left) == key(right))


def close(left, right):
    return abs(left - right) <= 1 if type(left) is type(right) is int else key(left) == key(right)


@given(VALUES, VALUES, VALUES)
def test_law_2_equality_is_an_equivalence(left, middle, right):
    assert is_equivalence(lambda a, b: key(a) == key(b), left, middle, right)
    assert is_equivalence(lambda a, b: Pair(a) == Pair(b), left, middle, right)


@pytest.mark.parametrize("planted", [lambda a, b: a is b and a == a, number_at_most, equal_fields, close])
def test_law_2_rejects_an_equality_that_is_none(planted):
    triples = itertools.product(ATOMS[:15] + ARRAYS[-2:], repeat=3)
    assert any(not is_equivalence(planted, *triple) for triple in triples)


# Law 3 ---------------------------------------------------------------------------------------------------------------


def hash_follows_key(encoding, hashing, plain):
    copy = rebuilt(plain)
    return encoding(plain) != encoding(copy) or hashing(plain) == hashing(copy)


def hash_by_address(plain):
    return id(plain)


def hash_of_text(plain):
    return hash(repr(plain) if not isinstance(plain, Value) else object.__repr__(plain))


@given(VALUES)
def test_law_3_the_hash_follows_the_key(plain):
    assert hash_follows_key(key, lambda value: hash(key(value)), plain)
    assert hash_follows_key(key, lambda value: hash(Pair(value)), plain)


@given(VALUES)
def test_law_3_no_hash_is_stored(plain):
    held = Pair(plain)
    _, (cls, fields) = held.__reduce__()
    assert cls is Pair
    assert [name for name, _ in fields] == ["first", "second"]
    assert all(same(field, getattr(held, name)) for name, field in fields)


@pytest.mark.parametrize("planted", [hash_by_address, hash_of_text])
def test_law_3_rejects_a_hash_of_something_else(planted):
    assert any(not hash_follows_key(key, planted, plain) for plain in PALETTE)


# Law 4 ---------------------------------------------------------------------------------------------------------------


def separates(encoding, left, right):
    return same(left, right) or encoding(left) != encoding(right)


def by_number(plain):
    return ("number", plain) if isinstance(plain, int | float | complex | fractions.Fraction) else key(plain)


def by_text(plain):
    return str(plain)


def by_bytes(plain):
    return plain.tobytes() if isinstance(plain, np.ndarray) else key(plain)


def by_dtype_text(plain):
    return (plain.dtype.str, plain.shape, plain.tobytes()) if isinstance(plain, np.ndarray) else key(plain)


def by_elements(plain):
    return ("tuple", *map(key, plain)) if isinstance(plain, tuple) else key(plain)


def by_fields(plain):
    return tuple(map(key, field_values(plain).values())) if isinstance(plain, Value) else key(plain)


@given(VALUES, VALUES)
def test_law_4_different_values_have_different_keys(left, right):
    assert separates(key, left, right)
    assert separates(Pair, left, right)


@pytest.mark.parametrize("planted", [by_number, by_text, by_bytes, by_dtype_text, by_elements, by_fields])
def test_law_4_rejects_an_encoding_that_merges_values(planted):
    assert any(not separates(planted, left, right) for left, right in itertools.combinations(PALETTE, 2))


# Law 5 ---------------------------------------------------------------------------------------------------------------


def survives_rebuild(encoding, plain):
    return encoding(rebuilt(plain)) == encoding(plain)


def array_by_address(plain):
    return id(plain) if isinstance(plain, np.ndarray) else key(plain)


def float_by_itself(plain):
    return ("float", plain) if type(plain) is float else key(plain)


@given(VALUES)
def test_law_5_rebuilding_gives_the_same_key(plain):
    assert survives_rebuild(key, plain)
    assert survives_rebuild(Pair, plain)


@settings(max_examples=10)
@given(VALUES)
def test_law_5_there_is_one_trace_over_any_number_of_rebuilds(plain):
    traces = []

    def run(term, x):
        traces.append(term)
        return x

    compiled = jax.jit(run, static_argnums=0)
    for _ in range(5):
        compiled(Pair(rebuilt(plain)), 1.0)
    assert len(traces) == 1


@pytest.mark.parametrize("planted", [array_by_address, float_by_itself])
def test_law_5_rejects_an_encoding_that_forgets_across_rebuilds(planted):
    assert any(not survives_rebuild(planted, plain) for plain in PALETTE)


# Law 6 ---------------------------------------------------------------------------------------------------------------


class Aliased:
    """A description that keeps the caller's array, as a plain frozen dataclass does."""

    def __init__(self, first):
        self.first = first


class ReadOnlyCopy:
    """A description that keeps a copy whose write flag anyone can set again."""

    def __init__(self, first):
        self.first = first.copy()
        self.first.setflags(write=False)


def is_stable(make, array):
    """Whether the description keeps its meaning when the caller's array, then its own, is written to."""
    caller = array.copy()
    held = make(caller)
    before = key(held.first)
    caller[...] = 1 - caller.astype(np.float64)
    after_caller = key(held.first)
    try:
        held.first.setflags(write=True)
        held.first[...] = 1 - held.first.astype(np.float64)
    except ValueError:
        pass  # the array refuses to be written, which is the law
    return before == after_caller == key(held.first)


@given(st.sampled_from(ARRAYS))
def test_law_6_no_operation_changes_a_value(array):
    assert is_stable(Pair, array)


@given(VALUES, VALUES)
def test_law_6_a_derived_value_leaves_its_parent_as_it_was(first, other):
    parent = Pair(first)
    before = parent.identity_key
    replace(parent, first=other)
    assert parent.identity_key == before == field_key(parent)


@pytest.mark.parametrize("planted", [Aliased, ReadOnlyCopy])
def test_law_6_rejects_a_description_that_others_can_write_to(planted):
    assert any(not is_stable(planted, array) for array in ARRAYS)


# Law 7 ---------------------------------------------------------------------------------------------------------------


def decoded(form):
    """The value a key stands for: a key that determines its value is a canonical form, not a digest of it."""
    name, *rest = form
    if name == "float":
        return float("nan") if rest == ["nan"] else float.fromhex(rest[0])
    if name == "complex":
        return complex(*(decoded(("float", part)) for part in rest))
    if name == "Fraction":
        return fractions.Fraction(*rest)
    if name == "enum":
        return rest[0][rest[1]]
    if name == "dtype":
        return np.dtype(getattr(ml_dtypes, rest[0], rest[0]))
    if name == "scalar":
        return np.frombuffer(rest[1], decoded(("dtype", rest[0])))[0]
    if name == "array":
        return np.ndarray(rest[1], decoded(("dtype", rest[0])), buffer=rest[2])
    if name == "tuple":
        return tuple.__new__(rest[0], [decoded(element) for element in rest[1:]])
    if name == "frozenset":
        return frozenset(decoded(member) for member, count in rest[0] for _ in range(count))
    if name == "value":
        return rest[0](*map(decoded, rest[1]))
    return rest[0]


def determines(encoding, plain):
    return same(decoded(encoding(plain)), plain)


def hash_as_key(plain):
    return ("int", hash(plain)) if type(plain) is int else key(plain)


def rounded(plain):
    return ("float", float(f"{plain:.6g}").hex()) if type(plain) is float and plain == plain else key(plain)


@given(VALUES)
def test_law_7_the_key_determines_the_value(plain):
    assert determines(key, plain)


def test_law_7_holds_for_the_palette_and_rejects_a_hash_or_a_rounding_as_the_key():
    assert all(determines(key, plain) for plain in PALETTE)
    assert [plain for plain in ATOMS if not determines(hash_as_key, plain)] == [-1]
    assert [plain for plain in ATOMS if not determines(rounded, plain)] == [1 / 3]
