"""check_identity on ways in which keys go wrong elsewhere, and on objects that only look wrong."""

import collections
import dataclasses
import enum
import functools
import itertools
import typing

import equinox
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from lenticulum.check import CallError, check, check_identity
from lenticulum.check.identity.finding import ASSIGNED, MISSES, MUTABLE, OUTSIDE, RAISES, STASH, TWIN, VARIANT
from lenticulum.cli import run as command_line
from lenticulum.terms import Dense, Relu
from lenticulum.terms.value import Value, value
from lenticulum.testing import assert_identity

X = jnp.float32(10.0)


class Keyed:
    """Equal exactly if the keys are: each case below says which projection of its fields is the key."""

    def key(self) -> typing.Any:
        raise NotImplementedError

    def __eq__(self, other):
        return type(self) is type(other) and self.key() == other.key()

    def __hash__(self):
        return hash(self.key())


def keyed(projection):
    """A class of one field, `value`, whose key is a projection of it."""

    class Case(Keyed):
        def __init__(self, value):
            self.value = value

        def key(self):
            return projection(self.value)

    return Case


class Mode(enum.IntFlag):
    FAST = 1
    SAFE = 2


Pair = collections.namedtuple("Pair", "low high")


def scaling(k):
    def scale(x):
        return k * x

    return scale


def with_default(k):
    def scale(x, *, factor=k):
        return factor * x

    return scale


def times_value(case, x):
    return case.value * x


def polynomial(case, x):
    return sum((weight * x**power for power, weight in enumerate(case.value)), jnp.float32(0.0))


FLOAT8 = np.array([1.5, 2.0], ml_dtypes.float8_e4m3fn)

#: name: (projection, value, program, argument, kind). Each is a projection that somebody has used as a key.
PROJECTIONS = {
    "size": (abs, 2.0, times_value, X, OUTSIDE),
    "integer part": (int, 2.0, times_value, X, OUTSIDE),
    "three digits": (lambda v: f"{v:.3g}", 2.0, times_value, X, OUTSIDE),
    "hash of a small integer": (hash, -1, times_value, X, OUTSIDE),
    "value": (lambda v: v, 2.0, times_value, jnp.int8(3), TWIN),
    "value of a zero": (lambda v: v, 0.0, lambda case, x: x / case.value, X, TWIN),
    "sorted elements": (lambda v: tuple(sorted(v)), (1.0, 2.0, 3.0), polynomial, X, OUTSIDE),
    "set of elements": (frozenset, (1.0, 2.0, 3.0), polynomial, X, OUTSIDE),
    "sum of elements": (sum, (1.0, 2.0, 3.0), polynomial, X, OUTSIDE),
    "elements without grouping": (
        lambda v: tuple(itertools.chain(*v)),
        ((0, 1), (2,)),
        lambda case, x: len(case.value[0]) * x,
        X,
        OUTSIDE,
    ),
    "number of elements": (len, (1.0, 2.0), polynomial, X, OUTSIDE),
    "small letters": (str.lower, "relu", lambda case, x: x * (2.0 if case.value == "relu" else 3.0), X, OUTSIDE),
    "first letter": (lambda v: v[0], "relu", lambda case, x: x * (2.0 if case.value == "relu" else 3.0), X, OUTSIDE),
    "text of a long array": (str, np.arange(2000.0), lambda case, x: jnp.asarray(case.value)[1000] * x, X, OUTSIDE),
    "bytes of an array": (
        lambda v: v.tobytes(),
        np.array([True, False]),
        lambda case, x: ~jnp.asarray(case.value).reshape(2) * x,
        jnp.int8(1),
        TWIN,
    ),
    "first entry": (lambda v: v[0], np.arange(3.0), lambda case, x: case.value[-1] * x, X, OUTSIDE),
    "shape and format": (lambda v: (v.shape, v.dtype), np.arange(3.0), lambda case, x: case.value[-1] * x, X, OUTSIDE),
    "bytes and dtype.str": (
        lambda v: (v.dtype.str, v.shape, v.tobytes()),
        FLOAT8,
        lambda case, x: jnp.sum(jnp.asarray(case.value).astype(jnp.float32)) * x,
        X,
        TWIN,
    ),
    "filled bytes of a masked array": (
        lambda v: v.tobytes(),
        np.ma.masked_array([1.0, 2.0], [False, True]),
        lambda case, x: float(case.value.sum()) * x,
        X,
        TWIN,
    ),
    "set of numbers": (
        lambda v: v,
        frozenset({1}),
        lambda case, x: next(iter(case.value)) * x,
        jnp.bool_(True),
        TWIN,
    ),
    "dictionary without order": (
        lambda v: frozenset(v.items()),
        {"a": 1.0, "b": 2.0},
        lambda case, x: x * list(case.value.values())[0],
        X,
        TWIN,
    ),
    "flag as a number": (
        int,
        Mode.FAST | Mode.SAFE,
        lambda case, x: (2.0 if isinstance(case.value, Mode) else 3.0) * x,
        X,
        TWIN,
    ),
    "named tuple": (lambda v: v, Pair(1.0, 2.0), lambda case, x: x - case.value.low, X, TWIN),
    "name of a closure": (lambda v: v.__qualname__, scaling(2.0), lambda case, x: case.value(x), X, OUTSIDE),
    "code of a function": (lambda v: v.__code__, with_default(2.0), lambda case, x: case.value(x), X, OUTSIDE),
    "function of a partial": (
        lambda v: v.func,
        functools.partial(jnp.multiply, np.float32(2.0)),
        lambda case, x: case.value(x),
        X,
        OUTSIDE,
    ),
    "item size of a dtype": (
        lambda v: v.itemsize,
        np.dtype("float16"),
        lambda case, x: x.astype(case.value),
        X,
        OUTSIDE,
    ),
}


