"""Spaces with names, cotangent spaces, typed boundaries, sinks and rearrangements: what fits, and what is refused."""

import jax
import jax.numpy as jnp
import pytest

from lenticulum import fast, spec, terms
from lenticulum.numbers import rational
from lenticulum.terms import (
    SCALAR,
    UNIT,
    Add,
    AddUnit,
    Associate,
    Bias,
    Boundary,
    Copy,
    Cotangent,
    Dense,
    GradientDescent,
    Identity,
    Input,
    Learner,
    LearningRate,
    Mode,
    Momentum,
    Named,
    Relu,
    RemoveUnit,
    ShapeError,
    Sink,
    Softmax,
    SquaredLoss,
    Swap,
    Tensor,
    Tree,
    Wire,
    boundary,
    cotangent,
    learner_boundary,
    require_closed,
    require_identity_get,
    update_boundary,
)
from lenticulum.terms.spaces import describe, pair, unify

PIXELS, CLASSES = Named("pixels", 3), Named("classes", 3)
LEARNER = Learner(Dense(2, 1, use_bias=False), SquaredLoss(), LearningRate("1/10"), 2)


def test_a_named_space_fits_its_name_and_an_unnamed_space_of_its_size():
    assert unify(PIXELS, PIXELS, "x") == unify(PIXELS, 3, "x") == unify(3, PIXELS, "x") == PIXELS
    assert unify(PIXELS, Named("pixels"), "x") == unify(PIXELS, None, "x") == PIXELS
    with pytest.raises(ShapeError, match=r"^Add: expected pixels \[3\], got classes \[3\]$"):
        Add().target((PIXELS, CLASSES))
    with pytest.raises(ShapeError, match=r"expected pixels \[3\], got \[4\]"):
        unify(PIXELS, 4, "x")


def test_layers_keep_the_name_of_what_they_keep():
    assert (Relu() >> Bias(3) >> Softmax()).target(PIXELS) == PIXELS
    assert Dense(3, 2).target(PIXELS) == 2
    assert Add().target((PIXELS, 3)) == PIXELS
    assert Swap().target(Named("both", (PIXELS, 2))) == (2, PIXELS)


@pytest.mark.parametrize("name", ["", " ", "a\nb", 3])
def test_a_name_is_a_name(name):
    with pytest.raises((TypeError, ValueError), match="name"):
        Named(name, 3)


def test_a_space_has_one_name():
    with pytest.raises(TypeError, match=r"Named: pixels \[3\] has a name"):
        Named("classes", PIXELS)


# A' of a product is the product of the cotangents, of the unit the unit; the name of A is that of A' too.
@pytest.mark.parametrize(
    ("space", "expected"),
    [
        (3, Cotangent(3)),
        (UNIT, UNIT),
        (SCALAR, Cotangent(SCALAR)),
        ((3, (PIXELS, UNIT)), (Cotangent(3), (Named("pixels", Cotangent(3)), UNIT))),
        (Cotangent(3), Cotangent(Cotangent(3))),
    ],
)
def test_the_cotangent_space(space, expected):
    assert cotangent(space) == expected


def test_primal_and_cotangent_do_not_fit():
    for one, other in ((3, Cotangent(3)), (Cotangent(3), 3), (PIXELS, cotangent(PIXELS)), ((3, 3), cotangent((3, 3)))):
        with pytest.raises(ShapeError):
            unify(one, other, "x")
    assert unify(Cotangent(None), cotangent((2, UNIT)), "x") == cotangent((2, UNIT))
    assert unify(cotangent((2, 3)), Cotangent(None), "x") == cotangent((2, 3))
    assert pair(Cotangent(None), "x") == (Cotangent(None), Cotangent(None))
    with pytest.raises(ShapeError):
        unify(Cotangent(None), (2, 3), "x")
    with pytest.raises(TypeError, match="use cotangent"):
        Cotangent((2, 3))


