"""Family d: class attributes."""

from tests.conformance.jax_behaviours.behaviour import against, cold, ours, row, static_pair, ten, times_factor
from tests.conformance.jax_behaviours.described import refused, right


def _changed(item, change):
    import jax

    compiled = jax.jit(times_factor, static_argnums=0)
    compiled(item, ten())
    change()
    return against(compiled(item, ten()), cold(lambda x: times_factor(item, x), ten()))


@row("d1", "class attribute changed from 2 to 9 after first use")
def changed_attribute():
    class Scale:
        factor = 2.0

    return _changed(Scale(), lambda: setattr(Scale, "factor", 9.0))


@row("d2", "class attribute 5 in a subclass")
def attribute_of_a_subclass():
    class Scale:
        factor = 2.0

        def __eq__(self, other):
            return type(self) is type(other)

        def __hash__(self):
            return 0

    class Five(Scale):
        factor = 5.0

    return static_pair(Scale(), Five())


@ours("d1", "d2")
def classes_are_sealed():
    from lenticulum.terms.value import Value, value

    @value
    class Constant(Value):
        order: int = 0
        factor = 2.0

    @value
    class Five(Constant):
        factor = 5.0

    right(Constant(), Five(), traces=2)
    refused(TypeError, lambda: setattr(Constant, "factor", 9.0), "sealed")
