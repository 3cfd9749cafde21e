"""The rule of the verdict in the checker: strata, kinks, infinities, flushing, running bounds, textbook overflow."""

import math
from fractions import Fraction

import pytest
from checker_parts import checker

from lenticulum.numbers.formats import BFLOAT16, BINARY16, BINARY32, FLOAT8_E4M3FN, encode

from test_checker_judge import own  # isort: skip


def judged(name, x, y, fmt=BINARY16, flushes=False, output=None, **conventions):
    """Judge numbers (rationals, or floats for ±0, ±inf and NaN) in the words of the checker."""
    xs = x if isinstance(x, tuple) else (x,)
    patterns = tuple(each if isinstance(each, int) else encode(each, fmt) for each in xs)
    output = output or fmt
    pattern = y if isinstance(y, int) else encode(y, output)
    return checker().judge(name, conventions, own(fmt), own(output), flushes, patterns, pattern)


TINY = Fraction(2) ** -14  # the smallest normal number of binary16


def test_strata_in_their_order():
    assert judged("log", Fraction(1), 0.0).stratum == "special"
    assert judged("log", Fraction(2) ** -24, Fraction(-16)).stratum == "subnormal input"
    assert judged("exp", Fraction(20), math.inf).stratum == "overflow"
    assert judged("exp", Fraction(-12), Fraction(2) ** -17).stratum == "subnormal result"
    assert judged("sinc", Fraction(3), 0.0).stratum == "regular"
    assert judged("tanh", Fraction(1, 2), Fraction(1, 2)).stratum == "regular"


def test_an_infinity_stands_for_all_numbers_beyond_the_threshold():
    far = judged("exp", Fraction(60), math.inf)
    assert (far.accepted_by, far.correctly_rounded, far.ulp) == ("K", True, (0, 0))
    # Just below the threshold infinity is near: sum |x f'| + |f| = 12 f, u = 2^-11, and f is 0.09 % below 65520.
    near = judged("exp", encode(Fraction(1135, 1024) * 10, BINARY16), math.inf)
    assert near.stratum == "regular"
    assert near.accepted_by == "K"
    assert near.correctly_rounded is False
    # Far below it, a spurious overflow.
    assert judged("exp", Fraction(5), math.inf).accepted_by is None
    # The wrong sign.
    assert judged("sinh", Fraction(60), -math.inf).accepted_by is None
    # A missed overflow: the distance is to the value itself. f = 3 * 65504.
    missed = judged("selu", Fraction(60000), Fraction(65504), scale="3", alpha="1")
    assert missed.stratum == "overflow"
    assert missed.accepted_by is None


def test_no_condition_excuses_a_finite_result_far_beyond_the_threshold():
    # exp(60) = 1e26 has the condition number 60, exp(60000) the condition number 60000 and more than 10^26000 ulp.
    assert judged("exp", Fraction(60000), Fraction(65504)).accepted_by is None
    # exp(11.09375) = 65758.0 and 65504 differ by 0.39 % = 7.9 u, which a condition number of 11 excuses: K < 1.
    near = judged("exp", Fraction(1109375, 100000), Fraction(65504))
    assert near.stratum == "overflow"
    assert near.accepted_by == "K"


def test_a_subnormal_input_widens_the_running_bound_by_no_more_than_itself():
    c = checker()
    lo, hi, e = c.running_bound(c.call("exp", c.X), (c.point(1, -24),), own(BINARY16)).interval
    assert math.ldexp(lo, e) == pytest.approx(1 - 12 / 2048, abs=1e-6)
    assert math.ldexp(hi, e) == pytest.approx(1 + 12 / 2048, abs=1e-6)


def test_formats_without_infinities_overflow_as_they_do():
    assert judged("exp", Fraction(7), math.nan, FLOAT8_E4M3FN).accepted_by == "K"
    assert judged("exp", Fraction(7), Fraction(448), FLOAT8_E4M3FN).correctly_rounded is False
    c = checker()
    saturating = own(FLOAT8_E4M3FN)._replace(overflow="saturate")
    x, y = encode(Fraction(7), FLOAT8_E4M3FN), encode(Fraction(448), FLOAT8_E4M3FN)
    result = c.judge("exp", {}, saturating, saturating, False, (x,), y)
    assert (result.accepted_by, result.correctly_rounded, result.ulp) == ("K", True, (0, 0))
    assert c.judge("exp", {}, saturating, saturating, False, (x,), 0x7F).accepted_by is None