@pytest.mark.parametrize("term", [Dense(3, 2), Relu(), Bias(3), Softmax(), SquaredLoss(), LearningRate(1)])
def test_a_term_takes_no_cotangent_wire(term):
    source = (3, 3) if isinstance(term, SquaredLoss) else SCALAR if isinstance(term, LearningRate) else 3
    term.target(source)
    with pytest.raises(ShapeError, match="'"):
        term.target(cotangent(source))


def test_boundaries_compose_as_lenses():
    first, second = boundary(Dense(2, 3), 2), boundary(Dense(3, 1) >> Relu(), 3)
    assert first.then(second) == boundary(Dense(2, 3) >> Dense(3, 1) >> Relu(), 2)
    with pytest.raises(ShapeError, match=r"then: forward: expected \[3\], got \[2\]"):
        first.then(first)
    # An update gives back parameters, not cotangents: it is no lens (P, P') -> (P, P').
    shapes = Tree(p=(2,))
    update = update_boundary(Momentum(), shapes)
    assert describe(update.source) == "((buffer.p [2], count []), (p [2]))"
    with pytest.raises(ShapeError, match=r"then: backward: expected .*'\)\), got"):
        Boundary((), (), update.source, cotangent(update.source)).then(update)


def test_the_get_of_the_closed_step_is_not_the_identity():
    closed = learner_boundary(LEARNER)
    assert str(closed) == "(([2], (weight [1, 2]), [1]), ([2]', (weight [1, 2]'), [1]')) -> ((), ())"
    with pytest.raises(ShapeError) as caught:
        require_identity_get(LEARNER)
    assert str(caught.value) == (
        "the get of Learner: expected a map ([2], (weight [1, 2]), [1]) -> ([2], (weight [1, 2]), [1]), "
        "got a map ([2], (weight [1, 2]), [1]) -> ()"
    )
    # What does type-check: the unique map to the unit, and the identity of a wire.
    closed.require_get(closed.source, UNIT, "get")
    boundary(Identity(), 3).require_get(3, 3, "get")


def test_rearrangements_and_their_inverses():
    assert Associate().target(((1, PIXELS), 2)) == (1, (PIXELS, 2))
    for term, source in (
        (Associate(), ((1, 2), 3)),
        (Associate("left"), (1, (2, 3))),
        (AddUnit("left"), 3),
        (RemoveUnit("right"), (3, UNIT)),
        (Wire(PIXELS), PIXELS),
    ):
        assert term.inverse().target(term.target(source)) == source
        assert term.inverse().inverse() == term
    with pytest.raises(ShapeError, match=r"RemoveUnit: left half: expected \(\), got \[2\]"):
        RemoveUnit("left").target((2, 3))
    with pytest.raises(ShapeError, match=r"Associate: expected \(any space, any space\), got \[1\]"):
        Associate().target((1, 2))
    with pytest.raises(ValueError, match="side = 'up': expected one of left, right"):
        AddUnit("up")


@pytest.mark.parametrize("name", ["discard", "Discard", "Drop", "delete"])
def test_there_is_no_discard(name):
    assert not hasattr(terms, name)
    with pytest.raises(AttributeError, match="no canonical discard; .* choose a Sink"):
        getattr(terms, name)


def test_an_open_wire_is_told_to_choose_a_sink():
    with pytest.raises(ShapeError, match=r"the end of Compose: expected \(\), got \[2\]; .*choose a Sink for it"):
        require_closed(Copy() >> Tensor(Sink(0, "constant"), Identity()) >> RemoveUnit("left"), 2)
    with pytest.raises(TypeError):
        Sink()
    with pytest.raises(ShapeError, match=r"Sink: expected pixels \[3\], got classes \[3\]"):
        Sink(1, "scaled", PIXELS).target(CLASSES)


