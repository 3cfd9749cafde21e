"""Reading of untrusted files: size, depth and syntax are limited, and every failure is one sentence."""

from __future__ import annotations

import json
import lzma
import math
import os
import re
import stat
from typing import Any

#: A certificate holds counts and witnesses; its outputs lie in a sidecar.
LARGEST_CERTIFICATE = 16 * 2**20
DEEPEST = 32
LONGEST_INTEGER = 40
#: What the decompressor of a sidecar may allocate, beside the output itself. Presets 0 to 6 of xz need 9 MiB.
DECOMPRESSOR_MEMORY = 32 * 2**20


class Unreadable(Exception):
    """The file is no certificate, or no sidecar: one sentence says why."""


def read_bytes(path: str, limit: int) -> bytes:
    """Return the content of a regular file of at most `limit` bytes."""
    try:
        # Without O_NONBLOCK the opening of a named pipe would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path!r} cannot be opened: {getattr(error, 'strerror', None) or error}.") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable(f"{path!r} is not a regular file.")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise Unreadable(f"{path!r} cannot be read: {error.strerror}.") from None
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise Unreadable(f"{path!r} is longer than the {limit} bytes that are read.")
    return content


def parse_json(content: bytes) -> Any:
    """Return the value of a JSON text: UTF-8 without byte order mark, no key twice, finite numbers, limited depth."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"The certificate is not UTF-8 text: byte {error.start} is wrong.") from None
    if text.startswith("\ufeff"):
        raise Unreadable("The certificate begins with a byte order mark, which JSON does not allow.")
    if _depth(text) > DEEPEST:
        raise Unreadable(f"The certificate is nested more than {DEEPEST} levels deep.")
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"The certificate is not JSON: {error.msg} at line {error.lineno}.") from None


def decompress(content: bytes, size: int, name: str) -> bytes:
    """Return the content of an xz file that must decompress to exactly `size` bytes; no more than that is expanded."""
    try:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=DECOMPRESSOR_MEMORY)
        data = decompressor.decompress(content, max_length=size + 1)
        if len(data) == size and not decompressor.eof:
            # The end mark and the checksum follow the last byte of the data.
            data += decompressor.decompress(b"", max_length=1)
    except (lzma.LZMAError, EOFError) as error:
        raise Unreadable(f"The sidecar {name} is not an intact xz file: {error}.") from None
    if len(data) > size:
        raise Unreadable(f"The sidecar {name} holds more than the {size} bytes of the claim.")
    if not decompressor.eof:
        raise Unreadable(f"The sidecar {name} ends too early.")
    if len(data) < size:
        raise Unreadable(f"The sidecar {name} holds {len(data)} bytes instead of the {size} of the claim.")
    if decompressor.unused_data:
        raise Unreadable(f"The sidecar {name} goes on after its end.")
    return data


def _depth(text: str) -> int:
    """Return how deep brackets are nested outside strings."""
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.DOTALL)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"The certificate has the key {twice[:64]!r} twice in one object.")
    return found


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_INTEGER:
        raise Unreadable(f"The certificate has an integer of more than {LONGEST_INTEGER} digits.")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Unreadable(f"The certificate has a number beyond the range of a double: {digits[:64]}.")
    return value


def _constant(name: str) -> float:
    raise Unreadable(f"The certificate has {name}, which JSON does not allow.")
