"""Published wrong programs: old encodings of a description show them on this jax, ours refuses or separates them.

Two are incidents of T3Toolbox, on programs of our own; the rest are the cases of data/identity_cases.json, each a small
module with the verdict that jax gave when it was recorded (0.12.0.1; the same with 0.10.2).
"""

import collections
import dataclasses
import functools
import json
import pathlib
import typing

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.fast.pytree import register_node
from lenticulum.terms import Dense, Relu
from lenticulum.terms.value import Value, replace, value

CASES = {
    case["id"]: case
    for case in json.loads((pathlib.Path(__file__).parent / "data" / "identity_cases.json").read_text("utf-8"))
}


@pytest.fixture(autouse=True)
def no_program_of_another_test():
    """A cached inner program would decide a verdict, here and in the tests that follow."""
    jax.clear_caches()
    yield
    jax.clear_caches()


class CountingJit:
    """`jax.jit` that counts how often Python code is traced."""

    def __init__(self):
        self.traces = 0

    def __call__(self, function, **options):
        def counted(*arguments):
            self.traces += 1
            return function(*arguments)

        return jax.jit(counted, **options)


def bits(array):
    array = np.asarray(array)
    return array.dtype.name, array.shape, array.tobytes()


# The two incidents ---------------------------------------------------------------------------------------------------

X = jnp.arange(4, dtype=jnp.float32)


def squared_loss(kind, x):
    return jnp.sum(kind.forward(x) ** 2)


def identity(x):
    return x


def halved(x):
    return 0.5 * identity(x)


@dataclasses.dataclass(frozen=True, eq=False)
class IdentityTuple:
    """The old encoding: a record of a function beside a tuple that says which one it is."""

    forward: typing.Callable
    identity: tuple

    def __eq__(self, other):
        return isinstance(other, IdentityTuple) and self.identity == other.identity

    def __hash__(self):
        return hash(self.identity)


def test_a_derived_behaviour_is_served_at_four_times_its_value_by_the_old_encoding():
    loss = jax.jit(squared_loss, static_argnums=0)
    parent = IdentityTuple(identity, ("apply",))
    derived = dataclasses.replace(parent, forward=halved)
    # The sum of squares of 0, 1, 2, 3 is 14; halving before the square divides by 4. Exact in float32.
    assert float(loss(parent, X)) == 14.0
    assert float(loss(derived, X)) == 14.0
    assert float(squared_loss(derived, X)) == 3.5


@value
class Apply(Value):
    name: str = "apply"

    def forward(self, x):
        return identity(x)


@value
class HalfApply(Apply):
    def forward(self, x):
        return halved(x)


def test_a_derived_behaviour_is_refused_as_a_field_and_right_as_a_subclass():
    @value
    class Record(Value):
        forward: object
        name: str = "apply"

    with pytest.raises(TypeError, match=r"forward: a function is not plain data"):
        Record(halved)
    with pytest.raises(TypeError, match="no field 'forward'"):
        replace(Apply(), forward=halved)
    with pytest.raises(TypeError, match="forward"):
        dataclasses.replace(Apply(), forward=halved)
    loss = jax.jit(squared_loss, static_argnums=0)
    assert [float(loss(kind, X)) for kind in (Apply(), HalfApply(), Apply())] == [14.0, 3.5, 14.0]


@dataclasses.dataclass(frozen=True)
class Order:
    order: int = 0


class StoredScale(Order):
    """The old encoding: equality and hash of the fields, and a parameter that a constructor stores beside them."""

    def __init__(self, scale):
        super().__init__()
        object.__setattr__(self, "scale", scale)

    def forward(self, x):
        return self.scale * x


def test_scales_two_and_three_are_served_one_value_by_the_old_encoding():
    loss = jax.jit(squared_loss, static_argnums=0)
    # 14 at scale 1, so 4 · 14 and 9 · 14 are right; exact in float32.
    assert [float(loss(StoredScale(scale), X)) for scale in (1.0, 2.0, 3.0)] == [14.0, 14.0, 14.0]
    assert [float(squared_loss(StoredScale(scale), X)) for scale in (1.0, 2.0, 3.0)] == [14.0, 56.0, 126.0]


@value
class ValueOrder(Value):
    order: int = 0


@value
class FieldScale(ValueOrder):
    scale: float = 1.0

    def forward(self, x):
        return self.scale * x


def test_a_stored_scale_is_refused_and_a_field_is_right():
    @value
    class Stored(ValueOrder):
        def __init__(self, scale):
            ValueOrder.__init__(self)
            object.__setattr__(self, "scale", scale)

    class Undeclared(ValueOrder):
        def __init__(self, scale):
            object.__setattr__(self, "scale", scale)

    with pytest.raises(AttributeError, match="scale"):
        Stored(2.0)
    with pytest.raises(TypeError, match="not declared a value type"):
        Undeclared(2.0)
    loss = jax.jit(squared_loss, static_argnums=0)
    assert [float(loss(FieldScale(scale=scale), X)) for scale in (1.0, 2.0, 3.0)] == [14.0, 56.0, 126.0]


