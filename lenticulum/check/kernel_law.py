"""A kernel as laws take it: a function, what its arguments are, and the call that a person can repeat."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from lenticulum.check.argument_cases import FREE, Argument, draw_arguments
from lenticulum.check.draw import ReplayDraw, SeededDraw
from lenticulum.check.engine import shrink_violation
from lenticulum.check.environment import Environment, probe, probe_host
from lenticulum.check.text import nested
from lenticulum.check.witness import simplest
from lenticulum.numbers import DomainError, Undecided
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Inapplicable, Law, Violation

#: Cases that one seed draws.
CASES = 8

#: Calls that the search for the smallest witness may make.
TRIALS = 100


class Rejected(Violation):
    """A violation with its kind of finding, and the arguments of the call that shows it."""

    def __init__(self, kind: str, message: str, given: Mapping[str, Any], witness: Mapping[str, object]) -> None:
        super().__init__(message, {"call": written(given), **witness})
        self.kind, self.given = kind, given


@dataclass(frozen=True)
class Kernel:
    """A function of named arguments, each of a kind; floats are of `dtype`."""

    function: Callable[..., Any]
    arguments: Mapping[str, Argument]
    dtype: str = "float32"

    def drawn(self, draw: Draw) -> dict[str, Any]:
        """Return the arguments of one case."""
        return draw_arguments(draw, self.arguments, np.dtype(self.dtype))

    def call(self, given: Mapping[str, Any]) -> list[np.ndarray]:
        """Return the leaves of the result. Raises: as `result`."""
        return leaves(self.result(given))

    def result(self, given: Mapping[str, Any]) -> Any:
        """Return what the function returns. Numbers are passed as Python numbers, arrays and trees as copies.

        Raises: Rejected, of kind raises, or mutates if an argument is changed.
        """
        passed = {name: plain(each) for name, each in given.items()}
        try:
            with np.errstate(all="ignore"):
                result = self.function(**passed)
        except Exception as error:
            self.reject("raises", f"the call raises {type(error).__name__}", given, error=str(error).partition("\n")[0])
        for name, each in passed.items():
            if isinstance(each, np.ndarray) and each.tobytes() != given[name].tobytes():
                self.reject("mutates", f"the call changes {name}", given, after=each.tolist())
            if isinstance(each, dict | list) and each != given[name]:
                self.reject("mutates", f"the call changes {name}", given, after=each)
        return result

    @property
    def environment(self) -> Environment:
        """How its format behaves: binary64 is that of the host, narrower formats are as JAX treats them."""
        return probe_host(self.dtype, np.asarray) if self.dtype == "float64" else probe(self.dtype)

    def reject(self, kind: str, message: str, given: Mapping[str, Any], **witness: object) -> NoReturn:
        """Raise Rejected with the call."""
        raise Rejected(kind, message, given, witness)


def plain(each: Any) -> Any:
    """Return a copy of an array or a tree, and a Python number for a number."""
    if isinstance(each, np.ndarray):
        # A number of a format that Python has not (bfloat16) is one of binary64 too.
        return each.copy() if each.ndim else each.astype(np.float64).item() if each.dtype.kind in "fV" else each.item()
    return copy.copy(each) if isinstance(each, dict | list) else each


def leaves(result: Any) -> list[np.ndarray]:
    """Return the arrays of a result: each of a tuple; a list of numbers, or nested to one array, is one, else several.

    >>> [array.shape for array in leaves([[[1.0, 2.0]], [3.0]])], [array.shape for array in leaves([[1.0], [2.0]])]
    ([(1, 2), (1,)], [(2, 1)])
    """
    if isinstance(result, tuple) or isinstance(result, list) and not _numbers(result):
        return [array for each in result for array in leaves(each)]
    return [np.asarray(result)]


def _numbers(result: Any) -> bool:
    """Return whether a nested list is one array of numbers."""
    try:
        return np.asarray(result).dtype.kind != "O"
    except ValueError:
        return False


def written(given: Mapping[str, Any]) -> str:
    """Write a call.

    >>> written({"x": np.array([1.0, 2.0]), "n": 3})
    'x=[1.0, 2.0], n=3'
    """
    trees = {name: repr(each) for name, each in given.items() if isinstance(each, dict | list)}
    arrays = {name: nested(np.asarray(each)).replace("jnp.", "") for name, each in given.items() if name not in trees}
    return ", ".join(f"{name}={(trees | arrays)[name]}" for name in given)


@dataclass(frozen=True)
class KernelVerdict:
    """What one seed says of a kernel: the law that rejected it and how, or in how many cases each law held."""

    law: str
    violation: Rejected | None
    checked: int

    @property
    def kind(self) -> str | None:
        """The kind of the finding, if there is one."""
        return None if self.violation is None else self.violation.kind


def examine_kernel(
    laws: list[Law[Kernel]], kernel: Kernel, seed: int, *, cases: int = CASES, smallest: bool = False
) -> KernelVerdict:
    """Return the verdict of one seed, with the smallest witness found if it is asked for.

    A case outside the domain, or undecided, counts for nothing; a law that was checked in no case holds in none.
    """
    least = cases
    for law in laws:
        checked = 0
        for case in range(cases):
            draw = SeededDraw(seed, case)
            try:
                law.check(kernel, draw)
            except (Inapplicable, Undecided, DomainError):
                continue
            except Rejected as found:
                return KernelVerdict(
                    law.id, _smallest(law, kernel, found, draw.choices) if smallest else found, checked
                )
            checked += 1
        least = min(least, checked)
    return KernelVerdict(", ".join(law.id for law in laws), None, least)


@dataclass(frozen=True)
class _At(Kernel):
    """A kernel at arguments that are not drawn."""

    given: Mapping[str, Any] = field(default_factory=dict)

    def drawn(self, draw: Draw) -> dict[str, Any]:
        del draw
        return dict(self.given)


def _smallest(law: Law[Kernel], kernel: Kernel, found: Rejected, choices: list[int]) -> Rejected:
    """Return the same violation with small arrays, and then with numbers of few bits where any number may stand."""
    shrunk = shrink_violation(law, kernel, found, choices, TRIALS)[0]
    assert isinstance(shrunk, Rejected)
    given = shrunk.given

    def at(inputs: Mapping[str, Any]) -> Rejected | None:
        fixed = _At(kernel.function, kernel.arguments, kernel.dtype, {**given, **inputs})
        try:
            law.check(fixed, ReplayDraw(()))
        except Rejected as again:
            return again if again.message == shrunk.message else None
        except (Inapplicable, Undecided, DomainError):
            return None
        return None

    free = {name: each for name, each in given.items() if kernel.arguments[name].kind in FREE}
    return at(simplest(free, lambda inputs: at(inputs) is not None)) or shrunk
