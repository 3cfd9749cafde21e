"""A description that is built again compiles nothing; one that differs in a hyper-parameter compiles once."""

from contextlib import contextmanager
from functools import partial

import jax
import jax.numpy as jnp
import pytest

from benchmarks.models import KEY, MODELS, forward, mlp, step_arguments, step_of
from lenticulum import fast
from lenticulum.terms import GradientDescent, replace

BATCH, WIDTH, REBUILDS = 4, 8, 5
COMPILED = "/jax/core/compile/backend_compile_duration"


@contextmanager
def compilations():
    """Count what JAX hands to its compiler."""
    found, listening = [], [True]

    def listen(event, duration, **_):
        if listening and event == COMPILED:
            found.append(duration)

    # There is no public way to take a listener away: it stays and does nothing.
    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        yield found
    finally:
        listening.clear()


def counted(function):
    """The function compiled with a static description, and how often it was traced."""
    traces = []

    @partial(jax.jit, static_argnums=0)
    def compiled(term, *arguments):
        traces.append(term)
        return function(term, *arguments)

    return compiled, traces


def with_another_epsilon(term):
    """The term with another epsilon in its first block; an MLP, which has none, with another first activation."""
    part = term.parts[0]
    if not hasattr(part, "term"):
        return replace(term, parts=(part, replace(term.parts[1], approximate="tanh"), *term.parts[2:]))
    norm = replace(part.term.parts[0], epsilon="1/8")
    return replace(
        term, parts=(replace(part, term=replace(part.term, parts=(norm, *part.term.parts[1:]))), *term.parts[1:])
    )


@pytest.mark.parametrize("make", MODELS)
def test_a_rebuilt_model_compiles_nothing(make):
    compiled, traces = counted(forward)
    first = make(BATCH, WIDTH)
    arguments = jnp.ones(first.shape), fast.initialparameters(KEY, first.term)
    with compilations() as found:
        compiled(first.term, *arguments)
    assert (len(traces), len(found)) == (1, 1)
    with compilations() as found:
        for _ in range(REBUILDS):
            term = make(BATCH, WIDTH).term
            assert term is not first.term
            compiled(term, *arguments)
    assert (len(traces), len(found)) == (1, 0)
    with compilations() as found:
        compiled(with_another_epsilon(first.term), *arguments)
        compiled(with_another_epsilon(make(BATCH, WIDTH).term), *arguments)
        compiled(first.term, *arguments)
    assert (len(traces), len(found)) == (2, 1)


def test_a_rebuilt_training_step_compiles_nothing():
    compiled, traces = counted(fast.train_step)
    model = mlp(BATCH, WIDTH)
    arguments = step_arguments(model, "gradient descent")
    compiled(step_of(model, "gradient descent"), *arguments)
    with compilations() as found:
        for _ in range(REBUILDS):
            compiled(step_of(mlp(BATCH, WIDTH), "gradient descent"), *arguments)
    assert (len(traces), len(found)) == (1, 0)
    with compilations() as found:
        for _ in range(2):
            compiled(replace(step_of(model, "gradient descent"), update=GradientDescent("1/8")), *arguments)
    assert (len(traces), len(found)) == (2, 1)


def test_a_rebuilt_model_that_is_a_pytree_compiles_nothing():
    traces = []

    @jax.jit
    def compiled(model, x):
        traces.append(model.term)
        return model(x)

    first = mlp(BATCH, WIDTH)
    x, parameters = jnp.ones(first.shape), fast.initialparameters(KEY, first.term)
    compiled(fast.Model(first.term, parameters), x)
    with compilations() as found:
        for _ in range(REBUILDS):
            compiled(fast.Model(mlp(BATCH, WIDTH).term, parameters), x)
    assert (len(traces), len(found)) == (1, 0)
    with compilations() as found:
        compiled(fast.Model(with_another_epsilon(first.term), parameters), x)
    assert (len(traces), len(found)) == (2, 1)


def test_the_counter_counts():
    with compilations() as found:
        jax.jit(lambda x: x * 3)(jnp.ones(7))
    assert len(found) >= 1
