"""Families q and r: Python scalars through jit, and scalars of NumPy as static arguments."""

import operator
import warnings

import jax
import jax.numpy as jnp
import numpy as np

from tests.conformance.jax_behaviours.behaviour import Counting, against, ours, row, shown, static_pair
from tests.conformance.jax_behaviours.described import Scale, right


def _both(function, value):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python deprecates the complement of a truth value
        return f"{shown(jax.jit(function)(value))} / {shown(function(value))}"


@row("q1", "Python scalars through jit: (v+1)-v, v = 1e8; True + True; ~True")
def traced_scalars():
    return {
        "(v+1)-v": _both(lambda v: (v + 1) - v, 1e8),
        "True + True": _both(lambda v: v + v, True),
        "~True": _both(operator.invert, True),
    }


@row("q2", "ten spellings of 1 as a dynamic argument")
def spellings():
    jit = Counting()
    compiled = jit(lambda v: v)
    one = [True, 1, 1.0, np.bool_(1), np.int32(1), np.int64(1), np.float32(1), np.float64(1), jnp.int32(1)]
    for value in (*one, jnp.float32(1)):
        compiled(value)
    return f"{jit.traces} traces, {compiled._cache_size()} dispatch entries"


@row("r1", "(0.5,) then (np.float32(0.5),) static, bfloat16; top level; 0.1 and np.float32(0.1)")
def static_scalars():
    x = jnp.bfloat16(3)
    return {
        "nested": static_pair((0.5,), (np.float32(0.5),), lambda item, given: item[0] * given, x),
        "top level": static_pair(0.5, np.float32(0.5), lambda item, given: item * given, x),
        "0.1": static_pair((0.1,), (np.float32(0.1),), lambda item, given: item[0] * given, x),
    }


@row("r2", "float32 products of a static 0.1 and np.float32(0.1): one value")
def static_decimals():
    one, other = (jax.jit(lambda x, a=a: a * x)(jnp.float32(3)) for a in (0.1, np.float32(0.1)))
    return against(one, other)


@ours("r1")
def scalars_are_keyed_by_type():
    values = Scale((0.5,)), Scale((np.float32(0.5),)), Scale((0.5,))
    right(*values, traces=2, run=lambda item, x: item.factor[0] * x, x=jnp.bfloat16(3))
