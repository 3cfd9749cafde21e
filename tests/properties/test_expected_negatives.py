"""The expected negative tests of gradient-based learning with lenses, by number: for each, the law that rejects it.

A law that rejects no wrong twin is not yet a test. Some wrong twins are claims: then the law asserts that the claim is
false, and rejects a subject that would make it true. That the right twin is accepted is tested where its law is.
"""

from fractions import Fraction

import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.draw import SeededDraw
from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.boolean.laws import LAWS as BOOLEAN_LAWS
from lenticulum.spec.container_laws import LAWS as CONTAINER_LAWS
from lenticulum.spec.draw import fraction, positive_fraction
from lenticulum.spec.lenses.lawful import set_mode
from lenticulum.spec.lenses.laws import LAWS as LENS_LAWS
from lenticulum.spec.loss_laws import LAWS as LOSS_LAWS
from lenticulum.spec.optimizers.laws import LAWS as OPTIMIZER_LAWS
from lenticulum.spec.optimizers.step_laws import central_differences
from lenticulum.terms import Tree

LAWS = {law.id: law for law in (*LENS_LAWS, *OPTIMIZER_LAWS, *BOOLEAN_LAWS, *LOSS_LAWS, *CONTAINER_LAWS)}

# Number -> what it is, the law, and under which name the law plants it. 21 and 22 are tests of their own, below.
NEGATIVES = {
    1: ("quadratic R with swapped components", "quadratic-loss-adjointness", "components in print"),
    2: ("printed cross-entropy", "cross-entropy-sees-its-label", "cross-entropy in print"),
    3: ("printed momentum", "heavy-ball-closed-form", "momentum with the sign in print"),
    4: ("Adam storing corrected moments", "adam-moments-closed-form", "Adam storing corrected moments"),
    5: ("Adam with epsilon under the root", "adam-cleared-root", "epsilon under the root"),
    6: ("Adagrad with another start value", "adagrad-start", "another start value"),
    7: ("lr inside against outside the buffer", "rate-placement-schedule", "rate always in the step"),
    8: ("Nesterov's p against a stored q", "nesterov-closed-form", "look-ahead stored"),
    9: ("a discard lens", "caps-disagree", "one discard for all"),
    10: ("PutPut for the gradient update", "gradient-update-acts", "overwrites"),
    11: ("tying that returns one branch", "tying-adds", "tied gradient taken once"),
    12: ("composite parameters ordered (P, Q)", "para-later-first", "swapped parameter order"),
    13: ("associativity of Para on the nose", "para-associativity-not-on-the-nose", "nesting forgotten"),
    14: ("postcomposition preserving sums", "sums-and-composition", "every map is additive"),
    15: (
        "brute-force Boolean reverse on copy ; AND",
        "boolean-difference-violates-the-chain-rule",
        "nothing depends on anything",
    ),
    16: ("R[reduce f] = reduce R[f]", "boolean-reduce-is-not-compatible-with-R", "the reverse of the reduced"),
    17: ("a put quadratic in the covector", "RD.2", "quadratic in the cotangent"),
    18: ("combine of overlapping halves without order", "combine-has-an-order", "the larger wins"),
    19: ("connection with its arguments swapped", "connection-order", "fusion connection swapped"),
    20: ("step evaluated at p for pbar", "step-descends-the-exact-gradient", "stale parameters in the look-ahead"),
}
#: Further wrong twins of the same numbers.
MORE = {
    10: ("PutPut for x^2", "put-put-fails-for-a-power", "put at a fixed point"),
    17: ("a put quadratic in the covector", "RD.6", "quadratic in the cotangent"),
    19: ("connection with its arguments swapped", "connection-order", "skip connection swapped"),
}


@pytest.mark.parametrize("number", NEGATIVES)
def test_the_law_rejects_the_expected_negative(number):
    for table in (NEGATIVES, MORE):
        if number in table:
            _, law, mistake = table[number]
            assert rejects(LAWS[law], LAWS[law].planted[mistake], seed=81, cases=60)


def test_21_central_differences_of_a_cube_are_off_by_the_square_of_the_width():
    # ((p + h)^3 - (p - h)^3) / 2h = 3 p^2 + h^2, exactly.
    for case in range(20):
        draw = SeededDraw(83, case)
        p, h = fraction(draw), positive_fraction(draw)
        at = central_differences(lambda q: q.w.item() ** 3, Tree(w=rational(p)), h).w.item()
        assert at - 3 * p**2 == h**2
    # A tolerance of 1e-3 hides it at h = 1/100.
    at = central_differences(lambda q: q.w.item() ** 3, Tree(w=rational(2)), Fraction(1, 100)).w.item()
    assert at != 12
    assert abs(at - 12) <= Fraction(1, 1000)


def test_22_a_mode_round_trip_is_no_involution_on_mixed_flags():
    mixed = Tree(a=Tree(inference=True), b=Tree(inference=False))
    back = set_mode(set_mode(mixed, True), False)
    assert back != mixed
    assert back == set_mode(mixed, False)
    assert rejects(LAWS["mode-setters-overwrite"], LAWS["mode-setters-overwrite"].planted["toggles"], seed=84, cases=60)


@every_law(*LOSS_LAWS, *CONTAINER_LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=85, cases=40)
    assert result.violation is None, str(result)
    assert result.checked >= 30


@every_planted_mistake(*LOSS_LAWS, *CONTAINER_LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=86, cases=60)
