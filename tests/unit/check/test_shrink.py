"""The shrinker: simpler choices, the same finding, within the trials it was given."""

from hypothesis import given
from hypothesis import strategies as st

from lenticulum.check.draw import ReplayDraw, SeededDraw, nearest_first
from lenticulum.check.engine import run_law, shrink_violation
from lenticulum.check.shrink import shrink
from lenticulum.spec.law import Grade, Law, require

CHOICES = st.lists(st.integers(0, 10**6), max_size=30)


def simpler(one, other):
    return (len(one), tuple(one)) < (len(other), tuple(other))


@given(CHOICES, st.integers(1, 50))
def test_a_result_replays_to_the_finding(choices, modulus):
    def replay(candidate):
        return candidate if sum(candidate) % modulus == sum(choices) % modulus else None

    shrunk = shrink(choices, replay)
    assert replay(shrunk) is not None
    assert shrunk == tuple(choices) or simpler(shrunk, choices)


@given(CHOICES)
def test_without_a_simpler_finding_the_choices_come_back_unchanged(choices):
    assert shrink(choices, lambda candidate: None) == tuple(choices)


@given(CHOICES, st.integers(0, 20))
def test_no_more_replays_are_made_than_allowed(choices, trials):
    replays = []
    shrink(choices, lambda candidate: replays.append(candidate) or candidate, trials)
    assert len(replays) <= trials


def test_irrelevant_choices_are_deleted_and_relevant_ones_lowered_to_the_threshold():
    relevant = lambda choices: choices if any(number >= 1000 for number in choices) else None  # noqa: E731
    assert shrink([5, 10**6, 3, 2, 10**9, 4], relevant) == (1000,)


def test_a_block_that_must_stay_is_set_to_zero():
    choices = shrink([9] * 20, lambda choices: choices if len(choices) == 20 and choices[7] >= 3 else None)
    assert choices == (*[0] * 7, 3, *[0] * 12)


def test_choices_that_a_replay_did_not_use_are_dropped():
    assert shrink([4, 4, 4, 4], lambda choices: choices[:2] if sum(choices[:2]) == 8 else None) == (4, 4)


def test_a_shrunk_violation_is_of_the_same_claim():
    # Small values break another claim of the same law: the shrinker must not slip from one finding to the other.
    def check(subject, draw):
        number = draw.integer(-100, 100)
        require(number != 0, "zero", number=number)
        require(number <= 10, "large", number=number)

    law = Law("L", "a number is neither 0 nor large", "test", Grade.EXACT, "subject", check, {})
    found = next(
        result for seed in range(99) if (result := run_law(law, seed=seed, cases=20)).violation.message == "large"
    )
    assert found.violation.witness == {"number": 11}
    simplest, _ = shrink_violation(law, "subject", found.violation, [0])
    assert simplest.message == "large"


@given(st.integers(-50, 50), st.integers(0, 50))
def test_the_order_from_the_nearest_is_a_bijection(low, width):
    high = low + width
    order = [nearest_first(number, low, high) for number in range(width + 1)]
    assert sorted(order) == list(range(low, high + 1))
    assert [abs(number) for number in order] == sorted(abs(number) for number in order)


@given(st.integers(0, 2**32), st.integers(0, 100))
def test_a_replay_of_a_record_makes_the_same_choices(seed, stream):
    def generate(draw):
        return [draw.integer(-3, 9), draw.choice("abcde"), draw.bits(200), draw.integer(5, 5)]

    seeded = SeededDraw(seed, stream)
    first = generate(seeded)
    replayed = ReplayDraw(seeded.choices)
    assert generate(replayed) == first == generate(SeededDraw(seed, stream))
    assert replayed.choices == seeded.choices
