"""Laws of lenses, exactly, on polynomial lenses that obey no other law.

A lens is compared at a random rational point and cotangent: unequal polynomials are missed with probability at most the
degree divided by the number of points (Schwartz and Zippel).
"""

from __future__ import annotations

from dataclasses import replace

from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses import planted
from lenticulum.spec.lenses.algebra import LENSES, LensOperations
from lenticulum.spec.lenses.cases import path, polynomial, size, sizes, vector
from lenticulum.spec.lenses.lens import Lens
from lenticulum.spec.lenses.polynomial import PolynomialMap, joined, lens, pairing, product, projection, reverse


def R(f: PolynomialMap) -> Lens:
    """The functor R : f -> (f, R[f]) (Prop. 2.7)."""
    return lens(f, reverse(f))


def require_equal(left: Lens, right: Lens, a: Data, cotangent: Data) -> None:
    """Two lenses agree at a point and a cotangent."""
    require(left.get(a) == right.get(a), "the gets differ", point=a, left=left.get(a), right=right.get(a))
    pulled, other = left.put(a, cotangent), right.put(a, cotangent)
    require(pulled == other, "the puts differ", point=a, cotangent=cotangent, left=pulled, right=other)


def associativity(of: LensOperations, draw: Draw) -> None:
    """(f;g);h = f;(g;h)."""
    (f, g, h), point, cotangent = path(draw, 4)
    left, right = of.compose(of.compose(f, g), h), of.compose(f, of.compose(g, h))
    require_equal(left, right, point(), cotangent())


def units(of: LensOperations, draw: Draw) -> None:
    """1;f = f = f;1."""
    (f,), point, cotangent = path(draw, 2)
    a, c = point(), cotangent()
    require_equal(of.compose(of.identity(), f), f, a, c)
    require_equal(of.compose(f, of.identity()), f, a, c)


def interchange(of: LensOperations, draw: Draw) -> None:
    """(f x g);(h x k) = (f;h) x (g;k)."""
    (f, h), point, cotangent = path(draw, 3)
    (g, k), other_point, other_cotangent = path(draw, 3)
    left = of.compose(of.tensor(f, g), of.tensor(h, k))
    right = of.tensor(of.compose(f, h), of.compose(g, k))
    require_equal(left, right, (point(), other_point()), (cotangent(), other_cotangent()))


def symmetry_is_natural(of: LensOperations, draw: Draw) -> None:
    """(f x g);swap = swap;(g x f)."""
    (f,), point, cotangent = path(draw, 2)
    (g,), other_point, other_cotangent = path(draw, 2)
    left = of.compose(of.tensor(f, g), of.swap())
    right = of.compose(of.swap(), of.tensor(g, f))
    require_equal(left, right, (point(), other_point()), (other_cotangent(), cotangent()))


def symmetry_is_an_involution(of: LensOperations, draw: Draw) -> None:
    """swap;swap = 1."""
    a, b, c, d = sizes(draw, 4)
    twice = of.compose(of.swap(), of.swap())
    require_equal(twice, of.identity(), (vector(draw, a), vector(draw, b)), (vector(draw, c), vector(draw, d)))


def associator_is_natural(of: LensOperations, draw: Draw) -> None:
    """((f x g) x h);assoc = assoc;(f x (g x h))."""
    (f,), a, x = path(draw, 2)
    (g,), b, y = path(draw, 2)
    (h,), c, z = path(draw, 2)
    left = of.compose(of.tensor(of.tensor(f, g), h), of.associator())
    right = of.compose(of.associator(), of.tensor(f, of.tensor(g, h)))
    require_equal(left, right, ((a(), b()), c()), (x(), (y(), z())))


def pentagon(of: LensOperations, draw: Draw) -> None:
    """assoc;assoc = (assoc x 1);assoc;(1 x assoc)."""
    a, b, c, d, *dual = (vector(draw, n) for n in sizes(draw, 8))
    one, assoc = of.identity(), of.associator()
    short = of.compose(assoc, assoc)
    long = of.compose(of.compose(of.tensor(assoc, one), assoc), of.tensor(one, assoc))
    require_equal(short, long, (((a, b), c), d), (dual[0], (dual[1], (dual[2], dual[3]))))


def hexagon(of: LensOperations, draw: Draw) -> None:
    """assoc;swap;assoc = (swap x 1);assoc;(1 x swap)."""
    a, b, c, x, y, z = (vector(draw, n) for n in sizes(draw, 6))
    one, assoc, swap = of.identity(), of.associator(), of.swap()
    left = of.compose(of.compose(assoc, swap), assoc)
    right = of.compose(of.compose(of.tensor(swap, one), assoc), of.tensor(one, swap))
    require_equal(left, right, ((a, b), c), (y, (z, x)))


