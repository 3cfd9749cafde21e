"""Makes docs/gradients.md from docs/gradients.json, which benchmarks/gradient_checkers.py writes.

python docs/gradients_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markdown_table import table

HERE = Path(__file__).parent
DATA, PAGE = HERE / "gradients.json", HERE / "gradients.md"
OURS = "lenticulum.testing.check_grads"

INTRODUCTION = """\
# What checkers of gradients let through

A reverse rule for sin(x) y is given a planted mistake, and each checker is called on it with its defaults, in {draws}
draws. Numbers are the draws in which it is rejected. Made by a program from `docs/gradients.json`; not edited by hand.

`torch.autograd.gradcheck` runs in float64, as it demands, the others in float32; with 10 000 entries it runs in its
fast mode, since the Jacobian has 10^8. Versions: {versions}.
"""

TIMES = """\
The time of a call of `check_grads` of lenticulum on the right rule, as a multiple of the peer's:

"""

ALARMS = """\
## What they reject of correct functions

Each of {count} correct functions, in {draws} draws, to second order in both modes. Only functions that some checker
rejects are listed; the sum is over all.
"""

AGAIN = """\
## How to make these again

```console
$ python -m benchmarks.gradient_checkers docs/gradients.json
$ python docs/gradients_page.py
```
"""


def page(data: dict[str, Any]) -> str:
    """Return the page."""
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items())
    parts = [INTRODUCTION.format(draws=data["draws"], versions=versions)]
    parts += [planted(data), times(data)]
    functions = {row["function"] for row in data["alarms"]}
    parts += [ALARMS.format(count=len(functions), draws=data["alarm_draws"]), alarms(data), AGAIN]
    return "\n".join(parts)


def planted(data: dict[str, Any]) -> str:
    """Return one table for each mistake: checkers by sizes."""
    sizes = sorted({row["size"] for row in data["planted"]})
    rows = []
    found = {(row["mistake"], row["checker"], row["size"]): row["rejected"] for row in data["planted"]}
    for mistake in dict.fromkeys(row["mistake"] for row in data["planted"]):
        for checker in dict.fromkeys(row["checker"] for row in data["planted"]):
            counts = [f"{found[mistake, checker, size]} of {data['draws']}" for size in sizes]
            rows.append([mistake, f"`{checker}`", *counts])
    return table(["mistake", "checker", *_sizes(sizes)], rows)


def times(data: dict[str, Any]) -> str:
    """Return the time of a call on the right rule beside that of the peers."""
    seconds = {(row["checker"], row["size"]): row["seconds"] for row in data["planted"] if row["mistake"] == "none"}
    peers = dict.fromkeys(checker for checker, _ in seconds if checker != OURS)
    sizes = sorted({size for _, size in seconds})
    rows = [[f"`{peer}`", *(f"{seconds[OURS, size] / seconds[peer, size]:.2g}" for size in sizes)] for peer in peers]
    return TIMES + table(["peer", *_sizes(sizes)], rows)


def alarms(data: dict[str, Any]) -> str:
    """Return the correct functions that are rejected, by checker."""
    checkers = list(dict.fromkeys(row["checker"] for row in data["alarms"]))
    found = {(row["function"], row["checker"]): row["rejected"] for row in data["alarms"]}
    rows = []
    for function in dict.fromkeys(row["function"] for row in data["alarms"]):
        counts = [found[function, checker] for checker in checkers]
        if any(counts):
            rows.append([function, *(f"{count} of {data['alarm_draws']}" for count in counts)])
    totals = [sum(count for (_, each), count in found.items() if each == checker) for checker in checkers]
    calls = data["alarm_draws"] * len({function for function, _ in found})
    rows.append(["all", *(f"{total} of {calls}" for total in totals)])
    return table(["function", *(f"`{checker}`" for checker in checkers)], rows)


def _sizes(sizes: list[int]) -> list[str]:
    return [f"n = {size:,}".replace(",", " ") for size in sizes]


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(DATA.read_text(encoding="utf-8"))), encoding="utf-8")
