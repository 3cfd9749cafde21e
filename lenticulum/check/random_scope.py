"""The scope of a function that is being drawn: the values so far, and how lines are added."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lenticulum.check.random_programs import Function, Node, Value
from lenticulum.numbers.checking import no_type_check
from lenticulum.spec.draw import Draw

Shape = tuple[int, ...]

#: The shapes of arrays. JAX compiles every primitive once for each, so most operations are drawn for the first three.
COMMON: tuple[Shape, ...] = ((4,), (3, 4), ())
SHAPES: tuple[Shape, ...] = (*COMMON, (3,), (4, 3), (2, 3, 4))

#: One-line ways from one shape to another, of values that may be rounded, and of values that are to stay as they are.
RESIZED: dict[tuple[Shape, Shape], tuple[str, str]] = {
    ((), (3,)): ("jnp.full((3,), {0})", "jnp.full((3,), {0})"),
    ((), (4,)): ("jnp.full((4,), {0})", "jnp.full((4,), {0})"),
    ((4,), (3, 4)): ("jnp.broadcast_to({0}, (3, 4))", "jnp.broadcast_to({0}, (3, 4))"),
    ((3,), (4, 3)): ("jnp.broadcast_to({0}, (4, 3))", "jnp.broadcast_to({0}, (4, 3))"),
    ((3, 4), (2, 3, 4)): ("jnp.broadcast_to({0}, (2, 3, 4))", "jnp.broadcast_to({0}, (2, 3, 4))"),
    ((3, 4), (4,)): ("jnp.mean({0}, axis=0)", "{0}[1]"),
    ((3, 4), (3,)): ("jnp.mean({0}, axis=1)", "{0}[:, 2]"),
    ((4, 3), (3,)): ("jnp.mean({0}, axis=0)", "{0}[-1]"),
    ((3, 4), (4, 3)): ("{0}.T", "{0}.reshape(4, 3)"),
    ((4, 3), (3, 4)): ("{0}.T", "{0}.reshape(3, 4)"),
    ((2, 3, 4), (3, 4)): ("jnp.mean({0}, axis=0)", "{0}[1]"),
    ((4,), ()): ("jnp.mean({0})", "{0}[2]"),
    ((3,), ()): ("jnp.mean({0})", "{0}[1]"),
}

BELOW: dict[Shape, Shape] = {(2, 3, 4): (3, 4), (4, 3): (3, 4), (3, 4): (4,), (4,): (), (3,): ()}

#: Values beyond this are used only where a function bounds them again.
LARGEST = 64.0

#: How deep functions are nested.
DEPTH = 2


@no_type_check
class Scope:
    """Values by place, the parameters first, and the lines that make the others.

    Arguments: `shapes`: the shapes that arrays may have here.
    """

    def __init__(
        self, draw: Draw, parameters: Sequence[Value], shapes: tuple[Shape, ...] = SHAPES, depth: int = 0
    ) -> None:
        self.draw, self.shapes, self.depth = draw, shapes, depth
        self.parameters = tuple(parameters)
        self.values = list(parameters)
        self.nodes: list[Node] = []
        self.used: set[int] = set()

    def find(self, accept: Callable[[Value], bool]) -> int | None:
        """A place of a value that is accepted, mostly one that no line uses; None if there is none."""
        places = [place for place, value in enumerate(self.values) if accept(value)]
        if not places:
            return None
        unused = [place for place in places if place not in self.used] or places
        return self.draw.choice(unused if self.draw.integer(0, 3) else places)

    def shape(self, options: Sequence[Shape] = SHAPES) -> Shape | None:
        """One of the shapes that are allowed here, mostly a common one; None if there is none."""
        allowed = [each for each in options if each in self.shapes]
        if not allowed:
            return None
        common = [each for each in allowed if each in COMMON] or allowed
        return self.draw.choice(common if self.draw.integer(0, 3) else allowed)

    def array(self, shape: Shape | None = None) -> int:
        """A place of an array of floats of this shape; where there is none, it is made of one of another shape."""
        shape = self.shape() if shape is None else shape
        place = self.find(lambda value: value.dtype == "float32" and value.shape == shape)
        if place is None:
            place = self.find(lambda value: value.dtype == "float32")
        assert place is not None
        assert shape is not None
        return self.resized(place, shape)

    def resized(self, place: int, shape: Shape) -> int:
        """A place of an array of this shape made of the elements of another: repeated, selected, or averaged."""
        while (value := self.values[place]).shape != shape:
            via = shape if (value.shape, shape) in RESIZED else _toward(value.shape, shape)
            averaged, selected = RESIZED[value.shape, via]
            text = selected if value.exact else averaged
            place = self.add(text, [place], Value(via, value.dtype, value.size, value.exact))
        return place

    def add(self, text: str, operands: Sequence[int], value: Value, functions: Sequence[Function] = ()) -> int:
        """Add a line; a value that is too large is made small in the same line."""
        if value.dtype == "float32" and value.size > LARGEST:
            text, value = f"jnp.arctan({text})", Value(value.shape, size=1.6)
        self.nodes.append(Node(text, tuple(operands), value, tuple(functions)))
        self.values.append(value)
        self.used.update(operands)
        return len(self.values) - 1

    def function(self, results: Sequence[int]) -> Function:
        """The function with these results."""
        return Function(self.parameters, tuple(self.nodes), tuple(results)).pruned()


@no_type_check
def _toward(start: Shape, goal: Shape) -> Shape:
    """The next shape on the way: down to fewer axes, and up again."""
    chain = [goal]
    while chain[-1] in BELOW:
        chain.append(BELOW[chain[-1]])
    return chain[chain.index(start) - 1] if start in chain else BELOW[start]
