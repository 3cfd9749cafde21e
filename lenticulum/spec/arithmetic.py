"""The arithmetic of arrays, exactly: subtraction, multiplication, the largest."""

from functools import reduce

from lenticulum import terms
from lenticulum.numbers import ExactArray, absolute
from lenticulum.spec.data import Data, both, map_data
from lenticulum.spec.elementwise.operands import operands
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Subtract)
def subtract(parameters: Tree, x: Data) -> Data:
    """Return x_1 - x_2. Determined by the pair. Pure; no state."""

    def difference(one: ExactArray, other: ExactArray) -> ExactArray:
        one, other = operands((one, other), "Subtract")
        return one - other

    return map_data(difference, *both(x, "Subtract"))


@meaning(terms.Multiply)
def multiply(parameters: Tree, x: Data) -> Data:
    """Return x_1 x_2. Determined by the pair. Pure; no state."""

    def product(one: ExactArray, other: ExactArray) -> ExactArray:
        one, other = operands((one, other), "Multiply")
        return one * other

    return map_data(product, *both(x, "Multiply"))


@meaning(terms.Maximum)
def maximum(parameters: Tree, x: Data) -> Data:
    """Return max(x_1, x_2) = (x_1 + x_2 + |x_1 - x_2|) / 2, then the same with x_3, and so on.

    The slope of |d| at 0 is 0, so at a tie each gets half of the cotangent. Determined by the tuple. Pure; no state.
    """

    def larger(one: ExactArray, other: ExactArray) -> ExactArray:
        one, other = operands((one, other), "Maximum")
        return (one + other + absolute(one - other)) / 2

    def larger_of(one: Data, other: Data) -> Data:
        return map_data(larger, one, other)

    return reduce(larger_of, x) if isinstance(x, tuple) else x
