"""Agreement: the fast interpreter held to the exact one, value by value, within the running error bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun

from lenticulum import fast, spec
from lenticulum.check.random_cases import Case
from lenticulum.check.random_data import Arrays
from lenticulum.numbers import Magnitude, Rational, Undecided, ball, decide, magnitude, rational
from lenticulum.numbers.formats import BINARY32
from lenticulum.programs.op_by_op import OpByOp
from lenticulum.terms import DeepDreamStep, SupervisedStep, Tree, map_leaves

#: Values by name: "y", "state.running_mean", "x'", ...
Values = dict[str, Any]

#: What stays undecided at this precision is an equality of values that are not exactly representable.
PRECISION_CAP = 256


def get(interpreter: ModuleType, case: Case) -> Values:
    """The value of the term and the state after it; for a step nothing, because its value is in its put."""
    if isinstance(case.term, SupervisedStep | DeepDreamStep):
        return {}
    y, state = interpreter.apply(case.term, case.x, point(interpreter, case), case.state, case.mode, case.key)
    return dict([*named("y", y), *named("state", state)])


def put(interpreter: ModuleType, case: Case) -> Values:
    """The cotangents of parameters and input; with an update, or for a step, the state and what it moved after it."""
    if isinstance(case.term, SupervisedStep):
        data, label = case.x
        step = interpreter.train_step(case.term, data, label, case.parameters, case.state, case.key)
        return dict([*named("loss", step.loss), *named("parameters", step.parameters), *named("state", step.state)])
    if isinstance(case.term, DeepDreamStep):
        data, label = case.x
        dream = interpreter.dream_step(case.term, data, label, case.parameters, case.state, case.mode, case.key)
        return dict([*named("loss", dream.loss), *named("data", dream.data), *named("state", dream.state)])
    arguments = case.term, case.x, point(interpreter, case), case.state, case.mode, case.key, case.cotangent
    parameters, x = interpreter.put(*arguments)
    values = dict([*named("parameters'", parameters), *named("x'", x)])
    if case.update is not None:
        after, moved = interpreter.update_next(case.update, case.update_state, case.parameters, parameters)
        values |= dict([*named("update", after), *named("parameters", moved)])
    return values


def point(interpreter: ModuleType, case: Case) -> Tree:
    """Where the model is evaluated: the parameters, or the look-ahead of the update."""
    if case.update is None:
        return case.parameters
    return interpreter.update_point(case.update, case.update_state, case.parameters)


def named(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every array in a tree or in nested pairs, with its path."""
    if isinstance(value, Tree):
        for each in value:
            yield from named(f"{name}.{each}", value[each])
    elif isinstance(value, tuple):
        for position, part in enumerate(value):
            yield from named(f"{name}[{position}]", part)
    else:
        yield name, value


def over(case: Case, convert: Callable[[np.ndarray], Any], integer: Callable[[np.ndarray], Any] = lambda n: n) -> Case:
    """The case with every float32 array converted, and every array of integers."""

    def leaf(array: np.ndarray) -> Any:
        return convert(array) if array.dtype == np.float32 else integer(array)

    return replace(
        case,
        x=mapped(leaf, case.x),
        parameters=map_leaves(leaf, case.parameters),
        state=map_leaves(leaf, case.state),
        cotangent=mapped(leaf, case.cotangent),
        update_state=map_leaves(leaf, case.update_state),
    )


def mapped(function: Callable[[np.ndarray], Any], arrays: Arrays) -> Arrays:
    """Nested pairs with a function applied to every array."""
    return tuple(mapped(function, part) for part in arrays) if isinstance(arrays, tuple) else function(arrays)


@dataclass(frozen=True)
class Traced:
    """A traced program with its arguments: what it computes is the get and the put of a case."""

    program: ClosedJaxpr
    arguments: list[Any]
    structure: Any

    def op_by_op(self) -> tuple[Values, Values]:
        """Every primitive is compiled and run by itself, those inside loops and the functions of jax.numpy too."""
        return jax.tree.unflatten(self.structure, OpByOp().closed(self.program, *self.arguments))

    def compiled(self) -> tuple[Values, Values]:
        """The whole program is compiled as one."""
        return jax.tree.unflatten(self.structure, jax.jit(jaxpr_as_fun(self.program))(*self.arguments))


