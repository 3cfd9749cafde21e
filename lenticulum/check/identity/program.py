"""Programs warm and cold: what a cache serves after another object, and what the object itself means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.identity.carrier import Carrier, Eager
from lenticulum.check.identity.program_text import canonical


@dataclass(frozen=True)
class Proof:
    """Two results of one call: `served` after another object was called first, `truth` with every cache cleared.

    `traces`: how often the program was traced for both objects, None where it is not; `programs`: how many it
    should have been."""

    served: Any
    truth: Any
    traces: int | None
    programs: int | None


class Program:
    """A program `run(instance, *args)` behind a carrier. Every cold arm is a new function with all caches cleared:
    what it calls, such as the body of a scan, is cached by its own identity."""

    def __init__(self, run: Callable[..., Any], args: Sequence[Any], carrier: Carrier) -> None:
        self.run, self.carrier = run, carrier
        self.inputs = (tuple(args), tuple(jax.tree.map(other_input, args)))
        self.traces = 0

    def compiled(self) -> Callable[..., Any]:
        """Return a fresh compiled program that counts its traces."""
        run = self.run

        def counted(*arguments: Any) -> Any:
            self.traces += 1
            return run(*arguments)

        self.traces = 0
        return self.carrier.jit(counted)

    def cold(self, instance: Any) -> Any:
        """Return the canonical program of an object, traced with every cache cleared."""
        jax.clear_caches()
        return self.traced(instance)

    def traced(self, instance: Any) -> Any:
        """Return the canonical program of an object, traced with the caches as they are."""
        run, args = self.run, self.inputs[0]
        # The leaves of a pytree are traced, and it goes through its own flatten and unflatten, as under jit.
        arrays, build = _arguments(instance, self.carrier)
        return canonical(jax.make_jaxpr(lambda given, *rest: run(build(given), *rest))(arrays, *args))

    def truth(self, instance: Any, inputs: int) -> Any:
        """Return the result of an object on one of the two inputs, compiled with every cache cleared."""
        jax.clear_caches()
        return self.compiled()(instance, *self.inputs[inputs])

    def served(self, first: Any, others: Sequence[Callable[[], Any]]) -> list[tuple[list[Any], int]]:
        """Call `first`, then each of the others; return the results on both inputs, and the traces with `first`."""
        jax.clear_caches()
        compiled = self.compiled()
        compiled(first, *self.inputs[0])
        found: list[tuple[list[Any], int]] = []
        for other in others:
            before = self.traces
            instance = other()
            found.append(([compiled(instance, *args) for args in self.inputs], self.traces - before + 1))
        return found

    def traces_of(self, instances: Sequence[Any]) -> int:
        """Return how often the program is traced when it is called with one object after another."""
        jax.clear_caches()
        compiled = self.compiled()
        for instance in instances:
            # Traced, not run: the cache of traces decides, and nothing need be compiled for that.
            jax.eval_shape(lambda *given, o=instance: compiled(o, *given), *self.inputs[0])
        return self.traces

    def proof(self, first: Any, other: Any) -> Proof | None:
        """Return where the program of one object is served for another with other bits, if it is."""
        [(served, traces)] = self.served(first, [lambda: other])
        return self.compared(served, other, traces)

    def compared(self, served: Sequence[Any], other: Any, traces: int) -> Proof | None:
        """Compare what was served with the truth."""
        jax.clear_caches()
        compiled = self.compiled()
        for got, args in zip(served, self.inputs, strict=True):
            truth = compiled(other, *args)
            if bits(got) != bits(truth):
                return (
                    Proof(got, truth, None, None) if self.carrier.name == Eager.name else Proof(got, truth, traces, 2)
                )
        return None


def _arguments(instance: Any, carrier: Carrier) -> tuple[Any, Callable[[Any], Any]]:
    if carrier.name == "pytree argument":
        return instance, lambda given: given
    if carrier.name == "pytree with static leaves":
        leaves, treedef = jax.tree.flatten(instance)
        places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, jax.Array | np.ndarray | np.generic)]

        def build(given: Any) -> Any:
            filled = list(leaves)
            for place, leaf in zip(places, given, strict=True):
                filled[place] = leaf
            return jax.tree.unflatten(treedef, filled)

        return [leaves[place] for place in places], build
    return (), lambda given: instance


def other_input(leaf: Any) -> Any:
    """Return a second input of the same shape and dtype.

    >>> other_input(np.float32(10.0))
    np.float32(-4.75)
    """
    if not isinstance(leaf, jax.Array | np.ndarray | np.generic):
        return leaf
    if jnp.issubdtype(leaf.dtype, jax.dtypes.extended):
        return leaf
    # In NumPy: after every clearing of the caches jax would compile each of these operations again.
    array = np.asarray(leaf)
    if jnp.issubdtype(array.dtype, np.inexact):
        other = array * array.dtype.type(-0.5) + array.dtype.type(0.25)
    else:
        other = array ^ array.dtype.type(1) if array.dtype.kind in "iu" else array
    return jax.device_put(other) if isinstance(leaf, jax.Array) else other


def bits(result: Any) -> Any:
    """Return structure, dtypes, shapes and bytes of a result; one NaN is as good as another.

    >>> bits(np.float32(1)) == bits(np.float64(1)), bits(0.0) == bits(-0.0)
    (False, False)
    """
    leaves, treedef = jax.tree.flatten(result)
    return str(treedef), tuple(map(_bits, leaves))


def _bits(leaf: Any) -> Any:
    if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.extended):
        leaf = jax.random.key_data(leaf)
    try:
        array = np.array(leaf)
        array[array != array] = np.nan
    except (TypeError, ValueError, OverflowError):
        return repr(leaf)
    return array.dtype.name, array.shape, array.tobytes()
