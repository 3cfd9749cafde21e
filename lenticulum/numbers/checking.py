"""Marks the code that the run-time type checker of the tests leaves alone."""

from typing import TypeVar

Target = TypeVar("Target")


def no_type_check(target: Target) -> Target:
    """Mark a class or function as unchecked at run time; static checkers still check it.

    jaxtyping's import hook skips what carries a decorator of this name. (`typing.no_type_check` would silence static
    checkers too.) The arrays carry it because a checked call costs about thirty times an exact addition, and because
    beartype refuses PEP 673's `Self` in methods; their operators check operands themselves.
    """
    return target
