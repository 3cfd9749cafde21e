"""String diagrams as pictures: boxes, forks, merges, crossings and caps, put beside and below each other."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

LANE, GAP, MARGIN, CHARACTER = 36.0, 46.0, 14.0, 7.3


class Diagram(NamedTuple):
    """A picture with its wires: its size, the heights at which wires enter and leave, and the marks of SVG."""

    width: float
    height: float
    inputs: tuple[float, ...]
    outputs: tuple[float, ...]
    marks: tuple[str, ...]


def mark(tag: str, content: str = "", **attributes: object) -> str:
    """Return an element of SVG; text and attributes are escaped, and what does not show is left out.

    >>> mark("text", "a < b", x=1.5, font_size=12)
    '<text x="1.5" font-size="12">a &lt; b</text>'
    """
    named = "".join(f' {name.strip("_").replace("_", "-")}="{_attribute(held)}"' for name, held in attributes.items())
    return f"<{tag}{named}>{shown(content)}</{tag}>" if content else f"<{tag}{named}/>"


def shown(content: str) -> str:
    """Return text as markup shows it.

    >>> shown('<b>' + chr(0))
    '&lt;b&gt;'
    """
    return escape("".join(each for each in content if each.isprintable()))


def _attribute(held: object) -> str:
    return f"{held:.5g}" if isinstance(held, float) else shown(str(held))


def moved(diagram: Diagram, right: float, down: float) -> str:
    """Return the marks of a diagram in another place."""
    return f'<g transform="translate({right:.5g},{down:.5g})">{"".join(diagram.marks)}</g>'


def heights(number: int, height: float, top: float = 0.0) -> tuple[float, ...]:
    """Return where so many wires stand on a side of this height.

    >>> heights(2, 40.0)
    (10.0, 30.0)
    """
    return tuple(top + height * (each + 0.5) / number for each in range(number))


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return a wire: straight on one height, bent between two."""
    if y == to_y:
        return mark("path", d=f"M{x:.5g} {y:.5g}H{to_x:.5g}", class_="wire")
    middle = (x + to_x) / 2
    path = f"M{x:.5g} {y:.5g}C{middle:.5g} {y:.5g} {middle:.5g} {to_y:.5g} {to_x:.5g} {to_y:.5g}"
    return mark("path", d=path, class_="wire")


def label(content: str, x: float, y: float, kind: str = "label") -> str:
    """Return a text, centred."""
    return mark("text", content or " ", x=x, y=y, text_anchor="middle", class_=kind)


def box(name: str, inputs: int, outputs: int, parameters: Sequence[str]) -> Diagram:
    """Return a box with wires on both sides and parameters entering from above."""
    top = 34.0 if parameters else 0.0
    above = [CHARACTER * max(len(each), 3) + 10 for each in parameters]
    inner, height = max(44.0, CHARACTER * len(name) + 20, sum(above)), LANE * max(inputs, outputs, 1)
    width = inner + 2 * MARGIN
    marks = [mark("rect", x=MARGIN, y=top + 5, width=inner, height=height - 10, rx=4, class_="box")]
    marks.append(label(name, width / 2, top + height / 2 + 4))
    left = MARGIN + (inner - sum(above)) / 2
    for each, wide in zip(parameters, above, strict=True):
        marks.append(label(each, left + wide / 2, 12.0, "parameter"))
        marks.append(mark("path", d=f"M{left + wide / 2:.5g} 17V{top + 5:.5g}", class_="wire"))
        left += wide
    entering, leaving = heights(inputs, height, top), heights(outputs, height, top)
    marks += [line(0.0, y, MARGIN, y) for y in entering] + [line(width - MARGIN, y, width, y) for y in leaving]
    # The box stands in the middle, so that wires beside it go straight.
    return Diagram(width, top + height + top, entering, leaving, tuple(marks))


def crossing(targets: Sequence[int]) -> Diagram:
    """Return wires of which the i-th goes to the place targets[i]; in order, they are straight."""
    height = LANE * max(len(targets), 1)
    places = heights(len(targets), height)
    width = 20.0 if list(targets) == list(range(len(targets))) else 56.0
    marks = tuple(line(0.0, places[i], width, places[target]) for i, target in enumerate(targets))
    return Diagram(width, height, places, places, marks)


def fork(wires: int) -> Diagram:
    """Return every wire copied: a dot, from which one wire goes up and one down."""
    height, width, dot = LANE * max(2 * wires, 1), 56.0, 16.0
    entering, leaving = heights(wires, height), heights(2 * wires, height)
    marks: list[str] = []
    for i, y in enumerate(entering):
        marks += [line(0.0, y, dot, y), line(dot, y, width, leaving[i]), line(dot, y, width, leaving[wires + i])]
        marks.append(mark("circle", cx=dot, cy=y, r=4, class_="dot"))
    return Diagram(width, height, entering, leaving, tuple(marks))


