"""The checker's enclosures against balls of 300 bits and more, and against mpmath, in every binade of every format."""

import random
from fractions import Fraction

import mpmath
import pytest
from checker_parts import checker
from flint import arb, ctx, fmpz

#: (significand bits, smallest exponent, largest exponent) of e5m2, e4m3fn, bfloat16, binary16, binary32 and binary64.
RANGES = ((3, -16, 15), (4, -9, 8), (8, -133, 127), (11, -24, 15), (24, -149, 127), (53, -1074, 1023))
PRECISIONS = (22, 25, 38, 67, 150)
DRAWS = 2500


def number(m: int, e: int) -> arb:
    """m 2^e as a ball."""
    return arb((fmpz(m), fmpz(e)))


def reflected(x: arb) -> arb:
    """log |Gamma(x)|, x < 0, by the reflection formula."""
    return (arb.pi() / abs(x.sin_pi())).log() - (1 - x).lgamma()


#: The function by Arb, and where it is defined: all, x > 0, x > -1, x >= 1, |x| < 1, 0 < x < 1, or no pole of Gamma.
REFERENCES = {
    "exp": (lambda x: x.exp(), "all"),
    "exp2": (lambda x: arb(2) ** x, "all"),
    "expm1": (lambda x: x.expm1(), "all"),
    "log": (lambda x: x.log(), "positive"),
    "log2": (lambda x: x.log() / arb(2).log(), "positive"),
    "log10": (lambda x: x.log() / arb(10).log(), "positive"),
    "log1p": (lambda x: x.log1p(), "above -1"),
    "sqrt": (lambda x: x.sqrt(), "positive"),
    "rsqrt": (lambda x: x.rsqrt(), "positive"),
    "cbrt": (lambda x: x.root(3) if x > 0 else -((-x).root(3)), "all"),
    "sin": (lambda x: x.sin(), "all"),
    "cos": (lambda x: x.cos(), "all"),
    "tan": (lambda x: x.tan(), "all"),
    "asin": (lambda x: x.asin(), "inside"),
    "acos": (lambda x: x.acos(), "inside"),
    "atan": (lambda x: x.atan(), "all"),
    "sinh": (lambda x: x.sinh(), "all"),
    "cosh": (lambda x: x.cosh(), "all"),
    "tanh": (lambda x: x.tanh(), "all"),
    "asinh": (lambda x: x.asinh(), "all"),
    "acosh": (lambda x: x.acosh(), "from 1"),
    "atanh": (lambda x: x.atanh(), "inside"),
    "erf": (lambda x: x.erf(), "all"),
    "erfc": (lambda x: x.erfc(), "all"),
    "normal_cdf": (lambda x: (-x / arb(2).sqrt()).erfc() / 2, "all"),
    "lgamma": (lambda x: x.lgamma() if x > 0 else reflected(x), "no pole"),
    "digamma": (lambda x: x.digamma(), "no pole"),
    "trigamma": (
        lambda x: arb(2).zeta(x) if x > 0 else (arb.pi() / x.sin_pi()) ** 2 - arb(2).zeta(1 - x),
        "no pole",
    ),
    "sigmoid": (lambda x: 1 / (1 + (-x).exp()), "all"),
    "softplus": (lambda x: x.exp().log1p(), "all"),
    "logit": (lambda x: (x / (1 - x)).log(), "unit"),
    "sinc": (lambda x: x.sin_pi() / (arb.pi() * x), "all"),
    "softplus2": (lambda x: (arb(2) ** x).log1p() / arb(2).log(), "all"),
}


def defined(m: int, e: int, domain: str) -> bool:
    """Whether a function is defined at m 2^e."""
    x = Fraction(m) * Fraction(2) ** e
    return {
        "all": True,
        "positive": x > 0,
        "above -1": x > -1,
        "from 1": x >= 1,
        "inside": abs(x) < 1,
        "unit": 0 < x < 1,
        "no pole": x > 0 or x.denominator > 1,
    }[domain]


def draws(domain: str, seed: int, count: int = DRAWS):
    """Yield numbers m 2^e: every exponent of a format equally often, ends of binades, and the neighbours of ±1, 2."""
    source = random.Random(seed)
    while count:
        bits, low, high = source.choice(RANGES)
        m = source.choice((source.getrandbits(bits) | 1, source.getrandbits(bits) | 1, 1, (1 << bits) - 1))
        e = source.randint(low, high - bits + 1)
        if source.random() < 0.25:
            e = -source.randint(2, 60)
            m = (source.choice((1, 1, 2, 3)) << -e) + source.choice((-3, -1, 0, 1, 3))
        if source.random() < 0.5:
            m = -m
        if defined(m, e, domain) and m:
            count -= 1
            yield m, e, source.choice(PRECISIONS)


