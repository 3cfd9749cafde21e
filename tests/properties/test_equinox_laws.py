"""Equinox obeys the laws of trees, states, tied nodes and loops; what it does not refuse is recorded with a witness."""

from dataclasses import dataclass, replace
from typing import Any

import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from equinox_laws import EQUINOX, LAWS, Node, same
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.law import Grade, Law, require


class Counter(eqx.Module):
    """A layer with a state."""

    index: eqx.nn.StateIndex

    def __init__(self, size: int = 2) -> None:
        self.index = eqx.nn.StateIndex(jnp.zeros(size))


def counters(size: int = 2) -> tuple[Any, Any]:
    return eqx.nn.make_with_state(lambda: Node(Counter(size), [Counter(size), Counter(size)], "three"))()


@dataclass(frozen=True)
class States:
    """What a state does, as records; `update` and `substate` of Equinox invalidate nothing that is read here."""

    substate: Any = lambda state, part: state.substate(part)
    update: Any = lambda state, part: copied(state).update(part)


def copied(state: Any) -> Any:
    """A state of its own: the one that is updated becomes invalid, by design."""
    leaves, structure = jax.tree.flatten(state)
    return jax.tree.unflatten(structure, leaves)


def filled(draw: Any, state: Any) -> Any:
    return jax.tree.map(lambda x: np.array([draw.integer(-9, 9) for _ in range(x.size)], np.float32), state)


def substate_and_update_are_lawful(of: States, draw: Any) -> None:
    """GetPut, PutGet and PutPut of (substate, update), exactly."""
    model, state = MODEL
    part = draw.choice([model.left, model.right, model.right[0], model])
    s = filled(draw, state)
    a, b = (filled(draw, of.substate(s, part)) for _ in range(2))
    require(same(of.update(s, of.substate(s, part)), s), "GetPut fails", state=s)
    require(same(of.substate(of.update(s, a), part), a), "PutGet fails", state=s, part=a)
    require(same(of.update(of.update(s, a), b), of.update(s, b)), "PutPut fails", state=s, parts=(a, b))


def added(state: Any, part: Any) -> Any:
    """The part added to what was there."""
    old = state.substate(MODEL[0])._state
    keys, values = list(part._state), list(part._state.values())
    sums = [old[key] + value for key, value in zip(keys, values, strict=True)]
    return copied(state).update(jax.tree.unflatten(jax.tree.structure(part), sums))


def emptied(state: Any, part: Any) -> Any:
    """What is not in the part is set to zero."""
    return jax.tree.map(np.zeros_like, state).update(part)


MODEL = counters()
STATES = States()
STATE_LAW = Law(
    "equinox-state",
    "substate and update obey GetPut, PutGet and PutPut",
    "the documentation of equinox.nn.State",
    Grade.EXACT,
    STATES,
    substate_and_update_are_lawful,
    {
        "added": replace(STATES, update=added),
        "the others emptied": replace(STATES, update=emptied),
    },
)


@every_law(*LAWS, STATE_LAW)
def test_the_law_holds(law):
    result = run_law(law, seed=101, cases=60)
    assert result.violation is None, str(result)
    assert result.checked >= 40
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS, STATE_LAW)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=102, cases=60)


class Tied(eqx.Module):
    """x -> W x + b twice, with one weight and two biases."""

    shared: eqx.nn.Shared

    def __init__(self, weight, biases):
        pair = [(weight, biases[0]), (weight, biases[1])]
        self.shared = eqx.nn.Shared(pair, lambda p: p[1][0], lambda p: p[0][0])

    def __call__(self, x):
        (w1, b1), (w2, b2) = self.shared()
        return w2 @ (w1 @ x + b1) + b2


# Small integers: every sum and product below is exact in float32, so equality is that of numbers.
WEIGHT, BIASES = jnp.array([[1.0, 2.0], [3.0, -1.0]]), (jnp.array([1.0, 0.0]), jnp.array([0.0, 2.0]))
POINT, COTANGENT = jnp.array([2.0, -1.0]), jnp.array([1.0, 3.0])


def tied_gradient(model):
    return eqx.filter_grad(lambda m: m(POINT) @ COTANGENT)(model)


def test_the_cotangent_of_a_tied_node_is_the_sum_over_its_uses():
    def untied(w1, w2):
        return (w2 @ (w1 @ POINT + BIASES[0]) + BIASES[1]) @ COTANGENT

    one, other = jax.grad(untied, (0, 1))(WEIGHT, WEIGHT)
    found = tied_gradient(Tied(WEIGHT, BIASES)).shared.pytree[0][0]
    assert bool((found == one + other).all())
    # The planted mistake, one branch for the sum, is another number.
    assert not bool((found == one).all())
    assert not bool((found == other).all())


