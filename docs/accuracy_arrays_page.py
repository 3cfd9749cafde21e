"""Makes docs/accuracy-arrays.md from docs/accuracy-arrays.json, which benchmarks/accuracy_arrays.py writes.

python docs/accuracy_arrays_page.py
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA, PAGE = HERE / "accuracy-arrays.json", HERE / "accuracy-arrays.md"
PLANTED = "planted"
K_LIMIT = 4

INTRODUCTION = """\
# Accuracy of functions of arrays

The usual functions of arrays of {libraries}, on inputs of standard
deviation 1 and mean 0, 10 and 1000. Made by a program from `docs/accuracy-arrays.json`; not edited by hand.

f is the value of the definition, at the numbers that the function received, as they are stored: it is enclosed, so
every number below is an upper bound. u is the unit roundoff of the dtype, and eta what underflow excuses.

- *K* = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta), the largest of those computed: at the entries of each call with
  the largest error. K = 1: the result is exact for inputs that are changed by less than their own rounding.
- *bound*: the largest error as a share of the running bound of a closed form of the definition, each operation rounded
  once.
- *T* = |y - f| / (u_acc |A||B| + u |f| + n eta), for sums of n products; in bfloat16 with u_acc of an accumulator in
  binary32.
- *ulp*: the largest error in units in the last place of f. It is large wherever f nearly cancels, in sound functions
  too, and decides nothing.

An output conforms iff K <= {limit}, or it lies inside the running bound; a sum of products iff T is within the limit of
any order of summation, and in bfloat16 at most two roundings more. *differs* counts the outputs that are proved wrong;
in a call with one of these, other outputs beyond the bound are left open, and are counted as that.

Both criteria forgive what the rounding of the inputs or of each step could change. Where that is all of the result,
anything passes. So each table has a planted function that does not look at its data; its cells say at how
many outputs it is known to pass all the same, and where that is at least half, the other cells of that dtype and mean
say "which says little".

Not claimed: other shapes, dtypes, devices and versions, and inputs outside these families. Shapes are small ones and
one of the sizes that people use; they stand in the data, with how each output was accepted.

{spacings}

Versions: {versions}; {platform}, {processor}, with {features}. Seed {seed}.
"""

AGAIN = """\
## How to make this again

