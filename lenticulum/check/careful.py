"""Running bounds that say why one is missing, and that excuse no magnified cancellation."""

from __future__ import annotations

from typing import Any

from flint import arb

from lenticulum.numbers import Magnitude
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import Format


@no_type_check
class Careful(Magnitude):
    """Running error bounds; the arrays of one evaluation share `missing`.

    `missing`: for each element that became unbounded, in order, whether an intermediate overflowed there (True) or has
    no value (False). What follows from the first is no news.
    `refusing`: no quotient of pure rounding error, magnified, is excused. Where a difference of two numbers of certain
    sign has no certain sign itself, cancellation has left no digit of it. Divided by less than 1, this error grows
    beyond that of any intermediate: (cos x - sin x / x) / x near 0 gives -0.44 for 7e-16. Such an element is unbounded,
    so that it excuses nothing. A difference whose operands are uncertain themselves (cos of a huge, rounded argument)
    is not meant: there the error is that of the argument.
    """

    def __init__(
        self, shape: tuple[int, ...], elements: list[arb], format: Format, missing: list[bool], refusing: bool
    ) -> None:
        super().__init__(shape, elements, format)
        self.missing, self.refusing = missing, refusing
        self.noise: list[bool] | None = None

    def _with(self, shape: tuple[int, ...], elements: list[arb]) -> Careful:
        return Careful(shape, elements, self.format, self.missing, self.refusing)

    def _rounded(self, exact: list[arb], units: int) -> list[arb]:
        rounded = super()._rounded(exact, units)
        self.missing += [not x.is_nan() for x, y in zip(exact, rounded, strict=True) if not y.is_finite()]
        return rounded

    def _accumulated(self, value: arb, magnitudes: arb, roundings: int, operations: int) -> arb:
        found = super()._accumulated(value, magnitudes, roundings, operations)
        self.missing += [] if found.is_finite() else [not value.is_nan()]
        return found

    def _marked(self, other: Any, result: Any) -> Careful:
        if self.refusing:
            triples = zip(self.elements, other.elements, result.elements, strict=True)
            result.noise = [certain(x) and certain(y) and not certain(z) for x, y, z in triples]
        return result

    def _add(self, other: Any) -> Careful:
        return self._marked(other, super()._add(other))

    def _subtract(self, other: Any) -> Careful:
        return self._marked(other, super()._subtract(other))

    def _divide(self, other: Any) -> Careful:
        if self.noise is None:
            plain: Any = super()._divide(other)
            return plain
        refused = [noisy and divisor.abs_lower() < 1 for noisy, divisor in zip(self.noise, other.elements, strict=True)]
        self.missing += [False for each in refused if each]
        quotient = super()._divide(other)
        elements = [arb.nan() if no else each for no, each in zip(refused, quotient.elements, strict=True)]
        return self._with(quotient.shape, elements)


def careful(bounds: Magnitude, missing: list[bool], *, refusing: bool = False) -> Careful:
    """Return the same bounds with a record of what is missing."""
    return Careful(bounds.shape, bounds.elements, bounds.format, missing, refusing)


@no_type_check
def refusing(bounds: Any, missing: list[bool]) -> Any:
    """Return running bounds that refuse magnified cancellation, and keep their record; other numbers as they are."""
    if not isinstance(bounds, Magnitude):
        return bounds
    return careful(bounds, getattr(bounds, "missing", missing), refusing=True)


@no_type_check
def certain(x: arb) -> bool:
    """Return whether the sign of an enclosure is certain; that of 0 is."""
    return bool(x > 0 or x < 0 or x.is_zero())
