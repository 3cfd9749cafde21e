"""The laws that need no oracle, tried on some calls of a run.

A law compares values of the kernel with each other. Where it allows what rounding may do and is broken all the same,
some value lies outside its running bound: then the oracle is asked there, and K may still accept it. A law that
rounding cannot break is a finding by itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from lenticulum.certify.arrays.invariance import Allowance, Held, Invariance, hold
from lenticulum.certify.arrays.invariances_of import invariances
from lenticulum.certify.arrays.result import LawTally
from lenticulum.certify.arrays.run import Campaign, finding_of
from lenticulum.check.case import Case
from lenticulum.check.cases import term_of
from lenticulum.check.finding import Finding
from lenticulum.check.subjects import Raised
from lenticulum.numbers import DomainError, Undecided
from lenticulum.numbers.formats import BINARY32

Array = np.ndarray
Inputs = Mapping[str, Array]

#: The families on which laws are tried: so many of the first of a run, and on long arrays the first alone.
TRIED = 3


class _Wrong(Exception):
    """A call inside a law has no value to compare: it raises, or returns the wrong structure."""


def try_laws(campaign: Campaign, seed: int) -> tuple[LawTally, ...]:
    """Return what each law of the definition says on one call of each structure and of the first families."""
    tallies: dict[str, LawTally] = {}
    for place, each in enumerate([*campaign.small, *campaign.long]):
        for number, family in enumerate(campaign.families[: TRIED if place < len(campaign.small) else 1]):
            draw = (seed, place, number, 0)
            inputs = each.filled(family, np.random.default_rng(draw), campaign.run.dtype)
            term = term_of(campaign.run.judged, Case("regular", dict(inputs), {}))
            for invariance in invariances(campaign.run.judged, term):
                held = _held(campaign, invariance, inputs, draw)
                if held is not None:
                    key = f"{held.law}: {held.statement}"
                    tallies[key] = _added(tallies.get(key), held)
    return tuple(tallies.values())


def _held(campaign: Campaign, invariance: Invariance, inputs: Inputs, draw: tuple[int, ...]) -> Held | None:
    """Return what one law says on one call; a break that K excuses is none."""
    run = campaign.run
    term = term_of(run.judged, Case("regular", dict(inputs), {}))
    generator = np.random.default_rng(draw)
    try:
        held = hold(
            invariance,
            lambda given: _output(campaign, given),
            run.judged,
            term,
            inputs,
            lambda given: _bound(campaign, given),
            generator,
        )
        if held is None or not held.violated:
            return held
        relation = invariance.relate(term, inputs, np.random.default_rng(draw))
        assert relation is not None
        if relation.allows is Allowance.BOUNDS:
            broken = _rejected(campaign, relation.calls, f"found at inputs of the law of {held.law}: {held.statement}")
            return held if broken else dataclasses.replace(held, violated=False)
    except (_Wrong, DomainError, Undecided):
        return None
    note = f"the law of {held.law} is broken: {held.statement}"
    place = held.place or ()
    broken = Finding("formula", run.judged.output, place, held.got, repr(held.expected), "regular", note=note)
    campaign.fail(broken, inputs)
    return held


def _output(campaign: Campaign, inputs: Inputs) -> Array:
    try:
        y = campaign.output(inputs)
    except Raised as error:
        raise _Wrong from error
    if isinstance(y, Finding):
        raise _Wrong
    return y


def _bound(campaign: Campaign, inputs: Inputs) -> tuple[Array, Array]:
    """Return the hull of the running bounds of all closed forms, of a narrow format with sums in binary32 too."""
    call = campaign.exact(inputs)
    formats = [campaign.rule.format] + ([BINARY32] if campaign.rule.format.width < 32 else [])
    bounds = [call.bound(number, each) for number in range(len(call.forms)) for each in formats]
    lo = np.fmin.reduce([each.lo for each in bounds])
    hi = np.fmax.reduce([each.hi for each in bounds])
    return lo.reshape(call.shape), hi.reshape(call.shape)


def _rejected(campaign: Campaign, calls: tuple[Inputs, ...], note: str) -> bool:
    """Ask the oracle at every call of a broken law; keep the first rejection as the failure of the run."""
    for inputs in calls:
        found = campaign.assessed(inputs)
        if not isinstance(found, Finding) and found[0].rejected:
            campaign.notes += [note] if campaign.failure is None else []
            campaign.fail(finding_of(campaign, *found), inputs)
            return True
    return False


def _added(tally: LawTally | None, held: Held) -> LawTally:
    before = tally or LawTally(held.law, held.statement, 0, 0, 0.0, 0)
    return LawTally(
        held.law,
        held.statement,
        before.calls + 1,
        before.compared + held.compared,
        max(before.largest, held.largest if np.isfinite(held.largest) else before.largest),
        before.violated + held.violated,
    )
