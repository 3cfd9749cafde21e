"""RD.1 to RD.7 hold by normal forms over Q, Z/2 and Z/3; the two halves of differentiation are two laws."""

from fractions import Fraction

import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.draw import SeededDraw
from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.law import Violation
from lenticulum.spec.lenses.additive_laws import LAWS as ADDITIVE
from lenticulum.spec.lenses.derivative_laws import LAWS as DERIVATIVE
from lenticulum.spec.lenses.node import NODES, SQUARE, Node, zero_rules
from lenticulum.spec.lenses.node_laws import LAWS as NODE_LAWS
from lenticulum.spec.lenses.node_laws import jvp_is_the_derivative, rules_are_linear, vjp_is_adjoint
from lenticulum.spec.lenses.polynomial import constant, pairing, polynomial_map, reverse, variables

AXIOMS = (*ADDITIVE, *DERIVATIVE)


@every_law(*AXIOMS, *NODE_LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=21, cases=60)
    assert result.violation is None, str(result)
    assert result.checked == 60
    assert result.degeneracies == ()


@every_planted_mistake(*AXIOMS, *NODE_LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=22, cases=60)


@pytest.mark.parametrize("name", NODES)
@every_law(*NODE_LAWS)
def test_the_rules_of_the_package_hold_on_every_node(name, law):
    result = run_law(law, NODES[name], seed=23, cases=30)
    assert result.held, str(result)


def test_adjointness_alone_accepts_the_square_with_zero_rules():
    zero = zero_rules(SQUARE)
    for case in range(50):
        vjp_is_adjoint(zero, SeededDraw(24, case))
        rules_are_linear(zero, SeededDraw(25, case))
    with pytest.raises(Violation, match="the jvp is not the derivative"):
        jvp_is_the_derivative(zero, SeededDraw(26))


def test_a_mistake_made_in_both_rules_is_found_by_the_derivative_only():
    # Both rules are three times too large: adjoint to each other, and wrong.
    tripled = Node(SQUARE.size, SQUARE.forward, lambda x, v: SQUARE.jvp(x, v) * 3, lambda x, y: SQUARE.vjp(x, y) * 3)
    derivative, adjoint, _ = NODE_LAWS
    assert not rejects(adjoint, tripled, seed=27, cases=30)
    assert rejects(derivative, tripled, seed=27, cases=30)


def test_equal_boolean_functions_have_different_reverse_derivatives():
    # Over Z/2, x and x^2 are equal functions; R[x](1, 1) = 1 and R[x^2](1, 1) = 0.
    (x,) = variables(1, 2)
    assert reverse(x).components == ({(0, 1): Fraction(1)},)
    assert reverse(x * x).components == ({},)


def test_postcomposition_does_not_preserve_sums():
    # t -> t^2 is a map that is not additive.
    (t,) = variables(1)
    f, g = constant(1, [1]), t
    assert (f + g).then(t * t) != f.then(t * t) + g.then(t * t)


def test_the_reverse_derivative_of_a_cube_over_z_3_is_zero():
    cube = polynomial_map(1, [{(3,): 1}], modulus=3)
    assert reverse(cube).components == ({},)


def test_copy_and_add_are_each_other_s_reverse():
    # By hand from RD.3 and RD.4: R[copy](a, (b, c)) = b + c, R[add]((a, b), c) = (c, c).
    (x,) = variables(1)
    left, right = variables(2)
    assert reverse(pairing(x, x)).components == ({(0, 1, 0): Fraction(1), (0, 0, 1): Fraction(1)},)
    assert reverse(left + right)(rational([5, 6, 7])).tolist() == [7, 7]
