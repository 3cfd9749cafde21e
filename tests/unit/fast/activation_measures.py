"""What the tests of fast activations share: stratified inputs, the verdict on values, and an error of derivatives."""

from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.definition import parse
from lenticulum.check.environment import probe
from lenticulum.check.judge import judge
from lenticulum.fast.meaning import MEANINGS
from lenticulum.numbers import ball, jvp, ones_like, working_precision
from lenticulum.spec.elementwise import evaluation_of
from lenticulum.terms import Tree

ENVIRONMENT = probe("float32")

#: 1 + e^-104 is 1 in every format here, and the results of the exponential functions are subnormal or zero beyond.
FAR = 104


def strata(every: int = 1, seed: int = 0) -> np.ndarray:
    """Every binade of binary32, or every so many: its first, second and last number, and one more; special inputs."""
    generator = np.random.default_rng(seed)
    exponents = np.arange(255, dtype=np.uint32)[:, None] << 23
    drawn = generator.integers(0, 2**23, size=(255, 1), dtype=np.uint32)
    bits = np.concatenate([exponents | np.array([[0, 1, 2**23 - 1]], np.uint32), exponents | drawn], axis=1).ravel()
    special = np.array([np.inf, -np.inf, np.nan], np.float32)
    bits = bits.reshape((255, -1))[::every].ravel()
    return np.concatenate([bits.view(np.float32), (bits | np.uint32(2**31)).view(np.float32), special])


def dense(count: int, seed: int = 1) -> np.ndarray:
    """Numbers in the tails and near 0, where the activations do something, and next to kinks."""
    generator = np.random.default_rng(seed)
    spread = [generator.uniform(-FAR, FAR, count), generator.uniform(-20, 20, count), generator.uniform(-7, 0, count)]
    kinks = np.array([s * k for k in (0.5, 1, 1.25, 2, 2.5, 3, 6) for s in (1, -1)], np.float32)
    beside = [np.nextafter(kinks, np.float32(end)) for end in (-np.inf, np.inf)]
    return np.concatenate([*spread, generator.normal(size=count), kinks, *beside]).astype(np.float32)


def term_of(spec: str) -> Any:
    """The term of a specification such as `elu:alpha=2`."""
    return parse(spec).term({"x": (1,)}, {})


def fast_of(spec: str) -> Any:
    """The fast meaning of a specification as a function of one array."""
    term = term_of(spec)
    meaning = MEANINGS[type(term)]
    fields = {name: getattr(term, name) for name in meaning.fields}
    return lambda x: meaning.function(Tree(), x, **fields)


def judged(spec: str, function: Any, x: np.ndarray) -> Any:
    """The finding, if any, and the tally of a compiled function."""
    y = np.asarray(jax.jit(function)(jnp.asarray(x)))
    assert y.dtype == x.dtype
    return judge(parse(spec), term_of(spec), {"x": x}, {"y": y}, probe(x.dtype.name))


def slopes(function: Any, x: np.ndarray) -> np.ndarray:
    """The reverse derivative of a compiled function, entry by entry."""
    return np.asarray(jax.jit(jax.grad(lambda each: function(each).sum()))(jnp.asarray(x)))


def slope_errors(spec: str, x: np.ndarray, got: np.ndarray) -> np.ndarray:
    """Upper bounds of |g - f'| / (u (|f'| + |x f''|) + (1 + min(|x|, 104)) eta) at finite inputs, the mixed error.

    A derivative is a gate plus x times the slope of the gate, each of which may be flushed: up to |x| = 104, from where
    on the gates that decay are below every number.
    """
    term, u = term_of(spec), ENVIRONMENT.format.unit_roundoff
    assert np.isfinite(x).all()
    errors = np.full(x.shape, np.inf)
    finite = np.isfinite(got)

    def slope(point: Any) -> Any:
        return jvp(evaluation_of(term), (point,), (ones_like(point),))[1]

    # At 640 bits no subtraction in the derivatives cancels to less than a double holds.
    with working_precision(640):
        point = ball(x[finite].astype(np.float64))
        exact, second = jvp(slope, (point,), (ones_like(point),))
        difference = ball(got[finite].astype(np.float64)) - exact
        for place, each in zip(np.flatnonzero(finite), range(point.size), strict=True):
            size = abs(exact.elements[each]) + abs(point.elements[each] * second.elements[each])
            floor = (1 + Fraction(min(abs(float(x[place])), FAR))) * ENVIRONMENT.eta
            scale = size * float(u) + ball(floor).elements[0]
            errors[place] = float((abs(difference.elements[each]) / scale).upper())
    return errors
