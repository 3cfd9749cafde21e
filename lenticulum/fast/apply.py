"""Apply a term: the plumbing of parameters, states, modes and keys, the same for every kind."""

from collections import ChainMap
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

from lenticulum.fast.keys import Key, MissingKey, Number, call_key, key_at
from lenticulum.fast.losses.learning_rate import learning_rate
from lenticulum.fast.losses.sink import sink
from lenticulum.fast.meaning import MEANINGS, Meaning, exact_row
from lenticulum.fast.parts import apply_container
from lenticulum.fast.reparametrise import original
from lenticulum.fast.shapes import require_same_shape, require_tree, space_of
from lenticulum.terms.container import Container, Part
from lenticulum.terms.learners import DeepDreamStep, Input, Learner
from lenticulum.terms.lenses import Add, Compose, Copy, Identity, Swap, Tensor
from lenticulum.terms.losses import LearningRate
from lenticulum.terms.modes import Mode
from lenticulum.terms.reparametrisations import Reparametrise
from lenticulum.terms.sinks import Sink
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.structural import AddUnit, Associate, RemoveUnit
from lenticulum.terms.structural import Wire as NamedWire
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree
from lenticulum.terms.wires import as_wire

#: An array of shape (..., features), a 0-d array (a loss), or a tuple of such; () is the unit.
Wire = Any

Structural = TypeVar("Structural", bound=Callable[..., tuple[Wire, Tree]])


class Scope(NamedTuple):
    """What a part sees beside its data: the mode, its path, a key, and the names from where that key was given.

    The key is that of the root, or of the call of a part that is called several times.
    `caps` collects (loss, cotangent) at every learning-rate cap: a cap ends a wire in the unit, so the cotangent that
    starts there cannot be an argument of the reverse pass.
    """

    mode: Mode
    key: Key | None
    caps: list[tuple[Any, Any]]
    path: Path = ()
    names: Path = ()

    def part(self, name: str) -> "Scope":
        """Return the scope of the part called `name`."""
        return self._replace(path=(*self.path, name), names=(*self.names, name))

    def under(self, part: Part) -> "Scope":
        """Return the scope of a part of a container."""
        return self._replace(path=(*self.path, *part.path), names=(*self.names, *part.key_path))

    def part_key(self) -> Key | None:
        """Return the key of this part; evaluation consumes none."""
        return None if self.key is None or self.mode is Mode.EVAL else key_at(self.key, self.names)

    def call(self, number: Number) -> "Scope":
        """Return the scope of one of several calls of this part."""
        key = self.part_key()
        return self if key is None else self._replace(key=call_key(key, number), names=())


def apply(term: Term, x: Wire, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Wire, Tree]:
    """Apply a term to an input.

    (y, state') = term(x; parameters, state, mode, key).

    Arguments: `x`: an array (..., features), or a tuple of such; `parameters`, `state`: trees of jax arrays with the
    names and shapes of the term; `mode`: a Mode; `key`: a jax.random key, or None where no part draws.
    Returns: the output and the new state, with the structure of the old. Evaluation uses no key and keeps the state.
    Raises: TypeError for a mode that is no Mode, a missing key, or a kind without a meaning; ShapeError or ValueError
    where the data do not fit, before any arithmetic.
    Laws: functoriality, erasure of evaluations, one update per training application.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Dense
    >>> parameters = Tree(weight=jnp.array([[2.0]]), bias=jnp.array([0.5]))
    >>> y, _ = apply(Dense(1, 1), jnp.array([3.0]), parameters, Tree(), Mode.EVAL, None)
    >>> float(y[0])
    6.5
    """
    check(term, x, parameters, state, mode)
    return walk(term, x, parameters, state, Scope(mode, key, []))


def check(term: Term, x: Wire, parameters: Tree, state: Tree, mode: Mode) -> None:
    """Refuse a mode that is no Mode, and trees or inputs that do not fit the term."""
    if not isinstance(mode, Mode):
        raise TypeError(f"mode = {mode!r}: expected Mode.TRAIN or Mode.EVAL")
    require_tree(parameters, term.parameter_shapes(), "parameters")
    require_tree(state, term.state_shapes(), "state")
    term.target(space_of(x))


