"""The comparison of the two interpreters rejects a wrong parameter map, and accepts the right one."""

import jax.numpy as jnp
import pytest

from lenticulum.check import random_data
from lenticulum.check.agreement import reference, traced
from lenticulum.check.draw import SeededDraw
from lenticulum.check.random_cases import Case
from lenticulum.fast.parameter_maps import low_rank_at, replaced
from lenticulum.fast.reparametrise import MAPS
from lenticulum.terms import (
    Compose,
    Dense,
    Hypernetwork,
    LowRank,
    Mode,
    Reparametrise,
    Symmetric,
    Tanh,
    Tree,
    WeightNorm,
)

RIGHT_GENERATOR = MAPS[Hypernetwork]


def scale_forgotten(parameters, *, paths, scale, frozen):
    return low_rank_at(parameters, paths=paths, scale=1, frozen=frozen)


def not_halved(parameters, *, paths):
    return replaced(parameters, paths, lambda weight: weight + weight.T)


def by_columns(parameters, *, paths):
    def normalised(entry):
        length = jnp.sqrt(jnp.square(entry.direction).sum(axis=0, keepdims=True))
        gain = jnp.broadcast_to(entry.gain[:, None], entry.direction.shape)
        return gain * entry.direction / jnp.broadcast_to(length, entry.direction.shape)

    return replaced(parameters, paths, normalised)


def last_first(parameters, *, path, generator, shapes):
    made = RIGHT_GENERATOR(parameters, path=path, generator=generator, shapes=shapes)
    names = tuple(path.split("."))
    return made.with_leaf(names, made.at(names)[::-1])


MISTAKES = {
    "scale forgotten": (LowRank, scale_forgotten),
    "sum instead of mean": (Symmetric, not_halved),
    "length of columns": (WeightNorm, by_columns),
    "last number first": (Hypernetwork, last_first),
}
TERMS = {
    LowRank: Reparametrise(Dense(3, 4), LowRank(("weight",), 2, "3/10")),
    Symmetric: Reparametrise(Dense(3, 3), Symmetric(("weight",))),
    WeightNorm: Reparametrise(Dense(3, 4), WeightNorm(("weight",))),
    Hypernetwork: Reparametrise(Dense(3, 4), Hypernetwork("bias", Dense(2, 4) >> Tanh(), 2)),
}


def drawn(kind, number):
    """A random point of a dense layer under this map."""
    term, draw = TERMS[kind], SeededDraw(2026, number)
    return Case(
        outermost=Compose,
        term=term,
        x=random_data.data(draw, 3, (2,)),
        parameters=random_data.parameters(draw, term.parameter_shapes()),
        state=random_data.state(draw, term.state_shapes()),
        mode=Mode.EVAL,
        key=(0, 0),
        cotangent=random_data.data(draw, term.target(3), (2,)),
        update=None,
        update_state=Tree(),
    )


def differs(case):
    return bool(reference(case).violations(*traced(case).op_by_op()))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_parameter_map_is_rejected_and_the_right_one_is_not(monkeypatch, mistake):
    kind, wrong = MISTAKES[mistake]
    cases = [drawn(kind, number) for number in range(5)]
    assert not any(map(differs, cases))
    monkeypatch.setitem(MAPS, kind, wrong)
    assert all(map(differs, cases)), mistake
