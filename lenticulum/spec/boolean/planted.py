"""Planted mistakes about Boolean functions and circuits, each of which a law must reject."""

from __future__ import annotations

from lenticulum.spec.boolean.anf import Anf, lifted, reduce
from lenticulum.spec.boolean.circuit import Circuit
from lenticulum.spec.boolean.table import Bits, Table, difference, points
from lenticulum.spec.lenses.polynomial import PolynomialMap, reverse


def squares_dropped(f: PolynomialMap) -> Anf:
    """x^2 = 0 for x^2 = x."""
    kept = tuple({e: c for e, c in terms.items() if max(e, default=0) < 2} for terms in f.components)
    return reduce(PolynomialMap(f.source, kept, f.modulus))


def equal_products_merged(f: PolynomialMap) -> Anf:
    """x + x^2 = x: terms that become equal are kept once and not cancelled."""
    return Anf(
        f.source, tuple(frozenset(frozenset(i for i, n in enumerate(e) if n) for e in terms) for terms in f.components)
    )


def constant_forgotten(f: PolynomialMap) -> Anf:
    """The term without variables is lost."""
    right = reduce(f)
    return Anf(f.source, tuple(frozenset(product for product in each if product) for each in right.components))


def values_for_coefficients(f: Table) -> Anf:
    """The minterms read as products: right at 0 and 1, wrong in between."""
    return Anf(
        f.source,
        tuple(
            frozenset(frozenset(i for i, bit in enumerate(x) if bit) for x in points(f.source) if f(x)[j])
            for j in range(f.target)
        ),
    )


def reverse_of_the_reduced(f: PolynomialMap) -> PolynomialMap:
    """R[lifted(reduce f)]: one function, one derivative."""
    return reverse(lifted(reduce(f)))


def flipped_value(f: Table, variable: int) -> Table:
    """f(x + e_i) without f(x)."""
    return Table.of(f.source, lambda x: f((*x[:variable], 1 - x[variable], *x[variable + 1 :])))


def next_variable(f: Table, variable: int) -> Table:
    """The difference in the next variable."""
    return difference(f, (variable + 1) % f.source)


def zero_difference(f: Table) -> Table:
    """R[f] = 0, which obeys every chain rule."""
    return Table.of(f.source + f.target, lambda xy: (0,) * f.source)


def reverse_of_flipped_values(f: Table) -> Table:
    """The brute-force reverse with f(x + e_i) for the difference."""
    flipped = [flipped_value(f, i) for i in range(f.source)]

    def pulled(xy: Bits) -> Bits:
        x, y = xy[: f.source], xy[f.source :]
        return tuple(sum(d * bit for d, bit in zip(each(x), y, strict=True)) % 2 for each in flipped)

    return Table.of(f.source + f.target, pulled)


COPY_FIRST_USE = Circuit(1, 2, lambda x: (x[0], x[0]), lambda x, d: (d[0],))
XOR_FIRST_ONLY = Circuit(2, 1, lambda x: (x[0] + x[1],), lambda x, d: (d[0], d[0] * 0))
AND_OWN_FACTOR = Circuit(2, 1, lambda x: (x[0] * x[1],), lambda x, d: (x[0] * d[0], x[1] * d[0]))
NOT_NEGATES = Circuit(1, 1, lambda x: (x[0] + 1,), lambda x, d: (d[0] + 1,))
DISCARD_ONE = Circuit(1, 0, lambda x: (), lambda x, d: (x[0] * 0 + 1,))
SWAP_STRAIGHT = Circuit(2, 2, lambda x: (x[1], x[0]), lambda x, d: d)


def forgetful_step(circuit: Circuit, parameters: Bits, x: Bits, y: Bits) -> Bits:
    """The prediction for the error: y is never compared."""
    change = circuit.reverse((*parameters, *x), circuit((*parameters, *x)))[: len(parameters)]
    return tuple((p + d) % 2 for p, d in zip(parameters, change, strict=True))


def replacing_step(circuit: Circuit, parameters: Bits, x: Bits, y: Bits) -> Bits:
    """The change for the next parameters: p' and not p + p'."""
    error = tuple((a + b) % 2 for a, b in zip(y, circuit((*parameters, *x)), strict=True))
    return circuit.reverse((*parameters, *x), error)[: len(parameters)]
