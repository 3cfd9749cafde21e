"""Family c: parameters that are no fields: constructors, slots, InitVar, side tables."""

import dataclasses

from tests.conformance.jax_behaviours.behaviour import ours, row, static_pair
from tests.conformance.jax_behaviours.described import refused


@dataclasses.dataclass(frozen=True)
class Base:
    """One field, which is not the parameter."""

    order: int = 0


@row("c1", "parameter set in a hand-written __init__ of a subclass")
def set_by_a_constructor():
    class Stored(Base):
        def __init__(self, factor):
            Base.__init__(self)
            object.__setattr__(self, "factor", factor)

    return static_pair(Stored(2.0), Stored(3.0))


@row("c2", "parameter in a subclass's slot")
def in_a_slot():
    class Slotted(Base):
        __slots__ = ("factor",)

        def __init__(self, factor):
            Base.__init__(self)
            object.__setattr__(self, "factor", factor)

    return static_pair(Slotted(2.0), Slotted(3.0))


@row("c3", "InitVar stored by __post_init__; class variable shadowed on the instance")
def beside_the_fields():
    @dataclasses.dataclass(frozen=True)
    class Started:
        order: int = 0
        start: dataclasses.InitVar[float] = 2.0

        def __post_init__(self, start):
            object.__setattr__(self, "factor", start)

    @dataclasses.dataclass(frozen=True)
    class Shadowed:
        order: int = 0
        factor = 2.0

    shadowed = Shadowed()
    object.__setattr__(shadowed, "factor", 3.0)
    return {
        "InitVar": static_pair(Started(0, 2.0), Started(0, 3.0)),
        "shadowed": static_pair(Shadowed(), shadowed),
    }


@row("c4", "parameter in a side table keyed by id(self)")
def in_a_side_table():
    table = {}

    class Tabled:
        def __init__(self, factor):
            table[id(self)] = factor

        def __eq__(self, other):
            return type(self) is type(other)

        def __hash__(self):
            return 7

        factor = property(lambda self: table[id(self)])

    return static_pair(Tabled(2.0), Tabled(3.0))


@row("c5", "field with init=False set later (still compared)")
def set_later():
    @dataclasses.dataclass(unsafe_hash=True)
    class Later:
        factor: float = dataclasses.field(init=False, default=2.0)

    later = Later()
    later.factor = 3.0
    return static_pair(Later(), later)


@ours("c1", "c2", "c3", "c4", "c5")
def what_is_no_field_is_refused():
    from lenticulum.terms.value import Value, value

    @value
    class Order(Value):
        order: int = 0

    @value
    class Stored(Order):
        def __init__(self, factor):
            Order.__init__(self)
            object.__setattr__(self, "factor", factor)

    class Slotted(Order):
        __slots__ = ("factor",)

    table = {}

    @value
    class Tabled(Value):
        def __init__(self, factor):
            table[id(self)] = factor

    def declare(annotation, **options):
        value(type("Field", (), {"__annotations__": {"factor": annotation}, "factor": dataclasses.field(**options)}))

    refused(AttributeError, lambda: Stored(2.0), "factor")
    refused(TypeError, lambda: value(Slotted), "slot")
    refused(TypeError, lambda: declare(dataclasses.InitVar[float], default=2.0), "InitVar")
    refused(TypeError, lambda: declare(float, init=False, default=2.0), "init=False")
    refused(TypeError, lambda: Tabled(2.0), "not a field")
