"""Examples of flax.nnx: the call of every layer, with its variables as arguments, and the functions beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import optax
from flax import nnx

from benchmarks.primitives.example import Example, booleans, call, composed, floats, integers, shapes


def layer(name: str, make: Callable[[nnx.Rngs], Any], *inputs: Any, what: str = "", train: bool = True) -> Example:
    """Return the example of a layer: a function of its variables and inputs, to the output and the variables."""
    made = make(nnx.Rngs(0))
    made.train() if train else made.eval()
    graph, state = nnx.split(made)

    def function(state: Any, *inputs: Any) -> Any:
        called = nnx.merge(graph, state)
        y = called(*inputs)
        return y, nnx.state(called)

    return composed(f"flax.nnx.{name}", function, shapes(state), *inputs, what=what)


X, LINE, IMAGE = floats(3, 4), floats(2, 8, 2), floats(2, 6, 6, 2)
CELLS = "GRUCell LSTMCell OptimizedLSTMCell SimpleCell".split()
CARRY = {"GRUCell": floats(3, 5), "SimpleCell": floats(3, 5)}


def scanned(weights: jax.Array, x: jax.Array) -> jax.Array:
    """Return what three layers make of an input, one after the other, as a scan over their weights."""
    return nnx.scan(lambda x, weight: jax.nn.tanh(weight @ x), in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)(x, weights)


def step(weight: jax.Array, x: jax.Array) -> jax.Array:
    """Return the weights of a linear layer after a step of Adam."""
    model = nnx.Linear(4, 5, rngs=nnx.Rngs(0))
    model.kernel[...] = weight
    optimizer = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
    optimizer.update(model, nnx.grad(lambda model: (model(x) ** 2).sum())(model))
    return model.kernel[...]


def rotary() -> Iterator[Example]:
    """Yield the examples of rotary positions, where the version of flax has them."""
    if hasattr(nnx, "RoPE"):
        yield layer("RoPE", lambda rngs: nnx.RoPE(), floats(2, 3, 2, 4))
        yield layer("RoPE", lambda rngs: nnx.RoPE(embedding_size=4, max_seq_len=8), floats(2, 3, 2, 4), what="tables")


EXAMPLES: tuple[Example, ...] = (
    layer("BatchNorm", lambda rngs: nnx.BatchNorm(4, rngs=rngs), X),
    layer("BatchNorm", lambda rngs: nnx.BatchNorm(4, rngs=rngs), X, what="evaluation", train=False),
    layer(
        "Bidirectional",
        lambda rngs: nnx.Bidirectional(
            nnx.RNN(nnx.GRUCell(4, 5, rngs=rngs)), nnx.RNN(nnx.GRUCell(4, 5, rngs=rngs)), rngs=rngs
        ),
        floats(2, 3, 4),
    ),
    layer("Conv", lambda rngs: nnx.Conv(2, 4, (3,), rngs=rngs), LINE),
    layer(
        "Conv",
        lambda rngs: nnx.Conv(2, 4, (3, 3), 2, padding="VALID", kernel_dilation=2, feature_group_count=2, rngs=rngs),
        IMAGE,
        what="strides, dilation, groups",
    ),
    *(
        layer(
            "Conv",
            lambda rngs, padding=padding: nnx.Conv(2, 4, (3, 3), padding=padding, rngs=rngs),
            IMAGE,
            what=padding,
        )
        for padding in ("CIRCULAR", "REFLECT")
    ),
    layer("Conv", lambda rngs: nnx.Conv(2, 4, (3,), padding="CAUSAL", rngs=rngs), LINE, what="CAUSAL"),
    layer("ConvTranspose", lambda rngs: nnx.ConvTranspose(2, 4, (3, 3), (2, 2), rngs=rngs), IMAGE),
    layer(
        "ConvTranspose",
        lambda rngs: nnx.ConvTranspose(2, 4, (3, 3), (2, 2), padding="CIRCULAR", rngs=rngs),
        IMAGE,
        what="CIRCULAR",
    ),
    layer("Dropout", lambda rngs: nnx.Dropout(0.25, rngs=rngs), X),
    layer("Dropout", lambda rngs: nnx.Dropout(0.25, rngs=rngs), X, what="evaluation", train=False),
    layer("Einsum", lambda rngs: nnx.Einsum("ab,bc->ac", (4, 5), (5,), rngs=rngs), X),
    layer("Embed", lambda rngs: nnx.Embed(5, 4, rngs=rngs), integers(3)),
    *(
        layer(
            name,
            lambda rngs, name=name: getattr(nnx, name)(4, 5, rngs=rngs),
            CARRY.get(name, (floats(3, 5), floats(3, 5))),
            X,
        )
        for name in CELLS
    ),
    layer("GroupNorm", lambda rngs: nnx.GroupNorm(4, 2, rngs=rngs), X),
    layer("InstanceNorm", lambda rngs: nnx.InstanceNorm(2, rngs=rngs), IMAGE),
    layer("LayerNorm", lambda rngs: nnx.LayerNorm(4, rngs=rngs), X),
    layer("Linear", lambda rngs: nnx.Linear(4, 5, rngs=rngs), X),
    layer("LinearGeneral", lambda rngs: nnx.LinearGeneral((3, 4), (2, 5), axis=(-2, -1), rngs=rngs), floats(2, 3, 4)),
    layer("LoRA", lambda rngs: nnx.LoRA(4, 2, 5, base_module=nnx.Linear(4, 5, rngs=rngs), rngs=rngs), X),
    layer("LoRALinear", lambda rngs: nnx.LoRALinear(4, 5, lora_rank=2, rngs=rngs), X),
    layer("MultiHeadAttention", lambda rngs: nnx.MultiHeadAttention(2, 4, decode=False, rngs=rngs), floats(2, 3, 4)),
    layer(
        "MultiHeadAttention",
        lambda rngs: nnx.MultiHeadAttention(2, 4, dropout_rate=0.25, normalize_qk=True, decode=False, rngs=rngs),
        floats(2, 3, 4),
        what="dropout, normalised",
    ),
    layer("PReLU", lambda rngs: nnx.PReLU(), X),
    layer("RMSNorm", lambda rngs: nnx.RMSNorm(4, rngs=rngs), X),
    *(
        layer("RNN", lambda rngs, name=name: nnx.RNN(getattr(nnx, name)(4, 5, rngs=rngs)), floats(2, 3, 4), what=name)
        for name in CELLS
    ),
    *rotary(),
    layer("Sequential", lambda rngs: nnx.Sequential(nnx.Linear(4, 5, rngs=rngs), nnx.relu), X),
    layer("SpectralNorm", lambda rngs: nnx.SpectralNorm(nnx.Linear(4, 5, rngs=rngs), rngs=rngs), X),
    layer("WeightNorm", lambda rngs: nnx.WeightNorm(nnx.Linear(4, 5, rngs=rngs), rngs=rngs), X),
    *(call(f"flax.nnx.{name}", IMAGE, (2, 2), (2, 2)) for name in ("avg_pool", "max_pool", "min_pool")),
    call("flax.nnx.avg_pool", IMAGE, (2, 2), padding="SAME", count_include_pad=False),
    call("flax.nnx.dot_product_attention", floats(2, 3, 2, 4), floats(2, 5, 2, 4), floats(2, 5, 2, 4)),
    call("flax.nnx.combine_masks", booleans(2, 1, 3, 3), booleans(2, 1, 3, 3)),
    call("flax.nnx.make_attention_mask", floats(2, 3), floats(2, 3)),
    call("flax.nnx.make_causal_mask", floats(2, 3)),
    composed("flax.nnx.scan", scanned, floats(3, 4, 4), floats(4)),
    composed("flax.nnx.Optimizer", step, floats(4, 5), X),
)

LEFT_OUT = {
    f"flax.nnx.{name}": "a container or an abstract class" for name in ("Dict", "List", "Module", "RNNCellBase")
}
