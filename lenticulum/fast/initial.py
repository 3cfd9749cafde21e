"""Initial parameters and states: pure in the key, and drawn by path, so that siblings do not matter."""

from collections.abc import Callable
from math import sqrt
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array

from lenticulum.fast.initial_maps import initial_of
from lenticulum.fast.keys import Key, call_key, key_at
from lenticulum.fast.meaning import exact_row
from lenticulum.fast.optimizers.update import initial_update_state
from lenticulum.terms.container import Container, Part, placed
from lenticulum.terms.layers import BatchNorm, Bias, Dense, Dropout, LayerNorm
from lenticulum.terms.learners import DeepDreamStep, Input, Learner
from lenticulum.terms.reparametrisations import Reparametrise
from lenticulum.terms.self_attention import SelfAttention
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree, map_leaves

Shape = tuple[int, ...]
Draw = TypeVar("Draw", bound=Callable[[Any, Key, Shape], Array])

#: How the leaf of a name starts, by the exact type of its term: (term, key, shape) -> array.
INITIAL: dict[type[Term], dict[str, Callable[[Any, Key, Shape], Array]]] = {}


def initial(term_type: type[Term], *leaves: str) -> Callable[[Draw], Draw]:
    """Declare how the named leaves of a term type start.

    Arguments: `term_type`: the exact type; `leaves`: names of parameters or states.
    Returns: a decorator for a function (term, key, shape) -> array, which it returns unchanged.
    """

    def declare(draw: Draw) -> Draw:
        INITIAL.setdefault(term_type, {}).update(dict.fromkeys(leaves, draw))
        return draw

    return declare


def initialparameters(key: Key, term: Term) -> Tree:
    """Draw the parameters of a term.

    The leaf at path (a, b) is drawn from fold_in(fold_in(key, salt(a)), salt(b)). Weight matrices are Xavier uniform,
    biases zero, the weights of normalisations one. A reparametrised term starts from parameters drawn for its term: a
    tied parameter as the first member of its group, low-rank factors and weight norms at the drawn matrix.

    Returns: a tree of float32 arrays with the shapes of `term.parameter_shapes()`. Raises: TypeError for a kind
    without rule.
    Laws: pure in the key; independent of siblings. Source: `initialparameters` of LuxCore (github.com/LuxDL/Lux.jl).

    >>> initialparameters(jax.random.key(0), Dense(2, 1)).bias
    Array([0.], dtype=float32)
    """
    if isinstance(term, Container):
        return _of_parts(initialparameters, key, term)
    if isinstance(term, SupervisedStep):
        return initialparameters(key, term.model)
    if isinstance(term, DeepDreamStep):
        return initialparameters(key, term.learner.model)
    if isinstance(term, Input | Learner):
        raise TypeError(f"{type(term).__name__}: its wires are data, which no key draws; draw those of its model")
    if isinstance(term, Reparametrise):
        return _reparametrised(key, term)[0]
    return _leaves(key, term, term.parameter_shapes())


def initialstates(key: Key, term: Term) -> Tree:
    """Draw the states of a term.

    Running statistics start as their convention says, counts at 0, the seed of a stream is drawn from the key of its
    path. The constants of a parameter map are drawn as parameters of the same path are, from this key.

    Returns: a tree with the shapes of `term.state_shapes()`. Raises: TypeError for a kind without rule.
    Laws: pure in the key; independent of siblings.

    >>> initialstates(jax.random.key(0), BatchNorm(1))
    Tree(running_mean=Array([0.], dtype=float32), running_variance=Array([1.], dtype=float32))
    """
    if isinstance(term, Container):
        return _of_parts(initialstates, key, term)
    if isinstance(term, SupervisedStep):
        zeros = map_leaves(jnp.zeros, term.parameter_shapes())
        return Tree(model=initialstates(key, term.model), update=initial_update_state(term.update, zeros))
    if isinstance(term, DeepDreamStep):
        zeros = map_leaves(jnp.zeros, term.data_shapes())
        return Tree(model=initialstates(key, term.learner), update=initial_update_state(term.update, zeros))
    if isinstance(term, Learner):
        return initialstates(key, term.model)
    if isinstance(term, Reparametrise):
        return _reparametrised(key, term)[1]
    return _leaves(key, term, term.state_shapes())


