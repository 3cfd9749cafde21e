"""Laws of the program of a module: exact meaning, derivatives, stopped gradients, compilation, batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.comparisons import BY_ROW, COMPILED, MAPPED, Comparison, depends_by_row, differs
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, Outcome, Trial
from lenticulum.check.modules.pure_module import TRAIN
from lenticulum.check.program_laws import Outcome as Found
from lenticulum.check.program_laws import exact_meaning, own_derivatives, stopped_gradients
from lenticulum.check.target import one_line
from lenticulum.numbers import Undecided

Way = Callable[..., Any]


def meaning(trial: Trial) -> Outcome:
    """Floats lie near the exact value of the program."""
    return _of_program(trial, exact_meaning)


def derivatives(trial: Trial) -> Outcome:
    """What JAX derives, in data and parameters, is the derivative of the program."""
    return _of_program(trial, lambda function, arrays: own_derivatives(function, arrays, trial.seed))


def gradients_flow(trial: Trial) -> Outcome:
    """No stop_gradient changes the derivative of a module whose state has no floats."""
    if any(jnp.issubdtype(each.dtype, jnp.floating) for each in trial.pure.state.values()):
        return NotApplicable("gradients are stopped at a state")
    return _of_program(trial, lambda function, arrays: stopped_gradients(function, arrays, trial.seed))


def _of_program(trial: Trial, law: Callable[..., Found]) -> Outcome:
    notes = []
    for mode in trial.modes:
        function, arrays = trial.pure.function(trial.data, mode, trial.seed)
        if not any(array.dtype.kind in "fV" for array in arrays):
            return NotApplicable("it has no floats")
        found = law(function, arrays)
        if found.finding is not None:
            return _broken(trial, mode, found, arrays)
        if not found.judged:
            raise Undecided(found.note)
        notes.append(found.note if mode is None else f"{found.note} ({mode})")
    return Held("; ".join(notes))


def _broken(trial: Trial, mode: str | None, found: Found, arrays: list[Any]) -> Broken:
    finding = found.finding
    assert finding is not None
    lines = [f"function, arrays = module.function(data, {mode!r}, {trial.seed})"]
    first = next(n for n, each in enumerate(arrays) if each.dtype.kind in "fV" and np.any(each))
    place = np.flatnonzero(arrays[first])[0]
    factor = float(found.arrays[first].ravel()[place] / arrays[first].ravel()[place])
    if factor != 1:
        lines.append(f"arrays = [each * {factor} if each.dtype.kind == 'f' else each for each in arrays]")
    call = "function(*arrays)"
    if finding.kind == "derivative":
        floats = tuple(n for n, each in enumerate(arrays) if each.dtype.kind in "fV")
        call = f"jax.{'jacfwd' if finding.output.startswith('fwd') else 'jacrev'}(function, {floats})(*arrays)"
    return Broken(finding.kind, finding.output, finding.note, (*lines, f"got = {call}"), finding)


def compiled(trial: Trial) -> Outcome:
    """The compiled module is the module."""
    return _compared(trial, (COMPILED,))


def mapped(trial: Trial) -> Outcome:
    """vmap over copies gives what one call gives; a batch of one too."""
    return _compared(trial, MAPPED)


def by_row(trial: Trial) -> Outcome:
    """Where a row of the value depends on its row of the data alone, the row by itself gives the same."""
    leaves = jax.tree.leaves(trial.data)
    if any(each.shape[:1] and each.shape[0] in trial.pure.sizes() for each in leaves):
        return NotApplicable("the first axis of its data is one of its sizes, not a batch")
    for mode in (mode for mode in trial.modes if mode != TRAIN):
        function, arrays = _of_data(trial, mode)
        depends = depends_by_row(function, arrays)
        if depends is not True:
            return NotApplicable("rows depend on other rows" if depends is False else depends)
    raised = trial.pure.accepts(jax.tree.map(lambda each: each[:1], trial.data))
    if raised is not None and trial.pure.convention == "example":
        return NotApplicable("its shape is fixed")
    if raised is not None:
        lines = ("got = module.accepts(jax.tree.map(lambda each: each[:1], data))",)
        return Broken("raises", "call", f"a batch of one raises {one_line(raised)}", lines)
    return _compared(trial, (BY_ROW,), of_data=True)


def _of_data(trial: Trial, mode: str | None) -> tuple[Way, list[Any]]:
    function, arrays = trial.pure.function(trial.data, mode, trial.seed)
    count = len(jax.tree.leaves(trial.data))
    return lambda *data: function(*data, *arrays[count:]), arrays[:count]


def _compared(trial: Trial, comparisons: tuple[Comparison, ...], of_data: bool = False) -> Outcome:
    notes = []
    for mode in (mode for mode in trial.modes if not (of_data and mode == TRAIN)):
        function, arrays = _of_data(trial, mode) if of_data else trial.pure.function(trial.data, mode, trial.seed)
        for comparison in comparisons:
            narrow, wide = comparison.discrepancies(function, arrays)
            words = comparison.words(narrow, wide) + ("" if mode is None else f" ({mode})")
            if differs(narrow, wide):
                lines = (
                    f"function, arrays = module.function(data, {mode!r}, {trial.seed})",
                    "plainly = function(*arrays)",
                    f"got = {_WITNESSES[comparison.what]}",
                )
                return Broken(comparison.kind, "output", words, lines)
            notes.append(words)
    return Held("; ".join(notes))


_WITNESSES = {
    COMPILED.what: "jax.jit(function)(*arrays)",
    MAPPED[0].what: "jax.vmap(function)(*(jnp.stack([each, (each * 0.5).astype(each.dtype)]) for each in arrays))",
    MAPPED[1].what: "jax.vmap(function)(*(each[None] for each in arrays))",
    BY_ROW.what: "function(*(x[:1] for x in jax.tree.leaves(data)), *arrays[len(jax.tree.leaves(data)):])",
}

LAWS = (
    ModuleLaw("exact meaning", "floats lie near the exact value of the program", "DESIGN 6", meaning),
    ModuleLaw("compiled", "the compiled module is the module", "identity 1", compiled),
    ModuleLaw(
        "mapped",
        "vmap over copies is the call on each",
        "jax.vmap, https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html",
        mapped,
    ),
    ModuleLaw(
        "by row",
        "a row alone gives what it gives in a batch",
        "an evaluation of a batch is the concatenation of those of its rows",
        by_row,
    ),
    ModuleLaw(
        "derivatives",
        "what JAX derives is the derivative of the program",
        "Cockett et al., Reverse derivative categories, CSL 2020",
        derivatives,
    ),
    ModuleLaw(
        "gradients flow",
        "no stopped gradient changes the derivative",
        "arXiv:2103.01931, Definition 2.6: the cotangent of a value is the sum over its uses",
        gradients_flow,
    ),
)
