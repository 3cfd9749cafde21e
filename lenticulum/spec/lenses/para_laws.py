"""Laws of parametric lenses: composition, tensor, reparametrisation, tying.

Source: arXiv:2103.01931, Definitions 2.1, 2.3 and 2.5.
"""

from __future__ import annotations

from dataclasses import replace

from lenticulum.numbers import Rational
from lenticulum.spec.data import add, both
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses import para, planted
from lenticulum.spec.lenses.algebra import LENSES, PARA, ParaOperations
from lenticulum.spec.lenses.cases import polynomial, size, sizes, unlawful, unlawful_parametric, vector
from lenticulum.spec.lenses.lens import Lens, inverse_associator, isomorphism
from lenticulum.spec.lenses.lens_laws import R, require_equal
from lenticulum.spec.lenses.polynomial import (
    PolynomialMap,
    joined,
    one_array,
    pairing,
    parametric,
    product,
    projection,
    reverse,
)


def parameters_come_later_first(of: ParaOperations, draw: Draw) -> None:
    """h((q, p), a) = g(q, f(p, a)), and R[h] likewise. P and Q have one size, so that no type tells them apart."""
    a, b, c = sizes(draw, 3)
    n = size(draw)
    f, g = polynomial(draw, n + a, b), polynomial(draw, n + b, c)
    variables = n + n + a
    q_of, pa_of = projection(variables, range(n)), projection(variables, range(n, variables))
    h = pairing(q_of, pa_of.then(f)).then(g)
    composite = of.compose(parametric_reverse(f), parametric_reverse(g))
    q, p, x, cotangent = vector(draw, n), vector(draw, n), vector(draw, a), vector(draw, c)
    value, expected = composite.get(((q, p), x)), h(joined((q, p, x)))
    require(value == expected, "the get differs from g(q, f(p, a))", q=q, p=p, a=x, get=value, expected=expected)
    pulled, whole = composite.put(((q, p), x), cotangent), R(h).put(joined((q, p, x)), cotangent)
    require(joined(pulled) == whole, "the put differs from R[h]", q=q, p=p, a=x, put=pulled, expected=whole)


def para_associativity(of: ParaOperations, draw: Draw) -> None:
    """(f;g);h = assoc*(f;(g;h)), after (r, (q, p)) -> ((r, q), p) on parameters."""
    (f, g, h), (p, q, r), a, cotangent = para_path(draw)
    left = of.compose(of.compose(f, g), h)
    right = of.reparametrise(of.compose(f, of.compose(g, h)), inverse_associator())
    require_equal(left, right, ((r, (q, p)), a), cotangent)


def para_associativity_is_not_on_the_nose(of: ParaOperations, draw: Draw) -> None:
    """(f;g);h has the parameter (r, (q, p)), f;(g;h) has ((r, q), p); flattened they are one."""
    (f, g, h), (p, q, r), a, cotangent = para_path(draw)
    to_left, _ = both(of.compose(of.compose(f, g), h).put(((r, (q, p)), a), cotangent), "put")
    to_right, _ = both(of.compose(f, of.compose(g, h)).put((((r, q), p), a), cotangent), "put")
    require(to_left != to_right, "the two nestings have one parameter tree", left=to_left, right=to_right)
    one, other = para.flatten(to_left), para.flatten(to_right)
    require(one == other, "the flattened parameters differ", left=one, right=other)


