"""The digest of a description: a name for its identity that holds in every process, for what is written to files."""

import hashlib
from typing import Any, cast

from lenticulum.terms.key import key


def digest(value: object) -> str:
    """Return the SHA-256 of a plain value's key, as 64 hexadecimal digits.

    Equal keys have equal digests in every process and on every machine; a class counts by its module and name. A digest
    names a value in a file; it is never used as a key.

    Raises:
        TypeError: for a value that is no plain data.

    >>> digest(1) == digest(True), digest((1, 2.5)) == digest((1, 2.5))
    (False, True)
    >>> digest(1) == hashlib.sha256(b"tuple 2(str 3:int,int 1:1)").hexdigest()
    True
    """
    return hashlib.sha256(canonical_text(key(value)).encode()).hexdigest()


def canonical_text(part: object) -> str:
    """Return the text of a part of a key: its kind, and its content with a length, so that no two parts share a text.

    >>> canonical_text(("int", 1)), canonical_text(())
    ('tuple 2(str 3:int,int 1:1)', 'tuple 0()')
    """
    if isinstance(part, tuple):
        texts = [canonical_text(each) for each in cast("tuple[object, ...]", part)]
        return f"tuple {len(texts)}({','.join(texts)})"
    if isinstance(part, frozenset):
        texts = sorted(canonical_text(each) for each in cast("frozenset[object]", part))
        return f"frozenset {len(texts)}({','.join(texts)})"
    kind, content = _named(part)
    return f"{kind} {len(content)}:{content}"


def _named(part: Any) -> tuple[str, str]:
    if isinstance(part, type):
        return "class", f"{part.__module__}:{part.__qualname__}"
    if isinstance(part, bytes):
        return "bytes", part.hex()
    return type(part).__name__, str(part)
