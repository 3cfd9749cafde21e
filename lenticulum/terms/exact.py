"""Exact numbers in fields: every hyper-parameter is one rational, whatever its spelling."""

import re
from fractions import Fraction

#: What a user may write for a hyper-parameter. A float means its exact binary value.
Number = int | float | str | Fraction

#: An exponent beyond every format; its power of ten would fill the memory.
_LONG_EXPONENT = re.compile(r"e[-+]?[0_]*[1-9](_?\d){3}", re.IGNORECASE)


def exact(number: Number, name: str = "number") -> Fraction:
    """Return the rational that a spelling denotes.

    An int, a Fraction, a decimal or ratio string denote themselves; a float denotes its exact binary value.

    Args:
        number: the spelling.
        name: the name of the field, for the message.
    Raises:
        TypeError: for a bool or another type.
        ValueError: for a NaN, an infinity, a string that is no number, or an exponent of more than three digits.

    >>> exact("0.10"), exact("1/8"), exact(0.5)
    (Fraction(1, 10), Fraction(1, 8), Fraction(1, 2))
    """
    instance_of(number, name, (int, float, str, Fraction), "an int, a Fraction, a decimal string or a float")
    try:
        if isinstance(number, str) and _LONG_EXPONENT.search(number):
            raise ValueError
        return Fraction(number)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f"{name} = {number!r}: expected a finite number such as 0.1, '0.1' or '1/8'") from error


def instance_of(given: object, name: str, kinds: tuple[type, ...], expected: str) -> None:
    """Refuse a value of another type at run time, whatever a type checker has seen; True and False are no numbers.

    >>> instance_of(3, "features", (int,), "an int")
    """
    if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
        raise TypeError(f"{name} = {given!r}: expected {expected}")


def in_range(number: Fraction, name: str, low: Fraction | int, high: Fraction | int, *, ends: str) -> Fraction:
    """Return `number` if it lies between low and high, else say the allowed range and what was given.

    `ends` writes the interval as in mathematics: "[]", "[)", "(]" or "()".

    >>> in_range(Fraction(1, 2), "rate", 0, 1, ends="[)")
    Fraction(1, 2)
    """
    above = number >= low if ends[0] == "[" else number > low
    below = number <= high if ends[1] == "]" else number < high
    if not (above and below):
        raise ValueError(f"{name} = {number}: expected a number in {ends[0]}{low}, {high}{ends[1]}")
    return number


def positive(number: Fraction, name: str) -> Fraction:
    """Return `number` if it is positive.

    >>> positive(Fraction(1, 8), "epsilon")
    Fraction(1, 8)
    """
    if number <= 0:
        raise ValueError(f"{name} = {number}: expected a positive number")
    return number


def not_negative(number: Fraction, name: str) -> Fraction:
    """Return `number` if it is not negative.

    >>> not_negative(Fraction(0), "start")
    Fraction(0, 1)
    """
    if number < 0:
        raise ValueError(f"{name} = {number}: expected a number >= 0")
    return number


def one_of(choice: str, name: str, options: tuple[str, ...]) -> str:
    """Return the convention `choice` if it is one of `options`.

    >>> one_of("sample", "running_variance", ("sample", "population"))
    'sample'
    """
    if choice not in options:
        raise ValueError(f"{name} = {choice!r}: expected one of {', '.join(options)}")
    return choice


def count(number: int, name: str) -> int:
    """Return `number` if it is a positive int: a number of features.

    >>> count(3, "features")
    3
    """
    instance_of(number, name, (int,), "an int")
    if number < 1:
        raise ValueError(f"{name} = {number}: expected at least 1")
    return number
