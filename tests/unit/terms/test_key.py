"""The strict key: its form for every accepted type, and what is refused."""

import collections
import decimal
import enum
import fractions
import typing

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from lenticulum.terms.key import ML_DTYPES_NAMES, NUMPY_NAMES, key
from lenticulum.terms.value import Value, value

Lower = collections.namedtuple("Lower", "low high")
Upper = collections.namedtuple("Upper", "high low")


class Colour(enum.IntEnum):
    RED = 1


class Fruit(enum.IntEnum):
    RED = 1


class Activation(enum.StrEnum):
    RELU = "relu"


class Access(enum.Flag, boundary=enum.FlagBoundary.KEEP):
    READ = 1
    WRITE = 2


class Bound(typing.NamedTuple):
    low: float
    weights: object


@value
class Inner(Value):
    factor: object


FORMS = [
    (None, ("NoneType", None)),
    (True, ("bool", True)),
    (1, ("int", 1)),
    ("a", ("str", "a")),
    (b"a", ("bytes", b"a")),
    (0.5, ("float", "0x1.0000000000000p-1")),
    (-0.0, ("float", "-0x0.0p+0")),
    (float("nan"), ("float", "nan")),
    (float("-inf"), ("float", "-inf")),
    (complex(0.0, -0.0), ("complex", "0x0.0p+0", "-0x0.0p+0")),
    (fractions.Fraction(2, 4), ("Fraction", 1, 2)),
    (Colour.RED, ("enum", Colour, "RED")),
    (np.float32(1.0), ("scalar", "float32", b"\x00\x00\x80\x3f")),
    (np.array([[1, 2]], np.int8), ("array", "int8", (1, 2), b"\x01\x02")),
    (np.dtype("float16"), ("dtype", "float16")),
    ((1, 2.0), ("tuple", tuple, ("int", 1), ("float", "0x1.0000000000000p+1"))),
    (Lower(1, 2), ("tuple", Lower, ("int", 1), ("int", 2))),
    (frozenset({1}), ("frozenset", frozenset({(("int", 1), 1)}))),
    (Inner(1), ("value", Inner, (("int", 1),))),
]


@pytest.mark.parametrize(("given", "form"), FORMS, ids=repr)
def test_the_key_of_a_value_has_the_form_of_the_table(given, form):
    assert key(given) == form


# The pairs behind family h of the frozen corpus: equal for `==`, different programs.
TWINS = [
    (True, 1),
    (1, 1.0),
    (True, 1.0),
    (0.0, -0.0),
    (complex(0.0, 0.0), complex(0.0, -0.0)),
    (1.0, 1 + 0j),
    (1, np.int64(1)),
    (0.5, np.float32(0.5)),
    (np.float32(0.5), np.float64(0.5)),
    (0.5, np.float64(0.5)),
    (0.5, fractions.Fraction(1, 2)),
    (True, np.bool_(True)),
    (Colour.RED, Fruit.RED),
    (Colour.RED, 1),
    ("relu", Activation.RELU),
    (Lower(1, 2), Upper(1, 2)),
    (Lower(1, 2), (1, 2)),
    (frozenset({1}), frozenset({True})),
    (Inner(1), Inner(1.0)),
    ((Inner(1),), (Inner(True),)),
    (((0, 1), (2,)), ((0,), (1, 2))),
    (np.float32(0.5), np.array(0.5, np.float32)),
    (np.array([True, False]), np.array([1, 0], np.int8)),
    (np.array([0.0]), np.array([-0.0])),
    (np.zeros((2, 3)), np.zeros((3, 2))),
    (np.zeros((0, 2)), np.zeros((0, 3))),
    (np.array([1.0, 2.0]), np.array([1.0, 2.0]).view(np.int64)),
    (np.array([1.0, 2.0]), (1.0, 2.0)),
    (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)),
    (np.dtype("float32"), "float32"),
    (Access(8), Access(16)),
    (Access(0), Access(8)),
    (Access.READ | Access.WRITE, Access.READ),
]


