"""What is asked of a random program: its floats and its exact value inside the running bound, and narrow enclosures."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import arb
from jax.extend import core

from lenticulum.check.draw import SeededDraw
from lenticulum.check.random_generator import random_program
from lenticulum.check.random_programs import RandomProgram
from lenticulum.numbers import ExactArray, Undecided, working_precision
from lenticulum.programs import Balls, Bounds, Program, trace

SEED = 20
PRECISION = 128


@dataclass(frozen=True)
class Case:
    """A random program, its trace, the primitives in it, and the floats that JAX computes op by op."""

    program: RandomProgram
    traced: Program
    primitives: frozenset
    floats: tuple


@dataclass(frozen=True)
class Reading:
    """The first violation in words, or None; and the largest relative widths of the enclosure and of the bound.

    Relative to the largest element of each result; `ball_of_each` and `bound_of_each` to each element itself, which is
    infinite where one cancels to zero.
    """

    violation: str | None
    ball: float
    bound: float
    ball_of_each: float
    bound_of_each: float


@lru_cache(maxsize=600)
def traced(stream: int) -> tuple[RandomProgram, Program, frozenset]:
    """The random program of a number."""
    program = random_program(SeededDraw(SEED, stream))
    found = trace(program.function(), *program.arguments)
    return program, found, frozenset(primitives(found.jaxpr.jaxpr))


def primitives(jaxpr) -> set:
    """The names of all primitives of a jaxpr and of those inside it."""
    found = set()
    for equation in jaxpr.eqns:
        found.add(equation.primitive.name)
        for each in equation.params.values():
            for inner in each if isinstance(each, tuple | list) else [each]:
                if isinstance(inner, core.ClosedJaxpr | core.Jaxpr):
                    found |= primitives(getattr(inner, "jaxpr", inner))
    return found


def case_of(program: RandomProgram) -> Case:
    found = trace(program.function(), *program.arguments)
    return Case(program, found, frozenset(primitives(found.jaxpr.jaxpr)), tuple(found.run(*program.arguments)))


@lru_cache(maxsize=600)
def case(stream: int) -> Case:
    """The random program of a number, and its floats."""
    program, found, names = traced(stream)
    return Case(program, found, names, tuple(found.run(*program.arguments)))


def read(case: Case) -> Reading:
    """Read a program in both systems and compare.

    Raises: Undecided.
    """
    with working_precision(PRECISION):
        balls = case.traced.read(Balls(), *case.program.arguments)
        bounds = case.traced.read(Bounds(), *case.program.arguments)
        found = [violation(*each) for each in zip(balls, bounds, case.floats, strict=True)]
        first = next((f"result {place}: {text}" for place, text in enumerate(found) if text), None)
        return Reading(first, width(balls), width(bounds), width_of_each(balls), width_of_each(bounds))


def violation(ball, bound, floats) -> str | None:
    """What is wrong with one result."""
    if not isinstance(bound, ExactArray):
        for value, name in ((ball, "exact value"), (bound, "bound")):
            known = ~np.ma.getmaskarray(value)
            if np.shape(value) != floats.shape or (np.ma.getdata(value) != floats)[known].any():
                return f"got {floats.tolist()}, the {name} is {value}"
        return None
    if bound.shape != floats.shape or ball.shape != floats.shape:
        return f"got the shape {floats.shape}, expected {bound.shape} and {ball.shape}"
    for exact, limit, got in zip(ball.elements, bound.elements, floats.ravel().tolist(), strict=True):
        if not limit.is_nan() and not limit.contains(arb(got)):
            return f"got {got!r}, outside the running bound {limit}"
        # Two enclosures of one number overlap; where the bound is a point, that of the ball is around it.
        if not limit.is_nan() and not exact.is_nan() and not limit.overlaps(exact):
            return f"the exact value {exact} is not inside the running bound {limit}"
    return None


def width(results) -> float:
    """The largest diameter of an element divided by the largest absolute value in its result, over all results."""
    widths = [0.0]
    for array in results:
        elements = getattr(array, "elements", ())
        if any(not element.is_finite() for element in elements):
            return np.inf
        diameter = max((2 * element.rad() for element in elements), default=arb(0))
        if diameter > 0:
            largest = max(element.abs_lower() for element in elements)
            widths.append(float(diameter / largest) if largest > 0 else np.inf)
    return max(widths)


def width_of_each(results) -> float:
    """The largest diameter of an element divided by the smallest absolute value in it, over all results."""
    widths = [0.0]
    for array in results:
        for element in getattr(array, "elements", ()):
            if element.is_nan() or not element.is_finite():
                widths.append(np.inf)
            elif element.rad() > 0:
                widths.append(float(2 * element.rad() / element.abs_lower()) if element.abs_lower() > 0 else np.inf)
    return max(widths)


def undecided(read_it):
    """None where an enclosure does not decide a branch or an index."""
    try:
        return read_it()
    except Undecided:
        return None
