"""One point without a definition: the result against the exact value of its program, and the line that loses digits."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax.numpy as jnp
import numpy as np
from flint import arb

from lenticulum.check.environment import probe
from lenticulum.check.errors import CallError
from lenticulum.check.finding import Finding
from lenticulum.check.metrics import K_LIMIT, constants
from lenticulum.check.result import CheckResult
from lenticulum.check.target import Source, one_line
from lenticulum.check.witness import positional_call
from lenticulum.numbers import Undecided, vjp, working_precision
from lenticulum.programs import Balls, Program, UnknownPrimitive, trace
from lenticulum.programs.attribution import contributions

#: Bits of the exact values.
PRECISION = 256

#: What each phenomenon is among the kinds of finding.
KINDS = {"overflow": "overflow", "underflow": "flush", "flush": "flush"}


def check_at(function: Any, source: Source, arrays: list[np.ndarray], bind: Mapping[str, Any]) -> CheckResult:
    """Return the verdict on a JAX function at one point: its floats against the exact value of its own program.

    It differs where an entry has K > 4, or is no number although the exact value is one. The lines of the program come
    with it, the one that loses most digits first.

    Arguments: `arrays`: the positional arguments. `bind`: fixed keyword arguments.
    Raises: CallError if the function cannot be traced at these arguments.
    """
    try:
        program = trace(partial(function, **bind), *arrays)
        got = program.run(*arrays)
    except Exception as error:
        shapes = ", ".join(f"{each.dtype}{list(each.shape)}" for each in arrays)
        raise CallError(f"{source.name} cannot be called with {shapes} ({one_line(error)})") from None
    try:
        with working_precision(PRECISION):
            exact = program.read(Balls(), *arrays)
            finding = _worst(program, arrays, got, exact)
            lines = tuple(contributions(program, arrays, _file_of(function)))
    except (Undecided, UnknownPrimitive) as error:
        verdict = "undecided" if isinstance(error, Undecided) else "not covered"
        return CheckResult(verdict, source.name, None, 0, notes=(str(error),))
    differs = finding.k is None or finding.k > K_LIMIT
    if differs and lines:
        finding = dataclasses.replace(finding, kind=KINDS.get(lines[0].phenomenon, "rounding"))
    return CheckResult(
        verdict="differs" if differs else "conforms",
        subject=source.name,
        spec=None,
        seed=0,
        finding=finding if differs else None,
        witness=positional_call(source, arrays, bind),
        k=finding.k,
        grade="enclosed(1)",
        lines=lines,
        notes=() if differs else (_words(finding),),
        not_covered=("other points", "whether the program is what it should be: no definition was given (--spec NAME)"),
    )


def _file_of(function: Any) -> str | None:
    try:
        return inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None


def _worst(program: Program, arrays: list[Any], got: list[Any], exact: list[Any]) -> Finding:
    """Return the entry of the largest K as a finding."""
    found: list[tuple[float, Finding]] = []
    for number, (floats, values) in enumerate(zip(got, exact, strict=True)):
        if not jnp.issubdtype(floats.dtype, jnp.floating):
            continue
        conditions = _conditions(program, arrays, number)
        for flat, (y, value) in enumerate(zip(floats.ravel(), values.elements, strict=True)):
            if not value.is_finite():
                continue
            k = _mixed_error(conditions, flat, float(y), value, floats.dtype) if math.isfinite(y) else None
            position = tuple(int(each) for each in np.unravel_index(flat, floats.shape))
            name = "result" if len(got) == 1 else f"result {number}"
            finding = Finding("rounding", name, position, float(y), value.str(12, radius=False), "given", k=k)
            found.append((math.inf if k is None else k, finding))
    if not found:
        raise Undecided("no entry of the result has a finite exact value at this point")
    return max(found, key=lambda pair: pair[0])[1]


def _conditions(program: Program, arrays: list[Any], number: int) -> Callable[[int], Any]:
    """Return the function from a flat place in a result f to sum |x_i df/dx_i|; the program is read once."""
    places = program.floats()
    floats = [Balls().data(arrays[place], arrays[place].dtype) for place in places]

    def result(*given: Any) -> Any:
        whole = {**dict(enumerate(arrays)), **dict(zip(places, given, strict=True))}
        return program.read(Balls(), *whole.values())[number].reshape((-1,))

    value, pull = vjp(result, *floats)

    def condition(flat: int) -> Any:
        slopes = pull(Balls().data(np.eye(1, value.size, flat)[0], np.dtype(np.float64)))
        pairs = zip(floats, slopes, strict=True)
        return sum((abs(x * slope).upper() for one, by in pairs for x, slope in _pairs(one, by)), arb(0))

    return condition


def _mixed_error(conditions: Callable[[int], Any], flat: int, y: float, value: Any, dtype: Any) -> float:
    """Return K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta)."""
    unit, eta = constants(probe(np.dtype(dtype).name))
    k = abs(value - y) / ((conditions(flat) + abs(value).upper()) * float(unit) + float(eta))
    return float(k.mid()) if k.is_finite() else 0.0


def _pairs(one: Any, by: Any) -> Any:
    return zip(one.elements, by.elements, strict=True)


def _words(finding: Finding) -> str:
    k = "undefined" if finding.k is None else f"{finding.k:.3g}"
    return f"{finding.output}{list(finding.position) or ''}: got {finding.got!r}  exact {finding.exact}  K = {k}"