def para_tensor_routes_by_one_symmetry(of: ParaOperations, draw: Draw) -> None:
    """((p, q), (a, b)) -> (f(p, a), g(q, b)), and the put likewise."""
    p_size, a_size, q_size, b_size, m, k = sizes(draw, 6)
    f, g = polynomial(draw, p_size + a_size, m), polynomial(draw, q_size + b_size, k)
    p, a, q, b = vector(draw, p_size), vector(draw, a_size), vector(draw, q_size), vector(draw, b_size)
    c, d = vector(draw, m), vector(draw, k)
    beside = of.tensor(parametric_reverse(f), parametric_reverse(g))
    value, expected = beside.get(((p, q), (a, b))), (f(joined((p, a))), g(joined((q, b))))
    require(value == expected, "the gets differ", get=value, expected=expected)
    pulled = beside.put(((p, q), (a, b)), (c, d))
    (to_p, to_a), (to_q, to_b) = parametric_reverse(f).put((p, a), c), parametric_reverse(g).put((q, b), d)
    require(pulled == ((to_p, to_q), (to_a, to_b)), "the puts differ", put=pulled)


def reparametrisation_is_an_action(of: ParaOperations, draw: Draw) -> None:
    """1* f = f, and (s;r)* f = s*(r* f)."""
    p, q, t, a, b = sizes(draw, 5)
    f = unlawful_parametric(draw, p, a, b)
    r, s = unlawful(draw, q, q, p, p), unlawful(draw, t, t, q, q)
    x, cotangent = vector(draw, a), vector(draw, b)
    require_equal(of.reparametrise(f, LENSES.identity()), f, (vector(draw, p), x), cotangent)
    both_at_once = of.reparametrise(f, LENSES.compose(s, r))
    one_by_one = of.reparametrise(of.reparametrise(f, r), s)
    require_equal(both_at_once, one_by_one, (vector(draw, t), x), cotangent)


def reparametrisation_exchanges_with_composition(of: ParaOperations, draw: Draw) -> None:
    """(r* f);(s* g) = (s x r)*(f;g): the tensor is later first again."""
    p, q, p_new, q_new, a, b, c = sizes(draw, 7)
    f, g = unlawful_parametric(draw, p, a, b), unlawful_parametric(draw, q, b, c)
    r, s = unlawful(draw, p_new, p_new, p, p), unlawful(draw, q_new, q_new, q, q)
    left = of.compose(of.reparametrise(f, r), of.reparametrise(g, s))
    right = of.reparametrise(of.compose(f, g), LENSES.tensor(s, r))
    point = ((vector(draw, q_new), vector(draw, p_new)), vector(draw, a))
    require_equal(left, right, point, vector(draw, c))


def reverse_commutes_with_reparametrisation(of: ParaOperations, draw: Draw) -> None:
    """R[r* f] = R[r]* R[f]."""
    p, q, a, b = sizes(draw, 4)
    f, r = polynomial(draw, p + a, b), polynomial(draw, q, p)
    whole = product(r, projection(a, range(a))).then(f)
    point = (vector(draw, q), vector(draw, a))
    require_equal(of.reparametrise(parametric_reverse(f), R(r)), parametric_reverse(whole), point, vector(draw, b))


def tying_adds(of: ParaOperations, draw: Draw) -> None:
    """The cotangent of a tied parameter is the sum over its uses, and so R of the tied map."""
    n, a, b = sizes(draw, 3)
    f = polynomial(draw, n + n + a, b)
    on_pairs = of.reparametrise(parametric_reverse(f), join(n))
    p, x, cotangent = vector(draw, n), vector(draw, a), vector(draw, b)
    uses, to_x = both(on_pairs.put(((p, p), x), cotangent), "put")
    tied = of.reparametrise(on_pairs, of.tie()).put((p, x), cotangent)
    require(tied == (add(*both(uses, "uses")), to_x), "the tied cotangent is not the sum", uses=uses, tied=tied)
    p_of, a_of = projection(n + a, range(n)), projection(n + a, range(n, n + a))
    whole = parametric_reverse(pairing(p_of, p_of, a_of).then(f)).put((p, x), cotangent)
    require(tied == whole, "the tied cotangent differs from R of the tied map", tied=tied, expected=whole)


