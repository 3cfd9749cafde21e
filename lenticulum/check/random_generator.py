"""Draws random programs with their arguments."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from lenticulum.check.random_control import control, operation
from lenticulum.check.random_data import number
from lenticulum.check.random_programs import RandomProgram, Value
from lenticulum.check.random_scope import Scope
from lenticulum.numbers.checking import no_type_check
from lenticulum.spec.draw import Draw

#: The shapes of the arguments.
INPUTS = ((4,), (3, 4), (2, 3, 4), (3,), (4, 3), (4,), (3, 4))

#: The most results of a program.
RESULTS = 4


@no_type_check
def random_program(draw: Draw) -> RandomProgram:
    """A program of five to ten lines, one of them at least with functions, and arguments for it."""
    arguments = [floats(draw, draw.choice(INPUTS)) for _ in range(draw.integer(2, 3))]
    arguments.append(np.array([draw.integer(-2, 5) for _ in range(4)], np.int32))
    arguments.append(np.array(draw.integer(-1, 3), np.int32))
    sizes = [float(np.max(np.abs(each))) for each in arguments]
    values = [Value(each.shape, each.dtype.name, size, True) for each, size in zip(arguments, sizes, strict=True)]
    scope = Scope(draw, values)
    lines, place = draw.integer(5, 10), draw.integer(2, 4)
    for line in range(lines):
        control(scope) if line == place else operation(scope)
    sinks = [place for place in range(len(values), len(scope.values)) if place not in scope.used]
    return RandomProgram(scope.function(sinks[-RESULTS:]), tuple(arguments))


@no_type_check
def floats(draw: Draw, shape: tuple[int, ...]) -> Any:
    """Signed numbers of mixed scale; or quarters between -3/2 and 3/2, many of them equal, with zeros of both signs."""
    if draw.integer(0, 2):
        scale = draw.choice((1.0, 2.0, 4.0, 0.125))
        entries = [float(number(draw.bits(26))) * scale for _ in range(prod(shape))]
    else:
        entries = [draw.integer(-6, 6) / 4 for _ in range(prod(shape))]
        entries = [-0.0 if entry == 0 and draw.integer(0, 1) else entry for entry in entries]
    return np.array(entries, np.float32).reshape(shape)
