"""Family n: cached properties, and what is stored under their names."""

import dataclasses
import functools

import jax
import jax.numpy as jnp

from tests.conformance.jax_behaviours.behaviour import against, cold, ours, raised, row, static_pair, ten, times_factor
from tests.conformance.jax_behaviours.described import refused


@row("n1", "cached property building a jax array, first touched inside a trace")
def leaked():
    class Layer:
        @functools.cached_property
        def weight(self):
            return 2.0 * jnp.ones(())

    layer = Layer()
    jax.jit(lambda x: layer.weight * x)(ten())
    return raised(lambda x: layer.weight * x, ten())


class FieldsOnly:
    """Keyed by the fields, once."""

    @functools.cached_property
    def key(self):
        return tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    def __eq__(self, other):
        return type(self) is type(other) and self.key == other.key

    def __hash__(self):
        return hash((type(self), self.key))


@dataclasses.dataclass(frozen=True, eq=False)
class Cached(FieldsOnly):
    """A value under a cached property."""

    order: int = 1

    @functools.cached_property
    def factor(self):
        return 2.0


@row("n2", "parameter stored under a cached property's name")
def stashed():
    other = Cached()
    object.__setattr__(other, "factor", 5.0)
    return static_pair(Cached(), other)


@row("n3", "parameter stored after the first hash")
def stored_late():
    item = Cached()
    object.__setattr__(item, "factor", 5.0)
    compiled = jax.jit(times_factor, static_argnums=0)
    compiled(item, ten())
    object.__setattr__(item, "factor", 7.0)
    return against(compiled(item, ten()), cold(lambda x: times_factor(item, x), ten()))


@ours("n1", "n2", "n3")
def cached_properties_are_refused():
    def declare():
        from lenticulum.terms.value import Value, value

        @value
        class Property(Value):
            order: int = 1

            @functools.cached_property
            def factor(self):
                return 2.0

    refused(TypeError, declare, "cached property")
