"""Verifying a certificate: the checker, and with the library at hand the subject run again and an older certificate."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lenticulum.certify.baseline import Change, changes
from lenticulum.certify.checker.claim import Claim, parse
from lenticulum.certify.checker.consistency import at_odds
from lenticulum.certify.checker.json_reading import LARGEST_CERTIFICATE, Unreadable, read_bytes
from lenticulum.certify.checker.levels import Checked, Part, check
from lenticulum.certify.checker.main import EXIT_CODES, as_json, chosen_part, default_part, printable, report
from lenticulum.certify.checker.outputs import Sidecars, read_sidecars
from lenticulum.check.errors import CallError


@dataclass(frozen=True)
class Verification:
    """What verifying a certificate found.

    `checked`: the word, differences and levels. `changes`: against an older certificate, if one was named.
    """

    path: str
    claim: Claim
    checked: Checked
    changes: tuple[Change, ...] = ()
    baseline: str | None = None

    @property
    def word(self) -> str:
        """ "VERIFIED", "REJECTED" or "NOT DECIDED"."""
        return self.checked.word

    @property
    def worse(self) -> bool:
        """Whether something got worse than in the older certificate."""
        return any(change.word == "worse" for change in self.changes)

    @property
    def exit_code(self) -> int:
        """0 verified, and nothing got worse; 1 rejected or worse; 3 not decided."""
        return EXIT_CODES[self.word] or int(self.worse)

    def __str__(self) -> str:
        lines = [report(self.path, self.claim, self.checked)]
        if self.baseline is not None:
            lines.append(f"{'WORSE than' if self.worse else 'not worse than'} {printable(self.baseline)}")
            lines += [f"  {printable(str(change))}" for change in self.changes] or ["  nothing changed"]
        return "\n".join(lines)

    def as_json(self) -> str:
        """Write the result as one JSON object."""
        found: dict[str, Any] = json.loads(as_json(self.path, self.claim, self.checked))
        found["exit_code"] = self.exit_code
        if self.baseline is not None:
            found["baseline"] = {
                "file": self.baseline,
                "worse": self.worse,
                "changes": [change._asdict() for change in self.changes],
            }
        return json.dumps(found)


def verify(
    path: str | Path,
    *,
    part: Part | None = None,
    subject: str | None = None,
    bind: Mapping[str, Any] | None = None,
    baseline: str | Path | None = None,
    seed: int | None = None,
) -> Verification:
    """Re-prove a certificate, and say which of its fields is not what was recomputed.

    Arguments: `part`: which outputs are judged again; by default all of a domain of at most 2^16 inputs, else a sample
    drawn now. `subject`, `bind`: a target and fixed arguments; it is run again and its outputs are compared with those
    of the claim. Nothing that the certificate names is ever run. `baseline`: an older certificate. `seed`: of the
    leaves that are run again, drawn now by default.
    Raises: CallError if a file is no certificate, or the subject cannot be run.
    """
    try:
        claim = parse(read_bytes(str(path), LARGEST_CERTIFICATE))
        sidecars = read_sidecars(claim, os.path.dirname(path))
        old = None if baseline is None else read_baseline(str(baseline))
    except Unreadable as error:
        raise CallError(printable(str(error))) from None
    found = [] if old is None else changes(claim, old)
    checked = check(claim, sidecars, part or default_part(claim))
    if subject is None and bind:
        raise CallError("--bind fixes an argument of the subject: add --subject TARGET")
    if subject is not None and checked.word != "REJECTED":
        checked = _with_rerun(claim, sidecars, checked, subject, bind or {}, seed)
    return Verification(str(path), claim, checked, tuple(found), None if baseline is None else str(baseline))


def choose_part(sample: int | None, part: str | None, seed: int | None) -> Part | None:
    """Return what options choose to judge again, or None for the default.

    Raises: CallError if they contradict one another.
    """
    try:
        return chosen_part(sample, part, seed)
    except Unreadable as error:
        raise CallError(str(error)) from None


def read_baseline(path: str) -> Claim:
    """Read an older certificate, which must agree with itself; its outputs are not judged again.

    Raises: CallError if it is no certificate.
    """
    try:
        claim = parse(read_bytes(path, LARGEST_CERTIFICATE))
    except Unreadable as error:
        raise CallError(f"--baseline: {printable(str(error))}") from None
    for difference in at_odds(claim):
        raise CallError(printable(f"--baseline: {path!r} contradicts itself: {difference}"))
    return claim


def _with_rerun(
    claim: Claim, sidecars: Sidecars, checked: Checked, subject: str, bind: Mapping[str, Any], seed: int | None
) -> Checked:
    from lenticulum.certify.rerun import rerun

    found = rerun(claim, sidecars, subject, bind, secrets.randbits(64) if seed is None else seed)
    undecided = (*checked.undecided, *found.undecided)
    not_checked = [each for each in checked.not_checked if "--subject" not in each]
    return checked._replace(
        word="REJECTED" if found.differences else "NOT DECIDED" if undecided else "VERIFIED",
        level=3,
        differences=tuple(found.differences),
        undecided=undecided,
        done=(*checked.done, *found.done),
        not_checked=(*not_checked, *found.not_checked),
    )
