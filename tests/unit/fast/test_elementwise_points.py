"""The elementwise functions in JAX at special points: derivatives in closed form, shapes, conventions, formats."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast, terms
from lenticulum.catalog import lookup, names
from lenticulum.fast.meaning import MEANINGS
from lenticulum.terms import Mode, ShapeError, Tree

INF = math.inf
LOG2 = math.log(2)
EULER = 0.5772156649015329

#: Term, point, derivatives: closed forms of the derivative, or its limit from inside the domain.
SLOPES = [
    (terms.Exp(), (0.0,), (1.0,)),
    (terms.Exp(), (-INF,), (0.0,)),
    (terms.Exp2(), (0.0,), (LOG2,)),
    (terms.Expm1(), (0.0,), (1.0,)),
    (terms.Expm1(), (-INF,), (0.0,)),
    (terms.Log(), (0.0,), (INF,)),
    (terms.Log(), (1.0,), (1.0,)),
    (terms.Log(), (INF,), (0.0,)),
    (terms.Log1p(), (0.0,), (1.0,)),
    (terms.Log1p(), (-1.0,), (INF,)),
    (terms.Sqrt(), (0.0,), (INF,)),
    (terms.Rsqrt(), (1.0,), (-0.5,)),
    (terms.Cbrt(), (1.0,), (1 / 3,)),
    (terms.Sin(), (-0.0,), (1.0,)),
    (terms.Cos(), (0.0,), (0.0,)),
    (terms.Tan(), (0.0,), (1.0,)),
    (terms.Asin(), (0.0,), (1.0,)),
    (terms.Asin(), (1.0,), (INF,)),
    (terms.Acos(), (1.0,), (-INF,)),
    (terms.Atan(), (INF,), (0.0,)),
    (terms.Sinh(), (0.0,), (1.0,)),
    (terms.Cosh(), (0.0,), (0.0,)),
    (terms.Tanh(), (0.0,), (1.0,)),
    (terms.Tanh(), (-INF,), (0.0,)),
    (terms.Asinh(), (0.0,), (1.0,)),
    (terms.Asinh(), (INF,), (0.0,)),
    (terms.Acosh(), (1.0,), (INF,)),
    (terms.Acosh(), (INF,), (0.0,)),
    (terms.Atanh(), (0.0,), (1.0,)),
    (terms.Erf(), (0.0,), (2 / math.sqrt(math.pi),)),
    (terms.Erfc(), (INF,), (0.0,)),
    (terms.Erfinv(), (0.0,), (math.sqrt(math.pi) / 2,)),
    (terms.Lgamma(), (1.0,), (-EULER,)),
    (terms.Lgamma(), (2.0,), (1 - EULER,)),
    (terms.Digamma(), (1.0,), (math.pi**2 / 6,)),
    (terms.Digamma(), (0.5,), (math.pi**2 / 2,)),
    (terms.Digamma(), (-0.5,), (math.pi**2 / 2 + 4,)),
    (terms.Sigmoid(), (0.0,), (0.25,)),
    (terms.Sigmoid(), (INF,), (0.0,)),
    (terms.Logit(), (0.5,), (4.0,)),
    (terms.Sinc(), (0.0,), (0.0,)),
    (terms.Sinc(), (1.0,), (-1.0,)),
    (terms.Sinc("no"), (0.0,), (0.0,)),
    (terms.Entr(), (0.0,), (INF,)),
    (terms.Entr(), (1.0,), (-1.0,)),
    (terms.Pow(), (0.0, 1.0), (1.0, 0.0)),
    (terms.Pow(), (0.0, 2.0), (0.0, 0.0)),
    (terms.Pow(), (2.0, 0.0), (0.0, LOG2)),
    (terms.Pow(), (-2.0, 3.0), (12.0, -8 * LOG2)),
    (terms.Pow(), (0.0, 0.0), (0.0, 0.0)),
    (terms.Hypot(), (3.0, -4.0), (0.6, -0.8)),
    (terms.Hypot(), (0.0, -2.0), (0.0, -1.0)),
    (terms.Atan2(), (0.0, 2.0), (0.5, 0.0)),
    (terms.Atan2(), (-2.0, 0.0), (0.0, 0.5)),
    (terms.Logaddexp(), (7.0, 7.0), (0.5, 0.5)),
    (terms.Logaddexp(), (-INF, 0.0), (0.0, 1.0)),
    (terms.Logaddexp(), (INF, 0.0), (1.0, 0.0)),
    (terms.Logaddexp(), (-INF, -INF), (0.5, 0.5)),
    (terms.Logaddexp2(), (-1.0, -1.0), (0.5, 0.5)),
    (terms.Xlogy(), (0.0, 2.0), (LOG2, 0.0)),
    (terms.Xlogy(), (2.0, 1.0), (0.0, 2.0)),
    (terms.Xlog1py(), (0.0, 1.0), (LOG2, 0.0)),
    (terms.Xlog1py(), (2.0, 0.0), (0.0, 2.0)),
]

ROWS = [lookup(name) for name in names() if lookup(name).term.__module__ == "lenticulum.terms.elementwise"]


def value(term, *x):
    return fast.apply(term, x[0] if len(x) == 1 else x, Tree(), Tree(), Mode.EVAL, None)[0]


@pytest.mark.parametrize(("term", "point", "slopes"), SLOPES, ids=str)
def test_the_derivative_at_a_special_point(term, point, slopes):
    gradient = jax.jit(jax.grad(lambda *x: value(term, *x), argnums=tuple(range(len(point)))))
    for one, slope in zip(gradient(*map(jnp.float32, point)), slopes, strict=True):
        # Each slope is one number, rounded at most four times.
        assert float(one) == pytest.approx(slope, rel=4 * 2.0**-23, abs=0)


def test_second_derivatives_go_through_the_closed_forms():
    for term, point, bend in [
        (terms.Sinc(), 0.0, -(math.pi**2) / 3),
        (terms.Sinc("no"), 0.0, -1 / 3),
        (terms.Expm1(), 0.0, 1.0),
        (terms.Sigmoid(), 0.0, 0.0),
        (terms.Asinh(), 1.0, -(2**-1.5)),
        (terms.Lgamma(), 1.0, math.pi**2 / 6),
        (terms.Rsqrt(), 1.0, 0.75),
    ]:
        got = jax.jit(jax.grad(jax.grad(lambda x, term=term: value(term, x))))(jnp.float32(point))
        assert float(got) == pytest.approx(bend, rel=8 * 2.0**-23, abs=2.0**-24), term


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_shape_and_format_are_kept(row, dtype):
    for shape in ((), (0,), (2, 1, 3)):
        x = jax.ShapeDtypeStruct(shape, dtype)
        y = jax.eval_shape(lambda *x: value(row.example, *x), *(x for _ in row.arrays))
        assert (y.shape, y.dtype) == (shape, x.dtype)


@pytest.mark.parametrize("row", [row for row in ROWS if len(row.arrays) == 2], ids=lambda row: row.name)
def test_two_shapes_are_refused(row):
    meaning = MEANINGS[row.term]
    fields = {name: getattr(row.example, name) for name in meaning.fields}
    with pytest.raises(ShapeError, match=row.term.__name__):
        meaning.function(Tree(), (jnp.ones((2, 1)), jnp.ones(1)), **fields)


def test_conventions():
    zero, nan = jnp.float32(0), jnp.float32(jnp.nan)
    assert float(value(terms.Digamma(), -zero)) == INF
    assert np.isnan(value(terms.Digamma("nan"), zero))
    assert np.isnan(value(terms.Xlogy(), zero, nan))
    assert float(value(terms.Xlogy("zero"), zero, nan)) == 0
    assert float(value(terms.Xlog1py("zero"), zero, nan)) == 0
    assert float(value(terms.Sinc("no"), jnp.float32(math.pi / 2))) == pytest.approx(2 / math.pi, rel=2.0**-22)
