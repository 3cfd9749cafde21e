"""Spaces: what flows along a wire, as far as a description knows it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

#: An int n is an array of shape (..., n); "scalar" is one number; a tuple is a product, () the unit.
#: None stands for a space that the description does not fix.
if TYPE_CHECKING:
    Space = int | str | tuple["Space", ...] | None
else:
    Space = int | str | tuple | None  # run-time type checkers follow a recursive alias to a small depth only

SCALAR = "scalar"
ONE_ARRAY = "one array [features]"
UNIT: Space = ()


class ShapeError(ValueError):
    """Two parts do not fit: which part and where it is, what it expects, what it got."""

    def __init__(self, part: str, expected: Space, got: Space, path: tuple[str, ...] = ()) -> None:
        """Keep the facts as attributes, so that a program can read them."""
        where = f"{'.'.join(path)} ({part})" if path else part
        super().__init__(f"{where}: expected {describe(expected)}, got {describe(got)}")
        self.part, self.expected, self.got, self.path = part, expected, got, path

    def under(self, path: tuple[str, ...]) -> "ShapeError":
        """Return the error as the whole sees it, in which the part that raised it stands at `path`.

        >>> ShapeError("Dense", 2, 3, ("connection",)).under(("layer_2",))
        ShapeError('layer_2.connection (Dense): expected [2], got [3]')
        """
        return ShapeError(self.part, self.expected, self.got, (*path, *self.path))


def describe(space: Space) -> str:
    """Write a space as its shape.

    >>> describe((4, "scalar"))
    '([4], [])'
    """
    if space is None:
        return "any space"
    if isinstance(space, int):
        return f"[{space}]"
    if isinstance(space, str):
        return "[]" if space == SCALAR else space
    return "(" + ", ".join(describe(part) for part in space) + ")"


def unify(expected: Space, got: Space, part: str) -> Space:
    """Return the space that both describe, or raise ShapeError naming the part.

    >>> unify((2, None), (None, 3), "Add")
    (2, 3)
    """
    unified = _unify(expected, got)
    if unified is _DIFFERENT:
        raise ShapeError(part, expected, got)
    return unified  # type: ignore[return-value]


_DIFFERENT = object()


def _unify(expected: Space, got: Space) -> object:
    if expected is None or got is None:
        return got if expected is None else expected
    if isinstance(expected, tuple) and isinstance(got, tuple) and len(expected) == len(got):
        parts = [_unify(one, other) for one, other in zip(expected, got, strict=True)]
        return _DIFFERENT if any(part is _DIFFERENT for part in parts) else tuple(parts)
    return expected if type(expected) is type(got) and expected == got else _DIFFERENT


def pair(space: Space, part: str) -> tuple[Space, Space]:
    """Return the two halves of a space that must be a pair.

    >>> pair(None, "Add")
    (None, None)
    """
    both = unify((None, None), space, part)
    assert isinstance(both, tuple)
    return both[0], both[1]


def known(space: Space) -> bool:
    """Return whether the space has no unknown part.

    >>> known((2, None))
    False
    """
    return space is not None and (not isinstance(space, tuple) or all(known(part) for part in space))


def product(parts: Sequence[Space]) -> Space:
    """Return the product of spaces.

    >>> product([2, 3])
    (2, 3)
    """
    return tuple(parts)
