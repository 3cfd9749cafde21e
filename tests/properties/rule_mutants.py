"""Wrong rules: each takes the place of a rule of `lenticulum.programs`, or of a piece of the arithmetic below it.

A mutant names the primitives it changes; on a program without them it changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lenticulum.numbers import stack, where
from lenticulum.numbers.magnitude import CONSTANTS
from lenticulum.numbers.unraising import TotalMagnitude
from lenticulum.programs import RULES, Bounds
from lenticulum.programs.rule import Step, load
from lenticulum.programs.rules import control, conversion
from lenticulum.programs.systems import format_of

load()


@dataclass(frozen=True)
class Mutant:
    """A wrong rule: `plant(monkeypatch)` puts it in place; it shows only on programs with one of the primitives."""

    name: str
    primitives: frozenset
    plant: Callable


MUTANTS: list[Mutant] = []


def mutant(primitives: str, name: str, plant: Callable) -> None:
    MUTANTS.append(Mutant(name, frozenset(primitives.split()), plant))


def wrong(name: str, slip: str, rule: Callable) -> None:
    """The rule of one primitive replaced."""
    mutant(name, f"{name}: {slip}", lambda patch: patch.setitem(RULES, name, rule))


def like(name: str, other: str, slip: str = "") -> None:
    """The rule of one primitive taken from another."""
    wrong(name, slip or f"taken for {other}", RULES[other])


def after(name: str, slip: str, change: Callable) -> None:
    """The result of the right rule changed: `change(step, result, *operands)`."""
    right = RULES[name]
    wrong(name, slip, lambda step, *operands: change(step, right(step, *operands), *operands))


def before(name: str, slip: str, change: Callable) -> None:
    """The right rule of changed operands: `change(step, *operands)`."""
    right = RULES[name]
    wrong(name, slip, lambda step, *operands: right(step, *change(step, *operands)))


def with_parameters(name: str, slip: str, change: Callable) -> None:
    """The right rule with changed parameters: `change(parameters)` returns those that differ."""
    right = RULES[name]

    def rule(step, *operands):
        parameters = {**step.parameters, **change(step.parameters)}
        return right(Step(step.interpreter, step.equation.replace(params=parameters)), *operands)

    wrong(name, slip, rule)


# Arithmetic.
wrong("sub", "without the minus", lambda step, x, y: x + y)
wrong("sub", "operands swapped", lambda step, x, y: y - x)
wrong("add", "one operand twice", lambda step, x, y: x + x.broadcast_to(step.shape) if x.shape == y.shape else x + y)
wrong("add_any", "one term left out", lambda step, x, y: x)
wrong("mul", "taken for add", lambda step, x, y: x + y)
# Not of numbers, by which loops are counted down: the loop would not end.
wrong("div", "operands swapped", lambda step, x, y: y / x if step.shape else x / y)
wrong("neg", "left out", lambda step, x: x)
wrong("square", "left out", lambda step, x: x)
wrong("integer_pow", "exponent one less", lambda step, x: x ** (step.parameters["y"] - 1))
wrong("exp", "taken for exp2", lambda step, x: x.exp2())
wrong("log", "taken for log2", lambda step, x: x.log2())
wrong("log1p", "taken for log", lambda step, x: x.log())
wrong("sqrt", "left out", lambda step, x: x)
like("rsqrt", "sqrt")
wrong("tanh", "taken for the logistic function", lambda step, x: x.sigmoid())
before("logistic", "of -x", lambda step, x: [-x])
like("sin", "cos")
like("cos", "sin")
wrong("atan", "taken for tan", lambda step, x: x.tanh())
wrong("atan2", "operands swapped", lambda step, y, x: x.atan2(y))
like("erf", "erfc")
wrong("abs", "left out", lambda step, x: x)
wrong(
    "rem", "of the sign of y", lambda step, x, y: x - y * where(x < 0, RULES["floor"](step, x / y), x.lift(0, x.shape))
)
like("max", "min")
like("min", "max")
before("clamp", "without the upper end", lambda step, low, x, high: [low, x, high.lift(2**10, high.shape)])

# Steps and choices.
like("floor", "ceil")
like("ceil", "floor")
with_parameters("round", "ties the other way", lambda given: {"rounding_method": 1 - int(given["rounding_method"])})
wrong("sign", "of zero is one", lambda step, x: where(x >= 0, x.lift(1, x.shape), x.lift(-1, x.shape)))
wrong("lt", "operands swapped", lambda step, x, y: y < x)
wrong("le", "operands swapped", lambda step, x, y: y <= x)
like("gt", "ge")
wrong("eq", "taken for <=", lambda step, x, y: x <= y)
wrong("ne", "taken for >", lambda step, x, y: x > y)
before("select_n", "cases swapped", lambda step, which, *cases: [which, *cases[::-1]])


def last_of_ties(step, x):
    (axis,) = step.parameters["axes"]
    backwards = x[(slice(None),) * axis + (slice(None, None, -1),)]
    return (x.shape[axis] - 1 - RIGHT["argmax"](step, backwards)).astype(step.parameters["index_dtype"])


RIGHT = dict(RULES)
wrong("argmax", "last of ties", last_of_ties)
like("argmin", "argmax")


# Reductions.
def along_the_other_axis(step, x):
    """Rows of the memory in place of columns, the shape of the result as it should be."""
    if len(step.parameters["axes"]) != 1 or x.ndim != 2:
        return RIGHT["reduce_sum"](step, x)
    (axis,) = step.parameters["axes"]
    return x.reshape(x.shape[::-1]).sum(axis=1 - axis)


def without_the_last(x, axis):
    return x[(slice(None),) * axis + (slice(0, max(1, x.shape[axis] - 1)),)]


def shifted(x, axis):
    """Each entry moved one place on, and zero in front."""
    moved = x[(slice(None),) * axis + (np.arange(x.shape[axis]) - 1,)]
    first = np.arange(x.shape[axis]).reshape((-1,) + (1,) * (x.ndim - axis - 1)) == 0
    return where(np.broadcast_to(first, x.shape), x.lift(0, x.shape), moved)


wrong("reduce_sum", "over the wrong axis", along_the_other_axis)
before("reduce_sum", "without the last", lambda step, x: [without_the_last(x, step.parameters["axes"][-1])])
wrong("reduce_prod", "taken for the sum", lambda step, x: x.sum(axis=tuple(step.parameters["axes"])))
like("reduce_max", "reduce_min")
before("reduce_min", "without the last", lambda step, x: [without_the_last(x, step.parameters["axes"][-1])])
after("cumsum", "off by one", lambda step, found, x: shifted(found, step.parameters["axis"]))
for _name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
    with_parameters(_name, "direction turned", lambda given: {"reverse": not given["reverse"]})
like("cummin", "cummax")
with_parameters("reduce_window_sum", "padding on the other side", lambda given: {"padding": turned(given["padding"])})
like("reduce_window_max", "reduce_window_min")


def turned(padding):
    return tuple((high, low) for low, high in padding)


# Products.
def batches_turned(step, x, y):
    (_, _), (_, batch) = step.parameters["dimension_numbers"]
    for axis in batch:
        y = y[(slice(None),) * axis + (slice(None, None, -1),)]
    return RIGHT["dot_general"](step, x, y)


def last_term_left_out(step, x, y):
    (axes, _), _ = step.parameters["dimension_numbers"]
    if axes:
        rest = without_the_last(x, axes[0])
        zeros = x.lift(0, x.shape)
        place = np.arange(x.shape[axes[0]]).reshape((-1,) + (1,) * (x.ndim - axes[0] - 1)) < rest.shape[axes[0]]
        x = where(np.broadcast_to(place, x.shape), x, zeros)
    return RIGHT["dot_general"](step, x, y)


def kernel_turned(step, x, kernel):
    for axis in step.parameters["dimension_numbers"].rhs_spec[2:]:
        kernel = kernel[(slice(None),) * axis + (slice(None, None, -1),)]
    return RIGHT["conv_general_dilated"](step, x, kernel)


wrong("dot_general", "batches of one operand in the other order", batches_turned)
wrong("dot_general", "without the last term", last_term_left_out)
wrong("conv_general_dilated", "kernel turned over", kernel_turned)
with_parameters(
    "conv_general_dilated", "padding on the other side", lambda given: {"padding": turned(given["padding"])}
)

# Movement.
wrong("transpose", "the memory as it is", lambda step, x: x.reshape(step.shape))
wrong("rev", "left out", lambda step, x: x)
wrong("reshape", "columns first", lambda step, x: x.transpose().reshape(step.shape))
with_parameters(
    "slice",
    "one place too early",
    lambda given: {
        "start_indices": tuple(max(0, at - 1) for at in given["start_indices"]),
        "limit_indices": tuple(
            limit - (start > 0) for start, limit in zip(given["start_indices"], given["limit_indices"], strict=True)
        ),
    },
)
before(
    "split",
    "of the array turned",
    lambda step, x: [x[(slice(None),) * step.parameters["axis"] + (slice(None, None, -1),)]],
)


def parts_turned(step, *parts):
    return RIGHT["concatenate"](step, *(parts[::-1] if len({each.shape for each in parts}) == 1 else parts))


def negative_padding_ignored(step, x, filling):
    """Padded as if no width were negative, then cut to the shape."""
    widths = [(max(0, low), max(0, high), inner) for low, high, inner in step.parameters["padding_config"]]
    sizes = [low + (n - 1) * (1 + inner) + 1 + high for n, (low, high, inner) in zip(x.shape, widths, strict=True)]
    found = filling.broadcast_to(tuple(sizes))
    places = np.zeros(x.shape, np.int64)
    for axis, (low, _, inner) in enumerate(widths):
        at = low + np.arange(x.shape[axis]) * (1 + inner)
        places = places * sizes[axis] + at.reshape((-1,) + (1,) * (x.ndim - axis - 1))
    index = np.arange(found.size)
    index[places.ravel()] = found.size + np.arange(x.size)
    whole = found.reshape((found.size,)).join([x.reshape((x.size,))]).take(index).reshape(tuple(sizes))
    return whole[tuple(slice(0, n) for n in step.shape)]


wrong("concatenate", "operands in the other order", parts_turned)
wrong("pad", "negative widths ignored", negative_padding_ignored)
before("pad", "with zeros", lambda step, x, filling: [x, filling.lift(0)])
before("dynamic_slice", "one place too early", lambda step, x, *at: [x, *(each - 1 for each in at)])
before("dynamic_update_slice", "one place too late", lambda step, x, y, *at: [x, y, *(each + 1 for each in at)])
with_parameters("gather", "filled with 0", lambda given: {"fill_value": 0.0})
before("gather", "one place on", lambda step, x, index: [x, index + 1])
wrong("scatter-add", "overwrites", lambda step, x, index, y: RIGHT["scatter-max"](step, x - 2**10, index, y))
like("scatter-max", "scatter-min")
like("scatter-mul", "scatter-add")
like("scatter-sub", "scatter-add")
wrong("scatter", "left out", lambda step, x, index, y: x)

# Order.
after(
    "sort",
    "descending",
    lambda step, found, *operands: [
        each[(slice(None),) * step.parameters["dimension"] + (slice(None, None, -1),)] for each in found
    ],
)
before("top_k", "smallest", lambda step, x: [-x])


# Formats and constants.
def to_integer_by_rounding(x, dtype):
    half = where(x >= 0, x.lift(Fraction(1, 2), x.shape), x.lift(Fraction(-1, 2), x.shape))
    return RIGHT_TO_DISCRETE(x + half, dtype)


RIGHT_TO_DISCRETE = conversion._to_discrete


def relabelled(self, x, dtype):
    return TotalMagnitude(x.shape, x.elements, format_of(dtype))


mutant(
    "convert_element_type",
    "convert_element_type: without rounding",
    lambda patch: patch.setattr(Bounds, "convert", relabelled),
)
mutant(
    "convert_element_type",
    "convert_element_type: to integers by rounding",
    lambda patch: patch.setattr(conversion, "_to_discrete", to_integer_by_rounding),
)
wrong("reduce_precision", "without rounding", lambda step, x: x)
before("bitcast_convert_type", "of the next pattern", lambda step, x: [x if hasattr(x, "elements") else x + 1])
for _name, _primitives in {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "exp": "exp",
    "sigmoid": "logistic",
    "sin": "sin",
    "tanh": "tanh",
    "log1p": "log1p",
    "sqrt": "sqrt",
    "rsqrt": "rsqrt",
    "atan": "atan",
}.items():
    mutant(_primitives, f"constant of {_name}: 0", lambda patch, name=_name: patch.setitem(CONSTANTS, name, 0))
mutant(
    "reduce_sum dot_general cumsum",
    "sums of products: no rounding",
    lambda patch: patch.setattr(TotalMagnitude, "_accumulated", lambda self, value, *rest: value),
)


# Programs inside programs.
def one_turn_too_many(step, *operands):
    first, second = (step.parameters[name] for name in ("cond_nconsts", "body_nconsts"))
    of_body = operands[first : first + second]
    carried = control.loop(step, *operands)
    return control.inner(step, step.parameters["body_jaxpr"], [*of_body, *carried])


def one_turn_too_few(step, *operands):
    first, second = (step.parameters[name] for name in ("cond_nconsts", "body_nconsts"))
    of_condition, of_body, carried = (
        operands[:first],
        operands[first : first + second],
        list(operands[first + second :]),
    )
    before_it = carried
    while np.asarray(control.inner(step, step.parameters["cond_jaxpr"], [*of_condition, *carried])[0]).any():
        before_it, carried = carried, control.inner(step, step.parameters["body_jaxpr"], [*of_body, *carried])
    return before_it


def carry_not_passed_on(step, *operands):
    """Every turn starts from the first carry."""
    constants, carries = control._counts(step.parameters)
    fixed, start, slices = (
        operands[:constants],
        operands[constants : constants + carries],
        operands[constants + carries :],
    )
    turns = [
        control.inner(step, step.parameters["jaxpr"], [*fixed, *start, *(each[turn] for each in slices)])
        for turn in range(step.parameters["length"])
    ]
    last = turns[0] if step.parameters["reverse"] else turns[-1]
    columns = [[turn[place] for turn in turns] for place in range(carries, len(turns[0]))]
    return [*last[:carries], *(stack(each) if hasattr(each[0], "elements") else np.stack(each) for each in columns)]


def written_in_the_order_of_time(step, *operands):
    found = RIGHT["scan"](step, *operands)
    _, carries = control._counts(step.parameters)
    return [*found[:carries], *(each[::-1] if step.parameters["reverse"] else each for each in found[carries:])]


def branches_turned(step, which, *operands):
    turned = step.equation.replace(params={**step.parameters, "branches": step.parameters["branches"][::-1]})
    return RIGHT["cond"](Step(step.interpreter, turned), which, *operands)


wrong("while", "one turn too many", one_turn_too_many)
wrong("while", "one turn too few", one_turn_too_few)
mutant(
    "while",
    "while: of loops side by side all go on",
    lambda patch: patch.setattr(control, "_kept", lambda goes_on, following, previous: following),
)
with_parameters("scan", "direction turned", lambda given: {"reverse": not given["reverse"]})
wrong("scan", "carry not passed on", carry_not_passed_on)
wrong("scan", "written in the order of time", written_in_the_order_of_time)
wrong("cond", "branches in the other order", branches_turned)
