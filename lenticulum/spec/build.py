"""The builder: draws a term's parameters and states from the seed stream, in order of construction."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.spec.parts import stacked
from lenticulum.spec.seeds import next_seed, xavier_uniform
from lenticulum.terms import (
    BatchNorm,
    Container,
    DeepDreamStep,
    Dense,
    Dropout,
    Freeze,
    Input,
    Learner,
    Reparametrise,
    SupervisedStep,
    Term,
    Tie,
    Tree,
)
from lenticulum.terms.container import placed
from lenticulum.terms.reparametrisations import picked, split


@dataclass(frozen=True)
class Built:
    """Parameters and states as NumPy arrays of the working format, and the counter after the build."""

    parameters: Tree
    states: Tree
    counter: int


def build(seed: int, term: Term, *, dtype: Any = np.float32, counter: int = 0) -> Built:
    """Return the parameters and states of a term built from a seed.

    (seed, counter) -> (value, (seed, counter')). Only a stochastic part consumes one counter value: a Dense weight
    (Xavier uniform, drawn in binary64 and rounded once), a Dropout with 0 < rate < 1. Biases are zero, scales one. The
    term is validated when it is constructed, so an invalid configuration consumes nothing.

    Args:
        seed: the base seed; it never changes.
        term: what to build.
        dtype: the working format.
        counter: the counter before the build.
    Laws: two builds from one seed are equal; unrelated builds in between change nothing.
    """
    if isinstance(term, Container):
        return build_parts(seed, term, dtype, counter)
    if isinstance(term, Reparametrise):
        return reparametrised(term, build(seed, term.term, dtype=dtype, counter=counter))
    if isinstance(term, SupervisedStep):
        raise TypeError("build: build the model of a SupervisedStep; its update starts from initial_update_state")
    if isinstance(term, Input | Learner | DeepDreamStep):
        raise TypeError(f"build: the wires of {type(term).__name__} are data, which no seed draws; build its model")
    return build_leaf(seed, term, dtype, counter)


def build_parts(seed: int, term: Container, dtype: Any, counter: int) -> Built:
    """Return the parts built in order, and the copies of each, the counter threaded through."""
    parameters, states = Tree(), Tree()
    for part in (part for part in term.inside() if part.listed):
        copies: list[Built] = []
        for _ in range(part.copies or 1):
            copies.append(build(seed, part.term, dtype=dtype, counter=counter))
            counter = copies[-1].counter
        whole = (
            copies[0]
            if part.copies is None
            else Built(
                stacked([copy.parameters for copy in copies]), stacked([copy.states for copy in copies]), counter
            )
        )
        parameters = placed(parameters, part.path, whole.parameters)
        states = placed(states, part.path, whole.states)
    return Built(parameters, states, counter)


def build_leaf(seed: int, term: Term, dtype: Any, counter: int) -> Built:
    """Return a part that has no parts: constants by name, and one draw where the kind is stochastic."""
    parameters = constants(term.parameter_shapes(), dtype)
    states = constants(term.state_shapes(), dtype)
    if isinstance(term, Dense):
        weight = xavier_uniform(next_seed(seed, counter), (term.outputs, term.inputs)).astype(dtype)
        return Built(parameters.with_entries(weight=weight), states, counter + 1)
    if isinstance(term, BatchNorm) and term.start == "corrected":
        # The hidden pair starts from (0, 0): the correction divides by what is missing.
        return Built(parameters, states.with_entries(running_variance=np.zeros(term.features, dtype=dtype)), counter)
    if isinstance(term, Dropout) and 0 < term.rate < 1:  # pyright: ignore[reportOperatorIssue]
        if term.draws == "seed_stream":
            layer = next_seed(seed, counter)
            states = states.with_entries(seed=np.array([layer >> 32, layer & 0xFFFFFFFF], dtype=np.uint32))
        return Built(parameters, states, counter + 1)
    return Built(parameters, states, counter)


def constants(shapes: Tree, dtype: Any) -> Tree:
    """Return the constant start values by name: weight and running_variance are 1, count and seed 0, the rest 0."""

    def start(name: str, shape: tuple[int, ...]) -> np.ndarray:
        if name in ("count", "seed"):
            return np.zeros(shape, dtype=np.uint32)
        return np.ones(shape, dtype=dtype) if name in ("weight", "running_variance") else np.zeros(shape, dtype=dtype)

    return Tree({name: start(name, shapes[name]) for name in shapes})


def reparametrised(term: Reparametrise, inner: Built) -> Built:
    """Return the build of the inner term with tied followers dropped and frozen parameters moved into the state."""
    parameters, states = inner.parameters, inner.states
    if isinstance(term.by, Tie):
        for follower in term.by.followers():
            parameters = parameters.without(split(follower))
    elif isinstance(term.by, Freeze):
        states = Tree(frozen=picked(parameters, term.by.paths), inner=states)
        for path in term.by.paths:
            parameters = parameters.without(split(path))
    else:
        raise TypeError(
            f"build: the seed stream says nothing of the parameter map {type(term.by).__name__}; "
            "build the term below it and give the new parameters yourself"
        )
    return Built(parameters, states, inner.counter)
