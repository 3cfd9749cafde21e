"""Terms as string diagrams in SVG: boxes for parts, wires for spaces, parameters entering from above."""

from fractions import Fraction
from typing import Any

from lenticulum import terms
from lenticulum.terms.printing import diagram as draw
from lenticulum.terms.printing.diagram import Diagram
from lenticulum.terms.printing.parts import Named, natural_source, other_fields, parts_of
from lenticulum.terms.spaces import Space, bare, describe, pair
from lenticulum.terms.term import Term

STYLE = (
    "text{font:12px monospace;fill:#111}.space,.parameter{font-size:10px;fill:#555}"
    ".wire{fill:none;stroke:#246;stroke-width:1.5}.box{fill:#fff;stroke:#111;stroke-width:1.2}"
    ".dot{fill:#246}.frame{fill:none;stroke:#888;stroke-dasharray:5 3}"
)


def svg(term: Term, source: Space = None) -> str:
    """Return the string diagram of a term as an SVG document, read from left to right.

    A wire is one array or one number of a space, with its shape; a unit has no wire. Copies are forks, sums are merges,
    exchanged wires cross, a sink is a cap with its cotangent, and parameters enter a box from above.

    Arguments: `source`: the space to start from; without it, what the fields say.
    Returns: text of XML, the same bytes for the same term. Raises: ShapeError for a source that does not fit.

    >>> from lenticulum.terms import Relu
    >>> svg(Relu()).startswith('<svg xmlns="http://www.w3.org/2000/svg"'), svg(Relu()).count("<rect")
    (True, 2)
    """
    start = natural_source(term) if source is None else source
    target = term.target(start)
    inside = pictured(term, start)
    ends = [wire_names(start), wire_names(target)]
    lead = [max([draw.CHARACTER * len(name) for name in names], default=0.0) + 12 for names in ends]
    marks = [draw.moved(inside, lead[0], 12.0)]
    for names, heights, x, width in (
        (ends[0], inside.inputs, 0.0, lead[0]),
        (ends[1], inside.outputs, lead[0] + inside.width, lead[1]),
    ):
        for position, y in enumerate(heights):
            marks.append(draw.line(x, y + 12, x + width, y + 12))
            name = names[min(position, len(names) - 1)] if names else ""
            marks.append(draw.label(name, x + width / 2, y + 7, "space"))
    width, height = lead[0] + inside.width + lead[1], inside.height + 24
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.5g}" height="{height:.5g}"'
    background = '<rect width="100%" height="100%" fill="#fff"/>'
    title = f"<title>{draw.shown(type(term).__name__)}</title><style>{STYLE}</style>{background}"
    return f'{opening} viewBox="0 0 {width:.5g} {height:.5g}">{title}{"".join(marks)}</svg>\n'


def wire_names(space: Space) -> list[str]:
    """Return the names of the wires of a space: one for each factor of a product, none for the unit.

    >>> wire_names((3, ("scalar", ())))
    ['[3]', '[]']
    """
    plain = bare(space)
    if isinstance(plain, tuple):
        return [name for part in plain for name in wire_names(part)]
    return ["any" if space is None else describe(space)]


def pictured(term: Term, source: Space) -> Diagram:
    """Return the diagram of a term from a source."""
    number = len(wire_names(source))
    if isinstance(term, terms.Identity | terms.Wire | terms.Associate | terms.AddUnit | terms.RemoveUnit):
        return draw.crossing(range(number))
    if isinstance(term, terms.Swap):
        left, right = (len(wire_names(half)) for half in pair(source, "Swap"))
        return draw.crossing([*range(right, right + left), *range(right)])
    if isinstance(term, terms.Copy):
        return draw.fork(number)
    if isinstance(term, terms.Add):
        return draw.merge(len(wire_names(term.target(source))), "+")
    if isinstance(term, terms.LearningRate | terms.Sink):
        return draw.cap(number, cotangent_of(term))
    if isinstance(term, terms.Input):
        return draw.bend(len(wire_names(term.space)), "value")
    return composed(term, source)


