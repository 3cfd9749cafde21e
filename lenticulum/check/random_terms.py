"""Random well-typed terms: one generator for every driver, with generic hyper-parameters and every convention."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import cast

from lenticulum.check.random_containers import container
from lenticulum.spec.draw import Draw
from lenticulum.terms import (
    Adagrad,
    Adam,
    Add,
    AddUnit,
    Associate,
    BatchNorm,
    Bias,
    Compose,
    ComposedMap,
    Copy,
    CrossEntropyLoss,
    Dense,
    DotLoss,
    Dropout,
    GradientDescent,
    Hypernetwork,
    Identity,
    Input,
    LayerNorm,
    LearningRate,
    LowRank,
    Momentum,
    Named,
    Nesterov,
    ParameterMap,
    Relu,
    RemoveUnit,
    Reparametrise,
    SelfAttention,
    Sink,
    Softmax,
    Space,
    SquaredLoss,
    Swap,
    Symmetric,
    Tanh,
    Tensor,
    Term,
    Tree,
    Update,
    WeightNorm,
    Wire,
    children,
    freeze,
    tie,
)
from lenticulum.terms.spaces import ShapeError, bare, unify

# Never the defaults alone: at epsilon = 1e-5, decay 9/10 or probability 1/2 most wrong conventions round to the right
# result. Half are exact in binary, half are not.
EPSILONS = (Fraction(1, 8), Fraction(3, 16), Fraction(1, 10), Fraction(1, 7))
WEIGHTS = (Fraction(1, 4), Fraction(3, 8), Fraction(1, 10), Fraction(2, 7))
DECAYS = (Fraction(7, 8), Fraction(3, 4), Fraction(9, 10), Fraction(0))
RATES = (Fraction(1, 4), Fraction(3, 8), Fraction(1, 10), Fraction(1))
LOSS_FACTORS = (Fraction(1, 2), Fraction(3, 10))
LOW_RANK_SCALES = (Fraction(1, 2), Fraction(3, 10), Fraction(2))
DROPOUT_RATES = (Fraction(1, 4), Fraction(3, 8), Fraction(3, 10), Fraction(2, 3), Fraction(0), Fraction(1))


@dataclass(frozen=True)
class Sizes:
    """What shapes are drawn from: leading axes with the numbers of features that go with them, and the deepest nesting.

    Few shapes, because every primitive is compiled once for each; none of the seven arrays is square.
    """

    palette: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
        ((2,), (3, 4)),
        ((3,), (2, 4)),
        ((4,), (3, 1)),
        ((1,), (2,)),
    )
    nesting: int = 8


SIZES = Sizes()


class TermGenerator:
    """Draws terms: every method is a function of the draw.

    Arguments: `features`: the numbers of features to draw from; `single`: what BatchNorm may do with a batch of one:
    "reject" only where the batch is larger; `batch`: the leading axes, which data that are parameters have too; without
    it, there are none.
    """

    def __init__(
        self,
        draw: Draw,
        features: tuple[int, ...],
        single: tuple[str, ...] = ("population",),
        batch: tuple[int, ...] | None = None,
    ) -> None:
        self.draw, self.features, self.single, self.batch = draw, features, single, batch

    def source(self) -> Space:
        """What a model starts from: mostly one array, sometimes a pair, sometimes a pair in a pair."""
        kind = self.draw.integer(0, 9)
        one, two, three = (self.draw.choice(self.features) for _ in range(3))
        return one if kind < 7 else (one, two) if kind < 9 else ((one, two), three)

    def model(self, source: Space, nesting: int, *, closed: bool = False) -> Term:
        """A term from `source`, nested at most `nesting` deep; `closed`: an array goes to one array."""
        plain = bare(source)
        if nesting <= 1:
            return self.wiring(plain) if isinstance(plain, tuple) else self.layer(source, closed=closed)
        if isinstance(plain, tuple) and self.draw.integer(0, 2):
            depths = self.draw.choice(((nesting - 1, 1), (1, nesting - 1)))
            left, right = (self.model(half, depth, closed=True) for half, depth in zip(plain, depths, strict=True))
            return Tensor(left, right)
        shape = self.draw.choice(("chain", "fan", "tie", "freeze", *("rewire", "map") * 2, *["container"] * 3))
        if shape == "fan" and isinstance(plain, int) and nesting > 2:
            return self.fan(source, nesting, closed=closed)
        if shape == "rewire" and isinstance(plain, int) and nesting > 3:
            return self.rewired(source, nesting)
        if shape == "tie" and nesting > 2:
            return self.tied(source, nesting, closed=closed)
        if shape == "freeze":
            return self.frozen(source, nesting, closed=closed)
        if shape == "map":
            return self.mapped(source, nesting, closed=closed)
        if shape == "container" and nesting > 2:
            return container(self, source, nesting, closed=closed)
        return self.chain(source, nesting, closed=closed)

    def chain(self, source: Space, nesting: int, *, closed: bool) -> Compose:
        """Two to four parts, one of which is nested; sometimes with names of its own."""
        count = self.draw.integer(2, 4)
        nested = self.draw.integer(0, count - 1)
        parts: list[Term] = []
        for position in range(count):
            parts.append(self.model(source, nesting - 1 if position == nested else 1, closed=closed))
            source = parts[-1].target(source)
        return Compose(tuple(parts), self.part_names(count))

    def part_names(self, count: int) -> tuple[str, ...]:
        """Mostly the names that are given by default."""
        return ("embed", "mix", "head", "last")[:count] if self.draw.integer(0, 3) == 3 else ()

    def fan(self, source: Space, nesting: int, *, closed: bool) -> Compose:
        """Copy, then a nested branch beside a short one, sometimes swapped, and mostly added."""
        branch = self.model(source, nesting - 2, closed=True)
        short = self.same_size(width(source))
        if not fits(short.target(source), branch.target(source)):
            short = Dense(width(source), width(branch.target(source)))
        halves = (branch, short) if self.draw.integer(0, 1) else (short, branch)
        parts: list[Term] = [Copy(), Tensor(*halves)]
        if self.draw.integer(0, 2) == 2:
            parts.append(Swap())
        if closed or self.draw.integer(0, 3):
            parts.append(Add())
        return Compose(tuple(parts))

    def rewired(self, source: Space, nesting: int) -> Compose:
        """A branch beside a wire that ends in a sink, beside a parameter, or in a sum that is bracketed anew."""
        kind = self.draw.choice(
            ("sink", "associate")
            if self.batch is None
            else ("sink", "sink", "input", "input", "associate", "associate")
        )
        branch = self.model(source, nesting - 2, closed=True)
        side = self.draw.choice(("left", "right"))

        def beside(other: Term) -> Tensor:
            return Tensor(other, branch) if side == "left" else Tensor(branch, other)

        if kind == "sink":
            return Compose((Copy(), beside(self.sink()), RemoveUnit(side)))
        if kind == "input" and self.batch is not None:
            return Compose((AddUnit(side), beside(Input(width(branch.target(source)), self.batch)), Add()))
        # Copies are bracketed away from the branch, and the middle one is joined to it.
        target = branch.target(source)
        resized = Identity() if fits(source, target) else Dense(width(source), width(target))
        to, sums = ("right", Tensor(Identity(), Add())) if side == "left" else ("left", Tensor(Add(), Identity()))
        return Compose((Copy(), beside(Compose((resized, Copy()))), Associate(to), sums, Add()))

    def sink(self) -> Sink:
        """A sink of either kind, of either sign."""
        number = self.draw.choice(RATES) * self.draw.choice((1, -1))
        return Sink(number, self.draw.choice(("constant", "scaled")))

    def tied(self, source: Space, nesting: int, *, closed: bool) -> Term:
        """Two or three parameters of one shape made one; twins are appended, so that there are two."""
        term = self.model(source, nesting - 2, closed=closed)
        target = bare(term.target(source))
        if isinstance(target, int):
            twin = self.draw.choice((Bias(target), Dense(target, target, use_bias=False)))
            term = Compose((term, twin, Tanh(), twin) if self.draw.integer(0, 1) else (term, twin, twin))
        by_shape: dict[tuple[int, ...], list[str]] = {}
        for path, shape in mappable(term.parameter_shapes()).items():
            by_shape.setdefault(shape, []).append(path)
        groups = [members for members in by_shape.values() if len(members) > 1]
        if not groups:
            return self.chain(source, nesting, closed=closed)
        members = self.draw.choice(groups)
        start = self.draw.integer(0, len(members) - 2)
        return tie(term, tuple(members[start : start + self.draw.integer(2, 3)]))

    def frozen(self, source: Space, nesting: int, *, closed: bool) -> Term:
        """One or two parameters moved into the state, if there are any."""
        term = self.model(source, nesting - 1, closed=closed)
        paths = [".".join(path) for path in term.parameter_shapes().paths()]
        if not paths:
            return term
        start = self.draw.integer(0, len(paths) - 1)
        return freeze(term, *paths[start : start + self.draw.integer(1, 2)])

    def mapped(self, source: Space, nesting: int, *, closed: bool) -> Term:
        """One or two parameter maps, one after the other, if there is a parameter that they can make."""
        term = self.model(source, nesting - 1, closed=closed)
        last = self.parameter_map(term.parameter_shapes())
        if last is None:
            return term
        first = self.parameter_map(last.parameter_shapes(term.parameter_shapes())) if not self.flag() else None
        return Reparametrise(term, last if first is None else ComposedMap((first, last)))

    def parameter_map(self, shapes: Tree) -> ParameterMap | None:
        """A map that makes one parameter of these shapes from others."""
        named = mappable(shapes)
        vectors = [path for path, shape in named.items() if len(shape) == 1]
        matrices = [path for path, shape in named.items() if len(shape) == 2]
        squares = [path for path in matrices if len(set(named[path])) == 1]
        # Vectors are in most terms, matrices in fewer, squares in the fewest.
        kinds = ["generator"] * 2 * bool(vectors) + ["symmetric"] * 11 * bool(squares)
        kinds += (["low rank"] * 7 + ["weight norm"] * 7) * bool(matrices)
        kind = self.draw.choice(kinds) if kinds else None
        if kind == "generator":
            path = self.draw.choice(vectors)
            return Hypernetwork(path, Compose((Dense(2, prod(named[path])), Tanh())), 2)
        if kind == "low rank":
            base = self.draw.choice(("frozen", "parameter"))
            path, rank = self.draw.choice(matrices), self.draw.integer(1, 2)
            return LowRank((path,), rank, self.draw.choice(LOW_RANK_SCALES), base)
        if kind == "weight norm":
            return WeightNorm((self.draw.choice(matrices),))
        return Symmetric((self.draw.choice(squares),)) if kind == "symmetric" else None

    def wiring(self, source: tuple[Space, ...]) -> Term:
        """One structural term on a pair."""
        maps: list[Term] = [Swap(), Identity(), *([Add()] if source[0] == source[1] else [])]
        maps += [Associate(to) for to, half in zip(("right", "left"), source, strict=True) if isinstance(half, tuple)]
        return self.draw.choice(maps)

    def layer(self, source: Space, *, closed: bool) -> Term:
        """One term on one array."""
        features = width(source)
        kind = self.draw.choice(("same", "same", "same", "dense", "dense", "copy", "wire"))
        if kind == "wire":
            name = source.name if isinstance(source, Named) else self.draw.choice(("pixels", "classes"))
            return Wire(Named(name, self.draw.choice((None, features))))
        if kind == "copy" and not closed:
            return Copy()
        if kind == "dense":
            return Dense(features, self.draw.choice(self.features), use_bias=self.flag())
        return self.same_size(features)

    def same_size(self, features: int) -> Term:
        """One layer that keeps the number of features."""
        kind = self.draw.choice(
            (
                *(Identity, Bias, Tanh, Relu, Softmax, SelfAttention),
                *(LayerNorm, LayerNorm, BatchNorm, BatchNorm, Dropout, Dropout),
            )
        )
        if kind is Bias:
            return Bias(features)
        if kind is LayerNorm:
            return LayerNorm(features, self.draw.choice(EPSILONS), use_weight=self.flag(), use_bias=self.flag())
        if kind is BatchNorm:
            return self.batch_norm(features)
        if kind is SelfAttention:
            return self.self_attention(features)
        if kind is Dropout:
            return Dropout(self.draw.choice(DROPOUT_RATES), self.draw.choice(("key", "seed_stream")))
        return cast(type[Tanh] | type[Relu] | type[Softmax], kind)()

    def batch_norm(self, features: int) -> BatchNorm:
        """A batch normalisation with every convention drawn."""
        track = self.draw.integer(0, 3) < 3
        return BatchNorm(
            features,
            epsilon=self.draw.choice(EPSILONS),
            new_weight=self.draw.choice(WEIGHTS),
            running_variance=self.draw.choice(("sample", "population")),
            normaliser=self.draw.choice(("batch", "running")) if track else "batch",
            start=self.draw.choice(("plain", "corrected", "first_batch", "cumulative")),
            single=self.draw.choice(self.single),
            before_first_step=self.draw.choice(("plain", "reject")),
            track=track,
            use_weight=self.flag(),
            use_bias=self.flag(),
        )

    def self_attention(self, features: int) -> SelfAttention:
        """A self-attention with every convention drawn; one shape of heads for each source, for each is compiled."""
        heads, width = (1, 3) if features % 2 else (2, 2)
        mask = self.draw.choice(("none", "causal"))
        return SelfAttention(features, heads, width, mask, self.flag(), self.flag(), self.flag(), self.flag())

    def loss(self, kind: type[Term]) -> Term:
        """A loss of a kind."""
        if kind is SquaredLoss:
            return SquaredLoss(self.draw.choice(LOSS_FACTORS))
        return DotLoss() if kind is DotLoss else CrossEntropyLoss()

    def cap(self) -> LearningRate:
        """A learning-rate cap of either kind."""
        return LearningRate(self.draw.choice(RATES), self.draw.choice(("constant", "scaled")))

    def update(self, kind: type[Update]) -> Update:
        """An optimizer of a kind, with every convention drawn."""
        rate = self.draw.choice(RATES)
        if kind is GradientDescent:
            return GradientDescent(rate)
        if kind is Adagrad:
            start = self.draw.choice((Fraction(0), Fraction(1, 10)))
            return Adagrad(rate, start, self.draw.choice(EPSILONS), self.draw.choice(("outside", "inside")))
        if kind is Adam:
            decays = self.draw.choice(DECAYS), self.draw.choice(DECAYS)
            root = self.draw.choice((Fraction(0), Fraction(1, 16)))
            return Adam(rate, *decays, self.draw.choice(EPSILONS), root, self.draw.choice(("corrected", "raw")))
        decay, rate_in = self.draw.choice(DECAYS), self.draw.choice(("step", "buffer"))
        if kind is Nesterov:
            return Nesterov(rate, decay, self.draw.choice(("parameter", "look_ahead")), rate_in)
        dampening = self.draw.choice((Fraction(0), Fraction(1, 4), Fraction(3, 10)))
        return Momentum(rate, decay, dampening, self.draw.choice(("undamped", "damped")), rate_in)

    def flag(self) -> bool:
        """Mostly yes."""
        return self.draw.integer(0, 3) < 3


def mappable(shapes: Tree) -> dict[str, tuple[int, ...]]:
    """The shapes of the parameters by dotted path, but for directions: no map may make one of them zero.

    >>> mappable(Tree(weight=Tree(gain=(2,), direction=(2, 3)), bias=(2,)))
    {'weight.gain': (2,), 'bias': (2,)}
    """
    named = zip(shapes.paths(), shapes.leaves(), strict=True)
    return {".".join(path): shape for path, shape in named if path[-1] != "direction"}


def width(space: Space) -> int:
    """The number of features of one array."""
    space = bare(space)
    assert isinstance(space, int)
    return space


def fits(one: Space, other: Space) -> bool:
    """Whether two wires may be added.

    >>> fits(3, Named("pixels", 3)), fits(Named("classes", 3), Named("pixels", 3))
    (True, False)
    """
    try:
        unify(one, other, "Add")
    except ShapeError:
        return False
    return True


def nesting(term: Term) -> int:
    """How deep a term is nested; one that has no parts counts 1.

    >>> nesting(Identity()), nesting(Bias(2) >> Bias(2)), nesting(freeze(Bias(2) >> Bias(2), "layer_1.bias"))
    (1, 2, 3)
    """
    return 1 + max(map(nesting, children(term)), default=0)


def subterms(term: Term) -> list[Term]:
    """The term and everything inside it.

    >>> [type(each).__name__ for each in subterms(Copy() >> Swap())]
    ['Compose', 'Copy', 'Swap']
    """
    return [term, *(inner for part in children(term) for inner in subterms(part))]
