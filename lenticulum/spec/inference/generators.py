"""Generators of finite models: sizes 1 to 3, zero entries kept, null observations frequent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from lenticulum.spec.draw import Draw, distribution, fraction, positive_fraction
from lenticulum.spec.inference.channel import latent_size, observed_size, pushforward, unobserved_size
from lenticulum.spec.inference.distribution import Distribution
from lenticulum.spec.inference.energy import energy
from lenticulum.spec.inference.game import EnergyTable, Entropies, Game, likelihood_game
from lenticulum.spec.inference.inversion import Inversion, Posterior
from lenticulum.spec.inference.lens import BayesianLens, exact
from lenticulum.terms.inference import Channel

T = TypeVar("T")

LATENTS: tuple[tuple[int, ...], ...] = ((), (2,), (3,))
SMALL_LATENTS = LATENTS[:2]  # for chains, whose tables multiply


class Support(Enum):
    """Where an answer c'_pi(x, a | y) may have mass."""

    EVERYWHERE = "everywhere"
    PRIOR = "where pi(x) > 0"
    POSTERIOR = "where pi(x) c(a, y | x) > 0"


@dataclass(frozen=True)
class AmortisedInverter:
    """An arbitrary inversion that depends on its prior.

    c'_pi(x, a | y) is proportional to weights[y][x][a] (pi(x) + offset) on the support, and uniform there if that
    vanishes. An inversion with support EVERYWHERE answers null observations too, as a network does; the others do not.
    """

    channel: Channel
    weights: tuple[tuple[tuple[int, ...], ...], ...]
    offset: Fraction
    support: Support

    def __call__(self, prior: Distribution) -> Inversion:
        evidence = pushforward(self.channel, prior)
        return tuple(
            None if mass == 0 and self.support is not Support.EVERYWHERE else self._answer(prior, y)
            for y, mass in enumerate(evidence)
        )

    def _answer(self, prior: Distribution, y: int) -> Posterior:
        allowed = self._allowed(prior, y)
        scores = [
            [weight * (mass + self.offset) * legal for weight, legal in zip(weights, legals, strict=True)]
            for weights, mass, legals in zip(self.weights[y], prior, allowed, strict=True)
        ]
        if not any(score for row in scores for score in row):
            scores = [[Fraction(legal) for legal in legals] for legals in allowed]
        total = sum((score for row in scores for score in row), Fraction(0))
        return tuple(tuple(score / total for score in row) for row in scores)

    def _allowed(self, prior: Distribution, y: int) -> list[list[bool]]:
        rows = list(zip(prior, self.channel.table, strict=True))
        match self.support:
            case Support.EVERYWHERE:
                return [[True for _ in block] for _, block in rows]
            case Support.PRIOR:
                return [[mass > 0 for _ in block] for mass, block in rows]
            case Support.POSTERIOR:
                return [[mass * row[y] > 0 for row in block] for mass, block in rows]


@dataclass(frozen=True)
class AffineEntropy:
    """An arbitrary rational entropy that depends on the prior: H(pi, y) = base[y] + sum over x of slope[y][x] pi(x)."""

    base: tuple[Fraction, ...]
    slope: tuple[tuple[Fraction, ...], ...]

    def __call__(self, prior: Distribution) -> Entropies:
        return tuple(
            energy(base + sum((rate * mass for rate, mass in zip(slope, prior, strict=True)), Fraction(0)))
            for base, slope in zip(self.base, self.slope, strict=True)
        )


def channel(draw: Draw, unobserved: int, observed: int, latents: tuple[tuple[int, ...], ...] = LATENTS) -> Channel:
    """A channel with rows by `distribution`; in one draw of three some observation is impossible."""
    latent = draw.choice(latents)
    points = latent[0] if latent else 1
    hole = draw.integer(0, observed - 1) if observed > 1 and draw.integer(0, 2) == 2 else None
    possible = observed if hole is None else observed - 1

    table: list[tuple[tuple[Fraction, ...], ...]] = []
    for _ in range(unobserved):
        masses = distribution(draw, points * possible)
        rows = [masses[a * possible : (a + 1) * possible] for a in range(points)]
        table.append(tuple(row if hole is None else (*row[:hole], Fraction(0), *row[hole:]) for row in rows))
    return Channel(table=tuple(table), latent=latent)


