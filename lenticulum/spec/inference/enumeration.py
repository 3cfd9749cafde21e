"""Ground truth for chains of open models and games: enumerate every path, multiply along it, add up.

A chain c_1 : X -> Y, c_2 : Y -> Z, ... has the paths (x, a, y, b, z, ...). They are listed in row-major order, so
that the paths that end in z, without z, are laid out as the flattened posterior of the composite.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from lenticulum.spec.inference.channel import latent_size, observed_size
from lenticulum.spec.inference.distribution import Distribution
from lenticulum.spec.inference.energy import ZERO, Energy
from lenticulum.spec.inference.game import Game
from lenticulum.spec.inference.inversion import Inversion
from lenticulum.spec.inference.lens import BayesianLens
from lenticulum.terms.inference import Channel

Path = tuple[int, ...]


def paths_to(channels: Sequence[Channel], end: int) -> list[Path]:
    """Every path (x, a, y, b, ..., end) through the chain."""
    sizes = [len(channels[0].table)]
    for channel in channels:
        sizes += [latent_size(channel), observed_size(channel)]
    return [(*path, end) for path in product(*map(range, sizes[:-1]))]


def forward_mass(channels: Sequence[Channel], prior: Distribution, path: Path) -> Fraction:
    """pi(x) c(a, y | x) d(b, z | y) ..., the joint probability of a path."""
    steps = zip(channels, path[:-1:2], path[1::2], path[2::2], strict=True)
    return prior[path[0]] * prod((channel.table[x][a][y] for channel, x, a, y in steps), start=Fraction(1))


def evidence(channels: Sequence[Channel], prior: Distribution) -> Distribution:
    """p(z), for every observation z of the whole chain; the prior itself for the empty chain."""
    if not channels:
        return prior
    return tuple(
        sum((forward_mass(channels, prior, path) for path in paths_to(channels, end)), Fraction(0))
        for end in range(observed_size(channels[-1]))
    )


def posterior(channels: Sequence[Channel], prior: Distribution, end: int) -> Distribution | None:
    """p(path | end) for the paths that end in `end`; None if the observation is null."""
    masses = [forward_mass(channels, prior, path) for path in paths_to(channels, end)]
    total = sum(masses)
    return None if total == 0 else tuple(mass / total for mass in masses)


def answer(lenses: Sequence[BayesianLens], prior: Distribution, end: int) -> Distribution | None:
    """The product of the answers along each path to `end`, each lens asked at its own pushed-forward prior.

    None if some path that has mass so far meets an observation that its lens does not answer.
    """
    channels = [lens.channel for lens in lenses]
    inversions = [lens.inverter(evidence(channels[:index], prior)) for index, lens in enumerate(lenses)]
    masses = [_backward_mass(inversions, path) for path in paths_to(channels, end)]
    return None if None in masses else tuple(mass for mass in masses if mass is not None)


def _backward_mass(inversions: Sequence[Inversion], path: Path) -> Fraction | None:
    weight = Fraction(1)
    for inversion, x, a, y in reversed(list(zip(inversions, path[:-1:2], path[1::2], path[2::2], strict=True))):
        row = inversion[y]
        if weight == 0:
            return weight
        if row is None:
            return None
        weight *= row[x][a]
    return weight


def free_energy(games: Sequence[Game], prior: Distribution, end: int) -> Energy | None:
    """The loss of a chain of games: along each path energies minus entropies, averaged over the answer to `end`."""
    channels = [game.lens.channel for game in games]
    weights = answer([game.lens for game in games], prior, end)
    if weights is None:
        return None
    entropies = [game.entropy(evidence(channels[:index], prior)) for index, game in enumerate(games)]
    total = ZERO
    for weight, path in zip(weights, paths_to(channels, end), strict=True):
        for game, entropy, x, a, y in zip(games, entropies, path[:-1:2], path[1::2], path[2::2], strict=True):
            own = entropy[y]
            if weight != 0 and own is not None:
                total = total + (game.energy[x][a][y] - own) * weight
    return total
