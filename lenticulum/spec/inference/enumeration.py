"""Ground truth for chains of open models and games: enumerate every path, multiply along it, add up.

A chain c_1 : X -> Y, c_2 : Y -> Z, ... has the paths (x, a, y, b, z, ...). They are listed in row-major order, so
that the paths that end in z, without z, are laid out as the flattened posterior of the composite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from lenticulum.spec.inference.distribution import Distribution
from lenticulum.spec.inference.energy import ZERO, Energy
from lenticulum.spec.inference.game import Entropies, Game
from lenticulum.spec.inference.inversion import Inversion
from lenticulum.spec.inference.lens import BayesianLens
from lenticulum.terms.inference import Channel

Path = tuple[int, ...]
Table = tuple[tuple[tuple[Fraction, ...], ...], ...]


def paths_to(tables: Sequence[Table], end: int) -> list[Path]:
    """Every path (x, a, y, b, ..., end) through the chain."""
    sizes = [len(tables[0])]
    for table in tables:
        sizes += [len(table[0]), len(table[0][0])]
    return [(*path, end) for path in product(*map(range, sizes[:-1]))]


def ends(tables: Sequence[Table]) -> range:
    """The observations of the whole chain."""
    return range(len(tables[-1][0][0]))


def forward_mass(tables: Sequence[Table], prior: Distribution, path: Path) -> Fraction:
    """pi(x) c(a, y | x) d(b, z | y) ..., the joint probability of a path."""
    steps = zip(tables, path[:-1:2], path[1::2], path[2::2], strict=True)
    return prior[path[0]] * prod((table[x][a][y] for table, x, a, y in steps), start=Fraction(1))


def evidence(channels: Sequence[Channel], prior: Distribution) -> Distribution:
    """p(z), for every observation z of the whole chain; the prior itself for the empty chain."""
    tables = [channel.table for channel in channels]
    if not tables:
        return prior
    return tuple(
        sum((forward_mass(tables, prior, path) for path in paths_to(tables, end)), Fraction(0)) for end in ends(tables)
    )


def posteriors(channels: Sequence[Channel], prior: Distribution) -> tuple[Distribution | None, ...]:
    """p(path | z) over the paths to z, for every observation z of the whole chain; None if it is null."""
    tables = [channel.table for channel in channels]
    masses = [[forward_mass(tables, prior, path) for path in paths_to(tables, end)] for end in ends(tables)]
    return tuple(tuple(mass / sum(row) for mass in row) if any(row) else None for row in masses)


def answers(lenses: Sequence[BayesianLens], prior: Distribution) -> tuple[Distribution | None, ...]:
    """The product of the answers along each path to z, for every z; each lens is asked at its own pushed prior.

    None if some path that has mass so far meets an observation that its lens does not answer.
    """
    channels = [lens.channel for lens in lenses]
    tables = [channel.table for channel in channels]
    inversions = [lens.inverter(evidence(channels[:index], prior)) for index, lens in enumerate(lenses)]
    masses = [[_backward_mass(inversions, path) for path in paths_to(tables, end)] for end in ends(tables)]
    return tuple(None if None in row else tuple(mass for mass in row if mass is not None) for row in masses)


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


def free_energies(games: Sequence[Game], prior: Distribution) -> Entropies:
    """The loss of a chain of games at each z: along each path energies minus entropies, averaged over the answer."""
    channels = [game.lens.channel for game in games]
    tables = [channel.table for channel in channels]
    entropies = [game.entropy(evidence(channels[:index], prior)) for index, game in enumerate(games)]
    weights = answers([game.lens for game in games], prior)
    return tuple(
        None if row is None else _average(games, entropies, zip(row, paths_to(tables, end), strict=True))
        for end, row in enumerate(weights)
    )


def _average(
    games: Sequence[Game], entropies: Sequence[Entropies], weighted: Iterable[tuple[Fraction, Path]]
) -> Energy:
    total = ZERO
    for weight, path in weighted:
        for game, entropy, x, a, y in zip(games, entropies, path[:-1:2], path[1::2], path[2::2], strict=True):
            own = entropy[y]
            if weight != 0 and own is not None:
                total = total + (game.energy[x][a][y] - own) * weight
    return total
