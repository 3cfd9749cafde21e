"""A Newton-CG fit whose local model is rebuilt at each iteration compiles once; with closures, at each iteration."""

import jax
import numpy as np
import pytest

from lenticulum.check import check_identity
from tests.conformance import newton_cg
from tests.conformance.newton_cg import LocalModel, Residual, closed_over, conjugate_gradients, fit

ITERATIONS = 6
SIZE = 6

#: What jax reports each time that XLA compiles a program.
EVENT = "/jax/core/compile/backend_compile_duration"


@pytest.fixture
def compilations():
    """The compilations of this process since the fixture was made, as jax counts them."""
    events = []

    def listen(event, duration, **_):
        if event == EVENT:
            events.append(duration)

    jax.clear_caches()
    newton_cg.TRACES.update(conjugate_gradients=0, linearised=0)
    jax.monitoring.register_event_duration_secs_listener(listen)
    yield events
    jax.monitoring.unregister_event_duration_listener(listen)
    jax.clear_caches()


def problem():
    generator = np.random.default_rng(0)
    matrix = (generator.normal(size=(2 * SIZE, SIZE)) / SIZE).astype(np.float32)
    truth = generator.normal(size=SIZE).astype(np.float32)
    data = (2.0 * np.tanh(matrix @ truth)).astype(np.float32)
    return tuple(map(jax.device_put, (matrix, data, np.zeros(SIZE, np.float32))))


def test_a_model_of_value_types_compiles_once(compilations):
    found = fit(conjugate_gradients, *problem(), ITERATIONS)
    assert newton_cg.TRACES == {"conjugate_gradients": 1, "linearised": 1}
    # The two programs of the fit, and no other one.
    assert len(compilations) == 2
    before = len(compilations)
    fit(conjugate_gradients, *problem(), ITERATIONS)
    assert len(compilations) == before
    # It fits: each outer step of a problem without residual at its solution makes the gradient smaller.
    assert all(after < before for before, after in zip(found["norms"], found["norms"][1:4], strict=False))


def test_closures_compile_at_each_iteration(compilations):
    fit(closed_over, *problem(), ITERATIONS)
    assert newton_cg.TRACES == {"conjugate_gradients": ITERATIONS, "linearised": 1}
    assert len(compilations) == ITERATIONS + 1


def test_the_model_is_its_own_key():
    matrix, data, start = problem()
    right, tolerance, cap = data[:SIZE], np.float32(0.5), np.int32(4)
    result = check_identity(
        lambda: LocalModel(matrix, data, start, Residual(weight=2.0)),
        run=newton_cg.conjugate_gradients,
        args=(right, tolerance, cap),
    )
    assert result.verdict == "conforms", str(result)
    assert (result.traces, result.programs) == (1, 1)
    assert result.values > 5
