"""Parameters made by a term, in JAX."""

import jax

from lenticulum.fast.apply import apply
from lenticulum.fast.initial import initialparameters
from lenticulum.fast.initial_maps import initial_map
from lenticulum.fast.keys import Key, key_at
from lenticulum.fast.reparametrise import parameter_map
from lenticulum.terms.modes import Mode
from lenticulum.terms.parameter_maps import Hypernetwork
from lenticulum.terms.reparametrisations import split
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree


@parameter_map(Hypernetwork)
def hypernetwork(parameters: Tree, *, path: str, generator: Term, shapes: Tree) -> Tree:
    """Return the parameters with the output of the generator at the path.

    W = reshape(h(z; q)), z the embedding, q the parameters of the generator h, which gets no key and so draws nothing.

    Source: Ha, Dai and Le 2016, arXiv:1609.09106.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Bias
    >>> made_of = Tree(embedding=jnp.array([1.0, 2.0]), generator=Tree(bias=jnp.array([10.0, 20.0])))
    >>> shapes = Tree(weight=(2, 1))
    >>> hypernetwork(Tree(weight=made_of), path="weight", generator=Bias(2), shapes=shapes).weight.tolist()
    [[11.0], [22.0]]
    """
    made_of = parameters.at(split(path))
    made, _ = apply(generator, made_of.embedding, made_of.generator, generator.state_shapes(), Mode.TRAIN, None)
    return parameters.with_leaf(split(path), made.reshape(shapes.at(split(path))))


@initial_map(Hypernetwork)
def drawn_generator(by: Hypernetwork, key: Key, drawn: Tree) -> tuple[Tree, Tree]:
    """Start from a standard normal embedding and the initial parameters of the generator, from the keys of their paths.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Bias
    >>> start, _ = drawn_generator(Hypernetwork("w", Bias(2), 2), jax.random.key(0), Tree(w=jnp.zeros((2, 1))))
    >>> start.w.embedding.shape, start.w.generator
    ((2,), Tree(bias=Array([0., 0.], dtype=float32)))
    """
    path = split(by.path)
    embedding = jax.random.normal(key_at(key, (*path, "embedding")), (by.inputs,), drawn.at(path).dtype)
    generator = initialparameters(key_at(key, (*path, "generator")), by.generator)
    return drawn.with_leaf(path, Tree(embedding=embedding, generator=generator)), Tree()
