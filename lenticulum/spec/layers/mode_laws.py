"""Laws of modes on sequences of calls: what training may change, and that evaluation changes nothing.

States are compared bit for bit: as enclosures, by both ends. Evaluation before any training occurs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import ball
from lenticulum.spec.apply import apply
from lenticulum.spec.bitwise import bitwise_equal
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.keys import Key
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.layers import planted
from lenticulum.terms import BatchNorm, Compose, Dense, Dropout, LayerNorm, Mode, Tanh, Term, Tree, map_leaves

Apply = Callable[[Term, Data, Tree, Tree, Mode, Key | None], tuple[Data, Tree]]


@dataclass(frozen=True)
class Call:
    """One call of a sequence: train or evaluate on a batch; the key of an evaluation is None."""

    mode: Mode
    batch: Data
    key: Key | None


def evaluation_preserves_the_state(of: Apply, draw: Draw) -> None:
    """The state after an evaluation is the state before, and no key is consumed."""
    term, p, state = _after_some_calls(of, draw)
    _, after = of(term, _batch(draw), p, state, Mode.EVAL, None)
    require(bitwise_equal(after, state), "an evaluation changed the state", term=term, before=state, after=after)


def evaluation_is_repeatable(of: Apply, draw: Draw) -> None:
    """Two evaluations of one batch in a row give one output."""
    term, p, state = _after_some_calls(of, draw)
    batch = _batch(draw)
    first, after = of(term, batch, p, state, Mode.EVAL, None)
    second, _ = of(term, batch, p, after, Mode.EVAL, None)
    require(bitwise_equal(first, second), "two evaluations differ", term=term, first=first, second=second)


def evaluations_can_be_erased(of: Apply, draw: Draw) -> None:
    """A word over train and eval ends in the state of its training calls alone, whose outputs are the same too."""
    term, p = _layers(draw)
    word = [_call(draw, Mode.EVAL), _call(draw, Mode.TRAIN), *_word(draw), _call(draw, Mode.TRAIN)]
    erased = [call for call in word if call.mode is Mode.TRAIN]
    outputs, state = _run(of, term, p, _initial(draw, term), word)
    trained = [y for y, call in zip(outputs, word, strict=True) if call.mode is Mode.TRAIN]
    alone, expected = _run(of, term, p, _initial(draw, term), erased)
    modes = [call.mode.value for call in word]
    require(bitwise_equal(state, expected), "erasing evaluations changes the state", term=term, word=modes)
    require(bitwise_equal(tuple(trained), tuple(alone)), "an evaluation changes a later draw", term=term, word=modes)


def training_updates_once(of: Apply, draw: Draw) -> None:
    """Counters go up by one, and running means move once: r' - b = (1 - w) (r - b) is checked by containment."""
    w = draw.choice([Fraction(1, 10), Fraction(1, 4), Fraction(2, 3)])
    term = Compose(
        (BatchNorm(2, new_weight=w, epsilon=Fraction(1, 8), before_first_step="plain"), Dropout(draws="seed_stream"))
    )
    p, state = _parameters(draw, term), _initial(draw, term)
    rows = [[fraction(draw), fraction(draw)] for _ in range(draw.integer(2, 4))]
    _, after = of(term, ball(rows), p, state, Mode.TRAIN, None)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    once = [(1 - w) * r + w * b for r, b in zip(_values(state.layer_1.running_mean), means, strict=True)]
    moved = after.layer_1.running_mean
    inside = all(low <= r <= high for low, r, high in zip(_low(moved), once, _high(moved), strict=True))
    require(inside, "the running mean did not move exactly once", w=w, batch=means, after=moved, expected=once)
    counts = int(state.layer_2.count), int(after.layer_2.count)
    require(counts[1] == counts[0] + 1, "the counter did not go up by exactly one", counts=counts)


def training_changes_only_what_is_declared(of: Apply, draw: Draw) -> None:
    """The frame: names stay, and of the leaves only running statistics and counts may change."""
    term, p = _layers(draw)
    state = _initial(draw, term)
    _, after = _run(of, term, p, state, [_call(draw, Mode.TRAIN)])
    require(after.paths() == state.paths(), "the names of the state changed", before=state.paths(), after=after.paths())
    for path in state.paths():
        if path[-1] not in ("running_mean", "running_variance", "count"):
            same = bitwise_equal(state.at(path), after.at(path))
            require(same, f"training changed {'.'.join(path)}", before=state.at(path), after=after.at(path))


def layer_norm_has_no_mode(of: Apply, draw: Draw) -> None:
    """Layers without state and chance give one output in both modes."""
    term = Compose((Dense(2, 3), LayerNorm(3, epsilon=Fraction(1, 8)), Tanh(), Dense(3, 2)))
    p, state, batch = _parameters(draw, term), term.state_shapes(), _batch(draw)
    (trained, _), (evaluated, _) = (of(term, batch, p, state, mode, None) for mode in (Mode.TRAIN, Mode.EVAL))
    require(bitwise_equal(trained, evaluated), "the mode shows", train=trained, eval=evaluated)