def walk(term: Term, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    """Return the output and the new state of a term whose data are known to fit."""
    row = exact_row(_TABLE, type(term), "meaning")
    if isinstance(row, Meaning):
        if isinstance(term, Container):
            return apply_container(walk, row, term, x, parameters, state, scope)
        return _leaf(row, term, x, parameters, state, scope)
    return row(term, x, parameters, state, scope)


def _leaf(row: Meaning, term: Term, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    fields = {name: getattr(term, name) for name in row.fields}
    if not row.context:
        return row.function(parameters, x, **fields), state
    context = {"state": state, "mode": scope.mode, "key": scope.part_key() if "key" in row.context else None}
    try:
        return row.function(parameters, x, **fields, **{name: context[name] for name in row.context})
    except MissingKey as error:
        raise MissingKey(f"{'.'.join(scope.path) or 'the root'}: {error}") from None


def _identity(term: Identity, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return x, state


def _compose(term: Compose, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    new: dict[str, Tree] = {}
    for name, part in zip(term.names, term.parts, strict=True):
        x, new[name] = walk(part, x, parameters[name], state[name], scope.part(name))
    return x, Tree(new)


def _tensor(term: Tensor, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    left, left_state = walk(term.left, x[0], parameters.left, state.left, scope.part("left"))
    right, right_state = walk(term.right, x[1], parameters.right, state.right, scope.part("right"))
    return (left, right), Tree(left=left_state, right=right_state)


def _copy(term: Copy, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return (x, x), state


def _add(term: Add, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return _sum(x[0], x[1]), state


def _sum(x: Wire, y: Wire) -> Wire:
    if isinstance(x, tuple):
        return tuple(_sum(one, other) for one, other in zip(x, y, strict=True))
    require_same_shape("Add", x, y)
    return x + y


def _swap(term: Swap, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return (x[1], x[0]), state


def _reparametrise(term: Reparametrise, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    # The wrapper is transparent: it adds no name to the path, so wrapping changes no draw.
    inner = original(term.by, term.term.parameter_shapes(), parameters, state)
    y, new = walk(term.term, x, inner.parameters, inner.state, scope)
    return y, inner.rewrap(new)


def _cap(term: LearningRate, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    scope.caps.append((x, learning_rate(x, rate=term.rate, kind=term.kind)))
    return (), state


def _sink(term: Sink, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    scope.caps.append((x, sink(x, number=term.number, kind=term.kind)))
    return (), state


def _wire(term: NamedWire, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return x, state


def _associate(term: Associate, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    one, other = x
    return ((one[0], (one[1], other)) if term.to == "right" else ((one, other[0]), other[1])), state


def _add_unit(term: AddUnit, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return (((), x) if term.side == "left" else (x, ())), state


def _remove_unit(term: RemoveUnit, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return (x[1] if term.side == "left" else x[0]), state


def _input(term: Input, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    return as_wire(parameters.value), state


def _learner(term: Learner, x: Wire, parameters: Tree, state: Tree, scope: Scope) -> tuple[Wire, Tree]:
    # The wrapper is transparent, as that of a reparametrisation. The trees of shapes of a loss and of a cap have no
    # leaves, so they are their data too, and neither draws.
    data, label = as_wire(parameters.data), as_wire(parameters.label)
    prediction, new = walk(term.model, data, parameters.parameters, state, scope)
    wire, keyless = (label, prediction), scope._replace(key=None)
    for part in (term.loss, term.cap):
        wire, _ = walk(part, wire, part.parameter_shapes(), part.state_shapes(), keyless)
    return wire, new


def _step(
    term: SupervisedStep | DeepDreamStep, x: Wire, parameters: Tree, state: Tree, scope: Scope
) -> tuple[Wire, Tree]:
    function = "train_step" if isinstance(term, SupervisedStep) else "dream_step"
    raise TypeError(
        f"{type(term).__name__} has the unit as output, there is nothing to apply; "
        f"use {function}(step, data, label, ...)"
    )


_STRUCTURE: dict[type[Term], Callable[..., tuple[Wire, Tree]]] = {
    Identity: _identity,
    Compose: _compose,
    Tensor: _tensor,
    Copy: _copy,
    Add: _add,
    Swap: _swap,
    Reparametrise: _reparametrise,
    LearningRate: _cap,
    Sink: _sink,
    NamedWire: _wire,
    Associate: _associate,
    AddUnit: _add_unit,
    RemoveUnit: _remove_unit,
    Input: _input,
    Learner: _learner,
    SupervisedStep: _step,
    DeepDreamStep: _step,
}


def structural(kind: type[Term]) -> Callable[[Structural], Structural]:
    """Declare a walk (term, x, parameters, state, scope) -> (y, state') the meaning of a term type of this package."""

    def declare(row: Structural) -> Structural:
        _STRUCTURE[kind] = row
        return row

    return declare


_TABLE = ChainMap(cast("dict[type, Any]", _STRUCTURE), cast("dict[type, Any]", MEANINGS))
