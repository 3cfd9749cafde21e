"""Certifying a function of arrays: the entry point."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.catalog import nearest
from lenticulum.certify.arrays.family import FAMILIES, Family
from lenticulum.certify.arrays.laws import try_laws
from lenticulum.certify.arrays.result import ArrayResult
from lenticulum.certify.arrays.run import SAMPLE, Campaign, conduct, judge_special, shrunk
from lenticulum.certify.arrays.structure import Structure, long_arrays, structure
from lenticulum.certify.rule import Rule
from lenticulum.check.cases import term_of
from lenticulum.check.conclusion import conforms, explained, with_failure
from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.failure import STRUCTURAL
from lenticulum.check.result import CheckResult
from lenticulum.check.run import Run

#: Formats whose numbers float64 intervals enclose with room to spare.
DTYPES = ("float32", "float16", "bfloat16")

#: Kinds of rows of the catalogue that are functions of arrays.
KINDS = ("array", "layer", "loss")

#: A witness of so many numbers is made simpler entry by entry.
FEW = 256


def certify_arrays(
    subject: str | Callable[..., Any],
    spec: str | Definition,
    *,
    dtype: str = "float32",
    mode: str | None = None,
    roles: Mapping[str, str] | None = None,
    bind: Mapping[str, Any] | None = None,
    make: Mapping[str, Any] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    families: tuple[Family, ...] = FAMILIES,
    within: Fraction | None = None,
    budget: float | None = None,
    sample: int = SAMPLE,
    seed: int = 0,
) -> ArrayResult:
    """Return a bound of the error of a function of arrays over families of inputs, the laws tried, and the verdict.

    For each output |y - f| in ulp, and as a share of the running bound of a closed form, with f enclosed; at the
    entries where these are largest K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta); for sums of products
    T = |y - f| / (u |A||B| + u |f| + n eta). Each family fills the small arrays of the generators of `check`, and
    arrays of the sizes that people use; special values, ties and numbers near the ends of the format are judged on
    small arrays, entry by entry.

    Arguments: `subject`: a target, a function of JAX, NumPy or torch arrays, or a module. `spec`: NAME or
    NAME:convention=value,... of a definition on arrays. `dtype`: float32, float16 or bfloat16. `mode`: "compiled",
    "op by op" or "eager"; unless stated, the first that the subject has. `roles`, `bind`, `make`: as for `check`.
    `shapes`: role -> shape, instead of those of the library. `families`: what the free arrays are filled with.
    `within`: a bound in ulp instead of the default verdict. `budget`: seconds after which no new call is begun.
    `sample`: calls of each family and structure.
    Raises: CallError if the call is wrong.
    Laws: the same call gives the same result, but for the time.
    Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapters 1, 3 and 4.

    >>> import jax
    >>> result = certify_arrays(jax.nn.softmax, "softmax", shapes={"x": (3, 5)}, sample=1)
    >>> result.verdict, result.coverage
    ('conforms', 'sampled (10 calls, 150 outputs; shapes: x 3x5)')
    """
    started = time.monotonic()
    run = Run(subject, spec, seed, roles, bind, make, None, shapes, dtype, 0.0, within)
    definition = run.definition
    assert definition is not None
    _require(definition, dtype)
    draw = run.prepare()
    if run.meaning is not run.judged:
        raise CallError(
            "certify bounds the value of a function of arrays; a derivative is checked by: lenticulum check"
        )
    rule = Rule(run.environment.format, run.environment.flushes, within)
    mode = _mode(run, mode)
    campaign = Campaign(run, rule, _modes(run)[mode], families)
    campaign.small, campaign.long = _structures(run, draw)
    deadline = None if budget is None else started + budget
    conduct(campaign, seed, sample, deadline)
    if campaign.complete and not _stopped(campaign):
        judge_special(campaign, seed)
    laws = try_laws(campaign, seed) if campaign.complete and not _stopped(campaign) else ()
    shrunk(campaign)
    return dataclasses.replace(_concluded(campaign, laws, mode, seed), seconds=time.monotonic() - started)


def _stopped(campaign: Campaign) -> bool:
    return campaign.failure is not None and campaign.failure.finding.kind in STRUCTURAL


def _require(definition: Definition, dtype: str) -> None:
    entry = definition.entry
    if entry.kind not in KINDS or entry.modes:
        raise CallError(
            f"certify bounds elementwise functions, functions of arrays, layers without modes and losses; "
            f"{entry.name} is checked by: lenticulum check"
        )
    if dtype not in DTYPES:
        expected = f"expected one of {', '.join(DTYPES)}{nearest(dtype, DTYPES)}"
        raise CallError(f"dtype {dtype!r}: for a function of arrays {expected}")


def _modes(run: Run) -> dict[str, bool]:
    """Return how a subject may be run: eagerly, or by JAX compiled or one operation after the other."""
    if run.subject.modes == (False,):
        return {"eager": False}
    return {"compiled": True, "op by op": False}


def _mode(run: Run, mode: str | None) -> str:
    modes = _modes(run)
    if mode is not None and mode not in modes:
        raise CallError(f"mode {mode!r}: {run.source.name} has {', '.join(modes)}")
    return mode or next(iter(modes))


def _structures(run: Run, draw: Any) -> tuple[list[Structure], list[Structure]]:
    """Return small structures, from the generators of `check`, and a long one unless the shapes are given."""
    drawn = [case for case in run.drawn(draw) if case.label == "regular"]
    if run.shapes and run.judged.entry.kind == "array":
        run.judged.require_fit(term_of(run.judged, drawn[0]), drawn[0].arrays)
    small: dict[Any, Structure] = {}
    for case in drawn:
        # Arrays of one shape differ in their numbers alone, and these are drawn anew.
        key = tuple((role, array.shape) for role, array in case.arrays.items())
        small.setdefault(key, structure(run.judged, term_of(run.judged, case), case.arrays))
    if run.shapes:
        return list(small.values()), []
    term = run.judged.term({}, run.received) if run.judged.entry.kind == "array" else run.judged.entry.example
    long = long_arrays(run.judged, term, tuple(run.subject.absent), run.dtype)
    if long is None or not run.fits(long):
        return list(small.values()), []
    return list(small.values()), [structure(run.judged, term, long)]


def _concluded(campaign: Campaign, laws: tuple[Any, ...], mode: str, seed: int) -> ArrayResult:
    run, tallies = campaign.run, campaign.tallies
    undecided = sum(each.undecided for each in tallies) + campaign.special.undecided
    broken = any(each.violated for each in laws)
    covered = campaign.complete and any(each.outputs for each in tallies)
    verdict = "undecided" if undecided else "conforms" if covered else "not covered"
    result = ArrayResult(
        verdict="differs" if campaign.failure is not None or broken else verdict,
        subject=run.source.name,
        spec=str(run.definition),
        dtype=run.dtype,
        mode=mode,
        seed=seed,
        coverage=_coverage(campaign),
        families=tuple(tallies),
        special=dict(campaign.special.carried),
        laws=laws,
        notes=(*run.notes, *campaign.notes),
        not_claimed=("other shapes, dtypes, devices and versions", "inputs outside these families"),
        within=campaign.rule.within,
        flushes=campaign.rule.flushes,
    )
    return result if campaign.failure is None else _with_finding(campaign, result)


def _with_finding(campaign: Campaign, result: ArrayResult) -> ArrayResult:
    """Return the result with the finding on the smallest arrays found, its program, and what the subject is instead."""
    run, failure = campaign.run, campaign.failure
    assert failure is not None
    found = with_failure(run, CheckResult("differs", run.source.name, str(run.definition), result.seed), failure)
    numbers = sum(array.size for array in failure.inputs.values() if isinstance(array, np.ndarray))
    found = explained(run, found) if numbers <= FEW else found
    assert found.witness is not None
    return dataclasses.replace(
        result,
        finding=found.finding,
        witness=found.witness.lines,
        matches=found.matches if found.matches and not _passes_check(run) else (),
        notes=tuple(dict.fromkeys([*result.notes, *found.notes])),
    )


def _passes_check(run: Run) -> bool:
    """Return whether `check` passes the stated definition too: then its inputs do not tell conventions apart."""
    return conforms(
        Run(run.object, run.definition, run.seed, run.roles, run.bind, run.make, run.at, run.shapes, run.dtype)
    )


def _coverage(campaign: Campaign) -> str:
    calls, outputs = (sum(getattr(each, name) for each in campaign.tallies) for name in ("calls", "outputs"))
    shapes = "; ".join(each.name for each in [*campaign.small, *campaign.long])
    partly = "" if campaign.complete else ", the time was spent before the end"
    return f"sampled ({calls} calls, {outputs} outputs; shapes: {shapes}){partly}"
