"""The elementwise functions in JAX against their definitions: values by the verdict of the checker, and derivatives."""

import math
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.catalog import lookup, names
from lenticulum.check.definition import parse
from lenticulum.check.environment import probe
from lenticulum.check.judge import judge
from lenticulum.fast.meaning import MEANINGS
from lenticulum.numbers import ball, jvp, ones_like, working_precision, zeros_like
from lenticulum.spec.elementwise import answers, evaluation_of, in_domain
from lenticulum.terms import Tree

ROWS = [row for row in map(lookup, names()) if row.term.__module__ == "lenticulum.terms.elementwise"]
SPECS = [*(row.name for row in ROWS), "sinc:normalised=no", "digamma:at_zero=nan", "xlogy:at_nan=zero"]
ENVIRONMENT = probe("float32")
LARGEST = float(ENVIRONMENT.format.largest)

#: |g - f'| <= 4 (u (|f'| + sum |x_i d f'/dx_i|) + eta): the limit of values, for derivatives as functions of their own.
LIMIT = 4

#: The derivative of `jnp.tanh` is 1 - y², which cancels: at 8 it is 0 for 4.5e-7. It stays, so that models compile to
#: the same program as with `jnp.tanh`.
CANCELLING = {"tanh": (8.0, 4.501e-07)}


def strata(step, generator):
    """Every `step`-th binade, both signs: the first, second and last number and one more."""
    exponents = np.arange(1, 255, step, dtype=np.uint32)[:, None] << 23
    drawn = generator.integers(0, 2**23, size=(len(exponents), 1), dtype=np.uint32)
    bits = np.concatenate([exponents | np.array([[0, 1, 2**23 - 1]], np.uint32), exponents | drawn], axis=1).ravel()
    return np.concatenate([bits, bits | np.uint32(2**31)]).view(np.float32)


def sample(spec, step, seed=2026):
    """Arguments in every binade, of ordinary size, near 1, and special ones."""
    generator = np.random.default_rng(seed)
    wide = strata(step, generator)
    ordinary = [generator.uniform(-20, 20, 80), generator.normal(size=60), generator.uniform(0, 3, 80)]
    beside = np.nextafter(np.float32([1, -1, 2, 0.5]), np.float32(0))
    edge = np.float32([0, 1, 2, 3, 0.5, 2.5, math.inf])
    special = np.concatenate([edge, -edge, [math.nan]]).astype(np.float32)
    ordinary = np.concatenate([*ordinary, beside]).astype(np.float32)
    if len(parse(spec).entry.arrays) == 1:
        return (np.concatenate([wide, ordinary, special]),)
    pairs = [generator.choice(source, (2, 220)) for source in (wide, ordinary)]
    whole = np.stack([pairs[1][0], np.round(pairs[1][1])])
    ties = np.stack([pairs[1][0], generator.choice([-1, 1], 220) * pairs[1][0]])
    grid = np.stack([each.ravel() for each in np.meshgrid(special, special)])
    return tuple(np.concatenate([*pairs, whole, ties, grid], axis=1).astype(np.float32))


def term_of(spec):
    definition = parse(spec)
    return definition.term({role: (1,) for role in definition.entry.arrays}, {})


def fast_of(spec):
    """The fast meaning as a function of one array, or of two."""
    term = term_of(spec)
    meaning = MEANINGS[type(term)]
    fields = {name: getattr(term, name) for name in meaning.fields}
    return lambda *x: meaning.function(Tree(), x[0] if len(x) == 1 else x, **fields)


def judged(spec, function, arrays):
    definition, y = parse(spec), np.asarray(jax.jit(function)(*map(jnp.asarray, arrays)))
    roles = definition.entry.arrays
    output = "y" if len(roles) == 1 else "value"
    inputs = dict(zip(roles, arrays, strict=True))
    return judge(definition, term_of(spec), inputs, {output: y}, probe(y.dtype.name))


@pytest.mark.parametrize("spec", SPECS)
def test_values_in_binary32_conform(spec):
    arrays = sample(spec, step=5)
    finding, tally = judged(spec, fast_of(spec), arrays)
    assert finding is None
    assert tally.undecided == 0
    assert tally.strata["regular"] >= 100
    assert tally.strata["special input"] >= 3


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("spec", [row.name for row in ROWS if row.arrays == ("x",)])
def test_values_in_16_bits_conform(spec, dtype):
    bits = np.arange(0, 2**16, 487, dtype=np.uint16)
    finding, tally = judged(spec, fast_of(spec), (bits.view(np.dtype(jnp.dtype(dtype))),))
    assert finding is None
    assert tally.undecided == 0


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
def test_values_in_every_binade_conform(spec):
    finding, tally = judged(spec, fast_of(spec), sample(spec, step=1, seed=1))
    assert (finding, tally.undecided) == (None, 0)