def merge(wires: int, sign: str) -> Diagram:
    """Return two wires joined in each place by a sign."""
    height, width, node = LANE * max(2 * wires, 1), 60.0, 40.0
    entering, leaving = heights(2 * wires, height), heights(wires, height)
    marks: list[str] = []
    for i, y in enumerate(leaving):
        marks += [line(0.0, entering[i], node, y), line(0.0, entering[wires + i], node, y), line(node, y, width, y)]
        marks += [mark("circle", cx=node, cy=y, r=9, class_="box"), label(sign, node, y + 4)]
    return Diagram(width, height, entering, leaving, tuple(marks))


def cap(wires: int, name: str) -> Diagram:
    """Return wires that end in a cap."""
    height = LANE * max(wires, 1)
    places, width = heights(wires, height), 40 + CHARACTER * len(name)
    marks: list[str] = []
    for y in places:
        marks += [line(0.0, y, 16.0, y), mark("path", d=f"M16 {y - 10:.5g}A10 10 0 0 1 16 {y + 10:.5g}Z", class_="box")]
        marks.append(label(name, 30.0 + CHARACTER * len(name) / 2, y + 4))
    return Diagram(width, height, places, (), tuple(marks))


def bend(wires: int, name: str) -> Diagram:
    """Return parameters that come from above and bend into wires."""
    top, height = 24.0, LANE * max(wires, 1)
    places, width = heights(wires, height, top), max(60.0, CHARACTER * len(name) + 24)
    middle = width / 2
    marks = [label(name, middle, 12.0, "parameter")]
    for y in places:
        path = f"M{middle:.5g} 17V{y - 10:.5g}Q{middle:.5g} {y:.5g} {middle + 10:.5g} {y:.5g}H{width:.5g}"
        marks.append(mark("path", d=path, class_="wire"))
    return Diagram(width, top + height + top, (), places, tuple(marks))


def beside(diagrams: Sequence[Diagram], names: Sequence[Sequence[str]]) -> Diagram:
    """Return diagrams from left to right, joined by wires; names[i] are those of the wires after the i-th."""
    height = max(each.height for each in diagrams)
    marks: list[str] = []
    right, entering, leaving = 0.0, (), ()
    for position, each in enumerate(diagrams):
        down = (height - each.height) / 2
        if position:
            marks += _joined(right, leaving, [y + down for y in each.inputs], names[position - 1])
            right += GAP
        marks.append(moved(each, right, down))
        entering = entering if position else tuple(y + down for y in each.inputs)
        leaving = tuple(y + down for y in each.outputs)
        right += each.width
    return Diagram(right, height, entering, leaving, tuple(marks))


def _joined(x: float, leaving: Sequence[float], entering: Sequence[float], names: Sequence[str]) -> list[str]:
    marks: list[str] = []
    for i, y in enumerate(entering):
        # A space that is not known is one wire, whatever the next part makes of it.
        start = leaving[min(i, len(leaving) - 1)] if leaving else y
        marks.append(line(x, start, x + GAP, y))
        if i < len(names):
            # A bent wire is named where it arrives, on the side that it does not come from.
            bent = abs(start - y) > 8
            at = (x + GAP - 10, y + 13 if start < y else y - 6) if bent else (x + GAP / 2, min(start, y) - 5)
            marks.append(label(names[i], *at, "space"))
    return marks


def below(upper: Diagram, lower: Diagram) -> Diagram:
    """Return one diagram above another, both as wide as the wider."""
    width, down = max(upper.width, lower.width), upper.height + 6
    marks: list[str] = []
    for each, at in ((upper, 0.0), (lower, down)):
        left = (width - each.width) / 2
        if left:
            marks += [line(0.0, y + at, left, y + at) for y in each.inputs]
            marks += [line(left + each.width, y + at, width, y + at) for y in each.outputs]
        marks.append(moved(each, left, at))
    inputs = (*upper.inputs, *(y + down for y in lower.inputs))
    outputs = (*upper.outputs, *(y + down for y in lower.outputs))
    return Diagram(width, down + lower.height, inputs, outputs, tuple(marks))


def framed(diagram: Diagram, name: str) -> Diagram:
    """Return a diagram in a frame with a name."""
    top, width = 24.0, max(diagram.width, CHARACTER * len(name) + 8) + 2 * MARGIN
    left, height = (width - diagram.width) / 2, diagram.height + 24.0 + 8
    marks = [mark("rect", x=4, y=4, width=width - 8, height=height - 8, rx=6, class_="frame")]
    marks.append(label(name, width / 2, 18.0))
    marks += [line(0.0, y + top, left, y + top) for y in diagram.inputs]
    marks += [line(left + diagram.width, y + top, width, y + top) for y in diagram.outputs]
    marks.append(moved(diagram, left, top))
    inputs, outputs = (tuple(y + top for y in side) for side in (diagram.inputs, diagram.outputs))
    return Diagram(width, height, inputs, outputs, tuple(marks))
