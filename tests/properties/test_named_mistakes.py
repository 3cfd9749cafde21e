"""The classical mistakes of gradient-based learning are planted, each under its name in at least one law."""

import pytest
from law_tests import rejects

from lenticulum.spec.boolean.laws import LAWS as BOOLEAN_LAWS
from lenticulum.spec.container_laws import LAWS as CONTAINER_LAWS
from lenticulum.spec.layers.laws import LAWS as LAYER_LAWS
from lenticulum.spec.lenses.laws import LAWS as LENS_LAWS
from lenticulum.spec.loss_laws import LAWS as LOSS_LAWS
from lenticulum.spec.optimizers.laws import LAWS as OPTIMIZER_LAWS

LAWS = (*LENS_LAWS, *LAYER_LAWS, *OPTIMIZER_LAWS, *BOOLEAN_LAWS, *LOSS_LAWS, *CONTAINER_LAWS)

# The two mistakes of inference, a wrong prior and a forgotten one, are named in test_inference_laws.
NAMED = [
    "composition order",
    "missing sum at a copy",
    "put at the wrong point",
    "swapped parameter order",
    "tied gradient taken once",
    "transposed Jacobian",
    "rate applied twice",
    "stale parameters in the look-ahead",
    "zero jvp and vjp of the square",
    "momentum with the sign in print",
    "Adam storing corrected moments",
    "running variance fed the wrong estimate",
    "evaluation that updates state",
]


@pytest.mark.parametrize("mistake", NAMED)
def test_the_mistake_is_planted_and_caught_within_forty_cases(mistake):
    catching = [law for law in LAWS if mistake in law.planted]
    assert catching
    assert any(rejects(law, law.planted[mistake], seed=51, cases=40) for law in catching)


def test_every_law_has_one_name():
    names = [law.id for law in LAWS]
    assert len(set(names)) == len(names)


def test_every_law_rejects_something():
    assert all(law.planted for law in LAWS)
