"""Dual and Tape: closed forms, adjointness over rationals and polynomials, second orders, kinks."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import (
    Dual,
    Tape,
    absolute,
    ball,
    concatenate,
    cos,
    dual,
    erf,
    erfc,
    exp,
    expm1,
    jvp,
    log,
    log1p,
    maximum,
    minimum,
    pi,
    polynomials,
    rational,
    rsqrt,
    sin,
    sqrt,
    stack,
    tanh,
    vjp,
    where,
    zeros_like,
)

small = st.integers(min_value=-4, max_value=4)


def vectors(n):
    return st.lists(small, min_size=n, max_size=n)


def network(x, w, b):
    """Every polynomial operation and every kind of movement, with reuse and broadcasting."""
    hidden = x.reshape(2, 2) @ w.reshape(2, 2) + b
    pieces = concatenate([hidden, hidden.T[:, ::-1] * 2], axis=1)
    mixed = where(np.array([True, False, True, False]), pieces, pieces**2 - hidden[0, 1])
    return stack([mixed, -mixed / 2]).mean(axis=(0, 2)), mixed[..., None].sum(axis=1, keepdims=True) @ b[:1]


def rational_network(x, w, b):
    first, second = network(x, w, b)
    return first / (1 + x[:2] * x[:2]), maximum(second, 1).sum() + absolute(minimum(x, w)).sum()


@pytest.mark.parametrize("function", [network, rational_network])
@given(data=st.data())
def test_reverse_is_the_transpose_of_forward_over_rationals(function, data):
    primals = tuple(rational(data.draw(vectors(n))) for n in (4, 4, 2))
    tangents = tuple(rational(data.draw(vectors(n))) for n in (4, 4, 2))
    outputs, derivative = jvp(function, primals, tangents)
    values, pull = vjp(function, *primals)
    assert outputs == values
    cotangents = tuple(rational(data.draw(vectors(y.size))).reshape(y.shape) for y in values)
    # <g, Df(x)[t]> = <Df(x)^T g, t>, exactly.
    left = sum(((g * d).sum() for g, d in zip(cotangents, derivative, strict=True)), rational(0))
    right = sum(((g * t).sum() for g, t in zip(pull(cotangents), tangents, strict=True)), rational(0))
    assert left == right


@pytest.mark.parametrize("modulus", [0, 3, 5])
def test_reverse_is_the_transpose_of_forward_as_polynomials(modulus):
    """At the variables themselves: one evaluation proves adjointness at every point of this shape."""
    letters = [f"{kind}{i}" for kind, n in (("x", 4), ("w", 4), ("b", 2)) for i in range(n)]
    names = letters + [f"d{name}" for name in letters] + ["g0", "g1", "h0", "h1"]
    variables = stack(polynomials(names, modulus))
    x, w, b, dx, dw, db = (variables[i:j] for i, j in itertools.pairwise((0, 4, 8, 10, 14, 18, 20)))
    g = (variables[20:22], variables[22:24].reshape(2, 1))

    def function(x, w, b):
        hidden = (x.reshape(2, 2) @ w.reshape(2, 2) + b) ** 2
        return hidden[:, 0] * b[1], (hidden * x[::2]).sum(axis=1, keepdims=True)

    _, derivative = jvp(function, (x, w, b), (dx, dw, db))
    _, pull = vjp(function, x, w, b)
    left = (g[0] * derivative[0]).sum() + (g[1] * derivative[1]).sum()
    right = sum(((c * t).sum() for c, t in zip(pull(g), (dx, dw, db), strict=True)), variables.lift(0))
    assert left == right


def test_adjointness_rejects_a_reverse_rule_at_the_wrong_point():
    """The planted wrong twin: the pull of x*x taken at x + 1."""
    x, t, g = polynomials(("x", "t", "g"))
    _, derivative = jvp(lambda x: x * x, (x,), (t,))
    _, right_pull = vjp(lambda x: x * x, x)
    _, wrong_pull = vjp(lambda x: x * x, x + 1)
    assert g * derivative == right_pull(g)[0] * t
    assert g * derivative != wrong_pull(g)[0] * t


def test_the_forward_derivative_is_the_formal_derivative():
    """Against FLINT's own derivative, over Q and where x^p has derivative 0."""
    for modulus in (0, 2, 3):
        x, y = polynomials(("x", "y"), modulus)

        def function(x, y):
            return (x + 2 * y) ** 3 * y - x**2 + 7 * y**6

        value, tangent = jvp(function, (x, y), (x.lift(1), x.lift(0)))
        assert tangent == value.derivative("x")
        assert vjp(function, x, y)[1](x.lift(1)) == (value.derivative("x"), value.derivative("y"))


RULES = [
    (exp, lambda x: exp(x)),
    (expm1, lambda x: exp(x)),
    (log, lambda x: 1 / x),
    (log1p, lambda x: 1 / (1 + x)),
    (sqrt, lambda x: 1 / (2 * sqrt(x))),
    (rsqrt, lambda x: -1 / (2 * x * sqrt(x))),
    (tanh, lambda x: 4 / (exp(x) + exp(-x)) ** 2),
    (erf, lambda x: 2 * exp(-x * x) / sqrt(pi(x))),
    (erfc, lambda x: -2 * exp(-x * x) / sqrt(pi(x))),
    (sin, lambda x: cos(x)),
    (cos, lambda x: -sin(x)),
    (lambda x: x**-3, lambda x: -3 / (x * x * x * x)),
]