def test_kinks_take_the_larger_slope_and_infinite_slopes_none():
    # hard_silu at 3: slopes 1 and 3/2; |y - f| = 4 ulp = 2^-7: K = 2^-7 / (2^-11 (9/2 + 3) + eta).
    kink = judged("hard_silu", Fraction(3), Fraction(3) + Fraction(1, 128))
    low, high = kink.K
    assert low <= Fraction(1, 128) / (Fraction(15, 2) / 2048 + Fraction(2) ** -25) <= high
    # At 4, right of it: slope 1, so K = 2^-7 / (2^-11 (4 + 4) + eta).
    low, high = judged("hard_silu", Fraction(4), Fraction(4) + Fraction(1, 128)).K
    assert low <= Fraction(1, 128) / (Fraction(8) / 2048 + Fraction(2) ** -25) <= high
    # asin at 1: pi/2 alone in the denominator.
    low, high = judged("asin", Fraction(1), Fraction(25, 16)).K
    error = abs(1.5625 - math.pi / 2)
    assert float(low) == pytest.approx(error / (math.pi / 2 / 2048 + 2**-25), rel=1e-3)
    assert high - low < Fraction(1, 100)


def test_two_arguments_sum_their_conditions():
    # hypot(3, 4) = 5 exactly: sum |x_i f_i| = 9/5 + 16/5 = 5. One ulp is 2^-8.
    off = judged("hypot", (Fraction(3), Fraction(4)), 5 + Fraction(1, 256))
    low, high = off.K
    assert low <= Fraction(1, 256) / (Fraction(10) / 2048 + Fraction(2) ** -25) <= high
    assert judged("hypot", (Fraction(3), Fraction(4)), Fraction(5)).ulp == (0, 0)
    # pow(2, 10) = 1024: |x f_x| = 10 * 1024, |y f_y| = 1024 * 10 log 2.
    low, high = judged("pow", (Fraction(2), Fraction(10)), Fraction(1025)).K
    assert float(low) == pytest.approx(1 / (1024 * (11 + 10 * math.log(2)) / 2048), rel=1e-3)


def test_flushing_is_excused_only_where_the_environment_flushes():
    smallest = Fraction(2) ** -24
    # eta is then the smallest normal number, so K itself accepts a flushed result.
    for name, x, y in (("exp", Fraction(-10), 0.0), ("relu", TINY / 2, 0.0)):
        assert judged(name, x, y, flushes=True).accepted_by == "K"
    # A flushed input: log of a subnormal number becomes log 0 = -inf.
    assert judged("log", smallest, -math.inf, flushes=True).accepted_by == "flushed"
    assert judged("log", smallest, -math.inf, flushes=False).accepted_by is None
    assert judged("rsqrt", smallest, math.inf, flushes=True).accepted_by == "flushed"
    assert judged("rsqrt", -smallest, math.nan).accepted_by == "special"
    # Two arguments: only the subnormal one becomes zero, and x 0 is what is due.
    assert judged("xlogy", (Fraction(1), smallest), -math.inf, flushes=True).accepted_by == "flushed"


def test_the_running_bound_excuses_the_textbook_but_not_another_formula():
    # log(1 + e^x) in binary32 at x = -20 gives 0, which no closed form of softplus gives.
    lost = judged("softplus", Fraction(-20), 0.0, BINARY32)
    assert lost.accepted_by is None
    # (x + sqrt(x² + 4)) / 2 at -30 in binary16 cancels: x² + 4 = 904, its root 30.0625, the sum 0.0625, half 0.03125.
    cancelled = judged("squareplus", Fraction(-30), Fraction(1, 32))
    assert cancelled.accepted_by == "running bound"
    assert cancelled.K[0] > 4
    assert judged("squareplus", Fraction(-30), Fraction(1, 2)).accepted_by is None


