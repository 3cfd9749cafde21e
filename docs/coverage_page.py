"""Makes docs/coverage.md from the surveys in docs/primitives and the table of rules: one row for each primitive.

python docs/coverage_page.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from markdown_table import table

from lenticulum.programs import LEFT_OUT, rule

HERE = Path(__file__).parent
SURVEYS, PAGE = HERE / "primitives", HERE / "coverage.md"

INTRODUCTION = """\
# Which JAX programs are read

`lenticulum.programs` reads the program (the jaxpr) that JAX traces of a function, equation by equation, in exact
numbers. This page lists the primitives of such programs. It is made by a program, and not edited by hand, from a survey
of every public function and layer of the libraries below: each is traced forward, through `jax.jvp`, through `jax.vjp`,
through the forward derivative of the reverse one, and under `jax.vmap`. Other programs may hold a primitive that is not
listed: there an error names it, and the line that uses it.

- *interpreted*: its meaning on exact numbers is defined. Where all its operands and results are integers, booleans and
  keys, JAX computes it, which is exact; programs inside it, such as the body of a loop, are read in any case.
- *handed to JAX*: it occurs with integers, booleans and keys only, and JAX computes it.
- *missing*: a program with it is refused, for the reason given.
"""

ASIDE = """\
## Left out of the survey

Functions, and forms of functions, whose primitives are not listed above unless others use them too. Where JAX refuses
to trace one, the reason is JAX's own message.
"""

AGAIN = """\
## How to make this again

In an environment with flax, for the version of JAX in it, and then for the page:

```console
$ python -m benchmarks.primitives.survey
$ python docs/coverage_page.py
```
"""

HEAD = ("primitive", "JAX", "used by", "in", "here")
HEAD_LEFT_OUT = ("reason", "functions")

Survey = dict[str, Any]


def surveys(folder: Path) -> dict[str, Survey]:
    """Return the surveys of a folder by the version of JAX, the oldest first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("jax-*.json")]
    return {each["versions"]["jax"]: each for each in sorted(found, key=lambda each: numbers(each["versions"]["jax"]))}


def numbers(version: str) -> list[int]:
    """Return the parts of a version as numbers.

    >>> numbers("0.9.2") < numbers("0.10.2")
    True
    """
    return [int(part) for part in version.split(".")]


def page(found: dict[str, Survey], rules: Iterable[str]) -> str:
    """Return the page of some surveys, for a table with rules for these primitives."""
    names, rules = primitives(found), set(rules)
    rows = [row(name, found, rules) for name in names]
    counts = {word: sum(each[-1].startswith(word) for each in rows) for word in ("interpreted", "handed", "missing")}
    summary = (
        f"Primitives: {len(names)}. Interpreted: {counts['interpreted']}. Handed to JAX: {counts['handed']}. "
        f"Missing: {counts['missing']}.\n"
    )
    left_out = table(HEAD_LEFT_OUT, reasons(found))
    return "\n".join([INTRODUCTION, libraries(found), summary, table(HEAD, rows), ASIDE, left_out, AGAIN])


def primitives(found: dict[str, Survey]) -> list[str]:
    """Return the names of all primitives of the surveys."""
    return sorted({name for each in found.values() for name in each["primitives"]})


def missing(found: dict[str, Survey], rules: Iterable[str]) -> list[str]:
    """Return the primitives that have no rule and are not handed to JAX."""
    return sorted(name for name in set(primitives(found)) - set(rules) if not is_discrete(name, found))


def is_discrete(name: str, found: dict[str, Survey]) -> bool:
    """Say whether no operand and no result of a primitive is a floating-point number."""
    sides = [side for each in entries(name, found) for kinds in each["operands"] for side in kinds.split(" -> ")]
    return all("float" not in side.split(", ") for side in sides)


def entries(name: str, found: dict[str, Survey]) -> list[dict[str, Any]]:
    """Return what each survey says of a primitive."""
    return [each["primitives"][name] for each in found.values() if name in each["primitives"]]


def row(name: str, found: dict[str, Survey], rules: set[str]) -> tuple[str, ...]:
    """Return the cells of a primitive."""
    here = entries(name, found)
    versions = [version for version, each in found.items() if name in each["primitives"]]
    wrapped = once(what for each in here for what in each.get("wraps", []))
    forms = once(form for each in here for form in each["forms"])
    return (
        f"`{name}`" + (f" ({', '.join(wrapped)})" if wrapped else ""),
        "both" if len(versions) == len(found) else ", ".join(versions),
        ", ".join(f"`{user}`" for user in once(user for each in here for user in each["used by"])[:3]),
        ", ".join(forms),
        meaning(name, found, rules),
    )


def meaning(name: str, found: dict[str, Survey], rules: set[str]) -> str:
    """Return what becomes of a primitive here."""
    if name in rules:
        return "interpreted"
    if is_discrete(name, found):
        return "handed to JAX"
    return f"missing: {LEFT_OUT.get(name, 'no rule yet')}"


def once(words: Iterable[str]) -> list[str]:
    """Return words in their order, each once."""
    return list(dict.fromkeys(words))


def libraries(found: dict[str, Survey]) -> str:
    """Return the table of the versions that were surveyed."""
    names = list(next(iter(found.values()))["versions"])
    return table(names, [[each["versions"][name] for name in names] for each in found.values()])


def reasons(found: dict[str, Survey]) -> list[tuple[str, str]]:
    """Return the reasons for which functions were left out, with the functions, and the version where only one did."""
    where: dict[tuple[str, str], list[str]] = {}
    for version, each in found.items():
        for function, reason in each["left out"].items():
            where.setdefault((reason, function), []).append(version)
    cells = []
    for reason, group in groupby(sorted(where), key=lambda pair: pair[0]):
        functions = [
            f"`{function}`" + ("" if len(versions) == len(found) else f" ({', '.join(versions)})")
            for _, function in group
            for versions in [where[reason, function]]
        ]
        cells.append((reason, ", ".join(functions)))
    return cells


if __name__ == "__main__":
    rule.load()
    PAGE.write_text(page(surveys(SURVEYS), rule.RULES), encoding="utf-8")
