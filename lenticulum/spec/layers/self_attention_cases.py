"""What the laws of self-attention draw: a layer, its parameters and sequences, all rational."""

from __future__ import annotations

from typing import Any, NamedTuple

from lenticulum.numbers import Ball, Rational, ball
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.terms import SelfAttention, Tree, map_leaves

BIASES = ("use_query_bias", "use_key_bias", "use_value_bias", "use_output_bias")


class SelfAttentionCase(NamedTuple):
    """x is [examples, positions, features]."""

    term: SelfAttention
    parameters: Tree
    x: Rational

    def point(self) -> tuple[Tree, Ball]:
        """Return parameters and x as balls of the working precision."""
        return map_leaves(ball, self.parameters), ball(self.x)


def self_attention_case(draw: Draw, *, mask: str | None = None, **fields: Any) -> SelfAttentionCase:
    """One or two sequences of one to three positions; a few features, heads and entries of a head, in any relation.

    Arguments: `mask`, `fields`: as in the term; what is not given is drawn.
    """
    features, heads, width = draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 2)
    drawn: dict[str, Any] = {"heads": heads, "width": width, **{name: draw.integer(0, 1) == 1 for name in BIASES}}
    drawn["mask"] = mask or draw.choice(("none", "causal"))
    term = SelfAttention(features, **{**drawn, **fields})
    examples, positions = draw.integer(1, 2), draw.integer(1, 3)
    draw.observe("one position", positions == 1)
    draw.observe("one head", term.heads == 1 and "heads" not in fields)
    draw.observe("heads of width one", term.width == 1)
    draw.observe("as many features as all heads", term.inner() == features)
    parameters = map_leaves(lambda shape: rational_array(draw, shape, 4, 3), term.parameter_shapes())
    return SelfAttentionCase(term, parameters, rational_array(draw, (examples, positions, features), 4, 3))
