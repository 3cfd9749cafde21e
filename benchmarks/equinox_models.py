"""Models from terms beside the same by hand in Equinox: time of a compiled step, of tracing and compiling it.

    python -m benchmarks.equinox_models docs/equinox.json

Both forms are run in turns in this process, and the medians are compared: of calls of the compiled step, and of new
functions that are traced and compiled.
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax

from benchmarks.hlo import normal_form
from benchmarks.models import MODELS, Model, same_gelu, step_arguments, step_by_hand, step_of
from lenticulum import fast

#: Rows of a batch, and the width of the model.
SIZES = ((4, 8), (32, 64), (128, 128))
UPDATE = "gradient descent"
CALLS, COMPILATIONS = 200, 5


def from_terms(model: Model) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the step of a model as a function of arrays, and its arguments."""
    step = step_of(model, UPDATE)
    return lambda *arguments: fast.train_step(step, *arguments), step_arguments(model, UPDATE)


def by_hand(model: Model) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the same by hand; a new function each time, which JAX has not traced."""
    step, arguments = step_by_hand(model, UPDATE, same_gelu)
    return lambda *each: step(*each), arguments


FORMS = {"terms": from_terms, "by hand": by_hand}


def in_turn(turn: int) -> list[tuple[str, Any]]:
    """Return the forms, the other one first every second time."""
    return list(FORMS.items())[:: 1 if turn % 2 else -1]


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return how long a call takes, and its result, which is waited for."""
    started = time.perf_counter()
    result = jax.block_until_ready(call())
    return time.perf_counter() - started, result


def measured(make: Callable[..., Model], batch: int, width: int) -> dict[str, Any]:
    """Return the medians of one model at one size, in seconds."""
    model = make(batch, width)
    traced: dict[str, list[float]] = {form: [] for form in FORMS}
    built: dict[str, list[float]] = {form: [] for form in FORMS}
    called: dict[str, list[float]] = {form: [] for form in FORMS}
    programs: dict[str, Any] = {}
    for turn in range(COMPILATIONS):
        for form, of in in_turn(turn):
            step, arguments = of(model)
            taken, lowered = seconds(lambda step=step, arguments=arguments: jax.jit(step).lower(*arguments))
            traced[form].append(taken)
            taken, compiled = seconds(lowered.compile)
            built[form].append(taken)
            programs[form] = (compiled, arguments)
    for turn in range(CALLS):
        for form, _ in in_turn(turn):
            compiled, arguments = programs[form]
            called[form].append(seconds(lambda compiled=compiled, arguments=arguments: compiled(*arguments))[0])
    texts = {normal_form(compiled.as_text()) for compiled, _ in programs.values()}
    row = {"model": model.name, "batch": batch, "width": width, "identical": len(texts) == 1}
    measures = (("step", called), ("trace", traced), ("compile", built))
    return row | {name: {form: statistics.median(each[form]) for form in FORMS} for name, each in measures}


def main(path: str) -> int:
    """Measure, and write the data of the page."""
    rows = []
    measured(MODELS[0], *SIZES[0])  # what JAX does once in a process belongs to no form
    for make in MODELS:
        for size in SIZES:
            rows.append(measured(make, *size))
            print(rows[-1], flush=True)
    versions = {name: version(name) for name in ("jax", "equinox")}
    machine = f"{platform.machine()}, {jax.devices()[0].platform}"
    data = {"versions": versions, "machine": machine, "calls": CALLS, "compilations": COMPILATIONS, "rows": rows}
    Path(path).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
