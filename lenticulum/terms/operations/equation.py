"""The equation of an einsum in its explicit form: one letter for each axis, ab,bc->ac."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_FORM = re.compile(r"[A-Za-z]*(,[A-Za-z]*)*->[A-Za-z]*")


class Equation(NamedTuple):
    """The letters of the axes of each operand, and those of the result."""

    operands: tuple[str, ...]
    output: str

    @property
    def summed(self) -> str:
        """The letters that are not in the result, in the order of their first appearance."""
        return "".join(letter for letter in dict.fromkeys("".join(self.operands)) if letter not in self.output)

    def sizes(self, shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
        """Return the size of each letter.

        Raises: ValueError if the operands are too few or too many, an operand has another number of axes than letters,
        or one letter has two sizes. A size of one is not stretched.

        >>> parse("ab,bc->ac").sizes([(2, 3), (3, 4)])
        {'a': 2, 'b': 3, 'c': 4}
        """
        if len(shapes) != len(self.operands):
            raise ValueError(f"einsum: got {len(shapes)} operands, expected {len(self.operands)}")
        found: dict[str, int] = {}
        for letters, shape in zip(self.operands, shapes, strict=True):
            if len(letters) != len(shape):
                raise ValueError(f"einsum: got shape {list(shape)} for '{letters}', expected {len(letters)} axes")
            for letter, size in zip(letters, shape, strict=True):
                if found.setdefault(letter, size) != size:
                    raise ValueError(f"einsum: '{letter}' has size {found[letter]} and size {size}, expected one size")
        return found


def parse(equation: str) -> Equation:
    """Read an equation.

    Raises:
        ValueError: for an ellipsis, a space, a missing `->`, a letter twice in the result, or one that no operand has.

    >>> parse("ii->i")
    Equation(operands=('ii',), output='i')
    """
    if not _FORM.fullmatch(equation):
        raise ValueError(f"equation = {equation!r}: expected letters in the explicit form, such as ab,bc->ac")
    left, output = equation.split("->")
    if len(set(output)) != len(output):
        raise ValueError(f"equation = {equation!r}: expected each letter once in the result")
    unknown = sorted(set(output) - set(left))
    if unknown:
        raise ValueError(f"equation = {equation!r}: the letter {unknown[0]!r} of the result belongs to no operand")
    return Equation(tuple(left.split(",")), output)
