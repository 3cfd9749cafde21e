"""The tables of a page: strata, worst inputs, special values; and how numbers are written in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from lenticulum.certify.appraisal import Worst
from lenticulum.certify.coverage import spaced
from lenticulum.certify.explain import floats
from lenticulum.certify.markup import Markup, element
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.shard import Maximum, Point
from lenticulum.numbers.formats import FORMATS, Format

#: How many special inputs with a wrong result are listed; all are counted.
LISTED = 16


def scrolling(content: Markup, label: str) -> Markup:
    """Return content that scrolls by itself where it is wider than the page."""
    return element("div", content, class_="scroll", tabindex=0, role="region", aria_label=label)


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """Return a table whose first column holds the headings of the rows; integers are right-aligned."""

    def cell(value: object) -> Markup:
        return element("td", spaced(value), class_="count") if isinstance(value, int) else element("td", value)

    body = [element("tr", element("th", first, scope="row"), *map(cell, rest)) for first, *rest in rows]
    top = element("thead", element("tr", *(element("th", each, scope="col") for each in head)))
    return scrolling(element("table", element("caption", caption), top, element("tbody", *body)), caption)


def terms(pairs: Iterable[tuple[str, object]]) -> Markup:
    return element("dl", *(element(tag, each) for pair in pairs for tag, each in zip(("dt", "dd"), pair, strict=True)))


def up(value: float) -> str:
    """Write a bound in five digits, rounded up."""
    return _decimal(value, ROUND_CEILING)


def down(value: float) -> str:
    """Write a bound in five digits, rounded down.

    >>> down(2 / 3), up(2 / 3), up(4.0), up(1e300)
    ('0.66666', '0.66667', '4', '1.0001e+300')
    """
    return _decimal(value, ROUND_FLOOR)


def _decimal(value: float, rounding: str) -> str:
    if not math.isfinite(value):
        return str(value)
    rounded = Context(prec=5, rounding=rounding).create_decimal(Decimal(value)).normalize()
    return f"{rounded:f}" if -6 < rounded.adjusted() < 9 else f"{rounded:e}"


def percentage(part: int, whole: int) -> str:
    """Write a share in percent, rounded down, so that it is 100 only for all.

    >>> percentage(30718, 30719), percentage(3, 3)
    ('99.99 %', '100 %')
    """
    return f"{part * 10_000 // whole / 100:g} %"


def exactly(word: str) -> str:
    """Return an exact value in words; special values are hexadecimal."""
    return repr(float.fromhex(word)) if "0x" in word else word


def written(point: Point, format: Format) -> list[object]:
    """Write an input or output: decimal and pattern of each argument."""
    parts: list[object] = []
    for value, pattern in zip(floats(point, format), point, strict=True):
        parts += [", "] if parts else []
        parts += [f"{value!r} ", element("code", f"0x{pattern:0{format.width // 4}x}")]
    return parts


def strata_table(result: CertifyResult) -> list[Markup]:
    domain, output = result.campaign.domain, FORMATS[result.campaign.output]

    def largest(found: Maximum) -> object:
        if not found.x:
            return "no number"
        ends = f"≤ {up(found.at_most)}, ≥ {down(found.at_least)}"
        at = element("span", "x = ", *written(found.x, domain.format), ", y = ", *written((found.y,), output))
        return element("span", ends, element("br"), element("code", found.at_most.hex()), element("br"), at)

    rows = []
    for name, found in result.merged.strata.items():
        if not found.count:
            continue
        ways = "; ".join(f"{spaced(count)} by {way}" for way, count in sorted(found.accepted.items())) or "none"
        share = f"{percentage(found.correctly_rounded, found.count)} ({spaced(found.correctly_rounded)})"
        signs, undecided = found.zero_sign, found.undecided_count
        rows.append(
            (name, found.count, ways, found.rejected, share, largest(found.ulp), largest(found.k), signs, undecided)
        )
    head = (
        *("stratum", "inputs", "accepted", "rejected", "correctly rounded", "largest error in ulp", "largest K"),
        *("zeros of the wrong sign", "open questions"),
    )
    caption = (
        "Inputs by stratum. K = |y − f| / (u (Σ |x f′| + |f|) + η). Decimals are rounded outwards; the hexadecimal "
        "number is the bound itself."
    )
    return [element("h2", "Strata"), table(caption, head, rows)]


def worst_table(result: CertifyResult, worst: Sequence[Worst]) -> list[Markup]:
    domain, output = result.campaign.domain, FORMATS[result.campaign.output]

    def ends(pair: tuple[float, float] | None) -> str:
        if pair is None:
            return "no number"
        return up(pair[1]) if up(pair[1]) == up(pair[0]) else f"{down(pair[0])} to {up(pair[1])}"

    rows = [
        (
            str(number),
            element("span", *_lines(each.what)),
            element("span", *written(each.at.x, domain.format)),
            element("span", *written((each.at.y,), output)),
            exactly(each.exact),
            ends(each.at.ulp),
            ends(each.at.k),
        )
        for number, each in enumerate(worst, 1)
    ]
    head = ("number", "what", "x", "y returned", "exact value", "error in ulp", "K")
    return [element("h2", "Worst inputs"), table("Inputs that are the worst in some way.", head, rows)]


def _lines(texts: Sequence[str]) -> Sequence[object]:
    return [part for text in texts for part in (element("br"), text)][1:]


def special_values(result: CertifyResult) -> list[Markup]:
    special, campaign = result.merged.special, result.campaign
    what = "±0, ±∞, NaN, inputs outside the domain, poles, and points whose exact result a standard prescribes"
    right = special.count - special.wrong_count
    made = [
        element("h2", "Special values"),
        element("p", f"{spaced(right)} of {spaced(special.count)} as expected ({what})."),
    ]
    if not special.wrong:
        return made
    output = FORMATS[campaign.output]
    rows = [
        (
            element("span", *written(x, campaign.domain.format)),
            element("span", *written((y,), output)),
            exactly(word),
        )
        for x, y, word in special.wrong[:LISTED]
    ]
    shown = f"The first {len(rows)} of {spaced(special.wrong_count)} wrong results."
    return [*made, table(shown, ("x", "y returned", "expected"), rows)]
