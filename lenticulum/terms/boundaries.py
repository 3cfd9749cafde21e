"""Typed boundaries: every term is a lens (A, A') -> (B, B'), and lenses compose only where both halves fit."""

from lenticulum.terms.learners import Learner
from lenticulum.terms.lenses import Compose
from lenticulum.terms.optimizers import Update
from lenticulum.terms.spaces import SCALAR, UNIT, Named, ShapeError, Space, cotangent, describe, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import Value, value


@value
class Boundary(Value):
    """The type (A, A') -> (B, B') of a lens: get : A -> B, put : A x B' -> A'.

    >>> print(Boundary(2, cotangent(2), (), ()))
    ([2], [2]') -> ((), ())
    """

    source: Space
    source_cotangent: Space
    target: Space
    target_cotangent: Space

    def then(self, other: "Boundary", part: str = "then") -> "Boundary":
        """Return the boundary of the composite; raises ShapeError where a wire or its cotangent does not fit.

        >>> dense = Boundary(2, cotangent(2), 3, cotangent(3))
        >>> print(dense.then(Boundary(3, cotangent(3), 1, cotangent(1))))
        ([2], [2]') -> ([1], [1]')
        >>> dense.then(Boundary(3, 3, 1, cotangent(1)))
        Traceback (most recent call last):
        lenticulum.terms.spaces.ShapeError: then: backward: expected [3]', got [3]
        """
        unify(self.target, other.source, f"{part}: forward")
        unify(self.target_cotangent, other.source_cotangent, f"{part}: backward")
        return Boundary(self.source, self.source_cotangent, other.target, other.target_cotangent)

    def require_get(self, source: Space, target: Space, part: str) -> None:
        """Refuse a claim that get is a map source -> target when it is none.

        >>> Boundary(2, cotangent(2), (), ()).require_get(2, 2, "get")
        Traceback (most recent call last):
        lenticulum.terms.spaces.ShapeError: get: expected a map [2] -> [2], got a map [2] -> ()
        """
        try:
            unify(source, self.source, part)
            unify(target, self.target, part)
        except ShapeError:
            claimed, actual = ((describe(a), describe(b)) for a, b in ((source, target), (self.source, self.target)))
            raise ShapeError(part, f"a map {claimed[0]} -> {claimed[1]}", f"a map {actual[0]} -> {actual[1]}") from None

    def __str__(self) -> str:
        source, back = describe(self.source), describe(self.source_cotangent)
        return f"({source}, {back}) -> ({describe(self.target)}, {describe(self.target_cotangent)})"


def boundary(term: Term, source: Space) -> Boundary:
    """Return the boundary of a term at a source: (A, A') -> (B, B') with B = term.target(A).

    Raises: ShapeError before any arithmetic, where the parts or the kinds of wire do not fit.

    >>> from lenticulum.terms import Dense, Relu
    >>> print(boundary(Dense(2, 3) >> Relu(), 2))
    ([2], [2]') -> ([3], [3]')
    >>> boundary(Relu() >> Dense(2, 3), cotangent(2))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: layer_1 (Relu): expected one array [features], got [2]'
    """
    target = term.target(source)
    return Boundary(source, cotangent(source), target, cotangent(target))


def end_of(term: Term, path: tuple[str, ...] = ()) -> str:
    """Return which part a value of the term comes from.

    >>> from lenticulum.terms import Bias, Relu
    >>> end_of(Bias(2) >> Relu()), end_of(Relu())
    ('layer_2 (Relu)', 'Relu')
    """
    if isinstance(term, Compose) and term.parts:
        return end_of(term.parts[-1], (*path, term.names[-1]))
    return f"{'.'.join(path)} ({type(term).__name__})" if path else type(term).__name__


def parameter_space(shapes: Tree) -> Space:
    """Return the product of the leaves of a tree of shapes, each under its path.

    >>> describe(parameter_space(Tree(weight=(4, 2), bias=(4,))))
    '(weight [4, 2], bias [4])'
    """
    return tuple(
        Named(".".join(path), _leaf_space(shape)) for path, shape in zip(shapes.paths(), shapes.leaves(), strict=True)
    )


def _leaf_space(shape: tuple[int, ...]) -> Space:
    return SCALAR if shape == () else shape[0] if len(shape) == 1 else str(list(shape))


def learner_boundary(learner: Learner) -> Boundary:
    """Return the boundary (A x P x B, A' x P' x B') -> (1, 1) of a closed learner, its wires being parameters.

    >>> from lenticulum.terms import Dense, LearningRate, SquaredLoss
    >>> print(learner_boundary(Learner(Dense(2, 1, use_bias=False), SquaredLoss(), LearningRate(1), 2)))
    (([2], (weight [1, 2]), [1]), ([2]', (weight [1, 2]'), [1]')) -> ((), ())
    """
    wires = (learner.source, parameter_space(learner.model.parameter_shapes()), learner.label())
    return Boundary(wires, cotangent(wires), UNIT, UNIT)


def update_boundary(update: Update, shapes: Tree) -> Boundary:
    """Return the boundary (S x P, S x P) -> (P, P') of an update: what it gives back is no cotangent.

    >>> from lenticulum.terms import GradientDescent
    >>> print(update_boundary(GradientDescent(), Tree(p=(2,))))
    (((), (p [2])), ((), (p [2]))) -> ((p [2]), (p [2]'))
    """
    parameters = parameter_space(shapes)
    remembered = (parameter_space(update.state_shapes(shapes)), parameters)
    return Boundary(remembered, remembered, parameters, cotangent(parameters))


def require_identity_get(learner: Learner) -> None:
    """Refuse the claim in print that the get of the closed supervised step is the identity: it does not type-check.

    get : A x P x B -> 1 is the unique map to the unit, and the identity is a map A x P x B -> A x P x B.

    Raises: ShapeError with both types, for every learner with a wire.
    Source: arXiv:2103.01931v2, the text around Figure 5.

    >>> from lenticulum.terms import Dense, LearningRate, SquaredLoss
    >>> learner = Learner(Dense(2, 1, use_bias=False), SquaredLoss(), LearningRate("1/10"), 2)
    >>> try:
    ...     require_identity_get(learner)
    ... except ShapeError as error:
    ...     print(str(error).replace(", got", "," + chr(10) + "got"))
    the get of Learner: expected a map ([2], (weight [1, 2]), [1]) -> ([2], (weight [1, 2]), [1]),
    got a map ([2], (weight [1, 2]), [1]) -> ()
    """
    closed = learner_boundary(learner)
    closed.require_get(closed.source, closed.source, "the get of Learner")
