"""Parametric lenses: lenses out of a pair (parameter, input), composed later parameter first.

A parametric lens (A, A') -> (B, B') with parameters (P, P') is a lens (P x A, P' x A') -> (B, B')
(arXiv:2103.01931, Definition 2.5), so that it needs no type of its own.
"""

from __future__ import annotations

from functools import partial

from lenticulum.spec.data import Data, both
from lenticulum.spec.lenses.lens import Lens


def unparametrised(lens: Lens) -> Lens:
    """A lens as a parametric lens whose parameter is the unit ()."""
    return Lens(
        lambda point: lens.get(both(point, "unparametrised")[1]),
        lambda point, cotangent: ((), lens.put(both(point, "unparametrised")[1], cotangent)),
    )


def compose(first: Lens, second: Lens) -> Lens:
    """First f with parameter p, then g with parameter q; the composite has the parameter (q, p), later first.

    get((q, p), a)     = g(q, f(p, a))
    put((q, p), a, c') = let b = f(p, a); (q', b') = g*(q, b, c'); (p', a') = f*(p, a, b') in ((q', p'), a')

    Laws: associative after the associator on parameters, and not on the nose; exchange with reparametrisation.
    Source: arXiv:2103.01931, Definition 2.1 and equation (8).
    """
    return Lens(partial(_compose_get, first, second), partial(_compose_put, first, second))


def tensor(left: Lens, right: Lens) -> Lens:
    """((p, q), (a, b)) -> (f(p, a), g(q, b)): side by side, parameters from left to right."""
    return Lens(partial(_tensor_get, left, right), partial(_tensor_put, left, right))


def reparametrise(lens: Lens, by: Lens) -> Lens:
    """r* f for a lens r : (Q, Q') -> (P, P').

    get(q, a) = f(r(q), a);  put(q, a, b') = let (p', a') = f*(r(q), a, b') in (r*(q, p'), a')

    Tying is r = `lens.copy()`: the cotangent of the tied parameter is the sum over its uses.
    Laws: 1* f = f; (s;r)* f = s*(r* f); (r* f);(s* g) = (s x r)*(f;g). Source: arXiv:2103.01931, Definition 2.3.
    """
    return Lens(partial(_reparametrise_get, lens, by), partial(_reparametrise_put, lens, by))


def flatten(parameters: Data) -> tuple[Data, ...]:
    """The leaves of a nested parameter, left to right: one normal form for every nesting of a composite.

    >>> from lenticulum.numbers import rational
    >>> r, q, p = rational(3), rational(2), rational(1)
    >>> flatten((r, (q, p))) == flatten(((r, q), p)) == (r, q, p)
    True
    """
    if not isinstance(parameters, tuple):
        return (parameters,)
    return tuple(leaf for part in parameters for leaf in flatten(part))


def _compose_get(first: Lens, second: Lens, point: Data) -> Data:
    (q, p), a = _parameters(point)
    return second.get((q, first.get((p, a))))


def _compose_put(first: Lens, second: Lens, point: Data, cotangent: Data) -> Data:
    (q, p), a = _parameters(point)
    q_cotangent, b_cotangent = both(second.put((q, first.get((p, a))), cotangent), "compose")
    p_cotangent, a_cotangent = both(first.put((p, a), b_cotangent), "compose")
    return (q_cotangent, p_cotangent), a_cotangent


def _tensor_get(left: Lens, right: Lens, point: Data) -> Data:
    (p, q), pair = _parameters(point)
    a, b = both(pair, "tensor")
    return left.get((p, a)), right.get((q, b))


def _tensor_put(left: Lens, right: Lens, point: Data, cotangent: Data) -> Data:
    (p, q), pair = _parameters(point)
    (a, b), (c, d) = both(pair, "tensor"), both(cotangent, "tensor")
    p_cotangent, a_cotangent = both(left.put((p, a), c), "tensor")
    q_cotangent, b_cotangent = both(right.put((q, b), d), "tensor")
    return (p_cotangent, q_cotangent), (a_cotangent, b_cotangent)


def _reparametrise_get(lens: Lens, by: Lens, point: Data) -> Data:
    q, a = both(point, "reparametrise")
    return lens.get((by.get(q), a))


def _reparametrise_put(lens: Lens, by: Lens, point: Data, cotangent: Data) -> Data:
    q, a = both(point, "reparametrise")
    p_cotangent, a_cotangent = both(lens.put((by.get(q), a), cotangent), "reparametrise")
    return by.put(q, p_cotangent), a_cotangent


def _parameters(point: Data) -> tuple[tuple[Data, Data], Data]:
    """((q, p), a), checked."""
    parameters, a = both(point, "parameters")
    return both(parameters, "parameters"), a
