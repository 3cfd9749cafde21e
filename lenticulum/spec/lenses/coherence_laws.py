"""Coherence of lenses and parametric lenses: units, inverses of the associator, and the interchange of 2-cells.

The 2-cells of Para are reparametrisations: one after the other they compose as lenses, and beside f;g they go by
s x r, later first (arXiv:2103.01931, Definition 2.3).
"""

from __future__ import annotations

from dataclasses import replace

from lenticulum.spec.data import Data, both
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses import para, planted
from lenticulum.spec.lenses.algebra import LENSES, PARA, LensOperations, ParaOperations
from lenticulum.spec.lenses.cases import path, sizes, unlawful, unlawful_parametric, vector
from lenticulum.spec.lenses.lens import Lens, isomorphism
from lenticulum.spec.lenses.lens_laws import require_equal
from lenticulum.spec.lenses.para_laws import para_path


def triangle(of: LensOperations, draw: Draw) -> None:
    """assoc;(1 x left unitor) = right unitor x 1 on ((x, ()), y)."""
    x, y, c, d = (vector(draw, n) for n in sizes(draw, 4))
    left = of.compose(of.associator(), of.tensor(of.identity(), of.left_unitor()))
    right = of.tensor(of.right_unitor(), of.identity())
    require_equal(left, right, ((x, ()), y), (c, d))


def unitors_are_natural(of: LensOperations, draw: Draw) -> None:
    """(1 x f);left unitor = left unitor;f on ((), x), and likewise on the right."""
    (f,), point, cotangent = path(draw, 2)
    x, c, one = point(), cotangent(), of.identity()
    left, right = of.left_unitor(), of.right_unitor()
    require_equal(of.compose(of.tensor(one, f), left), of.compose(left, f), ((), x), c)
    require_equal(of.compose(of.tensor(f, one), right), of.compose(right, f), (x, ()), c)


def associator_has_an_inverse(of: LensOperations, draw: Draw) -> None:
    """assoc;assoc^-1 = 1 and assoc^-1;assoc = 1."""
    x, y, z, c, d, e = (vector(draw, n) for n in sizes(draw, 6))
    there, back = of.associator(), of.inverse_associator()
    require_equal(of.compose(there, back), of.identity(), ((x, y), z), ((c, d), e))
    require_equal(of.compose(back, there), of.identity(), (x, (y, z)), (c, (d, e)))


def tensor_keeps_identities(of: LensOperations, draw: Draw) -> None:
    """1 x 1 = 1."""
    x, y, c, d = (vector(draw, n) for n in sizes(draw, 4))
    require_equal(of.tensor(of.identity(), of.identity()), of.identity(), (x, y), (c, d))


def para_units(of: ParaOperations, draw: Draw) -> None:
    """1;f and f;1 are f after a unitor on parameters: (p, ()) and ((), p) for p."""
    p, a, b = sizes(draw, 3)
    f, one = unlawful_parametric(draw, p, a, b), of.unparametrised(LENSES.identity())
    at, x, c = vector(draw, p), vector(draw, a), vector(draw, b)
    before = of.reparametrise(f, LENSES.right_unitor())
    require_equal(of.compose(one, f), before, ((at, ()), x), c)
    after = of.reparametrise(f, LENSES.left_unitor())
    require_equal(of.compose(f, one), after, (((), at), x), c)


def two_cells_interchange(of: ParaOperations, draw: Draw) -> None:
    """((r';r)* f);((s';s)* g) = (s' x r')*((s x r)*(f;g)): vertical and horizontal composition commute."""
    p, q, p1, q1, p2, q2, a, b, c = sizes(draw, 9)
    f, g = unlawful_parametric(draw, p, a, b), unlawful_parametric(draw, q, b, c)
    r, s = unlawful(draw, p1, p1, p, p), unlawful(draw, q1, q1, q, q)
    r1, s1 = unlawful(draw, p2, p2, p1, p1), unlawful(draw, q2, q2, q1, q1)
    one = of.compose(of.reparametrise(f, LENSES.compose(r1, r)), of.reparametrise(g, LENSES.compose(s1, s)))
    beside = of.reparametrise(of.compose(f, g), LENSES.tensor(s, r))
    other = of.reparametrise(beside, LENSES.tensor(s1, r1))
    require_equal(one, other, ((vector(draw, q2), vector(draw, p2)), vector(draw, a)), vector(draw, c))


