"""Makes docs/accuracy.md from the certificates in docs/accuracy: one row for each.

python docs/accuracy_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from markdown_table import table

from lenticulum.certify.checker.claim import parse
from lenticulum.certify.checker.json_reading import LARGEST_CERTIFICATE, read_bytes
from lenticulum.certify.checker.wording import definition_words, grouped
from lenticulum.certify.html_tables import percentage, up
from lenticulum.certify.subject import UNSIGNED
from lenticulum.numbers.formats import Format, bits_to_float64

HERE = Path(__file__).parent
CERTIFICATES, PAGE = HERE / "accuracy", HERE / "accuracy.md"

INTRODUCTION = """\
# Accuracy of elementary functions and activations

Each row is a certificate: a kernel of a library, run on the inputs that the row names, with every output compared with
an enclosure of the exact value. Made by a program from the certificates in `docs/accuracy`; not edited by hand.

- *ulp* and *K* are upper bounds of the largest error over the regular inputs, rounded up in the last digit. K at most 4
  means that the roundings of a straightforward evaluation explain the error; see [chapter 2](chapter2.md).
- *Worst input* is where the largest error in ulp is found, as a bit pattern and as a decimal.
- *Correctly rounded* is the share of the regular inputs whose output is the number nearest to the exact value.
- *Special* counts results at ±0, ±∞, NaN, outside the domain, at poles and at exact points, as expected of all.
- *Subnormal* says whether the library flushes subnormal numbers to zero there, and how many inputs with a subnormal
  argument or result are rejected.
- *Time* is that of the run that made the certificate; runs of several libraries against one definition share it.

A certificate holds for the versions, the processor and the flags that it names, and for nothing else.
`lenticulum verify` re-proves it; [](certificate-schema.md) says what stands in it.
"""

AGAIN = """\
## How to make these again

```console
$ python -m benchmarks.accuracy --store accuracy.sqlite --jobs 2
$ python docs/accuracy_page.py
```

The first line runs all float32 inputs of every function and writes the certificates; it can be interrupted and goes on
where it stopped. A single one, on another machine or for another function:

```console
$ lenticulum certify jax.numpy:exp --spec exp --dtype float32 --exhaustive --out docs/accuracy/exp-jax.json
$ lenticulum verify docs/accuracy/exp-jax.json
```
"""

HEAD = (
    *("definition", "library", "verdict", "ulp", "K", "worst input", "correctly rounded", "special", "subnormal"),
    *("inputs", "time"),
)


def page(folder: Path) -> str:
    """Return the page of all certificates in a folder, by definition and library."""
    rows = sorted(row(path) for path in folder.glob("*.json"))
    return "\n".join([INTRODUCTION, table(HEAD, rows) if rows else "There is no certificate yet.\n", AGAIN])


def row(path: Path) -> tuple[str, ...]:
    """Return the cells of a certificate, which must be one by its schema.

    Raises: Unreadable if the file is no certificate.
    """
    content = read_bytes(str(path), LARGEST_CERTIFICATE)
    parse(content)
    statement = json.loads(content)
    predicate = statement["predicate"]
    regular, special = predicate["strata"]["regular"], predicate["special"]
    definition, coverage = predicate["definition"], predicate["coverage"]
    words = coverage["words"] if coverage["kind"] != "exhaustive" else f"every one ({grouped(coverage['checked'])})"
    return (
        f"`{definition_words(definition)}`",
        library(statement),
        verdict(predicate["verdict"]),
        bound(regular["ulp"]),
        bound(regular["K"]),
        worst_input(predicate),
        percentage(regular["correctly_rounded"], regular["count"]) if regular["count"] else "none",
        f"{grouped(special['count'] - special['wrong_count'])} of {grouped(special['count'])}",
        subnormal(predicate),
        f"{predicate['format']['input']['name']}, {words}",
        duration(predicate["cost"].get("seconds")),
    )


def library(statement: dict[str, Any]) -> str:
    """Return the subject, with the version of its library and the mode."""
    (subject,), predicate = statement["subject"], statement["predicate"]
    environment = predicate["environment"]
    backend = environment.get("backend", "")
    version = environment["versions"].get(backend)
    return f"`{subject['name']}`, {f'{backend} {version}, ' if version else ''}{predicate['mode']}"


def verdict(found: dict[str, Any]) -> str:
    """Return the word of a verdict, with the kind of the finding and its input."""
    finding = found["finding"]
    rule = "" if found["within"] is None else f" {found['rule']}"
    return found["word"] + rule + (f" ({finding['kind']} at {finding['x']})" if finding else "")


def bound(maximum: dict[str, Any] | None) -> str:
    """Return an upper bound as a decimal that is rounded up."""
    return "no number" if maximum is None else up(float.fromhex(maximum["at_most"]))


def worst_input(predicate: dict[str, Any]) -> str:
    """Return the input with the largest error in ulp: its pattern, and its arguments as decimals."""
    maximum = predicate["strata"]["regular"]["ulp"]
    if maximum is None:
        return "none"
    given = predicate["format"]["input"]
    format = Format(given["name"], given["precision"], given["emin"], given["emax"], given["width"], given["overflow"])
    pattern, width, arguments = int(maximum["x"], 16), format.width, predicate["domain"]["arguments"]
    parts = [pattern >> width * place & (1 << width) - 1 for place in reversed(range(arguments))]
    numbers = bits_to_float64(np.array(parts, UNSIGNED[width]), format)
    return f"{maximum['x']} ({', '.join(repr(float(number)) for number in numbers)})"


def subnormal(predicate: dict[str, Any]) -> str:
    """Return the treatment of subnormal numbers, and how many inputs with one are rejected."""
    strata = [predicate["strata"][name] for name in ("subnormal input", "subnormal result")]
    count, rejected = (sum(each[field] for each in strata) for field in ("count", "rejected"))
    words = "flushed" if predicate["environment"]["flushes"] else "kept"
    return f"{words}; {grouped(rejected)} of {grouped(count)} rejected" if count else words


def duration(seconds: float | None) -> str:
    """Return a time in words.

    >>> duration(3725.2), duration(61), duration(0.25)
    ('1 h 2 min', '1 min 1 s', '0.2 s')
    """
    if seconds is None:
        return "not said"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, hours = int(seconds // 60), int(seconds // 3600)
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min {int(seconds % 60)} s"


if __name__ == "__main__":
    PAGE.write_text(page(CERTIFICATES), encoding="utf-8")
