"""Family k: registered dataclasses: what their round trip loses, and what takes one class for another."""

import dataclasses
import functools

import jax
from jax import lax

from tests.conformance.jax_behaviours.behaviour import Meta, against, cold, ours, raised, row, ten
from tests.conformance.jax_behaviours.described import Scale, Shift, refused

register = functools.partial(jax.tree_util.register_dataclass, data_fields=["array"])


@functools.partial(register, meta_fields=[])
@dataclasses.dataclass
class Reset:
    """A field that the constructor does not take."""

    array: object
    factor: float = dataclasses.field(init=False, default=7.0)


@functools.partial(register, meta_fields=["factor"])
@dataclasses.dataclass
class Doubling:
    """A constructor that is not idempotent."""

    array: object
    factor: float = 1.0

    def __post_init__(self):
        self.factor = 2.0 * self.factor


@functools.partial(register, meta_fields=[], drop_fields=["factor"])
@dataclasses.dataclass
class Dropping:
    """A field that is dropped."""

    array: object
    factor: float = 1.0


@functools.partial(register, meta_fields=[])
@dataclasses.dataclass
class First:
    """One class."""

    array: object


@functools.partial(register, meta_fields=[])
@dataclasses.dataclass
class Second:
    """Another, with the same fields."""

    array: object


def _first_call(node, factor):
    served = jax.jit(lambda each: each.factor * each.array)(node)
    return against(served, cold(lambda x: factor * x, ten()))


@row("k1", "init=False field reset by unflatten")
def reset_field():
    node = Reset(ten())
    node.factor = 5.0
    return _first_call(node, 5.0)


@row("k2", "__post_init__ that doubles runs again")
def constructor_again():
    return _first_call(Doubling(ten(), 1.0), 2.0)


@row("k3", "drop_fields; attribute added to an instance")
def dropped():
    node = First(ten())
    node.extra = 5.0
    served = jax.jit(lambda each: getattr(each, "extra", 1.0) * each.array)(node)
    return {
        "drop_fields": _first_call(Dropping(ten(), 5.0), 5.0),
        "added": against(served, cold(lambda x: 5.0 * x, ten())),
    }


@row("k4", "two unrelated registered dataclasses")
def unrelated():
    one, other = jax.tree.structure(First(ten())), jax.tree.structure(Second(ten()))
    equal, hashes = ("equal" if one == other else "unequal"), ("agree" if hash(one) == hash(other) else "differ")
    return f"treedefs {equal}, hashes {hashes}"


@row("k5", "lax.cond returning A or B; scan carry changing from A to B")
def another_class():
    def choose(x):
        return type(lax.cond(x > 0, First, Second, x)).__name__

    def carried(x):
        return type(lax.scan(lambda node, _: (Second(node.array), None), First(x), length=1)[0]).__name__

    return {
        "cond, first branch First": raised(choose, ten()),
        "cond, second branch Second": raised(choose, -ten()),
        "scan from First to Second": raised(carried, ten()),
    }


@row("k6", "a field in neither list; a subclass of a registered dataclass")
def undeclared():
    @dataclasses.dataclass
    class Neither:
        array: object
        factor: float = 1.0

    class Sub(Meta):
        pass

    return {
        "neither": raised(functools.partial(register, meta_fields=[]), Neither),
        "subclass": raised(jax.jit(lambda node: node.array), Sub(ten(), 2.0)),
    }


def _node():
    from lenticulum.fast.pytree import register_node

    class Ours:
        __slots__ = ("array", "term")

        def __init__(self, array, term):
            self.array, self.term = array, term

    register_node(Ours, children=("array",))
    return Ours


@ours("k1", "k2", "k3")
def the_round_trip_is_exact():
    node = _node()(ten(), Scale(5.0))
    refused(AttributeError, lambda: setattr(node, "extra", 5.0), "extra")
    assert float(jax.jit(lambda each: each.term.factor * each.array)(node)) == 50.0


@ours("k4", "k5", "k6")
def classes_are_not_confused():
    one, other, same = _node(), _node(), _node()
    assert jax.tree.structure(one(ten(), Scale(2.0))) != jax.tree.structure(other(ten(), Scale(2.0)))
    assert jax.tree.structure(same(ten(), Scale(2.0))) != jax.tree.structure(same(ten(), Shift(2.0)))
    branches = (lambda x: one(x, Scale())), (lambda x: other(x, Scale()))
    refused(TypeError, lambda: lax.cond(ten() > 0, *branches, ten()), "outputs must have")
