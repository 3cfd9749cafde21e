"""Makes docs/modules.md from docs/modules.json, which benchmarks/modules.py writes.

python docs/modules_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markdown_table import table

HERE = Path(__file__).parent
DATA, PAGE = HERE / "modules.json", HERE / "modules.md"

INTRODUCTION = """\
# Modules without a definition

What `lenticulum check` says of modules of Equinox and Flax when no definition is given, and of modules with a planted
mistake. Made by a program from `docs/modules.json`; not edited by hand. Versions: {versions}.

A module is taken apart into a pure function, y, state' = f(data; parameters, state, mode, key), and these laws are
tried on it, with data that fits its sizes and with parameters near its own, none of them zero:
"""

BOUNDARY = """\
A law does not apply where there is nothing that it speaks of: no modes, no state, no drawn parameter. *conforms* means
that every law was kept or did not apply; it does not say that the module is what its name says, for which a definition
is needed (`--spec`). Two of the kinds need a word. A `stop_gradient` that changes a derivative is a finding in a module
whose state has no floats; where it is meant, the finding says what it costs. flax.nnx writes state into the object by
design: there a call may change its variables of state, in training, and nothing else. Identity is tried on callable
pytrees without State, and storing on modules of Equinox; elsewhere the report lists them as not covered.
"""

WORDS = """\
## Modules of libraries

Hyper-parameters are given that are no defaults, and have no shortcut.
"""

PLANTED = """\
## Modules with a planted mistake

They stand in `docs/broken_modules.py` and `docs/broken_flax_modules.py`. Each is found with the kind that was written
down for it before; further laws that it breaks follow the first.
"""

AGAIN = """\
## How to make this again

```console
$ python -m benchmarks.modules docs/modules.json
$ python docs/modules_page.py
$ lenticulum check docs/broken_modules.py:HalfTied --make '{"size": 3, "hidden": 2}'
```
"""

Data = dict[str, Any]


def page(data: Data) -> str:
    """Return the page."""
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items())
    own = [each for each in data["modules"] if not each["planted"]]
    planted = [each for each in data["modules"] if each["planted"]]
    parts = [INTRODUCTION.format(versions=versions), laws(data), BOUNDARY, WORDS, verdicts(own), findings(own)]
    return "\n".join([*parts, PLANTED, mistakes(planted), shown(planted), AGAIN])


def laws(data: Data) -> str:
    """Return each law, and on how many modules it was tried."""
    rows = []
    for law in data["laws"]:
        held = sum(law["name"] in each["held"] for each in data["modules"])
        broken = sum(law["name"] in each["broken"] for each in data["modules"])
        rows.append([law["name"], law["statement"], str(held), str(broken)])
    return table(["law", "what holds", "kept", "broken"], rows)


def verdicts(modules: list[Data]) -> str:
    """Return the verdict on each module of a library."""
    rows = []
    for each in modules:
        words = f"**differs** ({each['kind']})" if each["verdict"] == "differs" else each["verdict"]
        counts = {
            "kept": each["held"],
            "do not apply": each["not_applicable"],
            "not tried": each["not_tried"],
            "could not run": each["not_run"],
        }
        rows.append([called(each), words, ", ".join(f"{len(n)} {word}" for word, n in counts.items() if n)])
    return table(["module", "verdict", "laws"], rows)


def findings(modules: list[Data]) -> str:
    """Return what was found of modules of libraries, and what could not run."""
    lines = []
    for each in modules:
        if each["verdict"] == "differs":
            lines += [f"- {called(each)}: {each['note']}. {REAL.get(each['target'], '')}".rstrip()]
        lines += [f"- {called(each)}: {law} could not run: {why}" for law, why in each["not_run"].items()]
    return "\n".join([*(lines or ["No finding, and no law that could not run."]), ""])


#: Why a finding of a library is one, as it was verified by hand.
REAL: dict[str, str] = {}


def mistakes(modules: list[Data]) -> str:
    """Return what each broken module was found with."""
    rows = []
    for each in modules:
        name = each["target"].partition(":")[2]
        library = "flax.nnx" if "flax" in each["target"] else "Equinox"
        rows.append([f"`{name}`", library, each["what"], each["kind"], ", ".join(each["broken"])])
    return table(["module", "of", "what it does", "found", "laws"], rows)


def shown(modules: list[Data]) -> str:
    """Return what is said of one of them, with its witness."""
    each = next(each for each in modules if each["target"].endswith("broken_modules.py:EagerBatchNorm"))
    return "\n".join([f"{called(each)}: {each['note']}. Its witness:", "", "```text", each["witness"], "```", ""])


def called(module: Data) -> str:
    """Return a module and the arguments that it was made with."""
    given = ", ".join(f"{name}={value!r}" for name, value in module["make"].items())
    name = module["target"].replace(":", ".") if "/" not in module["target"] else module["target"].partition(":")[2]
    return f"`{name}({given})`"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(DATA.read_text(encoding="utf-8"))), encoding="utf-8")
