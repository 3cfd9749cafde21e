"""Fast windows, attention and positions lie inside the running bounds of the exact ones; so do other libraries."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.fast.meaning import MEANINGS
from lenticulum.numbers import ball, magnitude, rational, vjp
from lenticulum.spec.elementwise import evaluation_of, forms_of
from lenticulum.terms import (
    AdaptiveAveragePool,
    Attention,
    AveragePool,
    Convolution,
    Embedding,
    MaxPool,
    RotaryPositions,
    SinusoidalPositions,
    TransposedConvolution,
)

assert fast  # its import fills the table of meanings

PAIRS = ((1, 0), (2, 1))
SIDES = ((1, 0), (1, 2))


def mixed(random, *shape):
    """Float32 numbers of both signs, some far larger than others."""
    return (random.normal(size=shape) * random.choice([1.0, 1.0, 30.0, 2.0**-8], size=shape)).astype(np.float32)


def windows(*weight, bias=None):
    def draw(random):
        arrays = (mixed(random, 2, 4, 5, 6), mixed(random, *weight)) if weight else (mixed(random, 2, 4, 5, 6),)
        return arrays if bias is None else (*arrays, mixed(random, bias))

    return draw


def sequences(*shapes, bias=None, mask=None):
    def draw(random):
        arrays = tuple(mixed(random, *shape) for shape in shapes)
        if bias is None:
            return arrays
        allowed = random.integers(0, 3, mask) > 0
        allowed[..., 0, :] = False
        return (*arrays, mixed(random, *bias), allowed)

    return draw


FIRST = ((2, 3, 2), (2, 4, 2), (2, 4, 3))
MASKED = {"bias": (2, 3, 4), "mask": (3, 4)}
CASES = [
    (Convolution((2, 1), PAIRS, (1, 2), 2), windows(6, 2, 2, 3, bias=6)),
    (Convolution((1, 1)), windows(3, 4, 3, 2)),
    (TransposedConvolution((2, 3), ((1, 0), (0, 1)), (1, 2), (1, 2), 2), windows(4, 3, 2, 3, bias=6)),
    (TransposedConvolution((1, 2), 1, 0, (2, 1), 2, "direct"), windows(6, 2, 3, 3, bias=6)),
    (MaxPool((2, 3), (2, 1), SIDES), windows()),
    (AveragePool((2, 3), (2, 1), SIDES), windows()),
    (AveragePool((2, 3), (2, 1), SIDES, "inside"), windows()),
    (AdaptiveAveragePool((2, 4)), windows()),
    (AdaptiveAveragePool((2, 4), "split"), windows()),
    (Attention(), sequences(*FIRST)),
    (Attention(causal="start", blocked="uniform"), sequences(*FIRST, **MASKED)),
    (Attention(scale="3/8", causal="end"), sequences(*FIRST, **MASKED)),
    (Attention(heads="last"), sequences((3, 4, 2), (4, 2, 2), (4, 2, 1))),
    (RotaryPositions(), sequences((2, 4, 5))),
    (RotaryPositions(100, "half"), sequences((2, 3, 6))),
    (SinusoidalPositions(5), sequences((3, 2))),
    (SinusoidalPositions(4, layout="half"), sequences((6,))),
]
EACH = pytest.mark.parametrize(("term", "draw"), CASES, ids=[str(term) for term, _ in CASES])


def computed(term, *arrays):
    meaning = MEANINGS[type(term)]
    given = [jnp.asarray(array) if isinstance(array, np.ndarray) else array for array in arrays]
    return meaning.function(*given, **{name: getattr(term, name) for name in meaning.fields})


def split(arrays):
    """The float arrays, and a function that puts others in their places."""
    floats = [array for array in arrays if array.dtype == np.float32]
    return floats, lambda given: (*given, *arrays[len(floats) :])


def inside(values, bounds):
    """Which entries lie inside the bound of one form at least; an unbounded entry says nothing."""
    values = rational(np.asarray(values, np.float64).ravel().tolist())
    found = np.zeros(values.shape, bool)
    for bound in bounds:
        said = np.flatnonzero(bound.bounded().ravel())
        told = bound.reshape((-1,)).take(said)
        found[said] |= (told.lower() <= values[said]) & (values[said] <= told.upper())
    return found


@EACH
def test_the_value_lies_inside_the_running_bound(term, draw):
    floats, whole = split(draw(np.random.default_rng(6)))
    bounds = [form(*whole([magnitude(array) for array in floats])) for form in forms_of(term)]
    exact = evaluation_of(term)(*whole([ball(array) for array in floats]))
    for bound in bounds:
        told = np.flatnonzero(bound.bounded().ravel())
        near, bound = exact.reshape((-1,)).take(told), bound.reshape((-1,)).take(told)
        assert (bound.lower() <= near.lower()).all()
        assert (near.upper() <= bound.upper()).all()
    arrays = whole([jnp.asarray(array) for array in floats])
    assert inside(computed(term, *arrays), bounds).all()
    assert inside(jax.jit(lambda *given: computed(term, *whole(given)))(*floats), bounds).all()


def running_reverse(form, whole, floats, cotangent):
    """The running bounds of the cotangents along one form."""
    _, back = vjp(lambda *given: form(*whole(given)), *map(magnitude, floats))
    return back(magnitude(cotangent))


@EACH
def test_the_reverse_derivative_lies_inside_the_running_bound(term, draw):
    random = np.random.default_rng(7)
    floats, whole = split(draw(random))
    # Where exponentials overflow, or the two largest scores are equal within their errors, a bound says nothing.
    floats = [array / 8 for array in floats]
    y, pull = jax.vjp(lambda *given: computed(term, *whole(given)), *map(jnp.asarray, floats))
    cotangent = mixed(random, *y.shape)
    got = pull(jnp.asarray(cotangent))
    bounds = [running_reverse(form, whole, floats, cotangent) for form in forms_of(term)]
    for place, values in enumerate(got):
        assert inside(values, [bound[place] for bound in bounds]).all()


@pytest.mark.parametrize("window", [(2,), (2, 2), (2, 1, 2)])
def test_one_two_and_three_spatial_axes(window):
    random = np.random.default_rng(8)
    x, weight = random.integers(-9, 10, (2, 2, *(3,) * len(window))), random.integers(-9, 10, (3, 2, *window))
    for term in (Convolution(2, 1), TransposedConvolution(2, 1, kernel="direct")):
        exact = evaluation_of(term)(rational(x.tolist()), rational(weight.tolist()))
        got = computed(term, jnp.asarray(x, jnp.float32), jnp.asarray(weight, jnp.float32))
        assert rational(np.asarray(got, np.float64).tolist()) == exact


def test_ties_of_the_maximum_send_the_gradient_to_the_first():
    term, x = MaxPool((2, 2), 1), np.array([[3, 3, 1], [3, 3, 3], [0, 3, 3]], np.float32)
    y, pull = jax.vjp(lambda x: computed(term, x), jnp.asarray(x))
    cotangent = np.arange(1, 5, dtype=np.float32).reshape(2, 2)
    _, back = vjp(evaluation_of(term), rational(x.tolist()))
    assert pull(jnp.asarray(cotangent))[0].tolist() == back(rational(cotangent.tolist()))[0].tolist()
    assert y.shape == (2, 2)


def test_rows_of_the_embedding():
    weight = np.arange(12, dtype=np.float32).reshape(4, 3)
    ids = np.array([[3, 0], [1, 3]])
    got = computed(Embedding(), jnp.asarray(ids), jnp.asarray(weight))
    assert got.tolist() == evaluation_of(Embedding())(ids, rational(weight.tolist())).tolist()
    _, pull = jax.vjp(lambda weight: computed(Embedding(), jnp.asarray(ids), weight), jnp.asarray(weight))
    assert pull(jnp.ones((2, 2, 3)))[0].tolist() == [[1] * 3, [1] * 3, [0] * 3, [2] * 3]


def test_a_query_without_keys_has_no_nan_in_its_gradient():
    floats, whole = split(sequences(*FIRST, **MASKED)(np.random.default_rng(9)))
    for blocked in ("zero", "uniform"):
        term = Attention(causal="start", blocked=blocked)
        gradients = jax.grad(lambda *given: computed(term, *whole(given)).sum(), argnums=(0, 1, 2, 3))(*floats)  # noqa: B023
        assert all(np.isfinite(gradient).all() for gradient in gradients)
