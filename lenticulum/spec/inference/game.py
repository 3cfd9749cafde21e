"""Statistical games: a Bayesian lens, an energy of points, an entropy of distributions (AutoBayes, Def. 20-25)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from lenticulum.spec.inference import lens as bayesian_lens
from lenticulum.spec.inference.channel import (
    latent_size,
    observed_size,
    prior_channel,
    pushforward,
    unobserved_size,
)
from lenticulum.spec.inference.distribution import Distribution, marginals
from lenticulum.spec.inference.energy import ZERO, Energy, expectation, negative_log, shannon_entropy
from lenticulum.spec.inference.inversion import Inversion, Inverter, Posterior, answers, flatten, marginal
from lenticulum.spec.inference.lens import BayesianLens
from lenticulum.terms.inference import Channel

# energy[x][a][y]: an energy of points, laid out as the table of the channel.
EnergyTable = tuple[tuple[tuple[Energy, ...], ...], ...]
# entropy(pi)[y]: an entropy of the answer to y at the prior pi; None where the inversion is.
Entropies = tuple[Energy | None, ...]


@dataclass(frozen=True)
class Game:
    """(c, c', l, H): a Bayesian lens, an energy l(x, a, y) and an entropy H(pi, y) (Def. 20).

    Energies are not restricted to be non-negative: an open game has negative free energies even with l = -log c
    (non-law N3).
    """

    lens: BayesianLens
    energy: EnergyTable
    entropy: Callable[[Distribution], Entropies]


def loss(game: Game, prior: Distribution) -> Entropies:
    """The free energy of each observation.

    F(pi, y) = E_{(x, a) ~ c'_pi(y)}[l(x, a, y)] - H(pi, y), and None where c' does not answer y.
    """
    inversion, entropies = game.lens.inverter(prior), game.entropy(prior)
    return tuple(
        None if posterior is None or entropy is None else expected_energy(game, posterior, y) - entropy
        for y, (posterior, entropy) in enumerate(zip(inversion, entropies, strict=True))
    )


def expected_energy(game: Game, posterior: Posterior, y: int) -> Energy:
    """E[l(x, a, y)] over a distribution of (x, a)."""
    return expectation(flatten(posterior), (row[y] for block in game.energy for row in block))


def negative_log_likelihood(channel: Channel) -> EnergyTable:
    """l(x, a, y) = -log c(a, y | x), and +∞ on the zeros of c."""
    return tuple(tuple(tuple(negative_log(mass) for mass in row) for row in block) for block in channel.table)


def shannon(inverter: Inverter) -> Callable[[Distribution], Entropies]:
    """The Shannon entropy of the answers of an inversion, H(pi, y) = H(c'_pi(y))."""
    return partial(_shannon_entropies, inverter)


def _shannon_entropies(inverter: Inverter, prior: Distribution) -> Entropies:
    return tuple(None if answer is None else shannon_entropy(flatten(answer)) for answer in inverter(prior))


def zero_entropy(size: int) -> Callable[[Distribution], Entropies]:
    """H = 0 at every observation."""
    return lambda prior: (ZERO,) * size


def zero_energy(channel: Channel) -> EnergyTable:
    """l = 0 at every point."""
    return (((ZERO,) * observed_size(channel),) * latent_size(channel),) * unobserved_size(channel)


def likelihood_game(lens: BayesianLens) -> Game:
    """The game with l = -log c and the Shannon entropy of its own answers: variational inference."""
    return Game(lens, negative_log_likelihood(lens.channel), shannon(lens.inverter))


def identity_game(size: int) -> Game:
    """The identity lens with l = H = 0."""
    lens = bayesian_lens.identity(size)
    return Game(lens, zero_energy(lens.channel), zero_entropy(size))


def prior_game(prior: Distribution) -> Game:
    """A prior pi as a game 1 -o X: nothing to infer, l = -log pi, H = 0 (Rem. 24).

    Without it a free energy misses the term -log pi(x).
    """
    lens = BayesianLens(prior_channel(prior), lambda unit: (((Fraction(1),),),) * len(prior))
    return Game(lens, negative_log_likelihood(lens.channel), zero_entropy(len(prior)))


def average(upstream: Entropies, row: Posterior) -> Energy | None:
    """E_{(y, b) ~ row}[upstream(y)]: the average of an upstream quantity under the downstream answer.

    None if the answer gives mass to a y where the quantity is undefined.
    """
    if not answers(upstream, row):
        return None
    return expectation(marginal(row), [ZERO if value is None else value for value in upstream])


def accumulate(upstream: Entropies, inversion: Inversion, downstream: Entropies) -> Entropies:
    """E_{(y, b) ~ d'(z)}[upstream(y)] + downstream(z): how entropies and free energies compose along a lens."""
    return tuple(
        None if row is None else add(average(upstream, row), own)
        for row, own in zip(inversion, downstream, strict=True)
    )


def add(left: Energy | None, right: Energy | None) -> Energy | None:
    """The sum, defined where both terms are."""
    return None if left is None or right is None else left + right


def compose(first: Game, second: Game) -> Game:
    """The game `first` then `second` (Def. 22).

    Lenses by Def. 12;   l(x, (a, y, b), z) = l_c(x, a, y) + l_d(y, b, z);
    H(pi, z) = E_{(y, b) ~ d'_{c_*pi}(z)}[H_c(pi, y)] + H_d(c_*pi, z).

    Theorem 23: F(pi, z) = E_{(y, b) ~ d'_{c_*pi}(z)}[F_c(pi, y)] + F_d(c_*pi, z).
    """
    energy = tuple(
        tuple(
            tuple(upstream + downstream for downstream in row)
            for latents in block
            for upstream, following in zip(latents, second.energy, strict=True)
            for row in following
        )
        for block in first.energy
    )

    entropy = partial(_entropies_in_sequence, first, second)
    return Game(bayesian_lens.compose(first.lens, second.lens), energy, entropy)


def _entropies_in_sequence(first: Game, second: Game, prior: Distribution) -> Entropies:
    between = pushforward(first.lens.channel, prior)
    return accumulate(first.entropy(prior), second.lens.inverter(between), second.entropy(between))


def tensor(first: Game, second: Game) -> Game:
    """Two games side by side: energies and entropies add, and the entropies read only the marginals (Def. 25)."""
    energy = tuple(
        tuple(tuple(left + right for left in row for right in other_row) for row in block for other_row in other_block)
        for block in first.energy
        for other_block in second.energy
    )

    entropy = partial(_entropies_in_parallel, first, second)
    return Game(bayesian_lens.tensor(first.lens, second.lens), energy, entropy)


def _entropies_in_parallel(first: Game, second: Game, prior: Distribution) -> Entropies:
    sizes = unobserved_size(first.lens.channel), unobserved_size(second.lens.channel)
    of_first, of_second = marginals(prior, *sizes)
    return tuple(add(left, right) for left in first.entropy(of_first) for right in second.entropy(of_second))
