"""ExactArray: shape, indexing, operators and reductions shared by every number system.

The array is the number: one subclass per system, row-major. All data movement goes through one primitive pair, `take`
and `join`, so that derivatives and error bounds implement it once. A system supplies the abstract methods at the end
of the class.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import DomainError, InexactError

Axes: TypeAlias = int | tuple[int, ...] | None
Positions: TypeAlias = NDArray[np.integer[Any]]
Booleans: TypeAlias = NDArray[np.bool_]


@no_type_check
class ExactArray(ABC):
    """An n-dimensional array of numbers of one exact system; immutable and unhashable.

    Operators broadcast as NumPy's do. The other operand is an array of the same system or an exact constant (int or
    Fraction), never a float, because a float constant hides which number was meant.
    Comparisons return NumPy bools and raise `Undecided` where an element cannot be decided; `==` compares whole arrays.
    """

    dtype: ClassVar[str]
    shape: tuple[int, ...]

    __hash__ = None  # pyright: ignore[reportAssignmentType]  # equality of enclosures may be undecided, so no hash can agree with it
    __array_ufunc__ = None  # makes `numpy_array + exact_array` a TypeError instead of an object array

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("got a 0-d array, which has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        return (self[position] for position in range(len(self)))

    def __bool__(self) -> bool:
        raise TypeError("an exact array has no truth value: compare it, for example `x > 0`")

    def __getitem__(self, key: Any) -> Self:
        return self.take(cast(Positions, np.asarray(cast(Any, self._positions()[key]))))

    def _positions(self) -> Positions:
        return np.arange(self.size).reshape(self.shape)

    def reshape(self, *shape: int | tuple[int, ...]) -> Self:
        """The same elements in row-major order under another shape; one entry may be -1."""
        sizes = cast(tuple[int, ...], shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape)
        return self if sizes == self.shape else self.take(self._positions().reshape(sizes))

    def transpose(self, axes: Sequence[int] | None = None) -> Self:
        """Permute the axes (reverse them by default)."""
        order = tuple(reversed(range(self.ndim))) if axes is None else tuple(axes)
        return self if order == tuple(range(self.ndim)) else self.take(self._positions().transpose(order))

    @property
    def T(self) -> Self:
        """The array with its axes reversed."""
        return self.transpose()

    def broadcast_to(self, shape: tuple[int, ...]) -> Self:
        """Repeat the elements along new or size-one axes."""
        return self if shape == self.shape else self.take(np.broadcast_to(self._positions(), shape))

    def _operand(self, other: object) -> Self:
        """The other operand of an operator as an array of this system."""
        if isinstance(other, type(self)):
            self._require_compatible(other)
            return other
        if isinstance(other, int | Fraction) and not isinstance(other, bool):
            return self.lift(other)
        if isinstance(other, ExactArray):
            raise TypeError(
                f"got {self.dtype} and {other.dtype}, expected one number system: convert one of them, "
                "or pass it to jvp or vjp as an input of its own"
            )
        raise TypeError(
            f"got {type(other).__name__} with {self.dtype}, expected an exact constant: write Fraction({other!r}), "
            f"or make it a {self.dtype} array first"
        )

    def require_same_system(self, other: ExactArray) -> None:
        """Raise TypeError, saying what to do, unless the other array can be an operand of this one."""
        self._operand(other)

    def _pair(self, other: object) -> tuple[Self, Self]:
        """Both operands, broadcast to one shape."""
        operand = self._operand(other)
        if operand.shape == self.shape:
            return self, operand
        try:
            shape = np.broadcast_shapes(self.shape, operand.shape)
        except ValueError:
            raise ValueError(f"got shapes {self.shape} and {operand.shape}, which do not broadcast") from None
        return self.broadcast_to(shape), operand.broadcast_to(shape)

    def __add__(self, other: Self | int | Fraction) -> Self:
        left, right = self._pair(other)
        return left._add(right)

    def __radd__(self, other: int | Fraction) -> Self:
        right, left = self._pair(other)
        return left._add(right)

    def __sub__(self, other: Self | int | Fraction) -> Self:
        left, right = self._pair(other)
        return left._subtract(right)

    def __rsub__(self, other: int | Fraction) -> Self:
        right, left = self._pair(other)
        return left._subtract(right)

    def __mul__(self, other: Self | int | Fraction) -> Self:
        left, right = self._pair(other)
        return left._multiply(right)

    def __rmul__(self, other: int | Fraction) -> Self:
        right, left = self._pair(other)
        return left._multiply(right)

    def __truediv__(self, other: Self | int | Fraction) -> Self:
        left, right = self._pair(other)
        return left._divide(right)

    def __rtruediv__(self, other: int | Fraction) -> Self:
        right, left = self._pair(other)
        return left._divide(right)

    def __neg__(self) -> Self:
        return self._negate()

    def __pow__(self, exponent: int) -> Self:
        if not isinstance(exponent, int) or isinstance(exponent, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"got the exponent {exponent!r}, expected an int: write sqrt(x), or exp(y * log(x))")
        return self._power(exponent)

    def __matmul__(self, other: Self) -> Self:
        if isinstance(other, int | Fraction):
            raise TypeError("got a constant as an operand of @, expected an array of at least one axis: use *")
        right = self._operand(other)
        if self.ndim < 1 or right.ndim not in (1, 2) or self.shape[-1] != right.shape[0]:
            raise ValueError(f"got shapes {self.shape} @ {right.shape}, expected (..., k) @ (k,) or (..., k) @ (k, n)")
        inner = self.shape[-1]
        rows, columns = math.prod(self.shape[:-1]), math.prod(right.shape[1:])
        product = self.reshape((rows, inner))._matrix_product(right.reshape((inner, columns)))
        return product.reshape(self.shape[:-1] + right.shape[1:])

    def accumulate(self, other: Self) -> Self:
        """self + other, two contributions to one cotangent; a system that bounds errors remembers what was added."""
        return self + other

    def added_in_any_order(self, other: Self) -> Self:
        """self + other, where an evaluation may add the contributions to both in any order."""
        return self + other

    def added_as(self, *addends: Self) -> Self:
        """This array, of which an evaluation may add these parts one by one to what else it adds."""
        return self

    def sum(self, axis: Axes = None, keepdims: bool = False) -> Self:
        """The sum over `axis` (an int, a tuple, or None for all axes)."""
        axes = self._axes(axis)
        kept = tuple(a for a in range(self.ndim) if a not in axes)
        sizes = tuple(self.shape[a] for a in kept)
        count = math.prod(self.shape[a] for a in axes)
        rows = self.transpose(kept + axes).reshape((math.prod(sizes), count))
        shape = tuple(1 if a in axes else n for a, n in enumerate(self.shape)) if keepdims else sizes
        return rows._sum_rows().reshape(shape)

    def mean(self, axis: Axes = None, keepdims: bool = False) -> Self:
        """The sum over `axis` divided by the number of summands; of no summands, a DomainError."""
        count = math.prod(self.shape[a] for a in self._axes(axis))
        if count == 0:
            raise DomainError(f"got shape {self.shape} and axis {axis}: the mean of no elements does not exist")
        return self.sum(axis, keepdims) / count

    def _axes(self, axis: Axes) -> tuple[int, ...]:
        if axis is None:
            return tuple(range(self.ndim))
        axes = axis if isinstance(axis, tuple) else (axis,)
        if any(not -self.ndim <= a < self.ndim for a in axes):
            raise ValueError(f"got axis {axis} for shape {self.shape}, expected axes in [{-self.ndim}, {self.ndim})")
        normal = tuple(a % self.ndim for a in axes)
        if len(set(normal)) != len(normal):
            raise ValueError(f"got axis {axis}, which names one axis twice")
        return normal

    def __lt__(self, other: Self | int | Fraction) -> Booleans:
        left, right = self._pair(other)
        return np.asanyarray(left._less(right), dtype=np.bool_).reshape(left.shape)

    def __le__(self, other: Self | int | Fraction) -> Booleans:
        left, right = self._pair(other)
        return np.asanyarray(left._less_equal(right), dtype=np.bool_).reshape(left.shape)

    def __gt__(self, other: Self | int | Fraction) -> Booleans:
        left, right = self._pair(other)
        return np.asanyarray(right._less(left), dtype=np.bool_).reshape(left.shape)

    def __ge__(self, other: Self | int | Fraction) -> Booleans:
        left, right = self._pair(other)
        return np.asanyarray(right._less_equal(left), dtype=np.bool_).reshape(left.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactArray | int | float | Fraction):
            return NotImplemented
        operand = self._operand(other)
        return operand.shape == self.shape and self._equal(operand)

    def maximum(self, other: Self | int | Fraction) -> Self:
        """The larger of two numbers, elementwise."""
        left, right = self._pair(other)
        return left.select(left >= right, right)

    def minimum(self, other: Self | int | Fraction) -> Self:
        """The smaller of two numbers, elementwise."""
        left, right = self._pair(other)
        return -((-left).maximum(-right))

    def select(self, condition: Booleans, other: Self) -> Self:
        """This array where the condition holds, `other` elsewhere; all of one shape."""
        positions = self._positions()
        return self.join([other]).take(np.where(condition, positions, positions + self.size))

    def absolute(self) -> Self:
        """The absolute value, elementwise."""
        return self.select(self >= 0, -self)

    def exactly_zero(self) -> Booleans:
        """Which elements are known to be 0, with every derivative that they carry; a system need not know."""
        return np.zeros(self.shape, np.bool_)

    def _refuse(self, name: str) -> InexactError:
        return InexactError(f"{name} has no value in the {self.dtype} numbers: use `ball`, which encloses it")

    def _elementary(self, name: str) -> Self:
        """The named function of each element; a system without transcendentals refuses."""
        raise self._refuse(name)

    def _elementary_pair(self, name: str, other: Self) -> Self:
        """The named function of the elements of two arrays of one shape."""
        raise self._refuse(name)

    def exp(self) -> Self:
        """e to the power x."""
        return self._elementary("exp")

    def exp2(self) -> Self:
        """2 to the power x."""
        return self._elementary("exp2")

    def expm1(self) -> Self:
        """e to the power x, minus 1."""
        return self._elementary("expm1")

    def log(self) -> Self:
        """The natural logarithm; x > 0."""
        return self._elementary("log")

    def log2(self) -> Self:
        """The binary logarithm; x > 0."""
        return self._elementary("log2")

    def log10(self) -> Self:
        """The decimal logarithm; x > 0."""
        return self._elementary("log10")

    def log1p(self) -> Self:
        """The natural logarithm of 1 + x; x > -1."""
        return self._elementary("log1p")

    def sqrt(self) -> Self:
        """The square root; x >= 0."""
        return self._elementary("sqrt")

    def rsqrt(self) -> Self:
        """1 / sqrt(x); x > 0."""
        return 1 / self.sqrt()

    def root_of_squares(self) -> Self:
        """The square root of a sum of squares; at 0 its derivative is 0."""
        positive = self > 0
        zero, one = self.lift(0, self.shape), self.lift(1, self.shape)
        return self.select(positive, one).sqrt().select(positive, zero)

    def cbrt(self) -> Self:
        """The real cube root."""
        return self._elementary("cbrt")

    def sin(self) -> Self:
        """The sine; finite x."""
        return self._elementary("sin")

    def cos(self) -> Self:
        """The cosine; finite x."""
        return self._elementary("cos")

    def tan(self) -> Self:
        """The tangent; finite x."""
        return self._elementary("tan")

    def asin(self) -> Self:
        """The inverse sine in [-pi/2, pi/2]; -1 <= x <= 1."""
        return self._elementary("asin")

    def acos(self) -> Self:
        """The inverse cosine in [0, pi]; -1 <= x <= 1."""
        return self._elementary("acos")

    def atan(self) -> Self:
        """The inverse tangent in [-pi/2, pi/2]."""
        return self._elementary("atan")

    def sinh(self) -> Self:
        """The hyperbolic sine."""
        return self._elementary("sinh")

    def cosh(self) -> Self:
        """The hyperbolic cosine."""
        return self._elementary("cosh")

    def tanh(self) -> Self:
        """The hyperbolic tangent."""
        return self._elementary("tanh")

    def asinh(self) -> Self:
        """The inverse hyperbolic sine."""
        return self._elementary("asinh")

    def acosh(self) -> Self:
        """The non-negative inverse hyperbolic cosine; x >= 1."""
        return self._elementary("acosh")

    def atanh(self) -> Self:
        """The inverse hyperbolic tangent; -1 < x < 1."""
        return self._elementary("atanh")

    def erf(self) -> Self:
        """The error function, 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x."""
        return self._elementary("erf")

    def erfc(self) -> Self:
        """1 - erf(x)."""
        return self._elementary("erfc")

    def erfinv(self) -> Self:
        """The inverse of erf; -1 < x < 1."""
        return self._elementary("erfinv")

    def lgamma(self) -> Self:
        """log |Gamma(x)|; x not in {0, -1, -2, ...}."""
        return self._elementary("lgamma")

    def digamma(self) -> Self:
        """The derivative of log Gamma; x not in {0, -1, -2, ...}."""
        return self._elementary("digamma")

    def polygamma(self, order: int) -> Self:
        """The derivative of this order of digamma; x not in {0, -1, -2, ...}."""
        raise self._refuse("polygamma")

    def sigmoid(self) -> Self:
        """1 / (1 + exp(-x))."""
        return self._elementary("sigmoid")

    def softplus(self) -> Self:
        """log(1 + exp(x))."""
        return self._elementary("softplus")

    def normal_cdf(self) -> Self:
        """The standard normal distribution function, erfc(-x / sqrt(2)) / 2."""
        return self._elementary("normal_cdf")

    def sinc(self) -> Self:
        """sin(pi x) / (pi x), and 1 at 0."""
        return self._elementary("sinc")

    def power_real(self, other: Self | int | Fraction) -> Self:
        """self to the power other, exp(y log x); x > 0."""
        left, right = self._pair(other)
        return left._elementary_pair("power_real", right)

    def hypot(self, other: Self | int | Fraction) -> Self:
        """sqrt(x*x + y*y)."""
        left, right = self._pair(other)
        return left._elementary_pair("hypot", right)

    def atan2(self, other: Self | int | Fraction) -> Self:
        """The angle of the point (other, self) in [-pi, pi]; not both 0."""
        left, right = self._pair(other)
        return left._elementary_pair("atan2", right)

    def pi(self) -> Self:
        """The circle constant, a 0-d array of this system."""
        raise self._refuse("pi")

    @abstractmethod
    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Self:
        """A constant array of the same system (same ring, format, or derivative level)."""

    @abstractmethod
    def take(self, index: Positions) -> Self:
        """The elements at these flat positions; the result has the shape of the index."""

    @abstractmethod
    def join(self, others: Sequence[Self]) -> Self:
        """All elements of this array and the others, in order, as one axis."""

    @abstractmethod
    def _require_compatible(self, other: Self) -> None:
        """Raise TypeError unless the other array has the same ring, format, or derivative level."""

    @abstractmethod
    def _add(self, other: Self) -> Self:
        """The sum of two arrays of one shape; so for the next three."""

    @abstractmethod
    def _subtract(self, other: Self) -> Self: ...

    @abstractmethod
    def _multiply(self, other: Self) -> Self: ...

    @abstractmethod
    def _divide(self, other: Self) -> Self: ...

    @abstractmethod
    def _negate(self) -> Self: ...

    @abstractmethod
    def _power(self, exponent: int) -> Self: ...

    @abstractmethod
    def _matrix_product(self, other: Self) -> Self:
        """(m, k) times (k, n)."""

    @abstractmethod
    def _sum_rows(self) -> Self:
        """The sums over the last axis of an (m, n) array: shape (m,)."""

    @abstractmethod
    def _less(self, other: Self) -> list[bool] | Booleans:
        """Whether each element is less than the other's; Undecided if one is not certain."""

    @abstractmethod
    def _less_equal(self, other: Self) -> list[bool] | Booleans: ...

    @abstractmethod
    def _equal(self, other: Self) -> bool:
        """Whether all elements are equal, for arrays of one shape."""
