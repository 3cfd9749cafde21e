"""What tools say of two mistakes: a compiled program served in the place of another, and a needless compilation.

python docs/stale_tools.py
"""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp


class Scale:
    """Equal to every other one, whatever the factor."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scale)

    def __hash__(self) -> int:
        return 0


def stale(jit: Callable[..., Any]) -> tuple[Any, Any]:
    """Serve the program of 2 for 3: what is served, and the truth."""
    run = jit(lambda item, x: item.factor * x, static_argnums=0)
    x = jnp.float32(10)
    run(Scale(2.0), x)
    return run(Scale(3.0), x), 3.0 * x


def needless(jit: Callable[..., Any]) -> tuple[Any, Any]:
    """Compile one program twice, because a lambda is made anew."""
    run = jit(lambda function, x: function(x), static_argnums=0)
    x = jnp.float32(10)
    _, second = (run(lambda v: 2.0 * v, x) for _ in range(2))
    return second, 2.0 * x


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def logged(option: str, words: str, case: Callable[..., Any]) -> str:
    """Return how many lines of an option have some words, during the second call alone."""
    handler, logger = Lines(), logging.getLogger("jax")
    before, propagate = getattr(jax.config, option), logger.propagate
    calls: list[int] = []

    def jit(function: Any, **options: Any) -> Any:
        compiled = jax.jit(function, **options)

        def called(*args: Any) -> Any:
            start = len(handler.lines)
            result = compiled(*args)
            calls.append(sum(words in line for line in handler.lines[start:]))
            return result

        return called

    jax.config.update(option, True)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        case(jit)
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate
        jax.config.update(option, before)
    return "reported" if calls[1] else "silent"


def raises(case: Callable[..., Any], jit: Callable[..., Any]) -> str:
    """Return whether a case raises with a stand-in for `jax.jit`."""
    try:
        case(jit)
    except Exception as error:
        return f"raises {type(error).__name__}"
    return "silent"


def bounded(case: Callable[..., Any]) -> str:
    """At most two traces: two programs."""
    import equinox

    return raises(case, lambda f, **options: jax.jit(equinox.debug.assert_max_traces(f, max_traces=2), **options))


def bounded_by_one(case: Callable[..., Any]) -> str:
    """At most one trace."""
    import equinox

    return raises(case, lambda f, **options: jax.jit(equinox.debug.assert_max_traces(f, max_traces=1), **options))


def chex_bounded(case: Callable[..., Any]) -> str:
    """At most two traces, by chex."""
    import chex  # pyright: ignore[reportMissingImports]

    return raises(case, lambda f, **options: jax.jit(chex.assert_max_traces(f, n=2), **options))


def warm(case: Callable[..., Any]) -> str:
    """No tracing in the second call."""

    def jit(function: Any, **options: Any) -> Any:
        compiled, calls = jax.jit(function, **options), []

        def called(*args: Any) -> Any:
            calls.append(1)
            if len(calls) == 1:
                return compiled(*args)
            with jax.no_tracing():
                return compiled(*args)

        return called

    return raises(case, jit)


def leaks(case: Callable[..., Any]) -> str:
    """No tracer leaks."""
    with jax.checking_leaks():
        return raises(case, jax.jit)


def compared(case: Callable[..., Any]) -> str:
    """The result is compared with that of `disable_jit`."""
    served, _ = case(jax.jit)
    with jax.disable_jit():
        truth, _ = case(jax.jit)
    return "differs" if float(served) != float(truth) else "silent"


def warm_against_cold(case: Callable[..., Any]) -> str:
    """Each result is compared with that of a new function after `clear_caches`."""
    calls = []

    def jit(function: Any, **options: Any) -> Any:
        compiled = jax.jit(function, **options)

        def called(*args: Any) -> Any:
            result = compiled(*args)
            calls.append((function, options, args, result))
            return result

        return called

    case(jit)
    for function, options, args, served in calls:
        jax.clear_caches()
        if float(jax.jit(lambda *given, f=function: f(*given), **options)(*args)) != float(served):
            return "differs"
    return "silent"


def audited(case: Callable[..., Any]) -> str:
    """The audit of this library."""
    from lenticulum.testing import Audit, audited_jit

    audit = Audit()
    said = raises(case, lambda f, **options: audited_jit(f, audit=audit, **options))
    return "noted" if said == "silent" and audit.notes() else said


def linted(case: Callable[..., Any]) -> str:
    """What ruff says of the source of a case, with every rule about bugs."""
    source = Path(__file__).read_text(encoding="utf-8")
    first, last = ("class Scale", "def needless") if case is stale else ("def needless", "class Lines")
    start, end = source.index(first), source.index(last)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.py"
        path.write_text("from typing import Any, Callable\nimport jax.numpy as jnp\n" + source[start:end])
        options = ("check", "--isolated", "--quiet", "--select", "B,PLE,PLW,F,RUF", str(path))
        run = subprocess.run([sys.executable, "-m", "ruff", *options], capture_output=True, text=True)
    return "silent" if run.returncode == 0 else "reported"


TOOLS: dict[str, tuple[str | None, Callable[[Callable[..., Any]], str]]] = {
    "jax_log_compiles": (None, lambda case: logged("jax_log_compiles", "Compiling", case)),
    "jax_explain_cache_misses": (None, lambda case: logged("jax_explain_cache_misses", "MISS", case)),
    "equinox assert_max_traces(2)": ("equinox", bounded),
    "equinox assert_max_traces(1)": ("equinox", bounded_by_one),
    "jax.no_tracing in the second call": (None, warm),
    "jax.checking_leaks": (None, leaks),
    "ruff": ("ruff", linted),
    "chex.assert_max_traces(2)": ("chex", chex_bounded),
    "against jax.disable_jit": (None, compared),
    "against jax.clear_caches": (None, warm_against_cold),
    "lenticulum audited_jit": (None, audited),
}


def report() -> list[tuple[str, str, str]]:
    """Return for each tool what it says of the stale program and of the needless compilation."""
    rows = []
    for name, (package, tool) in TOOLS.items():
        if package and find_spec(package) is None:
            rows.append((name, "not installed", "not installed"))
            continue
        found = []
        for case in (stale, needless):
            jax.clear_caches()
            found.append(tool(case))
        jax.clear_caches()
        rows.append((name, *found))
    return rows


if __name__ == "__main__":
    for row in report():
        sys.stdout.write(" | ".join(row) + "\n")
