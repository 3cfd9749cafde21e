"""What every rule must satisfy: JAX's own results inside the bounds, the exact meaning inside them too, derivatives.

`forward` reads a function at some arguments in both formats; `derivatives` compares four derivatives of it: forward
and reverse over the exact meaning, and the running bound and the floats of the programs that JAX makes of it.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flint import arb

from lenticulum.numbers import jvp, vjp, working_precision
from lenticulum.programs import Balls, Bounds, trace

FORMATS = (np.float32, np.float64)


@dataclass(frozen=True)
class Case:
    """A function of JAX at some arguments: floats (cast to each format), integers, booleans or keys.

    `differentiable`: the float arguments are differentiated, the others are constants.
    `bounded`: the running bound is finite wherever JAX's result is.
    """

    function: Any
    arguments: tuple[Any, ...]
    differentiable: bool = True
    bounded: bool = True


def case(function: Any, *arguments: Any, differentiable: bool = True, bounded: bool = True) -> Case:
    """Return a case."""
    return Case(function, arguments, differentiable, bounded)


@contextmanager
def exact():
    """Run with float64 in JAX, and with the working precision of the exact meaning."""
    with jax.enable_x64(True), working_precision(128):
        yield


def cast(arguments, dtype):
    """Return the arguments with every float array in a format."""
    return [np.asarray(each, dtype) if is_float(each) else each for each in arguments]


def is_float(array):
    return jnp.issubdtype(jnp.result_type(array), jnp.floating)


def forward(case, dtype):
    """Check one case in one format; return how many elements were enclosed by a finite bound."""
    arguments = cast(case.arguments, dtype)
    program = trace(case.function, *arguments)
    leaves = jax.tree.leaves(arguments)
    meanings, bounds = program.read(Balls(), *leaves), program.read(Bounds(), *leaves)
    enclosed = 0
    for result, meaning, bound in zip(program.run(*leaves), meanings, bounds, strict=True):
        if not jnp.issubdtype(result.dtype, jnp.floating):
            same_discrete(result, meaning)
            same_discrete(result, bound)
            continue
        assert bound.shape == meaning.shape == result.shape
        enclosed += inside(result, bound, case.bounded)
        for exactly, wide in zip(meaning.elements, bound.elements, strict=True):
            if exactly.is_nan():
                assert wide.is_nan() or not case.bounded, wide
                continue
            # The exact value lies in both; the ball around it may stick out of a point by its own width.
            assert wide.is_nan() or wide == exactly or arb(wide, 2 * exactly.rad()).contains(exactly), (exactly, wide)
    return enclosed


def same_discrete(result, value):
    """An undecided element may be anything; all others are what JAX computes."""
    known = ~np.ma.getmaskarray(value)
    assert np.shape(value) == result.shape
    assert np.array_equal(np.ma.getdata(value)[known], result[known])


def inside(result, bound, bounded=True):
    """Check floats against their enclosures; return how many had a finite one."""
    finite = 0
    for got, wide in zip(result.astype(np.float64).ravel().tolist(), bound.elements, strict=True):
        if wide.is_nan() or not (wide.is_finite() or wide.is_exact()):
            assert not (bounded and np.isfinite(got)), (got, wide, "unbounded")
            continue
        assert not np.isnan(got), (got, wide)
        assert wide.contains(arb(got)) or wide == arb(got), (got, wide)
        finite += wide.is_finite()
    return finite


def overlapping(x, y, bounded=True):
    """Check that two arrays of enclosures may be equal."""
    assert x.shape == y.shape
    for one, other in zip(x.elements, y.elements, strict=True):
        if one.is_nan() or other.is_nan():
            assert not bounded, (one, other)
        else:
            assert one.overlaps(other), (one, other)


def derivatives(case):
    """Check the first derivatives of a case in float64."""
    arguments = cast(case.arguments, np.float64)
    program = trace(case.function, *arguments)
    places = [place for place, each in enumerate(arguments) if is_float(each)]
    points = [arguments[place] for place in places]

    def function(*floats):
        given = list(arguments)
        for place, each in zip(places, floats, strict=True):
            given[place] = each
        return [each for each in jax.tree.leaves(case.function(*given)) if is_float(each)]

    def meaning(*floats):
        given = list(arguments)
        for place, each in zip(places, floats, strict=True):
            given[place] = each
        read = program.read(Balls(), *given)
        return tuple(each for each, aval in zip(read, program.jaxpr.out_avals, strict=True) if is_float(aval))

    balls = [Balls().data(each, each.dtype) for each in points]
    directions = [directed(each.shape, 1) for each in points]
    _, tangents = jvp(meaning, balls, [Balls().data(each, each.dtype) for each in directions])
    compared(lambda *given: jax.jvp(function, given[: len(points)], given[len(points) :])[1], points, directions,
             tangents, case.bounded)  # fmt: skip
    values, pull = vjp(meaning, *balls)
    covectors = [directed(each.shape, 2) for each in values]
    cotangents = pull(tuple(Balls().data(each, each.dtype) for each in covectors))
    compared(lambda *given: jax.vjp(function, *given[: len(points)])[1](list(given[len(points) :])), points, covectors,
             cotangents, case.bounded)  # fmt: skip
    # <g, Df t> = <Df^T g, t>
    left = sum((pairing(g, t) for g, t in zip(covectors, tangents, strict=True)), arb(0))
    right = sum((pairing(t, g) for t, g in zip(directions, cotangents, strict=True)), arb(0))
    assert left.overlaps(right), (left, right)


def compared(transformed, points, vectors, exactly, bounded):
    """Check a derivative that JAX makes, read and run, against the exact one."""
    program = trace(transformed, *points, *vectors)
    bounds, results = program.read(Bounds(), *points, *vectors), program.run(*points, *vectors)
    for bound, result, derivative in zip(bounds, results, exactly, strict=True):
        inside(result, bound, bounded)
        overlapping(derivative, bound, bounded)


def directed(shape, seed):
    """A direction: dyadic numbers of both signs, never 0."""
    draws = np.random.default_rng(seed).integers(1, 16, shape) * np.random.default_rng(seed + 7).choice([-1, 1], shape)
    return np.asarray(draws / 8.0)


def pairing(floats, enclosures):
    return sum((arb(x) * y for x, y in zip(floats.ravel().tolist(), enclosures.elements, strict=True)), arb(0))


def parameters(cases):
    """Return a dictionary of cases as parameters of a test, with a format each."""
    return [(name, dtype) for name in cases for dtype in FORMATS]
