"""Generators of the laws on terms: random well-typed wirings of layers whose meaning is rational, and their data."""

from __future__ import annotations

from lenticulum.numbers import rational, zeros_like
from lenticulum.spec.data import Data, map_data
from lenticulum.spec.draw import Draw, fraction
from lenticulum.terms import (
    Add,
    Associate,
    Bias,
    Compose,
    Copy,
    Dense,
    Identity,
    Relu,
    Space,
    Swap,
    Tensor,
    Term,
    Tree,
    chain,
    map_leaves,
    tie,
)


def wiring(draw: Draw, source: Space, depth: int = 3) -> tuple[Term, Space]:
    """A chain of one to four random parts out of a space, nested to a depth, and the space it reaches."""
    parts: list[Term] = []
    for _ in range(draw.integer(1, 4)):
        part, source = _part(draw, source, depth)
        parts.append(part)
    draw.observe("every chain has one part", len(parts) == 1)
    return Compose(tuple(parts)), source


def _part(draw: Draw, source: Space, depth: int) -> tuple[Term, Space]:
    if isinstance(source, tuple):
        left, right = source
        kinds = ["swap", "tensor", "tensor"] if depth else ["swap", "identity"]
        kinds += ["add", "add"] if left == right else []
        kinds += ["to the right"] if isinstance(left, tuple) else []
        kinds += ["to the left"] if isinstance(right, tuple) else []
        return _part_of_pair(draw, draw.choice(kinds), left, right, depth)
    assert isinstance(source, int)
    kind = draw.choice(["dense", "bias", "relu", *(["copy", "branches", "tied"] if depth else ["dense"])])
    if kind == "copy":
        return Copy(), (source, source)
    if kind == "branches":
        return branches(draw, source)
    if kind == "tied":
        return tied(draw, source)
    return _layer(draw, kind, source)


def _part_of_pair(draw: Draw, kind: str, left: Space, right: Space, depth: int) -> tuple[Term, Space]:
    if kind == "add":
        return Add(), left
    if kind in ("to the right", "to the left"):
        term = Associate(kind.removeprefix("to the "))
        return term, term.target((left, right))
    if kind == "tensor":
        one, to_left = wiring(draw, left, depth - 1)
        other, to_right = wiring(draw, right, depth - 1)
        return Tensor(one, other), (to_left, to_right)
    return (Swap(), (right, left)) if kind == "swap" else (Identity(), (left, right))


def _layer(draw: Draw, kind: str, source: int) -> tuple[Term, int]:
    if kind == "relu":
        return Relu(), source
    if kind == "bias":
        return Bias(source), source
    target = draw.integer(1, 3)
    draw.observe("all shapes square", target == source)
    return Dense(source, target, use_bias=draw.choice([True, False])), target


def branches(draw: Draw, source: int) -> tuple[Term, Space]:
    """x -> f(x) + g(x) for two dense layers of one shape."""
    target = draw.integer(1, 3)
    draw.observe("all shapes square", target == source)
    return chain(Copy(), Tensor(Dense(source, target), Dense(source, target)), Add()), target


def tied(draw: Draw, source: int) -> tuple[Term, Space]:
    """Two uses of one weight: side by side (not square), or one after the other (square)."""
    if draw.choice([True, False]):
        return tied_branches(draw, source)
    term = chain(Dense(source, source), Relu(), Dense(source, source))
    return tie(term, ("layer_1.weight", "layer_3.weight"), ("layer_1.bias", "layer_3.bias")), source


def tied_branches(draw: Draw, source: int) -> tuple[Term, Space]:
    """x -> f(x) + g(x) for two dense layers with one weight and two biases."""
    term, target = branches(draw, source)
    return tie(term, ("layer_2.left.weight", "layer_2.right.weight")), target


def data(draw: Draw, space: Space, batch: tuple[int, ...]) -> Data:
    """Rational data in a space, with leading batch axes."""
    if isinstance(space, tuple):
        return tuple(data(draw, part, batch) for part in space)
    assert isinstance(space, int)
    return rational(_nested(draw, (*batch, space)))


def parameters(draw: Draw, term: Term) -> Tree:
    """Rational parameters for a term."""
    return map_leaves(lambda shape: rational(_nested(draw, shape)), term.parameter_shapes())


def zero(x: Data) -> Data:
    """Zeros of the structure of x."""
    return map_data(zeros_like, x)


def _nested(draw: Draw, shape: tuple[int, ...]) -> object:
    return [_nested(draw, shape[1:]) for _ in range(shape[0])] if shape else fraction(draw)
