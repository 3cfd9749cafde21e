"""FlatArray: an exact array stored as one flat list of elements, shared by all systems that are not derivatives."""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Self, TypeVar

from lenticulum.numbers.array import ExactArray, Positions
from lenticulum.numbers.checking import no_type_check

Element = TypeVar("Element")


@no_type_check
def power(element: Any, exponent: int, one: Any) -> Any:
    """element to a non-negative integer power by repeated squaring (FLINT's power of a ball around 0 is NaN)."""
    result = one
    while exponent:
        if exponent & 1:
            result = result * element
        exponent >>= 1
        if exponent:
            element = element * element
    return result


@no_type_check
class FlatArray(ExactArray, Generic[Element]):
    """Elements in row-major order; subclasses give `_with`, which makes an array of the same ring or format."""

    elements: list[Element]

    def _with(self, shape: tuple[int, ...], elements: list[Element]) -> Self:
        raise NotImplementedError

    def _map(self, function: Callable[[Any], Any]) -> Self:
        return self._with(self.shape, list(map(function, self.elements)))

    def _zip(self, function: Callable[[Any, Any], Any], other: Self) -> Self:
        return self._with(self.shape, list(map(function, self.elements, other.elements)))

    def take(self, index: Positions) -> Self:
        """The elements at these flat positions; the result has the shape of the index."""
        elements = self.elements
        return self._with(index.shape, [elements[position] for position in index.ravel().tolist()])

    def join(self, others: Sequence[Self]) -> Self:
        """All elements of this array and the others, in order, as one axis."""
        elements = list(self.elements)
        for other in others:
            elements.extend(self._operand(other).elements)
        return self._with((len(elements),), elements)

    def _require_compatible(self, other: Self) -> None:
        """Two arrays of one flat system without parameters always fit."""

    def _add(self, other: Self) -> Self:
        return self._zip(operator.add, other)

    def _subtract(self, other: Self) -> Self:
        return self._zip(operator.sub, other)

    def _multiply(self, other: Self) -> Self:
        return self._zip(operator.mul, other)

    def _negate(self) -> Self:
        return self._map(operator.neg)

    def _rows(self) -> list[list[Any]]:
        rows, columns = self.shape
        return [self.elements[row * columns : (row + 1) * columns] for row in range(rows)]

    def _zero(self) -> Any:
        return self.lift(0).elements[0]

    def _sum_rows(self) -> Self:
        return self._with(self.shape[:1], [_sum(row, self._zero()) for row in self._rows()])

    def _matrix_product(self, other: Self) -> Self:
        zero, columns = self._zero(), other.transpose()._rows()
        entries = [_sum(map(operator.mul, row, column), zero) for row in self._rows() for column in columns]
        return self._with((self.shape[0], other.shape[1]), entries)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_nested(self.shape, [str(element) for element in self.elements])})"


@no_type_check
def _sum(summands: Iterable[Any], zero: Any) -> Any:
    return sum(summands, zero)


def _nested(shape: tuple[int, ...], texts: list[str]) -> str:
    if not shape:
        return texts[0]
    if len(shape) == 1:
        return "[" + ", ".join(texts) + "]"
    stride = len(texts) // shape[0] if shape[0] else 0
    return "[" + ", ".join(_nested(shape[1:], texts[i * stride : (i + 1) * stride]) for i in range(shape[0])) + "]"
