"""The hash tree over the outputs of a kernel, leaf by leaf (the construction of RFC 6962 but for the shape)."""

from __future__ import annotations

import hashlib


def leaf_hash(data: bytes) -> bytes:
    """SHA-256(0x00 data). The prefix keeps a leaf from being taken for a node."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 left right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf_hashes(data: bytes, leaf_size: int) -> list[bytes]:
    """Return the hashes of the leaves of `leaf_size` bytes; the last one may be shorter."""
    return [leaf_hash(data[start : start + leaf_size]) for start in range(0, len(data), leaf_size)]


def root_hash(leaves: list[bytes]) -> bytes:
    """Return the root: neighbours are joined level by level, and an odd last node is promoted as it is.

    >>> root_hash([leaf_hash(b"a"), leaf_hash(b"b"), leaf_hash(b"c")]) == node_hash(
    ...     node_hash(leaf_hash(b"a"), leaf_hash(b"b")), leaf_hash(b"c"))
    True
    """
    if not leaves:
        raise ValueError("a tree has at least one leaf")
    while len(leaves) > 1:
        odd = leaves[-1:] if len(leaves) % 2 else []
        leaves = [node_hash(*leaves[i : i + 2]) for i in range(0, len(leaves) - 1, 2)] + odd
    return leaves[0]
