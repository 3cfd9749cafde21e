"""The page of gradient checkers is made of its data, and the data says what the project claims."""

import json

import gradients_page

from tests.conformance.right_functions import RIGHT


def data():
    return json.loads(gradients_page.DATA.read_text(encoding="utf-8"))


def test_the_page_is_made_of_the_data():
    assert gradients_page.PAGE.read_text(encoding="utf-8") == gradients_page.page(data())


def test_every_planted_mistake_is_rejected_and_nothing_else():
    found = data()
    for checker in (gradients_page.OURS, gradients_page.OURS_TORCH):
        ours = [row for row in found["planted"] if row["checker"] == checker]
        assert {row["size"] for row in ours} == {1, 100, 1000, 10_000}
        assert all(row["rejected"] == (0 if row["mistake"] == "none" else found["draws"]) for row in ours)


def test_no_correct_function_is_rejected_in_200_draws():
    ours = [row for row in data()["alarms"] if row["checker"] == gradients_page.OURS]
    assert {row["function"] for row in ours} == set(RIGHT)
    assert all((row["rejected"], row["draws"]) == (0, 200) for row in ours)


def test_a_call_takes_at_most_three_times_as_long_as_that_of_a_peer():
    found = gradients_page.ratios(data())
    assert not {key: ratio for key, ratio in found.items() if key[2] <= 1000 and ratio > 3}
    assert {size for _, _, size in found} == {1, 100, 1000, 10_000}
    assert {peer for _, peer, _ in found} == PEERS


PEERS = {"jax.test_util.check_grads", "chex.assert_numerical_grads", "torch.autograd.gradcheck"}
