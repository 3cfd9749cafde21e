"""Multi-head self-attention: queries, keys and values are affine images of one array."""

from lenticulum.terms.exact import count, one_of
from lenticulum.terms.spaces import Space, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import value


@value
class SelfAttention(Term):
    """y = concat_h(softmax(Q_h K_hᵀ / sqrt(width)) V_h) W_oᵀ + b_o, with Q = x W_qᵀ + b_q, and K and V likewise.

    x is [..., positions, features]. Q_h are the entries h width ... (h + 1) width - 1 of Q: the heads lie one after the
    other. `width`: of one head; None is features / heads. `mask` "causal": position i sees j iff j <= i.
    Weights: query, key and value [heads width, features], output [features, heads width]; none of the biases is used
    unless it is asked for, as in Equinox (PyTorch and Flax use all four).
    """

    features: int
    heads: int
    width: int | None = None
    mask: str = "none"
    use_query_bias: bool = False
    use_key_bias: bool = False
    use_value_bias: bool = False
    use_output_bias: bool = False

    def __post_init__(self) -> None:
        """Refuse empty shapes, features that the heads do not divide, and an unknown mask."""
        count(self.features, "features")
        count(self.heads, "heads")
        one_of(self.mask, "mask", ("none", "causal"))
        if self.width is not None:
            count(self.width, "width")
        elif self.features % self.heads:
            raise ValueError(
                f"features = {self.features}, heads = {self.heads}: expected a multiple of the heads, or a width"
            )

    def inner(self) -> int:
        """Return the number of features of all heads together.

        >>> SelfAttention(6, 2).inner(), SelfAttention(6, 4, width=5).inner()
        (6, 20)
        """
        return self.heads * (self.features // self.heads if self.width is None else self.width)

    def parameter_shapes(self) -> Tree:
        """Return weight and, if used, bias of the query, the key, the value and the output."""
        shapes: dict[str, tuple[int, ...]] = {}
        for name, use_bias in (
            ("query", self.use_query_bias),
            ("key", self.use_key_bias),
            ("value", self.use_value_bias),
            ("output", self.use_output_bias),
        ):
            outputs, inputs = (self.inner(), self.features) if name != "output" else (self.features, self.inner())
            shapes[f"{name}_weight"] = (outputs, inputs)
            if use_bias:
                shapes[f"{name}_bias"] = (outputs,)
        return Tree(shapes)

    def target(self, source: Space) -> Space:
        """Return [features]."""
        return unify(self.features, source, "SelfAttention")
