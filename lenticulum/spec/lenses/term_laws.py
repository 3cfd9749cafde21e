"""Laws of the reverse derivative on terms: a composite against its parts, exactly, over the rationals."""

from __future__ import annotations

from fractions import Fraction

from lenticulum.numbers import ExactArray, vjp
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data, add, leaves_of, map_data, rebuild
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses import planted_puts
from lenticulum.spec.lenses.planted_puts import Put
from lenticulum.spec.lenses.term_cases import data, parameters, wiring
from lenticulum.spec.put import put
from lenticulum.terms import Mode, Space, Term, Tree, map_leaves


def whole_put(term: Term, x: Data, parameters: Tree, state: Tree, cotangent: Data) -> tuple[Tree, Data]:
    """The reverse derivative of the whole of `apply` by one tape, the term not taken apart.

    The state, which is exact here, goes onto the tape too, and its cotangents are dropped.
    """
    inputs = [*parameters.leaves(), *state.leaves(), *leaves_of(x)]

    def forward(*leaves: ExactArray) -> tuple[ExactArray, ...]:
        remaining = list(leaves)
        taped, constant = (map_leaves(lambda _: remaining.pop(0), tree) for tree in (parameters, state))
        y, _ = apply(term, rebuild(x, remaining), taped, constant, Mode.EVAL, None)
        return tuple(leaves_of(y))

    _, pull = vjp(forward, *inputs)
    pulled = list(pull(tuple(leaves_of(cotangent))))
    parameters_cotangent, _ = (map_leaves(lambda _: pulled.pop(0), tree) for tree in (parameters, state))
    return parameters_cotangent, rebuild(x, pulled)


def case(draw: Draw) -> tuple[Term, Data, Tree, Tree, Data, Data]:
    """A random wiring, a point of it, and two cotangents."""
    source: Space = draw.choice([1, 2, 3, (2, 2), (1, 2), ((1, 2), 2)])
    term, target = wiring(draw, source)
    batch = draw.choice([(), (2,), (3,)])
    x, p = data(draw, source, batch), parameters(draw, term)
    return term, x, p, term.state_shapes(), data(draw, target, batch), data(draw, target, batch)


def put_of_the_parts_is_the_put_of_the_whole(of: Put, draw: Draw) -> None:
    """The put composed of the puts of the parts = the tape of the whole `apply`."""
    term, x, p, state, cotangent, _ = case(draw)
    composed, whole = of(term, x, p, state, Mode.EVAL, None, cotangent), whole_put(term, x, p, state, cotangent)
    require(composed == whole, "the composed put differs from the whole", term=term, x=x, put=composed, whole=whole)


def put_is_linear_in_the_cotangent(of: Put, draw: Draw) -> None:
    """put(x, k c + d) = k put(x, c) + put(x, d) for rational k."""
    term, x, p, state, c, d = case(draw)
    k = fraction(draw)

    def pulled(cotangent: Data) -> tuple[Tree, Data]:
        return of(term, x, p, state, Mode.EVAL, None, cotangent)

    (p_c, x_c), (p_d, x_d) = pulled(c), pulled(d)
    combined = pulled(add(_scaled(k, c), d))
    expected = map_leaves(lambda one, other: one * k + other, p_c, p_d), add(_scaled(k, x_c), x_d)
    require(combined == expected, "put is not linear", term=term, x=x, k=k, put=combined, expected=expected)


def _scaled(k: Fraction, x: Data) -> Data:
    def scale(leaf: ExactArray) -> ExactArray:
        return leaf * k

    return map_data(scale, x)


LAWS: tuple[Law[Put], ...] = (
    Law(
        "put-functoriality",
        "the put composed of the puts of the parts is the reverse derivative of the whole",
        "arXiv:2103.01931, Proposition 2.7 and equation (8)",
        Grade.EXACT,
        put,
        put_of_the_parts_is_the_put_of_the_whole,
        {
            "missing sum at a copy": planted_puts.missing_sum_at_a_copy,
            "put at the wrong point": planted_puts.put_at_the_wrong_point,
            "transposed Jacobian": planted_puts.transposed_jacobian,
            "tied gradient taken once": planted_puts.tied_gradient_taken_once,
        },
    ),
    Law(
        "put-linear",
        "put(x, k c + d) = k put(x, c) + put(x, d) for rational k",
        "arXiv:2103.01931, Definition 2.6 (RD.2)",
        Grade.EXACT,
        put,
        put_is_linear_in_the_cotangent,
        {"quadratic in the cotangent": planted_puts.quadratic_in_the_cotangent},
    ),
)
