"""Bayesian lenses: an open model with any inversion of its type (AutoBayes, Def. 9, 12, 15)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from lenticulum.spec.inference import channel as open_model
from lenticulum.spec.inference.channel import pushforward, unobserved_size
from lenticulum.spec.inference.distribution import Distribution, marginals
from lenticulum.spec.inference.inversion import Inversion, Inverter, compose_inversions, invert
from lenticulum.terms.inference import Channel


@dataclass(frozen=True)
class BayesianLens:
    """A pair (c, c'): c : X -> Y forward, and c' from priors on X to kernels Y ⇝ X x A backward.

    Compare a lens: the prior plays the part of the point at which a derivative is taken.
    """

    channel: Channel
    inverter: Inverter


def exact(channel: Channel) -> BayesianLens:
    """The lens (c, c†)."""
    return BayesianLens(channel, partial(invert, channel))


def identity(size: int) -> BayesianLens:
    """The identity lens: the point mass at y, whatever the prior."""
    rows = open_model.identity(size).table
    inversion: Inversion = tuple(tuple((block[0][y],) for block in rows) for y in range(size))
    return BayesianLens(open_model.identity(size), lambda prior: inversion)


def compose(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The lens `first` then `second`.

    (d, d') <> (c, c') = (d.c, pi |-> [z |-> c'_pi(x, a | y) d'_{c_*pi}(y, b | z)])                        (Def. 12)

    Theorem 13: the composite of exact lenses is exact.
    """
    return BayesianLens(open_model.compose(first.channel, second.channel), partial(_answer_in_sequence, first, second))


def _answer_in_sequence(first: BayesianLens, second: BayesianLens, prior: Distribution) -> Inversion:
    return compose_inversions(first.inverter(prior), second.inverter(pushforward(first.channel, prior)))


def tensor(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """Two lenses side by side; the inversions read only the marginals of the joint prior (Def. 15).

    (c'⊗d')_omega(x, w, a, b | y, z) = c'_{omega_X}(x, a | y) d'_{omega_W}(w, b | z)

    It is exact on product priors (B10), and lax in general (B11).
    """
    return BayesianLens(open_model.tensor(first.channel, second.channel), partial(_answer_in_parallel, first, second))


def _answer_in_parallel(first: BayesianLens, second: BayesianLens, prior: Distribution) -> Inversion:
    of_first, of_second = marginals(prior, unobserved_size(first.channel), unobserved_size(second.channel))
    return tensor_inversions(first.inverter(of_first), second.inverter(of_second))


def tensor_inversions(first: Inversion, second: Inversion) -> Inversion:
    """The product of two inversions, on Y x Z in row-major order; None where either is."""
    return tuple(
        None
        if left is None or right is None
        else tuple(tuple(p * q for p in row for q in other) for row in left for other in right)
        for left in first
        for right in second
    )
