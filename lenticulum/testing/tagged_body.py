"""Tagged bodies: what is handed to `jax.jit` in the place of a function, so that a result says which trace made it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

import jax
import jax.core

from lenticulum.testing.audit import Audit, Trace
from lenticulum.testing.fingerprint import Observation


class Tagged:
    """A result with the trace that made it. jax keeps a structure with a program and never compares it."""

    __slots__ = ("trace", "value")

    def __init__(self, value: Any, trace: Any) -> None:
        self.value, self.trace = value, trace


class Tag:
    """The place of a trace in a structure; all are equal, so that the structure is what it is without them."""

    __slots__ = ("trace",)

    def __init__(self, trace: Any) -> None:
        self.trace = trace

    def __eq__(self, other: object) -> bool:
        return type(other) is Tag

    def __hash__(self) -> int:
        return 0


jax.tree_util.register_pytree_node(
    Tagged, lambda tagged: ((tagged.value,), Tag(tagged.trace)), lambda tag, children: Tagged(children[0], tag.trace)
)


class Local(threading.local):
    """What a call hands to the trace that it may cause."""

    observation: Observation | None = None
    examining: bool = False


LOCAL = Local()


class Body:
    """What is handed to `jax.jit` for a function: one for each function, so that it has one cache, as without audit."""

    def __init__(self, function: Callable[..., Any], audit: Audit) -> None:
        self.function, self.audit = function, audit
        self.name = getattr(function, "__qualname__", type(function).__qualname__)
        self.same: set[tuple[Any, Observation, Observation]] = set()
        self.run = self.fresh()

    def fresh(self) -> Callable[..., Any]:
        """Return a new function object that traces the function: for jax, another function."""

        def traced(*args: Any, **kwargs: Any) -> Tagged:
            assert LOCAL.observation is not None
            leaves = jax.tree.leaves((args, kwargs))
            types = tuple(jax.typeof(leaf) for leaf in leaves if isinstance(leaf, jax.core.Tracer))
            trace = Trace(LOCAL.observation, types, {LOCAL.observation})
            if not LOCAL.examining:
                self.audit.count(self.name, trace)
            return Tagged(self.function(*args, **kwargs), trace)

        functools.update_wrapper(traced, self.function, updated=())
        return traced
