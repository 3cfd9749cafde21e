"""Laws of Boolean circuits: the composed put is the formal reverse derivative; ascent learns a table in one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lenticulum.numbers import polynomials
from lenticulum.spec.boolean import planted
from lenticulum.spec.boolean.ascent import ascent_step
from lenticulum.spec.boolean.circuit import GENERATORS, Circuit, beside, identity, multiplexer
from lenticulum.spec.boolean.table import Bits, points
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require

Generators = Mapping[str, Circuit]
Step = Callable[[Circuit, Bits, Bits, Bits], Bits]
WIDTH = 4


def circuit(generators: Generators, draw: Draw) -> Circuit:
    """A random circuit of up to six layers, of one generator each, at most four wires wide."""
    whole = identity(draw.integer(1, 3))
    for _ in range(draw.integer(1, 6)):
        wires = whole.target
        fits = [
            name
            for name, each in generators.items()
            if each.source <= wires and wires - each.source + each.target <= WIDTH
        ]
        chosen = generators[draw.choice(fits)]
        above = draw.integer(0, wires - chosen.source)
        layer = beside(identity(above), chosen, identity(wires - chosen.source - above))
        whole = whole.then(layer)
    return whole


def put_is_the_formal_reverse(of: Generators, draw: Draw) -> None:
    """put(x, d)_i = sum_j d_j d_i f_j for the formal polynomials f over Z/2 that the circuit computes: proved."""
    given = circuit(of, draw)
    names, cotangents = [f"x{i}" for i in range(given.source)], [f"d{j}" for j in range(given.target)]
    ring = polynomials([*names, *cotangents], 2)
    x, d = ring[: given.source], ring[given.source :]
    value: list[Any] = [x[0] * 0 + each for each in given.get(x)]
    pulled = given.put(x, d)
    for name, found in zip(names, pulled, strict=True):
        expected = sum((d[j] * each.derivative(name) for j, each in enumerate(value)), start=x[0] * 0)
        require(
            bool(found == expected), "the put is not the reverse", value=value, variable=name, put=found, of=expected
        )


def ascent_follows_the_formula(of: Step, draw: Draw) -> None:
    """The step is p + pi0 R[f](p, x, y + f(p, x)), for the formal polynomials f, at every point."""
    given = circuit(GENERATORS, draw)
    parameters = draw.integer(0, given.source)
    names = [f"x{i}" for i in range(given.source)]
    ring = polynomials(names, 2)
    value: list[Any] = [ring[0] * 0 + each for each in given.get(ring)]
    partials = [[each.derivative(name) for each in value] for name in names[:parameters]]
    label: Bits = tuple(draw.integer(0, 1) for _ in range(given.target))
    for point in points(given.source):
        at = dict(zip(names, point, strict=True))
        error = [y + int(each.evaluate(at).item()) for y, each in zip(label, value, strict=True)]
        change = [sum(e * int(d.evaluate(at).item()) for e, d in zip(error, row, strict=True)) for row in partials]
        expected = tuple((p + c) % 2 for p, c in zip(point, change, strict=False))
        found = of(given, point[:parameters], point[parameters:], label)
        require(found == expected, "the step is another", value=value, point=point, label=label, step=found)


def ascent_learns_a_table_in_one_pass(of: Step, draw: Draw) -> None:
    """f(p, x) = p_x: one step for each input, in any order and from any start, leaves p = the table of the labels."""
    inputs = draw.integer(1, 2)
    size = 2**inputs
    p: Bits = tuple(draw.integer(0, 1) for _ in range(size))
    label: Bits = tuple(draw.integer(0, 1) for _ in range(size))
    left, learned = list(enumerate(points(inputs))), p
    while left:
        place, x = left.pop(draw.integer(0, len(left) - 1))
        learned = of(multiplexer(inputs), learned, x, (label[place],))
    require(learned == label, "the table is not learned", start=p, labels=label, learned=learned)


def ascent_rests_where_it_is_right(of: Step, draw: Draw) -> None:
    """If f(p, x) = y, the step leaves p."""
    given = circuit(GENERATORS, draw)
    parameters = draw.integer(0, given.source)
    point: Bits = tuple(draw.integer(0, 1) for _ in range(given.source))
    p, x = point[:parameters], point[parameters:]
    found = of(given, p, x, given(point))
    require(found == p, "a right prediction moves the parameters", p=p, x=x, step=found)


def _without(name: str, wrong: Circuit) -> Generators:
    return {**GENERATORS, name: wrong}


SOURCE = "Wilson and Zanasi, Reverse Derivative Ascent, arXiv:2101.10488; arXiv:2103.01931, equation 4.4"

LAWS: tuple[Law[Generators] | Law[Step], ...] = (
    Law(
        "circuit-reverse",
        "the put composed of the reverses of the generators = the formal reverse derivative over Z/2",
        SOURCE,
        Grade.PROVED,
        GENERATORS,
        put_is_the_formal_reverse,
        {
            "missing sum at a copy": _without("copy", planted.COPY_FIRST_USE),
            "one input of XOR": _without("xor", planted.XOR_FIRST_ONLY),
            "AND with its own factor": _without("and", planted.AND_OWN_FACTOR),
            "NOT negates the cotangent": _without("not", planted.NOT_NEGATES),
            "discard puts one": _without("discard", planted.DISCARD_ONE),
            "swap puts straight": _without("swap", planted.SWAP_STRAIGHT),
        },
    ),
    Law(
        "ascent-step",
        "the step is p + pi0 R[f](p, x, y + f(p, x))",
        SOURCE,
        Grade.PROVED,
        ascent_step,
        ascent_follows_the_formula,
        {"labels never seen": planted.forgetful_step, "parameters replaced": planted.replacing_step},
    ),
    Law(
        "ascent-learns-a-table",
        "on f(p, x) = p_x one step for each input, in any order, leaves p = the labels",
        "derived by hand: R[f](p, x, dy) is dy at place x",
        Grade.EXACT,
        ascent_step,
        ascent_learns_a_table_in_one_pass,
        {"labels never seen": planted.forgetful_step, "parameters replaced": planted.replacing_step},
    ),
    Law(
        "ascent-fixed-point",
        "f(p, x) = y leaves p",
        SOURCE,
        Grade.EXACT,
        ascent_step,
        ascent_rests_where_it_is_right,
        {"labels never seen": planted.forgetful_step, "parameters replaced": planted.replacing_step},
    ),
)
