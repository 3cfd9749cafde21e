"""The plumbing of containers: keys, states, initial values, one compiled body, users' own kinds, and errors by path."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast, spec
from lenticulum.fast import loops
from lenticulum.numbers import rational
from lenticulum.terms import (
    Add,
    Bias,
    Branch,
    Container,
    Dense,
    Dropout,
    Identity,
    Maxout,
    Mode,
    PairwiseFusion,
    Parallel,
    Repeat,
    ShapeError,
    Skip,
    Stack,
    Subtract,
    Tanh,
    Term,
    Tree,
    Wrapper,
    chain,
    value,
)
from lenticulum.terms.names import salt

KEY = jax.random.key(3)
WORDS = (0, 3)
HALF = Dropout("1/2")
DRAWING = [
    Repeat(HALF, 2),
    Stack(HALF, 2),
    Skip(HALF, Subtract()),
    PairwiseFusion(HALF @ HALF >> Subtract(), (Identity(), HALF)),
    chain(inner=Repeat(chain(drop=HALF), 2)),
]


def drawn(term):
    trees = term.parameter_shapes(), term.state_shapes()
    floats, _ = fast.apply(term, jnp.ones(32), *trees, Mode.TRAIN, KEY)
    exact, _ = spec.apply(term, rational([1] * 32), *trees, Mode.TRAIN, WORDS)
    return floats.tolist(), [float(each) for each in exact.tolist()]


@pytest.mark.parametrize("term", DRAWING, ids=str)
def test_both_interpreters_draw_the_same_masks(term):
    floats, exact = drawn(term)
    assert floats == exact


@pytest.mark.parametrize("term", DRAWING[:2], ids=str)
def test_no_two_calls_draw_alike(monkeypatch, term):
    assert set(drawn(term)[0]) == {0.0, 4.0}
    assert drawn(term)[0] != [4.0 if each else 0.0 for each in drawn(HALF)[0]]
    monkeypatch.setattr(loops, "calls", lambda count: jnp.zeros(count, jnp.uint32))
    floats, exact = drawn(term)
    assert floats != exact


@pytest.mark.parametrize("kind", [Repeat, Stack])
def test_a_loop_has_one_body_whatever_the_count(kind):
    def size(count):
        term = kind(Dense(2, 2) >> Tanh(), count)
        arguments = fast.setup(KEY, term)
        return str(
            jax.make_jaxpr(lambda x, *trees: fast.apply(term, x, *trees, Mode.EVAL, None))(jnp.ones(2), *arguments)
        )

    assert size(2).count("tanh") == size(40).count("tanh") == 1


def test_copies_start_from_draws_of_their_own():
    parameters = fast.initialparameters(KEY, chain(blocks=Stack(Dense(3, 3), 3))).blocks
    own = jax.random.fold_in(KEY, salt("blocks"))
    expected = [
        fast.initialparameters(key, Dense(3, 3)).weight for key in (own, *(jax.random.fold_in(own, n) for n in (1, 2)))
    ]
    assert np.array_equal(parameters.weight, jnp.stack(expected))


@value
class Siamese(Container):
    body: Term
    heads: tuple[Term, ...]


def siamese(x, *, body, heads):
    one, other = heads
    return one(body(x[0])), other(body(x[1]))


@value
class Doubled(Wrapper):
    body: Term


def doubled(x, *, body):
    return body(body(x))


for interpreter in (spec, fast):
    interpreter.meaning(Siamese)(siamese)
    interpreter.meaning(Doubled)(doubled)


def test_a_container_of_ones_own_derives_its_trees_and_works_in_both_interpreters():
    term = Siamese(Bias(1), (Bias(1), Doubled(Bias(1))))
    assert [".".join(path) for path in term.parameter_shapes().paths()] == [
        *("body.bias", "heads.layer_1.bias", "heads.layer_2.bias"),
    ]
    parameters = Tree(body=Tree(bias=1), heads=Tree(layer_1=Tree(bias=2), layer_2=Tree(bias=3)))
    for interpreter, array in ((spec, rational), (fast, lambda entries: jnp.array(entries, jnp.float32))):
        filled = parameters
        for path in parameters.paths():
            filled = filled.with_leaf(path, array([parameters.at(path)]))
        x, state = (array([10]), array([20])), term.state_shapes()
        y, _ = interpreter.apply(term, x, filled, state, Mode.EVAL, None)
        assert [each.tolist() for each in y] == [[13], [27]]
        pulled, _ = interpreter.put(term, x, filled, state, Mode.EVAL, None, (array([1]), array([1])))
        assert [leaf.tolist() for leaf in pulled.leaves()] == [[2], [1], [2]]


@pytest.mark.parametrize("interpreter", [spec, fast])
def test_a_container_without_a_meaning_is_named_with_its_base(interpreter):
    @value
    class Own(Siamese):
        pass

    term = Own(Identity(), (Identity(), Identity()))
    x = (jnp.ones(1), jnp.ones(1)) if interpreter is fast else (rational([1]), rational([1]))
    with pytest.raises(TypeError, match="Own.*Siamese"):
        interpreter.apply(term, x, term.parameter_shapes(), term.state_shapes(), Mode.EVAL, None)


PAIR = Dense(3, 2) @ Dense(2, 2) >> Add()
MISFITS = [
    (lambda: chain(Tanh(), Skip(Dense(2, 3), PAIR), Tanh()), 2, None),
    (
        lambda: chain(Tanh(), Skip(Dense(2, 4), PAIR)),
        2,
        "layer_2.connection.layer_1.left (Dense): expected [3], got [4]",
    ),
    (lambda: Parallel(Add(), (Dense(2, 3), Dense(4, 3))), (2, 5), "layer_2 (Dense): expected [4], got [5]"),
    (lambda: Parallel(Add(), (Dense(2, 3), Dense(2, 4))), 2, "connection (Add): expected [3], got [4]"),
    (lambda: Branch((Dense(2, 3), Dense(4, 3)), None, ("a", "b")), 2, "b (Dense): expected [4], got [2]"),
    (lambda: PairwiseFusion(Add(), (Dense(2, 3),)), 2, "connection (Add): expected [2], got [3]"),
    (lambda: Maxout((Dense(2, 3), Dense(2, 4))), 2, "Maxout: layer_2: expected [3], got [4]"),
    (lambda: Repeat(Dense(2, 3), 2), 2, "Repeat: expected [2], got [3]"),
    (lambda: Stack(chain(Tanh(), Dense(3, 3)), 2), 2, "layer_2 (Dense): expected [3], got [2]"),
]


@pytest.mark.parametrize(("build", "source", "message"), MISFITS)
def test_a_misfit_is_named_by_its_path_before_any_arithmetic(build, source, message):
    if message is None:
        assert build().target(source) == 2
        return
    with pytest.raises(ShapeError) as caught:
        build().target(source)
    assert str(caught.value) == message
