"""The page of gradient checkers is made of its data, and the data says what the project claims."""

import json

import gradients_page


def data():
    return json.loads(gradients_page.DATA.read_text(encoding="utf-8"))


def test_the_page_is_made_of_the_data():
    assert gradients_page.PAGE.read_text(encoding="utf-8") == gradients_page.page(data())


def test_every_planted_mistake_is_rejected_and_nothing_else():
    found = data()
    ours = [row for row in found["planted"] if row["checker"] == gradients_page.OURS]
    assert {row["size"] for row in ours} == {1, 100, 1000, 10_000}
    assert all(row["rejected"] == (0 if row["mistake"] == "none" else found["draws"]) for row in ours)
    assert not any(row["rejected"] for row in found["alarms"] if row["checker"] == gradients_page.OURS)
