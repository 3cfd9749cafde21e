"""The line of the user's code that an equation comes from; equations inside a library belong to the call of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jax.extend import core


@dataclass(frozen=True, order=True)
class Line:
    """A line of a source file, and the function that it stands in."""

    file: str
    number: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.number} ({self.function})"


def line_of(equation: core.JaxprEqn, outer: Line | None = None) -> Line | None:
    """Return the innermost line outside JAX that made the equation, or `outer` where JAX kept none."""
    # JAX has no public access to the frames of an equation (https://github.com/jax-ml/jax/issues/2436).
    from jax._src import source_info_util

    try:
        frame: Any = source_info_util.user_frame(equation.source_info.traceback)
    except (AttributeError, TypeError):
        frame = source_info_util.user_frame(equation.source_info)  # pyright: ignore[reportArgumentType]
    return outer if frame is None else Line(frame.file_name, frame.start_line, frame.function_name)


def location(equation: core.JaxprEqn) -> str:
    """Return the line in words."""
    line = line_of(equation)
    return "a line that JAX did not keep" if line is None else str(line)
