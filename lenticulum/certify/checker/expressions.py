"""Expressions: what a definition is made of. Plain trees of named functions, numbers and the arguments."""

from __future__ import annotations

from fractions import Fraction


class Expression:
    """A node: the name of a function and its operands, or a constant, or an argument ("x", "y")."""

    __slots__ = ("name", "number", "parts")

    def __init__(self, name: str, parts: tuple[Expression, ...] = (), number: Fraction | None = None) -> None:
        self.name, self.parts, self.number = name, parts, number

    def __add__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("add", (self, expression(other)))

    def __radd__(self, other: int | Fraction) -> Expression:
        return Expression("add", (expression(other), self))

    def __sub__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("subtract", (self, expression(other)))

    def __rsub__(self, other: int | Fraction) -> Expression:
        return Expression("subtract", (expression(other), self))

    def __mul__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("multiply", (self, expression(other)))

    def __rmul__(self, other: int | Fraction) -> Expression:
        return Expression("multiply", (expression(other), self))

    def __truediv__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("divide", (self, expression(other)))

    def __rtruediv__(self, other: int | Fraction) -> Expression:
        return Expression("divide", (expression(other), self))

    def __neg__(self) -> Expression:
        return Expression("negative", (self,))

    def __pow__(self, exponent: int) -> Expression:
        return Expression("integer power", (self,), Fraction(exponent))


def expression(value: Expression | int | Fraction) -> Expression:
    """A number as a constant."""
    return value if isinstance(value, Expression) else Expression("constant", (), Fraction(value))


def call(name: str, *parts: Expression | int | Fraction) -> Expression:
    """The named function of the operands."""
    return Expression(name, tuple(expression(part) for part in parts))


X = Expression("x")
Y = Expression("y")
PI = Expression("pi")
HALF = Fraction(1, 2)


def clip(x: Expression, low: Fraction | int, high: Fraction | int) -> Expression:
    """min(max(x, low), high)."""
    return call("minimum", call("maximum", x, low), high)


def upto(bound: Fraction | int, below: Expression, above: Expression) -> Expression:
    """`below` where x <= bound, else `above`; the two must agree at the bound."""
    return Expression("upto", (X, below, above), Fraction(bound))