@pytest.mark.parametrize("name", PROJECTIONS)
def test_a_projection_used_as_a_key_is_found_and_proved(name):
    projection, value, run, x, kind = PROJECTIONS[name]
    case = keyed(projection)
    result = check_identity(lambda: case(value), run=run, args=(x,))
    found = [each for each in result.errors if each.kind == kind]
    assert found, str(result)
    assert found[0].path[0] == "value"
    assert (found[0].traces, found[0].programs) == (1, 2)
    assert np.asarray(found[0].served).tobytes() != np.asarray(found[0].truth).tobytes()


@pytest.mark.parametrize(
    "name", ["size", "value of a zero", "set of elements", "bytes of an array", "name of a closure"]
)
def test_the_same_object_compared_by_identity_is_no_error_of_its_key(name):
    _, value, run, x, kind = PROJECTIONS[name]
    case = keyed(id)
    result = check_identity(lambda: case(value), run=run, args=(x,))
    # What can be assigned or changed in place after the first use stays a finding, and each build is compiled anew.
    assert {each.kind for each in result.findings} <= {ASSIGNED, MUTABLE, MISSES}, str(result)
    assert kind not in {each.kind for each in result.findings}


@dataclasses.dataclass(frozen=True)
class Inner:
    factor: float = 2.0
    shift: float = 1.0


@dataclasses.dataclass(frozen=True)
class Outer:
    inner: Inner = Inner()
    times: int = 1


def test_a_number_inside_an_object_inside_another():
    result = check_identity(Outer, run=lambda o, x: o.inner.factor * x, args=(jnp.int8(3),))
    [finding] = [each for each in result.errors if each.path == ("inner", "factor")]
    assert finding.kind == TWIN
    assert np.asarray(finding.served).dtype != np.asarray(finding.truth).dtype


@functools.partial(jax.tree_util.register_dataclass, data_fields=["array"], meta_fields=["factor"])
@dataclasses.dataclass
class Registered:
    array: jax.Array
    factor: typing.Any


def test_metadata_is_compared_by_equality_alone():
    result = check_identity(lambda: Registered(jnp.int8(3), 1), run=lambda node: node.array * node.factor)
    [finding] = result.errors
    assert (finding.kind, finding.path) == (TWIN, ("factor",))


class Leafy(equinox.Module):
    weight: jax.Array
    by: float
    activation: typing.Callable


def test_a_leaf_that_is_no_array_is_static_as_in_filter_jit():
    result = check_identity(
        lambda: Leafy(X, 0.0, jnp.abs), run=lambda m, x: m.activation(m.weight * x) / m.by, args=(X,)
    )
    assert result.carrier == "pytree with static leaves"
    [finding] = result.errors
    assert (finding.kind, finding.path, finding.change) == (TWIN, ("by",), "0.0 -> -0.0")
    assert (float(finding.served), float(finding.truth)) == (np.inf, -np.inf)


