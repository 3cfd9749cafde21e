"""The verdict on a call: right outputs pass, each by the criterion that is due; planted mistakes are rejected."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from test_exact import called, normal

from lenticulum.certify.arrays.assess import assess
from lenticulum.certify.rule import Rule
from lenticulum.check.metrics import reduction_limit
from lenticulum.numbers.formats import BFLOAT16, BINARY32, FORMATS


def verdict(spec, got, dtype="float32", within=None, **arrays):
    call = called(spec, dtype, **arrays)
    return assess(call, got, Rule(FORMATS[dtype], flushes=True, within=within))


def softmax(x, shift=True):
    x = x - x.max(axis=-1, keepdims=True) if shift else x
    powers = np.exp(x)
    return powers / powers.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("mean", [0.0, 10.0, 1000.0])
def test_a_right_softmax_is_accepted_whole(mean):
    x = normal(1, 4, 64, mean=mean)
    found = verdict("softmax", softmax(x), x=x)
    assert (found.rejected, found.undecided) == ([], 0)
    assert found.accepted.total() == found.outputs == 256
    assert found.share.at_most <= 1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: softmax(x / np.float32(1.00001)),
        lambda x: softmax(x) * np.float32(1 + 2.0**-17),
        lambda x: softmax(x[:, ::-1]),
        lambda x: softmax(x).astype(np.float16).astype(np.float32),
    ],
    ids=["temperature 1.00001", "scaled by 1 + 2^-17", "reversed", "through binary16"],
)
def test_a_wrong_softmax_is_rejected(wrong):
    x = normal(2, 4, 64) * np.float32(8)
    found = verdict("softmax", np.ascontiguousarray(wrong(x)), x=x)
    assert found.rejected
    assert found.k.at_least > 4


def test_one_wrong_entry_among_many_is_the_one_that_is_rejected():
    x = normal(3, 4, 64)
    y = softmax(x)
    y[2, 5] *= np.float32(1.001)
    found = verdict("softmax", y, x=x)
    assert found.rejected == [2 * 64 + 5]
    assert found.undecided == 0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_rejected_where_nothing_overflows(value):
    x = normal(4, 2, 5)
    y = softmax(x)
    y[1, 3] = value
    assert verdict("softmax", y, x=x).rejected == [8]


def test_a_naive_softmax_that_overflows_is_rejected_since_another_closed_form_does_not():
    x = normal(5, 2, 5, mean=1000.0)
    with np.errstate(all="ignore"):
        y = softmax(x, shift=False)
    assert np.isnan(y).all()
    assert len(verdict("softmax", y, x=x).rejected) == 10


def layer_norm(x, epsilon):
    deviation = x - x.mean(axis=-1, keepdims=True)
    return deviation / np.sqrt((deviation * deviation).mean(axis=-1, keepdims=True) + np.float32(epsilon))


@pytest.mark.parametrize("mean", [0.0, 1000.0])
def test_a_right_layer_norm_is_accepted_although_k_is_large(mean):
    x = normal(6, 8, 64, mean=mean)
    found = verdict("standardize:axis=-1,epsilon=1/100000", layer_norm(x, 1e-5), x=x)
    assert (found.rejected, found.undecided) == ([], 0)


def test_another_epsilon_is_rejected():
    x = normal(7, 8, 64) * np.float32(2.0**-9)
    assert verdict("standardize:axis=-1,epsilon=1/100000", layer_norm(x, 1e-6), x=x).rejected


def test_a_one_pass_variance_is_rejected_at_mean_1000():
    x = normal(8, 8, 64, mean=1000.0)
    y = (x * x).mean(axis=-1) - x.mean(axis=-1) ** 2
    assert verdict("variance:axis=-1", y, x=x).rejected


def test_t_is_that_of_rationals():
    x, y = normal(9, 1, 50), normal(10, 50, 1)
    got = np.float32(1.25) * (x @ y)
    products = [Fraction(float(a)) * Fraction(float(b)) for a, b in zip(x[0], y[:, 0], strict=True)]
    exact, scale = sum(products), sum(map(abs, products))
    u, eta = Fraction(1, 2**24), Fraction(1, 2**126)
    t = abs(Fraction(float(got[0, 0])) - exact) / (u * scale + u * abs(exact) + 50 * eta)
    found = verdict("matmul", got, x=x, y=y)
    assert found.t.at_least <= t <= found.t.at_most
    assert found.t.at_most - found.t.at_least <= float(t) * 1e-6
    assert found.rejected == [0]


def test_no_order_of_summation_is_rejected():
    x, y = normal(11, 3, 96, mean=4.0), normal(12, 96, 2)
    x[:, 48:] = -x[:, :48]
    orders = [x @ y, np.flip(x, 1) @ np.flip(y, 0), np.einsum("ik,kj->ij", x, y)]
    one_by_one = np.zeros((3, 2), np.float32)
    for k in range(96):
        one_by_one += np.outer(x[:, k], y[k])
    for got in (*orders, one_by_one):
        found = verdict("matmul", np.ascontiguousarray(got), x=x, y=y)
        assert (found.rejected, found.undecided) == ([], 0)
        assert set(found.accepted) == {"T"}


def narrow(array):
    return array.astype(ml_dtypes.bfloat16)


def accumulated(x, y, narrowly):
    total = np.zeros((x.shape[0], y.shape[1]), np.float32)
    for k in range(x.shape[1]):
        # In binary32 products of bfloat16 are exact.
        total = total + np.outer(x[:, k].astype(np.float32), y[k].astype(np.float32))
        total = narrow(total).astype(np.float32) if narrowly else total
    return narrow(total)


@pytest.mark.parametrize("n", [64, 512])
def test_a_narrow_accumulator_is_told_from_a_wide_one(n):
    x, y = narrow(normal(13, 32, n)), narrow(normal(14, n, 32))
    wide = verdict("matmul", accumulated(x, y, False), "bfloat16", x=x, y=y)
    cheat = verdict("matmul", accumulated(x, y, True), "bfloat16", x=x, y=y)
    limit = float(reduction_limit(n, BINARY32, BFLOAT16))
    assert (wide.rejected, wide.undecided) == ([], 0)
    assert wide.t_wide.at_most <= limit < cheat.t_wide.at_least
    # In bfloat16 itself 64 products have a limit, which it keeps; 512 have none, and nothing can be proved.
    assert cheat.rejected == []
    assert bool(cheat.undecided) == (n == 512)


@pytest.mark.parametrize("n", [256, 4096])
def test_zeros_are_no_product_where_the_theorem_for_the_narrow_format_allows_anything(n):
    x, y = (normal(seed, *shape).astype(ml_dtypes.bfloat16) for seed, shape in ((21, (4, n)), (22, (n, 4))))
    found = verdict("matmul", np.zeros((4, 4), ml_dtypes.bfloat16), "bfloat16", x=x, y=y)
    assert (found.accepted.total(), found.undecided) == (0, 16)


def test_a_bias_may_be_added_after_a_rounding():
    n = 1024
    x, weight = (normal(seed, 4, n).astype(ml_dtypes.bfloat16) for seed in (23, 24))
    bias = normal(25, 4).astype(ml_dtypes.bfloat16)
    product = (x.astype(np.float32) @ weight.astype(np.float32).T).astype(ml_dtypes.bfloat16)
    found = verdict("dense", product + bias, "bfloat16", x=x, weight=weight, bias=bias)
    assert found.accepted == {"T in binary32": 16}


def test_limits_of_published_examples():
    """The table of Higham's rule: n = 64, 256, 1024, 4096 with an accumulator in binary32 and a bfloat16 result."""
    limits = [round(float(reduction_limit(n, BINARY32, BFLOAT16)), 0) for n in (64, 256, 1024, 4096)]
    assert limits == [64, 257, 1028, 4113]
    assert reduction_limit(1, BINARY32, BINARY32) == Fraction(2**24, 2**24 - 1)


@pytest.mark.parametrize(("ulps", "rejected"), [(Fraction(1, 2), True), (Fraction(64), False)])
def test_within_replaces_the_verdict(ulps, rejected):
    x = normal(15, 4, 64)
    found = verdict("softmax", softmax(x), within=ulps, x=x)
    assert bool(found.rejected) == rejected
    assert set(found.accepted) <= {"ulp"}
