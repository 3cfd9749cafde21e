"""The constants of the running error bound against what was proved of JAX and PyTorch on every binary32 input."""

import json
from pathlib import Path

import pytest

from lenticulum.numbers.magnitude import CONSTANTS

CERTIFICATES = Path(__file__).parents[2] / "docs" / "accuracy"

#: The primitives for which there is a campaign over all inputs.
PROVED = ("exp", "expm1", "log", "log1p", "rsqrt", "sin", "tanh", "erf", "sigmoid", "softplus")


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.parametrize("library", ["jax", "torch"])
def test_no_binary32_input_exceeds_the_constant(name, library):
    predicate = json.loads((CERTIFICATES / f"{name}-{library}.json").read_text())["predicate"]
    assert predicate["coverage"]["kind"] == "exhaustive"
    assert predicate["coverage"]["checked"] == 2**32
    # An ulp is at most 2 u |f| for a normal number, so an error of e ulp is at most 2 e units of u.
    assert 2 * float.fromhex(predicate["strata"]["regular"]["ulp"]["at_most"]) <= CONSTANTS[name]