def composed(term: Term, source: Space) -> Diagram:
    """Return the diagram of a term with parts, or a box."""
    if isinstance(term, terms.Compose):
        parts = parts_of(term, source)
        if not parts:
            return draw.crossing(range(len(wire_names(source))))
        names = [wire_names(part.term.target(part.source)) for part in parts]
        return draw.beside([pictured(part.term, part.source) for part in parts], names)
    if isinstance(term, terms.Tensor):
        left, right = pair(source, "Tensor")
        return draw.below(pictured(term.left, left), pictured(term.right, right))
    if isinstance(term, terms.Skip):
        beside = terms.Tensor(term.term, terms.Identity())
        return draw.framed(pictured(terms.Compose((terms.Copy(), beside, term.connection)), source), "Skip")
    if isinstance(term, terms.Learner):
        return draw.framed(learner(term), "Learner")
    if isinstance(term, terms.DeepDreamStep):
        return step(term.learner, f"{type(term.update).__name__} on the data", source)
    if isinstance(term, terms.SupervisedStep):
        return step(term, f"{type(term.update).__name__} on the parameters", source)
    return whole(term, source)


def whole(term: Term, source: Space) -> Diagram:
    """Return a box, or a frame around the diagrams of the parts whose wiring the kind keeps to itself."""
    inputs, outputs = len(wire_names(source)), len(wire_names(term.target(source)))
    parts = parts_of(term, source)
    if not parts:
        return draw.box(type(term).__name__, inputs, outputs, term.parameter_shapes().names())
    fields = ", ".join(f"{name}={held}" for name, held in other_fields(term).items())
    name = f"{type(term).__name__}({fields})" if fields else type(term).__name__
    if isinstance(term, terms.Reparametrise):
        return draw.framed(pictured(term.term, source), f"{type(term).__name__} by {type(term.by).__name__}")
    drawn = [_part(part) for part in parts]
    inside = drawn[0]
    for each in drawn[1:]:
        inside = draw.below(inside, each)
    frame = draw.framed(inside._replace(inputs=(), outputs=()), name)
    wires = (draw.heights(number, frame.height) for number in (inputs, outputs))
    entering, leaving = wires
    stubs = [draw.line(0.0, y, 4.0, y) for y in entering]
    stubs += [draw.line(frame.width - 4, y, frame.width, y) for y in leaving]
    return Diagram(frame.width, frame.height, entering, leaving, (*frame.marks, *stubs))


def _part(part: Named) -> Diagram:
    source = natural_source(part.term) if part.source is None else part.source
    return draw.framed(pictured(part.term, source), part.name)


def learner(term: terms.Learner) -> Diagram:
    """Return model ; loss ; cap with data and label bent in from above."""
    label = term.label()
    data = draw.beside(
        [draw.bend(len(wire_names(term.source)), "data"), pictured(term.model, term.source)],
        [wire_names(term.source)],
    )
    wires = draw.below(draw.bend(len(wire_names(label)), "label"), data)
    return closed(wires, term.loss, term.cap, label)


def step(term: "terms.Learner | terms.SupervisedStep", name: str, source: Space) -> Diagram:
    """Return model ; loss ; cap of wires (data, label), in a frame that names the update."""
    data, label = pair(source, name)
    wires = draw.below(draw.crossing(range(len(wire_names(label)))), pictured(term.model, data))
    exchanged = pictured(terms.Swap(), (data, label))
    start = draw.beside([exchanged, wires], [wire_names((label, data))])
    return draw.framed(closed(start, term.loss, term.cap, label), name)


def closed(wires: Diagram, loss: Term, cap: Term, label: Space) -> Diagram:
    """Return the wires (label, prediction), closed by a loss and a cap."""
    lost = loss.target((label, label))
    parts = [wires, pictured(loss, (label, label)), pictured(cap, lost)]
    return draw.beside(parts, [wire_names((label, label)), wire_names(lost)])


def cotangent_of(term: "terms.LearningRate | terms.Sink") -> str:
    """Return what a sink gives to its wire, as a text.

    >>> cotangent_of(terms.LearningRate("1/10")), cotangent_of(terms.Sink(2, "scaled"))
    ('-1/10', '2 x')
    """
    given: Any = -Fraction(term.rate) if isinstance(term, terms.LearningRate) else term.number
    return f"{given} x" if term.kind == "scaled" else str(given)
