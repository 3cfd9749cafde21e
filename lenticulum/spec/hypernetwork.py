"""Parameters made by a term, exactly."""

from lenticulum import terms
from lenticulum.spec.apply import apply
from lenticulum.spec.data import array
from lenticulum.spec.reparametrise import parameter_map
from lenticulum.terms import Mode, Term, Tree
from lenticulum.terms.reparametrisations import split


@parameter_map(terms.Hypernetwork)
def hypernetwork(parameters: Tree, *, path: str, generator: Term, shapes: Tree) -> Tree:
    """Return the parameters with reshape(h(z; q)) at the path: z the embedding, q the parameters of the generator h.

    Values that determine the result: embedding [inputs], the parameters of the generator. Pure; the generator draws
    nothing, because it gets no key.
    Source: Ha, Dai and Le 2016, arXiv:1609.09106.
    """
    made_of = parameters.at(split(path))
    made, _ = apply(generator, made_of.embedding, made_of.generator, generator.state_shapes(), Mode.TRAIN, None)
    shape: tuple[int, ...] = shapes.at(split(path))
    return parameters.with_leaf(split(path), array(made, "Hypernetwork").reshape(shape))
