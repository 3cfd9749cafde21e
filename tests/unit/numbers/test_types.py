"""The annotation names check kind and shape at run time."""

import numpy as np
import pytest
from beartype import beartype
from jaxtyping import TypeCheckError, jaxtyped

from lenticulum.numbers import (
    BallNumber,
    DualNumber,
    Exact,
    ExactArray,
    Interval64,
    Interval64Number,
    LogRationalNumber,
    MagnitudeNumber,
    PolynomialNumber,
    RationalNumber,
    RoundedNumber,
    TapeNumber,
    ball,
    dual,
    log,
    magnitude,
    polynomials,
    rational,
    rounded,
    vjp,
)

ARRAYS = {
    RationalNumber: rational(1),
    BallNumber: ball(1),
    PolynomialNumber: polynomials(("x",))[0],
    LogRationalNumber: log(rational(2)),
    DualNumber: dual(rational(1), rational(0)),
    MagnitudeNumber: magnitude(1),
    RoundedNumber: rounded(1),
    Interval64Number: Interval64(np.zeros(()), np.zeros(())),
}


def tape():
    seen = []
    vjp(lambda x: seen.append(x) or x, rational(1))
    return seen[0]


@pytest.mark.parametrize("name", [*ARRAYS, TapeNumber])
def test_each_name_matches_its_own_system_only(name):
    for kind, array in [*ARRAYS.items(), (TapeNumber, tape())]:
        assert isinstance(array, name[ExactArray, ""]) is (kind is name)
        assert isinstance(array, Exact[ExactArray, ""])


def test_shapes_are_checked_across_arguments():
    @jaxtyped(typechecker=beartype)
    def product(a: Exact[ExactArray, "n k"], b: Exact[ExactArray, "k m"]) -> Exact[ExactArray, "n m"]:
        return a @ b

    a = rational([[1, 2, 3], [4, 5, 6]])
    assert product(a, a.T).shape == (2, 2)
    with pytest.raises(TypeCheckError):
        product(a, a)
