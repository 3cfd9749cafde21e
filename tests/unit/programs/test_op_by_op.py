"""Programs run op by op, also inside loops, branches and calls."""

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.numbers.unraising import TotalMagnitude
from lenticulum.programs import Balls, Bounds, trace

X = np.array([0.3, -1.7, 2.5, 1e-3], np.float32)


def turn(x, y):
    return jnp.tanh(x * y + x / 3) - y


def test_every_line_of_a_loop_is_rounded_by_itself():
    def scanned(x):
        return jax.lax.scan(lambda carry, y: (turn(carry, y), jax.jit(turn)(carry, y)), x, jnp.broadcast_to(x, (5, 4)))

    x = carry = jnp.asarray(X)
    written = []
    for _ in range(5):
        written.append(turn(carry, x))
        carry = turn(carry, x)
    found = trace(scanned, X).run(X)
    assert (found[0] == np.asarray(carry)).all()
    assert (found[1] == np.stack(written)).all()


def test_loops_side_by_side_end_one_by_one():
    def halvings(x):
        return jax.lax.while_loop(lambda s: s[1] > 0.25, lambda s: (s[0] + 1, s[1] / 2), (0, jnp.abs(x)))

    program = trace(jax.vmap(halvings), X)
    for counts, rests in (program.run(X), program.read(Balls(), X), program.read(Bounds(), X)):
        assert np.asarray(counts).tolist() == [1, 3, 4, 0]
        assert counts.shape == rests.shape
    assert program.run(X)[1].tolist() == [X[0] / 2, -X[1] / 8, X[2] / 16, X[3]]


def test_undecided_conditions_stay_undecided_along_an_axis():
    program = trace(lambda x: (jnp.any(jnp.sin(x) > jnp.sin(x) * 1), jnp.all(jnp.sin(x) >= jnp.sin(x) * 1)), X[:2])
    for answer in program.read(Bounds(), X[:2]):
        assert answer.dtype == np.bool_
        assert np.ma.getmaskarray(answer).all()


def test_a_reduced_precision_is_inside_the_bound():
    program = trace(lambda x: jax.lax.reduce_precision(x, 8, 10), X)
    (bound,) = program.read(Bounds(), X)
    (found,) = program.run(X)
    assert isinstance(bound, TotalMagnitude)
    assert (found != X).any()
    assert all(element.contains(float(value)) for element, value in zip(bound.elements, found, strict=True))
    assert all(
        float(2 * element.rad()) <= 2**-9 * abs(x) for element, x in zip(bound.elements, X.tolist(), strict=True)
    )
