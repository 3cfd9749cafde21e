"""Survey of the primitives that JAX programs use, on the version of JAX at hand.

    python -m benchmarks.primitives.survey

Writes docs/primitives/jax-<version>.json: for every primitive up to three examples that use it, the forms in which they
do, the kinds of its operands and results, and the names of its parameters; and what was left out, with the reason.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
from functools import partial
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
from benchmarks.primitives.collection import Survey, exists, text
from benchmarks.primitives.example import resolve

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


def is_function(value: Any) -> bool:
    """Say whether a public value is a function, or an object that is called like one."""
    return callable(value) and not inspect.isclass(value) and get_origin(value) is None


def is_layer(value: Any, base: type) -> bool:
    """Say whether a public value is a layer of a library, by the base class of its layers."""
    return inspect.isclass(value) and issubclass(value, base)


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