def _layers(draw: Draw) -> tuple[Term, Tree]:
    """Two to four layers on two features, among them a batch norm under random conventions, and its parameters."""
    kinds = [draw.choice(["dense", "tanh", "key", "stream", "batch"]) for _ in range(draw.integer(1, 3))]
    kinds.insert(draw.integer(0, len(kinds)), "batch")
    term = Compose(tuple(_layer(draw, kind) for kind in kinds))
    return term, _parameters(draw, term)


def _layer(draw: Draw, kind: str) -> Term:
    if kind == "dense":
        return Dense(2, 2)
    if kind == "tanh":
        return Tanh()
    if kind in ("key", "stream"):
        return Dropout(draw.choice([Fraction(1, 4), Fraction(2, 3)]), draws="key" if kind == "key" else "seed_stream")
    return BatchNorm(
        2,
        epsilon=Fraction(1, 8),
        new_weight=draw.choice([Fraction(1, 10), Fraction(1, 4)]),
        running_variance=draw.choice(["sample", "population"]),
        normaliser=draw.choice(["batch", "running"]),
        start=draw.choice(["plain", "corrected", "first_batch", "cumulative"]),
    )


def _after_some_calls(of: Apply, draw: Draw) -> tuple[Term, Tree, Tree]:
    """A term, its parameters, and its state after a word of none to three calls."""
    term, p = _layers(draw)
    word = _word(draw)
    draw.observe("evaluated after training only", any(call.mode is Mode.TRAIN for call in word))
    _, state = _run(of, term, p, _initial(draw, term), word)
    return term, p, state


def _word(draw: Draw) -> list[Call]:
    return [_call(draw, draw.choice([Mode.TRAIN, Mode.EVAL])) for _ in range(draw.integer(0, 3))]


def _call(draw: Draw, mode: Mode) -> Call:
    return Call(mode, _batch(draw), (draw.bits(32), draw.bits(32)) if mode is Mode.TRAIN else None)


def _run(of: Apply, term: Term, p: Tree, state: Tree, word: list[Call]) -> tuple[list[Data], Tree]:
    outputs: list[Data] = []
    for call in word:
        y, state = of(term, call.batch, p, state, call.mode, call.key)
        outputs.append(y)
    return outputs, state


def _batch(draw: Draw) -> Data:
    return ball([[fraction(draw), fraction(draw)] for _ in range(draw.integer(2, 4))])


def _parameters(draw: Draw, term: Term) -> Tree:
    def leaf(shape: tuple[int, ...]) -> Any:
        return ball(_nested(draw, shape))

    return map_leaves(leaf, term.parameter_shapes())


def _nested(draw: Draw, shape: tuple[int, ...]) -> object:
    return [_nested(draw, shape[1:]) for _ in range(shape[0])] if shape else fraction(draw)


def _initial(draw: Draw, term: Term) -> Tree:
    """The state before the first call: running mean 0, running variance 1, a fixed seed, counts 0."""
    state = term.state_shapes()
    fresh: dict[str, Any] = {
        "running_mean": ball([0, 0]),
        "running_variance": ball([1, 1]),
        "seed": np.array([20, 26], dtype=np.uint32),
        "count": np.uint32(0),
    }
    for path in state.paths():
        state = state.with_leaf(path, fresh[path[-1]])
    return state


def _values(x: Any) -> list[Fraction]:
    return x.midpoint().tolist()


def _low(x: Any) -> list[Fraction]:
    return x.lower().tolist()


def _high(x: Any) -> list[Fraction]:
    return x.upper().tolist()


SOURCE = "stated for this library; modes and buffers as in George et al. 2026 (TorchLean), arXiv:2602.22631"

LAWS: tuple[Law[Apply], ...] = (
    Law(
        "eval-preserves-state",
        "the state after an evaluation is the state before, bit for bit, and no key is consumed",
        SOURCE,
        Grade.EXACT,
        apply,
        evaluation_preserves_the_state,
        {"evaluation that updates state": planted.evaluation_that_updates_state},
    ),
    Law(
        "eval-repeatable",
        "two evaluations in a row give one output, bit for bit",
        SOURCE,
        Grade.EXACT,
        apply,
        evaluation_is_repeatable,
        {"evaluation that updates state": planted.evaluation_that_updates_state},
    ),
    Law(
        "eval-erasable",
        "a word over train and eval ends in the state of its training calls alone",
        SOURCE,
        Grade.EXACT,
        apply,
        evaluations_can_be_erased,
        {"evaluation that updates state": planted.evaluation_that_updates_state},
    ),
    Law(
        "one-update-per-training-application",
        "counters go up by one, and r' = (1 - w) r + w b once",
        SOURCE,
        Grade.ENCLOSED,
        apply,
        training_updates_once,
        {"two updates": planted.two_updates},
    ),
    Law(
        "training-frame",
        "training changes only running statistics and counts",
        SOURCE,
        Grade.EXACT,
        apply,
        training_changes_only_what_is_declared,
        {"seed redrawn": planted.redrawn_seed},
    ),
    Law(
        "mode-free",
        "layers without state and chance give one output in both modes",
        "Ba, Kiros and Hinton 2016, arXiv:1607.06450: one computation in training and evaluation",
        Grade.EXACT,
        apply,
        layer_norm_has_no_mode,
        {"output halved in training": planted.output_halved_in_training},
    ),
)
