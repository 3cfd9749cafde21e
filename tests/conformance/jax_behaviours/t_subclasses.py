"""Families t and u: subclasses, private attributes, and enumerations."""

import dataclasses
import enum

import jax
import jax.numpy as jnp

from tests.conformance.jax_behaviours.behaviour import against, cold, meta_pair, ours, row, static_pair, ten
from tests.conformance.jax_behaviours.described import Scale, refused, right


def call(item, x):
    """The program: a method that a subclass overrides."""
    return item.forward(x)


class Loose:
    """Equal to every instance of the class with the same factor."""

    def __init__(self, factor):
        self.factor = factor

    def __eq__(self, other):
        return isinstance(other, Loose) and self.factor == other.factor

    def __hash__(self):
        return hash(self.factor)

    def forward(self, x):
        return self.factor * x


class Adding(Loose):
    """The subclass."""

    def forward(self, x):
        return self.factor + x


@row("t1", "isinstance equality, subclass overriding a method, in a static tuple or metadata")
def nested_subclass():
    return {
        "tuple": static_pair((Loose(2.0),), (Adding(2.0),), lambda items, x: call(items[0], x)),
        "metadata": meta_pair(Loose(2.0), Adding(2.0), call),
    }


@row("t2", "the same at top level; dataclass subclasses nested")
def exact_subclass():
    @dataclasses.dataclass(frozen=True)
    class Data:
        factor: float

        def forward(self, x):
            return self.factor * x

    class DataAdding(Data):
        def forward(self, x):
            return self.factor + x

    return {
        "top level": static_pair(Loose(2.0), Adding(2.0), call),
        "dataclass": meta_pair(Data(2.0), DataAdding(2.0), call),
    }


@row("t2 attrs", "attrs subclasses nested", "attr")
def attrs_subclass():
    import attr  # pyright: ignore[reportMissingImports]

    @attr.frozen
    class Data:
        factor: float

        def forward(self, x):
            return self.factor * x

    @attr.frozen
    class DataAdding(Data):
        def forward(self, x):
            return self.factor + x

    return meta_pair(Data(2.0), DataAdding(2.0), call)


@row("t2 pydantic", "pydantic subclasses nested", "pydantic")
def pydantic_subclass():
    import pydantic

    class Data(pydantic.BaseModel, frozen=True):
        factor: float

        def forward(self, x):
            return self.factor * x

    class DataAdding(Data):
        def forward(self, x):
            return self.factor + x

    return meta_pair(Data(factor=2.0), DataAdding(factor=2.0), call)


@row("t3 attrs", "attrs field(eq=False)", "attr")
def attrs_field():
    import attr  # pyright: ignore[reportMissingImports]

    @attr.frozen
    class Data:
        order: int = 0
        factor: float = attr.field(default=1.0, eq=False)

    return static_pair(Data(0, 1.0), Data(0, 5.0))


@row("t3 pydantic", "pydantic private attribute", "pydantic")
def pydantic_private():
    import pydantic

    class Data(pydantic.BaseModel, frozen=True):
        order: int = 0
        _factor: float = pydantic.PrivateAttr(default=1.0)

    one, other = Data(), Data()
    other._factor = 5.0
    return static_pair(one, other, lambda item, x: item._factor * x)


class Flag(enum.IntFlag):
    """One flag."""

    ON = 1


class Twin(enum.IntFlag):
    """Another, with an equal member."""

    ON = 1


class Mode(enum.Enum):
    """A plain enumeration whose program reads a table."""

    ONE = "one"


class Other(enum.Enum):
    """Another plain enumeration."""

    ONE = "one"


@row("u1", "IntFlag twins in metadata; member backed by a table that changes")
def flags():
    table = {"one": 2.0}
    compiled = jax.jit(lambda mode, x: table[mode.value] * x, static_argnums=0)
    compiled(Mode.ONE, ten())
    table["one"] = 3.0
    changed = against(compiled(Mode.ONE, ten()), cold(lambda x: table["one"] * x, ten()))
    twins = meta_pair(Flag.ON, Twin.ON, lambda value, x: (2.0 if type(value) is Flag else 3.0) * x)
    return {"twins": twins, "table": changed}


@row("u2", "members of two plain Enum classes")
def plain_enumerations():
    return "equal" if Mode.ONE == Other.ONE else "unequal"


@ours("t1", "t2")
def a_subclass_is_another_value():
    from lenticulum.terms.value import Value, value

    @value
    class Ours(Value):
        factor: float

        def forward(self, x):
            return self.factor * x

    @value
    class OursAdding(Ours):
        def forward(self, x):
            return self.factor + x

    class Undeclared(Ours):
        pass

    right(Scale((Ours(2.0),)), Scale((OursAdding(2.0),)), traces=2, run=lambda item, x: item.factor[0].forward(x))
    refused(TypeError, lambda: Undeclared(2.0), "not declared a value type")


@ours("u1", "u2")
def members_are_keyed_by_class_and_name():
    right(
        *(Scale(Flag.ON), Scale(Twin.ON)),
        traces=2,
        run=lambda item, x: jnp.float32(2.0 if type(item.factor) is Flag else 3.0) * x,
    )
    assert Scale(Mode.ONE) != Scale(Other.ONE)