def test_tied_nodes_stay_equal_through_updates():
    model = Tied(WEIGHT, BIASES)
    for _ in range(3):
        gradient = tied_gradient(model)
        model = eqx.apply_updates(model, jax.tree.map(lambda g: -g / 8, gradient))
        (w1, b1), (w2, b2) = model.shared()
        assert w1 is w2
        assert not bool((b1 == b2).all())
    # Without Shared, one array at two places is two parameters, which part at the first step.
    copies = [WEIGHT, WEIGHT]
    moved = eqx.apply_updates(copies, eqx.filter_grad(lambda p: (p[1] @ (p[0] @ POINT)) @ COTANGENT)(copies))
    assert not bool((moved[0] == moved[1]).all())


def test_what_has_no_gradient_is_none_and_none_is_no_change():
    model = {"w": jnp.array([1.0, 2.0]), "n": jnp.array([3]), "rate": 0.5, "act": jnp.tanh, "name": "m", "no": None}
    gradient = eqx.filter_grad(lambda m: (m["w"] * m["n"] * m["rate"]).sum())(model)
    assert same(jax.tree.map(np.asarray, gradient["w"]).tolist(), [1.5, 1.5])
    assert [gradient[name] for name in ("n", "rate", "act", "name", "no")] == [None] * 5
    moved = eqx.apply_updates(model, gradient)
    assert moved["w"].tolist() == [2.5, 3.5]
    assert all(moved[name] is model[name] for name in ("n", "rate", "act", "name", "no"))


def looped(kind, x, steps):
    """y <- y^2 - 2 y + i, some times, by a loop of a kind."""

    def body(carry):
        i, y = carry
        return i + 1, y * y - 2 * y + i

    bound = {} if kind == "lax" else {"max_steps": 8}
    return eqxi.while_loop(lambda carry: carry[0] < steps, body, (jnp.array(0), x), kind=kind, **bound)[1]


def by_python(x, steps):
    for i in range(steps):
        x = x * x - 2 * x + i
    return x


# Integers below 2^24, so that every value and slope is exact in float32.
@pytest.mark.parametrize("kind", ["lax", "checkpointed", "bounded"])
@pytest.mark.parametrize(("x", "steps"), [(3.0, 3), (-2.0, 0)])
def test_every_kind_of_loop_is_the_loop_of_python_in_value_and_slope(kind, x, steps):
    x = jnp.float32(x)
    assert float(looped(kind, x, steps)) == float(by_python(x, steps))
    assert float(looped(kind, x, steps)) != float(by_python(x, steps + 1))
    slope = float(jax.grad(by_python)(x, steps))
    if kind != "checkpointed":  # defined in forward mode
        assert float(jax.jvp(lambda y: looped(kind, y, steps), (x,), (jnp.float32(1),))[1]) == slope
    if kind != "lax":  # defined in reverse mode
        assert float(jax.grad(lambda y: looped(kind, y, steps))(x)) == slope


# What follows are findings: what Equinox 0.13.8 accepts, against its own documentation or the rules of this project.
# A release that changes one of them fails here, and the sentence in the documentation goes.


def test_finding_one_node_selected_twice_is_accepted_and_the_last_value_wins():
    where = lambda t: (t[0], t[0])  # noqa: E731
    moved = eqx.tree_at(where, [1, 2, 3], (5, 6))
    assert moved == [6, 2, 3]
    assert where(moved) != (5, 6)  # PutGet fails; lenticulum.spec.lenses.lawful.editing refuses the selectors


def test_finding_a_layer_used_twice_has_one_state_or_two():
    def shared():
        layer = Counter()
        return Node(layer, layer, "one layer at two places")

    assert len(jax.tree.leaves(eqx.nn.State(shared()))) == 1
    assert len(jax.tree.leaves(eqx.nn.make_with_state(shared)()[1])) == 2


def test_finding_update_accepts_another_shape_which_set_refuses():
    model, state = counters(2)
    _, longer = counters(5)
    with pytest.raises(ValueError, match="different structures/shapes/dtypes"):
        copied(state).set(model.left.index, jnp.zeros(5))
    assert copied(state).update(longer).get(model.left.index).shape == (5,)


def test_finding_inference_mode_goes_by_name_and_misses_what_it_cannot_reach():
    class Named(eqx.Module):
        inference: eqx.nn.Linear
        hidden: eqx.nn.Dropout = eqx.field(static=True)

    named = Named(eqx.nn.Linear(1, 1, key=jax.random.key(0)), eqx.nn.Dropout(0.5))
    written = EQUINOX.inference_mode(named, True)
    assert written.inference is True  # a layer that is called inference is replaced by a flag
    assert written.hidden.inference is False  # a static layer stays in training, without a word
