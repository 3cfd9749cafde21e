"""A node of a program: a map with the two derivative rules that a library gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lenticulum.numbers import ExactArray, jvp, vjp, zeros_like
from lenticulum.spec.lenses.polynomial import polynomial_map


@dataclass(frozen=True)
class Node:
    """forward(x) of a vector of this size, jvp(x, v) = J(x) v and vjp(x, y) = J(x)^T y, as somebody claims."""

    size: int
    forward: Callable[[ExactArray], ExactArray]
    jvp: Callable[[ExactArray, ExactArray], ExactArray]
    vjp: Callable[[ExactArray, ExactArray], ExactArray]


def differentiated(size: int, function: Callable[[ExactArray], ExactArray]) -> Node:
    """The node whose rules are the forward and the reverse derivative of the package."""

    def forward_rule(x: ExactArray, v: ExactArray) -> ExactArray:
        return jvp(function, (x,), (v,))[1]

    def reverse_rule(x: ExactArray, y: ExactArray) -> ExactArray:
        return vjp(function, x)[1](y)[0]

    return Node(size, function, forward_rule, reverse_rule)


def square(x: ExactArray) -> ExactArray:
    """x^2, elementwise."""
    return x * x


def dense(x: ExactArray) -> ExactArray:
    """W x + b, all of them variables: the vector x holds a 2 x 3 matrix W row by row, then x, then b."""
    return x[:6].reshape(2, 3) @ x[6:9] + x[9:]


def zero_rules(node: Node) -> Node:
    """The same map with jvp = 0 and vjp = 0: adjoint to each other, and not the derivative."""
    return Node(
        node.size,
        node.forward,
        lambda x, v: zeros_like(node.jvp(x, v)),
        lambda x, y: zeros_like(node.vjp(x, y)),
    )


SQUARE = differentiated(3, square)
DENSE = differentiated(11, dense)
#: x -> W x for W = [[1, 2], [3, 4]]: square, and not symmetric.
LINEAR = differentiated(2, polynomial_map(2, [{(1, 0): 1, (0, 1): 2}, {(1, 0): 3, (0, 1): 4}]))
#: (x1^3 + 2 x1 x2, x2, x1 x2): at (1, 2) the cotangent (1, 1, 1) is pulled back to (9, 4), by hand.
GOLDEN = differentiated(2, polynomial_map(2, [{(3, 0): 1, (1, 1): 2}, {(0, 1): 1}, {(1, 1): 1}]))
NODES = {"square": SQUARE, "dense": DENSE, "linear": LINEAR, "golden": GOLDEN}
