"""The exact activations against mpmath and numbers worked by hand: values, narrow tails, kinks, special inputs."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from lenticulum import terms
from lenticulum.catalog import lookup, names
from lenticulum.check.definition import parse
from lenticulum.numbers import ball, jvp, magnitude, rational, vjp, working_precision
from lenticulum.spec.elementwise import evaluation_of, expected, forms_of, in_domain, special_points

ACTIVATIONS = [name for name in names() if lookup(name).term.__module__ == "lenticulum.terms.activations"]

#: Each activation a second time, in mpmath, as it is printed: name with conventions -> function.
PRINTED = {
    "relu": lambda x: max(x, mpf(0)),
    "relu6": lambda x: min(max(x, mpf(0)), mpf(6)),
    "leaky_relu": lambda x: x if x > 0 else x / 100,
    "leaky_relu:negative_slope=1/5": lambda x: x if x > 0 else x / 5,
    "elu": lambda x: x if x > 0 else mpmath.exp(x) - 1,
    "elu:alpha=3/4": lambda x: x if x > 0 else mpf(3) / 4 * (mpmath.exp(x) - 1),
    "selu": lambda x: (
        mpf("1.0507009873554804934193349852946")
        * (x if x > 0 else mpf("1.6732632423543772848170429916717") * (mpmath.exp(x) - 1))
    ),
    "celu:alpha=3/4": lambda x: x if x > 0 else mpf(3) / 4 * (mpmath.exp(4 * x / 3) - 1),
    "gelu": lambda x: x / 2 * (1 + mpmath.erf(x / mpmath.sqrt(2))),
    "gelu:approximate=tanh": lambda x: (
        x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpf("0.044715") * x**3)))
    ),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "mish": lambda x: x * mpmath.tanh(mpmath.log(1 + mpmath.exp(x))),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "softplus:beta=5/2": lambda x: mpmath.log(1 + mpmath.exp(5 * x / 2)) * 2 / 5,
    "log_sigmoid": lambda x: mpmath.log(1 / (1 + mpmath.exp(-x))),
    "hard_sigmoid": lambda x: min(max(x + 3, mpf(0)), mpf(6)) / 6,
    "hard_sigmoid:slope=1/5": lambda x: min(max(x / 5 + mpf(1) / 2, mpf(0)), mpf(1)),
    "hard_silu": lambda x: x * min(max(x + 3, mpf(0)), mpf(6)) / 6,
    "hard_tanh": lambda x: min(max(x, mpf(-1)), mpf(1)),
    "hard_tanh:low=-1/2,high=7": lambda x: min(max(x, -mpf(1) / 2), mpf(7)),
    "soft_sign": lambda x: x / (1 + abs(x)),
    "squareplus": lambda x: (x + mpmath.sqrt(x * x + 4)) / 2,
    "squareplus:b=1/3": lambda x: (x + mpmath.sqrt(x * x + mpf(1) / 3)) / 2,
    "sparse_plus": lambda x: mpf(0) if x <= -1 else x if x >= 1 else (x + 1) ** 2 / 4,
}

EIGHTHS = (-200, -77, -25, -24, -20, -9, -8, -3, -1, 0, 1, 5, 8, 9, 24, 48, 160)


def near(a, b, distance):
    return bool((a - b <= distance).all()) and bool((b - a <= distance).all())


def term_of(spec):
    definition = parse(spec)
    return definition.term({"x": ()}, {})


def test_every_activation_is_printed_here():
    assert {spec.partition(":")[0] for spec in PRINTED} == {"celu", *ACTIVATIONS}
    assert len(ACTIVATIONS) == 17


@pytest.mark.parametrize("spec", PRINTED)
def test_values_are_those_of_the_printed_formula(spec):
    evaluate = evaluation_of(term_of(spec))
    # 1 + tanh z at x = -25 lies 2^-1820 above 0: so many bits cancel in the printed formula.
    with mp.workprec(2400), working_precision(256):
        for point in (Fraction(eighths, 8) for eighths in EIGHTHS):
            reference = PRINTED[spec](mpf(point.numerator) / point.denominator)
            mantissa, exponent = reference.man_exp
            exact = Fraction(mantissa) * Fraction(2) ** exponent * (-1 if reference < 0 and mantissa > 0 else 1)
            assert near(evaluate(ball(point)), ball(exact), abs(exact) * Fraction(1, 2**200)), point


TAILS = [s * 10.0**e for s in (1, -1) for e in (-30, -9, -3, 0, 1, 2, 3, 9, 30)]


@pytest.mark.parametrize("spec", PRINTED)
def test_the_evaluated_form_stays_narrow_at_low_precision(spec):
    # At 128 bits: the value and, but for the quotient of soft_sign, the derivative as exactly as binary32 holds them,
    # however far in a tail; of gelu as far as its argument z keeps as many digits after the point.
    evaluate = evaluation_of(term_of(spec))
    with working_precision(128):
        for x in (each for each in TAILS if abs(each) < 1e9 or not spec.startswith("gelu")):
            value, slope = jvp(evaluate, (ball(x),), (ball(1),))
            for number in (value,) if spec == "soft_sign" else (value, slope):
                (element,) = number.elements
                assert element.is_zero() or element.rel_accuracy_bits() > 24, (x, element)


def test_a_form_of_softplus_does_not_overflow():
    logarithm, shifted = (form(magnitude(1000)) for form in forms_of(terms.Softplus()))
    assert not logarithm.bounded()
    assert shifted.bounded()
    assert shifted.lower().item() <= 1000 <= shifted.upper().item()


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_every_activation_has_a_printed_form_or_is_one(name):
    term = lookup(name).example
    x = ball([Fraction(-5, 4), Fraction(3, 4)])
    with working_precision(128):
        for form in forms_of(term):
            assert near(form(x), evaluation_of(term)(x), Fraction(1, 2**90))


#: By hand: the derivative at a kink under each convention.
KINKS = [
    ("relu", 0, {"zero": "0", "half": "1/2", "one": "1"}),
    ("relu6", 0, {"zero": "0", "half": "1/2", "one": "1"}),
    ("relu6", 6, {"zero": "0", "half": "1/2", "one": "1"}),
    ("leaky_relu:negative_slope=1/4", 0, {"left": "1/4", "half": "5/8", "right": "1"}),
    ("hard_sigmoid", -3, {"outside": "0", "half": "1/12", "inside": "1/6"}),
    ("hard_sigmoid", 3, {"outside": "0", "half": "1/12", "inside": "1/6"}),
    ("hard_sigmoid:slope=1/5", Fraction(5, 2), {"outside": "0", "half": "1/10", "inside": "1/5"}),
    ("hard_silu", -3, {"outside": "0", "half": "-1/4", "inside": "-1/2"}),
    ("hard_silu", 3, {"outside": "1", "half": "5/4", "inside": "3/2"}),
    ("hard_tanh", -1, {"outside": "0", "half": "1/2", "inside": "1"}),
    ("hard_tanh:low=1/3,high=2", Fraction(1, 3), {"outside": "0", "half": "1/2", "inside": "1"}),
]


@pytest.mark.parametrize(("spec", "point", "slopes"), KINKS)
def test_dual_and_tape_return_the_stated_derivative_at_a_kink(spec, point, slopes):
    assert set(slopes) == set(lookup(spec.partition(":")[0]).conventions["at_kink"])
    for convention, slope in slopes.items():
        joined = "," if ":" in spec else ":"
        evaluate = evaluation_of(term_of(f"{spec}{joined}at_kink={convention}"))
        x = rational([point, point + 1, point - 1])
        value, tangent = jvp(evaluate, (x,), (rational([1, 1, 1]),))
        _, pull = vjp(evaluate, x)
        assert tangent[0].item() == Fraction(slope)
        assert pull(rational([1, 1, 1]))[0] == tangent
        assert value == evaluation_of(term_of(spec))(x)


@pytest.mark.parametrize(("name", "slope"), [("elu:alpha=2", 2), ("celu:alpha=2", 1), ("elu", 1)])
def test_exponential_units_at_zero(name, slope):
    _, tangent = jvp(evaluation_of(term_of(name)), (ball(0),), (ball(1),))
    assert bool(tangent == ball(slope))


#: By hand: (at -0, at +0, at -inf, at +inf); "~" before a number: judged as a number, so either zero is right.
SPECIAL = {
    "relu": ("~0", "0", "~0", "inf"),
    "relu6": ("~0", "0", "~0", "6"),
    "leaky_relu": ("-0", "0", "-inf", "inf"),
    "leaky_relu:negative_slope=0": ("~0", "0", "~0", "inf"),
    "leaky_relu:negative_slope=-1": ("~0", "0", "inf", "inf"),
    "elu": ("-0", "0", "-1", "inf"),
    "elu:alpha=1/3": ("-0", "0", f"~{1 / 3}", "inf"),
    "selu": ("-0", "0", "~1.7580993408473768", "inf"),
    "celu:alpha=2": ("-0", "0", "-2", "inf"),
    "gelu": ("-0", "0", "-0", "inf"),
    "gelu:approximate=tanh": ("-0", "0", "-0", "inf"),
    "silu": ("-0", "0", "-0", "inf"),
    "mish": ("-0", "0", "-0", "inf"),
    "softplus": ("~0.6931471805599453", "~0.6931471805599453", "0", "inf"),
    "softplus:beta=2": ("~0.34657359027997264", "~0.34657359027997264", "0", "inf"),
    "log_sigmoid": ("~0.6931471805599453", "~0.6931471805599453", "-inf", "~0"),
    "hard_sigmoid": ("0.5", "0.5", "~0", "1"),
    "hard_silu": ("-0", "0", "~0", "inf"),
    "hard_tanh": ("-0", "0", "-1", "1"),
    "hard_tanh:low=0,high=6": ("~0", "~0", "~0", "6"),
    "hard_tanh:low=-3,high=-2": ("-2", "-2", "-3", "-2"),
    "soft_sign": ("-0", "0", "-1", "1"),
    "squareplus": ("1", "1", "0", "inf"),
    "squareplus:b=2": ("~0.7071067811865476", "~0.7071067811865476", "0", "inf"),
    "sparse_plus": ("0.25", "0.25", "~0", "inf"),
}


@pytest.mark.parametrize("spec", SPECIAL)
def test_special_inputs(spec):
    term = term_of(spec)
    for x, words in zip((-0.0, 0.0, -math.inf, math.inf), SPECIAL[spec], strict=True):
        due = expected(term, x)
        assert due.judged
        if words.startswith("~"):
            size = abs(float(due.limit().midpoint().item()))
            assert due.value is None
            assert size == pytest.approx(float(words[1:]), rel=2**-50, abs=0)
        else:
            assert (due.value, math.copysign(1, due.value)) == (float(words), math.copysign(1, float(words)))
    assert math.isnan(expected(term, math.nan).value)
    assert expected(term, 1.0) is None
    assert special_points(term) == ()
    inside = in_domain(term, np.array([-3e38, -1.0, 0.0, 3e38, np.inf, np.nan]))
    assert inside.tolist() == [True] * 4 + [False] * 2


@pytest.mark.parametrize("spec", SPECIAL)
def test_the_special_values_are_limits_of_the_definition(spec):
    term = term_of(spec)
    evaluate = evaluation_of(term)
    for sign in (1, -1):
        with working_precision(256):
            due, at = expected(term, sign * math.inf), evaluate(ball(sign * 2**20))
        if due.value is not None and math.isinf(due.value):
            assert bool(at * int(math.copysign(1, due.value)) > 2**13), sign
            continue
        limit = ball(Fraction(due.value)) if due.limit is None else due.limit()
        # The slowest is soft_sign: 1 - y = 1 / (1 + x).
        assert near(at, limit, Fraction(1, 2**19))
        if due.value == 0:
            assert bool(at * int(math.copysign(1, due.value)) > 0), "the sign of a zero is that of the value nearby"


@pytest.mark.parametrize("spec", SPECIAL)
def test_the_values_at_signed_zeros_are_those_of_the_definition(spec):
    term = term_of(spec)
    evaluate = evaluation_of(term)
    for zero in (0.0, -0.0):
        due = expected(term, zero)
        limit = ball(Fraction(due.value)) if due.limit is None else due.limit()
        assert near(evaluate(ball(0)), limit, Fraction(1, 2**40))
        if due.value == 0:
            # The sign of a zero is that of the value beside it.
            beside = evaluate(ball(int(math.copysign(1, zero)) * Fraction(1, 2**30)))
            assert bool(beside * int(math.copysign(1, due.value)) > 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: terms.Elu(alpha=0), "alpha = 0: expected a positive number"),
        (lambda: terms.Softplus(beta=-1), "beta = -1: expected a positive number"),
        (lambda: terms.Squareplus(b=0), "b = 0: expected a positive number"),
        (lambda: terms.HardSigmoid(slope=0), "slope = 0: expected a positive number"),
        (lambda: terms.HardTanh(low=1, high=1), "low = 1, high = 1: expected low < high"),
        (lambda: terms.Relu(at_kink="left"), "at_kink = 'left': expected one of zero, half, one"),
        (lambda: terms.Gelu(approximate="sigmoid"), "approximate = 'sigmoid': expected one of none, tanh"),
    ],
)
def test_an_unknown_choice_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("leaky_relu:alpha=1/5", "leaky_relu:negative_slope=1/5"),
        ("hard_tanh:min_val=-2,max_val=2", "hard_tanh:low=-2,high=2"),
        ("swish", "silu"),
        ("hard_swish", "hard_silu"),
        ("hardsigmoid:slope=1/5", "hard_sigmoid:slope=1/5"),
    ],
)
def test_spellings_of_other_libraries(spelling, canonical):
    assert str(parse(spelling)) == canonical


def test_the_published_constants_of_selu_are_exact():
    term = terms.Selu()
    assert (term.scale, term.alpha) == (
        Fraction(10507009873554804934193349852946, 10**31),
        Fraction(16732632423543772848170429916717, 10**31),
    )
