"""Certifying a function of arrays: families of inputs on small and long arrays, each output bounded, laws tried."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.certify.arrays.assess import Assessment, assess, k_of
from lenticulum.certify.arrays.exact import ExactCall
from lenticulum.certify.arrays.family import FAMILIES, SPECIAL, Family
from lenticulum.certify.arrays.shrink import smaller
from lenticulum.certify.arrays.structure import Structure
from lenticulum.certify.arrays.tally import FamilyTally
from lenticulum.certify.rule import Rule
from lenticulum.check.case import Case
from lenticulum.check.cases import term_of
from lenticulum.check.draw import SeededDraw
from lenticulum.check.enclosures import decimal
from lenticulum.check.errors import CallError
from lenticulum.check.failure import STRUCTURAL, Failure, judged
from lenticulum.check.finding import Finding, Tally, float_roles
from lenticulum.check.run import Run
from lenticulum.check.subjects import Raised
from lenticulum.numbers import DomainError, Undecided

Array = np.ndarray
Inputs = Mapping[str, Array]

#: How many calls of each family and structure, unless asked for.
SAMPLE = 2


@dataclass
class Campaign:
    """A run over families: what is called, on which structures, and what was found so far.

    `families`: a tally each; `special`: the entries of small calls with special values, judged one by one.
    """

    run: Run
    rule: Rule
    compiled: bool
    families: tuple[Family, ...]
    small: list[Structure] = field(default_factory=list)
    long: list[Structure] = field(default_factory=list)
    tallies: list[FamilyTally] = field(default_factory=list)
    special: Tally = field(default_factory=Tally)
    failure: Failure | None = None
    notes: list[str] = field(default_factory=list)
    complete: bool = True

    def output(self, inputs: Inputs) -> Any:
        """Return the output of one call, or the finding that it has the wrong structure. Raises: Raised."""
        case = Case("regular", dict(inputs), {})
        outputs = self.run.outputs(self.run.judged, term_of(self.run.judged, case), inputs, self.compiled)
        return outputs if isinstance(outputs, Finding) else outputs[self.run.judged.output]

    def exact(self, inputs: Inputs) -> ExactCall:
        """Return the exact side of one call."""
        definition = self.run.judged
        return ExactCall(definition, term_of(definition, Case("regular", dict(inputs), {})), inputs, self.rule.format)

    def assessed(self, inputs: Inputs) -> tuple[Assessment, ExactCall, Array] | Finding:
        """Return what one call gave. Raises: DomainError, Undecided, Raised."""
        y = self.output(inputs)
        if isinstance(y, Finding):
            return y
        call = self.exact(inputs)
        if y.shape != call.shape:
            note = f"{self.run.judged.output} has the shape {list(y.shape)}; expected {list(call.shape)}"
            return Finding("type", self.run.judged.output, (), float("nan"), "", "regular", note=note)
        return assess(call, y, self.rule), call, y

    def fail(self, finding: Finding, inputs: Inputs) -> None:
        """Keep the first failure."""
        if self.failure is None:
            term = term_of(self.run.judged, Case("regular", dict(inputs), {}))
            self.failure = Failure(finding, term, dict(inputs), self.run.numbers, self.compiled)


def conduct(campaign: Campaign, seed: int, sample: int, deadline: float | None) -> None:
    """Call the subject on every family, structure and sample, small structures first, until the time is spent."""
    campaign.tallies = [FamilyTally(str(family)) for family in campaign.families]
    structures = [*campaign.small, *campaign.long]
    for place, each in enumerate(structures):
        for number, family in enumerate(campaign.families):
            # A long structure has many entries already.
            for turn in range(sample if place < len(campaign.small) else 1):
                if deadline is not None and time.monotonic() > deadline:
                    campaign.complete = False
                    return
                draw = (seed, place, number, turn)
                inputs = each.filled(family, np.random.default_rng(draw), campaign.run.dtype)
                _one(campaign, campaign.tallies[number], each, inputs, draw)
                if campaign.failure is not None and campaign.failure.finding.kind in STRUCTURAL:
                    return


def _one(
    campaign: Campaign, tally: FamilyTally, each: Structure, inputs: dict[str, Array], draw: tuple[int, ...]
) -> None:
    try:
        found = campaign.assessed(inputs)
    except DomainError:
        tally.outside += 1
        return
    except Undecided:
        tally.calls, tally.undecided = tally.calls + 1, tally.undecided + 1
        return
    except Raised as error:
        found = Finding("raises", "call", (), float("nan"), "", "regular", note=str(error))
    if isinstance(found, Finding):
        campaign.fail(found, inputs)
        return
    assessment, call, y = found
    tally.add(assessment, each.name, draw, lambda flat: _entry(flat, call.shape))
    if assessment.rejected and campaign.failure is None:
        campaign.fail(finding_of(campaign, assessment, call, y), inputs)


def _entry(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(index) for index in np.unravel_index(flat, shape)) if shape else ()


def finding_of(campaign: Campaign, assessment: Assessment, call: ExactCall, y: Array) -> Finding:
    """Return the finding of the rejected entry with the largest K or T, if that is known, or else the largest error."""
    reduction = campaign.run.judged.entry.reduction
    measured = assessment.t if reduction else assessment.k
    if measured is not None and measured.flat in assessment.rejected:
        flat, size = measured.flat, measured.at_least
    else:
        flat = assessment.rejected[0]
        ends = None if reduction else k_of(call, y, campaign.rule, flat)
        size = None if ends is None or np.isnan(ends[0]) else ends[0]
    got, exact = float(y.astype(np.float64).ravel()[flat]), call.enclosures
    low, high = float(exact.lo[flat]), float(exact.hi[flat])
    kind = "special-value" if np.isnan(got) else "overflow" if np.isinf(got) else "formula"
    text = decimal((Fraction(low), Fraction(high))) if np.isfinite([low, high]).all() else str(low)
    return Finding(
        kind,
        campaign.run.judged.output,
        _entry(flat, call.shape),
        got,
        text,
        "regular",
        criterion="T" if reduction else "K",
        k=size,
    )


def judge_special(campaign: Campaign, seed: int) -> None:
    """Judge, entry by entry, the small calls with special values, ties, and numbers near the ends of the format."""
    run = campaign.run
    cases = [case.arrays for case in run.drawn(SeededDraw(seed)) if case.label != "regular"]
    cases += [
        each.filled(SPECIAL, np.random.default_rng((seed, place, len(FAMILIES))), run.dtype)
        for place, each in enumerate(campaign.small)
        # Of what a mask blocks kernels make 0 NaN = NaN, and the definition nothing: that is no special value of it.
        if not set(each.arrays) & set(run.judged.entry.booleans)
    ]
    for inputs in cases:
        found = _judged_special(campaign, inputs)
        if found is None:
            continue
        finding, tally = found
        campaign.special.merge(tally)
        if finding is not None:
            campaign.fail(finding, inputs)
            return


def _judged_special(campaign: Campaign, inputs: Inputs) -> tuple[Finding | None, Tally] | None:
    """Return the verdict on one call, entry by entry, or None where the definition has no value."""
    run = campaign.run
    term = term_of(run.judged, Case("edge", dict(inputs), {}))
    try:
        outputs = run.outputs(run.judged, term, inputs, campaign.compiled)
        if isinstance(outputs, Finding):
            return outputs, Tally()
        return judged(run.meaning, term, inputs, outputs, run.environment, campaign.rule.within)
    except DomainError:
        return None
    except Raised as error:
        return Finding("raises", "call", (), float("nan"), "", "edge", note=str(error)), Tally()


def shrunk(campaign: Campaign) -> None:
    """Replace the failure by one on smaller arrays that is rejected too."""
    failure = campaign.failure
    if failure is None or failure.finding.kind in STRUCTURAL:
        return
    kind = failure.finding.kind
    look = _finding_at if all(_finite(failure.inputs).values()) else _special_finding_at

    def rejected(inputs: Inputs) -> bool:
        try:
            found = look(campaign, inputs)
            return found is not None and found.kind == kind
        except (DomainError, Undecided, Raised, CallError):
            return False

    inputs = smaller(failure.inputs, rejected)
    finding = look(campaign, inputs)
    campaign.failure = None
    campaign.fail(finding, inputs) if finding is not None else campaign.fail(failure.finding, failure.inputs)


def _finding_at(campaign: Campaign, inputs: Inputs) -> Finding | None:
    """Return the finding of one call with finite inputs, if its structure is right."""
    found = campaign.assessed(inputs)
    if isinstance(found, Finding) or not found[0].rejected:
        return None
    return finding_of(campaign, *found)


def _special_finding_at(campaign: Campaign, inputs: Inputs) -> Finding | None:
    """Return the finding of one call judged entry by entry, if its structure is right."""
    found = _judged_special(campaign, inputs)
    return None if found is None or found[0] is None or found[0].kind in STRUCTURAL else found[0]


def _finite(inputs: Inputs) -> dict[str, bool]:
    return {role: bool(np.isfinite(inputs[role].astype(np.float64)).all()) for role in float_roles(inputs)}
