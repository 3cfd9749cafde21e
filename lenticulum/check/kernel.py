"""Checking a kernel: the two entry points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import jax

from lenticulum.check.at import check_at
from lenticulum.check.conclusion import concluded, explained
from lenticulum.check.definition import Definition
from lenticulum.check.environment import format_of
from lenticulum.check.errors import CallError
from lenticulum.check.given import argument
from lenticulum.check.result import CheckResult
from lenticulum.check.run import Run
from lenticulum.check.target import load, source_of, source_of_target


def check(
    subject: Any,
    spec: str | Definition | None = None,
    *,
    seed: int = 0,
    roles: Mapping[str, str] | None = None,
    bind: Mapping[str, Any] | None = None,
    make: Mapping[str, Any] | None = None,
    at: Mapping[str, Any] | Sequence[Any] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    dtype: str = "float32",
    budget: float = 0.0,
    within: Fraction | None = None,
) -> CheckResult:
    """Return the verdict on a subject against a definition, with a small witness and what it matches instead.

    Arguments: `subject`: a callable, a module (class or instance) of Equinox, torch, Flax or Keras, an optax
    transformation or its factory, or a target; without a definition also a pair of init and apply, or a callable
    pytree. A function that JAX cannot trace is called on NumPy arrays, torch
    tensors or, elementwise, NumPy scalars, as it takes them. `spec`: NAME or NAME:convention=value,...; without it, the
    laws that need no definition. `roles`: role -> argument or field; "output": "derivative" for a function that is
    itself the derivative of an elementwise definition in its first argument. `bind`: fixed arguments. `make`:
    constructor arguments. `at`: role -> array (or nested lists of numbers), one point instead of drawn data; without a
    definition the list of the arguments, and the result says which line of the program loses the digits there. A
    number that its dtype does not hold is refused. `shapes`: role -> shape instead of the palette. `budget`: seconds
    to go on drawing after the first round of cases. `within`: ulp, instead of the default verdict.
    Raises: CallError if the call is wrong.
    Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapters 1 and 3.

    >>> import jax
    >>> check(jax.nn.softmax, "softmax").verdict
    'conforms'
    """
    if at is not None and not isinstance(at, Mapping):
        if make:
            raise CallError(
                "--make constructs a module, of which one point needs --spec, and an object of arrays by role"
            )
        return _at(subject, spec, at, bind or {}, dtype)
    run = Run(subject, spec, seed, roles, bind, make, at, shapes, dtype, budget, within)
    with run.context():
        return explained(run, concluded(run))


def _at(subject: Any, spec: Any, point: Sequence[Any], bind: Mapping[str, Any], dtype: str) -> CheckResult:
    if spec is not None:
        raise CallError("a list of arguments is a point without a definition; for a definition give role -> array")
    source = source_of_target(subject) if isinstance(subject, str) else source_of(subject)
    function = load(subject) if isinstance(subject, str) else subject
    with jax.enable_x64(True) if dtype == "float64" else nullcontext():
        format_of(dtype)
        arrays = [argument(f"argument {number}", each, dtype) for number, each in enumerate(point, 1)]
        return check_at(function, source, arrays, bind)


def examine(subject: Any, spec: str | Definition, *, seed: int = 0, **options: Any) -> CheckResult:
    """Return the verdict of `check` without the search for the smallest witness and for other conventions."""
    run = Run(subject, spec, seed, **options)
    with run.context():
        return concluded(run)


__all__ = ["CallError", "check", "examine"]
