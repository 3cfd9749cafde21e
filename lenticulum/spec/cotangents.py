"""Cotangents given as data: refused where they do not have the structure and the shapes of the value."""

from typing import Any

from lenticulum.spec.apply import space_of
from lenticulum.spec.data import Data, leaves_of
from lenticulum.terms import Cotangent, ShapeError, Term, cotangent, end_of
from lenticulum.terms.spaces import unify


def check_cotangent_space(term: Term, x: Data, given: Any) -> None:
    """Refuse a cotangent that does not lie in B', before any arithmetic: which part, expected, got."""
    unify(cotangent(term.target(space_of(x))), cotangent(space_of(given)), f"cotangent of {end_of(term)}")


def check_cotangent_shapes(term: Term, value: Data, given: Data) -> None:
    """Refuse a cotangent whose leading axes are not those of the value of a part."""
    for leaf, pulled in zip(leaves_of(value), leaves_of(given), strict=True):
        if leaf.shape != pulled.shape:
            expected, got = (Cotangent(str(list(each.shape))) for each in (leaf, pulled))
            raise ShapeError(f"cotangent of {type(term).__name__}", expected, got)
