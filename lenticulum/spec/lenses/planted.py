"""Planted mistakes about lenses: wrong twins of the operations, each of which a law must reject.

A mistake that a type checker would find is no test of a law. So each twin goes wrong only where the shapes let it.
"""

from __future__ import annotations

from fractions import Fraction

from lenticulum.numbers import ExactArray
from lenticulum.spec.data import Data, both, describe, leaves_of, map_data
from lenticulum.spec.lenses import lens as right
from lenticulum.spec.lenses import para
from lenticulum.spec.lenses.lens import Lens, isomorphism


def misplaced(a: Data, wrong: Data) -> Data:
    """`wrong` where it has the shape of `a`, else `a`."""
    return wrong if describe(wrong) == describe(a) else a


def compose_at_the_value(first: Lens, second: Lens) -> Lens:
    """Each part is put at its value instead of at its argument: tanh' at tanh x."""

    def put(a: Data, cotangent: Data) -> Data:
        b = first.get(a)
        return first.put(misplaced(a, b), second.put(misplaced(b, second.get(b)), cotangent))

    return Lens(lambda a: second.get(first.get(a)), put)


def compose_backwards(first: Lens, second: Lens) -> Lens:
    """First g, then f."""
    return right.compose(second, first)


def tensor_crossed(left: Lens, other: Lens) -> Lens:
    """Each half is given the cotangent of the other."""

    def put(pair: Data, cotangent: Data) -> Data:
        c, d = both(cotangent, "tensor")
        return right.tensor(left, other).put(pair, misplaced(cotangent, (d, c)))

    return Lens(right.tensor(left, other).get, put)


def swap_one_twice() -> Lens:
    """The second cotangent goes to both wires."""

    def put(pair: Data, cotangent: Data) -> Data:
        c, d = both(cotangent, "swap")
        return misplaced(right.swap().put(pair, cotangent), (d, d)) if describe(c) == describe(d) else (d, c)

    return Lens(right.swap().get, put)


def associator_crossed() -> Lens:
    """(x', (y', z')) -> ((x', z'), y')."""
    there = right.associator()

    def put(nested: Data, cotangent: Data) -> Data:
        (x, y), z = both(there.put(nested, cotangent), "associator")
        return misplaced(((x, y), z), ((x, z), y))

    return Lens(there.get, put)


def copy_left() -> Lens:
    """The cotangent of the second use is lost."""
    return Lens(right.copy().get, lambda a, cotangent: both(cotangent, "copy")[0])


def para_compose_earlier_first(first: Lens, second: Lens) -> Lens:
    """The composite has the parameter (p, q)."""
    return para.reparametrise(para.compose(first, second), isomorphism(_swapped, _swapped))


def para_compose_at_the_value(first: Lens, second: Lens) -> Lens:
    """The first part is put at its value instead of at its argument."""
    composite = para.compose(first, second)

    def put(point: Data, cotangent: Data) -> Data:
        (q, p), a = both(point, "compose")
        b = first.get((p, a))
        q_cotangent, b_cotangent = both(second.put((q, b), cotangent), "compose")
        p_cotangent, a_cotangent = both(first.put((p, misplaced(a, b)), b_cotangent), "compose")
        return (q_cotangent, p_cotangent), a_cotangent

    return Lens(composite.get, put)


def para_compose_flattened(first: Lens, second: Lens) -> Lens:
    """The nesting of the parameters is forgotten in the cotangent."""
    composite = para.compose(first, second)

    def put(point: Data, cotangent: Data) -> Data:
        parameters, a = both(composite.put(point, cotangent), "compose")
        return para.flatten(parameters), a

    return Lens(composite.get, put)


def para_tensor_crossed(left: Lens, other: Lens) -> Lens:
    """The cotangents of the two parameters are exchanged."""
    beside = para.tensor(left, other)

    def put(point: Data, cotangent: Data) -> Data:
        (p, q), a = both(beside.put(point, cotangent), "tensor")
        return (q, p), a

    return Lens(beside.get, put)


def reparametrise_at_the_value(lens: Lens, by: Lens) -> Lens:
    """The map of parameters is put at r(q) instead of at q."""
    wrong = Lens(by.get, lambda q, cotangent: by.put(misplaced(q, by.get(q)), cotangent))
    return para.reparametrise(lens, wrong)


def reparametrise_averaged(lens: Lens, by: Lens) -> Lens:
    """The cotangent is divided by the number of arrays among the parameters: a mean where a sum is due."""

    def put(q: Data, cotangent: Data) -> Data:
        share = Fraction(1, len(leaves_of(q)))

        def shared(leaf: ExactArray) -> ExactArray:
            return leaf * share

        return by.put(q, map_data(shared, cotangent))

    return para.reparametrise(lens, Lens(by.get, put))


def _swapped(pair: Data) -> Data:
    x, y = both(pair, "parameters")
    return y, x
