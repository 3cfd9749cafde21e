"""Descriptions for inference: a finite open model with rational probabilities."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from lenticulum.terms.value import value


@value
class Channel:
    """An open model between finite spaces: a kernel X ⇝ A x Y with latent space A (AutoBayes, Def. 1).

    table[x][a][y] = c(a, y | x),   sum over a and y of c(a, y | x) = 1.

    `latent` lists the sizes of the factors of A, and `a` counts through them in row-major order; the empty tuple is the
    one-point space, so that the model is pure. Zero entries are legal.

    Raises TypeError if an entry is not a Fraction, ValueError if the table is ragged or a row is not a distribution.

    >>> from fractions import Fraction as Q
    >>> Channel(table=(((Q(1, 3), Q(2, 3)),), ((Q(1), Q(0)),)))  # pure, from two points to two points
    Channel(table=(((Fraction(1, 3), Fraction(2, 3)),), ((Fraction(1, 1), Fraction(0, 1)),)), latent=())
    """

    table: tuple[tuple[tuple[Fraction, ...], ...], ...]
    latent: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.table or not self.table[0] or not self.table[0][0]:
            raise ValueError("Channel got an empty table: every space needs at least one point.")
        points, observations = prod(self.latent), len(self.table[0][0])
        for x, block in enumerate(self.table):
            if len(block) != points or any(len(row) != observations for row in block):
                shape = [len(row) for row in block]
                raise ValueError(
                    f"Channel row {x} has row lengths {shape}; "
                    f"latent = {self.latent} and {observations} observations need {[observations] * points}."
                )
            entries = [entry for row in block for entry in row]
            if any(type(entry) is not Fraction for entry in entries):
                raise TypeError(f"Channel row {x} is {block}; every probability must be a fractions.Fraction.")
            if min(entries) < 0 or sum(entries) != 1:
                raise ValueError(
                    f"Channel row {x} is not a distribution: its entries sum to {sum(entries)} "
                    f"and the smallest is {min(entries)}; they must be >= 0 and sum to 1."
                )
