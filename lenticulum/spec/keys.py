"""Keys, exactly: threefry-2x32 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3") as plain integers.

JAX's default keys are pairs of 32-bit words under this block cipher; written here from the paper's definition, so that
the draws of the fast interpreter are checked against a second formulation.
"""

from lenticulum.terms.names import salt

Key = tuple[int, int]

_MASK = 0xFFFFFFFF
_PARITY = 0x1BD11BDA
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def threefry(key: Key, counter: Key) -> Key:
    """Encrypt two 32-bit words under a key: 20 rounds, the key injected after every four.

    The published test vector for an all-zero key and counter:

    >>> tuple(hex(word) for word in threefry((0, 0), (0, 0)))
    ('0x6b200159', '0x99ba4efe')
    """
    schedule = (key[0], key[1], key[0] ^ key[1] ^ _PARITY)
    x, y = (counter[0] + schedule[0]) & _MASK, (counter[1] + schedule[1]) & _MASK
    for block in range(5):
        for rotation in _ROTATIONS[block % 2]:
            x = (x + y) & _MASK
            y = x ^ (((y << rotation) | (y >> (32 - rotation))) & _MASK)
        x = (x + schedule[(block + 1) % 3]) & _MASK
        y = (y + schedule[(block + 2) % 3] + block + 1) & _MASK
    return x, y


def fold_in(key: Key, number: int) -> Key:
    """Return the key derived from a key and a 32-bit number."""
    return threefry(key, (0, number & _MASK))


def part_key(key: Key | None, name: str) -> Key | None:
    """Return the key of the part called `name`: it depends on the path and not on the siblings."""
    return None if key is None else fold_in(key, salt(name))


def call_key(key: Key | None, number: int) -> Key | None:
    """Return the key of the call of a part with this number, counted from 0; the first call draws as the part does."""
    return key if key is None or number == 0 else fold_in(key, number)


def random_bits(key: Key, position: int) -> int:
    """Return the 32 random bits at a row-major position: both halves of the block at that counter, exclusive or."""
    first, second = threefry(key, (position >> 32, position & _MASK))
    return first ^ second