# What only looks wrong ----------------------------------------------------------------------------------------------


class Derived(Keyed):
    """Equal by the one parameter; the rest follows from it."""

    def __init__(self, factor):
        self.factor = factor
        self.double = 2 * factor
        self.memo = {}

    def key(self):
        return (type(self.factor), self.factor)


class Remembering:
    """A dictionary that a program fills and that no result depends on."""

    __slots__ = ("factor", "memo")

    def __init__(self, factor):
        object.__setattr__(self, "factor", factor)
        object.__setattr__(self, "memo", {})

    def __setattr__(self, name, value):
        raise AttributeError(name)

    def __eq__(self, other):
        return isinstance(other, Remembering) and repr(self.factor) == repr(other.factor)

    def __hash__(self):
        return hash(repr(self.factor))


def remembered(instance, x):
    return instance.memo.setdefault("factor", instance.factor) * x


@dataclasses.dataclass(frozen=True)
class Labelled:
    factor: float = 2.0
    label: str = dataclasses.field(default="a", compare=False)


def test_a_derived_attribute_is_no_parameter():
    result = check_identity(lambda: Derived(2.0), run=lambda d, x: d.double * x, args=(X,))
    assert {each.kind for each in result.findings} <= {ASSIGNED}, str(result)
    assert OUTSIDE not in {each.kind for each in result.findings}


def test_a_memo_is_no_parameter():
    result = check_identity(lambda: Remembering(2.0), run=lambda r, x: r.factor * x, args=(X,))
    assert result.verdict == "conforms", str(result)
    assert result.same_program > 0


def test_a_label_is_silent_with_its_program_and_a_warning_without():
    assert_identity(Labelled, run=lambda o, x: o.factor * x, args=(X,))
    result = check_identity(Labelled)
    assert (result.verdict, result.exit_code) == ("undecided", 3)
    assert {each.kind for each in result.findings if each.path == ("label",)} == {OUTSIDE}
    assert check_identity(Labelled, ignore={"label": "for people"}).notes == ("ignored: label (for people)",)


@pytest.mark.parametrize("make", [lambda: Dense(4, 2, use_bias=False), lambda: Dense(4, 3) >> Relu() >> Dense(3, 1)])
def test_our_descriptions_are_their_own_key(make):
    result = check_identity(make, run=lambda term, x: len(repr(term)) * x, args=(X,))
    assert result.verdict == "conforms", str(result)
    assert (result.traces, result.programs) == (1, 1)
    assert result.values > 20


def test_an_array_in_a_value_type_is_a_copy():
    @value
    class Weights(Value):
        values: object

    result = check_identity(lambda: Weights(np.array([2.0, 1.0])), run=lambda w, x: float(w.values[0]) * x, args=(X,))
    assert result.verdict == "conforms", str(result)


# What is said about the check itself -------------------------------------------------------------------------------


def test_a_random_program_is_said_to_be_so():
    noise = np.random.default_rng(0)
    result = check_identity(Inner, run=lambda o, x: o.factor * x + noise.random(), args=(X,))
    assert result.verdict == "not covered"
    assert "random" in result.not_covered[0]


def test_a_traced_value_that_stays_is_found():
    class Holding:
        @functools.cached_property
        def table(self):
            return jnp.arange(3.0) + 1

        def __eq__(self, other):
            return isinstance(other, Holding)

        def __hash__(self):
            return 0

    result = check_identity(Holding, run=lambda h, x: h.table * x, args=(X,))
    assert STASH in {each.kind for each in result.errors}


def test_what_cannot_be_hashed_is_an_error_as_a_static_argument():
    @dataclasses.dataclass
    class Unhashable:
        values: list

    result = check_identity(lambda: Unhashable([1.0]), run=lambda o, x: o.values[0] * x, args=(X,))
    assert [each.kind for each in result.errors] == [RAISES]
    assert "Non-hashable" in result.errors[0].note


