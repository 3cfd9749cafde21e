"""The picture of a result: the largest error in ulp of every binade of the input, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lenticulum.certify.appraisal import Appraisal, Worst, appraise
from lenticulum.certify.markup import Markup, element
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.score import STRATA
from lenticulum.certify.shard import Point
from lenticulum.numbers.formats import Format, encode

#: The plot in the coordinates of the picture.
WIDTH, HEIGHT = 960, 460
LEFT, RIGHT, TOP, BOTTOM = 64.0, 944.0, 72.0, 374.0

#: The error that the lower edge stands for; smaller ones are drawn as a line on it.
FLOOR = 0.01

#: Classes of the style sheet, and colours where it does not apply.
COLOURS: dict[str, str] = dict(zip(STRATA, ("#1f6fb4", "#b35c00", "#8e3d9e", "#2b7a4b"), strict=True))


@dataclass(frozen=True)
class Bar:
    """A binade: from and to on the axis, its worst input, and an upper bound of its errors."""

    start: float
    end: float
    at: Appraisal
    error: float


@dataclass(frozen=True)
class Axes:
    """Where inputs and errors lie. Inputs lie in the order of their patterns, so that every binade is equally wide."""

    format: Format
    first: float
    last: float
    largest: float

    def across(self, position: float) -> float:
        """The x coordinate of a position."""
        return LEFT + (RIGHT - LEFT) * (position - self.first) / (self.last - self.first)

    def up(self, error: float) -> float:
        """The y coordinate of an error, which may lie above the plot."""
        if error <= FLOOR:
            return BOTTOM
        decades = min(math.log10(error / FLOOR), 400) if math.isfinite(error) else 400
        return BOTTOM - (BOTTOM - TOP) * decades / math.log10(self.largest / FLOOR)


def position(pattern: int, format: Format) -> float:
    """Return where a number lies on the axis: in binades from zero, negative numbers to the left.

    >>> from lenticulum.numbers.formats import BINARY16
    >>> position(0x3C00, BINARY16), position(0xBE00, BINARY16), position(0x0001, BINARY16)
    (15.0, -15.5, 0.0009765625)
    """
    magnitude = (pattern & ((1 << (format.width - 1)) - 1)) / (1 << format.fraction_bits)
    return -magnitude if pattern >> (format.width - 1) else magnitude


def bars(result: CertifyResult) -> list[Bar]:
    """Return the binades from left to right."""
    format, found = result.campaign.domain.format, result.merged.binades
    pairs: list[tuple[Point, int]] = [(each.x, each.y) for each in found.values()]
    made = []
    for key, at in zip(found, appraise(result.campaign, pairs), strict=True):
        near = position(key << format.fraction_bits, format)
        negative = bool(key >> (format.width - 1 - format.fraction_bits))
        ends = (near - 1, near) if negative else (near, near + 1)
        made.append(Bar(*ends, at, found[key].at_most))
    return sorted(made, key=lambda bar: bar.start)


def picture(result: CertifyResult, worst: Sequence[Worst]) -> Markup:
    """Return the picture, with the worst inputs marked by their numbers in the given order."""
    drawn = bars(result)
    axes = _axes(result, drawn)
    present = [name for name in STRATA if any(bar.at.stratum == name for bar in drawn)]
    return element(
        "svg",
        element("title", f"Error of {result.campaign.subjects[0].name} against {result.campaign.spec}", id="title"),
        element("desc", _description(drawn), id="desc"),
        element("defs", element("clipPath", _rectangle(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP), id="plot")),
        _rectangle(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, class_="paper", fill="#f4f5f7"),
        *_error_axis(axes),
        *_input_axis(axes, result),
        *(_area(axes, drawn, name) for name in present),
        *_bounds(axes, drawn, result),
        *_strip(axes, drawn),
        *_marks(axes, worst),
        *_legend(present, result),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby="title desc",
        xmlns="http://www.w3.org/2000/svg",
    )


def _axes(result: CertifyResult, drawn: Sequence[Bar]) -> Axes:
    format = result.campaign.domain.format
    end = float((encode(format.largest, format) >> format.fraction_bits) + 1)
    # Where one sign has no numbers at all, its half of the axis is left out.
    first = -end if not drawn or drawn[0].start < 0 else 0.0
    last = end if not drawn or drawn[-1].end > 0 else 0.0
    highest = max([10.0, float(result.campaign.within or 0), *(bar.error for bar in drawn)])
    return Axes(format, first, last, 10.0 ** math.ceil(math.log10(highest) + 0.05))


def _description(drawn: Sequence[Bar]) -> str:
    if not drawn:
        return "No input has a number as its result."
    worst = max(drawn, key=lambda bar: bar.error)
    large = sum(bar.error > 0.5 for bar in drawn)
    return (
        f"One bar for each of {len(drawn)} binades of the input. In {large} of them the largest error exceeds one half "
        f"ulp. The largest of all is {worst.error:.4g} ulp, at the pattern {', '.join(map(hex, worst.at.x))}."
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _rectangle(x: float, y: float, width: float, height: float, **attributes: object) -> Markup:
    return element("rect", x=_number(x), y=_number(y), width=_number(width), height=_number(height), **attributes)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str, **attributes: object) -> Markup:
    ends = {"x1": _number(x1), "y1": _number(y1), "x2": _number(x2), "y2": _number(y2)}
    return element("line", **ends, class_=kind, stroke="#777", **attributes)


def _label(x: float, y: float, text: str, anchor: str = "middle", kind: str | None = None) -> Markup:
    return element("text", text, x=_number(x), y=_number(y), text_anchor=anchor, class_=kind, fill="#333")


def power(base: int, exponent: int) -> str:
    """Write a power with a raised exponent.

    >>> power(2, -14)
    '2⁻¹⁴'
    """
    return str(base) + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _error_axis(axes: Axes) -> list[Markup]:
    decades = range(round(math.log10(FLOOR)), round(math.log10(axes.largest)) + 1)
    made = []
    for decade in decades:
        if (decade - decades[0]) % math.ceil(len(decades) / 8):
            continue
        y = axes.up(10.0**decade)
        made += [
            _line(LEFT, y, RIGHT, y, "grid"),
            _label(LEFT - 8, y + 4, f"{10.0**decade:g}" if -3 < decade < 4 else power(10, decade), "end"),
        ]
    middle = (TOP + BOTTOM) / 2
    title = element(
        "text", "error in ulp", transform=f"translate(16 {middle:g}) rotate(-90)", text_anchor="middle", fill="#333"
    )
    return [*made, title]


def _input_axis(axes: Axes, result: CertifyResult) -> list[Markup]:
    format = axes.format
    lowest, highest = format.minimum_exponent, format.maximum_exponent
    step = 2 ** math.ceil(math.log2(max((highest - lowest) / 4, 1)))
    exponents = [e for e in range(-(step * 64), step * 64, step) if lowest + step / 3 < e <= highest]
    made = []
    for exponent in exponents:
        for sign in (-1, 1):
            place = float(sign * (exponent - lowest + 1))
            if axes.first <= place <= axes.last:
                text = ("−" if sign < 0 else "") + ("1" if exponent == 0 else power(2, exponent))
                made += _tick(axes.across(place), text)
    made += _tick(axes.across(0.0), "0")
    what = "x" if result.campaign.domain.arguments == 1 else "x, the first argument"
    title = (
        f"{what} ({result.campaign.domain.dtype}; every power of two is equally wide, about zero the subnormal numbers)"
    )
    return [*made, _label((LEFT + RIGHT) / 2, BOTTOM + 70, title)]


def _tick(x: float, text: str) -> list[Markup]:
    return [_line(x, TOP, x, BOTTOM + 22, "grid"), _label(x, BOTTOM + 40, text)]


def _area(axes: Axes, drawn: Sequence[Bar], stratum: str) -> Markup:
    """Draw the bars whose worst input lies in a stratum."""
    parts = []
    for bar in drawn:
        if bar.at.stratum == stratum:
            left, right = axes.across(bar.start), axes.across(bar.end)
            gap = 0.5 if right - left > 4 else 0.0
            top = min(max(axes.up(bar.error), TOP), BOTTOM - 1.5)
            foot = _number(BOTTOM)
            parts.append(f"M{_number(left + gap)} {foot}V{_number(top)}H{_number(right - gap)}V{foot}Z")
    return element("path", d="".join(parts), class_=_class(stratum), fill=COLOURS[stratum])


def _class(stratum: str) -> str:
    return stratum.replace(" ", "-")


def _bounds(axes: Axes, drawn: Sequence[Bar], result: CertifyResult) -> list[Markup]:
    """Draw one half ulp, and the bound of the rule: a number of ulp, or the error at which K is 4."""
    half = axes.up(0.5)
    made = [_line(LEFT, half, RIGHT, half, "half", stroke_dasharray="2 3")]
    within = result.campaign.within
    if within is not None:
        y = axes.up(float(within))
        return [*made, _line(LEFT, y, RIGHT, y, "bound")]
    parts, end = [], math.nan
    for bar in drawn:
        if bar.at.allowed is not None:
            y = max(axes.up(bar.at.allowed), TOP - 50)
            start = f"V{_number(y)}" if bar.start == end else f"M{_number(axes.across(bar.start))} {_number(y)}"
            parts.append(f"{start}H{_number(axes.across(bar.end))}")
            end = bar.end
    line = element("path", d="".join(parts), class_="bound", fill="none", stroke="#c0182b", clip_path="url(#plot)")
    return [*made, line]


def _strip(axes: Axes, drawn: Sequence[Bar]) -> list[Markup]:
    """Draw the strata as a band under the axis; binades without numbers stay empty."""
    return [
        _rectangle(
            axes.across(bar.start),
            BOTTOM + 4,
            axes.across(bar.end) - axes.across(bar.start) + 0.1,
            12.0,
            class_=_class(bar.at.stratum),
            fill=COLOURS[bar.at.stratum],
        )
        for bar in _runs(drawn)
        if bar.at.stratum is not None
    ]


def _runs(drawn: Sequence[Bar]) -> list[Bar]:
    """Join neighbouring binades of one stratum."""
    joined: list[Bar] = []
    for bar in drawn:
        if joined and joined[-1].end == bar.start and joined[-1].at.stratum == bar.at.stratum:
            joined[-1] = Bar(joined[-1].start, bar.end, bar.at, bar.error)
        else:
            joined.append(bar)
    return joined


def _marks(axes: Axes, worst: Sequence[Worst]) -> list[Markup]:
    """Mark the worst inputs by their numbers; a number that would cover another one moves up."""
    made: list[Markup] = []
    taken: list[tuple[float, float]] = []
    for number, each in enumerate(worst, 1):
        if each.at.ulp is None:
            continue
        x, y = axes.across(position(each.at.x[0], axes.format)), max(axes.up(each.at.ulp[1]), TOP)
        label = y - 14
        while any(abs(x - other) < 19 and abs(label - above) < 19 for other, above in taken):
            label -= 19
        taken.append((x, label))
        made += [
            _line(x, label, x, y, "stem"),
            element("circle", cx=_number(x), cy=_number(y), r=2.5, class_="dot", fill="#111"),
            element("circle", cx=_number(x), cy=_number(label), r=9, class_="mark", fill="#fff", stroke="#111"),
            _label(x, label + 4, str(number), kind="number"),
        ]
    return made


def _legend(present: Sequence[str], result: CertifyResult) -> list[Markup]:
    made, x = [], float(LEFT)
    for name in present:
        made += [
            _rectangle(x, 8.0, 12.0, 12.0, class_=_class(name), fill=COLOURS[name]),
            _label(x + 18, 18.0, name, "start"),
        ]
        x += 40 + 7.2 * len(name)
    within = result.campaign.within
    bound = "K = 4 at the input of the bar" if within is None else f"{within} ulp, the bound asked for"
    made += [
        _line(x, 14.0, x + 22, 14.0, "bound", stroke_width=2),
        _label(x + 28, 18.0, bound, "start"),
    ]
    x += 52 + 7.2 * len(bound)
    return [*made, _line(x, 14.0, x + 22, 14.0, "half", stroke_dasharray="2 3"), _label(x + 28, 18.0, "½ ulp", "start")]
