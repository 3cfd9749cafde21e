"""Random JAX programs with all control flow: floats and exact values inside the running bound, which is narrow."""

import numpy as np
import pytest
from random_program_readings import case, case_of, read, traced, undecided
from rule_mutants import MUTANTS

from lenticulum.check.draw import SeededDraw
from lenticulum.check.random_generator import random_program
from lenticulum.check.random_programs import Function, Node, RandomProgram, Value, smallest
from lenticulum.programs import RULES

PROGRAMS = 200
LARGEST_BALL, LARGEST_BOUND = 1e-12, 1e-3
LEAST_SHARE = 0.8
#: Every wrong rule is caught within so many programs; the common ones, in every run, within fewer.
PATIENCE = 500
SHORT_PATIENCE = 60
#: Those that need more programs than that: special cases, and functions that few programs have.
RARE = {
    "atan2: operands swapped",
    "erf: taken for erfc",
    "rem: of the sign of y",
    "min: taken for max",
    "sign: of zero is one",
    "gt: taken for ge",
    "ne: taken for >",
    "argmax: last of ties",
    "split: of the array turned",
    "dynamic_update_slice: one place too late",
    "scatter-max: taken for scatter-min",
    "top_k: smallest",
    "reduce_precision: without rounding",
    "constant of add: 0",
    "constant of subtract: 0",
    "constant of multiply: 0",
    "constant of divide: 0",
    "constant of sigmoid: 0",
    "constant of log1p: 0",
    "constant of rsqrt: 0",
    "while: of loops side by side all go on",
}

#: Primitives with programs inside, all of which the programs have to use.
CONTROL = {"scan", "while", "cond", "jit", "remat2", "custom_jvp_call", "custom_vjp_call"}


#: The body of a scan: its second line is the one whose rule is made wrong.
TURN = [("jnp.sin({0})", (0,)), ("jnp.tanh({0})", (2,)), ("{0} / 2 + {1}", (0, 3)), ("{0} * {1}", (3, 1))]


def shows(program) -> bool:
    """Whether a program violates its bound."""
    try:
        reading = undecided(lambda: read(case_of(program)))
    except (TypeError, ValueError):
        # A line that was dropped may have given another the type it needs.
        return False
    return reading is not None and reading.violation is not None


def measured(streams, name: str) -> set:
    """Read programs, print the two shares, and return the primitives that occurred."""
    count = open_ = 0
    narrow = {"ball": 0, "bound": 0, "ball_of_each": 0, "bound_of_each": 0}
    primitives = set()
    for stream in streams:
        each = case(stream)
        reading = undecided(lambda each=each: read(each))
        count, open_ = count + 1, open_ + (reading is None)
        primitives |= each.primitives
        if reading is None:
            continue
        if reading.violation:
            pytest.fail(f"program {stream}: {reading.violation}\n{smallest(each.program, shows)}")
        for kind in narrow:
            narrow[kind] += getattr(reading, kind) <= (LARGEST_BALL if "ball" in kind else LARGEST_BOUND)
    share = {kind: each / count for kind, each in narrow.items()}
    print(
        f"\n{name}: {count} programs, {open_} undecided; enclosure within {LARGEST_BALL} relative in"
        f" {share['ball']:.1%} (of each element in {share['ball_of_each']:.1%}), running bound within"
        f" {LARGEST_BOUND} in {share['bound']:.1%} (of each element in {share['bound_of_each']:.1%})"
    )
    assert share["ball"] >= LEAST_SHARE
    assert share["bound"] >= LEAST_SHARE
    return primitives


def test_floats_are_inside_narrow_bounds(capsys):
    with capsys.disabled():
        primitives = measured(range(PROGRAMS), "random programs")
    assert CONTROL <= primitives
    assert len(primitives) >= 80


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
def test_floats_are_inside_narrow_bounds_of_many_programs(chunk, capsys):
    with capsys.disabled():
        measured(range(1000 * chunk, 1000 * (chunk + 1)), f"random programs, part {chunk + 1}")


def programs_needed(mutant, monkeypatch, patience: int) -> int | None:
    """The number of the first random program on which a wrong rule puts a float or an exact value outside a bound."""
    for stream in range(patience):
        if mutant.primitives.isdisjoint(traced(stream)[2]):
            continue
        each = case(stream)
        with monkeypatch.context() as patch:
            mutant.plant(patch)
            reading = undecided(lambda each=each: read(each))
        if reading is not None and reading.violation:
            return stream + 1
    return None


def all_caught(mutants, monkeypatch, capsys, patience: int) -> None:
    """Print how many programs each wrong rule needed, and require that there are forty and none is missed."""
    needed = {mutant.name: programs_needed(mutant, monkeypatch, patience) for mutant in mutants}
    with capsys.disabled():
        print(f"\n{len(needed)} wrong rules, each with the number of the random program that caught it")
        print("\n".join(f"{count or 'never':>6}  {name}" for name, count in needed.items()))
    assert len(needed) >= 40
    assert [name for name, count in needed.items() if count is None] == []


def test_common_wrong_rules_are_caught(monkeypatch, capsys):
    all_caught([each for each in MUTANTS if each.name not in RARE], monkeypatch, capsys, SHORT_PATIENCE)


@pytest.mark.long
def test_every_wrong_rule_is_caught(monkeypatch, capsys):
    assert {mutant.name for mutant in MUTANTS} >= RARE
    all_caught(MUTANTS, monkeypatch, capsys, PATIENCE)


def test_a_violation_shrinks_to_the_line_that_is_wrong(monkeypatch):
    vector = Value((4,))
    turn = Function((vector, vector), tuple(Node(*each, vector) for each in TURN), (4, 5))
    scan = Node("lax.scan(lambda c, x: {f0}(c, {0}), {0}, jnp.arange(3))[0]", (0,), vector, (turn,))
    lines = (Node("jnp.cos({0})", (0,), vector), scan, Node("{0} - {1}", (1, 2), vector))
    program = RandomProgram(Function((vector,), lines, (3, 1)), (np.array([0.5, -1.0, 0.25, 2.0], np.float32),))
    assert not shows(program)
    monkeypatch.setitem(RULES, "tanh", lambda step, x: x.sigmoid())
    assert shows(program)
    found = smallest(program, shows)
    assert found.body.size() == 2
    assert "jnp.tanh(v" in found.source()
    assert "cos" not in found.source()


def test_a_program_is_a_function_of_the_draw_and_runs_as_it_prints():
    one, other = (random_program(SeededDraw(3, 4)) for _ in range(2))
    assert str(one) == str(other)
    assert str(one) != str(random_program(SeededDraw(3, 5)))
    space = {"np": np}
    expected = one.function()(*one.arguments)
    lines = str(one).splitlines()
    exec("import jax\nimport jax.numpy as jnp\nfrom jax import lax\n", space)
    exec("\n".join(lines[:-1]), space)
    found = eval(lines[-1].replace("np.float32", "np.dtype('float32')").replace("np.int32", "np.dtype('int32')"), space)
    assert all((np.asarray(a) == np.asarray(b)).all() for a, b in zip(found, expected, strict=True))
