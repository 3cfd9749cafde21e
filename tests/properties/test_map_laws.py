"""Parameter maps, freezing and sharing obey their laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum import spec
from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.lenses.map_laws import LAWS as MAP_LAWS
from lenticulum.spec.lenses.sharing_laws import LAWS as SHARING_LAWS
from lenticulum.terms import (
    Dense,
    GradientDescent,
    LearningRate,
    LowRank,
    Reparametrise,
    SquaredLoss,
    SupervisedStep,
    Tree,
)

LAWS = (*MAP_LAWS, *SHARING_LAWS)


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=11, cases=15)
    assert result.violation is None, str(result)
    assert result.checked >= 8
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=12, cases=60)


LEFT, RIGHT = rational([[1, 2], [0, 1], [1, -1]]), rational([[1, 0], [2, 1]])
ROTATION = rational([["3/5", "-4/5"], ["4/5", "3/5"]])
STRETCH, SHRINK = rational([[2, 0], [0, 1]]), rational([["1/2", 0], [0, 1]])


def descend(left, right):
    """Three steps of plain gradient descent on the factors of W = A B, exactly."""
    step = SupervisedStep(
        Reparametrise(Dense(2, 3, use_bias=False), LowRank(("weight",), rank=2)),
        SquaredLoss("1/2"),
        LearningRate("1/16"),
        GradientDescent(),
    )
    parameters = Tree(weight=Tree(left=left, right=right))
    frozen = Tree(weight=rational([[1, 0], [0, 1], [1, 1]]))
    state = Tree(model=Tree(frozen=frozen, inner=Tree()), update=Tree())
    for x, label in ([[1, 2]], [[1, 0, 1]]), ([[-1, 1]], [[0, 1, 1]]), ([[2, 1]], [[1, 1, 0]]):
        result = spec.train_step(step, rational(x), rational(label), parameters, state, None)
        parameters, state = result.parameters, result.state
    return parameters.weight.left, parameters.weight.right


def test_descent_compares_by_the_product_and_not_by_the_factors():
    # A rotation changes the factors of every iterate and no product; G⁻¹ = Gᵀ, so this is exact.
    left, right = descend(LEFT, RIGHT)
    turned_left, turned_right = descend(LEFT @ ROTATION, ROTATION.T @ RIGHT)
    assert ROTATION @ ROTATION.T == rational([[1, 0], [0, 1]])
    assert turned_left != left
    assert turned_right != right
    assert turned_left @ turned_right == left @ right


def test_descent_is_not_equivariant_under_a_gauge_that_is_not_orthogonal():
    # The same function at the start, another one after three steps: the product is no invariant of the optimiser here.
    assert (LEFT @ STRETCH) @ (SHRINK @ RIGHT) == LEFT @ RIGHT
    left, right = descend(LEFT, RIGHT)
    stretched_left, stretched_right = descend(LEFT @ STRETCH, SHRINK @ RIGHT)
    assert stretched_left @ stretched_right != left @ right
