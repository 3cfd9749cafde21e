"""Compiled terms and steps: the description is static, and a step is given its parameters and state to overwrite."""

from typing import Any

import jax
import jax.core
import jax.numpy as jnp

from lenticulum.fast.apply import Wire, apply
from lenticulum.fast.keys import Key
from lenticulum.fast.step import StepResult, train_step
from lenticulum.fast.train_state import Advanced, TrainState, advance
from lenticulum.terms.modes import Mode
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import Value, value


@value
class CompiledTerm(Value):
    """A term to be applied by one compiled program for each mode and each shape of its arguments."""

    term: Term

    def __call__(self, x: Wire, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Wire, Tree]:
        """Return (y, state'), as `apply`; nothing is donated."""
        return _apply(self.term, x, parameters, state, mode, key)


@value
class CompiledStep(Value):
    """A supervised step in one compiled program, which overwrites the parameters and the state that it is given."""

    step: SupervisedStep

    def __call__(self, data: Wire, label: Any, parameters: Tree, state: Tree, key: Key | None) -> StepResult:
        """Return the loss, the next parameters and the next state. The old trees must not be used again.

        Their buffers are donated: JAX may write the new values into them, and refuses later reads ("Array has been
        deleted"). A buffer that occurs twice among the arguments is copied first, since it cannot be given away twice.
        """
        given, old = jax.tree.leaves((data, label, key)), (parameters, state)
        return _step(self.step, data, label, *_each_once(old, given), key)


def compiled_term(term: Term) -> CompiledTerm:
    """Return a term as a function with one compiled program for each mode and shape.

    The term is a static argument, looked up by its identity: building it again compiles nothing.

    >>> from lenticulum.terms import Bias
    >>> twice = compiled_term(Bias(1) >> Bias(1))
    >>> parameters = Tree(layer_1=Tree(bias=jnp.array([1.0])), layer_2=Tree(bias=jnp.array([2.0])))
    >>> y, _ = twice(jnp.array([0.0]), parameters, twice.term.state_shapes(), Mode.EVAL, None)
    >>> float(y[0]), twice == compiled_term(Bias(1) >> Bias(1))
    (3.0, True)
    """
    return CompiledTerm(term)


def compiled_step(step: SupervisedStep) -> CompiledStep:
    """Return a supervised step as one compiled program with donated parameters and state.

    Law: the result is that of `train_step`, up to the compiler's arithmetic; building the step again compiles nothing.

    >>> from lenticulum.terms import Dense, GradientDescent, LearningRate, SquaredLoss
    >>> step = SupervisedStep(Dense(1, 1, use_bias=False), SquaredLoss(), LearningRate("1/10"), GradientDescent())
    >>> old = Tree(weight=jnp.array([[1.0]]))
    >>> state = Tree(model=Tree(), update=Tree())
    >>> loss, new, _ = compiled_step(step)(jnp.array([2.0]), jnp.array([5.0]), old, state, None)
    >>> f"{loss:.1f} {new.weight[0, 0]:.1f}", old.weight.is_deleted()
    ('4.5 1.6', True)
    """
    return CompiledStep(step)


def advance_in_place(run: TrainState, data: Wire, label: Any) -> Advanced:
    """Take one step as `advance` does, in one compiled program that overwrites the run: it must not be used again.

    >>> from lenticulum.fast.train_state import start_training
    >>> from lenticulum.terms import Bias, GradientDescent, LearningRate, SquaredLoss
    >>> learner = SupervisedStep(Bias(1), SquaredLoss(), LearningRate("1/2"), GradientDescent())
    >>> old = start_training(jax.random.key(0), learner)
    >>> run, loss = advance_in_place(old, jnp.array([1.0]), jnp.array([3.0]))
    >>> float(loss), int(run.step), old.step.is_deleted()
    (2.0, 1, True)
    """
    return _advance(_each_once(run, jax.tree.leaves((data, label))), data, label)


def _each_once(donated: Any, given: list[Any]) -> Any:
    """The donated trees, with a copy of each array whose buffer occurs twice or is among the other arguments.

    Two arrays may share a buffer without being one object: JAX keeps small constants such as a count of 0.
    """
    seen = {buffer for leaf in given for buffer in _buffers(leaf)}

    def once(leaf: Any) -> Any:
        buffers = _buffers(leaf)
        if buffers & seen:
            return jnp.array(leaf, copy=True)
        seen.update(buffers)
        return leaf

    return jax.tree.map(once, donated)


def _buffers(leaf: Any) -> set[int]:
    # Under another transformation nothing is given away: an inner jit keeps the buffers of its arguments.
    if not isinstance(leaf, jax.Array) or isinstance(leaf, jax.core.Tracer):
        return {id(leaf)}
    with jax.ensure_compile_time_eval():  # also inside another program: the key is a value
        words = jax.random.key_data(leaf) if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf
    return {shard.data.unsafe_buffer_pointer() for shard in words.addressable_shards}


# Module-level functions that close over nothing: what jit looks up is this function, the description, and the shapes.
_apply = jax.jit(apply, static_argnums=(0, 4))
_step = jax.jit(train_step, static_argnums=0, donate_argnums=(3, 4))
_advance = jax.jit(advance, donate_argnums=0)
