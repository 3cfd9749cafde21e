"""Family s: equinox; and static fields of flax."""

import warnings

import jax
import jax.numpy as jnp
import numpy as np

from tests.conformance.jax_behaviours.behaviour import against, cold, raised, row, ten

EQUINOX, FLAX = "equinox", "flax"


def _filtered(first, second, run, x=None):
    import equinox

    x = ten() if x is None else x
    compiled = equinox.filter_jit(lambda leaf, given: run(leaf, given))
    compiled(first, x)
    return against(compiled(second, x), cold(lambda given: run(second, given), x))


@row("s1", "filter_jit, float leaf 0.0 then -0.0; leaf 1 then 1.0", EQUINOX)
def filtered_leaves():
    return {
        "0.0, -0.0": _filtered(0.0, -0.0, lambda leaf, x: x / leaf),
        "1, 1.0": _filtered(1, 1.0, lambda leaf, x: leaf * x, jnp.int8(3)),
    }


@row("s2", "equinox static list changed in place; class variable changed", EQUINOX)
def changed():
    import equinox

    class Module(equinox.Module):
        values: list = equinox.field(static=True)

    class Constant(equinox.Module):
        factor = 2.0

    values = [2.0]
    module, constant = Module(values), Constant()
    compiled = jax.jit(lambda item, x: item.values[0] * x)
    reading = jax.jit(lambda item, x: item.factor * x)
    compiled(module, ten())
    reading(constant, ten())
    values[0] = 3.0
    Constant.factor = 3.0
    of_list, of_class = compiled(module, ten()), reading(constant, ten())
    truth = cold(lambda x: 3.0 * x, ten())
    return {"list": against(of_list, truth), "class variable": against(of_class, truth)}


@row("s3", "equinox static array, 2 elements, second call; undeclared attribute in __init__", EQUINOX)
def refusals():
    import equinox

    class Module(equinox.Module):
        values: np.ndarray = equinox.field(static=True)

    class Undeclared(equinox.Module):
        order: int

        def __init__(self):
            self.order = 1
            self.factor = 2.0

    compiled = jax.jit(lambda item, x: x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equinox warns of arrays that are static
        compiled(Module(np.array([1.0, 2.0])), ten())
        second = raised(lambda: compiled(Module(np.array([1.0, 2.0])), ten()))
    return {"array": second, "undeclared": raised(Undeclared)}


@row("s4", "filter_jit of a rebuilt value-equal module; of module.__call__; a Python float argument 0 to 3", EQUINOX)
def filtered_functions():
    import equinox

    traces = []

    class Module(equinox.Module):
        factor: float = 2.0

        def __call__(self, x):
            traces.append(1)
            return self.factor * x

    def count(calls):
        jax.clear_caches()
        traces.clear()
        for call in calls:
            call()
        return f"{len(traces)} traces"

    module = Module()
    taking = equinox.filter_jit(lambda v, x: (traces.append(1), v * x)[1])
    return {
        "rebuilt module": count([lambda: equinox.filter_jit(Module())(ten())] * 4),
        "bound method": count([lambda: equinox.filter_jit(module.__call__)(ten())] * 4),
        "of a rebuilt module": count([lambda: equinox.filter_jit(Module().__call__)(ten())] * 4),
        "float argument": count([lambda v=v: taking(float(v), ten()) for v in range(4)]),
    }


@row("s5", "an equinox module as static argument: 0.0 then -0.0; 1 then 1.0", EQUINOX)
def static_module():
    import equinox

    class Module(equinox.Module):
        value: object = equinox.field(static=True)

    def pair(first, second, run, x):
        compiled = jax.jit(lambda item, given: run(item.value, given), static_argnums=0)
        compiled(Module(first), x)
        return against(compiled(Module(second), x), cold(lambda given: run(second, given), x))

    return {
        "0.0, -0.0": pair(0.0, -0.0, lambda value, x: x / value, ten()),
        "1, 1.0": pair(1, 1.0, lambda value, x: value * x, jnp.int8(3)),
    }


@row("s6", "flax.struct static field; a linen module as static argument: 0.0 then -0.0; 1 then 1.0", FLAX)
def flax_fields():
    from flax import linen, struct

    @struct.dataclass
    class Struct:
        array: object
        value: object = struct.field(pytree_node=False)

    class Layer(linen.Module):
        value: object = None

    def of_struct(first, second, run, x):
        compiled = jax.jit(lambda item: run(item.value, item.array))
        compiled(Struct(x, first))
        return against(compiled(Struct(x, second)), cold(lambda given: run(second, given), x))

    def of_layer(first, second, run, x):
        compiled = jax.jit(lambda item, given: run(item.value, given), static_argnums=0)
        compiled(Layer(first), x)
        return against(compiled(Layer(second), x), cold(lambda given: run(second, given), x))

    found = {}
    for name, pair in (("struct", of_struct), ("linen", of_layer)):
        found[f"{name}, 0.0, -0.0"] = pair(0.0, -0.0, lambda value, x: x / value, ten())
        found[f"{name}, 1, 1.0"] = pair(1, 1.0, lambda value, x: value * x, jnp.int8(3))
    return found
