"""Family l: what is called eagerly, with a stable body that reads a global, which goes from 2 to 3."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tests.conformance.jax_behaviours.behaviour import against, row, ten

GLOBAL = {"factor": 2.0}


def body(x):
    """The body; it is one function object for all calls."""
    return GLOBAL["factor"] * x


def step(carry, _):
    """The body of a scan."""
    return body(carry), None


def loop(index, carry):
    """The body of a loop."""
    return body(carry)


def once(pair):
    """The body of a while loop that runs once."""
    return pair[0] + 1, body(pair[1])


def unfinished(pair):
    """Its condition."""
    return pair[0] < 1


def zero(x):
    """Another branch."""
    return 0.0 * x


def scanned(x):
    """One step."""
    return lax.scan(step, x, None, length=1)[0]


CHECKPOINTED = jax.checkpoint(body)
BRANCHES = [zero, body]


def converted(x):
    """`closure_convert` hands the constants out."""
    function, constants = jax.closure_convert(body, x)
    return function(x, *constants)


def read(x):
    """The program as `make_jaxpr` gives it."""
    closed = jax.make_jaxpr(body)(x)
    return jax.core.eval_jaxpr(closed.jaxpr, closed.consts, x)[0]


def mapped(x):
    """On one device."""
    return jax.pmap(body, devices=jax.devices()[:1])(x[None])[0]


CACHED = {
    "scan": scanned,
    "fori_loop": lambda x: lax.fori_loop(0, 1, loop, x),
    "while_loop": lambda x: lax.while_loop(unfinished, once, (0, x))[1],
    "cond": lambda x: lax.cond(x > 0, body, zero, x),
    "switch": lambda x: lax.switch(jnp.int32(1), BRANCHES, x),
    "checkpoint": CHECKPOINTED,
    "make_jaxpr": read,
    "closure_convert": converted,
    "pmap": mapped,
    "jit(...).lower().compile()": lambda x: jax.jit(body).lower(x).compile()(x),
    "grad of scan": jax.grad(scanned),
    "vmap of scan": lambda x: jax.vmap(scanned)(x[None])[0],
    "grad of checkpoint": jax.grad(CHECKPOINTED),
}


@jax.custom_jvp
def with_jvp(x):
    """A function with a rule that reads the global too."""
    return body(x)


@with_jvp.defjvp
def _with_jvp(primals, tangents):
    return body(primals[0]), body(tangents[0])


@jax.custom_vjp
def with_vjp(x):
    """The same backwards."""
    return body(x)


with_vjp.defvjp(lambda x: (body(x), None), lambda kept, g: (body(g),))


def divided(_, b):
    """The solution of body(x) = b."""
    return b / GLOBAL["factor"]


def called_back(x):
    """The body on the host."""
    return jax.pure_callback(lambda v: np.float32(GLOBAL["factor"] * v), jax.ShapeDtypeStruct((), jnp.float32), x)


def shape(x):
    """As many zeros as the global says."""
    return jnp.zeros(int(GLOBAL["factor"])) * x


COMPILED_CALLBACK = jax.jit(called_back)

FRESH = {
    "lax.map": lambda x: lax.map(body, x[None])[0],
    "vmap": lambda x: jax.vmap(body)(x[None])[0],
    "grad": jax.grad(body),
    "jvp": lambda x: jax.jvp(body, (x,), (x,))[1],
    "vjp": lambda x: jax.vjp(body, x)[1](x)[0],
    "linearize": lambda x: jax.linearize(body, x)[1](x),
    "hessian": jax.hessian(lambda x: body(x) * x),
    "eval_shape": lambda x: jnp.array(jax.eval_shape(shape, x).shape),
    "associative_scan": lambda x: lax.associative_scan(lambda a, b: body(a) + b, jnp.stack([x, x]))[1],
    "jnp.vectorize": jnp.vectorize(body),
    "custom_jvp": lambda x: jax.jvp(with_jvp, (x,), (x,))[1],
    "custom_vjp": jax.grad(with_vjp),
    "custom_linear_solve": lambda x: lax.custom_linear_solve(body, x, divided),
    "pure_callback": called_back,
    "pure_callback under jit": COMPILED_CALLBACK,
}


def outcomes(calls):
    """Call, change the global, call again; the truth is the same call with empty caches."""
    found = {}
    for name, call in calls.items():
        jax.clear_caches()
        GLOBAL["factor"] = 2.0
        call(ten())
        GLOBAL["factor"] = 3.0
        served = call(ten())
        jax.clear_caches()
        found[name] = against(served, call(ten()))
    return found


@row("l1", "loops, branches, checkpoint, make_jaxpr, closure_convert, pmap, ahead-of-time compilation")
def cached_bodies():
    return outcomes(CACHED)


@row("l2", "transformations, custom rules and callbacks")
def bodies_without_a_cache():
    return outcomes(FRESH)
