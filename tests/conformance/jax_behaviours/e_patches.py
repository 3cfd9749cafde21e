"""Family e: methods and functions that are replaced after, or before, their first use."""

import jax

from tests.conformance.jax_behaviours.behaviour import against, cold, ours, row, ten
from tests.conformance.jax_behaviours.described import refused


def scaled(factor):
    """A method that multiplies by a number."""
    return lambda self, x: factor * x


def run(item, x):
    """The program: whatever the method is."""
    return item.forward(x)


def _layer(method):
    return type("Layer", (), {"forward": method})


@row("e1", "method patched after first use; also a new jit of the same function under the patch")
def patched():
    cls = _layer(scaled(2.0))
    item = cls()
    compiled = jax.jit(run, static_argnums=0)
    compiled(item, ten())
    cls.forward = scaled(5.0)
    served, again = compiled(item, ten()), jax.jit(run, static_argnums=0)(item, ten())
    truth = cold(lambda x: run(item, x), ten())
    return {"the same": against(served, truth), "a new jit": against(again, truth)}


@row("e2", "first use under a patch, patch removed")
def first_use_under_a_patch():
    cls = _layer(scaled(5.0))
    item = cls()
    compiled = jax.jit(run, static_argnums=0)
    compiled(item, ten())
    cls.forward = scaled(2.0)
    return against(compiled(item, ten()), cold(lambda x: run(item, x), ten()))


@row("e3", "module-level function, or inner jitted function, rebound")
def rebound():
    found = {}
    for name, wrap in (("function", lambda each: each), ("inner jit", jax.jit)):
        module = {"inner": wrap(lambda x: 2.0 * x)}
        exec("def outer(x):\n    return inner(x)", module)
        compiled = jax.jit(module["outer"])
        compiled(ten())
        module["inner"] = wrap(lambda x: 5.0 * x)
        found[name] = against(compiled(ten()), cold(module["outer"], ten()))
    return found


@ours("e1", "e2")
def methods_are_sealed():
    from lenticulum.terms.value import Value, value

    @value
    class Layer(Value):
        order: int = 0

        def forward(self, x):
            return 2.0 * x

    Layer.forward = scaled(5.0)  # before the first construction it is the code of the class
    assert float(jax.jit(run, static_argnums=0)(Layer(), ten())) == 50.0
    refused(TypeError, lambda: setattr(Layer, "forward", scaled(2.0)), "sealed")
