"""What every way of printing needs: the parts of a term by name, with their sources, and the rest of its fields."""

import dataclasses
from typing import Any, NamedTuple, cast

from lenticulum.terms.arithmetic import Maximum, Multiply, Subtract
from lenticulum.terms.container import Container
from lenticulum.terms.containers import Skip
from lenticulum.terms.layers import BatchNorm, Bias, Dense, LayerNorm
from lenticulum.terms.learners import DeepDreamStep, Learner
from lenticulum.terms.lenses import Add, Compose, Copy, Swap, Tensor
from lenticulum.terms.losses import CrossEntropyLoss, DotLoss, LearningRate, SquaredLoss
from lenticulum.terms.reparametrisations import Reparametrise
from lenticulum.terms.repetition import Repeat, Stack
from lenticulum.terms.spaces import SCALAR, UNIT, ShapeError, Space, bare, pair
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.structural import AddUnit, Associate, RemoveUnit, Wire
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path


class Named(NamedTuple):
    """A part of a term: its name, the part, where it starts from (None if not known), the path of its parameters."""

    name: str
    term: Term
    source: Space
    path: Path


def parts_of(term: Term, source: Space) -> list[Named]:
    """Return the terms inside a term, by the names of their parameters, with their sources.

    >>> from lenticulum.terms import Dense, Relu
    >>> [(part.name, part.source) for part in parts_of(Dense(2, 3) >> Relu(), 2)]
    [('layer_1', 2), ('layer_2', 3)]
    """
    if isinstance(term, Container):
        named = [(".".join(part.path) or part.field, part.term, part.path) for part in term.inside()]
    else:
        held: dict[str, Any] = {name: getattr(term, name) for name in field_names(term)}
        under = ("parameters",) if isinstance(term, Learner) else ()
        named = [(name, each, under) for name, each in held.items() if isinstance(each, Term)]
    sources = _sources(term, source, len(named))
    return [Named(name, part, each, path) for (name, part, path), each in zip(named, sources, strict=True)]


def _sources(term: Term, source: Space, number: int) -> list[Space]:
    if isinstance(term, Compose):
        reached = [source]
        for part in term.parts:
            reached.append(part.target(reached[-1]))
        return reached[:-1]
    if isinstance(term, Tensor):
        return list(pair(source, "Tensor"))
    if isinstance(term, Reparametrise):
        return [source]
    if isinstance(term, Skip):
        return [source, (term.term.target(source), source)]
    if isinstance(term, Learner):
        label = term.label()
        return [term.source, (label, label), term.loss.target((label, label))]
    if isinstance(term, DeepDreamStep):
        return [UNIT]
    if isinstance(term, SupervisedStep):
        data, label = pair(source, "SupervisedStep")
        return [data, (label, term.model.target(data)), SCALAR]
    return [None] * number


def other_fields(term: Term) -> dict[str, Any]:
    """Return the fields of a term that hold no terms; the names of parts are printed with the parts.

    >>> from lenticulum.terms import Dense, Repeat, Tanh
    >>> other_fields(Repeat(Tanh(), 3)), other_fields(Dense(2, 3) >> Tanh())
    ({'count': 3, 'injection': False}, {})
    """
    fields = {name: getattr(term, name) for name in field_names(term)}
    labels = ("names",) if isinstance(term, Container) and term.inside() else ()
    return {name: held for name, held in fields.items() if not _holds(held) and name not in labels}


def field_names(term: Term) -> tuple[str, ...]:
    """Return the names of the fields of a term.

    >>> from lenticulum.terms import Dense
    >>> field_names(Dense(2, 3))
    ('inputs', 'outputs', 'use_bias')
    """
    described: Any = term
    return tuple(field.name for field in dataclasses.fields(described))


def _holds(held: Any) -> bool:
    if isinstance(held, tuple):
        entries = cast("tuple[Any, ...]", held)
        return bool(entries) and all(isinstance(each, Term) for each in entries)
    return isinstance(held, Term)


def natural_source(term: Term) -> Space:
    """Return the space that a term starts from, as far as its fields say.

    >>> from lenticulum.terms import Dense, Relu
    >>> natural_source(Dense(2, 3) >> Relu()), natural_source(Swap()), natural_source(Relu())
    (2, (None, None), None)
    """
    if isinstance(term, Compose):
        return _source_of_chain(term.parts)
    if isinstance(term, Tensor):
        return (natural_source(term.left), natural_source(term.right))
    if isinstance(term, Reparametrise | Skip | Stack) or (isinstance(term, Repeat) and not term.injection):
        return natural_source(term.term)
    if isinstance(term, Dense):
        return term.inputs
    if isinstance(term, Bias | LayerNorm | BatchNorm):
        return term.features
    if isinstance(term, Wire):
        return term.space
    return _structural_source(term)


def _source_of_chain(parts: tuple[Term, ...]) -> Space:
    """What the first part says, or what those after it say of a wire that it keeps or copies."""
    first = natural_source(parts[0]) if parts else None
    if first is not None or len(parts) < 2:
        return first
    after = bare(_source_of_chain(parts[1:]))
    if isinstance(parts[0], Copy) and isinstance(after, tuple):
        return after[1] if after[0] is None else after[0]
    return after if parts[0].target(None) is None and _takes(parts[0], after) else None


def _takes(term: Term, source: Space) -> bool:
    try:
        term.target(source)
    except ShapeError:
        return False
    return True


def _structural_source(term: Term) -> Space:
    if isinstance(term, Swap | Add | Subtract | Multiply | Maximum | SquaredLoss | CrossEntropyLoss | DotLoss):
        return (None, None)
    if isinstance(term, Associate):
        return ((None, None), None) if term.to == "right" else (None, (None, None))
    if isinstance(term, RemoveUnit):
        return (UNIT, None) if term.side == "left" else (None, UNIT)
    if isinstance(term, LearningRate):
        return SCALAR
    if isinstance(term, DeepDreamStep):
        return (term.learner.source, term.learner.label())
    if isinstance(term, SupervisedStep):
        data = natural_source(term.model)
        return (data, term.model.target(data))
    if isinstance(term, AddUnit):
        return None
    # What needs a unit says so; everything else takes any space that fits.
    return UNIT if type(term).__name__ in ("Input", "Learner") else None
