"""The result at one point as a self-contained page: the verdict, and the source with what each line loses beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from lenticulum.check.report import text
from lenticulum.check.result import CheckResult

#: Lines of source shown before and after those that have an equation.
CONTEXT = 3

STYLE = """\
body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1a1a1a }
pre, td { font: 14px/1.5 ui-monospace, monospace }
pre { white-space: pre-wrap; background: #f4f4f4; padding: 1rem }
table { border-collapse: collapse; width: 100% }
td { padding: 0 .6rem; vertical-align: top; white-space: pre-wrap }
td:first-child { text-align: right; color: #666 }
td:last-child { text-align: right; white-space: nowrap }
tr.lost { background: #fde2dc } tr.some { background: #fdf3d7 }
"""


def page(result: CheckResult) -> str:
    """Return the page. Nothing in it is loaded from elsewhere, and nothing runs."""
    name = escape(result.subject)
    files = dict.fromkeys(each.line.file for each in result.lines if each.line is not None)
    parts = [f"<h2>{escape(file)}</h2>{_source(file, result.lines)}" for file in files]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{STYLE}</style></head>\n'
        f"<body><h1>{name}</h1>\n<pre>{escape(text(result))}</pre>\n{''.join(parts)}\n</body></html>\n"
    )


def _source(file: str, lines: Sequence[Any]) -> str:
    """Return the lines of a file around those with equations, the worst equation of each beside it."""
    try:
        source = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "<p>The file cannot be read.</p>"
    worst: dict[int, Any] = {}
    for each in lines:
        if each.line is not None and each.line.file == file:
            worst.setdefault(each.line.number, each)
    shown = {number + offset for number in worst for offset in range(-CONTEXT, CONTEXT + 1)}
    first = lines[0].line.number if lines[0].line is not None and lines[0].line.file == file else None
    rows = [
        _row(number, source[number - 1], worst.get(number), number == first)
        for number in sorted(shown)
        if 1 <= number <= len(source)
    ]
    return f"<table>{''.join(rows)}</table>"


def _row(number: int, code: str, each: Any, first: bool) -> str:
    kind = ' class="lost"' if first else ' class="some"' if each is not None and each.phenomenon != "rounding" else ""
    note = ""
    if each is not None:
        size = "no number" if math.isinf(each.error) else f"{each.error:.2g}"
        note = f"{each.primitive}: {each.phenomenon}, {size}"
    return f"<tr{kind}><td>{number}</td><td>{escape(code)}</td><td>{escape(note)}</td></tr>"
