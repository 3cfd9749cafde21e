"""Family g: NaN, arrays, and keys made of bytes."""

import dataclasses

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from tests.conformance.jax_behaviours.behaviour import Counting, ours, raised, row, static_pair, ten
from tests.conformance.jax_behaviours.described import Scale, refused, right


def keyed(of):
    """A class of objects with an array, keyed by a function of it."""

    class Keyed:
        def __init__(self, values):
            self.values = values

        def __eq__(self, other):
            return type(self) is type(other) and of(self.values) == of(other.values)

        def __hash__(self):
            return hash(of(self.values))

    return Keyed


class Equal:
    """Compared by `np.array_equal`, hashed by nothing."""

    def __init__(self, values):
        self.values = values

    def __eq__(self, other):
        return np.array_equal(self.values, other.values)

    def __hash__(self):
        return 0


@dataclasses.dataclass(frozen=True)
class Plain:
    """A plain frozen dataclass of an array."""

    values: np.ndarray


@dataclasses.dataclass(frozen=True)
class Bytes:
    """A hash of the bytes, beside the equality that the dataclass generates."""

    values: np.ndarray

    def __hash__(self):
        return hash(self.values.tobytes())


BY_STR = keyed(lambda a: (a.dtype.str, a.shape, a.tobytes()))
BY_BYTES = keyed(lambda a: a.tobytes())


def total(item, x):
    """The sum of the array times x."""
    return jnp.sum(jnp.asarray(item.values)) * x


def total_float(item, x):
    """The same in float32, which small formats cannot do by themselves."""
    return jnp.sum(jnp.asarray(item.values).astype(jnp.float32)) * x


@row("g1", "the same NaN object twice; two NaN objects")
def not_a_number():
    def traces(*values):
        jit = Counting()
        compiled = jit(lambda value, x: value * x, static_argnums=0)
        for value in values:
            compiled(value, ten())
        return f"{jit.traces} traces"

    nan = float("nan")
    return {"the same": traces(nan, nan), "two": traces(float("nan"), float("nan"))}


@row("g2", "numpy array in a plain frozen dataclass; raw array or list as static")
def unhashable():
    compiled = jax.jit(lambda item, x: x, static_argnums=0)
    array = np.array([1.0, 2.0])
    return {
        "dataclass": raised(compiled, Plain(array), ten()),
        "array": raised(compiled, array, ten()),
        "list": raised(compiled, [1.0], ten()),
    }


@row("g3", "bytes hash with generated ==, two equal arrays of 2 elements")
def array_equality():
    compiled = jax.jit(total, static_argnums=0)
    first = raised(compiled, Bytes(np.array([1.0, 2.0])), ten())
    return {"first call": first, "second call": raised(compiled, Bytes(np.array([1.0, 2.0])), ten())}


@row("g4", "key with dtype.str: float8_e4m3fn then float8_e4m3fnuz [1.5, 2]")
def small_floats():
    first = np.array([1.5, 2.0], ml_dtypes.float8_e4m3fn)
    return static_pair(BY_STR(first), BY_STR(first.view(ml_dtypes.float8_e4m3fnuz)), total_float)


@row("g5", "key with dtype.str: int4 [-1, 1] then the same bits as uint4")
def small_integers():
    first = np.array([-1, 1], ml_dtypes.int4)
    return static_pair(BY_STR(first), BY_STR(first.view(ml_dtypes.uint4)), total_float)


@row("g6", "key with dtype.str: structured dtype, field names swapped")
def structured():
    one, other = (np.array([(1, 2)], [(a, "i4"), (b, "i4")]) for a, b in ("ab", "ba"))
    return static_pair(BY_STR(one), BY_STR(other), lambda item, x: float(item.values["a"][0]) * x)


@row("g7", "masked array whose fill value equals the hidden datum")
def masked():
    one = np.ma.masked_array([1.0, 2.0], [False, False], fill_value=2.0)
    other = np.ma.masked_array([1.0, 2.0], [False, True], fill_value=2.0)
    return static_pair(BY_BYTES(one), BY_BYTES(other), lambda item, x: float(item.values.sum()) * x)


@row("g8", "np.array_equal as equality: [0.0] then [-0.0], 1 / a")
def equal_zeros():
    one, other = Equal(np.array([0.0], np.float32)), Equal(np.array([-0.0], np.float32))
    return static_pair(one, other, lambda item, x: x / jnp.asarray(item.values)[0])


@row("g9", "np.array_equal as equality: float32 [1] then int32 [1], times a bfloat16")
def equal_types():
    one, other = Equal(np.array([1], np.float32)), Equal(np.array([1], np.int32))
    return static_pair(one, other, lambda item, x: jnp.asarray(item.values)[0] * x, jnp.bfloat16(10))


@row("g10", "bytes without dtype: float64 [1, 2], then the same bits as int64")
def bytes_alone():
    first = np.array([1.0, 2.0])
    # On the host: with x64 off, jax would truncate the 64 bits first.
    return static_pair(
        BY_BYTES(first), BY_BYTES(first.view(np.int64)), lambda item, x: float(item.values.astype(np.int32).sum()) * x
    )


@row("g11", "arrays of one element in g3: bool [True] then int8 [1], complement times int8")
def one_element():
    one, other = Bytes(np.array([True])), Bytes(np.array([1], np.int8))
    return static_pair(one, other, lambda item, x: ~jnp.asarray(item.values)[0] * x, jnp.int8(1))


@ours("g1")
def one_not_a_number():
    right(Scale(float("nan")), Scale(float("nan")), traces=1)


@ours("g2", "g3", "g4", "g5", "g8", "g9", "g10", "g11")
def arrays_are_keyed_by_type_shape_and_bits():
    def run(item, x):
        return jnp.asarray(item.factor).astype(jnp.float32) * x

    small = np.array([1.5, 2.0], ml_dtypes.float8_e4m3fn)
    right(Scale(small), Scale(small.view(ml_dtypes.float8_e4m3fnuz)), Scale(small.copy()), traces=2, run=run)
    four = np.array([-1, 1], ml_dtypes.int4)
    right(Scale(four), Scale(four.view(ml_dtypes.uint4)), traces=2, run=run)
    wide = np.array([1.0, 2.0], np.float32)
    right(Scale(wide), Scale(wide.view(np.int32)), Scale(wide.astype(np.int32)), traces=3, run=run)
    zero = np.array([0.0], np.float32)
    right(Scale(zero), Scale(-zero), traces=2, run=lambda item, x: x / jnp.asarray(item.factor)[0])


@ours("g6", "g7")
def arrays_without_an_exact_form_are_refused():
    refused(TypeError, lambda: Scale(np.array([(1, 2)], [("a", "i4"), ("b", "i4")])), "no exact name")
    refused(TypeError, lambda: Scale(np.ma.masked_array([1.0], [True])), "mask")
