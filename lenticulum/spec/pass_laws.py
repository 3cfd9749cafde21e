"""One law over every backward pass: the answer of a composite is the join of the answers of its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import TypeVar

from lenticulum.numbers import ExactArray
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.inference.channel import pushforward
from lenticulum.spec.inference.distribution import Distribution, uniform
from lenticulum.spec.inference.game import Game
from lenticulum.spec.inference.game_laws import averaging_forward
from lenticulum.spec.inference.generators import channels, games
from lenticulum.spec.inference.inversion import Inversion, compose_inversions
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.cases import polynomial
from lenticulum.spec.passes import (
    BAYESIAN_INVERSION,
    FREE_ENERGY,
    REVERSE_DERIVATIVE,
    Answer,
    ExactMap,
    Pass,
    push_through_game,
)
from lenticulum.terms.inference import Channel

F = TypeVar("F")
C = TypeVar("C")
B = TypeVar("B")


def functor_law(
    backward: Pass[F, C, B],
    chain: Callable[[Draw], tuple[Sequence[F], C]],
    planted: Mapping[str, Pass[F, C, B]],
    *,
    id: str,
    statement: str,
    source: str,
) -> Law[Pass[F, C, B]]:
    """The law back(f;g, c) = join(back(f, c), back(g, push(f, c))) of one pass, over chains drawn by `chain`.

    The whole chain is answered at once; its parts are answered one by one and joined from the left and from the right,
    so that associativity is checked as well.
    """

    def check(backward: Pass[F, C, B], draw: Draw) -> None:
        parts, context = chain(draw)
        whole = backward.back(reduce(backward.compose, parts), context)
        answers: list[B] = []
        carried = context
        for part in parts:
            answers.append(backward.back(part, carried))
            carried = backward.push(part, carried)
        left = reduce(backward.join, answers)
        right = reduce(lambda later, earlier: backward.join(earlier, later), reversed(answers))
        witness = {"parts": parts, "context": context, "composite": whole}
        require(whole == left, "the composite differs from the join of its parts", joined=left, **witness)
        require(whole == right, "the composite differs from the join from the right", joined=right, **witness)

    return Law(id, statement, source, Grade.EXACT, backward, check, planted)


def polynomial_chain(draw: Draw) -> tuple[tuple[ExactMap, ...], ExactArray]:
    """A chain of two or three polynomial maps and a point."""
    sizes = [draw.integer(1, 3) for _ in range(draw.integer(3, 4))]
    draw.observe("all spaces have the same size", len(set(sizes)) == 1)
    chain = tuple(polynomial(draw, before, after) for before, after in pairwise(sizes))
    return chain, rational_array(draw, (sizes[0],))


def channel_chain(draw: Draw) -> tuple[tuple[Channel, ...], Distribution]:
    """A chain of two or three channels and a prior."""
    return channels(draw, draw.integer(2, 3))


def game_chain(draw: Draw) -> tuple[tuple[Game, ...], Distribution]:
    """A chain of two or three games and a prior."""
    return games(draw, draw.integer(2, 3))


def stale_push(forward: Callable[[F, Distribution], Distribution]) -> Callable[[F, Distribution], Distribution]:
    """The mistake of asking the downstream part at the unpushed prior, wherever it has the right size."""

    def push(part: F, prior: Distribution) -> Distribution:
        pushed = forward(part, prior)
        return prior if len(prior) == len(pushed) else pushed

    return push


def forgetful_push(forward: Callable[[F, Distribution], Distribution]) -> Callable[[F, Distribution], Distribution]:
    """The mistake of forgetting the prior: everything downstream is asked at the uniform one."""
    return lambda part, prior: uniform(len(forward(part, prior)))


def join_filing_last(upstream: Inversion, downstream: Inversion) -> Inversion:
    """The mistake of filing the value in between behind both latent values: (a, b, y) for (a, y, b)."""
    joined = compose_inversions(upstream, downstream)
    sizes = {len(row[0]) for row in upstream if row is not None}
    if not sizes:
        return joined
    between, latents = len(upstream), sizes.pop()
    return tuple(
        None
        if row is None or answered is None
        else tuple(
            tuple(
                masses[(a * between + y) * len(answered[0]) + b]
                for a in range(latents)
                for b in range(len(answered[0]))
                for y in range(between)
            )
            for masses in row
        )
        for row, answered in zip(joined, downstream, strict=True)
    )


def join_dropping_upstream(upstream: Answer, downstream: Answer) -> Answer:
    """The mistake of keeping only the free energy of the last game."""
    return Answer(compose_inversions(upstream.inversion, downstream.inversion), downstream.free_energy)


def untransposed(function: ExactMap, point: ExactArray) -> ExactArray:
    """The mistake of handing back the Jacobian where its transpose is due, wherever the sizes agree."""
    matrix = REVERSE_DERIVATIVE.back(function, point)
    return matrix.T if matrix.shape[0] == matrix.shape[1] else matrix


def stale_point(function: ExactMap, point: ExactArray) -> ExactArray:
    """The mistake of differentiating the later map at the earlier point, wherever it has the right size."""
    pushed = REVERSE_DERIVATIVE.push(function, point)
    return point if point.shape == pushed.shape else pushed


LAWS = (
    functor_law(
        REVERSE_DERIVATIVE,
        polynomial_chain,
        {
            "put at the wrong point": replace(REVERSE_DERIVATIVE, push=stale_point),
            "transposed Jacobian": replace(REVERSE_DERIVATIVE, back=untransposed),
        },
        id="pass.reverse-derivative",
        statement="R[f;g](x) = R[f](x) R[g](f(x)) for the transposed Jacobians of polynomial maps",
        source="arXiv:1910.07065, RD.5",
    ),
    functor_law(
        BAYESIAN_INVERSION,
        channel_chain,
        {
            "inversion at the wrong prior": replace(BAYESIAN_INVERSION, push=stale_push(pushforward)),
            "prior forgotten": replace(BAYESIAN_INVERSION, push=forgetful_push(pushforward)),
            "value in between filed last": replace(BAYESIAN_INVERSION, join=join_filing_last),
        },
        id="B3",
        statement="Theorem 13: (d.c)†_pi(x, (a, y, b) | z) = c†_pi(x, a | y) d†_{c_*pi}(y, b | z) where p(z) > 0",
        source="arXiv:2503.18608, Theorem 13; arXiv:2006.01631, Theorem 5.2",
    ),
    functor_law(
        FREE_ENERGY,
        game_chain,
        {
            "inversion at the wrong prior": replace(FREE_ENERGY, push=stale_push(push_through_game)),
            "prior forgotten": replace(FREE_ENERGY, push=forgetful_push(push_through_game)),
            "entropy averaged under the upstream law": replace(FREE_ENERGY, compose=averaging_forward),
            "upstream free energy dropped": replace(FREE_ENERGY, join=join_dropping_upstream),
        },
        id="F1",
        statement="Theorem 23: F_dc(pi, z) = E_{(y, b) ~ d'_{c_*pi}(z)}[F_c(pi, y)] + F_d(c_*pi, z)",
        source="arXiv:2503.18608, Definition 22 and Theorem 23",
    ),
)
