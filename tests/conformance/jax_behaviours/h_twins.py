"""Family h: values that are equal and mean different programs, nested in a metadata field."""

import collections
import enum

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from tests.conformance.jax_behaviours.behaviour import against, cold, meta_pair, ours, row, ten
from tests.conformance.jax_behaviours.described import Scale, refused, right

Low = collections.namedtuple("Low", "lo hi")
High = collections.namedtuple("High", "hi lo")


class Color(enum.IntEnum):
    """One integer enumeration."""

    RED = 1


class Order(enum.IntEnum):
    """Another, with an equal member."""

    RED = 1


class Hashable(dict):
    """A dictionary with a hash."""

    def __hash__(self):
        return hash(frozenset(self.items()))


class Multiply(collections.namedtuple("Multiply", "factor")):
    """A named tuple that can be called."""

    __slots__ = ()

    def __call__(self, x):
        return self.factor * x


class Add(collections.namedtuple("Add", "factor")):
    """Its twin."""

    __slots__ = ()

    def __call__(self, x):
        return self.factor + x


def times(value, x):
    """The product."""
    return value * x


def quotient(value, x):
    """A quotient, which shows the sign of a zero."""
    return x / value


@row("h1", "1 then 1.0 times int8 3")
def integer_float():
    return meta_pair(1, 1.0, times, jnp.int8(3))


@row("h2", "True then 1.0 times int32 3")
def boolean_float():
    return meta_pair(True, 1.0, times, jnp.int32(3))


@row("h3", "True then 1 times bool True")
def boolean_integer():
    return meta_pair(True, 1, times, jnp.bool_(True))


@row("h4", "0.5 then np.float32(0.5) times bfloat16 3")
def weak_strong():
    return meta_pair(0.5, np.float32(0.5), times, jnp.bfloat16(3))


@row("h5", "0.0 then -0.0, a / v, and atan2(v, -1)")
def zeros():
    return {
        "quotient": meta_pair(0.0, -0.0, quotient),
        "atan2": meta_pair(0.0, -0.0, lambda value, x: jnp.arctan2(value, -1.0) + 0 * x),
    }


@row("h6", "True then 1 as subscript of [1, 2, 3], summed (mask, then position)")
def subscript():
    return meta_pair(True, 1, lambda value, x: jnp.sum(x[value]), jnp.array([1.0, 2.0, 3.0]))


@row("h7", "P(lo, hi) then Q(hi, lo), both (1, 2), a - v.lo")
def named_tuples():
    return meta_pair(Low(1.0, 2.0), High(1.0, 2.0), lambda value, x: x - value.lo)


@row("h8", "callable named tuples Scale(2.) then Shift(2.)")
def callable_tuples():
    return meta_pair(Multiply(2.0), Add(2.0), lambda value, x: value(x))


@row("h9", "integer enums C.RED then O.RED, branch on class")
def integer_enumerations():
    return meta_pair(Color.RED, Order.RED, lambda value, x: (2.0 if type(value) is Color else 3.0) * x)


@row("h10", "hashable dict, other insertion order")
def dictionary_order():
    one, other = Hashable(a=2.0, b=3.0), Hashable(b=3.0, a=2.0)
    return meta_pair(one, other, lambda value, x: next(iter(value.values())) * x)


def _top(first, second, run, x):
    compiled = jax.jit(lambda value, given: run(value, given), static_argnums=0)
    compiled(first, x)
    return against(compiled(second, x), cold(lambda given: run(second, given), x))


@row("h11", "top-level static 1 then 1.0")
def top_level_numbers():
    return _top(1, 1.0, times, jnp.int8(3))


@row("h12", "top-level static 0.0 then -0.0, a / v")
def top_level_zeros():
    return _top(0.0, -0.0, quotient, ten())


@ours("h1", "h2", "h3", "h4", "h5", "h11", "h12")
def numbers_are_keyed_by_type_and_bits():
    def run(item, x):
        return item.factor * x

    right(Scale(1), Scale(1.0), Scale(True), traces=3, run=run, x=jnp.int8(3))
    right(Scale(0.5), Scale(np.float32(0.5)), Scale(0.5), traces=2, run=run, x=jnp.asarray(3, ml_dtypes.bfloat16))
    right(Scale(0.0), Scale(-0.0), traces=2, run=lambda item, x: x / item.factor)


@ours("h6")
def subscripts_are_two():
    right(Scale(True), Scale(1), traces=2, run=lambda item, x: jnp.sum(x[item.factor]), x=jnp.array([1.0, 2.0, 3.0]))


@ours("h7", "h8", "h9")
def classes_are_part_of_the_key():
    right(Scale(Low(1.0, 2.0)), Scale(High(1.0, 2.0)), traces=2, run=lambda item, x: x - item.factor.lo)
    right(Scale(Multiply(2.0)), Scale(Add(2.0)), traces=2, run=lambda item, x: item.factor(x))
    right(
        *(Scale(Color.RED), Scale(Order.RED)),
        traces=2,
        run=lambda item, x: (2.0 if type(item.factor) is Color else 3.0) * x,
    )


@ours("h10")
def dictionaries_are_refused():
    refused(TypeError, lambda: Scale(Hashable(a=2.0)), "pairs in the order")
