"""The reverse derivative of a term, exactly: puts of the parts, composed as lenses compose."""

from typing import Any

from lenticulum.numbers import ExactArray, vjp
from lenticulum.spec.apply import _apply, apply_primitive, check_names, space_of  # pyright: ignore[reportPrivateUsage]
from lenticulum.spec.caps import loss_cotangent
from lenticulum.spec.containers import rewritten
from lenticulum.spec.data import Data, add, both, leaves_of, rebuild
from lenticulum.spec.keys import Key, part_key
from lenticulum.spec.reparametrise import new_cotangent, original_parameters
from lenticulum.spec.wires import put_container
from lenticulum.terms import (
    Add,
    Compose,
    Container,
    Copy,
    Identity,
    LearningRate,
    Mode,
    Reparametrise,
    Swap,
    Tensor,
    Term,
    Tree,
    map_leaves,
)
from lenticulum.terms.exact import instance_of


def put(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Data
) -> tuple[Tree, Data]:
    """Return (parameters', x'): the cotangent pulled back along the term at this point.

    put((q, p), a, c') = let b = f(p, a); (q', b') = g*(q, b, c'); (p', a') = f*(p, a, b') in ((q', p'), a').

    The state is a constant: no cotangent flows into it or out of it. A learning-rate cap makes its own cotangent from
    the loss, so a term that ends in one takes the cotangent ().

    Raises: as `apply`; Undecided at a kink that the arithmetic cannot decide.
    Laws: RD.1-RD.5, tying adds, cotangent linearity. Source: arXiv:2103.01931, Definitions 2.4-2.6.
    """
    instance_of(mode, "mode", (Mode,), "Mode.TRAIN or Mode.EVAL")
    check_names(term, parameters, state)
    term.target(space_of(x))
    return _put(term, x, parameters, state, mode, key, cotangent)


def _put(
    term: Term, x: Any, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Any
) -> tuple[Tree, Any]:
    kind = type(term)
    if kind is Identity:
        return Tree(), cotangent
    if kind is Copy:
        return Tree(), add(*both(cotangent, "Copy"))
    if kind is Add:
        return Tree(), (cotangent, cotangent)
    if kind is Swap:
        left, right = both(cotangent, "Swap")
        return Tree(), (right, left)
    if isinstance(term, LearningRate):
        return Tree(), loss_cotangent(term, x)
    if isinstance(term, Compose):
        return _put_chain(term, x, parameters, state, mode, key, cotangent)
    if isinstance(term, Tensor):
        one, other = both(x, "Tensor")
        left, right = both(cotangent, "Tensor")
        left_p, left_x = _put(term.left, one, parameters.left, state.left, mode, part_key(key, "left"), left)
        right_p, right_x = _put(term.right, other, parameters.right, state.right, mode, part_key(key, "right"), right)
        return Tree(left=left_p, right=right_p), (left_x, right_x)
    if isinstance(term, Reparametrise):
        inner, inner_state, _ = original_parameters(term, parameters, state)
        inner_cotangent, x_cotangent = _put(term.term, x, inner, inner_state, mode, key, cotangent)
        return new_cotangent(term, inner_cotangent), x_cotangent
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

    _, pull = vjp(forward, *inputs)
    pulled = list(pull(tuple(leaves_of(cotangent))))
    parameters_cotangent = map_leaves(lambda _: pulled.pop(0), parameters)
    return parameters_cotangent, rebuild(x, pulled[len(constant) :])
