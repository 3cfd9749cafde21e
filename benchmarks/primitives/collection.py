"""What examples use: the primitives of their programs, and what was left out with the reason."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from benchmarks.primitives.example import Example, resolve
from benchmarks.primitives.tracing import WRAPPED, equations, kinds, programs, reason, refusal

LIBRARIES = ("jax", "jaxlib", "numpy", "optax", "equinox", "flax")
FORMS = ("forward", "jvp", "vjp", "jvp of vjp", "vmap")


class Survey:
    """What the examples traced so far use."""

    def __init__(self) -> None:
        self.primitives: dict[str, dict[str, Any]] = {}
        self.left_out: dict[str, str] = {}

    def add(self, example: Example) -> None:
        """Trace an example in every form, and note what its programs use or why one is left out."""
        if not exists(example.path):
            self.left_out[example.name] = "not in this version"
            return
        try:
            forms = programs(example)
        except Exception as error:
            self.left_out[example.name] = reason(error)
            return
        for form, trace in forms.items():
            try:
                found = list(equations(trace().jaxpr))
            except Exception as error:
                refused = reason(error)
            else:
                refused = refusal(found)
            if refused is None:
                for equation in found:
                    self.note(equation, example.name, form)
            elif form == "forward":
                self.left_out[example.name] = refused
                return
            else:
                self.left_out[f"{example.name}, {form}"] = refused

    def note(self, equation: Any, name: str, form: str) -> None:
        """Note one equation of an example."""
        empty: dict[str, Any] = {"used by": [], "forms": set(), "operands": set(), "params": set()}
        entry = self.primitives.setdefault(equation.primitive.name, empty)
        if name not in entry["used by"] and len(entry["used by"]) < 3:
            entry["used by"].append(name)
        entry["forms"].add(form)
        entry["operands"].add(f"{kinds(equation.invars)} -> {kinds(equation.outvars)}")
        entry["params"].update(equation.params)
        if WRAPPED in equation.params:
            entry.setdefault("wraps", set()).add(type(equation.params[WRAPPED]).__name__)


def exists(path: str) -> bool:
    """Say whether the versions at hand have a public name."""
    try:
        resolve(path)
    except AttributeError:
        return False
    return True


def text(survey: Survey) -> str:
    """Return the JSON of a survey: sorted, so that the same versions give the same bytes."""
    primitives = {
        name: {
            "used by": entry["used by"],
            "forms": [form for form in FORMS if form in entry["forms"]],
            "operands": sorted(entry["operands"]),
            "params": sorted(entry["params"]),
            **({"wraps": sorted(entry["wraps"])} if "wraps" in entry else {}),
        }
        for name, entry in survey.primitives.items()
    }
    content = {
        "versions": {name: version(name) for name in LIBRARIES},
        "primitives": primitives,
        "left out": survey.left_out,
    }
    return json.dumps(content, indent=1, sort_keys=True) + "\n"
