"""Planted mistakes about the reverse derivative of polynomial maps, each of which one of RD.1 to RD.7 must reject."""

from __future__ import annotations

from lenticulum.spec.lenses.polynomial import (
    PolynomialMap,
    constant,
    forward,
    pairing,
    partial_derivative,
    product,
    projection,
    reverse,
)


def transposed(f: PolynomialMap) -> PolynomialMap:
    """J(x) y for J(x)^T y, where f : A -> A lets it."""
    return forward(f) if f.target == f.source else reverse(f)


def one_use_only(f: PolynomialMap) -> PolynomialMap:
    """The cotangent of a variable is that of its first use; the others are not added."""
    components = list(f.components)
    parts: list[PolynomialMap] = []
    for i in range(f.source):
        uses = [j for j, terms in enumerate(components) if partial_derivative(terms, i)]
        kept = tuple(terms if j == min(uses, default=0) else {} for j, terms in enumerate(components))
        whole = reverse(PolynomialMap(f.source, kept, f.modulus))
        parts.append(PolynomialMap(whole.source, (whole.components[i],), f.modulus))
    return pairing(*parts) if parts else reverse(f)


def at_the_origin(f: PolynomialMap) -> PolynomialMap:
    """R[f](0, y) for R[f](x, y)."""
    n, m = f.source, f.target
    origin = constant(n, [0] * n, f.modulus)
    return product(origin, projection(m, range(m), f.modulus)).then(reverse(f))


def quadratic(f: PolynomialMap) -> PolynomialMap:
    """R[f](x, y^2): the put is not linear in the covector."""
    m = f.target
    y = projection(m, range(m), f.modulus)
    return product(projection(f.source, range(f.source), f.modulus), y * y).then(reverse(f))


def components_backwards(f: PolynomialMap) -> PolynomialMap:
    """The components of the cotangent in the wrong order."""
    right = reverse(f)
    return PolynomialMap(right.source, right.components[::-1], right.modulus)


def stale_first_variable(f: PolynomialMap) -> PolynomialMap:
    """All partials but the first are taken where the first variable is 0: second derivatives are not symmetric."""
    right = reverse(f)
    if not f.source:
        return right
    rest = projection(right.source, range(1, right.source), f.modulus)
    stale = pairing(constant(right.source, [0], f.modulus), rest).then(right)
    return PolynomialMap(right.source, (*right.components[:1], *stale.components[1:]), f.modulus)
