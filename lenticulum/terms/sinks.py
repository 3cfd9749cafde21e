"""Sinks: lenses (L, L') -> (1, 1). Each is one chosen map L -> L', so there is no canonical discard."""

from lenticulum.terms.exact import Number, exact, one_of
from lenticulum.terms.spaces import UNIT, ShapeError, Space, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import set_field, value

ADVICE = "a wire is never dropped silently, since the lenses into the unit are many: choose a Sink for it"


@value
class Sink(Term):
    """The end of a wire: get is the unique map to the unit, put is the chosen map from the wire to its cotangent.

    `kind` "constant": every entry of the cotangent is `number`; "scaled": it is number * the wire. A learning rate is
    the sink with a minus sign on one number (`LearningRate`); Sink(0, "constant") stops every gradient of the wire.

    >>> Sink("-1/10", "constant").target(3)
    ()
    """

    number: Number
    kind: str
    space: Space = None

    def __post_init__(self) -> None:
        """Make the number exact; neither it nor the kind has a default, because none is canonical."""
        set_field(self, "number", exact(self.number, "number"))
        one_of(self.kind, "kind", ("constant", "scaled"))

    def target(self, source: Space) -> Space:
        """Return the unit; the source is the space of the sink, if it states one."""
        unify(self.space, source, "Sink")
        return UNIT


def require_closed(term: Term, source: Space) -> None:
    """Refuse a term that leaves a wire open.

    Raises: ShapeError that names the open wire and advises to choose a sink.

    >>> from lenticulum.terms import Bias
    >>> require_closed(Bias(3) >> Sink(0, "constant"), 3)
    >>> require_closed(Bias(3), 3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: the end of Bias: expected (), got [3]; a wire is never dropped silently, ...
    """
    target = term.target(source)
    try:
        unify(UNIT, target, f"the end of {type(term).__name__}")
    except ShapeError as error:
        raise ShapeError(error.part, error.expected, error.got, advice=ADVICE) from None
