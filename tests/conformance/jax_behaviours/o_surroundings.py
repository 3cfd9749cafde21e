"""Family o: globals, buffers and effects that a trace freezes."""

import contextvars
import os

import jax
import jax.numpy as jnp
import numpy as np

from tests.conformance.jax_behaviours.behaviour import against, cold, row, ten

PYTHON = 2.0
ARRAY = jnp.float32(2.0)
VARIABLE = contextvars.ContextVar("factor", default=2.0)


def _python(x):
    return PYTHON * x


def _array(x):
    return ARRAY * x


def _set(name, value):
    globals()[name] = value


def _changed(function, change, x=None):
    x = ten() if x is None else x
    compiled = jax.jit(function)
    compiled(x)
    change()
    return against(compiled(x), cold(function, x))


@row("o1", "Python global, jnp global, closure cell, closed-over dict, mutable default, os.environ, context variable")
def reads():
    cell, table = 2.0, {"factor": 2.0}

    def assign():
        nonlocal cell
        cell = 3.0

    def default(x, factors=[2.0]):  # noqa: B006 - the row is about it
        return factors[0] * x

    os.environ["LENTICULUM_FACTOR"] = "2.0"
    token = VARIABLE.set(2.0)
    try:
        return {
            "Python global": _changed(_python, lambda: _set("PYTHON", 3.0)),
            "jnp global": _changed(_array, lambda: _set("ARRAY", jnp.float32(3.0))),
            "closure cell": _changed(lambda x: cell * x, assign),
            "dict": _changed(lambda x: table["factor"] * x, lambda: table.update(factor=3.0)),
            "mutable default": _changed(default, lambda: default.__defaults__[0].__setitem__(0, 3.0)),
            "os.environ": _changed(
                lambda x: float(os.environ["LENTICULUM_FACTOR"]) * x,
                lambda: os.environ.update(LENTICULUM_FACTOR="3.0"),
            ),
            "context variable": _changed(lambda x: VARIABLE.get() * x, lambda: VARIABLE.set(3.0)),
        }
    finally:
        VARIABLE.reset(token)
        del os.environ["LENTICULUM_FACTOR"]
        _set("PYTHON", 2.0)
        _set("ARRAY", jnp.float32(2.0))


@row("o2", "numpy global changed in place")
def array_in_place():
    array = np.array([2.0], np.float32)
    return _changed(lambda x: array * x, lambda: array.__setitem__(0, 3.0), jnp.ones(1, jnp.float32) * 10)


def _captured(array, read):
    """What an eager call reads of an array that a live program has captured, after a change in place."""
    jax.clear_caches()
    live = jax.jit(lambda: jnp.asarray(array) + 0)
    live()
    array[0] = 3
    served = read(array)
    del live
    return against(served, jnp.asarray([3], served.dtype))


@row("o3", "eager jnp.asarray(a) of a 64-bit array captured by a live program, then changed")
def captured():
    return {
        "float64": _captured(np.array([2.0]), jnp.asarray),
        "int64": _captured(np.array([2]), jnp.asarray),
    }


@row("o4", "the same with a.copy(); after clear_caches(); with float32, int32, x64 on or an explicit dtype")
def captured_and_right():
    def cleared(array):
        jax.clear_caches()
        return jnp.asarray(array)

    found = {
        "copy": _captured(np.array([2.0]), lambda a: jnp.asarray(a.copy())),
        "clear_caches": _captured(np.array([2.0]), cleared),
        "float32": _captured(np.array([2.0], np.float32), jnp.asarray),
        "int32": _captured(np.array([2], np.int32), jnp.asarray),
        "dtype": _captured(np.array([2.0]), lambda a: jnp.asarray(a, jnp.float32)),
    }
    with jax.enable_x64(True):
        found["x64"] = _captured(np.array([2.0]), jnp.asarray)
    return found


def _aligned(put):
    memory = np.zeros(4096 + 64, np.uint8)
    start = -memory.ctypes.data % 64
    array = memory[start : start + 4096].view(np.float32)
    held = put(array)
    array[:] = 7.0
    return against(np.asarray(held)[:1].copy(), np.zeros(1, np.float32))


@row("o5", "device_put of a 64-byte aligned writable array, array changed; jnp.asarray, jnp.array, jit(identity) of it")
def aliased():
    return {
        "device_put": _aligned(lambda a: jax.device_put(a).block_until_ready()),
        "jnp.asarray": _aligned(lambda a: jnp.asarray(a).block_until_ready()),
        "jnp.array": _aligned(lambda a: jnp.array(a).block_until_ready()),
        "jit": _aligned(lambda a: jax.jit(lambda x: x)(a).block_until_ready()),
    }


@row("o6", "np.random while tracing; list append while tracing")
def effects():
    generator, seen = np.random.default_rng(0), []
    random = jax.jit(lambda x: x + generator.uniform())
    append = jax.jit(lambda x: (seen.append(1), x)[1])
    draws = {float(random(ten())) for _ in range(3)}
    for _ in range(3):
        append(ten())
    return {"random": f"{len(draws)} value in 3 calls", "append": f"runs {len(seen)} time in 3 calls"}
