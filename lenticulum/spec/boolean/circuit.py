"""Boolean circuits: eight generators with their reverses, put side by side and one after the other.

A wire carries an element of a commutative ring of characteristic 2, or an integer that is read modulo 2. So one circuit
runs on bits and on formal polynomials over Z/2, where an equation between circuits is proved by its normal form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Wires = tuple[Any, ...]


@dataclass(frozen=True)
class Circuit:
    """get : W^source -> W^target and put : W^source x W^target -> W^source, the reverse derivative of get.

    Source: Wilson and Zanasi, Reverse Derivative Ascent (arXiv:2101.10488).

    >>> square = COPY.then(AND)
    >>> square.get((1,)), square.put((1,), (1,))
    ((1,), (2,))
    """

    source: int
    target: int
    get: Callable[[Wires], Wires]
    put: Callable[[Wires, Wires], Wires]

    def then(self, other: Circuit) -> Circuit:
        """First this circuit, then the other.

        Raises: ValueError if the numbers of wires differ.
        """
        if other.source != self.target:
            raise ValueError(f"got a circuit of {other.source} wires after one with {self.target}")
        return Circuit(
            self.source,
            other.target,
            lambda x: other.get(self.get(x)),
            lambda x, d: self.put(x, other.put(self.get(x), d)),
        )

    def __call__(self, x: Wires) -> tuple[int, ...]:
        """The value on bits, as bits."""
        return tuple(int(bit) % 2 for bit in self.get(x))

    def reverse(self, x: Wires, d: Wires) -> tuple[int, ...]:
        """The reverse derivative on bits, as bits."""
        return tuple(int(bit) % 2 for bit in self.put(x, d))


def identity(wires: int) -> Circuit:
    """x -> x on some wires."""
    return Circuit(wires, wires, lambda x: x, lambda x, d: d)


def beside(*circuits: Circuit) -> Circuit:
    """Circuits side by side; none at all is the circuit without wires."""
    whole = identity(0)
    for each in circuits:
        whole = _pair(whole, each)
    return whole


def chain(first: Circuit, *rest: Circuit) -> Circuit:
    """Circuits one after the other."""
    for each in rest:
        first = first.then(each)
    return first


def _pair(left: Circuit, right: Circuit) -> Circuit:
    n, m = left.source, left.target
    return Circuit(
        left.source + right.source,
        left.target + right.target,
        lambda x: (*left.get(x[:n]), *right.get(x[n:])),
        lambda x, d: (*left.put(x[:n], d[:m]), *right.put(x[n:], d[m:])),
    )


COPY = Circuit(1, 2, lambda x: (x[0], x[0]), lambda x, d: (d[0] + d[1],))
XOR = Circuit(2, 1, lambda x: (x[0] + x[1],), lambda x, d: (d[0], d[0]))
DISCARD = Circuit(1, 0, lambda x: (), lambda x, d: (x[0] * 0,))
ZERO = Circuit(0, 1, lambda x: (0,), lambda x, d: ())
AND = Circuit(2, 1, lambda x: (x[0] * x[1],), lambda x, d: (x[1] * d[0], x[0] * d[0]))
NOT = Circuit(1, 1, lambda x: (x[0] + 1,), lambda x, d: d)
ONE = Circuit(0, 1, lambda x: (1,), lambda x, d: ())
SWAP = Circuit(2, 2, lambda x: (x[1], x[0]), lambda x, d: (d[1], d[0]))
GENERATORS = {
    **{"copy": COPY, "xor": XOR, "discard": DISCARD, "zero": ZERO},
    **{"and": AND, "not": NOT, "one": ONE, "swap": SWAP},
}


def permuted(order: tuple[int, ...]) -> Circuit:
    """The wires in another order: what swaps of neighbours make."""
    back = tuple(order.index(i) for i in range(len(order)))
    return Circuit(len(order), len(order), lambda x: tuple(x[i] for i in order), lambda x, d: tuple(d[i] for i in back))


def multiplexer(inputs: int) -> Circuit:
    """f(p, x) = p_x: 2^inputs parameters, of which the input selects one, made from the generators.

    Every function of the inputs is one setting of the parameters. p_(b, x) = p_(0, x) + b (p_(0, x) + p_(1, x)).

    >>> multiplexer(1)((0, 1, 1)), multiplexer(1)((0, 1, 0))
    ((1,), (0,))
    """
    if inputs == 0:
        return identity(1)
    half = 2 ** (inputs - 1)
    rest = inputs - 1
    # (p0, p1, b, x) -> (p0, x, p1, x, b), after x is copied
    copies = chain(beside(*[COPY] * rest), permuted((*range(0, 2 * rest, 2), *range(1, 2 * rest, 2))))
    routed = beside(identity(2 * half + 1), copies)
    p0, p1, b = tuple(range(half)), tuple(range(half, 2 * half)), 2 * half
    one, two = tuple(range(b + 1, b + 1 + rest)), tuple(range(b + 1 + rest, b + 1 + 2 * rest))
    inner = multiplexer(rest)
    selected = chain(routed, permuted((*p0, *one, *p1, *two, b)), beside(inner, inner, identity(1)))
    # (s, t, b) -> (s, s, t, b) -> (s, s + t, b) -> s + (s + t) b
    return chain(
        selected,
        beside(COPY, identity(2)),
        beside(identity(1), XOR, identity(1)),
        beside(identity(1), AND),
        XOR,
    )
