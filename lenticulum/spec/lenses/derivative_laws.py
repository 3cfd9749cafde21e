"""The axioms RD.1 to RD.7 of a reverse derivative, proved by normal forms over Q, Z/2 and Z/3."""

from __future__ import annotations

from collections.abc import Callable

from lenticulum.numbers import ExactArray, Polynomial, concatenate, polynomials, stack, total, vjp
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses import planted_reverses
from lenticulum.spec.lenses.cases import polynomial
from lenticulum.spec.lenses.polynomial import (
    PolynomialMap,
    constant,
    forward,
    identity,
    pairing,
    projection,
    reverse,
)

Reverse = Callable[[PolynomialMap], PolynomialMap]
Vjp = Callable[[PolynomialMap, ExactArray, ExactArray], ExactArray]


def modulus(draw: Draw) -> int:
    """Q, Z/2 or Z/3."""
    return draw.choice([0, 2, 3])


def dimensions(draw: Draw, count: int) -> list[int]:
    """Dimensions of objects, the zero object included."""
    drawn = [draw.integer(0, 3) for _ in range(count)]
    draw.observe("all objects of one size", len(set(drawn)) == 1)
    return drawn


def require_same(left: PolynomialMap, right: PolynomialMap, *maps: PolynomialMap) -> None:
    """Two polynomial maps have one normal form."""
    require(left == right, "the normal forms differ", of=maps, left=left.components, right=right.components)


def rd1(R: Reverse, draw: Draw) -> None:
    """R[f+g] = R[f] + R[g], R[0] = 0."""
    k = modulus(draw)
    n, m = dimensions(draw, 2)
    f, g = polynomial(draw, n, m, k), polynomial(draw, n, m, k)
    require_same(R(f + g), R(f) + R(g), f, g)
    require_same(R(constant(n, [0] * m, k)), constant(n + m, [0] * n, k))


def rd2(R: Reverse, draw: Draw) -> None:
    """R[f](a, b+c) = R[f](a, b) + R[f](a, c), R[f](a, 0) = 0."""
    k = modulus(draw)
    n, m = dimensions(draw, 2)
    f = polynomial(draw, n, m, k)
    a, b, c = factors(k, n, m, m)
    require_same(at(R(f), a, b + c), at(R(f), a, b) + at(R(f), a, c), f)
    require_same(at(R(f), identity(n, k), constant(n, [0] * m, k)), constant(n, [0] * n, k), f)


def rd3(R: Reverse, draw: Draw) -> None:
    """R[1](a, b) = b, R[pi0]((a, b), c) = (c, 0), R[pi1]((a, b), c) = (0, c)."""
    k = modulus(draw)
    n, m = dimensions(draw, 2)
    require_same(R(identity(n, k)), projection(2 * n, range(n, 2 * n), k))
    left, right = projection(n + m, range(n), k), projection(n + m, range(n, n + m), k)
    *_, c = factors(k, n, m, n)
    require_same(R(left), pairing(c, constant(n + m + n, [0] * m, k)), left)
    *_, d = factors(k, n, m, m)
    require_same(R(right), pairing(constant(n + m + m, [0] * n, k), d), right)


def rd4(R: Reverse, draw: Draw) -> None:
    """R[<f, g>](a, (b, c)) = R[f](a, b) + R[g](a, c), R[!](a, *) = 0."""
    k = modulus(draw)
    n, m, o = dimensions(draw, 3)
    f, g = polynomial(draw, n, m, k), polynomial(draw, n, o, k)
    a, b, c = factors(k, n, m, o)
    require_same(R(pairing(f, g)), at(R(f), a, b) + at(R(g), a, c), f, g)
    require_same(R(projection(n, [], k)), constant(n, [0] * n, k))


def rd5(R: Reverse, draw: Draw) -> None:
    """R[f;g](a, c) = R[f](a, R[g](f(a), c))."""
    k = modulus(draw)
    n, m, o = dimensions(draw, 3)
    f, g = polynomial(draw, n, m, k), polynomial(draw, m, o, k)
    a, c = factors(k, n, o)
    require_same(R(f.then(g)), at(R(f), a, at(R(g), a.then(f), c)), f, g)


def rd6(R: Reverse, draw: Draw) -> None:
    """D[R[f]]((a, b), (0, c)) = R[f](a, c): R[f] is linear in the covector."""
    k = modulus(draw)
    n, m = dimensions(draw, 2)
    f = polynomial(draw, n, m, k)
    a, b, c = factors(k, n, m, m)
    zero = constant(n + m + m, [0] * n, k)
    require_same(at(forward(R(f), R), a, b, zero, c), at(R(f), a, c), f)


def rd7(R: Reverse, draw: Draw) -> None:
    """D[D[f]]((a, b), (c, d)) = D[D[f]]((a, c), (b, d)): second derivatives are symmetric."""
    k = modulus(draw)
    n, m = dimensions(draw, 2)
    f = polynomial(draw, n, m, k, degree=3)
    second = forward(forward(f, R), R)
    a, b, c, d = factors(k, n, n, n, n)
    require_same(second, at(second, a, c, b, d), f)


