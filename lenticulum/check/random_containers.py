"""Random containers: one function for each kind, with parts, names and connections drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lenticulum.terms import (
    Add,
    Branch,
    Compose,
    Dense,
    Maximum,
    Maxout,
    Multiply,
    PairwiseFusion,
    Parallel,
    Repeat,
    Skip,
    Space,
    Stack,
    Subtract,
    Term,
)
from lenticulum.terms.spaces import ShapeError, bare, unify

if TYPE_CHECKING:
    from lenticulum.check.random_terms import TermGenerator


def container(of: TermGenerator, source: Space, nesting: int, *, closed: bool) -> Term:
    """A container of a kind that fits the source, nested at least three deep; `closed`: an array goes to one array."""
    # Two kinds fit a pair too, so that those of one array are drawn more often there.
    kinds = ("parallel", "branch", "branch")
    if isinstance(bare(source), int):
        kinds += (*("skip", "pairwise fusion", "repeat", "stack", "maxout") * 3, "maxout", "branch", "branch")
    kind = of.draw.choice(kinds)
    if kind in ("parallel", "branch"):
        return (parallel if kind == "parallel" else branch)(of, source, nesting, closed=closed)
    makers = {"skip": skip, "maxout": maxout, "pairwise fusion": pairwise_fusion, "repeat": repeat, "stack": stack}
    return makers[kind](of, source, nesting)


def parallel(of: TermGenerator, source: Space, nesting: int, *, closed: bool) -> Parallel:
    """Two or three parts of one array, or a part for each half of a pair; mostly with a connection."""
    plain = bare(source)
    sources = plain if isinstance(plain, tuple) else (source,) * of.draw.integer(2, 3)
    parts, targets = side_by_side(of, sources, nesting)
    joined = connection(of, targets, nesting - 1, closed=closed)
    return Parallel(joined, parts, of.part_names(len(parts)))


def branch(of: TermGenerator, source: Space, nesting: int, *, closed: bool) -> Branch:
    """Two or three parts of one array, two of a pair; mostly with a fusion."""
    count = 2 if isinstance(bare(source), tuple) else of.draw.integer(2, 3)
    parts, targets = side_by_side(of, (source,) * count, nesting)
    joined = connection(of, targets, nesting - 1, closed=closed)
    return Branch(parts, joined, of.part_names(len(parts)))


def skip(of: TermGenerator, source: Space, nesting: int) -> Skip:
    """A part beside its input."""
    term = of.model(source, nesting - 1, closed=True)
    return Skip(term, connection_of_arrays(of, (term.target(source), source), nesting - 1))


def maxout(of: TermGenerator, source: Space, nesting: int) -> Maxout:
    """A nested part and one or two short ones with its target."""
    first = of.model(source, nesting - 1, closed=True)
    sizes = array(source), array(first.target(source))
    others = (Dense(*sizes, use_bias=of.flag()) for _ in range(of.draw.integer(1, 2)))
    parts = (first, *others)
    return Maxout(parts, of.part_names(len(parts)))


def pairwise_fusion(of: TermGenerator, source: Space, nesting: int) -> PairwiseFusion:
    """One or two parts that keep the number of features; the connection is called once for each."""
    parts = (endomorphism(of, source, nesting - 1), of.same_size(array(source)))[: of.draw.integer(1, 2)]
    joined = connection_of_arrays(of, (source, source), nesting - 1, target=array(source))
    return PairwiseFusion(joined, parts, of.part_names(len(parts)))


def repeat(of: TermGenerator, source: Space, nesting: int) -> Repeat:
    """A part applied two or three times, sometimes with the first input beside."""
    count = of.draw.integer(2, 3)
    if nesting == 3 or of.draw.integer(0, 1):
        return Repeat(endomorphism(of, source, nesting - 1), count)
    joined = connection_of_arrays(of, (source, source), nesting - 2, target=array(source))
    return Repeat(Compose((joined, endomorphism(of, source, nesting - 2))), count, injection=True)


def stack(of: TermGenerator, source: Space, nesting: int) -> Stack:
    """Two or three copies of a part."""
    return Stack(endomorphism(of, source, nesting - 1), of.draw.integer(2, 3))


def side_by_side(
    of: TermGenerator, sources: tuple[Space, ...], nesting: int
) -> tuple[tuple[Term, ...], tuple[Space, ...]]:
    """A part for each source, one of them nested; and where they lead."""
    nested = of.draw.integer(0, len(sources) - 1)
    depths = [nesting - 1 if position == nested else 1 for position in range(len(sources))]
    parts = tuple(of.model(each, depth, closed=True) for each, depth in zip(sources, depths, strict=True))
    return parts, tuple(part.target(each) for part, each in zip(parts, sources, strict=True))


def endomorphism(of: TermGenerator, space: Space, nesting: int) -> Term:
    """A term from one array to one of the same size, which fits where it came from."""
    if nesting < 2:
        return of.same_size(array(space))
    term = of.model(space, nesting - 1, closed=True)
    reached = term.target(space)
    return term if reached == space else Compose((term, Dense(array(reached), array(space))))


def connection(of: TermGenerator, spaces: tuple[Space, ...], nesting: int, *, closed: bool) -> Term | None:
    """A term that joins several values into one, or none for two; tuples that fit are only subtracted or compared."""
    arrays = all(isinstance(bare(space), int) for space in spaces)
    if arrays and (closed or len(spaces) > 2 or of.flag()):
        return connection_of_arrays(of, spaces, nesting)
    return of.draw.choice((Subtract(), Maximum(), None)) if not arrays and fit(spaces) else None


def connection_of_arrays(
    of: TermGenerator, spaces: tuple[Space, ...], nesting: int, *, target: int | None = None
) -> Term:
    """A term that makes one array of several: plain arithmetic, or with parameters and state of its own."""
    if fit((*spaces, target)) and (nesting < 2 or of.flag()):
        return arithmetic(of, len(spaces))
    # Sums of layers lose the names of their spaces, which need not fit.
    common = of.draw.choice(of.features) if target is None else target
    layers = (of.same_size(common) if space == common else Dense(array(space), common) for space in spaces)
    return Parallel(arithmetic(of, len(spaces)), tuple(layers))


def arithmetic(of: TermGenerator, count: int) -> Term:
    """A term that makes one array of two or more of its size."""
    return (
        of.draw.choice((Add(), Subtract(), Subtract(), Multiply(), Multiply(), Maximum())) if count == 2 else Maximum()
    )


def array(space: Space) -> int:
    """The number of features of one array."""
    plain = bare(space)
    assert isinstance(plain, int)
    return plain


def fit(spaces: tuple[Space, ...]) -> bool:
    """Whether several values may be added; None fits everything.

    >>> fit((3, None, 3)), fit((3, 2))
    (True, False)
    """
    common: Space = None
    try:
        for space in spaces:
            common = unify(common, space, "fit")
    except ShapeError:
        return False
    return True