# By hand at x = (3, 5): the branch x + b gets the cotangent (7, 11), the sink adds c or c x.
@pytest.mark.parametrize(
    ("sink", "expected"),
    [(Sink(2, "constant"), [9, 13]), (Sink(2, "scaled"), [13, 21]), (Sink(0, "constant"), [7, 11])],
)
def test_two_sinks_on_one_wire_disagree(sink, expected):
    term = Copy() >> Tensor(Bias(2), sink) >> RemoveUnit("right")
    parameters = Tree(layer_1=Tree(), layer_2=Tree(left=Tree(bias=rational([1, 1])), right=Tree()), layer_3=Tree())
    state = term.state_shapes()
    y, _ = spec.apply(term, rational([3, 5]), parameters, state, Mode.EVAL, None)
    assert y == rational([4, 6])
    pulled, x = spec.put(term, rational([3, 5]), parameters, state, Mode.EVAL, None, rational([7, 11]))
    assert x == rational(expected)
    assert pulled.layer_2.left.bias == rational([7, 11])
    floats = parameters.with_leaf(("layer_2", "left", "bias"), jnp.ones(2))
    given = term, jnp.array([3.0, 5.0]), floats, state, Mode.EVAL, None
    assert fast.apply(*given)[0].tolist() == [4, 6]
    assert fast.put(*given, jnp.array([7.0, 11.0]))[1].tolist() == expected


def test_an_input_is_a_parameter_that_gets_the_whole_cotangent():
    term = AddUnit("left") >> Tensor(Input((2, SCALAR)), Identity())
    value = Tree(part_1=rational([1, 2]), part_2=rational(3))
    parameters = term.parameter_shapes().with_leaf(("layer_2", "left", "value"), value)
    y, _ = spec.apply(term, rational([5]), parameters, term.state_shapes(), Mode.EVAL, None)
    assert y == ((rational([1, 2]), rational(3)), rational([5]))
    pulled, x = spec.put(term, rational([5]), parameters, term.state_shapes(), Mode.EVAL, None, y)
    assert (pulled, x) == (parameters, rational([5]))


# Structure, features and leading axes, in both interpreters: which part, expected, got.
@pytest.mark.parametrize(
    ("term", "x", "given", "message"),
    [
        (Relu(), (2,), (3,), r"cotangent of Relu: expected \[2\]', got \[3\]'"),
        (Bias(2) >> Relu(), (4, 2), (2,), r"cotangent of (layer_2 \()?Relu\)?: expected \[4, 2\]', got \[2\]'"),
        (Identity(), (4, 2), (3, 2), r"cotangent of Identity: expected \[4, 2\]', got \[3, 2\]'"),
        (Copy(), (2,), (2,), r"cotangent of Copy: expected \(\[2\]', \[2\]'\), got \[2\]'"),
        (Bias(2), (2,), ((2,), (2,)), r"cotangent of Bias: expected \[2\]', got \(\[2\]', \[2\]'\)"),
        (Sink(1, "scaled"), (2,), (2,), r"cotangent of Sink: expected \(\), got \[2\]'"),
        (Copy() >> Add(), (4, 2), (1, 2), r"cotangent of (layer_2 \()?Add\)?: expected \[4, 2\]', got \[1, 2\]'"),
    ],
)
@pytest.mark.parametrize("interpreter", [spec, fast])
def test_a_cotangent_that_does_not_fit_is_refused(interpreter, term, x, given, message):
    def ones(shape):
        array = jnp.ones(shape)
        return array if interpreter is fast else rational(array.tolist())

    parameters = jax.tree.map(ones, term.parameter_shapes(), is_leaf=lambda leaf: isinstance(leaf, tuple))
    wrong = tuple(map(ones, given)) if isinstance(given[0], tuple) else ones(given)
    with pytest.raises(ShapeError, match=message):
        interpreter.put(term, ones(x), parameters, term.state_shapes(), Mode.EVAL, None, wrong)


def test_gradient_descent_is_a_lens_without_memory():
    assert describe(update_boundary(GradientDescent(), Tree(p=())).source) == "((), (p []))"
