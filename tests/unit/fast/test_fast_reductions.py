"""Fast reductions, products and normalisations against their definitions: values and derivatives of the drawn cases."""

from fractions import Fraction
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.check.cases import cases
from lenticulum.check.definition import parse
from lenticulum.check.derivative import check_derivative, directions
from lenticulum.check.draw import SeededDraw
from lenticulum.check.environment import probe
from lenticulum.fast.meaning import MEANINGS
from lenticulum.numbers import ball, jvp, magnitude, rational, vjp
from lenticulum.spec.elementwise import evaluation_of

SPECS = [
    *("sum:axis=[0,-1]", "mean:axis=0,keepdims=true", "product:axis=-1", "cumsum", "cumsum:axis=0"),
    *("variance", "variance:axis=-1,estimate=sample"),
    *(f"norm:axis=-1,order={order}" for order in ("1", "2", "infinity")),
    *("dot", "matmul", "einsum", 'einsum:equation="iij,jk->ki"', 'einsum:equation="i,ij,j->"'),
    *("rms_norm", "rms_norm:axes=2", "group_norm:groups=2,epsilon=1/8", "instance_norm"),
    *(f"l2_normalize:epsilon=1/8,epsilon_at={place}" for place in ("maximum", "inside", "outside", "maximum_square")),
]
#: Their values are rational at rational arguments, so that derivatives are compared exactly.
RATIONAL = ("sum", "mean", "product", "cumsum", "variance", "dot", "matmul", "einsum")
#: The others are linear, or share their code with one of these.
CURVED = [
    *("product:axis=-1", "cumsum:axis=0", "variance:axis=-1,estimate=sample", "matmul"),
    *(spec for spec in SPECS if spec.startswith(("norm", "l2_normalize"))),
    *('einsum:equation="iij,jk->ki"', "rms_norm", "group_norm:groups=2,epsilon=1/8"),
]
ENVIRONMENT = probe("float32")


def fast_meaning(term):
    meaning = MEANINGS[type(term)]
    return partial(meaning.function, **{name: getattr(term, name) for name in meaning.fields})


def drawn(spec, seed):
    definition = parse(spec)
    return definition, definition.term({}, {}), cases(definition, SeededDraw(seed), {}, (), {}, np.float32)


@pytest.mark.parametrize("spec", SPECS)
def test_op_by_op_values_lie_inside_the_running_bound(spec):
    definition, term, found = drawn(spec, 81)
    function, bound = fast_meaning(term), evaluation_of(term)
    outside = 0
    for case in [each for each in found if each.label == "regular" and each.arrays["x"].size <= 40][:2]:
        given = [case.arrays.get(role) for role in definition.entry.arrays]
        with jax.disable_jit():
            y = np.asarray(function(*(None if each is None else jnp.asarray(each) for each in given)), np.float64)
        allowed = bound(*(None if each is None else magnitude(each.astype(np.float64)) for each in given))
        assert allowed.bounded().all()
        outside += int(np.sum(~((allowed.lower() <= rational(y)) & (rational(y) <= allowed.upper()))))
    assert not outside


@pytest.mark.parametrize("spec", CURVED)
def test_derivatives_are_what_the_checker_accepts(spec):
    definition, term, found = drawn(spec, 82)
    names = definition.entry.arrays
    regular = [each for each in found if each.label == "regular" and each.arrays["x"].size <= 16]
    case = max(regular, key=lambda each: each.arrays["x"].size)
    roles = [role for role in names if role in case.arrays]

    def function(*arrays):
        given = dict(zip(roles, arrays, strict=True))
        return fast_meaning(term)(*(given.get(role) for role in names))

    point = {**case.arrays, **directions(function, case.arrays, SeededDraw(83))}
    finding, _ = check_derivative(definition, term, function, point, ENVIRONMENT)
    assert finding is None, (spec, finding)


@pytest.mark.parametrize("spec", SPECS)
def test_forward_and_reverse_derivatives_are_adjoint(spec):
    definition, term, found = drawn(spec, 84)
    case = next(each for each in found if each.label == "regular" and each.arrays["x"].size < 64)
    present = [role for role in definition.entry.arrays if role in case.arrays]

    def evaluate(*arrays):
        given = dict(zip(present, arrays, strict=True))
        return evaluation_of(term)(*(given.get(role) for role in definition.entry.arrays))

    lift = rational if definition.entry.name in RATIONAL else ball
    words = np.random.PCG64(85).random_raw(400).astype(np.float64) / 2.0**64 - 0.5
    primals = [lift(case.arrays[role].astype(np.float64)) for role in present]
    tangents = [lift(words[: x.size].reshape(x.shape)) for x in primals]
    value, pull = vjp(evaluate, *primals)
    cotangent = lift(words[100 : 100 + value.size].reshape(value.shape))
    _, moved = jvp(evaluate, primals, tangents)
    forward = (cotangent * moved).sum()
    reverse = sum((t * g).sum() for t, g in zip(tangents, pull(cotangent), strict=True))
    if lift is rational:
        assert forward == reverse
    else:
        gap = forward - reverse
        assert bool((gap < Fraction(1, 2**30)) & (-gap < Fraction(1, 2**30)))