def channels(draw: Draw, length: int) -> tuple[tuple[Channel, ...], Distribution]:
    """A chain of composable channels and a prior for its start; degeneracies that would hide mistakes are noted."""
    sizes = [draw.integer(1, 3) for _ in range(length + 1)]
    latents = LATENTS if length == 1 else SMALL_LATENTS
    chain = tuple(channel(draw, before, after, latents) for before, after in pairwise(sizes))
    prior = distribution(draw, sizes[0])
    draw.observe("all spaces have the same size", len(set(sizes)) == 1)
    draw.observe("every latent space is one point", all(link.latent == () for link in chain))
    draw.observe("some channel has equal rows", any(len(set(link.table)) == 1 for link in chain))
    draw.observe("the prior is uniform", len(set(prior)) == 1)
    draw.observe("no observation is null", all(all(masses) for masses in evidences(chain, prior)))
    return chain, prior


def evidences(chain: tuple[Channel, ...], prior: Distribution) -> list[Distribution]:
    """The distribution of the observation after each link of a chain."""
    found: list[Distribution] = []
    for link in chain:
        prior = pushforward(link, prior)
        found.append(prior)
    return found


def inverter(draw: Draw, model: Channel, support: Support) -> AmortisedInverter:
    """An arbitrary prior-dependent inversion with the given support."""
    sizes = observed_size(model), unobserved_size(model), latent_size(model)
    weights = tuple(
        tuple(tuple(draw.integer(0, 9) for _ in range(sizes[2])) for _ in range(sizes[1])) for _ in range(sizes[0])
    )
    return AmortisedInverter(model, weights, positive_fraction(draw), support)


def lens(draw: Draw, model: Channel, support: Support) -> BayesianLens:
    """A lens over the channel: one time in three the exact one, else an arbitrary one with the given support."""
    return exact(model) if draw.integer(0, 2) == 2 else BayesianLens(model, inverter(draw, model, support))


def energy_table(draw: Draw, model: Channel) -> EnergyTable:
    """Arbitrary rational energies of points."""
    return tuple(tuple(tuple(energy(fraction(draw)) for _ in row) for row in block) for block in model.table)


def affine_entropy(draw: Draw, model: Channel) -> AffineEntropy:
    """An arbitrary rational entropy."""
    observations = range(observed_size(model))
    base = tuple(fraction(draw) for _ in observations)
    return AffineEntropy(
        base, tuple(tuple(fraction(draw) for _ in range(unobserved_size(model))) for _ in observations)
    )


def rational_games(draw: Draw, length: int) -> tuple[tuple[Game, ...], Distribution]:
    """A chain of games with arbitrary rational energies, entropies and inversions, and a prior for its start."""
    chain, prior = channels(draw, length)
    support = draw.choice((Support.EVERYWHERE, Support.PRIOR))
    games = tuple(
        Game(BayesianLens(link, inverter(draw, link, support)), energy_table(draw, link), affine_entropy(draw, link))
        for link in chain
    )
    return games, prior


def likelihood_games(draw: Draw, length: int) -> tuple[tuple[Game, ...], Distribution]:
    """A chain of games with l = -log c, Shannon entropies and answers dominated by the posterior, and a prior."""
    chain, prior = channels(draw, length)
    return tuple(likelihood_game(lens(draw, link, Support.POSTERIOR)) for link in chain), prior


def games(draw: Draw, length: int) -> tuple[tuple[Game, ...], Distribution]:
    """A chain of games of either kind."""
    return draw.choice((rational_games, likelihood_games))(draw, length)
