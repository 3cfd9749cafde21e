"""Names for annotations: `Exact[ExactArray, "n k"]` and one per number system, with shapes checked by jaxtyping."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Annotated as BallNumber
    from typing import Annotated as DualNumber
    from typing import Annotated as Exact
    from typing import Annotated as Interval64Number
    from typing import Annotated as LogRationalNumber
    from typing import Annotated as MagnitudeNumber
    from typing import Annotated as PolynomialNumber
    from typing import Annotated as RationalNumber
    from typing import Annotated as RoundedNumber
    from typing import Annotated as TapeNumber
else:
    from jaxtyping import AbstractDtype

    class Exact(AbstractDtype):
        """Any exact array."""

        dtypes = [
            "rational",
            "ball",
            "polynomial",
            "log_rational",
            "dual",
            "magnitude",
            "tape",
            "interval64",
            "rounded",
        ]

    class RationalNumber(AbstractDtype):
        """A Rational array."""

        dtypes = ["rational"]

    class BallNumber(AbstractDtype):
        """A Ball array."""

        dtypes = ["ball"]

    class PolynomialNumber(AbstractDtype):
        """A Polynomial array."""

        dtypes = ["polynomial"]

    class LogRationalNumber(AbstractDtype):
        """A LogRational array."""

        dtypes = ["log_rational"]

    class DualNumber(AbstractDtype):
        """A Dual array."""

        dtypes = ["dual"]

    class MagnitudeNumber(AbstractDtype):
        """A Magnitude array."""

        dtypes = ["magnitude"]

    class Interval64Number(AbstractDtype):
        """An Interval64 array."""

        dtypes = ["interval64"]

    class RoundedNumber(AbstractDtype):
        """A Rounded array."""

        dtypes = ["rounded"]

    class TapeNumber(AbstractDtype):
        """A Tape array."""

        dtypes = ["tape"]


__all__ = [
    "BallNumber",
    "DualNumber",
    "Exact",
    "Interval64Number",
    "LogRationalNumber",
    "MagnitudeNumber",
    "PolynomialNumber",
    "RationalNumber",
    "RoundedNumber",
    "TapeNumber",
]
