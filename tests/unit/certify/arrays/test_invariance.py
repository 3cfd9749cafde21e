"""Laws that need no oracle: public kernels keep them on hard data; shifts are exact, and allowances are derived."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from bounds_for_laws import arrays_to, bound_of, hard_rows, in_format, said
from law_inputs import attended, binary, classes, logits, looked_up, masked, matrices, pairs, rotated, rows

from lenticulum import terms
from lenticulum.certify.arrays.invariance import Allowance, Invariance, Relation, hold
from lenticulum.certify.arrays.invariances_of import invariances
from lenticulum.check.definition import parse

SEEDS = (1, 2, 3)


def _attention(query, key, value, mask):
    return jax.nn.dot_product_attention(query, key, value, mask=mask)


def _ignoring(prediction, label):
    counted = label != -1
    losses = optax.losses.softmax_cross_entropy_with_integer_labels(prediction, jnp.where(counted, label, 0))
    return jnp.where(counted, losses, 0)


#: Kernels of public libraries: definition, kernel, inputs.
RIGHT: list[tuple[str, Callable, Callable]] = [
    ("softmax", jax.nn.softmax, rows),
    ("log_softmax", jax.nn.log_softmax, rows),
    ("logsumexp:axis=-1", lambda x: jax.nn.logsumexp(x, axis=-1), rows),
    ("logsumexp:axis=-1", lambda x, where: jax.nn.logsumexp(x, axis=-1, where=where), masked),
    ("glu", lambda x: jax.nn.glu(x), rotated),
    ("sum:axis=0", lambda x: jnp.sum(x, axis=0), rows),
    ("mean:axis=-1", lambda x: jnp.mean(x, axis=-1), rows),
    ("variance:axis=-1", lambda x: jnp.var(x, axis=-1), rows),
    ("product:axis=-1", lambda x: jnp.prod(x, axis=-1), lambda rng: {"x": rng.standard_normal((4, 5))}),
    ("cumsum:axis=-1", lambda x: jnp.cumsum(x, axis=-1), rows),
    ("norm:axis=-1", lambda x: jnp.linalg.norm(x, axis=-1), rows),
    ("matmul", lambda x, y: x @ y, matrices),
    ("attention:heads=last,blocked=uniform", _attention, attended),
    ("softmax_cross_entropy", lambda prediction, label: optax.softmax_cross_entropy(prediction, label), logits),
    ("softmax_cross_entropy_integer:ignore_index=-1", _ignoring, classes),
    ("sigmoid_cross_entropy", lambda prediction, label: optax.sigmoid_binary_cross_entropy(prediction, label), binary),
    ("huber_loss", lambda prediction, label: optax.huber_loss(prediction, label), pairs),
    ("log_cosh_loss", lambda prediction, label: optax.losses.log_cosh(prediction, label), pairs),
    ("embedding", lambda ids, weight: jnp.take(weight, ids, axis=0), looked_up),
]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(("spec", "kernel", "inputs"), RIGHT)
def test_public_kernels_keep_every_law_on_hard_data(spec, kernel, inputs, dtype):
    definition, call = parse(spec), arrays_to(kernel)
    for seed in SEEDS:
        given = in_format(inputs(np.random.default_rng(seed)), dtype)
        term = definition.term({role: array.shape for role, array in given.items()}, {})
        held = [each for _, each in said(definition, term, call, given, seed)]
        assert len(held) >= 2
        assert not [each for each in held if each.violated]


def _shift_of_softmax() -> tuple:
    definition = parse("softmax")
    return definition, next(each for each in invariances(definition, terms.Softmax()) if each.law == "shift")


def test_shifts_are_exact_in_the_format_and_keep_the_differences():
    definition, shift = _shift_of_softmax()
    x = hard_rows(np.random.default_rng(4), 6, 5).astype(jnp.bfloat16)
    for seed in range(20):
        relation = shift.relate(terms.Softmax(), {"x": x}, np.random.default_rng(seed))
        moved, coarse = (each["x"].astype(np.float64) for each in relation.calls)
        difference = moved - coarse
        assert (difference == difference[:, :1]).all()
        assert difference.all()


@pytest.mark.parametrize("special", [np.nan, np.inf])
def test_a_law_is_not_tried_where_inputs_are_not_finite(special):
    definition, shift = _shift_of_softmax()
    x = np.array([[1.0, special]], np.float32)
    bound = bound_of(definition, terms.Softmax(), "float32")
    assert hold(shift, jax.nn.softmax, definition, terms.Softmax(), {"x": x}, bound, np.random.default_rng(0)) is None


def test_one_side_that_is_no_number_violates_a_law_and_neither_side_says_nothing():
    definition, term, x = parse("softmax"), terms.Softmax(), np.zeros((2, 3), np.float32)
    bound = bound_of(definition, term, "float32")
    nothing = np.full((2, 3), np.nan, np.float32)
    answers = iter([nothing, np.full((2, 3), 1 / 3, np.float32), nothing, nothing])
    same = Invariance("same", "{f}(x) = {f}(x)", lambda *_: Relation(({"x": x}, {"x": x}), lambda a, b: (a, b)))
    one, neither = (
        hold(same, lambda _: next(answers), definition, term, {"x": x}, bound, np.random.default_rng(0))
        for _ in range(2)
    )
    assert one.violated
    assert one.largest == np.inf
    assert one.statement == "softmax(x) = softmax(x)"
    assert neither is None


def test_the_allowance_is_the_width_of_both_sides():
    """Of y + y' = 1 with y in [0.25, 0.5] and y' in [0.25, 1]: 0.25 + 0.75, and the side 1 has no width."""
    definition, x = parse("softmax"), np.zeros(1, np.float32)
    ends = [(np.array([0.25]), np.array([0.5])), (np.array([0.25]), np.array([1.0]))]

    def law(got: float, allows: Allowance = Allowance.BOUNDS):
        remaining, values = iter(ends), iter([0.5, got])
        relation = Relation(({"x": x}, {"x": x}), lambda a, b: (a + b, a.lift(1)), allows=allows)
        return hold(
            Invariance("sum", "{f}", lambda *_: relation),
            lambda _: np.array([next(values)], np.float32),
            definition,
            terms.Softmax(),
            {"x": x},
            lambda _: next(remaining),
            np.random.default_rng(0),
        )

    held = law(1.25)
    assert (held.largest, held.violated) == (pytest.approx(0.75, rel=2.0**-50), False)
    assert 1.0 <= held.allowed <= 1.0 + 2.0**-49
    assert (held.got, held.expected, held.place, held.compared) == (1.75, 1.0, (0,), 1)
    assert not law(1.5).violated
    assert law(1.5 + 2.0**-20).violated
    assert law(0.5).largest == 0
    assert law(0.5 + 2.0**-23, Allowance.NOTHING).violated
