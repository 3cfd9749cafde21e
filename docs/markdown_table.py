"""Tables of Markdown, for the pages that programs make."""

from __future__ import annotations

from collections.abc import Iterable


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table, with an empty line after it.

    >>> table(["a", "b"], [["1", "x | y"]]).splitlines()
    ['| a | b |', '| --- | --- |', '| 1 | x \\\\| y |']
    """
    head = list(head)
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows), ""])


def line(cells: Iterable[str]) -> str:
    """Return a row of a table; a bar in a cell does not end it."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
