"""A rejected call is cut down to few entries, axes of one size together."""

import numpy as np

from lenticulum.certify.arrays.shrink import TRIALS, smaller


def test_a_row_is_found_among_many():
    x = np.zeros((64, 8))
    x[37, 3] = 1.0
    assert smaller({"x": x}, lambda inputs: inputs["x"].any())["x"].tolist() == [[1.0]]


def test_axes_of_one_size_are_cut_together():
    x, weight = np.arange(48.0).reshape(6, 8), np.arange(8.0)

    def rejected(inputs):
        return inputs["x"].shape[1:] == inputs["weight"].shape and 7.0 in inputs["weight"]

    found = smaller({"x": x, "weight": weight}, rejected)
    assert found["x"].shape == (1, 1)
    assert found["weight"].tolist() == [7.0]


def test_what_needs_every_entry_is_left_alone():
    x = np.ones((5, 3))
    assert smaller({"x": x}, lambda inputs: inputs["x"].sum() == 15)["x"] is x


def test_the_search_ends_after_so_many_calls():
    calls = []
    smaller({"x": np.zeros((1024, 512))}, lambda inputs: bool(calls.append(1)))
    assert 0 < len(calls) <= TRIALS + 1
