"""Parameter maps that compute: symmetric, low-rank and weight-normalised matrices, and parameters made by a term."""

from math import prod

from lenticulum.terms.exact import Number, count, exact, instance_of, one_of
from lenticulum.terms.reparametrisations import ParameterMap, split
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import set_field, value

Shape = tuple[int, ...]


@value
class Symmetric(ParameterMap):
    """Each named square matrix is the symmetric part of its parameter: r(W) = (W + Wᵀ) / 2."""

    paths: tuple[str, ...]

    def __post_init__(self) -> None:
        """Paths are different."""
        different(self.paths, "Symmetric")

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes as they are; a matrix that is not square is refused."""
        for path in self.paths:
            rows, columns = matrix(shapes, path, "Symmetric")
            if rows != columns:
                raise ValueError(f"Symmetric: expected a square matrix at {path}, got {(rows, columns)}")
        return shapes


@value
class LowRank(ParameterMap):
    """Each named matrix is a base and a product of low rank: r(W0, A, B) = W0 + scale A B.

    A `left` [rows, rank], B `right` [rank, columns]. `base`: W0 is a constant, kept in the state ("frozen"), or a
    parameter `base` beside the factors ("parameter"). Gauge: (A G, G⁻¹ B) gives the same matrix for every invertible G.
    Source: Hu et al. 2021 (LoRA), arXiv:2106.09685, where A is called B, B is called A, and scale is alpha / rank.
    """

    paths: tuple[str, ...]
    rank: int
    scale: Number = 1
    base: str = "frozen"

    def __post_init__(self) -> None:
        """Make the scale exact; refuse a rank below 1 and an unknown place of the base."""
        different(self.paths, "LowRank")
        count(self.rank, "LowRank: rank")
        set_field(self, "scale", exact(self.scale, "LowRank: scale"))
        one_of(self.base, "LowRank: base", ("frozen", "parameter"))

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return, at each path, the factors `left` and `right`, after the base if it is a parameter."""
        for path in self.paths:
            rows, columns = matrix(shapes, path, "LowRank")
            base = {"base": (rows, columns)} if self.base == "parameter" else {}
            factors = Tree({**base, "left": (rows, self.rank), "right": (self.rank, columns)})
            shapes = shapes.with_leaf(split(path), factors)
        return shapes

    def frozen_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes of the bases, unless they are parameters."""
        frozen = Tree()
        for path in self.paths if self.base == "frozen" else ():
            frozen = frozen.with_leaf(split(path), matrix(shapes, path, "LowRank"))
        return frozen


@value
class WeightNorm(ParameterMap):
    """Each row of a named matrix has a length and a direction: r(g, v)ᵢ = gᵢ vᵢ / |vᵢ|.

    g `gain` [rows], v `direction` [rows, columns]. The map is undefined where a row of v is zero.
    Source: Salimans and Kingma 2016, arXiv:1602.07868, equation 2.
    """

    paths: tuple[str, ...]

    def __post_init__(self) -> None:
        """Paths are different."""
        different(self.paths, "WeightNorm")

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the gain and the direction at each path."""
        for path in self.paths:
            rows, columns = matrix(shapes, path, "WeightNorm")
            shapes = shapes.with_leaf(split(path), Tree(gain=(rows,), direction=(rows, columns)))
        return shapes


@value
class Hypernetwork(ParameterMap):
    """A named parameter is the output of another term: r(z, q) = reshape(h(z; q)).

    z `embedding` [inputs]; q `generator`, the parameters of h. The generator h takes `inputs` features to as many
    numbers as the parameter has, in row-major order. It has no state, and it is applied without a key, so that a
    generator that draws is refused where it is applied.
    Source: Ha, Dai and Le 2016, arXiv:1609.09106.
    """

    path: str
    generator: Term
    inputs: int

    def __post_init__(self) -> None:
        """Refuse a generator with state."""
        instance_of(self.generator, "Hypernetwork: generator", (Term,), "a term")
        count(self.inputs, "Hypernetwork: inputs")
        if self.generator.state_shapes().leaves():
            raise ValueError(f"Hypernetwork: the generator {self.generator!r} has state; use one without")

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the embedding and the parameters of the generator in the place of the parameter."""
        shape = leaf(shapes, self.path, "Hypernetwork")
        made = self.generator.target(self.inputs)
        if made != prod(shape):
            raise ValueError(
                f"Hypernetwork: the generator makes {made} numbers, {self.path} {shape} has {prod(shape)}; "
                f"let the last layer have {prod(shape)} outputs"
            )
        made_of = Tree(embedding=(self.inputs,), generator=self.generator.parameter_shapes())
        return shapes.with_leaf(split(self.path), made_of)


def different(paths: tuple[str, ...], kind: str) -> None:
    """Refuse no paths, and a path that occurs twice.

    >>> different(("a", "a"), "Symmetric")
    Traceback (most recent call last):
    ValueError: Symmetric: expected one or more different paths, got ('a', 'a')
    """
    if len(set(paths)) != len(paths) or not paths:
        raise ValueError(f"{kind}: expected one or more different paths, got {paths}")


def leaf(shapes: Tree, path: str, kind: str) -> Shape:
    """Return the shape at a path, which has to be one parameter.

    >>> leaf(Tree(a=Tree(b=(2,))), "a", "Symmetric")
    Traceback (most recent call last):
    ValueError: Symmetric: expected one parameter at a, got the tree of b
    """
    shape = shapes.at(split(path))
    if isinstance(shape, Tree):
        raise ValueError(f"{kind}: expected one parameter at {path}, got the tree of {', '.join(shape)}")
    return shape


def matrix(shapes: Tree, path: str, kind: str) -> tuple[int, int]:
    """Return rows and columns of the parameter at a path, which has to be a matrix.

    >>> matrix(Tree(bias=(2,)), "bias", "LowRank")
    Traceback (most recent call last):
    ValueError: LowRank: expected a matrix at bias, got the shape (2,)
    """
    shape = leaf(shapes, path, kind)
    if len(shape) != 2:
        raise ValueError(f"{kind}: expected a matrix at {path}, got the shape {shape}")
    return shape[0], shape[1]
