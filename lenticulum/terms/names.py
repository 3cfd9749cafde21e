"""Names as numbers: the salt by which a key is derived from a path, the same in both interpreters."""

from hashlib import sha256


def salt(name: str) -> int:
    """Return the 32-bit number folded into a key for the part called `name`.

    The first four bytes, big-endian, of the SHA-256 of the name. So the key of a part depends on its path and not on
    its siblings: adding a layer does not change the draws of another.

    >>> salt("weight")
    138731407
    """
    return int.from_bytes(sha256(name.encode()).digest()[:4], "big")
