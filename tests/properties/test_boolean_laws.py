"""Boolean functions and circuits obey their laws; what is finite is checked completely, up to three inputs."""

from itertools import permutations, product

import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.boolean import Anf, Table, ascend, ascent_step, evaluate, interpolate, lifted, multiplexer, reduce
from lenticulum.spec.boolean.circuit import AND, COPY, NOT, ONE, XOR, beside, chain, identity, permuted
from lenticulum.spec.boolean.laws import LAWS
from lenticulum.spec.boolean.table import composed_reverse, difference, points, reverse_difference, table
from lenticulum.spec.lenses.polynomial import partial_derivative, polynomial_map, reverse, variables


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=61, cases=40)
    assert result.violation is None, str(result)
    assert result.checked == 40
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=62, cases=60)


def every_function(inputs):
    """All functions of so many bits: 2, 4, 16, 256."""
    return [Table(inputs, 1, tuple((bit,) for bit in bits)) for bits in product((0, 1), repeat=2**inputs)]


def test_the_square_is_the_variable_as_a_function_and_not_as_a_polynomial():
    (x,) = variables(1, 2)
    assert evaluate(x) == evaluate(x * x)
    assert reduce(x) == reduce(x * x)
    assert reverse(x)(rational([1, 1])) == rational([1])
    assert reverse(x * x)(rational([1, 1])) == rational([0])


def test_tables_and_normal_forms_are_one_to_one_on_every_function_of_three_bits():
    for inputs in range(4):
        forms = {interpolate(f) for f in every_function(inputs)}
        assert len(forms) == 2 ** (2**inputs)
        assert all(table(interpolate(f)) == f for f in every_function(inputs))


def test_the_difference_is_the_partial_of_the_multilinear_on_every_function_of_three_bits():
    for inputs in range(1, 4):
        for f in every_function(inputs):
            (terms,) = lifted(interpolate(f)).components
            for i in range(inputs):
                partial = polynomial_map(inputs, [partial_derivative(terms, i)], 2)
                assert difference(f, i) == evaluate(partial)


def test_the_difference_violates_the_chain_rule_on_copy_and_and():
    copy, conjunction = Table.of(1, COPY), Table.of(2, AND)
    assert copy.then(conjunction) == Table.of(1, lambda x: x)
    direct = reverse_difference(copy.then(conjunction))
    composed = composed_reverse(copy, conjunction, reverse_difference(copy), reverse_difference(conjunction))
    assert direct == Table.of(2, lambda xy: xy[1:])
    assert composed == Table.of(2, lambda xy: (0,))


# All of three bits takes a minute: `make test-all`. The law draws from them in every run.
@pytest.mark.parametrize("inputs", [1, 2, pytest.param(3, marks=pytest.mark.long)])
def test_the_difference_obeys_the_chain_rule_on_every_read_once_composition(inputs):
    reverses = {f: reverse_difference(f) for f in (*every_function(inputs), *every_function(2))}
    compositions = 0
    for split in range(inputs + 1):  # the first inputs reach the first component, the others the second
        for one, other in product(every_function(split), every_function(inputs - split)):
            f = Table.of(inputs, lambda x, one=one, other=other, split=split: (*one(x[:split]), *other(x[split:])))
            reverse_f = reverse_difference(f)
            for g in every_function(2):
                assert reverses[f.then(g)] == composed_reverse(f, g, reverse_f, reverses[g])
                compositions += 1
    assert compositions == {1: 16 * 16, 2: 16 * 80, 3: 16 * 1152}[inputs]


def test_the_one_bit_example_of_reverse_derivative_ascent():
    # f(p, x) = p x at (1, 1) from p = 0: dy = 1, p' = 1, p = 1; then dy = 0 and p stays.
    assert ascent_step(AND, (0,), (1,), (1,)) == (1,)
    assert ascent_step(AND, (1,), (1,), (1,)) == (1,)


def test_every_function_of_two_bits_is_learned_in_one_pass_from_every_start_and_in_every_order():
    circuit = multiplexer(2)
    for start, labels in product(points(4), repeat=2):
        examples = list(zip(points(2), [(y,) for y in labels], strict=True))
        assert ascend(circuit, start, examples) == labels
        if start == (0, 1, 1, 0):
            assert {ascend(circuit, start, order) for order in permutations(examples)} == {labels}


def test_ascent_need_not_converge():
    # f(p, x) = p0 + p1 x0 + p2 x1 represents the labels x1 at p = (0, 0, 1). From p = 0 every pass over the inputs in
    # their order ends at (1, 0, 0): by hand 000 -> 000 -> 101 -> 011 -> 100, and 100 -> 000 -> 101 -> 011 -> 100.
    affine = chain(beside(identity(1), AND, AND), beside(XOR, identity(1)), XOR)  # wires p0, p1, x0, p2, x1
    parameters_first = chain(permuted((0, 1, 3, 2, 4)), affine)
    p, ends = (0, 0, 0), []
    for _ in range(3):
        p = ascend(parameters_first, p, [(x, (x[1],)) for x in points(2)])
        ends.append(p)
    assert ends == [(1, 0, 0)] * 3
    assert all(parameters_first((0, 0, 1, *x)) == (x[1],) for x in points(2))


def test_not_is_xor_with_one():
    assert Table.of(1, NOT) == Table.of(1, chain(beside(identity(1), ONE), XOR))


def test_a_boolean_loss_has_no_scalar():
    # e(bt, bp) = bt + bp has as many components as the label, and its reverse derivative is (alpha, alpha).
    bt0, bt1, bp0, bp1 = variables(4, 2)
    loss = polynomial_map(4, [*(bt0 + bp0).components, *(bt1 + bp1).components], 2)
    assert loss.target == 2
    assert reverse(loss) == polynomial_map(6, [{(0, 0, 0, 0, 1, 0): 1}, {(0, 0, 0, 0, 0, 1): 1}] * 2, 2)
    assert reduce(loss) == Anf.projection(4, [0, 1]) + Anf.projection(4, [2, 3])
