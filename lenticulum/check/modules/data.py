"""Data that a module accepts: given shapes, or the first that it takes of those built from its own sizes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.draw import SeededDraw
from lenticulum.check.errors import CallError
from lenticulum.check.modules.pure_module import PureModule, shifted
from lenticulum.check.rows import reals
from lenticulum.check.target import one_line

Shape = tuple[int, ...]

#: Sizes of axes that a module does not fix: all different, none usual as a number of features.
BATCHES, POSITIONS = (5, 6, 7, 9, 11, 13), (7, 6, 5)

#: So many combinations of shapes are tried.
MOST = 400


def module_data(pure: PureModule, name: str, shapes: Mapping[str, Shape], seed: int) -> tuple[Any, ...]:
    """Return arrays of the given shapes, or of the first that the module accepts: floats, then whole numbers.

    Raises: CallError if it accepts none.
    """
    unknown = [each for each in shapes if each not in pure.names]
    if unknown:
        raise CallError(f"{name} has no data argument {unknown[0]!r}; it has {', '.join(pure.names)}")
    error: Exception | None = None
    for types in itertools.islice(_types(pure, shapes), MOST):
        found = pure.accepts(types)
        if found is None:
            return drawn(types, pure.sizes(), seed)
        error = error or found
    tried = "the given shapes" if set(shapes) == set(pure.names) else "any shapes built from its sizes"
    raise CallError(
        f"{name} accepts no data of {tried} ({one_line(error) if error else 'nothing to try'})\n"
        "give the shapes of its data with --args, such as --args 'f32[8,16]'"
    )


def drawn(types: Sequence[Any], sizes: Sequence[int], seed: int) -> tuple[Any, ...]:
    """Return data of some types: floats of both signs, and indices below every size of the module."""
    draw = SeededDraw(seed)
    top = min(sizes, default=2) - 1

    def one(like: Any) -> Any:
        if jnp.issubdtype(like.dtype, jnp.integer):
            numbers = [draw.integer(0, top) for _ in range(int(np.prod(like.shape)))]
            return jnp.asarray(np.array(numbers, np.int32).reshape(like.shape))
        return jnp.asarray(reals(draw, like.shape, 2.0), like.dtype)

    return jax.tree.map(one, tuple(types))


def other(data: Sequence[Any]) -> tuple[Any, ...]:
    """Return other data of the same types."""
    return shifted(data, 3)


def _types(pure: PureModule, shapes: Mapping[str, Shape]) -> Iterator[tuple[Any, ...]]:
    """Give types of data: the same shape for all arguments first, then every combination."""
    for dtype in (jnp.float32, jnp.int32):
        candidates = _candidates(pure)
        choices = [[_typed(shapes[name], dtype)] if name in shapes else [] for name in pure.names]
        for shape in candidates:
            yield tuple(fixed[0] if fixed else _typed(shape, dtype) for fixed in choices)
        if len(pure.names) > 1 and dtype == jnp.float32:
            free = [_typed(shape, dtype) for shape in candidates if len(shape) <= 2]
            # A carry of two arrays, as cells of long short-term memory have.
            free += [(each, each) for each in free if len(each.shape) <= 2]
            yield from itertools.product(*(fixed or free for fixed in choices))


def _candidates(pure: PureModule) -> list[Shape]:
    """Return shapes with a size of the module first or last, of few axes first; then any."""
    sizes = pure.sizes()
    batch = next((each for each in BATCHES if each not in sizes), BATCHES[0])
    whole = [tuple(each) for each in pure.fields().values() if _is_shape(each)]
    first = [(d, *POSITIONS[:n]) for n in range(4) for d in sizes]
    last = [(batch, *POSITIONS[:n], d) for n in range(4) for d in sizes]
    free = [(batch, 7), (7,), (), (batch, 7, 6), (batch, 7, 6, 3)]
    by_batch = [(batch, *shape) for shape in first]
    ordered = {
        "example": [*whole, *first, *((batch, d) for d in sizes), *free],
        "mapped": [*by_batch, (batch, 7)],
        "batch": [*last, *((d,) for d in sizes), *free],
    }
    return list(dict.fromkeys(ordered[pure.convention]))


def _typed(shape: Shape, dtype: Any) -> Any:
    return jax.ShapeDtypeStruct(shape, dtype)


def _is_shape(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and all(type(each) is int and each > 0 for each in value)
