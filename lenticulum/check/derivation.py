"""One chain of derivatives of a function: as JAX derives it, custom rules included, and of its program, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum import numbers
from lenticulum.check.errors import CallError
from lenticulum.check.held import held, on_the_host
from lenticulum.check.target import one_line
from lenticulum.programs import Program, System, trace
from lenticulum.programs.values import lifted

MODES = ("fwd", "rev")

Function = Callable[..., tuple[Any, ...]]
Arrays = tuple[Any, ...]

#: What JAX raises of a function that asks for the values of its arguments.
NEEDS_VALUES = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


class Subject:
    """A function of the floating-point leaves of its arguments to those of its results, at one point.

    `function`, `points`: these; `program`: the function, traced; `results`: the types of its results.
    Raises: CallError for arguments and results that cannot be differentiated, or a function that JAX cannot trace.
    """

    def __init__(self, function: Callable[..., Any], arguments: Sequence[Any]) -> None:
        if not isinstance(arguments, tuple | list):
            raise CallError(f"arguments of type {type(arguments).__name__}: expected a tuple of them; for one, (x,)")
        given, self._structure = jax.tree.flatten(tuple(arguments))
        self._given = [_array(leaf) for leaf in given]
        self._places = [place for place, leaf in enumerate(self._given) if _is_float(leaf, "argument")]
        if not self._places:
            raise CallError("there is no floating-point argument to differentiate in")
        self._function = function
        self.points: Arrays = tuple(self._given[place] for place in self._places)
        try:
            self.program = trace(self.function, *self.points)
        except NEEDS_VALUES as error:
            expected = "expected a function that jax.jit accepts"
            raise CallError(f"the function cannot be traced: {one_line(error)}\n{expected}") from None
        self.results: Arrays = tuple(self.program.jaxpr.out_avals)

    def function(self, *floats: Any) -> Arrays:
        """Return the floating-point results at some floats; the other arguments are constants."""
        given = list(self._given)
        for place, array in zip(self._places, floats, strict=True):
            given[place] = array
        results = jax.tree.leaves(self._function(*jax.tree.unflatten(self._structure, given)))
        found = tuple(each for each in results if _is_float(each, "result"))
        if not found:
            raise CallError("there is no floating-point result to differentiate")
        return found


def _array(leaf: Any) -> Any:
    """Return an argument as JAX has it. Raises: CallError if it is no number, or JAX would wrap or overflow it."""
    try:
        given = leaf if isinstance(leaf, jax.Array) else on_the_host("an argument", leaf)
        if isinstance(given, np.ndarray | bool | int | float):
            kind = jax.dtypes.canonicalize_dtype(np.dtype(getattr(given, "dtype", type(given))))
            if not jnp.issubdtype(kind, jnp.complexfloating):
                held("an argument", given, kind)
        return jnp.asarray(leaf)
    except TypeError:
        raise CallError(f"an argument of type {type(leaf).__name__}: expected arrays, or trees of arrays") from None


def _is_float(leaf: Any, what: str) -> bool:
    dtype = jnp.result_type(leaf)
    if jnp.issubdtype(dtype, jnp.complexfloating):
        raise CallError(f"a complex {what}: derivatives are checked of real functions; pass and return real parts")
    return bool(jnp.issubdtype(dtype, jnp.floating))


class Derivation:
    """The derivative of a subject by a chain of modes, the first applied first, in drawn directions.

    `values`: the types of what the last mode gives beside the derivative; `results`: those of the derivative.
    """

    def __init__(self, subject: Subject, chain: Sequence[str], seed: int) -> None:
        self.subject = subject
        self.name = " of ".join(reversed(chain))
        generator = np.random.default_rng(seed)
        self._chain: list[tuple[str, Arrays]] = []
        self.values = self.results = subject.results
        for mode in chain:
            self.values, like = self.results, subject.points if mode == "fwd" else self.results
            self._chain.append((mode, tuple(_direction(generator, each) for each in like)))
            self.results = self.values if mode == "fwd" else subject.points

    def program(self) -> Program:
        """Return what JAX derives: a program that returns the values, then the derivative."""
        derived = self.subject.function
        for mode, directions in self._chain[:-1]:
            derived = _second(_fast(derived, mode, directions))
        both = _fast(derived, *self._chain[-1])
        return trace(lambda *x: sum(both(*x), ()), *self.subject.points)

    def exact(self, system: System) -> list[Any]:
        """Return the same of the program of the subject, in a number system."""

        def function(*arrays: Any) -> Arrays:
            return tuple(self.subject.program.read(system, *arrays))

        derived: Function = function
        chain = [(mode, [_data(system, each) for each in directions]) for mode, directions in self._chain]
        for mode, directions in chain[:-1]:
            derived = _second(_slow(derived, mode, directions))
        values, derivative = _slow(derived, *chain[-1])(*(_data(system, each) for each in self.subject.points))
        return [*values, *derivative]


def _direction(generator: np.random.Generator, like: Any) -> Any:
    """Return numbers of both signs between 1/2 and 2, with full significands: generic, and none hides another."""
    signs = generator.choice((-1.0, 1.0), like.shape)
    return jnp.asarray(signs * generator.uniform(0.5, 2.0, like.shape), like.dtype)


def _data(system: System, array: Any) -> Any:
    on_host = np.asarray(array)
    return system.data(on_host, on_host.dtype)


def _second(pair: Callable[..., tuple[Any, Any]]) -> Function:
    return lambda *x: pair(*x)[1]


def _fast(function: Function, mode: str, directions: Arrays) -> Callable[..., tuple[Arrays, Arrays]]:
    def reverse(*x: Any) -> tuple[Arrays, Arrays]:
        values, pull = jax.vjp(function, *x)
        return values, pull(directions)

    return reverse if mode == "rev" else lambda *x: jax.jvp(function, x, directions)


def _slow(function: Function, mode: str, directions: Sequence[Any]) -> Callable[..., tuple[Arrays, Arrays]]:
    """Return the same over exact arrays; directions are constants of the derivatives further out."""

    def forward(*x: Any) -> tuple[Arrays, Arrays]:
        return numbers.jvp(function, x, [lifted(each, like) for each, like in zip(directions, x, strict=True)])

    def reverse(*x: Any) -> tuple[Arrays, Arrays]:
        values, pull = numbers.vjp(function, *x)
        return values, tuple(pull(tuple(lifted(each, x[0]) for each in directions)))

    return forward if mode == "fwd" else reverse
