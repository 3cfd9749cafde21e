"""The rows of the elementary and special functions of one argument, and of the functions of two."""

from typing import Any

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms import Term

ANNEX_F = "ISO C23, Annex F.10; IEEE 754-2019, 9.2.1"
ANNEX_F_ONLY = "ISO C23, Annex F.10"
DLMF = "NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov/"


def function(name: str, example: Term, equation: str, source: str, *laws: str, **facts: Any) -> None:
    """Add the row of a function of one argument, or with `arrays` of two."""
    defaults = {"kind": "elementwise", "arrays": ("x",), "determines": "x", "locality": "element", "purity": "pure"}
    entry(name, example, equation=equation, source=source, laws=laws, **{**defaults, "states": STATELESS, **facts})


def of_two(name: str, example: Term, equation: str, source: str, *laws: str, **facts: Any) -> None:
    """Add the row of a function of two arguments."""
    pair = {"arrays": ("x", "y"), "determines": "x and y of one shape"}
    function(name, example, equation, source, *laws, **{**pair, **facts})


function("exp", terms.Exp(), "y = e^x", ANNEX_F, "exp(a + b) = exp a exp b", "y' = y")
function("exp2", terms.Exp2(), "y = 2^x", ANNEX_F, "exp2(a + b) = exp2 a exp2 b", "exp2(n + 1) = 2 exp2 n")
function("expm1", terms.Expm1(), "y = e^x - 1", ANNEX_F, "expm1(a + b) = expm1 a + expm1 b + expm1 a expm1 b")
function("log", terms.Log(), "y = log x, x > 0", ANNEX_F, "log(exp x) = x", "log(ab) = log a + log b", "y' = 1/x")
function("log2", terms.Log2(), "y = log x / log 2, x > 0", ANNEX_F, "log2(exp2 x) = x", "log2(ab) = log2 a + log2 b")
function(
    "log10",
    terms.Log10(),
    "y = log x / log 10, x > 0",
    ANNEX_F,
    "log10(10 x) = log10 x + 1",
    "log10(ab) = log10 a + log10 b",
)
function("log1p", terms.Log1p(), "y = log(1 + x), x > -1", ANNEX_F, "log1p(expm1 x) = x", "y' = 1 / (1 + x)")
function("sqrt", terms.Sqrt(), "y = sqrt x >= 0, x >= 0", "IEEE 754-2019, 5.4.1", "y² = x")
function("rsqrt", terms.Rsqrt(), "y = 1 / sqrt x, x > 0", ANNEX_F, "x y² = 1")
function("cbrt", terms.Cbrt(), "y = the real cube root of x", ANNEX_F_ONLY, "y³ = x", "odd")
function("sin", terms.Sin(), "y = sin x, in radians", ANNEX_F, "sin² + cos² = 1", "odd", "sin' = cos")
function("cos", terms.Cos(), "y = cos x, in radians", ANNEX_F, "sin² + cos² = 1", "even", "cos' = -sin")
function("tan", terms.Tan(), "y = sin x / cos x, in radians", ANNEX_F, "tan cos = sin", "odd", "y' = 1 + y²")
function("asin", terms.Asin(), "y in [-pi/2, pi/2] with sin y = x, |x| <= 1", ANNEX_F, "sin(asin x) = x", "odd")
function("acos", terms.Acos(), "y in [0, pi] with cos y = x, |x| <= 1", ANNEX_F, "acos x + asin x = pi/2")
function("atan", terms.Atan(), "y in (-pi/2, pi/2) with tan y = x", ANNEX_F, "tan(atan x) = x", "y' = 1 / (1 + x²)")
function("sinh", terms.Sinh(), "y = (e^x - e^-x) / 2", ANNEX_F, "cosh² - sinh² = 1", "odd", "sinh' = cosh")
function("cosh", terms.Cosh(), "y = (e^x + e^-x) / 2", ANNEX_F, "cosh² - sinh² = 1", "even", "cosh' = sinh")
function("tanh", terms.Tanh(), "y = sinh x / cosh x", ANNEX_F, "odd", "y' = 1 - y²", "|y| < 1 for finite x; ±1 at ±inf")
function("asinh", terms.Asinh(), "y with sinh y = x", ANNEX_F, "sinh(asinh x) = x", "odd")
function("acosh", terms.Acosh(), "y >= 0 with cosh y = x, x >= 1", ANNEX_F, "cosh(acosh x) = x")
function("atanh", terms.Atanh(), "y with tanh y = x, |x| < 1", ANNEX_F, "tanh(atanh x) = x", "odd")
function(
    "erf",
    terms.Erf(),
    "y = 2/sqrt(pi) times the integral of exp(-t²) from 0 to x",
    ANNEX_F_ONLY,
    "odd",
    "erf + erfc = 1",
    "y' = 2/sqrt(pi) exp(-x²)",
)
function("erfc", terms.Erfc(), "y = 1 - erf x", ANNEX_F_ONLY, "erf + erfc = 1", "erfc(-x) = 2 - erfc x")
function("erfinv", terms.Erfinv(), "y with erf y = x, |x| < 1", DLMF + "7.17", "erf(erfinv x) = x", "odd")
function(
    "lgamma",
    terms.Lgamma(),
    "y = log |Gamma(x)|, whatever the sign of Gamma",
    ANNEX_F_ONLY,
    "lgamma(x + 1) = lgamma x + log |x|",
    "y' = digamma x",
    aliases=("gammaln",),
)
function(
    "digamma",
    terms.Digamma(),
    "y = Gamma'(x) / Gamma(x)",
    DLMF + "5.2.E2",
    "digamma(x + 1) = digamma x + 1/x",
    "digamma(1 - x) - digamma x = pi / tan(pi x)",
    conventions={"at_zero": ("infinity", "nan")},
)
function(
    "sigmoid",
    terms.Sigmoid(),
    "y = 1 / (1 + e^-x)",
    "Cox 1958, doi:10.1111/j.2517-6161.1958.tb00292.x",
    "sigmoid(-x) = 1 - sigmoid x",
    "y' = y (1 - y)",
    aliases=("logistic", "expit"),
)
function(
    "logit",
    terms.Logit(),
    "y = log(x / (1 - x)), 0 < x < 1",
    "Berkson 1944, doi:10.1080/01621459.1944.10500699",
    "sigmoid(logit x) = x",
    "logit(1 - x) = -logit x",
)
function(
    "sinc",
    terms.Sinc(),
    "y = sin(pi x) / (pi x), not normalised sin x / x; 1 at 0",
    "Woodward and Davies 1952, doi:10.1049/pi-3.1952.0011",
    "even",
    "0 at the integers but 0 (normalised)",
    "the derivative at 0 is 0",
    conventions={"normalised": ("yes", "no")},
)
function(
    "entr",
    terms.Entr(),
    "y = -x log x for x > 0, 0 at 0, -inf below",
    "Boyd and Vandenberghe 2004, Convex Optimization, section 3.1.5",
    "entr(ab) = a entr b + b entr a",
    "concave: largest at 1/e",
)
of_two(
    "pow",
    terms.Pow(),
    "value = x^y: x > 0, or x < 0 and y an integer, or x = 0 and y >= 0; 0^0 = 1",
    ANNEX_F,
    "x^(y + z) = x^y x^z",
    "log(x^y) = y log x",
    "x^n is a product for an integer n",
    aliases=("power",),
)
of_two(
    "hypot",
    terms.Hypot(),
    "value = sqrt(x² + y²)",
    ANNEX_F_ONLY,
    "h² = x² + y²",
    "symmetric",
    "homogeneous",
)
of_two(
    "atan2",
    terms.Atan2(),
    "value = the angle in [-pi, pi] of the point with ordinate x and abscissa y",
    ANNEX_F,
    "(cos, sin) of the value is (y, x) / hypot(x, y)",
    "atan2(-x, y) = -atan2(x, y)",
    aliases=("arctan2",),
)
of_two(
    "logaddexp",
    terms.Logaddexp(),
    "value = log(e^x + e^y)",
    "NumPy, https://numpy.org/doc/stable/reference/generated/numpy.logaddexp.html",
    "symmetric",
    "logaddexp(x + c, y + c) = logaddexp(x, y) + c",
    "the derivatives sum to 1",
    "max(x, y) <= value, which rounding keeps",
)
of_two(
    "logaddexp2",
    terms.Logaddexp2(),
    "value = log2(2^x + 2^y)",
    "NumPy, https://numpy.org/doc/stable/reference/generated/numpy.logaddexp2.html",
    "symmetric",
    "logaddexp2(x + c, y + c) = logaddexp2(x, y) + c",
    "logaddexp2(x, x) = x + 1",
    "max(x, y) <= value <= max(x, y) + 1, which rounding keeps",
)
of_two(
    "xlogy",
    terms.Xlogy(),
    "value = x log y, 0 where x = 0",
    "SciPy, https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.xlogy.html",
    "linear in x",
    "xlogy(x, yz) = xlogy(x, y) + xlogy(x, z)",
    conventions={"at_nan": ("nan", "zero")},
)
of_two(
    "xlog1py",
    terms.Xlog1py(),
    "value = x log(1 + y), 0 where x = 0",
    "SciPy, https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.xlog1py.html",
    "linear in x",
    "xlog1py(x, y) = xlogy(x, 1 + y)",
    conventions={"at_nan": ("nan", "zero")},
)