def agree(a, b):
    """Enclosures that overlap and are no wider than 2^-40 relative: wrong by more is seen."""
    widths = (a.upper() - a.lower() + b.upper() - b.lower()) * 2**40
    return bool((a.lower() <= b.upper()).all() and (b.lower() <= a.upper()).all() and (widths <= 16).all())


@pytest.mark.parametrize(("function", "closed_form"), RULES)
def test_function_rules_match_closed_forms(function, closed_form):
    x, t = ball([0.375, 1.25, 2.5]), ball([2, -3, 0.5])
    assert agree(jvp(function, (x,), (t,))[1], closed_form(x) * t)
    assert agree(vjp(function, x)[1](t)[0], closed_form(x) * t)
    assert not agree(jvp(function, (x,), (t,))[1], closed_form(x) * t * Fraction(1000001, 1000000))


def cube_sum(x):
    return (x**3).sum()


@pytest.mark.parametrize("outer", ["jvp", "vjp"])
@pytest.mark.parametrize("inner", ["jvp", "vjp"])
def test_second_derivatives_nest_in_every_order(outer, inner):
    # f = sum x^3: D2f(x)[s, t] = sum 6 x s t; at x = (1, 2), s = t = (1, 1) it is 18.
    x = rational([1, 2])

    def first(x):
        if inner == "jvp":
            return jvp(cube_sum, (x,), (x.lift(1, (2,)),))[1]
        return vjp(cube_sum, x)[1](x.lift(1))[0].sum()

    if outer == "jvp":
        assert jvp(first, (x,), (rational([1, 1]),))[1] == 18
    else:
        assert vjp(first, x)[1](rational(1))[0].sum() == 18


def test_levels_of_derivatives_do_not_mix():
    """Perturbation confusion: d/dx (x d/dy (x + y)) is 1; an outer x inside the inner derivative is refused."""
    with pytest.raises(TypeError, match="number system|derivatives"):
        jvp(lambda x: x * jvp(lambda y: x + y, (rational(1),), (rational(1),))[1], (rational(1),), (rational(1),))
    with pytest.raises(TypeError, match="number system|derivatives"):
        vjp(lambda x: x * vjp(lambda y: x + y, rational(1))[1](rational(1))[0], rational(1))

    def outer(x):
        return x * jvp(lambda x, y: x + y, (x, x.lift(1)), (x.lift(0), x.lift(1)))[1]

    assert jvp(outer, (rational(1),), (rational(1),))[1] == 1


def test_kinks_follow_the_declared_convention():
    x, one = rational([-1, 0, 2]), rational([1, 1, 1])
    for function, expected in [
        (lambda x: maximum(x, 0), [0, 0, 1]),
        (lambda x: minimum(x, 0), [1, 0, 0]),
        (absolute, [-1, 0, 1]),
        (lambda x: maximum(x, x), [0, 0, 0]),
    ]:
        assert jvp(function, (x,), (one,))[1] == rational(expected)
        assert vjp(function, x)[1](one)[0] == rational(expected)


def test_unused_inputs_and_constant_outputs_have_exact_zero_derivatives():
    x, y = rational([1, 2]), rational([[3]])
    _, pull = vjp(lambda x, y: (x.sum(), x.lift(5), rational(7)), x, y)
    assert pull((rational(1), rational(1), rational(1))) == (rational([1, 1]), zeros_like(y))
    outputs, tangents = jvp(lambda x: (x.lift(5), rational(7)), (x,), (x,))
    assert outputs == (rational(5), rational(7))
    assert tangents == (rational(0), rational(0))


def test_taking_an_element_twice_adds_its_cotangents():
    x = rational([1, 2, 3])
    index = np.array([[2, 0], [2, 2]])
    assert vjp(lambda x: x.take(index), x)[1](rational([[1, 10], [100, 1000]]))[0] == rational([10, 0, 1101])


def test_mismatched_parts_are_refused():
    with pytest.raises(ValueError, match="expected one shape"):
        dual(rational([1]), rational(1))
    with pytest.raises(TypeError, match="one number system"):
        dual(rational(1), ball(1))
    with pytest.raises(ValueError, match="expected as many"):
        jvp(lambda x: x, (rational(1),), ())
    with pytest.raises(ValueError, match="shapes of the outputs"):
        vjp(lambda x: x, rational([1]))[1](rational(1))


def test_values_under_differentiation_name_their_system():
    seen = []
    jvp(lambda x: seen.append(x) or x, (rational(1),), (rational(1),))
    vjp(lambda x: seen.append(x) or x, rational(1))
    assert [type(x) for x in seen] == [Dual, Tape]
    assert [x.dtype for x in seen] == ["dual", "tape"]
