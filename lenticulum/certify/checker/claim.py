"""A certificate as a claim: exact bounds, patterns and formats read from its JSON, and the digest of what it fixes."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from lenticulum.certify.checker.formats import FloatFormat
from lenticulum.certify.checker.json_reading import Unreadable, parse_json
from lenticulum.certify.checker.schema import SCHEMA
from lenticulum.certify.checker.schema_checking import check_schema

#: Strata in the order in which they are reported. The last two carry no maximum of an error.
STRATA = ("regular", "subnormal input", "subnormal result", "overflow", "special input")
WITHOUT_MAXIMUM = ("overflow", "special input")

#: How many wrong special values are listed.
LISTED = 16


class Maximum(NamedTuple):
    """The largest error of a stratum: at_least <= error <= at_most, and the input x and output y where it occurs."""

    at_most: Fraction
    at_least: Fraction
    x: int
    y: int


class Claim(NamedTuple):
    """A certificate that follows the schema."""

    statement: dict[str, Any]
    predicate: dict[str, Any]
    subject: str
    input_format: FloatFormat
    output_format: FloatFormat
    arguments: int

    @property
    def count(self) -> int:
        """The number of inputs in the domain."""
        return 2 ** (self.arguments * self.input_format.width)

    @property
    def within(self) -> Fraction | None:
        """The accepted error in ulp, where that replaces the default rule."""
        within = self.predicate["verdict"]["within"]
        return None if within is None else Fraction(within)

    def patterns(self, x: int) -> tuple[int, ...]:
        """Split an input of the enumeration into the patterns of its arguments."""
        width = self.input_format.width
        return (x,) if self.arguments == 1 else (x >> width, x & (2**width - 1))

    def maximum(self, stratum: str, metric: str) -> Maximum | None:
        """Return the claimed maximum of "ulp" or "K" in a stratum."""
        return read_maximum(self.predicate["strata"][stratum][metric])

    def maxima(self) -> Iterator[tuple[str, str | None, str, Maximum]]:
        """Yield (path, stratum or None, metric, maximum) for every claimed maximum."""
        for name in STRATA:
            for metric in ("ulp", "K"):
                found = self.maximum(name, metric)
                if found is not None:
                    yield f"strata.{name}.{metric}", name, metric, found
        for position, binade in enumerate(self.predicate.get("binades", ())):
            found = read_maximum(binade["ulp"])
            if found is not None:
                yield f"binades[{position}].ulp", None, "ulp", found


def parse(content: bytes) -> Claim:
    """Return the claim in the bytes of a certificate. Unreadable: it does not follow the published schema."""
    statement = parse_json(content)
    check_schema(statement, SCHEMA)
    try:
        # Half of a surrogate pair can be escaped in JSON, but is no text.
        canonical_bytes(statement)
    except UnicodeEncodeError:
        raise Unreadable("The certificate has half of a surrogate pair in a string.") from None
    predicate = statement["predicate"]
    source, result = (FloatFormat(**predicate["format"][side]) for side in ("input", "output"))
    return Claim(
        statement, predicate, statement["subject"][0]["name"], source, result, predicate["domain"]["arguments"]
    )


def canonical_bytes(value: Any) -> bytes:
    """Return the bytes of a JSON value: keys sorted, no white space, UTF-8 without escapes, one line.

    As RFC 8785 has it, except that integers are never written as doubles.
    """
    return (json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n").encode("utf-8")


def fixed_part(statement: dict[str, Any]) -> dict[str, Any]:
    """Return a statement without its free fields: when and at what cost it was made, facts of the host, bounds.

    A bound may be weakened, so it is not fixed; that it is not too strong is recomputed.
    """
    fixed = copy.deepcopy(statement)
    predicate = fixed["predicate"]
    for name in ("made", "cost", "integrity"):
        predicate.pop(name, None)
    predicate["environment"] = {name: predicate["environment"][name] for name in ("flushes", "versions")}
    for holder in (*predicate["strata"].values(), *predicate.get("binades", ())):
        for metric in ("ulp", "K"):
            if holder.get(metric) is not None:
                holder[metric].update(at_most=None, at_least=None)
    finding = predicate["verdict"]["finding"]
    if finding is not None and finding["k"] is not None:
        finding["k"] = "a lower bound"
    return fixed


def fixed_digest(statement: dict[str, Any]) -> str:
    """Return SHA-256 of the canonical bytes of the fixed part."""
    return hashlib.sha256(canonical_bytes(fixed_part(statement))).hexdigest()


def read_maximum(found: dict[str, str] | None) -> Maximum | None:
    """Read a claimed maximum."""
    if found is None:
        return None
    return Maximum(
        read_bound(found["at_most"]),
        read_bound(found["at_least"]),
        read_pattern(found["x"]),
        read_pattern(found["y"]),
    )


def read_bound(text: str) -> Fraction:
    """Return the value of a hexadecimal float, exactly, whatever its exponent.

    >>> read_bound("0x1.8000000000000p-1")
    Fraction(3, 4)
    """
    match = re.fullmatch(r"0x([01])\.([0-9a-f]+)p([+-]\d+)", text)
    assert match is not None
    return int(match[1] + match[2], 16) * Fraction(2) ** (int(match[3]) - 4 * len(match[2]))


def read_pattern(text: str) -> int:
    """Return a bit pattern."""
    return int(text, 16)


def write_pattern(pattern: int, width: int) -> str:
    """Write a bit pattern with all its digits.

    >>> write_pattern(60, 16)
    '0x003c'
    """
    return f"0x{pattern:0{width // 4}x}"
