"""Spaces: what flows along a wire, as far as a description knows it. Primal and cotangent spaces are different."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lenticulum.terms.exact import instance_of
from lenticulum.terms.value import Value, value

SCALAR = "scalar"
ONE_ARRAY = "one array [features]"


@value
class Named(Value):
    """A space with a name. It fits only the same name, or an unnamed space of the same size.

    >>> unify(Named("pixels", 3), 3, "Add")
    Named(name='pixels', space=3)
    >>> unify(Named("pixels", 3), Named("classes", 3), "Add")
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Add: expected pixels [3], got classes [3]
    """

    name: str
    space: "Space" = None

    def __post_init__(self) -> None:
        """Refuse a name that is none, and a name for a space that has one."""
        instance_of(self.name, "name", (str,), "the name of a space, such as 'pixels'")
        if not self.name.isprintable() or not self.name.strip():
            raise ValueError(f"Named: expected the name of a space, such as 'pixels', got {self.name!r}")
        if isinstance(self.space, Named):
            raise TypeError(f"Named: {describe(self.space)} has a name; expected a space without one")


@value
class Cotangent(Value):
    """The cotangent copy A' of a space A that is neither a product nor named; `cotangent` gives that of any space.

    A' and A are different spaces, although arrays of one shape lie in both.

    >>> unify(3, Cotangent(3), "Dense")
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Dense: expected [3], got [3]'
    """

    space: "int | str | Cotangent | None" = None

    def __post_init__(self) -> None:
        """Refuse what is not in normal form: the cotangent of a product is the product of the cotangents."""
        given: object = self.space
        if isinstance(given, tuple | Named):
            raise TypeError(f"Cotangent: {given!r} is a product or has a name; use cotangent({given!r})")


#: An int n is an array of shape (..., n); "scalar" is one number; a tuple is a product, () the unit.
#: None stands for a space that the description does not fix. Another string is one opaque space.
if TYPE_CHECKING:
    Space = int | str | tuple["Space", ...] | Named | Cotangent | None
else:
    # Run-time type checkers follow a recursive alias to a small depth only.
    Space = int | str | tuple | Named | Cotangent | None

UNIT: Space = ()


class ShapeError(ValueError):
    """Two parts do not fit: which part and where it is, what it expects, what it got."""

    def __init__(self, part: str, expected: Space, got: Space, path: tuple[str, ...] = (), advice: str = "") -> None:
        """Keep the facts as attributes, so that a program can read them."""
        where = f"{'.'.join(path)} ({part})" if path else part
        what_to_do = f"; {advice}" if advice else ""
        super().__init__(f"{where}: expected {describe(expected)}, got {describe(got)}{what_to_do}")
        self.part, self.expected, self.got, self.path, self.advice = part, expected, got, path, advice

    def under(self, path: tuple[str, ...]) -> "ShapeError":
        """Return the error as the whole sees it, in which the part that raised it stands at `path`.

        >>> ShapeError("Dense", 2, 3, ("connection",)).under(("layer_2",))
        ShapeError('layer_2.connection (Dense): expected [2], got [3]')
        """
        return ShapeError(self.part, self.expected, self.got, (*path, *self.path), self.advice)


def describe(space: Space) -> str:
    """Write a space as its shape, after its name; a prime marks a cotangent.

    >>> describe((4, "scalar", Named("pixels", 3), Cotangent(2)))
    "([4], [], pixels [3], [2]')"
    """
    if space is None:
        return "any space"
    if isinstance(space, Named):
        return f"{space.name} {describe(space.space)}"
    if isinstance(space, Cotangent):
        return f"{describe(space.space)}'"
    if isinstance(space, int):
        return f"[{space}]"
    if isinstance(space, str):
        return "[]" if space == SCALAR else space
    return "(" + ", ".join(describe(part) for part in space) + ")"


def cotangent(space: Space) -> Space:
    """Return A', the space of the cotangents of A: of a product the product, of the unit the unit.

    >>> cotangent((2, Named("pixels", 3))), cotangent(UNIT)
    ((Cotangent(space=2), Named(name='pixels', space=Cotangent(space=3))), ())
    """
    if isinstance(space, tuple):
        return tuple(cotangent(part) for part in space)
    if isinstance(space, Named):
        return Named(space.name, cotangent(space.space))
    return Cotangent(space)


def bare(space: Space) -> Space:
    """Return the space without its name.

    >>> bare(Named("pixels", 3)), bare(3)
    (3, 3)
    """
    return space.space if isinstance(space, Named) else space


def unify(expected: Space, got: Space, part: str) -> Space:
    """Return the space that both describe, or raise ShapeError naming the part.

    >>> unify((2, None), (None, 3), "Add")
    (2, 3)
    """
    unified = _unify(expected, got)
    if unified is _DIFFERENT:
        raise ShapeError(part, expected, got)
    return unified  # type: ignore[return-value]


_DIFFERENT: Any = object()


def _unify(expected: Space, got: Space) -> Any:
    if expected is None or got is None:
        return got if expected is None else expected
    if isinstance(expected, Named) or isinstance(got, Named):
        return _unify_named(expected, got)
    if isinstance(expected, tuple) and isinstance(got, tuple):
        return _unify_products(expected, got) if len(expected) == len(got) else _DIFFERENT
    if isinstance(expected, Cotangent) and isinstance(got, Cotangent):
        inner = _unify(expected.space, got.space)
        return inner if inner is _DIFFERENT else cotangent(inner)
    # The cotangents of an unknown space may be those of a product.
    if expected == Cotangent(None) and isinstance(got, tuple):
        return _unify_products((expected,) * len(got), got)
    if got == Cotangent(None) and isinstance(expected, tuple):
        return _unify_products(expected, (got,) * len(expected))
    return expected if type(expected) is type(got) and expected == got else _DIFFERENT


def _unify_named(expected: Space, got: Space) -> Any:
    names = [space.name for space in (expected, got) if isinstance(space, Named)]
    inner = _unify(bare(expected), bare(got))
    return _DIFFERENT if inner is _DIFFERENT or len(set(names)) > 1 else Named(names[0], inner)


def _unify_products(expected: tuple[Space, ...], got: tuple[Space, ...]) -> Any:
    parts = [_unify(one, other) for one, other in zip(expected, got, strict=True)]
    return _DIFFERENT if any(part is _DIFFERENT for part in parts) else tuple(parts)


def pair(space: Space, part: str) -> tuple[Space, Space]:
    """Return the two halves of a space that must be a pair.

    >>> pair(None, "Add"), pair(Named("both", (2, 3)), "Add")
    ((None, None), (2, 3))
    """
    both = bare(unify((None, None), space, part))
    assert isinstance(both, tuple)
    return both[0], both[1]


def known(space: Space) -> bool:
    """Return whether the space has no unknown part.

    >>> known((2, None)), known(Named("pixels"))
    (False, False)
    """
    if isinstance(space, Named | Cotangent):
        return known(space.space)
    return space is not None and (not isinstance(space, tuple) or all(known(part) for part in space))


def product(parts: Sequence[Space]) -> Space:
    """Return the product of spaces.

    >>> product([2, 3])
    (2, 3)
    """
    return tuple(parts)