@pytest.mark.parametrize("build", [lambda: Dense(4, 2, use_bias=False), lambda: Dense(4, 3) >> Relu() >> Dense(3, 1)])
def test_rebuilding_a_term_five_times_compiles_once(build):
    jit = CountingJit()
    run = jit(lambda term, x: x, static_argnums=0)
    for _ in range(5):
        run(build(), X)
    assert jit.traces == 1


# The cases -----------------------------------------------------------------------------------------------------------


def executed(name):
    """The module of a case, executed anew: function objects carry caches."""
    namespace = {"__name__": f"identity_case_{name}"}
    exec(compile(CASES[name]["code"], f"<{name}>", "exec"), namespace)
    return namespace


@pytest.mark.parametrize("name", CASES)
def test_this_jax_gives_the_recorded_verdict(name):
    jit = CountingJit()
    try:
        served, truth = executed(name)["scenario"](jit)
    except ValueError:
        verdict = "error"
    else:
        verdict = "fresh" if bits(served) == bits(truth) else "stale"
    assert (verdict, jit.traces) == (CASES[name]["expected"], CASES[name]["traces"])


OURS = {}


def ours(name):
    """The situation of a case, written with value types: refused, or the right program."""

    def register(test):
        OURS[name] = test
        return test

    return register


def right_for(run, *objects, traces, x=10.0):
    """Every object is served its own program, bit for bit, within the stated number of traces."""
    jit = CountingJit()
    compiled = jit(run, static_argnums=0)
    x = jnp.asarray(x) if isinstance(x, np.generic) else jnp.float32(x)
    served = [bits(compiled(item, x)) for item in objects]
    truth = []
    for item in objects:
        jax.clear_caches()
        truth.append(bits(jax.jit(functools.partial(run, item))(x)))
    assert served == truth
    assert jit.traces == traces


def times_factor(item, x):
    return item.factor * x


@value
class Scale(Value):
    factor: object = 2.0


@value
class Other(Value):
    factor: object = 2.0


class Node:
    __slots__ = ("array", "term")

    def __init__(self, array, term):
        self.array, self.term = array, term


register_node(Node, children=("array",))


def right_for_nodes(*nodes, traces):
    jit = CountingJit()

    def run(node):
        return node.array * jnp.asarray(node.term.factor)

    compiled = jit(run)
    served = [bits(compiled(node)) for node in nodes]
    truth = []
    for node in nodes:
        jax.clear_caches()
        truth.append(bits(jax.jit(lambda: run(node))()))  # noqa: B023 (called at once)
    assert served == truth
    assert jit.traces == traces


@ours("P01")
def equality_of_its_own():
    with pytest.raises(TypeError, match="defines __eq__"):

        @value
        class Partial(Value):
            factor: float

            def __eq__(self, other):
                return True

            def __hash__(self):
                return 0


@ours("P02")
def comparison_switched_off():
    with pytest.raises(TypeError, match=r"factor has compare=False"):

        @value
        class Partial(Value):
            factor: float = dataclasses.field(default=2.0, compare=False)


