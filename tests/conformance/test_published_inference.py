"""Published values for finite channels, inversions and statistical games, from data/inference.json."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from lenticulum.numbers import log_rational
from lenticulum.spec.inference.channel import compose, pure, pushforward
from lenticulum.spec.inference.distribution import uniform
from lenticulum.spec.inference.energy import ZERO, energy, shannon_entropy
from lenticulum.spec.inference.game import Game, average, likelihood_game, loss, prior_game, zero_energy
from lenticulum.spec.inference.game import compose as compose_games
from lenticulum.spec.inference.inversion import compose_inversions, invert, marginal
from lenticulum.spec.inference.lens import BayesianLens, exact

DATA = Path(__file__).parent / "data" / "inference.json"
VECTORS = {entry["id"]: entry for entry in json.loads(DATA.read_text(encoding="utf-8"))["vectors"]}

# The entries on finite models; the others are on Gaussians, beliefs, graphs, implicit factors and diffusion.
COVERED = [
    "C6.compose_entropy",
    "M16.entropy_point",
    "M16.entropy_uniform",
    "M16.product",
    "W1.chain",
    "W1.inverse",
    "W1.pushforward",
    "W3.inversions",
    "W3.z1",
    "W3.z2",
    "W5.open_model",
]

tested = []


def on(*names):
    """Run the test on the inputs and the expected values of each named entry."""
    tested.extend(names)
    entries = [(VECTORS[name]["inputs"], VECTORS[name]["expected"]) for name in names]
    return pytest.mark.parametrize(("inputs", "expected"), entries, ids=names)


def distribution(strings):
    return tuple(map(Fraction, strings))


def channel(rows):
    return pure([distribution(row) for row in rows])


def rows_of(inversion):
    """The X-marginal of every answer."""
    return [marginal(posterior) for posterior in inversion]


def require_decimal(value, decimal):
    """`decimal` is correct to the digits shown, rounded or truncated: one unit of its last digit bounds the error."""
    unit = Fraction(1, 10 ** len(decimal.partition(".")[2]))
    assert bool(value >= energy(Fraction(decimal) - unit))
    assert bool(value <= energy(Fraction(decimal) + unit))


def require_energy(value, expected):
    logs = {
        int(name.removeprefix("log_")): Fraction(q) for name, q in expected["normal_form"].items() if name != "const"
    }
    assert value == log_rational(Fraction(expected["normal_form"].get("const", "0")), logs)
    require_decimal(value, expected["value"])


@on("C6.compose_entropy")
def test_composite_entropy_averages_the_upstream_samples(inputs, expected):
    upstream = tuple(energy(Fraction(sample)) for sample in inputs["Hc_samples"])
    own = energy(Fraction(inputs["Hd"]))
    one, three = pure([uniform(3)]), pure([[Fraction(1)]] * 3)
    trivial = BayesianLens(one, lambda prior: (((Fraction(1),),),) * 3)
    equal_weights = BayesianLens(three, lambda prior: (tuple((mass,) for mass in uniform(3)),))
    first = Game(trivial, zero_energy(one), lambda prior: upstream)
    second = Game(equal_weights, zero_energy(three), lambda prior: (own,))
    assert average(upstream, equal_weights.inverter(uniform(3))[0]) == energy(Fraction(expected["first"]))
    total = energy(Fraction(expected["first"]) + Fraction(expected["second"]))
    assert compose_games(first, second).entropy((Fraction(1),)) == (total,)


@on("M16.entropy_uniform")
def test_entropy_of_a_uniform_distribution_is_the_log_of_its_size(inputs, expected):
    value = shannon_entropy(distribution(inputs["p"]))
    assert value == log_rational(0, {4: 1})
    require_decimal(value, expected["value"])


@on("M16.entropy_point")
def test_entropy_of_a_point_mass_is_zero(inputs, expected):
    assert shannon_entropy(distribution(inputs["p"])) == energy(Fraction(expected)) == ZERO


@on("M16.product")
def test_pooling_two_categoricals_is_inversion_of_one_as_likelihood_at_the_other_as_prior(inputs, expected):
    a, b = distribution(inputs["a"]), distribution(inputs["b"])

    def pooled(prior, likelihood):
        return marginal(invert(pure([(mass, 1 - mass) for mass in likelihood]), prior)[0])

    assert pooled(a, b) == distribution(expected["a*b"])
    assert pooled(b, a) == distribution(expected["b*a"])


@on("W1.pushforward")
def test_pushforward_of_a_prior_along_two_channels(inputs, expected):
    prior, f, g = distribution(inputs["p"]), channel(inputs["f"]), channel(inputs["g"])
    assert pushforward(f, prior) == distribution(expected["f_*p"])
    assert pushforward(g, pushforward(f, prior)) == distribution(expected["(f;g)_*p"])
    assert pushforward(compose(f, g), prior) == distribution(expected["(f;g)_*p"])


@on("W1.inverse")
def test_bayesian_inverse_of_a_channel(inputs, expected):
    assert rows_of(invert(channel(inputs["f"]), distribution(inputs["p"]))) == [distribution(row) for row in expected]


@on("W1.chain")
def test_inverse_of_a_composite_is_the_composite_of_the_inverses(inputs, expected):
    prior, f, g = distribution(inputs["p"]), channel(inputs["f"]), channel(inputs["g"])
    rows = [distribution(row) for row in expected]
    assert rows_of(invert(compose(f, g), prior)) == rows
    assert rows_of(compose_inversions(invert(f, prior), invert(g, pushforward(f, prior)))) == rows


@on("W3.inversions")
def test_pushforward_evidence_and_inversions_of_a_two_stage_model(inputs, expected):
    prior, c, d = distribution(inputs["pi"]), channel(inputs["c"]), channel(inputs["d"])
    between = pushforward(c, prior)
    assert between == distribution(expected["c_*pi"])
    assert pushforward(d, between) == distribution(expected["p(z)"])
    assert rows_of(invert(c, prior)) == [distribution(row) for row in expected["c_dagger"]]
    assert rows_of(invert(d, between)) == [distribution(row) for row in expected["d_dagger"]]


@on("W3.z1", "W3.z2")
def test_free_energy_of_the_open_game_the_prior_and_the_closed_game(inputs, expected):
    prior, z, point = distribution(inputs["pi"]), int(inputs["z"]) - 1, (Fraction(1),)
    c, d = (likelihood_game(exact(channel(inputs[part]))) for part in "cd")
    open_game = compose_games(c, d)
    require_energy(loss(open_game, prior)[z], expected["open"])
    answer = open_game.lens.inverter(prior)[z]
    require_energy(average(loss(prior_game(prior), point), answer), expected["prior"])
    require_energy(loss(compose_games(prior_game(prior), open_game), point)[z], expected["closed"])


@on("W5.open_model")
def test_composite_open_model_keeps_the_value_in_between_as_latent(inputs, expected):
    humidity = channel([[inputs["cloudy"][state] for state in ("humid", "dry")]])
    rain = channel([[inputs[state][weather] for weather in ("rain", "none")] for state in ("humid", "dry")])
    model = compose(humidity, rain)
    outcomes = {
        f"{state},{weather}": model.table[0][a][y]
        for a, state in enumerate(("humid", "dry"))
        for y, weather in enumerate(("rain", "none"))
    }
    assert outcomes == {name: Fraction(mass) for name, mass in expected["joint"].items()}
    assert len(outcomes) == int(expected["outcomes"])
    assert sum(outcomes.values()) == Fraction(expected["total_mass"])
    assert pushforward(model, (Fraction(1),))[0] == Fraction(expected["p(rain)"])


def test_every_covered_entry_is_tested_and_the_rest_is_counted():
    assert len(VECTORS) == 128
    assert len(COVERED) == 11
    assert sorted(tested) == COVERED
    print(f"\ninference.json: {len(COVERED)} of {len(VECTORS)} entries are on finite models and covered: {COVERED}")
