"""Laws of a node with derivative rules, in two halves: the jvp is the derivative, and the vjp is its adjoint.

Adjointness alone does not identify the derivative: x^2 with jvp = vjp = 0 has it.
"""

from __future__ import annotations

from lenticulum.numbers import ExactArray, Polynomial, polynomials, stack
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.cases import vector
from lenticulum.spec.lenses.node import LINEAR, SQUARE, Node, zero_rules


def jvp_is_the_derivative(node: Node, draw: Draw) -> None:
    """jvp(x, v) = d/dt forward(x + t v) at t = 0, for a polynomial forward: the coefficient of t, formally."""
    x, v = vector(draw, node.size), vector(draw, node.size)
    (t,) = polynomials(["t"])
    jet = node.forward(stack([t.lift(a.item()) + t * b.item() for a, b in zip(x, v, strict=True)]))
    assert isinstance(jet, Polynomial)
    derivative = jet.derivative("t").evaluate({"t": 0})
    claimed = node.jvp(x, v)
    require(claimed == derivative, "the jvp is not the derivative", x=x, v=v, jvp=claimed, derivative=derivative)


def vjp_is_adjoint(node: Node, draw: Draw) -> None:
    """<jvp(x, v), y> = <v, vjp(x, y)>."""
    x, v = vector(draw, node.size), vector(draw, node.size)
    y = vector(draw, node.forward(x).size)
    forward, backward = inner(node.jvp(x, v), y), inner(v, node.vjp(x, y))
    require(forward == backward, "vjp is not adjoint to jvp", x=x, v=v, y=y, forward=forward, backward=backward)


def rules_are_linear(node: Node, draw: Draw) -> None:
    """jvp(x, k u + v) = k jvp(x, u) + jvp(x, v), and so the vjp in its cotangent."""
    x, u, v, k = vector(draw, node.size), vector(draw, node.size), vector(draw, node.size), fraction(draw)
    tangents = node.jvp(x, u * k + v), node.jvp(x, u) * k + node.jvp(x, v)
    require(tangents[0] == tangents[1], "jvp is not linear", x=x, u=u, v=v, k=k, sides=tangents)
    size = node.forward(x).size
    c, d = vector(draw, size), vector(draw, size)
    cotangents = node.vjp(x, c * k + d), node.vjp(x, c) * k + node.vjp(x, d)
    require(cotangents[0] == cotangents[1], "vjp is not linear", x=x, c=c, d=d, k=k, sides=cotangents)


def inner(left: ExactArray, right: ExactArray) -> ExactArray:
    """The standard pairing."""
    return (left * right).sum()


TRANSPOSED = Node(LINEAR.size, LINEAR.forward, LINEAR.jvp, LINEAR.jvp)
QUADRATIC = Node(SQUARE.size, SQUARE.forward, SQUARE.jvp, lambda x, y: SQUARE.vjp(x, y * y))

SOURCE = "Elliott 2018, The simple essence of automatic differentiation, arXiv:1804.00746"

LAWS: tuple[Law[Node], ...] = (
    Law(
        "jvp-is-the-derivative",
        "jvp(x, v) = d/dt forward(x + t v) at t = 0",
        SOURCE,
        Grade.EXACT,
        SQUARE,
        jvp_is_the_derivative,
        {"zero jvp and vjp of the square": zero_rules(SQUARE)},
    ),
    Law(
        "adjointness",
        "<jvp(x, v), y> = <v, vjp(x, y)>",
        SOURCE,
        Grade.EXACT,
        SQUARE,
        vjp_is_adjoint,
        {"transposed Jacobian": TRANSPOSED},
    ),
    Law(
        "rules-linear",
        "jvp(x, .) and vjp(x, .) are linear over Q",
        SOURCE,
        Grade.EXACT,
        SQUARE,
        rules_are_linear,
        {"quadratic in the cotangent": QUADRATIC},
    ),
)
