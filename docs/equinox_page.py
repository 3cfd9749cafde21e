"""Makes docs/equinox.md from docs/equinox.json, which benchmarks/equinox_models.py writes.

python docs/equinox_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markdown_table import table

HERE = Path(__file__).parent
DATA, PAGE = HERE / "equinox.json", HERE / "equinox.md"

INTRODUCTION = """\
# Terms beside modules by hand

Three models, from terms and written by hand in Equinox: an MLP of three affine maps; a residual MLP of two blocks
x + mlp(norm(x)); and a transformer block, x + attention(norm(x)) and then x + mlp(norm(x)), with a causal mask.

The optimised programs (HLO) are compared as text, with names replaced by their order and metadata removed. They are
identical for the evaluation of each model, and for its training steps with gradient descent and Adam, each written in
the stated order of operations (`tests/conformance/test_models_in_equinox.py`, which also rejects planted programs). The
modules by hand call the same function for gelu as the terms; that of `jax.nn` is below. So a term costs nothing where
it runs. What a call costs beside its program is flattening its arguments and rebuilding its results, which Python does
for a `Tree`: tens of microseconds a call, which show in the smallest sizes.

The table is made by a program from `docs/equinox.json`; it is not edited by hand. `step`: a call of the compiled
training step with gradient descent, median of {calls}. `trace` and `compile`: of a new function, median of
{compilations}. Both forms are run in turns, and which is first changes. Ratios are terms / by hand. Versions:
{versions}; {machine}.
"""

REASONS = """\
## Where a library is another program

The modules of `equinox.nn` and the functions of `jax.nn` and `optax` are held to the same comparison. The test lists
the instructions of which one program has more than the other, and fails if that list is not exact.
"""

#: Of each library: in what its program differs, and why.
LIBRARIES = (
    ("`equinox.nn.MLP`, mapped", "nothing", ""),
    (
        "`equinox.nn.LayerNorm`",
        "one `maximum` more",
        "it clips the variance at 0, but in two passes that is a sum of squares",
    ),
    (
        "`equinox.nn.MultiheadAttention`",
        "the four affine maps are transposed, and the query is multiplied",
        "a mapped `Linear` is W xᵀ for each sequence, `Dense` is x Wᵀ; it scales the query, the term the scores, as "
        "the paper prints it",
    ),
    (
        "`jax.nn.gelu`",
        "`abs`, `compare`, `select` less",
        "at -inf it is -inf · 0, which is NaN; the term is 0 there",
    ),
    ("`optax.sgd`", "`add` for `subtract`", "it multiplies by -rate and adds"),
    (
        "`optax.adam`",
        "`power` and a counter for running products; two `divide` for each leaf",
        "the corrections are 1 - bᵗ of a counter; the term keeps the products and makes one factor of each",
    ),
)

OURS = """\
What was ours and has been removed: layer normalisation subtracted the mean twice, which gave the reverse derivative a
second path with sums of its own; and the causal mask was a constant of positions² bytes in the program.

## What a rebuilt description costs

A description is its value. A model that is built anew, five times, is neither traced nor compiled again, as a static
argument or in a pytree (`fast.Model`); with another hyper-parameter it is compiled once more
(`tests/unit/fast/test_rebuilt_descriptions.py` counts traces, and what JAX hands to its compiler).

## How to make these again

```console
$ python -m benchmarks.equinox_models docs/equinox.json
$ python docs/equinox_page.py
```
"""


def page(data: dict[str, Any]) -> str:
    """Return the page."""
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items())
    facts = {"calls": data["calls"], "compilations": data["compilations"], "machine": data["machine"]}
    libraries = table(["library", "differs by", "reason"], LIBRARIES)
    return "\n".join([INTRODUCTION.format(versions=versions, **facts), times(data), REASONS, libraries, OURS])


def times(data: dict[str, Any]) -> str:
    """Return one row for each model and size: whether the programs are identical, the time of a step, and ratios."""
    head = ["model", "batch", "width", "identical", "step by hand", "step", "trace", "compile"]
    rows = []
    for row in data["rows"]:
        ratios = [f"{ratio(row[name]):.2f}" for name in ("step", "trace", "compile")]
        size = [row["model"], str(row["batch"]), str(row["width"]), "yes" if row["identical"] else "no"]
        rows.append([*size, f"{row['step']['by hand'] * 1e3:.3f} ms", *ratios])
    return table(head, rows)


def ratio(measure: dict[str, float]) -> float:
    """Return the time of terms as a multiple of that by hand."""
    return measure["terms"] / measure["by hand"]


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(DATA.read_text(encoding="utf-8"))), encoding="utf-8")
