"""The three backward passes as instances of one protocol: reverse derivative, Bayesian inversion, free energy.

A context (a point, a prior) is pushed forward along each part; each part is answered backward in its own context; the
answers are joined. One law says that this is the answer of the composite:

    back(f;g, c) = join(back(f, c), back(g, push(f, c)))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from lenticulum.numbers import ExactArray, jvp, stack
from lenticulum.spec.inference import channel as open_model
from lenticulum.spec.inference import game as statistical_game
from lenticulum.spec.inference.channel import pushforward
from lenticulum.spec.inference.distribution import Distribution
from lenticulum.spec.inference.game import Entropies, Game, accumulate, loss
from lenticulum.spec.inference.inversion import Inversion, compose_inversions, invert
from lenticulum.terms.inference import Channel

F = TypeVar("F")  # what is composed
C = TypeVar("C")  # its context
B = TypeVar("B")  # its backward answer

# A map of vectors, written once for every number system, so that its derivative is taken by running it on dual numbers.
ExactMap = Callable[[ExactArray], ExactArray]


@dataclass(frozen=True)
class Pass(Generic[F, C, B]):
    """compose(f, g) is f;g, first f. push(f, c) carries a context forward. back(f, c) answers backward in a context.
    join(back_f, back_g) combines the answers of the parts."""

    compose: Callable[[F, F], F]
    push: Callable[[F, C], C]
    back: Callable[[F, C], B]
    join: Callable[[B, B], B]


def transposed_derivative(function: ExactMap, point: ExactArray) -> ExactArray:
    """The reverse derivative of f at a point as a matrix of shape (inputs, outputs).

    R[f](x) = J(x)^T: one forward derivative (`jvp`) per input, stacked as rows.
    """
    places = range(len(point))
    directions = [stack([point.lift(int(i == j)) for j in places]) for i in places]
    return stack([jvp(function, (point,), (direction,))[1] for direction in directions])


def compose_maps(first: ExactMap, second: ExactMap) -> ExactMap:
    """The map `first` then `second`."""
    return lambda point: second(first(point))


@dataclass(frozen=True)
class Answer:
    """The backward answer of a statistical game: its inversion table and its free energy per observation."""

    inversion: Inversion
    free_energy: Entropies


def answer(game: Game, prior: Distribution) -> Answer:
    """(c'_pi, F(pi, -)) of a game."""
    return Answer(game.lens.inverter(prior), loss(game, prior))


def join_answers(upstream: Answer, downstream: Answer) -> Answer:
    """Theorem 23: the upstream free energy is averaged under the downstream inversion, and the downstream one is added.

    F(pi, z) = E_{(y, b) ~ d'_{c_*pi}(z)}[F_c(pi, y)] + F_d(c_*pi, z)
    """
    return Answer(
        compose_inversions(upstream.inversion, downstream.inversion),
        accumulate(upstream.free_energy, downstream.inversion, downstream.free_energy),
    )


def push_through_game(game: Game, prior: Distribution) -> Distribution:
    """The prior of whatever comes after the game."""
    return pushforward(game.lens.channel, prior)


# R[f;g](x) = R[f](x) R[g](f(x)): the transposed Jacobians multiply in the order of composition.
REVERSE_DERIVATIVE: Pass[ExactMap, ExactArray, ExactArray] = Pass(
    compose=compose_maps,
    push=lambda function, point: function(point),
    back=transposed_derivative,
    join=lambda upstream, downstream: upstream @ downstream,
)

# Theorem 13: (d.c)†_pi = d†_{c_*pi} then c†_pi.
BAYESIAN_INVERSION: Pass[Channel, Distribution, Inversion] = Pass(
    compose=open_model.compose, push=pushforward, back=invert, join=compose_inversions
)

# Theorem 23.
FREE_ENERGY: Pass[Game, Distribution, Answer] = Pass(
    compose=statistical_game.compose, push=push_through_game, back=answer, join=join_answers
)
