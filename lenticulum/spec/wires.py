"""The put of a container, exactly: derived from its equation alone.

The calls of the parts are recorded with the wires that go in and out; the cotangents then flow through the puts of the
calls, the last call first, and what flows into one wire from several calls is added, as the put of Copy adds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lenticulum.numbers import ExactArray, zeros_like
from lenticulum.spec.data import Data, in_any_order
from lenticulum.spec.keys import Key, call_key
from lenticulum.spec.parts import Apply, Copied, Map, Wires, bound, equation
from lenticulum.terms import Mode, Tree, map_leaves
from lenticulum.terms.container import Container, placed

#: (term, x, parameters, state, mode, key, cotangent) -> (parameters', x')
Put = Callable[..., tuple[Tree, Any]]


def put_container(
    of: Apply,
    back: Put,
    term: Container,
    x: Data,
    parameters: Tree,
    state: Tree,
    mode: Mode,
    key: Key | None,
    cotangent: Data,
) -> tuple[Tree, Data]:
    """Return (parameters', x'): the puts of the recorded calls, composed; `back` is the put of a part."""
    calls: list[Call] = []

    def as_map(copy: Copied) -> Map:
        return lambda wires: recorded(calls, of, copy, wires, mode)

    parts = bound(term, parameters, state, key)
    source = wired(x)
    flow = Flow()
    flow.add(equation(term, source, parts, as_map), cotangent)
    pulled: dict[int, Tree] = {}
    for call in reversed(calls):
        arguments = call.copy.term, call.x, call.copy.parameters, call.state, mode, call.key
        of_parameters, of_x = back(*arguments, flow.into(call.target))
        before = pulled.get(id(call.copy))
        pulled[id(call.copy)] = of_parameters if before is None else map_leaves(in_any_order, before, of_parameters)
        flow.add(call.source, of_x)
    for each in parts:
        if each.part.listed:
            trees = [pulled.get(id(copy), map_leaves(zeros_like, copy.parameters)) for copy in each.copies]
            parameters = placed(parameters, each.part.path, each.gathered(trees))
    return parameters, flow.into(source)


@dataclass(eq=False)
class Wire:
    """One array on its way from call to call; its identity says where it came from."""

    value: ExactArray


@dataclass
class Call:
    """One call of a part: the wires in and out, and everything that determines its put."""

    copy: Copied
    x: Data
    state: Tree
    key: Key | None
    source: Wires
    target: Wires


def recorded(calls: list[Call], of: Apply, copy: Copied, source: Wires, mode: Mode) -> Wires:
    """Call a part, and note the call."""
    x = values(source)
    state, key = copy.state, call_key(copy.key, copy.calls)
    target = wired(copy.called(of, x, mode))
    calls.append(Call(copy, x, state, key, source, target))
    return target


def wired(x: Data) -> Wires:
    """Return data as new wires."""
    return tuple(map(wired, x)) if isinstance(x, tuple) else Wire(x)


def values(wires: Wires) -> Data:
    """Return the data on wires."""
    return tuple(map(values, wires)) if isinstance(wires, tuple) else wires.value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


@dataclass
class Flow:
    """The cotangents that have flowed into each wire, added."""

    arrived: dict[Wire, ExactArray] = field(default_factory=dict[Wire, ExactArray])

    def add(self, wires: Wires, cotangent: Data) -> None:
        """Let a cotangent flow into wires."""
        if isinstance(wires, Wire):
            assert isinstance(cotangent, ExactArray)
            before = self.arrived.get(wires)
            self.arrived[wires] = cotangent if before is None else in_any_order(before, cotangent)
            return
        for wire, part in zip(wires, cotangent, strict=True):
            self.add(wire, part)

    def into(self, wires: Wires) -> Data:
        """Return what has flowed into wires, 0 where nothing has."""
        if isinstance(wires, Wire):
            arrived = self.arrived.get(wires)
            return zeros_like(wires.value) if arrived is None else arrived
        return tuple(map(self.into, wires))
