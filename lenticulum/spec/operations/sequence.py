"""Embedding, and the two encodings of positions by angles: rotary and sinusoidal."""

from fractions import Fraction

import numpy as np

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, concatenate, cos, power_real, sin, stack
from lenticulum.numbers.array import Positions
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.integers import integers


@meaning(terms.Embedding)
def embedding(ids: Positions, weight: ExactArray) -> ExactArray:
    """Return weight[id] for each id: the one-hot row of the id times the weight.

    Values that determine the result: ids [...], weight [rows, features]. Pure; no state.
    Laws: linear in weight; the reverse derivative adds the cotangents of one row.
    Raises: DomainError for an id that is negative or not below the number of rows.
    """
    rows, features = weight.shape
    if ids.size and not (ids.min() >= 0 and ids.max() < rows):
        wrong = ids.ravel()[(ids.ravel() < 0) | (ids.ravel() >= rows)][0]
        raise DomainError(f"got the id {int(wrong)} for a weight of {rows} rows, expected 0 <= id < {rows}")
    return weight.take(ids[..., None].astype(np.int64) * features + np.arange(features))


@textbook(terms.RotaryPositions)
@meaning(terms.RotaryPositions)
def rotary_positions(x: ExactArray, positions: Positions | None = None, *, base: Fraction, layout: str) -> ExactArray:
    """Return x with pair i of every x[..., position, :] rotated by position base^(-2 i / width).

    Values that determine the result: x [..., positions, width], positions (0, 1, 2, ... along the axis before the last,
    unless given; they broadcast against x without its last axis), base and layout. Pure; no state.
    Laws: linear in x; keeps the norm; rotations add, so that <y_m, y_n> depends on m - n only; an odd width keeps its
    last coordinate. Source: Su et al. 2021, arXiv:2104.09864.
    """
    width = x.shape[-1]
    angles = _positions(x, positions)[..., None] * rates(x, width // 2, width, base)
    return rotate(x, cos(angles), sin(angles), layout)


@textbook(terms.RotaryPositions)
def rotary_positions_by_reciprocals(
    x: ExactArray, positions: Positions | None = None, *, base: Fraction, layout: str
) -> ExactArray:
    """Return the same with the rates 1 / base^(2 i / width), as most programs compute them."""
    width = x.shape[-1]
    angles = _positions(x, positions)[..., None] * reciprocal_rates(x, width // 2, width, base)
    return rotate(x, cos(angles), sin(angles), layout)


def rotate(x: ExactArray, cosines: ExactArray, sines: ExactArray, layout: str) -> ExactArray:
    """Return (a, b) -> (a cos - b sin, a sin + b cos) for every pair of the last axis; the odd coordinate is kept."""
    half = x.shape[-1] // 2
    if layout == "interleaved":
        a, b = x[..., 0 : 2 * half : 2], x[..., 1 : 2 * half : 2]
    else:
        a, b = x[..., :half], x[..., half : 2 * half]
    pair = (a * cosines - b * sines, a * sines + b * cosines)
    if layout == "interleaved":
        rotated = stack(pair, axis=-1).reshape((*x.shape[:-1], 2 * half))
    else:
        rotated = concatenate(pair, axis=-1)
    return concatenate([rotated, x[..., 2 * half :]], axis=-1) if x.shape[-1] % 2 else rotated


@textbook(terms.SinusoidalPositions)
@meaning(terms.SinusoidalPositions)
def sinusoidal_positions(x: ExactArray, *, features: int, base: Fraction, layout: str) -> ExactArray:
    """Return sin and cos of x base^(-2 i / features), side by side ("interleaved") or all sines first ("half").

    Values that determine the result: x [...] of real positions, and every field. Pure; no state.
    Laws: entry 0 is sin x; sin² + cos² = 1 in each pair; a shift of x rotates each pair.
    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    return _waves(x[..., None] * rates(x, (features + 1) // 2, features, base), features, layout)


@textbook(terms.SinusoidalPositions)
def sinusoidal_positions_by_quotients(x: ExactArray, *, features: int, base: Fraction, layout: str) -> ExactArray:
    """Return the same with the angles x / base^(2 i / features), as the paper prints them."""
    powers = power_real(x.lift(base), exponents(x, (features + 1) // 2, features))
    return _waves(x[..., None] / powers, features, layout)


def _waves(angles: ExactArray, features: int, layout: str) -> ExactArray:
    sines, cosines = sin(angles), cos(angles)
    if layout == "half":
        return concatenate([sines, cosines[..., : features // 2]], axis=-1)
    return stack([sines, cosines], axis=-1).reshape((*angles.shape[:-1], -1))[..., :features]


def rates(like: ExactArray, count: int, width: int, base: Fraction) -> ExactArray:
    """Return base^(-2 i / width) for i < count, in the system of `like`."""
    return power_real(like.lift(base), -exponents(like, count, width))


def reciprocal_rates(like: ExactArray, count: int, width: int, base: Fraction) -> ExactArray:
    """Return 1 / base^(2 i / width) for i < count."""
    return 1 / power_real(like.lift(base), exponents(like, count, width))


def exponents(like: ExactArray, count: int, width: int) -> ExactArray:
    """Return 2 i / width for i < count: one quotient, rounded once."""
    return integers(like, 2 * np.arange(count)) / width


def _positions(x: ExactArray, positions: Positions | None) -> ExactArray:
    return integers(x, np.arange(x.shape[-2]) if positions is None else positions)
