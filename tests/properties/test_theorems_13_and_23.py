"""Theorems 13 and 23 as exact equalities on 500 random finite models each, zeros included."""

from collections import Counter

from lenticulum.check.draw import SeededDraw
from lenticulum.spec.inference import enumeration, game
from lenticulum.spec.inference.channel import compose, pushforward
from lenticulum.spec.inference.energy import INFINITE, energy, is_finite
from lenticulum.spec.inference.game import Game, loss
from lenticulum.spec.inference.generators import channels, likelihood_games, rational_games
from lenticulum.spec.inference.inversion import compose_inversions, flatten, invert
from lenticulum.spec.passes import FREE_ENERGY

MODELS = 500
SEED = 2026


def entries(channel):
    return [mass for block in channel.table for row in block for mass in row]


def nulls(first, second, prior):
    """Whether some y, and whether some z, is a null observation."""
    between = pushforward(first, prior)
    return 0 in between, 0 in pushforward(second, between)


def test_theorem_13_on_500_random_models():
    counts = Counter()
    for case in range(MODELS):
        (first, second), prior = channels(SeededDraw(SEED, case), 2)
        whole = compose(first, second)
        exact = invert(whole, prior)
        parts = compose_inversions(invert(first, prior), invert(second, pushforward(first, prior)))
        assert exact == parts
        paths = enumeration.posteriors([first, second], prior)
        assert tuple(None if posterior is None else flatten(posterior) for posterior in exact) == paths
        null_y, null_z = nulls(first, second, prior)
        counts["with a zero entry"] += 0 in [*entries(first), *entries(second), *prior]
        counts["with a null observation y"] += null_y
        counts["with a null observation z"] += null_z
        counts["with a null observation"] += null_y or null_z
        counts["not square"] += len({len(prior), len(first.table[0][0]), len(second.table[0][0])}) > 1
    print(f"\nTheorem 13: {MODELS} models, {dict(counts)}")
    assert counts["with a null observation y"] >= 50
    assert counts["with a null observation z"] >= 50
    assert counts["with a zero entry"] >= 250
    assert counts["not square"] >= 250


def check_theorem_23(first: Game, second: Game, prior) -> list:
    """The free energies of the composite: from Definition 22, from Theorem 23 and from enumeration, all equal."""
    composite = loss(game.compose(first, second), prior)
    between = FREE_ENERGY.push(first, prior)
    joined = FREE_ENERGY.join(FREE_ENERGY.back(first, prior), FREE_ENERGY.back(second, between))
    assert composite == joined.free_energy
    assert composite == enumeration.free_energies([first, second], prior)
    return [value for value in composite if value is not None]


def test_theorem_23_on_500_random_models():
    counts = Counter()
    for case in range(MODELS):
        rational = case % 2 == 0
        generate = rational_games if rational else likelihood_games
        (first, second), prior = generate(SeededDraw(SEED + 1, case), 2)
        values = check_theorem_23(first, second, prior)
        parts = [*loss(first, prior), *loss(second, FREE_ENERGY.push(first, prior))]
        null_y, null_z = nulls(first.lens.channel, second.lens.channel, prior)
        counts["with rational energies" if rational else "with -log p"] += 1
        counts["with every free energy finite"] += all(is_finite(v) for v in [*values, *parts] if v is not None)
        counts["with a null observation y"] += null_y
        counts["with a null observation z"] += null_z
        counts["with an unanswered observation"] += len(values) < len(second.lens.channel.table[0][0])
        counts["with -log p and an approximate inversion"] += not rational and any(
            part.lens.inverter(context) != invert(part.lens.channel, context)
            for part, context in ((first, prior), (second, FREE_ENERGY.push(first, prior)))
        )
        counts["with a negative free energy"] += any(bool(value < energy(0)) for value in values)
    print(f"\nTheorem 23: {MODELS} models, {dict(counts)}")
    assert counts["with rational energies"] == counts["with -log p"] == 250
    assert counts["with -log p and an approximate inversion"] >= 100
    assert counts["with every free energy finite"] >= 400
    assert counts["with a null observation y"] >= 50
    assert counts["with a null observation z"] >= 50
    assert counts["with an unanswered observation"] >= 50


def test_theorem_23_with_infinite_energies():
    """Answers outside the support of the posterior make both sides +∞ together; a weight of 0 annihilates an ∞."""
    infinite = 0
    for case in range(100):
        (first, second), prior = rational_games(SeededDraw(SEED + 2, case), 2)
        draw = SeededDraw(SEED + 3, case)
        harsh = [
            Game(
                part.lens,
                tuple(
                    tuple(tuple(INFINITE if draw.integer(0, 3) == 3 else value for value in row) for row in block)
                    for block in part.energy
                ),
                part.entropy,
            )
            for part in (first, second)
        ]
        infinite += any(not is_finite(value) for value in check_theorem_23(*harsh, prior))
    print(f"\nTheorem 23: 100 models with infinite energies, {infinite} with an infinite free energy")
    assert infinite >= 50
