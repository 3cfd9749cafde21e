"""The definitions of the catalogue against mpmath, in every number system, with and without axes."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from lenticulum import spec, terms
from lenticulum.catalog import CATALOG
from lenticulum.check.definition import parse
from lenticulum.check.errors import CallError
from lenticulum.numbers import (
    DomainError,
    ball,
    jvp,
    log,
    magnitude,
    ones_like,
    rational,
    working_precision,
    zeros_like,
)
from lenticulum.spec.elementwise import evaluation_of, forms_of, textbook
from lenticulum.terms import Mode, ShapeError, Tree

mp = mpmath.mp

#: Name -> reference, and a range for each argument.
REFERENCES = {
    "exp": (mp.exp, (-80, 80)),
    "exp2": (lambda x: mp.mpf(2) ** x, (-80, 80)),
    "expm1": (mp.expm1, (-80, 80)),
    "log": (mp.log, (1e-6, 100)),
    "log2": (lambda x: mp.log(x, 2), (1e-6, 100)),
    "log10": (mp.log10, (1e-6, 100)),
    "log1p": (mp.log1p, (-0.99, 100)),
    "sqrt": (mp.sqrt, (1e-6, 100)),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), (1e-6, 100)),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), (-100, 100)),
    "sin": (mp.sin, (-100, 100)),
    "cos": (mp.cos, (-100, 100)),
    "tan": (mp.tan, (-100, 100)),
    "asin": (mp.asin, (-0.99, 0.99)),
    "acos": (mp.acos, (-0.99, 0.99)),
    "atan": (mp.atan, (-100, 100)),
    "sinh": (mp.sinh, (-80, 80)),
    "cosh": (mp.cosh, (-80, 80)),
    "tanh": (mp.tanh, (-20, 20)),
    "asinh": (mp.asinh, (-100, 100)),
    "acosh": (mp.acosh, (1.01, 100)),
    "atanh": (mp.atanh, (-0.99, 0.99)),
    "erf": (mp.erf, (-6, 6)),
    "erfc": (mp.erfc, (-6, 12)),
    "erfinv": (mp.erfinv, (-0.99, 0.99)),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), (-8, 40)),
    "digamma": (mp.digamma, (-8, 40)),
    "sigmoid": (lambda x: 1 / (1 + mp.exp(-x)), (-80, 80)),
    "logit": (lambda x: mp.log(x / (1 - x)), (0.01, 0.99)),
    "sinc": (mp.sincpi, (-20, 20)),
    "sinc:normalised=no": (mp.sinc, (-40, 40)),
    "entr": (lambda x: -x * mp.log(x), (1e-6, 100)),
    "pow": (mp.power, (1e-6, 20), (-20, 20)),
    "hypot": (mp.hypot, (-100, 100), (-100, 100)),
    "atan2": (mp.atan2, (-100, 100), (-100, 100)),
    "logaddexp": (lambda x, y: mp.log(mp.exp(x) + mp.exp(y)), (-80, 80), (-80, 80)),
    "logaddexp2": (lambda x, y: mp.log(mp.mpf(2) ** x + mp.mpf(2) ** y, 2), (-80, 80), (-80, 80)),
    "xlogy": (lambda x, y: x * mp.log(y), (-100, 100), (1e-6, 100)),
    "xlog1py": (lambda x, y: x * mp.log1p(y), (-100, 100), (-0.99, 100)),
}


def drawn(ranges, count=12):
    draw = random.Random(7)
    return [np.array([low + (high - low) * draw.random() for _ in range(count)], np.float32) for low, high in ranges]


def exact(value):
    """An mpmath number as a Fraction."""
    mantissa, exponent = abs(value).man_exp
    return int(mp.sign(value)) * int(mantissa) * Fraction(2) ** int(exponent)


def outputs(definition, arrays):
    roles = definition.entry.arrays
    term = definition.term({role: np.shape(array) for role, array in zip(roles, arrays, strict=True)}, {})
    found = definition.outputs(term, dict(zip(roles, arrays, strict=True)))
    assert list(found) == ["y" if len(roles) == 1 else "value"]
    return term, next(iter(found.values()))


def test_every_row_that_is_no_activation_has_a_reference():
    rows = {
        row.name
        for row in CATALOG.values()
        if row.kind == "elementwise" and row.term.__module__.endswith(".elementwise")
    }
    assert rows == {name.partition(":")[0] for name in REFERENCES}


@pytest.mark.parametrize("name", REFERENCES)
def test_a_definition_is_that_of_mpmath(name):
    reference, *ranges = REFERENCES[name]
    arrays = drawn(ranges)
    with mp.workdps(80), working_precision(200):
        term, value = outputs(parse(name), [ball(array.astype(np.float64)) for array in arrays])
        for index, point in enumerate(zip(*arrays, strict=True)):
            truth = exact(reference(*(mp.mpf(float(x)) for x in point)))
            slack = (1 + abs(truth)) / Fraction(2) ** 150
            entry = value[index]
            assert truth - slack <= entry.lower().item(), point
            assert entry.upper().item() <= truth + slack, point
        # The running bound of each printed form contains the exact value.
        data = [magnitude(array.astype(np.float64)) for array in arrays]
        for form in forms_of(term):
            bound = form(data[0] if len(data) == 1 else tuple(data))
            assert bound.bounded().all()
            assert (bound.lower() <= value.upper()).all()
            assert (value.lower() <= bound.upper()).all()


@pytest.mark.parametrize("name", REFERENCES)
def test_float64_intervals_contain_the_value(name):
    pytest.importorskip("ival")
    from lenticulum.numbers import interval64

    arrays = [array.astype(np.float64) for array in drawn(REFERENCES[name][1:])]
    with working_precision(200):
        _, value = outputs(parse(name), [ball(array) for array in arrays])
    _, interval = outputs(parse(name), [interval64(array) for array in arrays])
    known = np.flatnonzero(interval.bounded())
    # The other three have no function in float64 intervals: balls do them.
    assert len(known) == (0 if name in ("erfinv", "lgamma", "digamma") else len(arrays[0]))
    for index in known:
        assert Fraction(float(interval.lo[index])) <= value[int(index)].upper().item()
        assert value[int(index)].lower().item() <= Fraction(float(interval.hi[index]))
        assert interval.hi[index] - interval.lo[index] <= 2.0**-45 * (1 + abs(interval.hi[index]))


def test_a_number_without_axes_and_the_rules_of_shapes():
    for shape in ((), (3,), (2, 3), (0,)):
        assert outputs(parse("exp"), [ball(np.zeros(shape))])[1].shape == shape
    with pytest.raises(CallError, match=r"hypot: y has shape \[2\]; expected \[3\]"):
        outputs(parse("hypot"), [ball([1, 2, 3]), ball([1, 2])])
    with pytest.raises(ShapeError, match=r"^Hypot: expected \[2, 1\], got \[1, 1\]$"):
        evaluation_of(terms.Hypot())((ball([[1], [2]]), ball([[1]])))
    with pytest.raises(ShapeError, match="Exp"):
        spec.apply(terms.Exp(), (ball([1]), ball([1])), Tree(), Tree(), Mode.EVAL, None)
    with pytest.raises(ShapeError, match="Pow"):
        terms.Pow().target((2, 3))


def test_terms_compose_with_layers():
    model, empty = terms.Copy() >> terms.Hypot(), Tree(layer_1=Tree(), layer_2=Tree())
    y, _ = spec.apply(model, ball([2, -2]), empty, empty, Mode.EVAL, None)
    assert (y * y).contains(rational([8, 8]))
    assert (y > 0).all()


def test_the_sum_of_two_equal_powers_of_two_is_exact():
    with working_precision(64):
        a = ball([-1, 3, Fraction(1, 4)])
        value = evaluation_of(terms.Logaddexp2())
        assert value((a, a)).contains(rational([0, 4, Fraction(5, 4)]))
        assert value((a, a)).lower() == value((a, a)).upper()

        def slope(a, b):
            return jvp(lambda a, b: value((a, b)), (a, b), (ones_like(a), zeros_like(b)))[1]

        # d/da 2^a / (2^a + 2^b) at a tie is (log 2) / 4.
        bend = jvp(slope, (a, a), (ones_like(a), zeros_like(a)))[1]
        assert all(x.overlaps(y) for x, y in zip(bend.elements, (log(ball([2, 2, 2])) / 4).elements, strict=True))


def test_outside_its_domain_a_definition_refuses():
    for name, point in {
        "log": [0],
        "sqrt": [-1],
        "asin": [2],
        "acosh": [0],
        "logit": [1],
        "entr": [0],
        "lgamma": [-1],
    }.items():
        with pytest.raises(DomainError):
            outputs(parse(name), [ball(point)])
    for name, pair in {"pow": ([-2], [Fraction(1, 2)]), "xlogy": ([1], [-1]), "atan2": ([0], [0])}.items():
        with pytest.raises(DomainError):
            outputs(parse(name), [ball(half) for half in pair])


def test_conventions_are_refused_unless_known():
    for kind in (terms.Sinc, terms.Digamma, terms.Xlogy, terms.Xlog1py):
        with pytest.raises(ValueError, match="expected one of"):
            kind("sometimes")
    with pytest.raises(CallError, match="sinc: normalised=maybe is not a convention"):
        parse("sinc:normalised=maybe")


def test_a_printed_form_names_fields_of_its_description_only():
    with pytest.raises(TypeError, match="asks for slope, which Exp does not have"):
        textbook(terms.Exp, slope=1)(lambda parameters, x: x)


def test_a_subclass_does_not_inherit_the_printed_forms():
    with pytest.raises(TypeError, match="no exact meaning for Bias2"):
        forms_of(Bias2())


@terms.value
class Bias2(terms.Sigmoid):
    """A subclass without rows of its own."""
