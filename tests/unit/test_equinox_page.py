"""The page of models in Equinox is made of its data, which covers every model at several sizes."""

import json

import equinox_page


def data():
    return json.loads(equinox_page.DATA.read_text(encoding="utf-8"))


def test_the_page_is_made_of_the_data():
    assert equinox_page.PAGE.read_text(encoding="utf-8") == equinox_page.page(data())


def test_every_model_was_measured_and_is_one_program():
    rows = data()["rows"]
    assert {row["model"] for row in rows} == {"MLP", "residual MLP", "transformer block"}
    assert len({(row["model"], row["batch"], row["width"]) for row in rows}) == len(rows) == 9
    assert all(row["identical"] for row in rows)
