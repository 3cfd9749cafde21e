"""Reverse derivative ascent: learning the parameters of a Boolean circuit (Wilson and Zanasi, arXiv:2101.10488)."""

from __future__ import annotations

from collections.abc import Iterable

from lenticulum.spec.boolean.circuit import Circuit
from lenticulum.spec.boolean.table import Bits


def ascent_step(circuit: Circuit, parameters: Bits, x: Bits, y: Bits) -> Bits:
    """One step for f(p, x), the parameters first: dy = y + f(p, x); (p', _) = R[f](p, x, dy); p + p', modulo 2.

    The loss e(bt, bp) = bt + bp, the identity as the cap, and XOR as the update (arXiv:2103.01931, equation 4.4).

    >>> from lenticulum.spec.boolean.circuit import AND
    >>> ascent_step(AND, (0,), (1,), (1,)), ascent_step(AND, (1,), (1,), (1,))
    ((1,), (1,))
    """
    if len(parameters) + len(x) != circuit.source or len(y) != circuit.target:
        raise ValueError(
            f"got {len(parameters)} parameters, {len(x)} inputs and {len(y)} outputs; expected {circuit.source} wires "
            f"in and {circuit.target} out"
        )
    error = tuple((a + b) % 2 for a, b in zip(y, circuit((*parameters, *x)), strict=True))
    change = circuit.reverse((*parameters, *x), error)[: len(parameters)]
    return tuple((p + d) % 2 for p, d in zip(parameters, change, strict=True))


def ascend(circuit: Circuit, parameters: Bits, examples: Iterable[tuple[Bits, Bits]]) -> Bits:
    """A step for each example in turn."""
    for x, y in examples:
        parameters = ascent_step(circuit, parameters, x, y)
    return parameters