def test_values_that_the_constructor_refuses_are_counted():
    @dataclasses.dataclass(frozen=True)
    class Positive:
        size: int = 3

        def __post_init__(self):
            if type(self.size) is not int or self.size <= 0:
                raise ValueError("size")

    result = check_identity(Positive, run=lambda o, x: o.size * x, args=(X,))
    assert result.verdict == "conforms", str(result)
    assert result.refused > 0


def test_variants_and_objects_that_are_the_same():
    table = {}

    class Tabled:
        def __init__(self, factor):
            table[id(self)] = factor

        def __eq__(self, other):
            return type(self) is type(other)

        def __hash__(self):
            return 7

    run = lambda o, x: table[id(o)] * x  # noqa: E731
    first = Tabled(2.0)
    assert check_identity(lambda: first, run=run, args=(X,)).verdict == "not covered"
    other = ("three", Tabled(3.0))
    [finding] = check_identity(lambda: first, run=run, args=(X,), variants=[other]).errors
    assert (finding.kind, float(finding.served), float(finding.truth)) == (VARIANT, 20.0, 30.0)
    result = check_identity(Inner, run=lambda o, x: o.factor * x, args=(X,), same=[("the same", Inner(2.0))])
    assert result.verdict == "conforms"
    result = check_identity(Inner, run=lambda o, x: o.factor * x, args=(X,), same=[("another", Inner(3.0))])
    assert [each.kind for each in result.findings] == [MISSES]


def test_what_is_shared_is_restored():
    shared = keyed(lambda v: 0)([2.0, {"a": 1.0}])
    before = repr(shared.value)
    check_identity(lambda: shared, run=lambda o, x: o.value[0] * x, args=(X,))
    assert repr(shared.value) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"run": lambda o, x: x / "a", "args": (X,)}, "run"),
        ({"carrier": "post"}, "expected one of static"),
    ],
)
def test_a_wrong_call_is_said_to_be_so(options, message):
    with pytest.raises(CallError, match=message):
        check_identity(Inner, **options)
    with pytest.raises(CallError, match="make"):
        check_identity(lambda: 1 // 0)


# As a part of check ------------------------------------------------------------------------------------------------

MODULE = """
class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return self.factor * x

    def __eq__(self, other):
        return isinstance(other, Scale)

    def __hash__(self):
        return 0


scale = Scale(2.0)
bound = scale.__call__
"""


def test_the_command_line_reports_it(tmp_path, capsys):
    file = tmp_path / "scales.py"
    file.write_text(MODULE)
    assert command_line(["check", f"{file}:scale"]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("DIFFERS (identity)")
    assert "parameter outside the key at .factor" in printed
    lines = printed.splitlines()
    start = lines.index("  to see it, run:") + 1
    code = "\n".join(line[4:] for line in lines[start:] if line.startswith("    "))
    module: dict = {}
    exec(code, module)
    assert np.asarray(module["got"]).tobytes() != np.asarray(module["truth"]).tobytes()


def test_changing_an_object_is_a_note_of_check():
    class Plain:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return self.factor * x

    result = check(Plain(2.0))
    assert result.verdict == "conforms", str(result)
    assert any(ASSIGNED in note for note in result.notes)
    result = check(scaling(np.array([2.0], np.float32)))
    assert result.verdict == "conforms", str(result)
    assert any(MUTABLE in note for note in result.notes)


def test_what_cannot_be_changed_is_not_covered():
    # Neither an argument of the constructor by its name, nor assigned.
    class Fixed:
        __slots__ = ("factor",)

        def __init__(self, **given):
            object.__setattr__(self, "factor", given.get("factor", 2.0))

        def __setattr__(self, name, value):
            raise AttributeError(name)

        def __eq__(self, other):
            return type(self) is type(other)

        def __hash__(self):
            return 7

    result = check_identity(Fixed, run=lambda o, x: o.factor * x, args=(X,))
    assert result.verdict == "not covered"
    assert any(".factor" in each for each in result.not_covered)


def test_the_elements_of_a_long_sequence_that_were_not_tried_are_counted():
    @dataclasses.dataclass(frozen=True)
    class Table:
        values: tuple

    result = check_identity(lambda: Table(tuple(map(float, range(100)))), run=lambda o, x: o.values[3] * x, args=(X,))
    assert ".values: 95 of 100 elements" in result.not_covered