def para_path(draw: Draw) -> tuple[list[Lens], list[Rational], Rational, Rational]:
    """Three composable unlawful parametric lenses, their parameters, a point and a cotangent."""
    objects, parameters = sizes(draw, 4), sizes(draw, 3)
    lenses = [unlawful_parametric(draw, parameters[i], objects[i], objects[i + 1]) for i in range(3)]
    return lenses, [vector(draw, n) for n in parameters], vector(draw, objects[0]), vector(draw, objects[3])


def parametric_reverse(f: PolynomialMap) -> Lens:
    """Para(R) : f -> (f, R[f]) as a parametric lens (equation 8)."""
    return parametric(f, reverse(f))


def join(first: int) -> Lens:
    """(x, y) -> x ++ y, where x has this many entries."""
    return isomorphism(joined, lambda c: (one_array(c)[:first], one_array(c)[first:]))


PARA_SOURCE = "arXiv:2103.01931, Definitions 2.1, 2.3, 2.5 and equation (8)"

LAWS: tuple[Law[ParaOperations], ...] = (
    Law(
        "para-later-first",
        "h((q, p), a) = g(q, f(p, a)), and R[h] likewise",
        "arXiv:2103.01931, Definition 2.1 and equation (8)",
        Grade.EXACT,
        PARA,
        parameters_come_later_first,
        {
            "swapped parameter order": replace(PARA, compose=planted.para_compose_earlier_first),
            "put at the wrong point": replace(PARA, compose=planted.para_compose_at_the_value),
        },
    ),
    Law(
        "para-associativity",
        "(f;g);h = assoc*(f;(g;h)) for assoc : (r, (q, p)) -> ((r, q), p)",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        para_associativity,
        {"put at the wrong point": replace(PARA, compose=planted.para_compose_at_the_value)},
    ),
    Law(
        "para-associativity-not-on-the-nose",
        "(f;g);h and f;(g;h) have different parameter trees, which flatten to one",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        para_associativity_is_not_on_the_nose,
        {"nesting forgotten": replace(PARA, compose=planted.para_compose_flattened)},
    ),
    Law(
        "para-tensor",
        "((p, q), (a, b)) -> (f(p, a), g(q, b)), and the put likewise",
        "derived by hand from arXiv:2103.01931, Definitions 2.1 and 2.5, with one symmetry",
        Grade.EXACT,
        PARA,
        para_tensor_routes_by_one_symmetry,
        {"swapped parameter order": replace(PARA, tensor=planted.para_tensor_crossed)},
    ),
    Law(
        "reparametrisation-action",
        "1*f = f, (s;r)*f = s*(r*f)",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        reparametrisation_is_an_action,
        {"put at the wrong point": replace(PARA, reparametrise=planted.reparametrise_at_the_value)},
    ),
    Law(
        "reparametrisation-exchange",
        "(r*f);(s*g) = (s x r)*(f;g)",
        "derived by hand from arXiv:2103.01931, Definitions 2.1 and 2.3",
        Grade.EXACT,
        PARA,
        reparametrisation_exchanges_with_composition,
        {"put at the wrong point": replace(PARA, reparametrise=planted.reparametrise_at_the_value)},
    ),
    Law(
        "reverse-reparametrisation",
        "R[r*f] = R[r]*R[f]",
        "derived by hand from arXiv:2103.01931, Definition 2.3 and Proposition 2.7",
        Grade.EXACT,
        PARA,
        reverse_commutes_with_reparametrisation,
        {"put at the wrong point": replace(PARA, reparametrise=planted.reparametrise_at_the_value)},
    ),
    Law(
        "tying-adds",
        "(Delta*f)*(p, a, b') = (x' + y', a') where (x', y') are the cotangents of the two uses",
        "arXiv:2103.01931, Definition 2.5, reparametrised by the copy lens (Delta, +) of RD.4",
        Grade.EXACT,
        PARA,
        tying_adds,
        {"tied gradient taken once": replace(PARA, tie=planted.copy_left)},
    ),
)
