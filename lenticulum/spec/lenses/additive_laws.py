"""Which maps are additive: precomposition keeps sums always, postcomposition only with an additive map.

Cartesian left additive categories: Cockett et al., arXiv:1910.07065, Definition 1.
"""

from __future__ import annotations

from collections.abc import Callable

from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.cases import polynomial
from lenticulum.spec.lenses.derivative_laws import dimensions, modulus, require_same
from lenticulum.spec.lenses.polynomial import PolynomialMap, constant, projection

Additive = Callable[[PolynomialMap], bool]


def is_additive(h: PolynomialMap) -> bool:
    """Whether (x+y);h = x;h + y;h and 0;h = 0: every term is c x_i, or over Z/p also c x_i^(p^k) (Frobenius).

    >>> from lenticulum.spec.lenses.polynomial import variables
    >>> (t,), (s,) = variables(1), variables(1, 2)
    >>> is_additive(t + t), is_additive(t * t), is_additive(s * s)
    (True, False, True)
    """

    def fits(exponents: tuple[int, ...]) -> bool:
        degree = sum(exponents)
        while h.modulus and degree and degree % h.modulus == 0:
            degree //= h.modulus
        return degree == 1 and sum(1 for exponent in exponents if exponent) == 1

    return all(fits(exponents) for terms in h.components for exponents in terms)


def precomposition_keeps_sums(of: Additive, draw: Draw) -> None:
    """x;(f+g) = x;f + x;g, x;0 = 0; and (x+y);h = x;h + y;h iff h is additive, which t^2 over Q is not."""
    k = modulus(draw)
    n, m, o = dimensions(draw, 3)
    x, f, g = polynomial(draw, n, m, k), polynomial(draw, m, o, k), polynomial(draw, m, o, k)
    require_same(x.then(f + g), x.then(f) + x.then(g), x, f, g)
    require_same(x.then(constant(m, [0] * o, k)), constant(n, [0] * o, k), x)
    h = polynomial(draw, m, 1, k)
    first, second = projection(2 * m, range(m), k), projection(2 * m, range(m, 2 * m), k)
    zero = constant(0, [0] * m, k).then(h) == constant(0, [0], k)
    keeps = zero and (first + second).then(h) == first.then(h) + second.then(h)
    require(of(h) == keeps, "postcomposition keeps sums where it must not, or not where it must", h=h, keeps=keeps)


LAWS: tuple[Law[Additive], ...] = (
    Law(
        "sums-and-composition",
        "x;(f+g) = x;f + x;g always, (x+y);h = x;h + y;h iff h is additive",
        "Cockett et al., arXiv:1910.07065, Definition 1; arXiv:2103.01931, Appendix A",
        Grade.PROVED,
        is_additive,
        precomposition_keeps_sums,
        {
            "every map is additive": lambda h: True,
            "no power is additive": lambda h: all(sum(e) == 1 for terms in h.components for e in terms),
        },
    ),
)