def two_cells_whisker(of: ParaOperations, draw: Draw) -> None:
    """(r* f);g = (1 x r)*(f;g) and f;(s* g) = (s x 1)*(f;g)."""
    p, q, p1, q1, a, b, c = sizes(draw, 7)
    f, g = unlawful_parametric(draw, p, a, b), unlawful_parametric(draw, q, b, c)
    r, s, one = unlawful(draw, p1, p1, p, p), unlawful(draw, q1, q1, q, q), LENSES.identity()
    at_p, at_q, x, d = vector(draw, p), vector(draw, q), vector(draw, a), vector(draw, c)
    left = of.compose(of.reparametrise(f, r), g)
    require_equal(left, of.reparametrise(of.compose(f, g), LENSES.tensor(one, r)), ((at_q, vector(draw, p1)), x), d)
    right = of.compose(f, of.reparametrise(g, s))
    require_equal(right, of.reparametrise(of.compose(f, g), LENSES.tensor(s, one)), ((vector(draw, q1), at_p), x), d)


def two_cells_beside(of: ParaOperations, draw: Draw) -> None:
    """(r* f) x (s* g) = (r x s)*(f x g): beside each other, parameters go from left to right."""
    p, q, p1, q1, a, b, m, k = sizes(draw, 8)
    f, g = unlawful_parametric(draw, p, a, m), unlawful_parametric(draw, q, b, k)
    r, s = unlawful(draw, p1, p1, p, p), unlawful(draw, q1, q1, q, q)
    left = of.tensor(of.reparametrise(f, r), of.reparametrise(g, s))
    right = of.reparametrise(of.tensor(f, g), LENSES.tensor(r, s))
    point = ((vector(draw, p1), vector(draw, q1)), (vector(draw, a), vector(draw, b)))
    require_equal(left, right, point, (vector(draw, m), vector(draw, k)))


def para_interchange(of: ParaOperations, draw: Draw) -> None:
    """(f x g);(h x k) = m*((f;h) x (g;k)) for the middle exchange m : ((h, k), (f, g)) -> ((h, f), (k, g))."""
    a, b, c, a1, b1, c1, *parameters = sizes(draw, 10)
    f_size, h_size, g_size, k_size = parameters
    f, h = unlawful_parametric(draw, f_size, a, b), unlawful_parametric(draw, h_size, b, c)
    g, k = unlawful_parametric(draw, g_size, a1, b1), unlawful_parametric(draw, k_size, b1, c1)
    left = of.compose(of.tensor(f, g), of.tensor(h, k))
    right = of.reparametrise(of.tensor(of.compose(f, h), of.compose(g, k)), isomorphism(_exchanged, _exchanged))
    at_f, at_h, at_g, at_k = (vector(draw, n) for n in parameters)
    point = (((at_h, at_k), (at_f, at_g)), (vector(draw, a), vector(draw, a1)))
    require_equal(left, right, point, (vector(draw, c), vector(draw, c1)))


def normal_form_of_parameters(of: ParaOperations, draw: Draw) -> None:
    """flatten gives (r, q, p) for both nestings of f;g;h, later first, and is idempotent."""
    (f, g, h), (p, q, r), a, cotangent = para_path(draw)
    to_left, _ = both(of.compose(of.compose(f, g), h).put(((r, (q, p)), a), cotangent), "put")
    to_right, _ = both(of.compose(f, of.compose(g, h)).put((((r, q), p), a), cotangent), "put")
    one, other = of.flatten(to_left), of.flatten(to_right)
    require(one == other, "the nestings have two normal forms", left=one, right=other)
    require(of.flatten(one) == one, "the normal form has another", once=one, twice=of.flatten(one))
    order = of.flatten((r, (q, p)))
    require(order == (r, q, p), "the order is another", given=(r, (q, p)), flattened=order)


