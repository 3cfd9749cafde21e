"""Showing a term of the user's: as text, as LaTeX, and as a picture in a file."""

from pathlib import Path

from lenticulum.check.errors import CallError
from lenticulum.check.target import load
from lenticulum.terms import ShapeError, Term
from lenticulum.terms.printing import latex, svg, text


def show_term(target: str, *, as_latex: bool, picture: str | None) -> str:
    """Return a term as text, or as LaTeX; and write its string diagram, if asked to.

    Raises: CallError for a target that is no term, a term whose parts do not fit, and a file that cannot be written.
    """
    term = load(target)
    if not isinstance(term, Term):
        raise CallError(
            f"target {target!r}: expected a term of lenticulum.terms, got {type(term).__name__}\n"
            "show draws terms such as Dense(2, 3) >> Relu(), and prints definitions by name: lenticulum show softmax"
        )
    try:
        if picture is not None:
            Path(picture).write_text(svg(term), encoding="utf-8")
        return latex(term) if as_latex else text(term)
    except ShapeError as error:
        raise CallError(f"target {target!r}: its parts do not fit: {error}") from None
    except OSError as error:
        raise CallError(f"--svg {picture}: it cannot be written ({error.strerror})") from None
