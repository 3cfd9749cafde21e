"""Keys by path: the key of a part is derived from the names on the way to it, never from its siblings."""

import functools

import jax
from jax import lax
from jaxtyping import Array, PRNGKeyArray, UInt32

from lenticulum.terms.names import salt
from lenticulum.terms.tree import Path

#: A typed key, or the raw words of one, as jax.random takes either.
Key = PRNGKeyArray | UInt32[Array, "words"]

#: The number of a call: known, or traced inside a loop.
Number = int | UInt32[Array, ""]


class MissingKey(TypeError):
    """A part that draws got no key: raised where the draw is, completed with the path where that is known."""


def key_at(key: Key, path: Path) -> Key:
    """Return the key of the part at a path.

    key_at(k, (a, b)) = fold_in(fold_in(k, salt(a)), salt(b)).

    >>> key = jax.random.key(0)
    >>> bool(key_at(key, ()) == key)
    True
    """
    return functools.reduce(lambda parent, name: jax.random.fold_in(parent, salt(name)), path, key)


def call_key(key: Key, number: Number) -> Key:
    """Return the key of the call of a part with this number, counted from 0; the first call draws as the part does.

    call_key(k, 0) = k and call_key(k, n) = fold_in(k, n): also where n is traced.

    >>> key = jax.random.key(0)
    >>> bool(call_key(key, 0) == key), bool(call_key(key, jax.numpy.uint32(2)) == jax.random.fold_in(key, 2))
    (True, True)
    """
    if isinstance(number, int):
        return key if number == 0 else jax.random.fold_in(key, number)
    return lax.select(number == 0, key, jax.random.fold_in(key, number))
