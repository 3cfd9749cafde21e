"""Survey of the primitives that JAX programs use, on the version of JAX at hand.

    python -m benchmarks.primitives.survey

Writes docs/primitives/jax-<version>.json: for every primitive up to three examples that use it, the forms in which they
do, the kinds of its operands and results, and the names of its parameters; and what was left out, with the reason.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

import equinox
import flax.nnx
import jax

from benchmarks.primitives import (
    equinox_layers,
    flax_layers,
    jax_lax,
    jax_nn,
    jax_numpy,
    jax_random,
    jax_scipy_special,
    optax_transformations,
)
from benchmarks.primitives.example import Example, resolve
from benchmarks.primitives.tracing import WRAPPED, equations, kinds, programs, reason, refusal

LIBRARIES = ("jax", "jaxlib", "numpy", "optax", "equinox", "flax")
SUBJECTS: tuple[ModuleType, ...] = (
    *(jax_nn, jax_numpy, jax_scipy_special, jax_lax, jax_random),
    *(optax_transformations, equinox_layers, flax_layers),
)
# Every function of these is an example, or is left out by name; of libraries of layers, every layer.
FUNCTIONS = (
    *("jax.nn", "jax.numpy", "jax.numpy.linalg", "jax.scipy.special", "jax.lax", "jax.random"),
    *("optax", "optax.contrib", "optax.losses", "optax.projections", "optax.transforms"),
)
LAYERS = {"equinox.nn": equinox.Module, "flax.nnx": flax.nnx.Module}
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


def unlisted() -> list[str]:
    """Return the public functions and layers, by their first name, that are neither an example nor left out."""
    listed = [example.path for subject in SUBJECTS for example in subject.EXAMPLES]
    listed += [path for subject in SUBJECTS for path in subject.LEFT_OUT]
    objects = {id(resolve(path)) for path in listed if exists(path)}
    public = [(module, is_function) for module in FUNCTIONS]
    public += [(module, partial(is_layer, base=base)) for module, base in LAYERS.items()]
    return [
        f"{module}.{name}"
        for module, wanted in public
        for name, value in sorted(vars(importlib.import_module(module)).items())
        if not name.startswith("_") and wanted(value) and id(value) not in objects
    ]


def exists(path: str) -> bool:
    """Say whether the versions at hand have a public name."""
    try:
        resolve(path)
    except AttributeError:
        return False
    return True


def is_function(value: Any) -> bool:
    """Say whether a public value is a function, or an object that is called like one."""
    return callable(value) and not inspect.isclass(value) and get_origin(value) is None


def is_layer(value: Any, base: type) -> bool:
    """Say whether a public value is a layer of a library, by the base class of its layers."""
    return inspect.isclass(value) and issubclass(value, base)


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


def main() -> None:
    """Trace all examples and write the survey."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[2] / "docs" / "primitives")
    options = parser.parse_args()
    if missing := unlisted():
        parser.error(f"neither an example nor left out: {', '.join(missing)}")
    survey = Survey()
    for subject in SUBJECTS:
        for example in subject.EXAMPLES:
            survey.add(example)
        survey.left_out |= subject.LEFT_OUT
    options.out.mkdir(exist_ok=True)
    (options.out / f"jax-{jax.__version__}.json").write_text(text(survey), encoding="utf-8")


if __name__ == "__main__":
    main()