def holds(interval: tuple[int, int, int], reference, m: int, e: int) -> bool | None:
    """Whether the exact value lies in the interval; None where balls of 6000 bits do not tell."""
    lo, hi, exponent = interval
    for bits in (300, 1500, 6000):
        ctx.prec = bits
        value = reference(number(m, e))
        if lo == hi:
            return (value - number(lo, exponent)).contains(0)
        if value < number(lo, exponent) or value > number(hi, exponent):
            return False
        if value >= number(lo, exponent) and value <= number(hi, exponent):
            return True
    return None


@pytest.fixture(autouse=True)
def working_precision():
    """Leave the working precision of FLINT as it was."""
    before = ctx.prec
    yield
    ctx.prec = before


@pytest.mark.parametrize("name", REFERENCES)
def test_the_value_is_inside_a_narrow_enclosure(name):
    reference, domain = REFERENCES[name]
    at = checker().FUNCTIONS[name][0]
    open_questions = 0
    for m, e, q in draws(domain, seed=1):
        if name in ("exp", "exp2", "sinh", "cosh", "softplus2") and m.bit_length() + e > 60:
            continue  # Arb gives no finite ball there
        lo, hi, exponent = interval = at(m, e, q)
        assert lo <= hi
        inside = holds(interval, reference, m, e)
        assert inside is not False, (m, e, q, interval)
        open_questions += inside is None
        # Width: at most a few units of the last of q bits, beside the size.
        assert hi == lo or (hi - lo) << q <= 8 * min(abs(lo), abs(hi)) or {lo, hi} & {0}, (m, e, q, interval)
    # A value closer to 1 than 2^-6000 is not told from 1 by Arb either.
    assert open_questions < DRAWS / 4


def test_erfinv_is_inside_by_the_monotonic_error_function():
    at = checker().FUNCTIONS["erfinv"][0]
    for m, e, q in draws("inside", seed=2):
        lo, hi, exponent = at(m, e, q)
        ctx.prec = 400 + max(0, -2 * (m.bit_length() + e))
        assert number(lo, exponent).erf() <= number(m, e)
        assert number(hi, exponent).erf() >= number(m, e)
        assert (hi - lo) << q <= 8 * min(abs(lo), abs(hi))


@pytest.mark.parametrize(
    ("name", "m", "e"),
    [("exp", 1, 40), ("exp", -3, 1000), ("cosh", 5, 300), ("erfc", 1, 200), ("tanh", -1, 900), ("sigmoid", -7, 900)],
)
def test_huge_arguments_take_no_time_and_have_the_right_size(name, m, e):
    lo, hi, exponent = checker().FUNCTIONS[name][0](m, e, 30)
    size = hi.bit_length() + exponent
    if name in ("exp", "cosh", "sigmoid"):
        # log2 of the result is x / log 2, to 20 digits of it.
        with mpmath.workprec(1200):
            expected = int(mpmath.mpf(m if name != "cosh" else abs(m)) * mpmath.mpf(2) ** e / mpmath.log(2))
        assert abs(size - expected) <= 2
    elif name == "erfc":
        assert size < -(2 ** (2 * e))
    else:
        assert hi <= lo + 1
        assert abs(lo).bit_length() + exponent in (0, 1)


def test_values_agree_with_mpmath():
    functions = {
        **{"exp": mpmath.exp, "log1p": mpmath.log1p, "tanh": mpmath.tanh, "erf": mpmath.erf, "erfc": mpmath.erfc},
        **{"lgamma": mpmath.loggamma, "digamma": mpmath.digamma, "sin": mpmath.sin, "erfinv": mpmath.erfinv},
        **{"normal_cdf": mpmath.ncdf, "cbrt": mpmath.cbrt, "atan": mpmath.atan, "sinc": mpmath.sincpi},
    }
    source = random.Random(3)
    for name, function in functions.items():
        for _ in range(40):
            m, e = source.getrandbits(24) | 1, source.choice((-24, -25, -26))
            lo, hi, exponent = checker().FUNCTIONS[name][0](m, e, 80)
            with mpmath.workprec(200):
                value = function(mpmath.ldexp(m, e))
                assert mpmath.ldexp(lo, exponent) <= value <= mpmath.ldexp(hi, exponent), (name, m, e)


EXACT = [
    ("exp", 0, 0, 1),
    ("exp2", -7, 0, Fraction(1, 128)),
    ("log2", 1, -1074, -1074),
    ("log10", 5**3, 3, 3),
    ("sqrt", 49, -4, Fraction(7, 4)),
    ("rsqrt", 1, -6, 8),
    ("cbrt", -27, 3, -6),
    ("erf", 0, 0, 0),
    ("lgamma", 2, 0, 0),
    ("sinc", 5, 0, 0),
    ("softplus2", 0, 0, 1),
]


