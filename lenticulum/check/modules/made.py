"""Which modules can be taken as pure functions, and how one is made."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from lenticulum.check.errors import CallError
from lenticulum.check.modules.nnx_module import nnx_module
from lenticulum.check.modules.pair_module import is_pair, pair_module
from lenticulum.check.modules.pure_module import PureModule, data_names, takes
from lenticulum.check.modules.tree_module import is_tree, tree_module
from lenticulum.check.subjects.flax_module import is_linen, is_nnx
from lenticulum.check.target import one_line, source_of


def is_module(subject: Any) -> bool:
    """Return whether a subject is a module that can be taken as a pure function."""
    return is_nnx(subject) or is_linen(subject) or is_tree(subject) or is_pair(subject)


def constructs(subject: Any) -> bool:
    """Return whether a subject makes modules: a class, or a pair, whose init does."""
    return inspect.isclass(subject) or is_pair(subject) and not is_nnx(subject)


def takes_key(subject: Any) -> bool:
    """Return whether what makes a module takes a key: the constructor of a class, or the init of a pair."""
    if not inspect.isclass(subject) or is_linen(subject):
        return True
    return takes(subject, "key") or takes(subject, "rngs")


def data_of(subject: Any) -> list[str]:
    """Return the names of the data arguments of a module that may not be made yet."""
    if inspect.isclass(subject):
        return list(data_names(subject.__call__))
    return list(pure_module(subject).names)


def pure_module(
    subject: Any,
    *,
    make: Mapping[str, Any] | None = None,
    bind: Mapping[str, Any] | None = None,
    seed: int = 0,
    data: Sequence[Any] | None = None,
    name: str | None = None,
) -> PureModule:
    """Return a module as a pure function y, state' = f(data; parameters, state, mode, key).

    Arguments: `subject`: a class or an instance of Equinox, flax.nnx or flax.linen, a model of Equinox with its State,
    a callable pytree such as `jax.tree_util.Partial`, an object with init and apply, or a tuple of these two. `make`:
    constructor arguments of a class; a key or rngs come from the seed. `bind`: fixed arguments of the call. `data`: for
    a module that is initialised by its data, these.
    Raises: CallError if it is no such module or cannot be constructed.

    >>> import equinox as eqx, jax.numpy as jnp
    >>> dropout = pure_module(eqx.nn.Dropout, make={"p": 0.5})
    >>> dropout.modes, dropout.apply({}, {}, (jnp.ones(2),), "eval", None)[0].tolist()
    (('train', 'eval'), [1.0, 1.0])
    """
    make, bind, name = dict(make or {}), dict(bind or {}), name or source_of(subject).name
    if make and not inspect.isclass(subject):
        raise CallError(f"{name} is an instance: --make constructs a class")
    if not is_module(subject):
        raise CallError(f"{name} is no module of Equinox or Flax, no callable pytree, and has no init and apply")
    try:
        if is_nnx(subject):
            found: PureModule = nnx_module(subject, make, bind, seed)
        elif is_tree(subject):
            found = tree_module(subject, name, make, bind, seed)
        else:
            found = pair_module(subject, make, bind, seed)
        return found if data is None else found.fitted(data)
    except CallError:
        raise
    except Exception as error:  # a constructor is anyone's code
        hint = "" if make or not inspect.isclass(subject) else "; give its arguments with --make '{\"name\": value}'"
        raise CallError(f"constructing {name} failed: {one_line(error)}{hint}") from None