def reverse_is_a_functor(of: LensOperations, draw: Draw) -> None:
    """R[f;g] = R[f];R[g] (RD.5), R[1] = 1 (RD.3), R[f x g] = R[f] x R[g]."""
    n, m, k = sizes(draw, 3)
    f, g = polynomial(draw, n, m), polynomial(draw, m, k)
    a, b, c, d = vector(draw, n), vector(draw, m), vector(draw, k), vector(draw, m)
    require_equal(of.compose(R(f), R(g)), R(f.then(g)), a, c)
    require_equal(of.identity(), R(projection(n, range(n))), a, a)
    beside, together = of.tensor(R(f), R(g)), R(product(f, g))
    value, whole = joined(beside.get((a, b))), together.get(joined((a, b)))
    require(value == whole, "the gets differ", left=value, right=whole)
    pulled, expected = joined(beside.put((a, b), (d, c))), together.put(joined((a, b)), joined((d, c)))
    require(pulled == expected, "the puts differ", left=pulled, right=expected)


def composition_has_an_order(of: LensOperations, draw: Draw) -> None:
    """f;g is first f, then g. On maps A -> A, where no type tells the orders apart."""
    n = size(draw)
    f, g = polynomial(draw, n, n), polynomial(draw, n, n)
    require_equal(of.compose(R(f), R(g)), R(f.then(g)), vector(draw, n), vector(draw, n))


def copy_adds(of: LensOperations, draw: Draw) -> None:
    """R[<1, 1>](a, (b, c)) = b + c (RD.4): copy puts the sum."""
    n = size(draw)
    delta = pairing(projection(n, range(n)), projection(n, range(n)))
    a, b, c = vector(draw, n), vector(draw, n), vector(draw, n)
    pulled, expected = of.copy().put(a, (b, c)), R(delta).put(a, joined((b, c)))
    require(pulled == expected, "a cotangent is lost at a copy", cotangent=(b, c), put=pulled, expected=expected)


LENS_SOURCE = "arXiv:2103.01931, Definition 2.4 and Proposition 2.7"

LAWS: tuple[Law[LensOperations], ...] = (
    Law(
        "lens-associativity",
        "(f;g);h = f;(g;h)",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        associativity,
        {"put at the wrong point": replace(LENSES, compose=planted.compose_at_the_value)},
    ),
    Law(
        "lens-units",
        "1;f = f = f;1",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        units,
        {"put at the wrong point": replace(LENSES, compose=planted.compose_at_the_value)},
    ),
    Law(
        "lens-interchange",
        "(f x g);(h x k) = (f;h) x (g;k)",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        interchange,
        {"crossed cotangents": replace(LENSES, tensor=planted.tensor_crossed)},
    ),
    Law(
        "lens-symmetry-natural",
        "(f x g);swap = swap;(g x f)",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        symmetry_is_natural,
        {"one cotangent twice": replace(LENSES, swap=planted.swap_one_twice)},
    ),
    Law(
        "lens-symmetry-involution",
        "swap;swap = 1",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        symmetry_is_an_involution,
        {"one cotangent twice": replace(LENSES, swap=planted.swap_one_twice)},
    ),
    Law(
        "lens-associator-natural",
        "((f x g) x h);assoc = assoc;(f x (g x h))",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        associator_is_natural,
        {"crossed cotangents": replace(LENSES, associator=planted.associator_crossed)},
    ),
    Law(
        "lens-pentagon",
        "assoc;assoc = (assoc x 1);assoc;(1 x assoc)",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        pentagon,
        {"crossed cotangents": replace(LENSES, associator=planted.associator_crossed)},
    ),
    Law(
        "lens-hexagon",
        "assoc;swap;assoc = (swap x 1);assoc;(1 x swap)",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        hexagon,
        {"one cotangent twice": replace(LENSES, swap=planted.swap_one_twice)},
    ),
    Law(
        "reverse-functor",
        "R[f;g] = R[f];R[g], R[1] = 1, R[f x g] = R[f] x R[g]",
        "arXiv:2103.01931, Proposition 2.7 (RD.3, RD.5)",
        Grade.EXACT,
        LENSES,
        reverse_is_a_functor,
        {
            "put at the wrong point": replace(LENSES, compose=planted.compose_at_the_value),
            "crossed cotangents": replace(LENSES, tensor=planted.tensor_crossed),
        },
    ),
    Law(
        "composition-order",
        "f;g is first f, then g, and its put is first g*, then f*",
        "arXiv:2103.01931, Definition 2.4",
        Grade.EXACT,
        LENSES,
        composition_has_an_order,
        {
            "composition order": replace(LENSES, compose=planted.compose_backwards),
            "put at the wrong point": replace(LENSES, compose=planted.compose_at_the_value),
        },
    ),
    Law(
        "copy-adds",
        "R[<1, 1>](a, (b, c)) = b + c",
        "arXiv:2103.01931, Definition 2.6 (RD.4)",
        Grade.EXACT,
        LENSES,
        copy_adds,
        {"missing sum at a copy": replace(LENSES, copy=planted.copy_left)},
    ),
)