```console
$ python -m benchmarks.accuracy_arrays docs/accuracy-arrays.json
$ python docs/accuracy_arrays_page.py
```
"""

Data = dict[str, Any]


def page(data: Data) -> str:
    """Return the page."""
    parts = [introduction(data)]
    parts += [table(data, topic) for topic in dict.fromkeys(each["topic"] for each in data["results"])]
    return "\n".join([*parts, findings(data), AGAIN])


def introduction(data: Data) -> str:
    """Return what the numbers mean, and what they depend on."""
    spaced = [
        f"- in {dtype} neighbouring numbers are {_listed([f'{gap:.2g}' for gap in gaps])} apart near 1, 10 and 1000"
        + (": inputs of standard deviation 1 are rounded to a few multiples of that." if max(gaps) > 1 else ".")
        for dtype, gaps in data["spacings"].items()
    ]
    libraries = [name for name in dict.fromkeys(each["library"] for each in data["results"]) if name != PLANTED]
    return INTRODUCTION.format(
        libraries=_listed(libraries),
        limit=K_LIMIT,
        spacings="\n".join(spaced),
        versions=", ".join(f"{name} {version}" for name, version in data["versions"].items()),
        platform=data["platform"],
        processor=data["processor"],
        features=", ".join(data["features"]) or "no named features",
        seed=data["seed"],
    )


def table(data: Data, topic: str) -> str:
    """Return the table of a definition: functions and dtypes by families."""
    rows = [each for each in data["results"] if each["topic"] == topic]
    planted = {each["dtype"]: each for each in rows if each["library"] == PLANTED}
    head = ["function", "definition", "dtype", *data["families"]]
    lines = [f"## {topic.capitalize()}\n", _row(head), _row(["---"] * len(head))]
    for each in rows:
        blind = [passed(family) >= 1 / 2 for family in planted[each["dtype"]]["families"]]
        cells = [
            share_passed(family) if each["library"] == PLANTED else cell(family, nothing)
            for family, nothing in zip(each["families"], blind, strict=True)
        ]
        if not judged(each):
            cells = [f"**differs** ({each['finding']['kind']})"] * len(cells)
        name = f"*planted:* {called(each)}" if each["library"] == PLANTED else called(each)
        lines.append(_row([name, f"`{each['spec']}`", each["dtype"], *cells]))
    same = [f"`{each['target']}` is `{each['same_as']}`." for each in rows if each["same_as"]]
    absent = data["absent"].get(topic)
    lines += ["", *dict.fromkeys(same)]
    lines += [f"No public function of {_listed(absent)} has this meaning alone."] if absent else []
    return "\n".join(lines).rstrip() + "\n"


def judged(result: Data) -> bool:
    """Return whether outputs were judged: not where every call raises, or returns another type."""
    return any(family["outputs"] for family in result["families"])


def called(result: Data) -> str:
    """Return a function and the arguments that it was made or called with."""
    given = ", ".join(f"{name}={value!r}" for name, value in {**result["make"], **result["bind"]}.items())
    return f"`{result['calls'] or result['target']}`" + (f", `{given}`" if given else "")


def cell(family: Data, blind: bool) -> str:
    """Return what a family gave. `blind`: a function that does not look at its data passes at half of the outputs."""
    words = []
    if family["rejected"]:
        left = f", {family['undecided']} open" if family["undecided"] else ""
        words.append(f"**differs** ({family['rejected']} of {family['outputs']} proved{left})")
    elif family["undecided"]:
        words.append(f"undecided ({family['undecided']} of {family['outputs']})")
    else:
        words.append("conforms, which says little" if blind else "conforms")
    return ": ".join([*words, ", ".join(measures(family))])


def measures(family: Data) -> list[str]:
    """Return K or T, the share of the bound, and ulp."""
    largest = family["largest"]
    name = next((each for each in ("t_wide", "t", "k") if each in largest), None)
    found = [] if name is None else [f"{name[0].upper()} {_short(largest[name]['at_most'])}"]
    found += [f"bound {_short(largest['share']['at_most'])}"] if "share" in largest else []
    return found + ([f"{_short(largest['ulp']['at_most'])} ulp"] if "ulp" in largest else [])


def passed(family: Data) -> float:
    """Return the share of outputs that were accepted."""
    return sum(family["accepted"].values()) / family["outputs"]


def share_passed(family: Data) -> str:
    """Return at how many outputs a function is known to pass that does not look at its data."""
    word = "rejected" if family["rejected"] else "not rejected"
    return f"{word}; passes at {100 * passed(family):.3g} %"


def findings(data: Data) -> str:
    """Return a sentence and a witness for each difference, the planted ones left out."""
    found = [each for each in data["results"] if each["verdict"] == "differs" and each["library"] != PLANTED]
    if not found:
        return "## Findings\n\nNone.\n"
    return "\n".join(["## Findings\n", *(finding(each) for each in found)])


def finding(result: Data) -> str:
    """Return one sentence with a program that shows it."""
    what = result["finding"]
    place = f"[{', '.join(map(str, what['position']))}]" if what["position"] else ""
    where = [
        f"{family['family']} ({family['rejected']} of {family['outputs']} outputs)"
        for family in result["families"]
        if family["rejected"]
    ]
    measured = "" if what["k"] is None else f"; {what['criterion']} = {_short(what['k'])}"
    shown = f"{what['output']}{place} is {what['got']} and should be {what['exact']}{measured}" if what["exact"] else ""
    text = f"{called(result)} in {result['dtype']} is not `{result['spec']}` ({what['kind']})"
    if where:
        text += f", with {_listed(where)}"
    elif judged(result):
        text += ", at infinities, NaN or numbers near the ends of the format"
    text += f": {'. '.join(each for each in (shown, what['note']) if each)}."
    text += f" It matches {_listed([f'`{each}`' for each in result['matches']])} instead." if result["matches"] else ""
    return "\n".join([text, "", "```text", result["witness"], "```", ""])


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _short(value: float | str) -> str:
    """Write an upper bound, rounded up in its third digit."""
    if isinstance(value, str) or not value:
        return str(value)
    digits = 2 - math.floor(math.log10(value))
    return f"{math.ceil(value * 10.0**digits) / 10.0**digits:.3g}"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(DATA.read_text(encoding="utf-8"))), encoding="utf-8")
