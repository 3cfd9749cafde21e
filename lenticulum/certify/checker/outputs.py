"""The outputs of a claim: the sidecar beside the certificate, held to its digest and to the root of the hash tree."""

from __future__ import annotations

import hashlib
import os
import sys
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from lenticulum.certify.checker.claim import Claim
from lenticulum.certify.checker.consistency import Difference, differs
from lenticulum.certify.checker.formats import FloatFormat
from lenticulum.certify.checker.json_reading import Unreadable, decompress, read_bytes
from lenticulum.certify.checker.merkle import leaf_hashes, root_hash

DIGEST_SIZE = 32
#: Outputs of two-argument claims on 8-bit formats and of one-argument claims on 16-bit formats take 128 KiB.
LARGEST_SIDECAR = 2**30


class Sidecars(NamedTuple):
    """The content of the sidecars that lie beside a certificate, and what is wrong with them.

    `outputs`: little-endian patterns in the order of the enumeration; `leaves`: the hashes of their leaves.
    """

    outputs: bytes | None
    leaves: list[bytes] | None
    differences: list[Difference]
    missing: list[str]


def read_sidecars(claim: Claim, folder: str) -> Sidecars:
    """Read the sidecars of a claim from the folder of its certificate, and recompute their digests and the root."""
    described = claim.predicate["outputs"]
    differences: list[Difference] = []
    missing: list[str] = []
    outputs, leaves = None, None
    if described is not None:
        size = claim.output_format.width // 8
        data = _content(described, "sidecar", folder, claim.count * size, differences, missing)
        if data is not None:
            outputs, leaves = data, leaf_hashes(data, described["leaf"] * size)
        data = _content(described, "leaf_hashes", folder, described["leaves"] * DIGEST_SIZE, differences, missing)
        if data is not None:
            listed = [data[start : start + DIGEST_SIZE] for start in range(0, len(data), DIGEST_SIZE)]
            if leaves is not None and listed != leaves:
                differences.append(Difference("outputs.leaf_hashes", "the listed hashes", "those of the outputs"))
            leaves = leaves or listed
        if leaves is not None:
            differences += differs("outputs.root", described["root"], root_hash(leaves).hex())
    return Sidecars(outputs, leaves, differences, missing)


def _content(
    described: dict[str, Any],
    name: str,
    folder: str,
    size: int,
    differences: list[Difference],
    missing: list[str],
) -> bytes | None:
    """Return the content of a sidecar, or None where there is none or its digest is another."""
    file = described[name]
    if file is None:
        return None
    path = os.path.join(folder, file)
    if not os.path.lexists(path):
        missing.append(file)
        return None
    if size > LARGEST_SIDECAR:
        raise Unreadable(f"The sidecar {file} is claimed to hold {size} bytes; at most {LARGEST_SIDECAR} are read.")
    # No compression makes its input longer than this: xz stores blocks that do not shrink.
    compressed = read_bytes(path, size + size // 1024 + 4096)
    wrong = list(differs(f"outputs.{name}_sha256", described[f"{name}_sha256"], hashlib.sha256(compressed).hexdigest()))
    differences += wrong
    return None if wrong else decompress(compressed, size, file)


def pattern_at(outputs: bytes, x: int, format: FloatFormat) -> int:
    """Return the output at an input of the enumeration."""
    size = format.width // 8
    return int.from_bytes(outputs[x * size : (x + 1) * size], "little")


def strange_nans(outputs: bytes, format: FloatFormat) -> Iterator[Difference]:
    """Yield the first NaN that is not stored as the canonical quiet NaN: its payload would be a hidden choice."""
    patterns = array({8: "B", 16: "H", 32: "L" if array("L").itemsize == 4 else "I", 64: "Q"}[format.width], outputs)
    if sys.byteorder == "big":
        patterns.byteswap()
    canonical = canonical_nan(format)
    magnitude, least = 2 ** (format.width - 1) - 1, smallest_nan(format)
    strange = {each for each in set(patterns) if each & magnitude >= least and each != canonical}
    for x, pattern in enumerate(patterns):
        if pattern in strange:
            yield Difference(f"output at input {x:#x}", f"{pattern:#x}", f"the canonical NaN {canonical:#x}")
            return


def canonical_nan(format: FloatFormat) -> int:
    """Return the NaN with sign 0 and the top bit of the significand set; without infinities there is only one NaN."""
    if format.overflow != "infinity":
        return 2 ** (format.width - 1) - 1
    return 2 ** (format.width - 1) - 2 ** (format.precision - 2)


def smallest_nan(format: FloatFormat) -> int:
    """Return the smallest pattern of sign 0 that is a NaN; all above it are."""
    if format.overflow != "infinity":
        return canonical_nan(format)
    return 2 ** (format.width - 1) - 2 ** (format.precision - 1) + 1


def is_nan(pattern: int, format: FloatFormat) -> bool:
    """Whether a pattern is a NaN."""
    return pattern & (2 ** (format.width - 1) - 1) >= smallest_nan(format)
