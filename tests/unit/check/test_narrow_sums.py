"""Sums of many products in bfloat16, where n u >= 1: a sum in binary32 passes, zeros do not."""

import numpy as np
import pytest

from lenticulum.check import check

SHAPES = {"x": (2, 300), "y": (300, 2)}


def in_binary32(x, y):
    return (np.asarray(x).astype(np.float32) @ np.asarray(y).astype(np.float32)).astype(x.dtype)


def zeros(x, y):
    return np.zeros((np.asarray(x).shape[0], y.shape[1]), x.dtype)


def negative(x, y):
    return -in_binary32(x, y)


@pytest.mark.parametrize(
    ("kernel", "verdict"), [(in_binary32, "conforms"), (zeros, "undecided"), (negative, "undecided")]
)
def test_a_sum_in_binary32_is_shown_and_nothing_is_refuted(kernel, verdict):
    result = check(kernel, "matmul", dtype="bfloat16", shapes=SHAPES)
    assert result.verdict == verdict, str(result)
