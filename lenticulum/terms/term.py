"""Term: the base of every description. A term is a value: fields and what follows from them, no data, no arithmetic."""

from typing import TYPE_CHECKING

from lenticulum.terms.spaces import Space
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import Value

if TYPE_CHECKING:
    from lenticulum.terms.lenses import Compose, Tensor


class Term(Value):
    """A description of a parametric map. `f >> g` is first f, then g; `f @ g` is f beside g.

    What the description determines by itself: the shapes of its parameters and states (`parameter_shapes`,
    `state_shapes`: trees of tuples) and the space it maps to (`target`). What it computes is looked up by its exact
    type in an interpreter.
    """

    __slots__ = ()

    def parameter_shapes(self) -> Tree:
        """Return the tree of parameter shapes, in order of construction."""
        return Tree()

    def state_shapes(self) -> Tree:
        """Return the tree of state shapes."""
        return Tree()

    def target(self, source: Space) -> Space:
        """Return the space reached from `source`; raises ShapeError before any arithmetic if the parts do not fit."""
        return source

    def __rshift__(self, other: "Term") -> "Compose":
        from lenticulum.terms.lenses import chain

        return chain(self, other)

    def __matmul__(self, other: "Term") -> "Tensor":
        from lenticulum.terms.lenses import Tensor

        return Tensor(self, other)