def _exchanged(nested: Data) -> Data:
    """((w, x), (y, z)) -> ((w, y), (x, z)), its own inverse."""
    one, other = both(nested, "exchange")
    (w, x), (y, z) = both(one, "exchange"), both(other, "exchange")
    return (w, y), (x, z)


def _unitor_scaling() -> Lens:
    """A unitor that is natural in no direction: the cotangent comes back doubled."""
    return Lens(LENSES.left_unitor().get, lambda pair, x: ((), _doubled(x)))


def _doubled(x: Data) -> Data:
    return tuple(map(_doubled, x)) if isinstance(x, tuple) else x + x


def _flatten_backwards(parameters: Data) -> tuple[Data, ...]:
    return para.flatten(parameters)[::-1]


def _flatten_once(parameters: Data) -> tuple[Data, ...]:
    return parameters if isinstance(parameters, tuple) else (parameters,)


LENS_SOURCE = "arXiv:2103.01931, Definition 2.4; Mac Lane 1963 (coherence)"
PARA_SOURCE = "arXiv:2103.01931, Definitions 2.1 and 2.3; derived by hand"
AT_THE_VALUE = {"put at the wrong point": replace(PARA, reparametrise=planted.reparametrise_at_the_value)}

LAWS: tuple[Law[LensOperations] | Law[ParaOperations], ...] = (
    Law(
        "lens-triangle",
        "assoc;(1 x left unitor) = right unitor x 1",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        triangle,
        {"unitor doubles": replace(LENSES, left_unitor=_unitor_scaling)},
    ),
    Law(
        "lens-unitors-natural",
        "(1 x f);left unitor = left unitor;f, (f x 1);right unitor = right unitor;f",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        unitors_are_natural,
        {"unitor doubles": replace(LENSES, left_unitor=_unitor_scaling)},
    ),
    Law(
        "lens-associator-inverse",
        "assoc;assoc^-1 = 1 = assoc^-1;assoc",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        associator_has_an_inverse,
        {"crossed cotangents": replace(LENSES, associator=planted.associator_crossed)},
    ),
    Law(
        "lens-tensor-identity",
        "1 x 1 = 1",
        LENS_SOURCE,
        Grade.EXACT,
        LENSES,
        tensor_keeps_identities,
        {"crossed cotangents": replace(LENSES, tensor=planted.tensor_crossed)},
    ),
    Law(
        "para-units",
        "1;f = (right unitor)*f, f;1 = (left unitor)*f",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        para_units,
        {"put at the wrong point": replace(PARA, compose=planted.para_compose_at_the_value)},
    ),
    Law(
        "two-cells-interchange",
        "((r';r)*f);((s';s)*g) = (s' x r')*((s x r)*(f;g))",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        two_cells_interchange,
        AT_THE_VALUE,
    ),
    Law(
        "two-cells-whiskering",
        "(r*f);g = (1 x r)*(f;g), f;(s*g) = (s x 1)*(f;g)",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        two_cells_whisker,
        {"averaged over the parameters": replace(PARA, reparametrise=planted.reparametrise_averaged)},
    ),
    Law(
        "two-cells-beside",
        "(r*f) x (s*g) = (r x s)*(f x g)",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        two_cells_beside,
        AT_THE_VALUE,
    ),
    Law(
        "para-interchange",
        "(f x g);(h x k) = m*((f;h) x (g;k)) for m : ((h, k), (f, g)) -> ((h, f), (k, g))",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        para_interchange,
        {"put at the wrong point": replace(PARA, compose=planted.para_compose_at_the_value)},
    ),
    Law(
        "para-normal-form",
        "flattened parameters are (r, q, p), later first, for every nesting; flattening is idempotent",
        PARA_SOURCE,
        Grade.EXACT,
        PARA,
        normal_form_of_parameters,
        {
            "earlier first": replace(PARA, flatten=_flatten_backwards),
            "one level only": replace(PARA, flatten=_flatten_once),
        },
    ),
)
