"""The laws that need no definition, each with a subject that breaks it."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array

from lenticulum.check import check


class Scale:
    """A callable whose equality forgets its field."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, x: Array) -> Array:
        return self.factor * x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scale)

    def __hash__(self) -> int:
        return 1


@dataclasses.dataclass(frozen=True)
class SoundScale:
    """A callable whose equality sees its field."""

    factor: float

    def __call__(self, x: Array) -> Array:
        return self.factor * x


def mutating(x: Any) -> Array:
    """Set its argument to zero."""
    if isinstance(x, np.ndarray):
        x[...] = 0
    return jnp.asarray(x)


class Counting:
    """A function that gives another result at every call."""

    def __init__(self) -> None:
        self.calls = [0]

    def __call__(self, x: Array) -> Array:
        self.calls[0] += 1
        return x + float(self.calls[0])


def other_when_traced(x: Array) -> Array:
    """Compute something else under a transformation."""
    return x if isinstance(x, jax.core.Tracer) else 2 * x


def other_for_one_row(x: Array) -> Array:
    """Depend on the number of rows."""
    return x * x.shape[0] if x.ndim == 2 else x


@jax.custom_vjp
def affine_rule(x: Array) -> Array:
    """Square with a reverse rule that is not linear in the cotangent."""
    return x**2


affine_rule.defvjp(lambda x: (x**2, x), lambda x, c: (2 * x * c + 1,))


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        (Scale(2.0), "identity"),
        (mutating, "mutates"),
        (Counting(), "nondeterministic"),
        (other_when_traced, "formula"),
        (other_for_one_row, "shape-dependent"),
        (affine_rule, "derivative"),
    ],
)
def test_a_subject_that_breaks_a_law_differs(subject: Any, kind: str) -> None:
    result = check(subject)
    assert (result.verdict, result.kind) == ("differs", kind), str(result)
    assert result.exit_code == 1


@pytest.mark.parametrize("subject", [jax.nn.softmax, jax.nn.relu, jnp.tanh, SoundScale(2.0), lambda x: x / 3.0])
def test_a_sound_subject_conforms_as_far_as_laws_go_that_need_no_definition(subject: Any) -> None:
    result = check(subject)
    assert result.verdict == "conforms", str(result)
    assert result.exit_code == 0
    assert any("no definition was given" in what for what in result.not_covered)


def test_rounding_between_compiled_and_op_by_op_is_no_finding() -> None:
    """A compiled sum of products may fuse: the results differ in binary32, and by 2^-29 of that in binary64."""
    result = check(lambda x: (x * 1.1 + 0.7) * x - x * x * 1.1)
    assert result.verdict == "conforms", str(result)


@jax.custom_jvp
def scaled_rule(x: Array) -> Array:
    """Sine, with a forward rule that is a millionth too large."""
    return jnp.sin(x)


scaled_rule.defjvp(lambda p, t: (jnp.sin(p[0]), 1.000001 * jnp.cos(p[0]) * t[0]))


def test_a_rule_that_is_linear_and_adjoint_but_not_the_derivative_differs() -> None:
    result = check(scaled_rule)
    assert (result.verdict, result.kind) == ("differs", "derivative"), str(result)


def test_what_cannot_run_is_not_covered() -> None:
    """NumPy inside: JAX cannot trace it, so its program has no exact meaning here."""
    result = check(lambda x: np.tanh(np.asarray(x)))
    assert result.verdict == "not covered", str(result)
    assert result.exit_code == 3
    assert any(what.startswith("exact meaning: it could not run") for what in result.not_covered)


def test_a_law_that_judged_no_entry_shows_nothing():
    result = check(lambda x: x * jnp.nan)
    assert result.verdict == "not covered"
    assert any("exact meaning: 0 entries" in each for each in result.not_covered)
