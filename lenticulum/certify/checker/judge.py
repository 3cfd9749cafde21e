"""The verdict for one input of an elementwise kernel: stratum, error in ulp, K, and why it is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from lenticulum.certify.checker.formats import FloatFormat


class Judged:
    """One input and one returned value, judged.

    `stratum`: "special", "subnormal input", "overflow", "subnormal result", "regular", or None where the enclosure
    could not decide it at the cap.
    `accepted_by`: "K", "running bound", "flushed", "textbook overflow", "special", or None where no rule accepts.
    `correctly_rounded`: True, False, or None (undecided at the cap); for special inputs whether y is the expected value.
    `undecided`: some question of the rule stayed undecided at the cap (then `accepted_by` is not to be trusted).
    `zero_sign`: y is a zero of the wrong sign where the exact value is not zero.
    `expected`: for special inputs a word for what was expected ("nan", "inf", "-inf", "0x0p+0", "-0x0p+0", a
    hexadecimal float), else None.
    `ulp`: lower and upper end of |y - f| / ulp(f); None where no number is judged (special inputs, NaN for a number).
    `K`: lower and upper end of K, computed when first asked for; None where `ulp` is None.
    """

    stratum: str | None
    accepted_by: str | None
    correctly_rounded: bool | None
    undecided: bool
    zero_sign: bool
    expected: str | None
    ulp: tuple[Fraction, Fraction] | None

    @property
    def K(self) -> tuple[Fraction, Fraction] | None:
        """Lower and upper end of K."""
        raise NotImplementedError

    def ulp_at_most(self, bound: Fraction) -> bool | None:
        """Whether |y - f| / ulp(f) <= bound, at rising precision; None where undecided at the cap or no number."""
        raise NotImplementedError

    def K_at_most(self, bound: Fraction) -> bool | None:
        """Whether K <= bound, at rising precision; None where undecided at the cap or no number."""
        raise NotImplementedError


def judge(
    definition_name: str,
    conventions: Mapping[str, str | int | Fraction],
    input_format: FloatFormat,
    output_format: FloatFormat,
    flushes: bool,
    x_patterns: tuple[int, ...],
    y_pattern: int,
) -> Judged:
    """Judge the pattern `y_pattern` (of `output_format`) that a kernel returned for `x_patterns` (of `input_format`).

    `conventions` are those of the certificate: words, or rational numbers written as decimals or quotients. ValueError:
    an unknown definition, convention or value.
    """
    raise NotImplementedError
