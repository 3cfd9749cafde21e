"""Who obeys the lens laws, among maps: linear gets with their transposes, the square, and the gradient update.

For get : S -> A and put : S x A -> S: GetPut put(s, get s) = s, PutGet get(put(s, a)) = a, PutPut put(put(s, a), b) =
put(s, b). Where a law must fail, the law here asserts that it does, at the case drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lenticulum.numbers import Rational, rational
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.lenses.cases import vector
from lenticulum.spec.lenses.lens import Lens
from lenticulum.spec.lenses.polynomial import one_array

#: From a matrix J, the lens that somebody makes of it.
LensOfMatrix = Callable[[Any], Lens]
LensOfPower = Callable[[int], Lens]


def get_put(lens: Lens, s: Data) -> bool:
    """Whether put(s, get s) = s."""
    return bool(lens.put(s, lens.get(s)) == s)


def put_get(lens: Lens, s: Data, a: Data) -> bool:
    """Whether get(put(s, a)) = a."""
    return bool(lens.get(lens.put(s, a)) == a)


def put_put(lens: Lens, s: Data, a: Data, b: Data) -> bool:
    """Whether put(put(s, a), b) = put(s, b)."""
    return bool(lens.put(lens.put(s, a), b) == lens.put(s, b))


def linear(matrix: Any) -> Lens:
    """(f, R[f]) for f(x) = J x: get(x) = J x, put(x, y) = J^T y."""
    return Lens(lambda x: matrix @ one_array(x), lambda x, y: matrix.T @ one_array(y))


def power(exponent: int) -> Lens:
    """(f, R[f]) for f(x) = x^n."""
    return Lens(
        lambda x: one_array(x) ** exponent, lambda x, c: exponent * one_array(x) ** (exponent - 1) * one_array(c)
    )


def gradient_update() -> Lens:
    """G : (P, P) -> (P, P'): get(p) = p, put(p, p') = p + p' (arXiv:2103.01931, equation 3.11)."""
    return Lens(lambda p: p, lambda p, c: one_array(p) + one_array(c))


#: The truth table of linear gets: GetPut, PutGet, PutPut.
TRUTH_TABLE: dict[str, tuple[list[list[Any]], tuple[bool, bool, bool]]] = {
    "2 x": ([[2]], (False, False, True)),
    "projection": ([[1, 0]], (False, True, True)),
    "isometric embedding": ([[1], [0]], (True, False, True)),
    "rotation": ([["3/5", "-4/5"], ["4/5", "3/5"]], (True, True, True)),
}


def holds_on_a_basis(lens: Lens, sources: int, targets: int) -> tuple[bool, bool, bool]:
    """The three laws at all pairs of basis vectors and zero: for a linear lens this decides them."""
    s_points, a_points = basis(sources), basis(targets)
    return (
        all(get_put(lens, s) for s in s_points),
        all(put_get(lens, s, a) for s in s_points for a in a_points),
        all(put_put(lens, s, a, b) for s in s_points for a in a_points for b in a_points),
    )


def basis(size: int) -> list[Rational]:
    """Zero and the basis vectors."""
    return [rational([int(i == j) for i in range(size)]) for j in range(size + 1)]


def laws_of_a_linear_get(of: LensOfMatrix, draw: Draw) -> None:
    """PutPut always; PutGet iff J J^T = 1; GetPut iff J^T J = 1, on the table and on random matrices."""
    name = draw.choice([*TRUTH_TABLE, "random", "random"])
    n, m = draw.integer(1, 3), draw.integer(1, 3)
    matrix = rational(TRUTH_TABLE[name][0]) if name in TRUTH_TABLE else rational_array(draw, (m, n))
    m, n = matrix.shape
    expected = (bool(matrix.T @ matrix == eye(n)), bool(matrix @ matrix.T == eye(m)), True)
    if name in TRUTH_TABLE:
        require(expected == TRUTH_TABLE[name][1], "the matrix is not as the table says", name=name, laws=expected)
    found = holds_on_a_basis(of(matrix), n, m)
    require(found == expected, "GetPut, PutGet, PutPut are others", matrix=matrix, laws=found, expected=expected)


