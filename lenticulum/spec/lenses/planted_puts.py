"""Planted mistakes about reverse derivatives of terms: `spec.put` with one rule replaced by a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lenticulum.numbers import ExactArray
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data, array, both, describe
from lenticulum.spec.keys import Key, part_key
from lenticulum.spec.put import put
from lenticulum.spec.reparametrise import original
from lenticulum.terms import Compose, Copy, Dense, Mode, Reparametrise, Tensor, Term, Tie, Tree, map_leaves
from lenticulum.terms.reparametrisations import split

Put = Callable[[Term, Data, Tree, Tree, Mode, Key | None, Data], tuple[Tree, Data]]
#: From the put of the parts, the term, the point, parameters, state, mode, key and cotangent.
Rule = Callable[..., tuple[Tree, Data]]


@dataclass(frozen=True)
class Mistaken:
    """`spec.put`, but with another rule for one kind of term, at any depth."""

    kind: type[Term]
    rule: Rule

    def __call__(
        self, term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Data
    ) -> tuple[Tree, Data]:
        arguments: Any = (x, parameters, state, mode, key, cotangent)
        if isinstance(term, self.kind):
            return self.rule(self, term, *arguments)
        if isinstance(term, Compose):
            return put_chain(self, term, *arguments, at=lambda point, value: point)
        if isinstance(term, Tensor):
            (one, other), (c, d) = both(x, "Tensor"), both(cotangent, "Tensor")
            left, to_one = self(term.left, one, parameters.left, state.left, mode, part_key(key, "left"), c)
            right, to_other = self(term.right, other, parameters.right, state.right, mode, part_key(key, "right"), d)
            return Tree(left=left, right=right), (to_one, to_other)
        if isinstance(term, Reparametrise):
            inner = original(term.by, term.term.parameter_shapes(), parameters, state)
            pulled, to_x = self(term.term, x, inner.parameters, inner.state, mode, key, cotangent)
            return inner.pull(pulled), to_x
        return put(term, *arguments)


def put_chain(
    of: Put,
    term: Compose,
    x: Data,
    parameters: Tree,
    state: Tree,
    mode: Mode,
    key: Key | None,
    cotangent: Data,
    *,
    at: Callable[[Data, Data], Data],
) -> tuple[Tree, Data]:
    """The put of a chain, each part put at `at(argument, value)`."""
    points: list[Data] = []
    for name, part in zip(term.names, term.parts, strict=True):
        value, _ = apply(part, x, parameters[name], state[name], mode, part_key(key, name))
        points.append(at(x, value))
        x = value
    pulled: dict[str, Tree] = {}
    for name, part, point in reversed(list(zip(term.names, term.parts, points, strict=True))):
        pulled[name], cotangent = of(part, point, parameters[name], state[name], mode, part_key(key, name), cotangent)
    return Tree({name: pulled[name] for name in term.names}), cotangent


def _at_the_value(of: Put, term: Compose, *arguments: Any) -> tuple[Tree, Data]:
    return put_chain(
        of, term, *arguments, at=lambda point, value: value if describe(value) == describe(point) else point
    )


def _left_only(of: Put, term: Copy, *arguments: Any) -> tuple[Tree, Data]:
    return Tree(), both(arguments[-1], "Copy")[0]


def _transposed(of: Put, term: Dense, *arguments: Any) -> tuple[Tree, Data]:
    pulled, to_x = put(term, *arguments)
    weight, cotangent = arguments[1].weight, array(arguments[-1], "Dense")
    return pulled, cotangent @ weight.T if term.inputs == term.outputs else to_x


def _first_use(of: Put, term: Reparametrise, x: Data, parameters: Tree, state: Tree, *rest: Any) -> tuple[Tree, Data]:
    inner = original(term.by, term.term.parameter_shapes(), parameters, state)
    pulled, to_x = of(term.term, x, inner.parameters, inner.state, *rest)
    if isinstance(term.by, Tie):
        for follower in term.by.followers():
            pulled = pulled.without(split(follower))
    return pulled, to_x


def _squared(x: ExactArray) -> ExactArray:
    return x * x


def quadratic_in_the_cotangent(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Data
) -> tuple[Tree, Data]:
    """Every parameter cotangent squared: a put that is not linear in its cotangent."""
    pulled, to_x = put(term, x, parameters, state, mode, key, cotangent)
    return map_leaves(_squared, pulled), to_x


missing_sum_at_a_copy = Mistaken(Copy, _left_only)
put_at_the_wrong_point = Mistaken(Compose, _at_the_value)
transposed_jacobian = Mistaken(Dense, _transposed)
tied_gradient_taken_once = Mistaken(Reparametrise, _first_use)
