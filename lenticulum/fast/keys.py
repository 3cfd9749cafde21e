"""Keys by path: the key of a part is derived from the names on the way to it, never from its siblings."""

import functools

import jax
from jaxtyping import Array, PRNGKeyArray, UInt32

from lenticulum.terms.names import salt
from lenticulum.terms.tree import Path

#: A typed key, or the raw words of one, as jax.random takes either.
Key = PRNGKeyArray | UInt32[Array, "words"]


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