def test_a_textbook_overflow_needs_an_intermediate_and_a_result_that_is_not_finite():
    # (x + sqrt(x² + 4)) / 2: x² overflows from 256 on.
    assert judged("squareplus", Fraction(1000), math.inf).accepted_by == "textbook overflow"
    assert judged("squareplus", Fraction(1000), math.nan).accepted_by == "textbook overflow"
    assert judged("squareplus", Fraction(1000), Fraction(500)).accepted_by is None
    assert judged("squareplus", Fraction(100), math.inf).accepted_by is None
    # The shifted form of softplus does not overflow, so nothing is excused.
    assert judged("softplus", Fraction(20), math.inf).accepted_by is None
    # That the result itself overflows is no excuse for NaN.
    assert judged("exp", Fraction(60), math.nan).accepted_by is None


def test_zeros_of_the_wrong_sign_are_noted_and_accepted():
    x = Fraction(-20)
    right, wrong = judged("gelu", x, -0.0), judged("gelu", x, 0.0)
    assert (right.zero_sign, wrong.zero_sign) == (False, True)
    assert right.accepted_by == wrong.accepted_by == "K"
    assert wrong.correctly_rounded is True
    # A value that is 0 has no sign.
    assert judged("relu", Fraction(-1), -0.0).zero_sign is False


def test_special_values_are_compared_by_bits_and_limits_as_numbers():
    assert judged("log", Fraction(1), 0.0).accepted_by == "special"
    assert judged("log", Fraction(1), -0.0).accepted_by is None
    assert judged("log", Fraction(-1), math.nan).expected == "nan"
    assert judged("atan", math.inf, Fraction(1608, 1024)).accepted_by == "special"
    assert judged("atan", math.inf, Fraction(1612, 1024)).accepted_by is None
    assert judged("sinc", math.inf, Fraction(7)).expected == "anything"
    assert judged("softplus", 0.0, encode(Fraction(math.log(2)), BINARY16)).correctly_rounded is True
    # The length of a vector along an axis is the number itself, rounded where the output is narrower.
    narrow = judged("hypot", (Fraction(1025, 1024), 0.0), Fraction(1), BINARY16, output=BFLOAT16)
    assert narrow.accepted_by == "special"


def test_errors_are_refined_until_a_bound_is_decided():
    # e^(1/2) = 1.6487212707001281468...; the pattern 0x3E98 is 1.6484375: 0.2906... ulp of 2^-10.
    result = judged("exp", Fraction(1, 2), 0x3E98)
    exact = Fraction("1.64872127070012814684865078781416357165377610071014801") - Fraction(0x3E98 - 0x3800, 1024)
    error = exact * 1024
    near = Fraction(1, 10**30)
    assert result.ulp_at_most(error + near) is True
    assert result.ulp_at_most(error - near) is False
    assert result.K_at_most(2 * error) is True
    k = exact / (Fraction("1.6487212707001281468486507878") * Fraction(3, 2) / 2048 + Fraction(2) ** -25)
    assert result.K_at_most(k + Fraction(1, 10**20)) is True
    assert result.K_at_most(k - Fraction(1, 10**20)) is False


def test_values_next_to_a_midpoint_of_a_narrower_format_are_decided():
    """x is midway between two numbers of bfloat16, tanh x < x by less than 2^-200, and x sigmoid(x) < x likewise."""
    x = Fraction(257, 256) * Fraction(2) ** -100
    below, above = Fraction(2) ** -100, Fraction(2) ** -100 * Fraction(129, 128)
    assert judged("tanh", x, below, BINARY32, output=BFLOAT16).correctly_rounded is True
    assert judged("tanh", x, above, BINARY32, output=BFLOAT16).correctly_rounded is False
    assert judged("sinh", x, above, BINARY32, output=BFLOAT16).correctly_rounded is True
    large = Fraction(257, 256) * 2**100
    assert judged("silu", large, Fraction(2) ** 100, BINARY32, output=BFLOAT16).correctly_rounded is True
    # An exact tie goes to the even number: relu is the identity here.
    assert judged("relu", large, Fraction(2) ** 100, BINARY32, output=BFLOAT16).correctly_rounded is True
