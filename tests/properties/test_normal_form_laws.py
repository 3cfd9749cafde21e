"""The normal form of terms obeys its laws, each law rejects its planted mistakes, fast programs stay bit for bit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum import fast
from lenticulum.check.engine import run_law
from lenticulum.spec.lenses.normal_laws import LAWS
from lenticulum.terms import (
    Add,
    BatchNorm,
    Bias,
    Compose,
    Copy,
    Dense,
    Dropout,
    Identity,
    Mode,
    Relu,
    Skip,
    Swap,
    Tanh,
    Tensor,
    freeze,
    normal_form,
    normalise,
)


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=31, cases=40)
    assert result.violation is None, str(result)
    assert result.checked == 40
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=32, cases=200)


F, G, H = Dense(2, 3), Relu(), Bias(3)
FLAT, NESTED = Compose((F, G, H)), Compose((Compose((H, G)), H))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Compose((Compose((F, G)), H)), FLAT),
        (Compose((F, Compose((G, H)))), FLAT),
        (Compose((Identity(), F, Compose((Identity(), G)), H, Identity())), FLAT),
        (Compose(()), Identity()),
        (Compose((Compose((Identity(),)),)), Identity()),
        (Compose((Compose((F,)),)), F),
        # Names that were given are kept, and what has them is one part.
        (Compose((F, G), ("embed", "act")) >> H, Compose((Compose((F, G), ("embed", "act")), H))),
        (Compose((F, Identity(), G), ("embed", "rest", "act")), Compose((F, G), ("embed", "act"))),
        (Compose((F, Identity()), ("layer_1", "rest")), F),
        (Compose((Compose((F, Identity()), ("layer_1", "rest")), H)), Compose((F, H))),
        # Halves are normalised, and an identity beside something stays: it is a wire.
        (Tensor(Compose((F, Identity())), Identity()), Tensor(F, Identity())),
        # Inside other containers and reparametrisations the names are spoken of.
        (Skip(NESTED, Add()), Skip(NESTED, Add())),
        (freeze(NESTED, "layer_2.bias"), freeze(NESTED, "layer_2.bias")),
    ],
)
def test_the_normal_form(term, expected):
    assert normalise(term) == expected
    assert normalise(expected) == expected


def test_the_moves_are_from_path_to_path():
    form = normal_form(Compose((Compose((Copy(), Tensor(F, Compose((F, Identity()))))), Swap())))
    assert form.moves == (
        (("layer_1", "layer_1"), ("layer_1",)),
        (("layer_1", "layer_2", "left"), ("layer_2", "left")),
        (("layer_1", "layer_2", "right", "layer_1"), ("layer_2", "right")),
        (("layer_2",), ("layer_3",)),
    )


def bits(tree):
    return [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(tree)]


def test_a_fast_program_and_its_state_stay_bit_for_bit():
    body = Compose((Compose((F, Identity(), BatchNorm(3))), Tanh()))
    term = Compose((Copy(), Tensor(Compose((body, H)), Compose((Identity(), F)))))
    form = normal_form(term)
    parameters, states = fast.setup(jax.random.key(5), term)
    x = jax.random.normal(jax.random.key(6), (4, 2))
    y, after = fast.apply(term, x, parameters, states, Mode.TRAIN, None)
    carried = form.parameters(parameters), form.states(states)
    z, normal_after = fast.apply(form.term, x, *carried, Mode.TRAIN, None)
    assert bits(y) == bits(z)
    assert bits(after) == bits(form.original_states(normal_after))
    slopes, slope = fast.put(term, x, parameters, states, Mode.TRAIN, None, y)
    normal_slopes, normal_slope = fast.put(form.term, x, *carried, Mode.TRAIN, None, y)
    assert bits(slopes) == bits(form.original_parameters(normal_slopes))
    assert bits(slope) == bits(normal_slope)


def test_a_part_that_draws_by_path_draws_from_its_new_path():
    term = Compose((Compose((Dropout(), Identity())), Dropout()))
    key, x = jax.random.key(1), jnp.ones(64)
    states = term.state_shapes()
    y, _ = fast.apply(term, x, term.parameter_shapes(), states, Mode.TRAIN, key)
    normal = normalise(term)
    z, _ = fast.apply(normal, x, normal.parameter_shapes(), normal.state_shapes(), Mode.TRAIN, key)
    assert bits(y) != bits(z)
