"""Operations on sequences: embedding, positions and attention."""

from fractions import Fraction

from lenticulum.terms.exact import Number, count, exact, one_of, positive
from lenticulum.terms.operations.operation import Operation
from lenticulum.terms.value import set_field, value


@value
class Embedding(Operation):
    """y[..., :] = weight[ids[...], :]: the row of each id, 0 <= id < the number of rows."""


@value
class RotaryPositions(Operation):
    """Rotate pair i of every x[..., position, :] by the angle position / base^(2 i / width).

    (a, b) -> (a cos - b sin, a sin + b cos). `layout` "interleaved": pair i is (x_{2i}, x_{2i+1}); "half": it is
    (x_i, x_{i + h}) with h = floor(width / 2). The last coordinate of an odd width has no partner and is kept.
    """

    base: Number = Fraction(10_000)
    layout: str = "interleaved"

    def __post_init__(self) -> None:
        """Make the base exact and positive."""
        set_field(self, "base", positive(exact(self.base, "base"), "base"))
        one_of(self.layout, "layout", ("interleaved", "half"))


@value
class SinusoidalPositions(Operation):
    """sin and cos of x / base^(2 i / features), side by side ("interleaved") or all sines first ("half").

    x [...] are positions, real numbers; the result is [..., features]. Of an odd width the last coordinate is a sine.
    """

    features: int
    base: Number = Fraction(10_000)
    layout: str = "interleaved"

    def __post_init__(self) -> None:
        """Make the base exact and positive."""
        count(self.features, "features")
        set_field(self, "base", positive(exact(self.base, "base"), "base"))
        one_of(self.layout, "layout", ("interleaved", "half"))


@value
class Attention(Operation):
    """y_i = sum_j w_ij value_j with w_ij proportional to exp(scale <query_i, key_j> + bias_ij) over the allowed j.

    `scale`: None is 1 / sqrt(width of a query). `heads` "first": arrays are [..., heads, positions, width] (the axis of
    heads may be missing); "last": [..., positions, heads, width]. With fewer heads of keys and values than of queries,
    consecutive queries share one. bias and mask are [..., heads, queries, keys], or broadcast to that. `causal`
    "start": query i may see key j iff j <= i; "end": iff j - keys <= i - queries; "none": every key. The mask allows
    where it is true, and blocks otherwise: a blocked key has weight exactly 0. `blocked`: a query that may see no key
    gives zeros, the mean of all values ("uniform"), or no number ("nan": 0/0).
    """

    scale: Number | None = None
    heads: str = "first"
    causal: str = "none"
    blocked: str = "zero"

    def __post_init__(self) -> None:
        """Make the scale exact and the conventions known."""
        if self.scale is not None:
            set_field(self, "scale", exact(self.scale, "scale"))
        one_of(self.heads, "heads", ("first", "last"))
        one_of(self.causal, "causal", ("none", "start", "end"))
        one_of(self.blocked, "blocked", ("zero", "uniform", "nan"))
