"""The rows of the elementary and the two-argument functions."""

from typing import Any

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms import Term


def function(name: str, example: Term, equation: str, source: str, laws: tuple[str, ...], **facts: Any) -> None:
    """Add the row of a function of one argument."""
    entry(
        name,
        example,
        kind="elementwise",
        arrays=("x",),
        equation=equation,
        source=source,
        laws=laws,
        locality="element",
        purity="pure",
        states=STATELESS,
        **{"determines": "x", **facts},
    )


ANNEX_F = "ISO C23, Annex F.10; IEEE 754-2019, 9.2.1"

function("exp", terms.Exp(), "y = e^x", ANNEX_F, ("exp(a + b) = exp a exp b", "y' = y"))
function("log", terms.Log(), "y = log x, x > 0", ANNEX_F, ("log(exp x) = x", "y' = 1/x"))
function(
    "tanh",
    terms.Tanh(),
    "y = sinh x / cosh x",
    ANNEX_F,
    ("odd", "y' = 1 - y²", "|y| < 1 for finite x; ±1 at ±inf"),
)
