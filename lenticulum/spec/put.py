"""The reverse derivative of a term, exactly: puts of the parts, composed as lenses compose."""

from typing import Any

from lenticulum.numbers import ExactArray, vjp
from lenticulum.spec.apply import _apply, apply_primitive, check_names  # pyright: ignore[reportPrivateUsage]
from lenticulum.spec.caps import loss_cotangent, sink_cotangent
from lenticulum.spec.containers import rewritten
from lenticulum.spec.cotangents import check_cotangent_shapes, check_cotangent_space
from lenticulum.spec.data import Data, add_contributions, both, leaves_of, rebuild
from lenticulum.spec.keys import Key, part_key
from lenticulum.spec.reparametrise import original
from lenticulum.spec.structural import rearrange
from lenticulum.spec.wires import put_container
from lenticulum.terms import (
    Add,
    Compose,
    Container,
    Copy,
    Identity,
    Input,
    Learner,
    LearningRate,
    Mode,
    Rearrangement,
    Reparametrise,
    Sink,
    Swap,
    Tensor,
    Term,
    Tree,
    as_tree,
    as_wire,
    map_leaves,
)
from lenticulum.terms.exact import instance_of

#: Maps whose value has the shapes of their argument, moved.
_MOVES = (Identity, Copy, Swap)


def put(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Data
) -> tuple[Tree, Data]:
    """Return (parameters', x'): the cotangent pulled back along the term at this point.

    put((q, p), a, c') = let b = f(p, a); (q', b') = g*(q, b, c'); (p', a') = f*(p, a, b') in ((q', p'), a').

    The state is a constant: no cotangent flows into it or out of it. A learning-rate cap makes its own cotangent from
    the loss, so a term that ends in one takes the cotangent ().

    Raises: as `apply`; ShapeError for a cotangent that does not lie in B'; Undecided at a kink that the arithmetic
    cannot decide.
    Laws: RD.1-RD.5, tying adds, cotangent linearity. Source: arXiv:2103.01931, Definitions 2.4-2.6.
    """
    instance_of(mode, "mode", (Mode,), "Mode.TRAIN or Mode.EVAL")
    check_names(term, parameters, state)
    check_cotangent_space(term, x, cotangent)
    return _put(term, x, parameters, state, mode, key, cotangent)


def _put(
    term: Term, x: Any, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Any
) -> tuple[Tree, Any]:
    kind = type(term)
    if kind in _MOVES or isinstance(term, Rearrangement):
        value, _ = _apply(term, x, parameters, state, mode, key)
        check_cotangent_shapes(term, value, cotangent)
    if kind is Identity:
        return Tree(), cotangent
    if kind is Copy:
        return Tree(), add_contributions(*both(cotangent, "Copy"))
    if kind is Add:
        check_cotangent_shapes(term, both(x, "Add")[0], cotangent)
        return Tree(), (cotangent, cotangent)
    if kind is Swap:
        left, right = both(cotangent, "Swap")
        return Tree(), (right, left)
    if isinstance(term, Rearrangement):
        return Tree(), rearrange(term.inverse(), cotangent)
    if isinstance(term, LearningRate):
        return Tree(), loss_cotangent(term, x)
    if isinstance(term, Sink):
        return Tree(), sink_cotangent(term, x)
    if kind is Input:
        check_cotangent_shapes(term, as_wire(parameters.value), cotangent)
        return Tree(value=as_tree(cotangent)), ()
    if isinstance(term, Learner):
        return _put_learner(term, parameters, state, mode, key), ()
    if isinstance(term, Compose):
        return _put_chain(term, x, parameters, state, mode, key, cotangent)
    if isinstance(term, Tensor):
        one, other = both(x, "Tensor")
        left, right = both(cotangent, "Tensor")
        left_p, left_x = _put(term.left, one, parameters.left, state.left, mode, part_key(key, "left"), left)
        right_p, right_x = _put(term.right, other, parameters.right, state.right, mode, part_key(key, "right"), right)
        return Tree(left=left_p, right=right_p), (left_x, right_x)
    if isinstance(term, Reparametrise):
        inner = original(term.by, term.term.parameter_shapes(), parameters, state)
        pulled, x_cotangent = _put(term.term, x, inner.parameters, inner.state, mode, key, cotangent)
        return inner.pull(pulled), x_cotangent
    if isinstance(term, Container):
        return put_container(_apply, _put, rewritten(term), x, parameters, state, mode, key, cotangent)
    return put_primitive(term, x, parameters, state, mode, key, cotangent)


def _put_chain(
    term: Compose, x: Any, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Any
) -> tuple[Tree, Any]:
    points: list[Any] = []
    for name, part in zip(term.names, term.parts, strict=True):
        points.append(x)
        x, _ = _apply(part, x, parameters[name], state[name], mode, part_key(key, name))
    pulled: dict[str, Tree] = {}
    for name, part, point in reversed(list(zip(term.names, term.parts, points, strict=True))):
        keyed = part_key(key, name)
        pulled[name], cotangent = _put(part, point, parameters[name], state[name], mode, keyed, cotangent)
    return Tree({name: pulled[name] for name in term.names}), cotangent


def _put_learner(term: Learner, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> Tree:
    """(a', p', bt'), where (bt', b') = R[loss](bt, b, alpha(loss)) and (p', a') = R[f](p, a, b')."""
    data, label = as_wire(parameters.data), as_wire(parameters.label)
    prediction, _ = _apply(term.model, data, parameters.parameters, state, mode, key)
    loss, _ = _apply(term.loss, (label, prediction), *nothing(term.loss), mode, None)
    _, alpha = _put(term.cap, loss, *nothing(term.cap), mode, None, ())
    _, labelled = _put(term.loss, (label, prediction), *nothing(term.loss), mode, None, alpha)
    label_cotangent, prediction_cotangent = both(labelled, "Learner")
    inner, data_cotangent = _put(term.model, data, parameters.parameters, state, mode, key, prediction_cotangent)
    return Tree(data=as_tree(data_cotangent), parameters=inner, label=as_tree(label_cotangent))


def nothing(term: Term) -> tuple[Tree, Tree]:
    """Return the parameters and the state of a term that has none: its trees of shapes have no leaves."""
    return term.parameter_shapes(), term.state_shapes()


def put_primitive(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Data
) -> tuple[Tree, Data]:
    """Return the put of a kind with a meaning of its own: one tape over its meaning.

    The state goes onto the tape too, so that it meets data of one number system, and its cotangents are dropped.
    """
    constant = [path for path in state.paths() if isinstance(state.at(path), ExactArray)]
    inputs = [*parameters.leaves(), *(state.at(path) for path in constant), *leaves_of(x)]

    def forward(*leaves: ExactArray) -> tuple[ExactArray, ...]:
        remaining = list(leaves)
        traced, traced_state = Tree(), state
        for path in parameters.paths():
            traced = traced.with_leaf(path, remaining.pop(0))
        for path in constant:
            traced_state = traced_state.with_leaf(path, remaining.pop(0))
        y, _ = apply_primitive(term, rebuild(x, remaining), traced, traced_state, mode, key)
        return tuple(leaves_of(y))

    value, pull = vjp(forward, *inputs)
    check_cotangent_shapes(term, value, cotangent)
    pulled = list(pull(tuple(leaves_of(cotangent))))
    parameters_cotangent = map_leaves(lambda _: pulled.pop(0), parameters)
    return parameters_cotangent, rebuild(x, pulled[len(constant) :])
