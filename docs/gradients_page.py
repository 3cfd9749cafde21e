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
OURS, OURS_TORCH = "lenticulum.testing.check_grads", "lenticulum.testing.gradcheck"

INTRODUCTION = """\
# What checkers of gradients let through

A reverse rule for sin(x) y is given a planted mistake, and each checker is called on it with its defaults, in {draws}
draws. Numbers are the draws in which it is rejected. Made by a program from `docs/gradients.json`; not edited by hand.

The checkers of torch run in float64, the others in float32. With 10 000 entries `torch.autograd.gradcheck` runs in its
fast mode, since the Jacobian has 10^8. Versions: {versions}.
"""

RESOLVED = """\
`lenticulum.testing.gradcheck` sees a function of torch as a black box, whose values it differences: it cannot see every
mistake, but it states which. In these formats a rule that is wrong by a factor of 1 + the number is rejected (medians;
derived are 1.1e-12 and 2.1e-5, see `lenticulum.testing.torch_gradients`):
"""

TIMES = """\
The processor time of a call on the right rule, as a multiple of the peer's, after a first call of each (medians of
calls in turn, on one machine). `gradcheck` calls a function some 110 times and a right derivative twice whatever n,
where torch's makes calls in proportion to n, and few in its fast mode:
"""

ALARMS = """\
## What they reject of correct functions

Each of {count} correct functions, to second order in both modes; the peers in fewer draws. Only functions that some
checker rejects are listed; the sum is over all.
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
    parts += [planted(data), RESOLVED, resolved(data), TIMES, times(data)]
    functions = {row["function"] for row in data["alarms"]}
    parts += [ALARMS.format(count=len(functions)), alarms(data), AGAIN]
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


def resolved(data: dict[str, Any]) -> str:
    """Return the factors that differences resolve, by format and size."""
    sizes = sorted({row["size"] for row in data["resolved"]})
    found = {(row["dtype"], row["size"]): row["resolves"] for row in data["resolved"]}
    formats = dict.fromkeys(row["dtype"] for row in data["resolved"])
    rows = [[dtype, *(f"{found[dtype, size]:.1g}" for size in sizes)] for dtype in formats]
    return table(["format", *_sizes(sizes)], rows)


def ratios(data: dict[str, Any]) -> dict[tuple[str, str, int], float]:
    """Return the time of ours as a multiple of that of a peer: by ours, the peer and the size."""
    found: dict[tuple[str, str, int], float] = {}
    for row in data["times"]:
        seconds = row["seconds"]
        for peer in seconds:
            ours = OURS_TORCH if peer.startswith("torch.") else OURS
            if peer not in (OURS, OURS_TORCH):
                found[ours, peer, row["size"]] = seconds[ours] / seconds[peer]
    return found


def times(data: dict[str, Any]) -> str:
    """Return the time of a call beside that of the peers."""
    found, sizes = ratios(data), sorted({row["size"] for row in data["times"]})
    pairs = dict.fromkeys((ours, peer) for ours, peer, _ in found)
    rows = [[f"`{ours}`", f"`{peer}`", *(f"{found[ours, peer, size]:.2g}" for size in sizes)] for ours, peer in pairs]
    return table(["ours", "peer", *_sizes(sizes)], rows)


def alarms(data: dict[str, Any]) -> str:
    """Return the correct functions that are rejected, by checker."""
    checkers = list(dict.fromkeys(row["checker"] for row in data["alarms"]))
    found = {(row["function"], row["checker"]): (row["rejected"], row["draws"]) for row in data["alarms"]}
    rows = []
    for function in dict.fromkeys(row["function"] for row in data["alarms"]):
        counts = [found[function, checker] for checker in checkers]
        if any(rejected for rejected, _ in counts):
            rows.append([function, *(f"{rejected} of {draws}" for rejected, draws in counts)])
    sums = [[each for (_, of), each in found.items() if of == checker] for checker in checkers]
    totals = [f"{sum(rejected for rejected, _ in each)} of {sum(draws for _, draws in each)}" for each in sums]
    rows.append(["all", *totals])
    return table(["function", *(f"`{checker}`" for checker in checkers)], rows)


def _sizes(sizes: list[int]) -> list[str]:
    return [f"n = {size:,}".replace(",", " ") for size in sizes]


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(DATA.read_text(encoding="utf-8"))), encoding="utf-8")