def setup(key: Key, term: Term) -> tuple[Tree, Tree]:
    """Draw parameters and states, from two independent keys.

    setup(key, term) = (initialparameters(k("parameters"), term), initialstates(k("states"), term)), where
    k(name) = fold_in(key, salt(name)).

    >>> parameters, states = setup(jax.random.key(0), Dense(2, 1))
    >>> parameters.weight.shape, states
    ((1, 2), Tree())
    """
    return initialparameters(key_at(key, ("parameters",)), term), initialstates(key_at(key, ("states",)), term)


@initial(Dense, "weight")
@initial(SelfAttention, "query_weight", "key_weight", "value_weight", "output_weight")
def xavier_uniform(term: Term, key: Key, shape: Shape) -> Array:
    """Draw from the uniform distribution on [-L, L), L = sqrt(6 / (fan_in + fan_out)). Source: Glorot and Bengio 2010.

    >>> weight = xavier_uniform(Dense(2, 4), jax.random.key(0), (4, 2))
    >>> weight.shape, bool((jnp.abs(weight) <= 1).all())
    ((4, 2), True)
    """
    limit = sqrt(6 / sum(shape))
    return jax.random.uniform(key, shape, jnp.float32, -limit, limit)


@initial(Dense, "bias")
@initial(Bias, "bias")
@initial(LayerNorm, "bias")
@initial(SelfAttention, "query_bias", "key_bias", "value_bias", "output_bias")
@initial(BatchNorm, "bias", "running_mean")
def zeros(term: Term, key: Key, shape: Shape) -> Array:
    """Return zeros.

    >>> zeros(Bias(1), jax.random.key(0), (1,))
    Array([0.], dtype=float32)
    """
    return jnp.zeros(shape, jnp.float32)


@initial(LayerNorm, "weight")
@initial(BatchNorm, "weight")
def ones(term: Term, key: Key, shape: Shape) -> Array:
    """Return ones.

    >>> ones(LayerNorm(1), jax.random.key(0), (1,))
    Array([1.], dtype=float32)
    """
    return jnp.ones(shape, jnp.float32)


@initial(BatchNorm, "running_variance")
def running_variance(term: BatchNorm, key: Key, shape: Shape) -> Array:
    """Return the start of the running variance: 1, and 0 for the hidden variance under "corrected".

    >>> running_variance(BatchNorm(1, start="corrected"), jax.random.key(0), (1,))
    Array([0.], dtype=float32)
    """
    return jnp.full(shape, 0 if term.start == "corrected" else 1, jnp.float32)


@initial(BatchNorm, "count")
@initial(Dropout, "count")
def count(term: Term, key: Key, shape: Shape) -> Array:
    """Return the count before the first step.

    >>> count(Dropout(draws="seed_stream"), jax.random.key(0), ())
    Array(0, dtype=uint32)
    """
    return jnp.zeros(shape, jnp.uint32)


@initial(Dropout, "seed")
def seed(term: Term, key: Key, shape: Shape) -> Array:
    """Draw the seed of a stream: a 64-bit word in two halves.

    >>> seed(Dropout(draws="seed_stream"), jax.random.key(0), (2,)).dtype
    dtype('uint32')
    """
    return jax.random.bits(key, shape, jnp.uint32)


def _leaves(key: Key, term: Term, shapes: Tree) -> Tree:
    if not len(shapes):
        return Tree()
    row = exact_row(INITIAL, type(term), "initial values")
    return Tree({name: row[name](term, key_at(key, (name,)), shapes[name]) for name in shapes})


def _of_parts(draw: Callable[[Key, Term], Tree], key: Key, term: Container) -> Tree:
    whole = Tree()
    for part in term.inside():
        if part.listed:
            whole = placed(whole, part.path, _of_copies(draw, key_at(key, part.path), part))
    return whole


def _of_copies(draw: Callable[[Key, Term], Tree], key: Key, part: Part) -> Tree:
    if part.copies is None:
        return draw(key, part.term)
    # One program for all copies; each is drawn from the key of its call.
    return lax.map(lambda number: draw(call_key(key, number), part.term), jnp.arange(part.copies, dtype=jnp.uint32))


def _reparametrised(key: Key, term: Reparametrise) -> tuple[Tree, Tree]:
    return initial_of(term.by, key, initialparameters(key, term.term), initialstates(key, term.term))
