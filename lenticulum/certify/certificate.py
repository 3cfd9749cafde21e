"""A certificate: the counts of a campaign as an in-toto statement, its canonical bytes, and the sidecars beside it."""

from __future__ import annotations

import hashlib
import lzma
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from lenticulum.certify.checker.claim import LISTED, STRATA, WITHOUT_MAXIMUM, canonical_bytes, fixed_digest, parse
from lenticulum.certify.checker.consistency import LEAVES, at_odds, verdict_word
from lenticulum.certify.checker.merkle import leaf_hashes, root_hash
from lenticulum.certify.checker.wording import claim_sentence, coverage_words, rule_words
from lenticulum.numbers.formats import Format

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://lenticulum.dev/elementwise-accuracy/v1"


@dataclass(frozen=True)
class Certificate:
    """A statement, and the content of its sidecars by file name."""

    statement: dict[str, Any]
    sidecars: Mapping[str, bytes]

    @property
    def content(self) -> bytes:
        """The canonical bytes of the statement."""
        return canonical_bytes(self.statement)

    @property
    def verdict(self) -> str:
        """ "conforms", "differs" or "undecided"."""
        return self.statement["predicate"]["verdict"]["word"]

    def write(self, path: str | Path) -> None:
        """Write the sidecars and then the certificate; each file appears whole or not at all."""
        path = Path(path)
        for name, content in self.sidecars.items():
            _write_whole(path.with_name(name), content)
        _write_whole(path, self.content)


def build(
    subject: str,
    subject_sha256: str,
    fields: Mapping[str, Any],
    *,
    name: str,
    outputs: bytes | None = None,
    leaves: Sequence[bytes] | None = None,
) -> Certificate:
    """Make the certificate of a campaign.

    Arguments: `subject`: the target. `subject_sha256`: the digest of its program and source. `fields`: what the
    campaign counted, by the names of the predicate: definition, format, arguments, coverage (kind, checked,
    seed), mode, shape_class, environment, strata (all but special inputs), special (count, wrong_count, wrong), within,
    finding, engines, not_claimed, made, cost, and binades where there are any. Words, sums, digests and the verdict are
    computed here. `name`: the stem of the sidecars' names. `outputs`: the little-endian patterns of all outputs, kept
    as a sidecar. `leaves`: instead of them, the hashes of their leaves, where the outputs are too many to keep.

    Raises: ValueError if the counts contradict one another.
    """
    width, arguments = fields["format"]["input"]["width"], fields["arguments"]
    count = 2 ** (arguments * width)
    kind, checked = fields["coverage"]["kind"], fields["coverage"]["checked"]
    special = fields["special"]
    strata = {each: _stratum(each, fields["strata"][each]) for each in STRATA[:-1]}
    strata[STRATA[-1]] = _special_stratum(special)
    described, sidecars = _outputs(name, width, fields["format"]["output"]["width"], outputs, leaves)
    predicate: dict[str, Any] = {
        "definition": fields["definition"],
        "format": fields["format"],
        "domain": {
            "enumeration": "bit patterns in increasing order",
            "arguments": arguments,
            "first": 0,
            "count": count,
        },
        "coverage": {
            "kind": kind,
            "words": coverage_words(kind, arguments, checked, count),
            "checked": checked,
            "of": count,
            "seed": fields["coverage"]["seed"],
        },
        "mode": fields["mode"],
        "shape_class": fields["shape_class"],
        "environment": fields["environment"],
        "strata": strata,
        "special": {
            "count": special["count"],
            "wrong_count": special["wrong_count"],
            "wrong": sorted(special["wrong"], key=lambda each: int(each["x"], 16))[:LISTED],
        },
        "verdict": {
            "word": verdict_word(strata, fields["finding"]),
            "rule": rule_words(fields["within"]),
            "within": fields["within"],
            "finding": fields["finding"],
        },
        "outputs": described,
        "engines": fields["engines"],
        "not_claimed": list(fields["not_claimed"]),
        "made": fields["made"],
        "cost": fields["cost"],
    }
    if "binades" in fields:
        predicate["binades"] = fields["binades"]
    predicate["claim"] = claim_sentence(subject, predicate)
    statement = {
        "_type": STATEMENT,
        "subject": [{"name": subject, "digest": {"sha256": subject_sha256}}],
        "predicateType": PREDICATE,
        "predicate": predicate,
    }
    seal(statement)
    for difference in at_odds(parse(canonical_bytes(statement))):
        raise ValueError(f"the counts of {subject} contradict one another: {difference}")
    return Certificate(statement, sidecars)


def seal(statement: dict[str, Any]) -> None:
    """Set the digest of everything in a statement that is not free to change."""
    statement["predicate"]["integrity"] = {"sha256": fixed_digest(statement)}