@dataclass(frozen=True)
class Reference:
    """What the exact interpreter says of a case.

    `get`, `put`: the running bounds, which enclose every float that may be computed; `put` is None at a kink: where the
    bound straddles it, a computation may take either side. `exact_get`, `exact_put`: the values, or None if undecided.
    """

    get: Values
    put: Values | None
    exact_get: Values | None
    exact_put: Values | None

    @property
    def undecided(self) -> bool:
        """Whether an exact value is undecided."""
        return self.exact_get is None or self.exact_put is None

    def violations(self, values: Values, cotangents: Values) -> list[str]:
        """Every computed value outside its bound; at a kink the cotangents are not compared."""
        return violations(self.get, values) + ([] if self.put is None else violations(self.put, cotangents))

    def relative_bound(self) -> float:
        """The largest bound relative to the largest exact entry, of the whole get or the whole put, in units of u."""
        pairs = ((self.get, self.exact_get), (self.put, self.exact_put))
        known = [relative_bound(bounds, exact) for bounds, exact in pairs if bounds and exact]
        return max(known, default=float("inf"))


def reference(case: Case) -> Reference:
    """Evaluate a case exactly, and with running bounds."""
    exact, bounds = over(case, ball), over(case, magnitude)

    def undecided(compute: Callable[[], Values]) -> Values | None:
        try:
            return compute()
        except Undecided:
            return None

    return Reference(
        get=get(spec, bounds),
        put=undecided(lambda: put(spec, bounds)),
        exact_get=undecided(lambda: decide(lambda: get(spec, exact), cap=PRECISION_CAP)),
        exact_put=undecided(lambda: decide(lambda: put(spec, exact), cap=PRECISION_CAP)),
    )


def relative_bound(bounds: Values, exact: Values) -> float:
    """The largest distance of an end of a bound from the exact value, over the largest exact entry, in units of u."""
    distance, largest = Fraction(0), Fraction(0)
    for name, bound in bounds.items():
        if not isinstance(bound, Magnitude):
            continue
        if not bound.bounded().all():
            return float("inf")
        middle = exact[name].midpoint()
        above, below = elements(bound.upper() - middle), elements(middle - bound.lower())
        distance = max(distance, *above, *below)
        largest = max(largest, *map(abs, elements(middle)))
    if distance == 0:
        return 0.0
    return float(distance / largest / BINARY32.unit_roundoff) if largest else float("inf")


def elements(array: Rational) -> list[Fraction]:
    """The elements in row-major order."""
    return array.reshape(-1).tolist()


def violations(bounds: Values, computed: Values) -> list[str]:
    """Every computed value that lies outside its bound; integers have to be equal.

    An unbounded element claims nothing. Raises: ValueError where the two have not the same names and shapes.
    """
    if bounds.keys() != computed.keys():
        raise ValueError(f"expected the values {', '.join(bounds)}; got {', '.join(computed)}")
    found: list[str] = []
    for name, bound in bounds.items():
        floats = np.asarray(computed[name])
        if floats.shape != bound.shape:
            raise ValueError(f"{name}: expected the shape {bound.shape}, got {floats.shape}")
        if not isinstance(bound, Magnitude):
            found += [f"{name}: got {floats.tolist()}, expected {bound.tolist()}"] if (floats != bound).any() else []
            continue
        claimed = np.flatnonzero(bound.bounded())
        some = bound.take(claimed)
        found += outside(name, claimed, some.lower(), some.upper(), floats.ravel()[claimed])
    return found


def outside(name: str, positions: np.ndarray, lower: Rational, upper: Rational, floats: np.ndarray) -> list[str]:
    """The floats that are not in [lower, upper]; an infinity or NaN is in none."""
    finite = np.isfinite(floats)
    values = rational(np.where(finite, floats, np.float32(0)))
    inside = finite & (lower <= values) & (values <= upper)
    low, high = elements(lower), elements(upper)
    return [
        f"{name} at {positions[i]}: got {floats[i]!r}, outside [{float(low[i])!r}, {float(high[i])!r}]"
        for i in np.flatnonzero(~inside)
    ]


def traced(case: Case) -> Traced:
    """The fast interpreter's program for a case, traced once, to be run op by op or compiled."""
    floats = over(case, jnp.asarray, jnp.asarray)
    key = jax.random.wrap_key_data(jnp.array(case.key, jnp.uint32))

    def both(key, x, parameters, state, cotangent, update_state):
        arrays = dict(x=x, parameters=parameters, state=state, cotangent=cotangent, update_state=update_state)
        here = replace(floats, key=key, **arrays)
        return get(fast, here), put(fast, here)

    arguments = key, floats.x, floats.parameters, floats.state, floats.cotangent, floats.update_state
    program, shapes = jax.make_jaxpr(both, return_shape=True)(*arguments)
    return Traced(program, jax.tree.leaves(arguments), jax.tree.structure(shapes))
