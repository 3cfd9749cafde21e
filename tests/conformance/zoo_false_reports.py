"""Public claims of bugs that are none: the accused kernels, and what their arguments are.

The definition is the entry's reference, read in the numbers of this library.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reference_formula import reference_formula

from lenticulum.check.argument_cases import Argument
from lenticulum.check.formula_law import computes
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.law import Law

DATA = Path(__file__).parent / "data" / "false_reports.json"

VECTOR, MATRIX = ("entry",), ("row", "column")

ARGUMENTS = {
    "N01": {"x": Argument("value"), "mu": Argument("value"), "s": Argument("positive")},
    "N02": {"scale": Argument("positive"), "n": Argument("count")},
    "N03": {"mu": Argument("value", VECTOR), "lv": Argument("value", VECTOR)},
    "N04": {"G": Argument("value", MATRIX)},
    "N05": {"y": Argument("positive")},
}


def accused() -> dict[str, tuple[dict[str, Any], Law[Kernel], Kernel]]:
    """Return the entry, the law and the kernel of each false report by id."""
    entries = {entry["id"]: entry for entry in json.loads(DATA.read_text(encoding="utf-8"))}
    found: dict[str, tuple[dict[str, Any], Law[Kernel], Kernel]] = {}
    for name, arguments in ARGUMENTS.items():
        entry, namespace = entries[name], {}
        exec(entry["code"], namespace)
        kernel = Kernel(namespace["faulty"], arguments, "float64")
        found[name] = entry, computes(reference_formula(entry["reference_code"]), kernel, {}), kernel
    return found