def format_fields(format: Format) -> dict[str, Any]:
    """Return a format as a certificate writes it.

    >>> from lenticulum.numbers.formats import BFLOAT16
    >>> format_fields(BFLOAT16)
    {'name': 'bfloat16', 'precision': 8, 'emin': -126, 'emax': 127, 'width': 16, 'overflow': 'infinity'}
    """
    return {
        "name": format.name,
        "precision": format.precision,
        "emin": format.minimum_exponent,
        "emax": format.maximum_exponent,
        "width": format.width,
        "overflow": format.overflow,
    }


def at_most(value: Fraction | float) -> str:
    """Write a bound >= 0 from above as a hexadecimal float of 53 bits.

    >>> at_most(0.75), at_most(Fraction(1, 3)), at_most(0.0)
    ('0x1.8000000000000p-1', '0x1.5555555555556p-2', '0x0.0p+0')
    """
    return _hexadecimal(Fraction(value), up=True)


def at_least(value: Fraction | float) -> str:
    """Write a bound >= 0 from below as a hexadecimal float of 53 bits.

    >>> at_least(Fraction(1, 3))
    '0x1.5555555555555p-2'
    """
    return _hexadecimal(Fraction(value), up=False)


def output_bytes(bits: np.ndarray, format: Format) -> bytes:
    """Return bit patterns as a certificate keeps them: little-endian, every NaN the same quiet one.

    Arguments: `bits`: unsigned integers of shape [n].
    """
    sign = 1 << (format.width - 1)
    infinity = sign - (1 << (format.precision - 1))
    ieee = format.overflow == "infinity"
    canonical = infinity | 1 << (format.precision - 2) if ieee else sign - 1
    magnitude = bits & (sign - 1)
    nan = magnitude > infinity if ieee else magnitude == canonical
    return np.where(nan, canonical, bits).astype(f"<u{format.width // 8}").tobytes()


def _hexadecimal(value: Fraction, *, up: bool) -> str:
    # Not float.hex: the error of a binary64 result can be beyond the range of binary64.
    if value < 0:
        raise ValueError(f"a bound is >= 0, got {value}")
    if value == 0:
        return "0x0.0p+0"
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= value < Fraction(2) ** exponent
    scaled = value / Fraction(2) ** (exponent - 52)
    mantissa = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    if mantissa == 1 << 53:
        mantissa, exponent = 1 << 52, exponent + 1
    return f"0x1.{mantissa - (1 << 52):013x}p{exponent:+d}"


def _stratum(name: str, counted: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stratum without empty classes, and without maxima where there are no numbers."""
    without = counted["count"] if name in WITHOUT_MAXIMUM else counted["no_number"]
    numbers, histogram = counted["count"] - without, counted["histogram"]
    return {
        "count": counted["count"],
        "accepted": {by: n for by, n in counted["accepted"].items() if n},
        "rejected": counted["rejected"],
        "correctly_rounded": counted["correctly_rounded"],
        "ulp": counted["ulp"] if numbers else None,
        "K": counted["K"] if numbers else None,
        "no_number": without,
        "histogram": {} if not numbers else histogram and {each: n for each, n in histogram.items() if n},
        "zero_sign": counted["zero_sign"],
        "undecided": sorted(counted["undecided"], key=lambda text: int(text, 16)),
    }


def _special_stratum(special: Mapping[str, Any]) -> dict[str, Any]:
    """Return the special inputs as a stratum: there a result is right or wrong, and no error is measured."""
    count, wrong = special["count"], special["wrong_count"]
    return {
        "count": count,
        "accepted": {"special": count - wrong} if count > wrong else {},
        "rejected": wrong,
        "correctly_rounded": count - wrong,
        "ulp": None,
        "K": None,
        "no_number": count,
        "histogram": {},
        "zero_sign": 0,
        "undecided": [],
    }


def _outputs(
    name: str, input_width: int, output_width: int, outputs: bytes | None, leaves: Sequence[bytes] | None
) -> tuple[dict[str, Any] | None, dict[str, bytes]]:
    """Describe the outputs, and return the sidecars."""
    if outputs is None and leaves is None:
        return None, {}
    leaf = LEAVES[input_width]
    hashes = leaf_hashes(outputs, leaf * output_width // 8) if outputs is not None else list(leaves or ())
    described: dict[str, Any] = {"leaf": leaf, "leaves": len(hashes), "root": root_hash(hashes).hex()}
    kept = {
        "sidecar": (f"{name}.outputs.xz", outputs),
        "leaf_hashes": (f"{name}.leaves.xz", b"".join(hashes) if outputs is None else None),
    }
    sidecars: dict[str, bytes] = {}
    for field, (file, content) in kept.items():
        compressed = None if content is None else lzma.compress(content, preset=6)
        described[field] = None if compressed is None else file
        described[f"{field}_sha256"] = None if compressed is None else hashlib.sha256(compressed).hexdigest()
        if compressed is not None:
            sidecars[file] = compressed
    return described, sidecars


def _write_whole(path: Path, content: bytes) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_bytes(content)
    partial.replace(path)
