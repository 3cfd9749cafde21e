"""Terms as indented text: one line for each part, with its fields and the spaces it goes from and to."""

from lenticulum.terms.printing.parts import natural_source, other_fields, parts_of
from lenticulum.terms.spaces import Space, describe
from lenticulum.terms.term import Term


def text(term: Term, source: Space = None) -> str:
    """Return a term as indented text; different terms have different texts.

    Arguments: `source`: the space to start from; without it, what the fields say.
    Returns: a line `name = Type(fields) : source -> target` for the term and for each part, inner ones indented.
    Raises: ShapeError for a source that does not fit.

    >>> from lenticulum.terms import Add, Copy, Dense, Tanh
    >>> print(text(Copy() >> (Dense(2, 3) @ (Dense(2, 3) >> Tanh())) >> Add(), 2))
    Compose() : [2] -> [3]
      layer_1 = Copy() : [2] -> ([2], [2])
      layer_2 = Tensor() : ([2], [2]) -> ([3], [3])
        left = Dense(inputs=2, outputs=3, use_bias=True) : [2] -> [3]
        right = Compose() : [2] -> [3]
          layer_1 = Dense(inputs=2, outputs=3, use_bias=True) : [2] -> [3]
          layer_2 = Tanh() : [3] -> [3]
      layer_3 = Add() : ([3], [3]) -> [3]
    """
    start = natural_source(term) if source is None else source
    term.target(start)
    return "\n".join(_lines(term, start, "", ""))


def _lines(term: Term, source: Space, name: str, indent: str) -> list[str]:
    fields = ", ".join(f"{field}={held!r}" for field, held in other_fields(term).items())
    spaces = f"{describe(source)} -> {describe(term.target(source))}"
    named = f"{name} = " if name else ""
    lines = [f"{indent}{named}{type(term).__name__}({fields}) : {spaces}"]
    for part in parts_of(term, source):
        inner = natural_source(part.term) if part.source is None else part.source
        lines += _lines(part.term, inner, part.name, indent + "  ")
    return lines
