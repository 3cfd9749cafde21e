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


def line_of(equation: core.JaxprEqn, file: str | None = None) -> Line | None:
    """Return the innermost line of a file that led to the equation; without a file, or if none did, one outside JAX.

    None where JAX kept no line.
    """
    # JAX has no public access to the frames of an equation (https://github.com/jax-ml/jax/issues/2436).
    from jax._src import source_info_util

    try:
        frames: list[Any] = list(source_info_util.user_frames(equation.source_info.traceback))
    except (AttributeError, TypeError):
        frames = list(source_info_util.user_frames(equation.source_info))  # pyright: ignore[reportArgumentType]
    inside = [frame for frame in frames if frame.file_name == file]
    for frame in (*inside, *frames):
        return Line(frame.file_name, frame.start_line, frame.function_name)
    return None


def location(equation: core.JaxprEqn) -> str:
    """Return the line in words."""
    line = line_of(equation)
    return "a line that JAX did not keep" if line is None else str(line)
