"""Data movement: JAX moves an array of positions, and the exact values follow.

So every mode of slicing, padding and gathering is JAX's own. A position below zero stands for a fill value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray
from lenticulum.programs.interpreter import bind
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.values import decided, lifted, plain, promoted

MOVES = (
    "reshape transpose broadcast_in_dim squeeze rev slice dynamic_slice dynamic_update_slice concatenate"
    " pad split tile stack unstack"
).split()


@rule(*MOVES)
def move(step: Step, *operands: Any) -> Any:
    """The elements of the operands at other places."""
    return moved(step, operands)


@rule(
    "copy", "layout_constraint", "name", "optimization_barrier", "device_put", "reshard", "sharding_constraint", "pvary"
)
def same(step: Step, *operands: Any) -> Any:
    """The operands as they are."""
    return list(operands) if step.equation.primitive.multiple_results else operands[0]


@rule("stop_gradient")
def stop_gradient(step: Step, x: Any) -> Any:
    """The operand, as a constant of every derivative."""
    return lifted(plain(x), x) if isinstance(x, ExactArray) else x


@rule("gather")
def gather(step: Step, operand: Any, indices: Any) -> Any:
    """The slices that an array of indices names; where it names none, the fill value: NaN unless one is given."""
    if not isinstance(operand, ExactArray):
        return bind(step.equation, [operand, decided(indices, step.name)])
    fill = step.parameters.get("fill_value")
    return moved(step, [operand, indices], fill=np.nan if fill is None else float(fill), fill_value=-1)


def moved(step: Step, operands: Any, fill: float = np.nan, **changed: Any) -> Any:
    """Return the exact results of an equation that only moves its floating-point operands."""
    floats = [each for each in operands if isinstance(each, ExactArray)]
    if not floats:
        return _moved_undecided(step, operands)
    offset, given = 0, []
    for each in operands:
        if isinstance(each, ExactArray):
            given.append(np.arange(offset, offset + each.size, dtype=np.int32).reshape(each.shape))
            offset += each.size
        else:
            given.append(decided(each, step.name))
    places = bind(step.equation, given, **changed)
    source = floats[0].join(floats[1:])
    if step.equation.primitive.multiple_results:
        return [source.take(each) for each in places]
    if (places < 0).any():
        nothing = step.interpreter.system.data(np.full((1,), fill, np.float64), step.dtype)
        source, nothing = promoted([source, nothing])
        source, places = source.join([nothing]), np.where(places < 0, offset, places)
    return source.take(places)


def _moved_undecided(step: Step, operands: Any) -> Any:
    """The elements of discrete operands, and beside them which of these are undecided."""
    moving = {"dynamic_slice": 1, "dynamic_update_slice": 2}.get(step.name, len(operands))
    where_to = [decided(each, step.name) for each in operands[moving:]]
    data = bind(step.equation, [*map(np.ma.getdata, operands[:moving]), *where_to])
    masks = bind(step.equation, [*map(np.ma.getmaskarray, operands[:moving]), *where_to])
    if step.equation.primitive.multiple_results:
        return [np.ma.array(each, mask=mask) for each, mask in zip(data, masks, strict=True)]
    return np.ma.array(data, mask=masks)
