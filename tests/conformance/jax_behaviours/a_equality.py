"""Family a: an equality that ignores a parameter, and objects that are changed after use."""

import dataclasses

import jax

from tests.conformance.jax_behaviours.behaviour import against, cold, ours, row, shown, static_pair, ten, times_factor
from tests.conformance.jax_behaviours.described import Scale, refused, right


class Partly:
    """Equality and hash ignore the factor."""

    def __init__(self, factor):
        self.group, self.factor = 1, factor

    def __eq__(self, other):
        return isinstance(other, Partly) and self.group == other.group

    def __hash__(self):
        return hash(self.group)


@row("a1", "static argument, __eq__ and __hash__ ignore a parameter")
def equality_of_a_part():
    return static_pair(Partly(2.0), Partly(3.0))


@row("a2", "field(compare=False)")
def comparison_switched_off():
    @dataclasses.dataclass(frozen=True)
    class Field:
        factor: float = dataclasses.field(default=2.0, compare=False)

    return static_pair(Field(2.0), Field(3.0))


@row("a3", "method jitted with static self, attribute assigned between calls")
def assigned_attribute():
    class Layer:
        factor = 2.0

        def run(self, x):
            return self.factor * x

        compiled = jax.jit(run, static_argnums=0)

    layer = Layer()
    layer.compiled(ten())
    layer.factor = 3.0
    return against(layer.compiled(ten()), cold(layer.run, ten()))


def _run(item, x):
    return item.factor * x


@row("a4", "a second jax.jit of the same function object, object of a1")
def second_jit():
    jax.jit(_run, static_argnums=0)(Partly(2.0), ten())
    return against(jax.jit(_run, static_argnums=0)(Partly(3.0), ten()), cold(lambda x: _run(Partly(3.0), x), ten()))


@row("a5", "a fresh lambda around that function")
def fresh_lambda():
    jax.jit(_run, static_argnums=0)(Partly(2.0), ten())
    served = jax.jit(lambda item, x: _run(item, x), static_argnums=0)(Partly(3.0), ten())
    return against(served, cold(lambda x: _run(Partly(3.0), x), ten()))


@row("a6", "field(hash=False), comparison left on")
def hash_switched_off():
    @dataclasses.dataclass(frozen=True)
    class Field:
        factor: float = dataclasses.field(default=2.0, hash=False)

    return static_pair(Field(2.0), Field(3.0))


class Hashed:
    """A hash from an attribute, and the equality of object."""

    factor = 0.0

    def __hash__(self):
        return hash(self.factor)


@row("a7", "__hash__ from an attribute, no __eq__, attribute changed (40 tries)")
def hash_without_equality():
    item, compiled, wrong = Hashed(), jax.jit(times_factor, static_argnums=0), 0
    for factor in range(40):
        item.factor = float(factor)
        wrong += float(compiled(item, ten())) != 10.0 * factor
    return f"{wrong} wrong"


@dataclasses.dataclass(unsafe_hash=True)
class Mutable:
    """Compared by value, and open to assignment."""

    factor: float


@row("a8", "value-equal object set to 100, then 0, again 0, fresh 100, fresh 0")
def set_to_and_fro():
    item, compiled = Mutable(100.0), jax.jit(times_factor, static_argnums=0)
    found = [compiled(item, ten())]
    item.factor = 0.0
    found += [compiled(item, ten()), compiled(item, ten())]
    found += [compiled(Mutable(100.0), ten()), compiled(Mutable(0.0), ten())]
    return ", ".join(map(shown, found))


@ours("a1", "a4", "a5")
def equality_is_the_key():
    def declare():
        from lenticulum.terms.value import Value, value

        @value
        class Own(Value):
            factor: float = 2.0

            def __eq__(self, other):
                return True

            def __hash__(self):
                return 0

    refused(TypeError, declare, "defines __eq__")
    right(Scale(2.0), Scale(3.0), Scale(2.0), traces=2)


@ours("a2", "a6")
def every_field_is_compared():
    def declare(**options):
        from lenticulum.terms.value import Value, value

        @value
        class Field(Value):
            factor: float = dataclasses.field(default=2.0, **options)

    refused(TypeError, lambda: declare(compare=False), "compare=False")
    refused(TypeError, lambda: declare(hash=False), "hash=False")


@ours("a3", "a7", "a8")
def values_are_frozen():
    scale = Scale(2.0)
    refused(AttributeError, lambda: setattr(scale, "factor", 3.0), "is a value")
    refused(AttributeError, lambda: object.__setattr__(scale, "factor", 3.0), "is a value")
    right(scale, Scale(3.0), traces=2)
