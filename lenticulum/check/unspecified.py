"""Laws that need no definition: exact meaning, derivatives, compiling, purity, shape dependence, cache identity."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.comparisons import BY_ROW, COMPILED, MAPPED, Comparison, depends_by_row, differs, leaves
from lenticulum.check.draw import SeededDraw
from lenticulum.check.errors import CallError
from lenticulum.check.finding import Finding
from lenticulum.check.identity.subject import identity_of_subject
from lenticulum.check.program_laws import Outcome, exact_meaning, own_derivatives
from lenticulum.check.result import CheckResult
from lenticulum.check.rows import reals, rows
from lenticulum.check.subjects.frameworks import framework_of
from lenticulum.check.target import Source, one_line
from lenticulum.check.witness import Witness, positional_call

Arrays = tuple[np.ndarray, ...]


def check_laws(
    subject: Any, source: Source, seed: int, bind: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]], dtype: str
) -> CheckResult:
    """Return what the laws say: it conforms if each of them ran and held, and is not covered if one could not run."""
    if not callable(subject):
        raise CallError(f"{source.name} is a {type(subject).__name__}, which cannot be called")
    if inspect.isclass(subject) or framework_of(subject) is not None:
        kind = "a class" if inspect.isclass(subject) else "a module of torch or Keras"
        raise CallError(
            f"{source.name} is {kind}: without --spec the laws are those of functions of JAX arrays, "
            "of modules of Equinox and Flax, and of pairs of init and apply"
        )
    if dtype != "float32":
        raise CallError(f"without --spec the laws are checked in float32 and float64, not in {dtype}")
    run = _Laws(subject, source, seed, bind, shapes)
    laws = (run.purity, run.meaning, run.compilation, run.shape_dependence, run.derivatives, run.identity)
    for law in laws:
        found = law()
        if found is not None:
            return run.result("differs", *found)
    return run.result("not covered" if run.missing else "conforms", None, None)


class _Laws:
    def __init__(
        self, subject: Any, source: Source, seed: int, bind: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]
    ) -> None:
        self.subject, self.source, self.seed, self.bind = subject, source, seed, dict(bind)
        self.notes: list[str] = []
        self.missing: list[str] = []
        self.names = required_names(subject, source, bind)
        self.arrays = self._arrays(shapes)

    def _arrays(self, shapes: Mapping[str, tuple[int, ...]]) -> Arrays:
        """Return arguments of the given shapes, or of the first shapes of the palette that the subject accepts."""
        draw = SeededDraw(self.seed)
        unknown = [name for name in shapes if name not in self.names]
        if unknown:
            raise CallError(f"{self.source.name} has no array argument {unknown[0]!r}; it has {', '.join(self.names)}")
        errors: list[str] = []
        for palette in ((4, 3), (3,), (), (3, 3)):
            wanted = [tuple(shapes.get(name, palette)) for name in self.names]
            arrays = tuple(_mixed(draw, shape).astype(np.float32) for shape in wanted)
            try:
                jax.block_until_ready(self.subject(*map(jnp.asarray, arrays), **self.bind))
                return arrays
            except Exception as error:
                errors.append(one_line(error))
        raise CallError(
            f"{self.source.name} accepts no JAX arrays of the shapes of the palette ({errors[0]})\n"
            "give the shapes of its arguments with --args, such as --args 'f32[8,16]', or what it is with --spec"
        )

    def call(self, *arrays: Any) -> Any:
        """Call the subject with its bound arguments."""
        return self.subject(*arrays, **self.bind)

    def run(self, function: Callable[..., Any], *arrays: np.ndarray) -> list[np.ndarray]:
        """Return the leaves of a result, on the host."""
        return leaves(function, *arrays)

    def purity(self) -> Any:
        """Arguments are unchanged by a call, and two calls give the same bits."""
        given = tuple(array.copy() for array in self.arrays)
        unchanged = "arguments unchanged"
        try:
            jax.block_until_ready(self.call(*given))
        except Exception as error:  # a subject that takes JAX arrays only, which cannot be changed
            unchanged = f"not tried on NumPy arguments ({one_line(error)})"
        for name, before, after in zip(self.names, self.arrays, given, strict=True):
            if before.tobytes() != after.tobytes():
                return self._found("mutates", name, f"the argument {name} is changed by the call")
        second = self.run(self.call, *self.arrays)
        first = self.run(self.call, *self.arrays)
        if any(a.tobytes() != b.tobytes() for a, b in zip(first, second, strict=True)):
            return self._found("nondeterministic", "output", "two calls with the same arguments differ in their bits")
        self.notes.append(f"purity: {unchanged}, two calls give the same bits")
        return None

    def compilation(self) -> Any:
        """The compiled function is the function: what differs is rounding."""
        return self._compare(COMPILED)

    def shape_dependence(self) -> Any:
        """vmap over copies gives what one call gives; a batch of one too; and a row what it gives in a batch."""
        for comparison in MAPPED:
            found = self._compare(comparison)
            if found is not None:
                return found
        by_row = depends_by_row(self.call, self.arrays)
        if isinstance(by_row, str):
            self.notes.append(f"{BY_ROW.what}: not applicable ({by_row})")
        return self._compare(BY_ROW) if by_row is True else None

    def _compare(self, comparison: Comparison) -> Any:
        try:
            narrow, wide = comparison.discrepancies(self.call, self.arrays)
        except Exception as error:
            self._not_run(comparison.what, error)
            return None
        if differs(narrow, wide):
            return self._found(comparison.kind, "output", comparison.words(narrow, wide))
        self.notes.append(comparison.words(narrow, wide))
        return None

    def meaning(self) -> Any:
        """The floats of the program lie near its exact value."""
        return self._of_program("exact meaning", lambda: exact_meaning(self.call, self.arrays))

    def derivatives(self) -> Any:
        """What JAX derives is the derivative of the program."""
        return self._of_program("derivatives", lambda: own_derivatives(self.call, self.arrays, self.seed))

    def _of_program(self, what: str, law: Callable[[], Outcome]) -> Any:
        try:
            outcome = law()
        except Exception as error:  # the function cannot be traced, or its program has no exact meaning here
            self._not_run(what, error)
            return None
        if outcome.finding is None:
            (self.notes if outcome.judged else self.missing).append(outcome.note)
            return None
        return outcome.finding, positional_call(self.source, outcome.arrays, self.bind)

    def _not_run(self, what: str, error: Exception) -> None:
        self.missing.append(f"{what}: it could not run ({one_line(error)})")

    def identity(self) -> Any:
        """Two callables that mean different things are not equal: a compiled program is cached by equality and hash."""
        seen = identity_of_subject(self.subject, self.arrays, self.bind, self.source)
        self.notes += seen.notes
        return None if seen.finding is None else (seen.finding, seen.witness)

    def _found(self, kind: str, output: str, note: str) -> Any:
        finding = Finding(kind, output, (), math.nan, "", "regular", note=note)
        return finding, positional_call(self.source, self.arrays, self.bind)

    def result(self, verdict: str, finding: Finding | None, witness: Witness | None) -> CheckResult:
        """Return the verdict with what was seen."""
        return CheckResult(
            verdict=verdict,
            subject=self.source.name,
            spec=None,
            seed=self.seed,
            finding=finding,
            witness=witness,
            grade="measured(1)",
            notes=tuple(self.notes),
            not_covered=(*self.missing, "whether it is what it should be: no definition was given (--spec NAME)"),
        )


def _mixed(draw: Any, shape: tuple[int, ...]) -> np.ndarray:
    return rows(draw, math.prod(shape[:-1]), shape[-1]).reshape(shape) if len(shape) > 1 else reals(draw, shape, 2.0)


def required_names(subject: Any, source: Source, bind: Mapping[str, Any]) -> list[str]:
    """Return the names of the arguments that a subject needs beside the bound ones."""
    try:
        parameters = inspect.signature(subject).parameters
    except (TypeError, ValueError):
        return ["x"]
    unknown = [name for name in bind if name not in parameters]
    if unknown:
        raise CallError(f"{source.name} has no argument {unknown[0]!r}; it has {', '.join(parameters)}")
    required = [
        p.name
        for p in parameters.values()
        if p.default is inspect.Parameter.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return [name for name in required if name not in bind]