@pytest.mark.parametrize(("left", "right"), TWINS, ids=repr)
def test_twins_have_different_keys(left, right):
    assert key(left) != key(right)


def test_a_set_of_two_nan_objects_is_not_a_set_of_one():
    assert key(frozenset({float("nan"), float("nan")})) != key(frozenset({float("nan")}))


def test_the_listed_small_formats_are_those_of_ml_dtypes_and_have_different_keys():
    formats = [np.dtype(getattr(ml_dtypes, name)) for name in ML_DTYPES_NAMES] + [np.dtype(n) for n in NUMPY_NAMES]
    assert len({key(np.zeros(2, dtype)) for dtype in formats}) == len(formats)
    assert len({key(np.zeros((), dtype)[()]) for dtype in formats}) == len(formats)
    assert len({key(dtype) for dtype in formats}) == len(formats)


def test_the_layout_of_an_array_does_not_enter_its_key():
    array = np.arange(6.0).reshape(2, 3)
    assert key(np.asfortranarray(array)) == key(array) == key(np.arange(12.0)[::2].reshape(2, 3) / 2)


def test_an_alias_of_an_enum_member_is_the_member():
    class Mode(enum.Enum):
        TRAIN = 1
        TRAINING = 1

    assert key(Mode.TRAINING) == key(Mode.TRAIN)


class Metres(float):
    pass


class Half(np.float32):
    pass


class Matrix(np.ndarray):
    pass


class Loose(Lower):
    """A named tuple with a `__dict__`, where a parameter can hide."""


REFUSED = [
    ([1], "a list is not plain data; use a tuple"),
    ({"a": 1}, "a dict is not plain data; use a tuple of"),
    ({1}, "a set is not plain data; use a frozenset"),
    (range(3), r"use the tuple \(start, stop, step\)"),
    (decimal.Decimal("0.1"), "use a Fraction, or the decimal string"),
    (bytearray(b"a"), "use bytes"),
    (len, "use an Enum member, or another value type"),
    (lambda x: x, "use an Enum member, or another value type"),
    (float, "use an Enum member, or another value type"),
    (np, "a module is not plain data"),
    (object(), "an object is not plain data"),
    (Metres(1.0), "use the plain number"),
    (Half(1.0), "use float32 itself"),
    (Loose(1, 2), "use a tuple"),
    (jnp.zeros(2), "use a NumPy array for a constant"),
    (np.ma.masked_array([1.0, 2.0], [False, True]), "use numpy.asarray"),
    (np.zeros(2).view(Matrix), "use numpy.asarray"),
    (np.array([None]), "has no exact name"),
    (np.zeros(2, ">i4"), "native byte order"),
    (np.zeros(2, "i4,f4"), "without fields"),
    (np.zeros(2, np.dtype((np.int32, {"low": (np.int16, 0), "high": (np.int16, 2)}))), "without fields"),
    (np.zeros(2, np.dtype("f4", metadata={"unit": "m"})), "metadata"),
    (np.array(["a"]), "has no exact name"),
    (np.str_("a"), "has no exact name"),
    (np.longdouble(1), "has no exact name"),
    (np.longlong(1), "has no exact name"),
    (np.datetime64("2026-01-01"), "has no exact name"),
    (np.dtype(">f4"), "native byte order"),
    (np.dtype("O"), "has no exact name"),
    ((1, [2]), "a list is not plain data"),
    (Lower(1, {2}), "a set is not plain data"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED, ids=lambda case: type(case).__name__)
def test_what_is_not_plain_data_is_refused_with_the_form_to_use(given, message):
    with pytest.raises(TypeError, match=message):
        key(given)


def test_a_traced_value_is_refused():
    def read(x):
        with pytest.raises(TypeError, match="traced values are arguments"):
            key(x)
        return x

    jax.jit(read)(1.0)
