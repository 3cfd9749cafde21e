"""Polynomial maps over Q and Z/p with their reverse derivative by formal partials: a model of the axioms RD.1 to RD.7.

A map is its normal form, a dictionary {exponents: coefficient} for each component, so that an equation between maps is
proved by comparing dictionaries. Exponents are not reduced: over Z/2, x and x^2 are equal functions and different maps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from lenticulum.numbers import ExactArray, concatenate, stack
from lenticulum.numbers.checking import no_type_check
from lenticulum.spec.data import Data, both, leaves_of
from lenticulum.spec.lenses.lens import Lens

Exponents = tuple[int, ...]
Terms = dict[Exponents, Fraction]


@dataclass(frozen=True)
class PolynomialMap:
    """A map k^source -> k^len(components) over k = Q (`modulus` 0) or Z/modulus (a prime).

    >>> x1, x2 = variables(2)
    >>> f = pairing(x1 * x1 * x1 + x1 * x2 + x1 * x2, x2, x1 * x2)
    >>> from lenticulum.numbers import rational
    >>> reverse(f)(rational([1, 2, 1, 1, 1])).tolist()
    [Fraction(9, 1), Fraction(4, 1)]
    """

    source: int
    components: tuple[Terms, ...]
    modulus: int = 0

    @property
    def target(self) -> int:
        """The number of components."""
        return len(self.components)

    def __add__(self, other: PolynomialMap) -> PolynomialMap:
        pairs = zip(self.components, other.components, strict=True)
        return self._with(_sum([one, another], self.modulus) for one, another in pairs)

    def __mul__(self, other: PolynomialMap) -> PolynomialMap:
        """The componentwise product."""
        pairs = zip(self.components, other.components, strict=True)
        return self._with(_product(one, another, self.modulus) for one, another in pairs)

    def then(self, other: PolynomialMap) -> PolynomialMap:
        """First this map, then the other, by substitution.

        >>> x, = variables(1)
        >>> (x + x).then(x * x) == constant(1, (4,)) * x * x
        True
        """
        if other.source != self.target:
            raise ValueError(f"got a map from {other.source} variables after one to {self.target}")
        return self._with(_substitute(terms, self) for terms in other.components)

    def __call__(self, x: ExactArray) -> ExactArray:
        """The value at an array of shape (source,), of any number system of the same characteristic."""
        if x.shape != (self.source,):
            raise ValueError(f"got an array of shape {x.shape}, expected ({self.source},)")
        if not self.components:
            return x[:0]
        return stack([_value(terms, x) for terms in self.components])

    def _with(self, components: Iterable[Terms]) -> PolynomialMap:
        return PolynomialMap(self.source, tuple(components), self.modulus)


def polynomial_map(
    source: int, components: Iterable[Mapping[Exponents, int | Fraction]], modulus: int = 0
) -> PolynomialMap:
    """The map with these terms, brought to normal form.

    >>> polynomial_map(1, [{(1,): 3, (2,): 1}], modulus=3).components
    ({(2,): Fraction(1, 1)},)
    """
    terms = ({exponents: Fraction(coefficient) for exponents, coefficient in each.items()} for each in components)
    return PolynomialMap(source, tuple(_sum([each], modulus) for each in terms), modulus)


def projection(source: int, positions: Iterable[int], modulus: int = 0) -> PolynomialMap:
    """The map that keeps these variables; the identity keeps all, and the terminal map none."""
    return polynomial_map(source, [{_unit(source, i): 1} for i in positions], modulus)


def identity(source: int, modulus: int = 0) -> PolynomialMap:
    """x -> x."""
    return projection(source, range(source), modulus)


def variables(source: int, modulus: int = 0) -> tuple[PolynomialMap, ...]:
    """The variables, as maps to one component."""
    return tuple(projection(source, [i], modulus) for i in range(source))


def constant(source: int, values: Iterable[int | Fraction], modulus: int = 0) -> PolynomialMap:
    """x -> values."""
    return polynomial_map(source, [{(0,) * source: number} for number in values], modulus)


def pairing(*maps: PolynomialMap) -> PolynomialMap:
    """<f, g, ...> : x -> (f(x), g(x), ...)."""
    components = tuple(terms for each in maps for terms in each.components)
    return PolynomialMap(maps[0].source, components, maps[0].modulus)


def product(left: PolynomialMap, right: PolynomialMap) -> PolynomialMap:
    """f x g : (x, y) -> (f(x), g(y))."""
    source = left.source + right.source
    first = projection(source, range(left.source), left.modulus)
    second = projection(source, range(left.source, source), left.modulus)
    return pairing(first.then(left), second.then(right))


def reverse(f: PolynomialMap) -> PolynomialMap:
    """R[f] : A x B -> A, R[f]_i(x, y) = sum_j (d_i f_j)(x) y_j with formal partials (arXiv:2103.01931)."""
    source = f.source + f.target
    cotangents = [_unit(source, f.source + j) for j in range(f.target)]

    rows = (
        [_reverse_summand(terms, i, y, f) for terms, y in zip(f.components, cotangents, strict=True)]
        for i in range(f.source)
    )
    return PolynomialMap(source, tuple(_sum(row, f.modulus) for row in rows), f.modulus)


def forward(f: PolynomialMap, of: Callable[[PolynomialMap], PolynomialMap] = reverse) -> PolynomialMap:
    """D[f] : A x A -> B, D[f](x, v) = pi1 R[R[f]]((x, 0), v), from a reverse derivative `of`.

    >>> x, = variables(1)
    >>> forward(x * x) == polynomial_map(2, [{(1, 1): 2}])
    True
    """
    n, m, modulus = f.source, f.target, f.modulus
    x, v = projection(2 * n, range(n), modulus), projection(2 * n, range(n, 2 * n), modulus)
    at_zero = pairing(x, constant(2 * n, [0] * m, modulus), v)
    return at_zero.then(of(of(f))).then(projection(n + m, range(n, n + m), modulus))


@no_type_check
def partial_derivative(terms: Terms, variable: int) -> Terms:
    """The formal partial derivative, coefficients not yet reduced.

    >>> partial_derivative({(2, 1): Fraction(5)}, 0)
    {(1, 1): Fraction(10, 1)}
    """
    return {
        (*exponents[:variable], exponents[variable] - 1, *exponents[variable + 1 :]): coefficient * exponents[variable]
        for exponents, coefficient in terms.items()
        if exponents[variable]
    }


def parametric(f: PolynomialMap, r: PolynomialMap) -> Lens:
    """The parametric lens of f : P x A -> B and a backward map r : (P x A) x B' -> P x A', such as R[f].

    The parameters are the variables before those of A; how many they are is read off the point.
    """

    return Lens(lambda point: f(concatenate(arrays(point))), partial(_parametric_put, r))


def lens(f: PolynomialMap, r: PolynomialMap) -> Lens:
    """The lens of f : A -> B and a backward map r : A x B' -> A'. The functor R is f -> (f, R[f]) (Prop. 2.7)."""

    return Lens(lambda a: f(one_array(a)), lambda a, c: r(concatenate([one_array(a), one_array(c)])))


def joined(x: Data) -> ExactArray:
    """The arrays of nested tuples, end to end."""
    return concatenate(leaves_of(x))


def one_array(x: Data) -> ExactArray:
    """x, which must be one array."""
    if not isinstance(x, ExactArray):
        raise TypeError("a polynomial map takes one array, got a tuple")
    return x


def arrays(point: Data) -> tuple[ExactArray, ExactArray]:
    """A pair of arrays (p, a)."""
    p, a = both(point, "polynomial map")
    return one_array(p), one_array(a)


@no_type_check
def _unit(source: int, position: int) -> Exponents:
    return tuple(int(i == position) for i in range(source))


@no_type_check
def _reduced(coefficient: Fraction, modulus: int) -> Fraction:
    if not modulus:
        return coefficient
    return Fraction(coefficient.numerator * pow(coefficient.denominator, -1, modulus) % modulus)


@no_type_check
def _sum(summands: Iterable[Terms], modulus: int) -> Terms:
    total: Terms = {}
    for terms in summands:
        for exponents, coefficient in terms.items():
            total[exponents] = total.get(exponents, Fraction(0)) + coefficient
    reduced = {exponents: _reduced(coefficient, modulus) for exponents, coefficient in total.items()}
    return {exponents: coefficient for exponents, coefficient in reduced.items() if coefficient}


@no_type_check
def _product(left: Terms, right: Terms, modulus: int) -> Terms:
    return _sum(
        ({tuple(m + n for m, n in zip(e, f, strict=True)): c * d} for e, c in left.items() for f, d in right.items()),
        modulus,
    )


@no_type_check
def _substitute(terms: Terms, inner: PolynomialMap) -> Terms:
    return _sum([_monomial(exponents, coefficient, inner) for exponents, coefficient in terms.items()], inner.modulus)


@no_type_check
def _monomial(exponents: Exponents, coefficient: Fraction, inner: PolynomialMap) -> Terms:
    """coefficient * product of the components of `inner` to these powers."""
    result: Terms = {(0,) * inner.source: coefficient}
    for component, exponent in zip(inner.components, exponents, strict=True):
        for _ in range(exponent):
            result = _product(result, component, inner.modulus)
    return result


@no_type_check
def _reverse_summand(terms: Terms, i: int, cotangent: Exponents, f: PolynomialMap) -> Terms:
    """(d_i f_j)(x) y_j, in the variables (x, y)."""
    padded = {(*exponents, *(0,) * f.target): c for exponents, c in partial_derivative(terms, i).items()}
    return _product(padded, {cotangent: Fraction(1)}, f.modulus)


def _parametric_put(r: PolynomialMap, point: Data, cotangent: Data) -> Data:
    p, a = arrays(point)
    pulled = r(concatenate([p, a, one_array(cotangent)]))
    return pulled[: p.size], pulled[p.size :]


@no_type_check
def _value(terms: Terms, x: ExactArray) -> ExactArray:
    total = x.lift(0)
    for exponents, coefficient in terms.items():
        monomial = x.lift(coefficient)
        for i, exponent in enumerate(exponents):
            if exponent:
                monomial = monomial * x[i] ** exponent
        total = total + monomial
    return total