def differentiable(spec, step):
    """The arguments inside the domain that are not special; at ±1 asin and acos have no derivative."""
    term, arrays = term_of(spec), sample(spec, step)
    exact = tuple(array.astype(np.float64) for array in arrays)
    kept = in_domain(term, *exact)
    for where, _ in answers(term, *exact):
        kept &= ~where
    if spec in ("asin", "acos"):
        kept &= np.abs(exact[0]) < 1
    return tuple(array[kept] for array in arrays)


def partial(function, point, argument):
    tangents = [ones_like(each) if i == argument else zeros_like(each) for i, each in enumerate(point)]
    return jvp(function, point, tangents)


def slope_errors(spec, arrays, argument):
    """Upper bounds of |g - f'| / (u (|f'| + sum |x_i d f'/dx_i|) + eta); 0 where the value itself overflows."""
    term = term_of(spec)
    ones = [jnp.asarray(array) for array in arrays]
    got = np.asarray(jax.jit(jax.grad(lambda *x: fast_of(spec)(*x).sum(), argnums=argument))(*ones)).astype(np.float64)

    def value(*x):
        return evaluation_of(term)(x[0] if len(x) == 1 else x)

    def slope(*x):
        return partial(value, x, argument)[1]

    errors = np.full(got.shape, np.inf)
    u, eta = Fraction(ENVIRONMENT.format.unit_roundoff), Fraction(ENVIRONMENT.eta)
    # At 640 bits no subtraction in the derivatives cancels to less than a double holds.
    with working_precision(640):
        points = [ball(array.astype(np.float64)) for array in arrays]
        seconds = [partial(slope, points, other)[1] for other in range(len(points))]
        exact, values = slope(*points), value(*points)
        computed = ball(np.where(np.isfinite(got), got, 0.0))
        for place in range(len(got)):
            size = abs(exact.elements[place])
            if float(abs(values.elements[place]).mid()) > LARGEST or float(size.mid()) > LARGEST:
                errors[place] = 0
            elif np.isfinite(got[place]):
                pairs = zip(points, seconds, strict=True)
                bent = sum((abs(x.elements[place] * second.elements[place]) for x, second in pairs), size)
                scale = bent * float(u) + float(eta)
                errors[place] = float((abs(computed.elements[place] - exact.elements[place]) / scale).upper())
    return errors


SLOPES = [(row.name, argument) for row in ROWS for argument in range(len(row.arrays)) if row.name not in CANCELLING]


@pytest.mark.parametrize(("spec", "argument"), [*SLOPES, ("sinc:normalised=no", 0)])
def test_derivatives_in_binary32_are_right(spec, argument):
    arrays = differentiable(spec, step=20)
    errors = slope_errors(spec, arrays, argument)
    worst = int(np.argmax(errors))
    assert len(errors) >= 60
    assert errors[worst] <= LIMIT, [float(array[worst]) for array in arrays]


@pytest.mark.parametrize("name", CANCELLING)
def test_a_cancelling_derivative_of_jax_is_known(name):
    x, slope = CANCELLING[name]
    assert slope_errors(name, (np.float32([x]),), 0)[0] > 1000
    _, exact = jvp(evaluation_of(term_of(name)), (ball([x]),), (ball([1]),))
    assert float(exact.midpoint().tolist()[0]) == pytest.approx(slope, rel=1e-3)
    assert float(jax.grad(lambda x: fast_of(name)(x))(jnp.float32(x))) == 0


def mistaken(name):
    """Planted mistakes of kernels: what each is, and the kernel."""
    return {
        "exp": lambda x: jnp.exp2(x * jnp.float32(1.4427)),
        "expm1": lambda x: jnp.exp(x) - 1,
        "log1p": lambda x: jnp.log(1 + x),
        "sinh": lambda x: (jnp.exp(x) - jnp.exp(-x)) / 2,
        "erfc": lambda x: 1 - jax.scipy.special.erf(x),
        "hypot": lambda x, y: jnp.sqrt(x * x + y * y),
        "logaddexp": lambda x, y: jnp.log(jnp.exp(x) + jnp.exp(y)),
        "atan2": lambda x, y: jnp.atan(x / y),
        "xlogy": lambda x, y: x * jnp.log(y),
        "cbrt": lambda x: jnp.power(x, jnp.float32(1 / 3)),
        "entr": lambda x: -x * jnp.log(x),
        # The asymptotic series (https://dlmf.nist.gov/5.11.E1 and E2), far from where they may be used.
        "lgamma": lambda x: (x - 0.5) * jnp.log(x) - x + jnp.log(2 * jnp.pi) / 2 + 1 / (12 * x),
        "digamma": lambda x: jnp.log(x) - 1 / (2 * x) - 1 / (12 * x * x),
    }[name]


@pytest.mark.parametrize(
    "name", "exp expm1 log1p sinh erfc hypot logaddexp atan2 xlogy cbrt entr lgamma digamma".split()
)
def test_a_wrong_kernel_is_found(name):
    finding, _ = judged(name, mistaken(name), tuple(array[::7] for array in sample(name, step=5)))
    assert finding is not None