@pytest.mark.parametrize(("name", "m", "e", "value"), EXACT)
def test_exact_values_are_points(name, m, e, value):
    lo, hi, exponent = checker().FUNCTIONS[name][0](m, e, 30)
    assert lo == hi
    assert lo * Fraction(2) ** exponent == value


def test_powers_are_exact_where_a_root_or_an_integer_power_is():
    power, point = checker().power_at, checker().point
    cases = [
        (9, 0, 3, -1, 27),
        (-3, 0, 3, 0, -27),
        (1, -4, -3, -2, 8),
        (81, 4, 1, -2, 6),
        (5, 0, 2, 0, 25),
        (0, 0, 3, 0, 0),
    ]
    for m, e, n, f, value in cases:
        lo, hi, exponent = power(point(m, e), point(n, f), 40)
        assert lo == hi
        assert lo * Fraction(2) ** exponent == value


def test_powers_and_pairs_are_inside():
    c, source = checker(), random.Random(4)
    ctx.prec = 2500
    for _ in range(600):
        m, e = source.getrandbits(11) | 1, source.randint(-30, 20)
        n, f = source.choice((1, -1)) * (source.getrandbits(11) | 1), source.randint(-30, 3)
        x, y = number(m, e), number(n, f)
        for name, value in (("pow", x**y), ("hypot", (x * x + y * y).sqrt()), ("atan2", arb.atan2(x, y))):
            node = c.call(name, c.X, c.Y)
            lo, hi, exponent = c.value_of(node, (c.point(m, e), c.point(n, f)), source.choice(PRECISIONS))
            assert number(lo, exponent) <= value or (value - number(lo, exponent)).contains(0), (name, m, e, n, f)
            assert number(hi, exponent) >= value or (value - number(hi, exponent)).contains(0), (name, m, e, n, f)
            assert lo == hi or (hi - lo) << 18 <= abs(lo), (name, m, e, n, f)


def test_interval_operations_hold_every_result():
    c, source = checker(), random.Random(5)

    def drawn():
        lo = source.randint(-40, 40)
        return lo, lo + source.choice((0, 0, 1, 7, 30)), source.choice((0, -3, 5, 60, -400, 3000))

    def member(a):
        return (a[0] + Fraction(source.randint(0, 4), 4) * (a[1] - a[0])) * Fraction(2) ** a[2]

    exact = {
        c.plus: lambda x, y: x + y,
        c.minus: lambda x, y: x - y,
        c.times: lambda x, y: x * y,
        c.over: lambda x, y: x / y,
        c.maximum_of: max,
    }
    for _ in range(1500):
        a, b, q = drawn(), drawn(), source.choice((4, 10, 30))
        for operation, meaning in exact.items():
            if operation is c.over and b[0] <= 0 <= b[1]:
                with pytest.raises(c.NoValue):
                    operation(a, b, q)
                continue
            lo, hi, e = operation(a, b, q)
            assert max(abs(lo), abs(hi)).bit_length() <= q + 2 or operation is c.maximum_of
            for _ in range(3):
                value = meaning(member(a), member(b))
                assert lo * Fraction(2) ** e <= value <= hi * Fraction(2) ** e, (operation, a, b, q)
        lo, hi, e = c.hull(a, b, q)
        for value in (member(a), member(b)):
            assert lo * Fraction(2) ** e <= value <= hi * Fraction(2) ** e
        sign = c.order(a[0], a[2], b[0], b[2])
        left, right = a[0] * Fraction(2) ** a[2], b[0] * Fraction(2) ** b[2]
        assert sign == (left > right) - (left < right)
        if a[0] >= 0:
            lo, hi, e = c.square_root(a, q)
            assert (lo * Fraction(2) ** e) ** 2 <= member(a) <= (hi * Fraction(2) ** e) ** 2


def test_functions_hold_their_range_over_intervals():
    c, source = checker(), random.Random(6)
    ctx.prec = 200
    for name in (
        "exp",
        "log1p",
        "tanh",
        "erfc",
        "cosh",
        "rsqrt",
        "sin",
        "cos",
        "atan",
        "softplus",
        "acos",
        "exp2",
        "sinh",
    ):
        reference = REFERENCES[name][0]
        for _ in range(150):
            e = source.choice((-8, -20, -30))
            lo = source.randint(1, 200) if name in ("rsqrt", "acos") else source.randint(-200, 200)
            hi = min(lo + source.choice((1, 3, 40)), 255)
            low, high, exponent = c.function_of(name, (lo, hi, e), 40)
            for n in range(9):
                value = reference(number(8 * lo + n * (hi - lo), e - 3))
                assert number(low, exponent) <= value or value.contains(number(low, exponent))
                assert number(high, exponent) >= value or value.contains(number(high, exponent))