def adjointness_of_polynomials(R: Reverse, draw: Draw) -> None:
    """<D[f](a, v), b> = <v, R[f](a, b)>, D[f] by formal partials."""
    k = modulus(draw)
    n, m = dimensions(draw, 2)
    f = polynomial(draw, n, m, k)
    a, v, b = factors(k, n, n, m)
    require_same(inner(at(forward(f), a, v), b), inner(v, at(R(f), a, b)), f)


def tape_is_the_formal_derivative(of: Vjp, draw: Draw) -> None:
    """pull(y)_i = sum_j y_j d_i f_j at the variables themselves: proved for its f, over Q, Z/2 and Z/3."""
    k = modulus(draw)
    n, m = draw.integer(1, 3), draw.integer(1, 3)
    draw.observe("all objects of one size", n == m)
    f = polynomial(draw, n, m, k, degree=3)
    names = [f"x{i}" for i in range(n)] + [f"y{j}" for j in range(m)]
    variables = polynomials(names, k)
    x, y = stack(variables[:n]), stack(variables[n:])
    value = f(x)
    assert isinstance(value, Polynomial)
    expected = stack([total([value[j].derivative(name) * y[j] for j in range(m)]) for name in names[:n]])
    pulled = of(f, x, y)
    require(pulled == expected, "the tape differs from the formal partials", f=f, tape=pulled, expected=expected)
    table = reverse(f)(concatenate([x, y]))
    require(table == expected, "the dictionary differs from the formal partials", f=f, table=table, expected=expected)


def tape(f: PolynomialMap, x: ExactArray, y: ExactArray) -> ExactArray:
    """The reverse derivative of f at x by the tape of the package."""
    return vjp(f, x)[1](y)[0]


def zero_of_a_square(f: PolynomialMap, x: ExactArray, y: ExactArray) -> ExactArray:
    """As if x^2 had the derivative 0: exponents above 1 are lost."""
    kept = tuple({e: c for e, c in terms.items() if max(e, default=0) < 2} for terms in f.components)
    return tape(PolynomialMap(f.source, kept, f.modulus), x, y)


def factors(k: int, *sizes: int) -> list[PolynomialMap]:
    """The projections of a product onto its factors: generic points of each."""
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return [projection(ends[-1], range(end - size, end), k) for size, end in zip(sizes, ends, strict=True)]


def at(f: PolynomialMap, *arguments: PolynomialMap) -> PolynomialMap:
    """f at a generic point given by its factors."""
    return pairing(*arguments).then(f)


def inner(left: PolynomialMap, right: PolynomialMap) -> PolynomialMap:
    """The standard pairing sum_i x_i y_i."""
    n = left.target
    ones = sum((projection(n, [i], left.modulus) for i in range(n)), start=constant(n, [0], left.modulus))
    return (left * right).then(ones)


SOURCE = "arXiv:2103.01931, Definition 2.6; Cockett et al., arXiv:1910.07065, Definition 13"

LAWS: tuple[Law[Reverse] | Law[Vjp], ...] = (
    Law(
        "RD.1",
        "R[f+g] = R[f] + R[g], R[0] = 0",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd1,
        {"missing sum at a copy": planted_reverses.one_use_only},
    ),
    Law(
        "RD.2",
        "R[f](a, b+c) = R[f](a, b) + R[f](a, c), R[f](a, 0) = 0",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd2,
        {"quadratic in the cotangent": planted_reverses.quadratic},
    ),
    Law(
        "RD.3",
        "R[1](a, b) = b, R[pi0]((a, b), c) = (c, 0), R[pi1]((a, b), c) = (0, c)",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd3,
        {"components backwards": planted_reverses.components_backwards},
    ),
    Law(
        "RD.4",
        "R[<f, g>](a, (b, c)) = R[f](a, b) + R[g](a, c), R[!](a, *) = 0",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd4,
        {"missing sum at a copy": planted_reverses.one_use_only},
    ),
    Law(
        "RD.5",
        "R[f;g](a, c) = R[f](a, R[g](f(a), c))",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd5,
        {
            "put at the wrong point": planted_reverses.at_the_origin,
            "transposed Jacobian": planted_reverses.transposed,
        },
    ),
    Law(
        "RD.6",
        "D[R[f]]((a, b), (0, c)) = R[f](a, c)",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd6,
        {"quadratic in the cotangent": planted_reverses.quadratic},
    ),
    Law(
        "RD.7",
        "D[D[f]]((a, b), (c, d)) = D[D[f]]((a, c), (b, d))",
        SOURCE,
        Grade.PROVED,
        reverse,
        rd7,
        {"stale first variable": planted_reverses.stale_first_variable},
    ),
    Law(
        "polynomial-adjointness",
        "<D[f](a, v), b> = <v, R[f](a, b)>",
        "derived by hand from R[f](x, b) = J_f(x)^T b; not an axiom of arXiv:1910.07065",
        Grade.PROVED,
        reverse,
        adjointness_of_polynomials,
        {
            "transposed Jacobian": planted_reverses.transposed,
            "components backwards": planted_reverses.components_backwards,
        },
    ),
    Law(
        "tape-is-the-formal-derivative",
        "pull(y)_i = sum_j y_j d_i f_j",
        "arXiv:2103.01931, Example 2.9 (POLY over a commutative ring)",
        Grade.PROVED,
        tape,
        tape_is_the_formal_derivative,
        {"zero derivative of the square": zero_of_a_square},
    ),
)
