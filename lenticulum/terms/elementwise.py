"""The elementwise functions: elementary and special ones of one argument, and those of two."""

from lenticulum.terms.exact import one_of
from lenticulum.terms.spaces import ONE_ARRAY, SCALAR, ShapeError, Space, bare, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import value


class UnaryElementwise(Term):
    """The base of y = f(x), entry by entry: a layer without parameters that fits an array of any shape."""

    __slots__ = ()

    def target(self, source: Space) -> Space:
        """Return the source, which is one array."""
        return any_array(source, type(self).__name__)


class BinaryElementwise(Term):
    """The base of value = f(x, y), entry by entry: the source is a pair (x, y) of arrays of one shape."""

    __slots__ = ()

    def target(self, source: Space) -> Space:
        """Return the space of one of the two arrays."""
        name = type(self).__name__
        x, y = pair(source, name)
        return any_array(unify(x, y, name), name)


def any_array(source: Space, part: str) -> Space:
    """Return the source if it is one array, with or without axes, and not a product.

    >>> any_array("scalar", "Exp"), any_array(3, "Exp")
    ('scalar', 3)
    """
    if isinstance(bare(source), int | None) or bare(source) == SCALAR:
        return source
    raise ShapeError(part, ONE_ARRAY, source)


@value
class Exp(UnaryElementwise):
    """y = e^x."""


@value
class Exp2(UnaryElementwise):
    """y = 2^x."""


@value
class Expm1(UnaryElementwise):
    """y = e^x - 1."""


@value
class Log(UnaryElementwise):
    """y = log x, the natural logarithm; x > 0."""


@value
class Log2(UnaryElementwise):
    """y = log x / log 2; x > 0."""


@value
class Log10(UnaryElementwise):
    """y = log x / log 10; x > 0."""


@value
class Log1p(UnaryElementwise):
    """y = log(1 + x); x > -1."""


@value
class Sqrt(UnaryElementwise):
    """y = the square root of x that is not negative; x >= 0."""


@value
class Rsqrt(UnaryElementwise):
    """y = 1 / sqrt x; x > 0."""


@value
class Cbrt(UnaryElementwise):
    """y = the real cube root of x."""


@value
class Sin(UnaryElementwise):
    """y = sin x, x in radians."""


@value
class Cos(UnaryElementwise):
    """y = cos x, x in radians."""


@value
class Tan(UnaryElementwise):
    """y = sin x / cos x, x in radians."""


@value
class Asin(UnaryElementwise):
    """y in [-pi/2, pi/2] with sin y = x; |x| <= 1."""


@value
class Acos(UnaryElementwise):
    """y in [0, pi] with cos y = x; |x| <= 1."""


@value
class Atan(UnaryElementwise):
    """y in (-pi/2, pi/2) with tan y = x."""


@value
class Sinh(UnaryElementwise):
    """y = (e^x - e^-x) / 2."""


@value
class Cosh(UnaryElementwise):
    """y = (e^x + e^-x) / 2."""


@value
class Tanh(UnaryElementwise):
    """y = sinh x / cosh x."""


@value
class Asinh(UnaryElementwise):
    """y with sinh y = x."""


@value
class Acosh(UnaryElementwise):
    """y >= 0 with cosh y = x; x >= 1."""


@value
class Atanh(UnaryElementwise):
    """y with tanh y = x; |x| < 1."""


@value
class Erf(UnaryElementwise):
    """y = 2/sqrt(pi) times the integral of exp(-t²) from 0 to x."""


@value
class Erfc(UnaryElementwise):
    """y = 1 - erf x."""


@value
class Erfinv(UnaryElementwise):
    """y with erf y = x; |x| < 1."""


@value
class Lgamma(UnaryElementwise):
    """y = log |Gamma(x)|: the sign of Gamma is not part of the result; x is no integer <= 0."""


@value
class Digamma(UnaryElementwise):
    """y = Gamma'(x) / Gamma(x); x is no integer <= 0.

    `at_zero`: what is returned at the pole ±0: "infinity" (the limit from the side of its sign: -inf at +0, +inf at -0;
    SciPy and PyTorch) or "nan" (JAX).
    """

    at_zero: str = "infinity"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.at_zero, "at_zero", ("infinity", "nan"))


@value
class Sigmoid(UnaryElementwise):
    """y = 1 / (1 + e^-x)."""


@value
class Logit(UnaryElementwise):
    """y = log(x / (1 - x)); 0 < x < 1."""


@value
class Sinc(UnaryElementwise):
    """y = sin(pi x) / (pi x) if `normalised` is "yes" (NumPy, JAX, PyTorch), sin x / x if it is "no"; y(0) = 1."""

    normalised: str = "yes"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.normalised, "normalised", ("yes", "no"))


@value
class Entr(UnaryElementwise):
    """y = -x log x for x > 0, 0 at 0, -inf below."""


@value
class Pow(BinaryElementwise):
    """value = x^y, the real power: x > 0, or x < 0 with an integer y, or x = 0 with y >= 0; 0^0 = 1."""


@value
class Hypot(BinaryElementwise):
    """value = sqrt(x² + y²)."""


@value
class Atan2(BinaryElementwise):
    """value = the angle in [-pi, pi] of the point with ordinate x (the first argument) and abscissa y (the second)."""


@value
class Logaddexp(BinaryElementwise):
    """value = log(e^x + e^y)."""


@value
class Logaddexp2(BinaryElementwise):
    """value = log2(2^x + 2^y)."""


@value
class Xlogy(BinaryElementwise):
    """value = x log y, and 0 where x = 0 whatever y is; otherwise y > 0.

    `at_nan`: x = 0 with y = NaN gives "nan" (SciPy, JAX, PyTorch) or "zero" (TensorFlow).
    """

    at_nan: str = "nan"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.at_nan, "at_nan", ("nan", "zero"))


@value
class Xlog1py(BinaryElementwise):
    """value = x log(1 + y), and 0 where x = 0 whatever y is; otherwise y > -1.

    `at_nan`: x = 0 with y = NaN gives "nan" (SciPy, JAX, PyTorch) or "zero" (TensorFlow).
    """

    at_nan: str = "nan"

    def __post_init__(self) -> None:
        """Refuse an unknown convention."""
        one_of(self.at_nan, "at_nan", ("nan", "zero"))