def put_put_fails_for_a_power(of: LensOfPower, draw: Draw) -> None:
    """For f(x) = x^n, n >= 2: put(put(x, a), b) = n (n x^(n-1) a)^(n-1) b, and not n x^(n-1) b."""
    n, x, a, b = draw.integer(2, 3), vector(draw, 1), vector(draw, 1), vector(draw, 1)
    lens, once = of(n), n * x ** (n - 1)
    expected = n * (once * a) ** (n - 1) * b
    if bool(expected == once * b):
        raise Inapplicable("at this point the two values happen to agree")
    twice = lens.put(lens.put(x, a), b)
    require(bool(twice == expected), "the put is another", n=n, x=x, a=a, b=b, put=twice, expected=expected)
    require(not put_put(lens, x, a, b), "PutPut holds for a map that is not linear", n=n, x=x, a=a, b=b)


@dataclass(frozen=True)
class UpdateLens:
    """An update as a lens on parameters."""

    lens: Lens


def gradient_update_acts(of: UpdateLens, draw: Draw) -> None:
    """put(p, 0) = p and put(put(p, a), b) = put(p, a + b): an action; and PutPut fails, since it accumulates."""
    size = draw.integer(1, 3)
    p, a, b = vector(draw, size), vector(draw, size), vector(draw, size)
    lens = of.lens
    require(bool(lens.put(p, a * 0) == p), "a zero moves the parameters", p=p, put=lens.put(p, a * 0))
    twice, at_once = lens.put(lens.put(p, a), b), lens.put(p, a + b)
    require(bool(twice == at_once), "two steps are not their sum", p=p, a=a, b=b, steps=twice, sum=at_once)
    if bool(a == a * 0):
        raise Inapplicable("a step of zero does not accumulate")
    require(not put_put(lens, p, a, b), "the update overwrites", p=p, a=a, b=b)


def eye(size: int) -> Rational:
    """The identity matrix."""
    return rational([[int(i == j) for j in range(size)] for i in range(size)])


def _straight(matrix: Any) -> Lens:
    """J for J^T, where the shape lets it."""
    right = linear(matrix)
    square = matrix.shape[0] == matrix.shape[1]
    return Lens(right.get, lambda x, y: matrix @ one_array(y)) if square else right


def _accumulating(matrix: Any) -> Lens:
    """The cotangent is added to the point."""
    right = linear(matrix)
    return Lens(right.get, lambda x, y: one_array(x) + one_array(right.put(x, y)))


SOURCE = "derived by hand from arXiv:2103.01931, Definition 2.4, and Foster et al. 2007 (the three laws)"

LAWS: tuple[Law[LensOfMatrix] | Law[LensOfPower] | Law[UpdateLens], ...] = (
    Law(
        "lens-laws-of-a-linear-get",
        "for (J x, J^T y): PutPut always, PutGet iff J J^T = 1, GetPut iff J^T J = 1",
        SOURCE,
        Grade.PROVED,
        linear,
        laws_of_a_linear_get,
        {"transposed Jacobian": _straight, "added to the point": _accumulating},
    ),
    Law(
        "put-put-fails-for-a-power",
        "for (x^n, R[x^n]) with n >= 2, put(put(x, a), b) differs from put(x, b)",
        SOURCE,
        Grade.EXACT,
        power,
        put_put_fails_for_a_power,
        {"put at a fixed point": lambda n: Lens(power(n).get, lambda x, c: power(n).put(rational([1]), c))},
    ),
    Law(
        "gradient-update-acts",
        "put(p, 0) = p, put(put(p, a), b) = put(p, a + b), and PutPut fails",
        "arXiv:2103.01931, equation 3.11",
        Grade.EXACT,
        UpdateLens(gradient_update()),
        gradient_update_acts,
        {
            "overwrites": UpdateLens(Lens(lambda p: p, lambda p, c: c)),
            "halves": UpdateLens(Lens(lambda p: p, lambda p, c: (one_array(p) + one_array(c)) * Fraction(1, 2))),
        },
    ),
)
