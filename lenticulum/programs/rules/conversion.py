"""Changes of type: between formats, to and from integers and booleans, and between floats and their bits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import jax.numpy as jnp
import numpy as np

from lenticulum.numbers import Dual, ExactArray, Format, Tape, Undecided, where
from lenticulum.programs.ends import ends_of
from lenticulum.programs.interpreter import bind
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.values import decided, is_masked, plain


@rule("convert_element_type")
def convert(step: Step, x: Any) -> Any:
    """The same number in another type; a float becomes an integer by dropping its fraction."""
    dtype = step.parameters["new_dtype"]
    if isinstance(x, ExactArray):
        return to_format(step, x, dtype) if jnp.issubdtype(dtype, jnp.floating) else _to_discrete(plain(x), dtype)
    if not jnp.issubdtype(dtype, jnp.floating):
        return np.ma.array(np.ma.getdata(x).astype(dtype), mask=np.ma.getmaskarray(x))
    if not is_masked(x):
        return step.interpreter.system.data(np.ma.getdata(x), dtype)
    one, zero = (step.interpreter.system.data(np.full(x.shape, value), dtype) for value in (1, 0))
    return where(x, one, zero)


def to_format(step: Step, x: Any, dtype: Any) -> Any:
    """Return an array in another format, with its derivatives."""
    system = step.interpreter.system
    if isinstance(x, Dual):
        return Dual(to_format(step, x.primal, dtype), to_format(step, x.tangent, dtype), x.level)
    if isinstance(x, Tape):
        # The cotangent takes the way back: in a system that has formats, into that of the operand.
        source = getattr(plain(x), "format", None)
        value = to_format(step, x.value, dtype)
        return x.constantly(value, lambda g: g if source is None else to_format(step, g, source))
    return system.convert(x, dtype)


def _to_discrete(x: Any, dtype: Any) -> Any:
    if jnp.issubdtype(dtype, jnp.bool_):
        negative, positive = x < 0, x > 0
        mask = np.ma.getmaskarray(negative) | np.ma.getmaskarray(positive)
        return np.ma.array(np.ma.getdata(negative) | np.ma.getdata(positive), mask=mask)
    found: list[int] = []
    for pair in ends_of(x):
        if pair is None or Fraction.__trunc__(pair[0]) != Fraction.__trunc__(pair[1]):
            raise Undecided("the integer part of a float is not decided by its enclosure")
        found.append(Fraction.__trunc__(pair[0]))
    ends = jnp.iinfo(dtype)
    if any(not ends.min <= each <= ends.max for each in found):
        raise Undecided(f"a float beyond {ends.dtype} is converted to it, which every backend does in its own way")
    return np.array(found, dtype).reshape(x.shape)


@rule("reduce_precision")
def reduce_precision(step: Step, x: Any) -> Any:
    """A rounding to fewer bits, which in exact arithmetic is none."""
    parameters = step.parameters
    exponent, mantissa = parameters["exponent_bits"], parameters["mantissa_bits"]
    bias = 2 ** (exponent - 1) - 1
    narrow = Format(f"e{exponent}m{mantissa}", 1 + mantissa, 1 - bias, bias, 1 + exponent + mantissa)
    return to_format(step, to_format(step, x, narrow), step.dtype)


@rule("bitcast_convert_type")
def bitcast(step: Step, x: Any) -> Any:
    """The float of a bit pattern; the pattern of a float that is known exactly."""
    if not isinstance(x, ExactArray):
        pattern = np.asarray(bind(step.equation, [decided(x, step.name)]))
        return step.interpreter.system.data(pattern, pattern.dtype)
    pairs = ends_of(plain(x))
    dtype = step.operands[0].dtype
    if any(pair is None or pair[0] != pair[1] or Fraction(float(pair[0])) != pair[0] for pair in pairs):
        raise Undecided("the bits of a float are asked for, and it is not known exactly")
    floats = np.array([float(pair[0]) for pair in pairs if pair is not None], np.float64).reshape(x.shape)
    return bind(step.equation, [floats.astype(dtype)])
