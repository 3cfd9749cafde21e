"""Open models between finite spaces: composition, tensor, identity, pushforward (AutoBayes, Def. 1-6)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from lenticulum.spec.inference.distribution import Distribution
from lenticulum.terms.inference import Channel


def pure(rows: Sequence[Sequence[Fraction]]) -> Channel:
    """The open model with a one-point latent space and the kernel c(y | x) = rows[x][y].

    >>> pure([[Fraction(1, 4), Fraction(3, 4)]]).latent
    ()
    """
    return Channel(table=tuple((tuple(row),) for row in rows))


def unobserved_size(channel: Channel) -> int:
    """The number of points of X in c : X -> Y."""
    return len(channel.table)


def latent_size(channel: Channel) -> int:
    """The number of points of the latent space of c."""
    return len(channel.table[0])


def observed_size(channel: Channel) -> int:
    """The number of points of Y in c : X -> Y."""
    return len(channel.table[0][0])


def identity(size: int) -> Channel:
    """The identity open model, id(y | x) = [x = y], pure."""
    return pure([[Fraction(x == y) for y in range(size)] for x in range(size)])


def prior_channel(prior: Distribution) -> Channel:
    """A distribution as the pure open model 1 -> X."""
    return pure([prior])


def compose(first: Channel, second: Channel) -> Channel:
    """The open model `first` then `second`: the value in between is filed into the latent space, nothing is summed.

    (d.c)(a, y, b, z | x) = c(a, y | x) d(b, z | y),   latent space A x Y x B.

    Row-major latent indices make composition strictly associative; it is unital only up to the filed value (Def. 4).
    Raises ValueError if the observed space of `first` is not the unobserved space of `second`.
    """
    if observed_size(first) != unobserved_size(second):
        raise ValueError(
            f"compose got a first channel into {observed_size(first)} points and a second one from "
            f"{unobserved_size(second)}; the two spaces must be the same."
        )
    later = second.table
    table = tuple(
        tuple(
            tuple(mass * downstream for downstream in row)
            for latents in block
            for mass, following in zip(latents, later, strict=True)
            for row in following
        )
        for block in first.table
    )
    return Channel(table=table, latent=(*first.latent, observed_size(first), *second.latent))


def tensor(first: Channel, second: Channel) -> Channel:
    """Two open models side by side (Def. 6).

    (c⊗d)(a, b, y, z | x, w) = c(a, y | x) d(b, z | w), with X x W, A x B and Y x Z in row-major order.
    """
    table = tuple(
        tuple(tuple(p * q for p in row for q in other_row) for row in block for other_row in other_block)
        for block, other_block in product(first.table, second.table)
    )
    return Channel(table=table, latent=first.latent + second.latent)


def pushforward(channel: Channel, prior: Distribution) -> Distribution:
    """The distribution of the observation.

    (c_*pi)(y) = sum over x and a of pi(x) c(a, y | x).

    >>> cloudy = pure([[Fraction(4, 5), Fraction(1, 5)], [Fraction(1, 5), Fraction(4, 5)]])
    >>> pushforward(cloudy, (Fraction(1, 2), Fraction(1, 2)))
    (Fraction(1, 2), Fraction(1, 2))
    """
    if len(prior) != unobserved_size(channel):
        raise ValueError(
            f"pushforward got a prior on {len(prior)} points for a channel from {unobserved_size(channel)}."
        )
    joint = [[mass * entry for entry in row] for mass, block in zip(prior, channel.table, strict=True) for row in block]
    return tuple(sum(column, Fraction(0)) for column in zip(*joint, strict=True))