@ours("P03")
def assignment_after_use():
    scale = Scale(2.0)
    right_for(times_factor, scale, traces=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scale.factor = 3.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        object.__setattr__(scale, "factor", 3.0)


@ours("P04")
def identity_tuple():
    with pytest.raises(TypeError, match="a function is not plain data"):
        Scale(halved)
    right_for(times_factor, Scale(2.0), replace(Scale(2.0), factor=3.0), traces=2)


@ours("P05")
def parameter_of_a_constructor():
    @value
    class Stored(ValueOrder):
        def __init__(self, factor=2.0):
            ValueOrder.__init__(self)
            object.__setattr__(self, "factor", factor)

    with pytest.raises(AttributeError, match="factor"):
        Stored(3.0)


@ours("P06")
def init_var():
    with pytest.raises(TypeError, match="start is an InitVar"):

        @value
        class Started(Value):
            order: int = 0
            start: dataclasses.InitVar[float] = 2.0


@ours("P07")
def parameter_in_a_slot():
    class Slotted(ValueOrder):
        __slots__ = ("factor",)

        def __init__(self, factor=2.0):
            ValueOrder.__init__(self)
            object.__setattr__(self, "factor", factor)

    with pytest.raises(TypeError, match="not declared a value type"):
        Slotted(3.0)
    with pytest.raises(TypeError, match="slot"):
        value(Slotted)


@ours("P08")
def shadowed_class_attribute():
    @value
    class Shadowed(Value):
        order: int = 0
        factor = 2.0

        def __init__(self, factor=3.0):
            object.__setattr__(self, "order", 0)
            object.__setattr__(self, "factor", factor)

    with pytest.raises(AttributeError, match="factor"):
        Shadowed(5.0)


@ours("P09")
def side_table():
    table = {}

    @value
    class Tabled(Value):
        def __init__(self, factor):
            table[id(self)] = factor

    with pytest.raises(TypeError, match="takes 'factor', which is not a field"):
        Tabled(2.0)


@ours("P10")
def float_then_int():
    right_for(times_factor, Scale(2.0), Scale(2), Scale(2.0), traces=2, x=np.int8(3))


@ours("P11")
def signed_zeros():
    right_for(lambda item, x: x / item.factor, Scale(0.0), Scale(-0.0), traces=2)


@ours("P12")
def list_field():
    with pytest.raises(TypeError, match="a list is not plain data; use a tuple"):
        Scale([2.0])


@ours("P13")
def array_of_the_caller():
    buffer = np.array([2.0, 1.0], np.float32)
    scale = Scale(buffer)
    buffer[0] = 3.0
    assert scale.factor[0] == 2.0
    right_for(lambda item, x: jnp.sum(jnp.asarray(item.factor) * x), scale, Scale(buffer), scale, traces=2)


@ours("P14")
def mask_then_integers():
    masks = Scale(np.array([True, False])), Scale(np.array([1, 0], np.int8))
    right_for(lambda item, x: ~jnp.asarray(item.factor) * x, *masks, traces=2, x=np.int8(1))


@ours("P15")
def cached_property():
    with pytest.raises(TypeError, match="factor is a cached property"):

        @value
        class Cached(Value):
            order: int = 1

            @functools.cached_property
            def factor(self):
                return 2.0


@ours("P16")
def auxiliary_data_with_an_equality_of_its_own():
    with pytest.raises(TypeError, match="its key alone"):
        value(type("Always", (), {"__annotations__": {"factor": float}, "__eq__": lambda self, other: True}))
    right_for_nodes(Node(X, Scale(2.0)), Node(X, Scale(3.0)), traces=2)


@ours("P17")
def auxiliary_list():
    with pytest.raises(TypeError, match="is a list"):
        jax.jit(identity)(Node(X, [2.0]))


@ours("P18")
def auxiliary_array():
    with pytest.raises(TypeError, match="is a ndarray"):
        jax.jit(identity)(Node(X, np.array([1.0, 2.0])))
    array = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    right_for_nodes(Node(X, Scale(array)), Node(X, Scale(array.copy())), traces=1)


@ours("P19")
def auxiliary_number_types():
    x = jnp.int8(3)
    right_for_nodes(Node(x, Scale(1)), Node(x, Scale(np.float32(1.0))), Node(x, Scale(1)), traces=2)
    assert jax.tree.structure(Node(x, Scale(1))) != jax.tree.structure(Node(x, Scale(1.0)))


@ours("P20")
def auxiliary_named_tuples():
    lower, upper = collections.namedtuple("Lower", "low high"), collections.namedtuple("Upper", "high low")
    with pytest.raises(TypeError, match="is a Lower"):
        jax.jit(identity)(Node(X, lower(1.0, 2.0)))
    bounds = Scale(lower(1.0, 2.0)), Scale(upper(1.0, 2.0))
    right_for(lambda item, x: x - item.factor.low, *bounds, traces=2)


@ours("P21")
def forgotten_attribute():
    class Scaled:
        __slots__ = ("array", "factor", "term")

    with pytest.raises(TypeError, match="exactly one value besides"):
        register_node(Scaled, children=("array",))


@ours("P22")
def field_outside_the_constructor():
    with pytest.raises(TypeError, match="factor has init=False"):

        @value
        class Scaled(Value):
            order: int = 1
            factor: float = dataclasses.field(init=False, default=7.0)


@ours("P23")
def constructor_run_again():
    class Doubling:
        __slots__ = ("array", "term")

        def __init__(self, array, factor):
            self.array, self.term = array, Scale(2.0 * factor)

    register_node(Doubling, children=("array",))
    right_for_nodes(Doubling(X, 1.0), traces=1)


@ours("P24")
def attribute_added_to_an_instance():
    node = Node(X, Scale(2.0))
    with pytest.raises(AttributeError, match="extra"):
        node.extra = 5.0


@ours("P25")
def rebuilt_lambda():
    with pytest.raises(TypeError, match="a function is not plain data"):
        Scale(lambda v: 2.0 * v)


@ours("P26")
def class_made_anew():
    def make():
        @value
        class Local(Value):
            factor: float = 2.0

        return Local()

    # Two types, two keys: slow, and right. The type declared once at module level compiles once.
    right_for(times_factor, make(), make(), traces=2)
    right_for(times_factor, Scale(), Scale(), traces=1)


@ours("P27")
def asymmetric_equality():
    with pytest.raises(TypeError, match="its key alone"):
        value(type("AtMost", (), {"__annotations__": {"factor": float}, "__eq__": lambda self, other: True}))
    right_for(times_factor, Scale(3.0), Scale(2.0), Scale(3.0), traces=2)


@pytest.mark.parametrize("name", OURS)
def test_the_same_situation_with_value_types_is_refused_or_right(name):
    OURS[name]()


def test_every_planted_case_is_written_with_value_types():
    assert sorted(OURS) == sorted(name for name in CASES if name.startswith("P"))


def test_two_classes_with_equal_fields_are_two_programs():
    right_for(lambda item, x: x * item.factor if type(item) is Scale else x + item.factor, Scale(), Other(), traces=2)
