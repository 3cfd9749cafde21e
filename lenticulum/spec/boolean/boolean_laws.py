"""Laws of the three kinds of Boolean functions and of the maps between them; some assert that an equation fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lenticulum.spec.boolean import planted
from lenticulum.spec.boolean.anf import Anf, Monomials, lifted, reduce
from lenticulum.spec.boolean.table import (
    Table,
    composed_reverse,
    difference,
    evaluate,
    interpolate,
    points,
    reverse_difference,
    table,
)
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.cases import polynomial
from lenticulum.spec.lenses.polynomial import (
    PolynomialMap,
    constant,
    partial_derivative,
    polynomial_map,
    reverse,
    variables,
)


@dataclass(frozen=True)
class BooleanMaps:
    """The maps between polynomials, normal forms and tables, and the two candidates for a derivative."""

    reduce: Callable[[PolynomialMap], Anf] = reduce
    table: Callable[[Anf], Table] = table
    evaluate: Callable[[PolynomialMap], Table] = evaluate
    interpolate: Callable[[Table], Anf] = interpolate
    reverse: Callable[[PolynomialMap], PolynomialMap] = reverse
    difference: Callable[[Table, int], Table] = difference
    reverse_difference: Callable[[Table], Table] = reverse_difference


MAPS = BooleanMaps()


def anf(draw: Draw, source: int, target: int) -> Anf:
    """A random Boolean function, of the components of which each product of variables has every second."""
    return Anf(source, tuple(frozenset(_products(draw, source)) for _ in range(target)))


def _products(draw: Draw, source: int) -> Monomials:
    chosen = [x for x in points(source) if draw.integer(0, 1)]
    return frozenset(frozenset(i for i, bit in enumerate(x) if bit) for x in chosen)


def reduce_is_a_ring_map(of: BooleanMaps, draw: Draw) -> None:
    """reduce(f+g) = reduce f + reduce g, reduce(f g) = reduce f * reduce g, reduce 1 = 1, reduce x_i = x_i."""
    n, m = draw.integer(0, 3), draw.integer(1, 2)
    f, g = (polynomial(draw, n, m, 2, degree=3) for _ in range(2))
    require(of.reduce(f + g) == of.reduce(f) + of.reduce(g), "a sum is not kept", f=f, g=g)
    require(of.reduce(f * g) == of.reduce(f) * of.reduce(g), "a product is not kept", f=f, g=g)
    bits = [draw.integer(0, 1) for _ in range(m)]
    require(of.reduce(constant(n, bits, 2)) == Anf.constant(n, bits), "a constant is not kept", bits=bits)
    for i, x in enumerate(variables(n, 2)):
        require(of.reduce(x) == Anf.projection(n, [i]), "a variable is not kept", variable=i)


def reduce_is_onto(of: BooleanMaps, draw: Draw) -> None:
    """reduce(lifted f) = f: the multilinear polynomial represents its function."""
    f = anf(draw, draw.integer(0, 3), draw.integer(1, 2))
    require(of.reduce(lifted(f)) == f, "the multilinear representative reduces to another function", f=f)


def evaluation_factors(of: BooleanMaps, draw: Draw) -> None:
    """evaluate f = table(reduce f), and it respects composition."""
    n, m = draw.integer(1, 3), draw.integer(1, 3)
    f, g = polynomial(draw, n, m, 2, degree=3), polynomial(draw, m, 1, 2, degree=3)
    require(of.evaluate(f) == of.table(of.reduce(f)), "evaluation and reduction disagree", f=f)
    composed = of.evaluate(f.then(g))
    require(composed == of.evaluate(f).then(of.evaluate(g)), "evaluation loses composition", f=f, g=g)
    require(of.reduce(f.then(g)) == of.reduce(f).then(of.reduce(g)), "reduction loses composition", f=f, g=g)


def forms_and_tables_are_one_to_one(of: BooleanMaps, draw: Draw) -> None:
    """interpolate(table f) = f and table(interpolate t) = t."""
    f = anf(draw, draw.integer(0, 3), draw.integer(1, 2))
    require(of.interpolate(of.table(f)) == f, "a normal form is not recovered from its table", f=f)
    t = random_table(draw, f.source, 1)
    require(of.table(of.interpolate(t)) == t, "a table is not recovered from its normal form", t=t)


def reduce_is_not_compatible_with_the_reverse(of: BooleanMaps, draw: Draw) -> None:
    """x^(2k) f and x f are one function if f has no x, and their derivatives by x are 0 and f: two functions."""
    n, k = draw.integer(1, 3), draw.integer(1, 2)
    monomial = (0, *(draw.integer(0, 1) for _ in range(n - 1)))
    even, once = (polynomial_map(n, [{(power, *monomial[1:]): 1}], 2) for power in (2 * k, 1))
    require(of.reduce(even) == of.reduce(once), "x^2 and x are not one function", even=even, once=once)
    pulled, other = of.reduce(of.reverse(even)), of.reduce(of.reverse(once))
    require(pulled != other, "one function has one reverse derivative", of=(even, once), reverses=(pulled, other))


def difference_is_the_partial_of_the_multilinear(of: BooleanMaps, draw: Draw) -> None:
    """f(x + e_i) + f(x) = the formal partial of the multilinear representative of f, since it is affine in x_i."""
    f = anf(draw, draw.integer(1, 4), draw.integer(1, 2))
    i = draw.integer(0, f.source - 1)
    partials = polynomial_map(f.source, [partial_derivative(terms, i) for terms in lifted(f).components], 2)
    left, right = of.difference(table(f), i), evaluate(partials)
    require(left == right, "the difference is not the partial", f=f, variable=i, difference=left, partial=right)


def difference_violates_the_chain_rule(of: BooleanMaps, draw: Draw) -> None:
    """copy ; AND on n wires is the identity, of difference 1, while the differences compose to x + x = 0."""
    n = draw.integer(1, 2)
    copies = Table.of(n, lambda x: (*x, *x))
    ands = Table.of(2 * n, lambda x: tuple(a & b for a, b in zip(x[:n], x[n:], strict=True)))
    whole = copies.then(ands)
    require(whole == Table.of(n, lambda x: x), "copy ; AND is not the identity", wires=n)
    rev = of.reverse_difference
    direct, composed = rev(whole), composed_reverse(copies, ands, rev(copies), rev(ands))
    require(direct == Table.of(2 * n, lambda xy: xy[n:]), "the difference of the identity is not 1", reverse=direct)
    zero = Table.of(2 * n, lambda xy: (0,) * n)
    require(composed == zero, "the composed differences are not 0", composed=composed)


def difference_obeys_the_chain_rule_read_once(of: BooleanMaps, draw: Draw) -> None:
    """R[f;g](x, z) = R[f](x, R[g](f(x), z)) if each variable reaches at most one component of f."""
    f, g = read_once(draw), random_table
    after = g(draw, f.target, draw.integer(1, 2))
    rev = of.reverse_difference
    direct, composed = rev(f.then(after)), composed_reverse(f, after, rev(f), rev(after))
    require(direct == composed, "the chain rule fails", f=f, g=after, direct=direct, composed=composed)


def random_table(draw: Draw, source: int, target: int) -> Table:
    """A random function of bits."""
    values = {x: tuple(draw.integer(0, 1) for _ in range(target)) for x in points(source)}
    return Table(source, target, tuple(values.values()))


def read_once(draw: Draw) -> Table:
    """A random function each variable of which reaches one component only."""
    n, m = draw.integer(1, 3), draw.integer(1, 2)
    reached = [draw.integer(0, m - 1) for _ in range(n)]
    groups = [[i for i in range(n) if reached[i] == j] for j in range(m)]
    parts = [random_table(draw, len(group), 1) for group in groups]
    pairs = list(zip(parts, groups, strict=True))
    return Table.of(n, lambda x: tuple(part(tuple(x[i] for i in group))[0] for part, group in pairs))


SOURCE = "derived by hand from arXiv:2103.01931, Example 2.9 and section 4.2; Wilson and Zanasi, arXiv:2101.10488"

LAWS: tuple[Law[BooleanMaps], ...] = (
    Law(
        "boolean-reduce-ring-map",
        "reduce : Poly -> Anf keeps sums, products, constants and variables",
        SOURCE,
        Grade.PROVED,
        MAPS,
        reduce_is_a_ring_map,
        {
            "squares dropped": replace(MAPS, reduce=planted.squares_dropped),
            "equal products merged": replace(MAPS, reduce=planted.equal_products_merged),
        },
    ),
    Law(
        "boolean-reduce-onto",
        "reduce(lifted f) = f",
        SOURCE,
        Grade.PROVED,
        MAPS,
        reduce_is_onto,
        {"constant forgotten": replace(MAPS, reduce=planted.constant_forgotten)},
    ),
    Law(
        "boolean-evaluation",
        "evaluate = reduce ; table, and both respect composition",
        SOURCE,
        Grade.PROVED,
        MAPS,
        evaluation_factors,
        {"equal products merged": replace(MAPS, reduce=planted.equal_products_merged)},
    ),
    Law(
        "boolean-forms-and-tables",
        "interpolate(table f) = f, table(interpolate t) = t",
        SOURCE,
        Grade.PROVED,
        MAPS,
        forms_and_tables_are_one_to_one,
        {"values for coefficients": replace(MAPS, interpolate=planted.values_for_coefficients)},
    ),
    Law(
        "boolean-reduce-is-not-compatible-with-R",
        "x^2 and x are one Boolean function with two reverse derivatives, 0 and 1",
        SOURCE,
        Grade.PROVED,
        MAPS,
        reduce_is_not_compatible_with_the_reverse,
        {"the reverse of the reduced": replace(MAPS, reverse=planted.reverse_of_the_reduced)},
    ),
    Law(
        "boolean-difference-is-a-partial",
        "f(x + e_i) + f(x) = the formal partial of the multilinear representative",
        SOURCE,
        Grade.PROVED,
        MAPS,
        difference_is_the_partial_of_the_multilinear,
        {
            "the flipped value": replace(MAPS, difference=planted.flipped_value),
            "the next variable": replace(MAPS, difference=planted.next_variable),
        },
    ),
    Law(
        "boolean-difference-violates-the-chain-rule",
        "copy ; AND is the identity, of difference 1; the differences compose to x + x = 0",
        SOURCE,
        Grade.PROVED,
        MAPS,
        difference_violates_the_chain_rule,
        {"nothing depends on anything": replace(MAPS, reverse_difference=planted.zero_difference)},
    ),
    Law(
        "boolean-difference-read-once",
        "the Boolean difference obeys the chain rule where each variable reaches at most one component",
        SOURCE,
        Grade.PROVED,
        MAPS,
        difference_obeys_the_chain_rule_read_once,
        {"the flipped value": replace(MAPS, reverse_difference=planted.reverse_of_flipped_values)},
    ),
)
