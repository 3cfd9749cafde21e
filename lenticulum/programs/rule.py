"""The table of rules: what each primitive of JAX means, on exact arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from jax.extend import core

from lenticulum.programs.left_out import LEFT_OUT
from lenticulum.programs.source import location

if TYPE_CHECKING:
    from lenticulum.programs.interpreter import Interpreter

Rule = TypeVar("Rule", bound=Callable[..., Any])

RULES: dict[str, Callable[..., Any]] = {}
"""Rule by the name of the primitive: rule(step, *operands) -> the output, or the list of several outputs.

A floating-point operand is an exact array, an integer or boolean one a NumPy array (masked where undecided), a key a
JAX array. All exact operands of one step are of one number system.
"""


#: The files of `programs.rules`, each of which registers the rules of one family of primitives.
FAMILIES = (
    "arithmetic choice constants control conversion extremes folds linear movement reductions scatter sort special"
    " steps windows"
)


def load() -> None:
    """Import every rule."""
    for family in FAMILIES.split():
        import_module(f"lenticulum.programs.rules.{family}")


class UnknownPrimitive(NotImplementedError):
    """A primitive of JAX for which there is no rule; the message names it and its source line."""


@dataclass(frozen=True)
class Step:
    """One equation as it is read: its parameters, the types of its results, and who reads it."""

    interpreter: Interpreter
    equation: core.JaxprEqn

    @property
    def name(self) -> str:
        """The name of the primitive."""
        return self.equation.primitive.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the equation by name."""
        return self.equation.params

    @property
    def operands(self) -> list[Any]:
        """The types of the operands, each with a shape and a dtype."""
        return [each.aval for each in self.equation.invars]

    @property
    def results(self) -> list[Any]:
        """The types of the results."""
        return [each.aval for each in self.equation.outvars]

    @property
    def dtype(self) -> Any:
        """The dtype of the first result."""
        return self.results[0].dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first result."""
        return tuple(self.results[0].shape)


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a function as the rule of some primitives.

    Raises: ValueError if one has a rule already.
    """

    def register(function: Rule) -> Rule:
        for name in names:
            if name in RULES:
                raise ValueError(f"{name} has a rule already")
            RULES[name] = function
        return function

    return register


def rule_of(equation: core.JaxprEqn) -> Callable[..., Any]:
    """Return the rule of an equation.

    Raises: UnknownPrimitive, naming the primitive and its line.
    """
    name = equation.primitive.name
    if name not in RULES:
        reason = f": {LEFT_OUT[name]}" if name in LEFT_OUT else ""
        raise UnknownPrimitive(
            f"the primitive {name} of JAX has no exact meaning here{reason}\nit is used at {location(equation)}"
        )
    return RULES[name]
