"""Examples of equinox.nn: the call of every layer, with its weights as arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox
import jax
import jax.numpy as jnp
from equinox import nn

from benchmarks.primitives.example import Example, booleans, composed, floats, integers, key, shapes

KEY = jax.random.key(0)


def layer(name: str, make: Callable[[], Any], *inputs: Any, what: str = "", **fixed: Any) -> Example:
    """Return the example of a layer without state: its arrays come first, then its inputs."""
    arrays, rest = equinox.partition(equinox.filter_eval_shape(make), is_shape)

    def function(arrays: Any, *inputs: Any) -> Any:
        return equinox.combine(arrays, rest)(*inputs, **fixed)

    return composed(f"equinox.nn.{name}", function, arrays, *inputs, what=what)


def stateful(name: str, make: Callable[[], Any], *inputs: Any, what: str = "", inference: bool = False) -> Example:
    """Return the example of a layer with state, which it also returns; in a batch, where it averages over one."""
    made, state = nn.make_with_state(make)()
    arrays, rest = equinox.partition(nn.inference_mode(made, inference), equinox.is_array)

    def function(arrays: Any, state: Any, *inputs: Any) -> Any:
        called = equinox.combine(arrays, rest)
        return jax.vmap(called, axis_name="batch", in_axes=(0, None), out_axes=(0, None))(*inputs, state)

    return composed(f"equinox.nn.{name}", function, *shapes((arrays, state)), *inputs, what=what)


def is_shape(leaf: Any) -> bool:
    """Say whether a leaf of a layer is the shape of an array."""
    return isinstance(leaf, jax.ShapeDtypeStruct)


def shared(weight: jax.Array, x: jax.Array) -> jax.Array:
    """Return what two linear layers with the same weight make of an input."""
    first, second = nn.Linear(3, 4, use_bias=False, key=KEY), nn.Linear(3, 4, use_bias=False, key=KEY)
    first = equinox.tree_at(lambda layer: layer.weight, first, weight)
    both = nn.Shared((first, second), lambda pair: pair[1].weight, lambda pair: pair[0].weight)()
    return both[0](x) + both[1](x)


LINE, IMAGE, SOLID = floats(2, 8), floats(2, 6, 6), floats(2, 4, 4, 4)
SPACES = {1: LINE, 2: IMAGE, 3: SOLID}

EXAMPLES: tuple[Example, ...] = (
    *(
        layer(f"{kind}{d}d", lambda kind=kind, d=d: getattr(nn, f"{kind}{d}d")(2), x)
        for kind in ("AdaptiveAvgPool", "AdaptiveMaxPool")
        for d, x in SPACES.items()
    ),
    *(
        layer(f"{kind}{d}d", lambda kind=kind, d=d: getattr(nn, f"{kind}{d}d")(2, 2), x)
        for kind in ("AvgPool", "MaxPool")
        for d, x in SPACES.items()
    ),
    *(
        layer(f"{kind}{d}d", lambda kind=kind, d=d: getattr(nn, f"{kind}{d}d")(2, 3, 2, 2, key=KEY), x)
        for kind in ("Conv", "ConvTranspose")
        for d, x in SPACES.items()
    ),
    layer("AdaptivePool", lambda: nn.AdaptivePool(2, 2, jnp.mean), IMAGE),
    layer("AvgPool2d", lambda: nn.AvgPool2d(2, 1, 1, use_ceil=True), IMAGE, what="padding, use_ceil"),
    layer(
        "Conv",
        lambda: nn.Conv(2, 2, 4, 3, padding="SAME", groups=2, dilation=2, key=KEY),
        IMAGE,
        what="SAME, groups, dilation",
    ),
    layer(
        "ConvTranspose",
        lambda: nn.ConvTranspose(2, 2, 4, 3, padding=1, output_padding=0, key=KEY),
        IMAGE,
        what="padding",
    ),
    *(
        layer("Conv2d", lambda mode=mode: nn.Conv2d(2, 3, 3, padding=1, padding_mode=mode, key=KEY), IMAGE, what=mode)
        for mode in ("REFLECT", "REPLICATE", "CIRCULAR")
    ),
    layer("Pool", lambda: nn.Pool(0.0, jax.lax.add, 2, (2, 2)), IMAGE),
    layer("Dropout", lambda: nn.Dropout(0.25), floats(5), what="inference", inference=True),
    composed("equinox.nn.Dropout", lambda x, k: nn.Dropout(0.25)(x, key=k), floats(5), key()),
    layer("Embedding", lambda: nn.Embedding(5, 3, key=KEY), integers()),
    layer("GRUCell", lambda: nn.GRUCell(3, 4, key=KEY), floats(3), floats(4)),
    layer("LSTMCell", lambda: nn.LSTMCell(3, 4, key=KEY), floats(3), (floats(4), floats(4))),
    layer("GroupNorm", lambda: nn.GroupNorm(2, 4), floats(4, 5)),
    layer("Identity", lambda: nn.Identity(), floats(5)),
    layer("Lambda", lambda: nn.Lambda(jax.nn.relu), floats(5)),
    layer("LayerNorm", lambda: nn.LayerNorm(5), floats(5)),
    layer("Linear", lambda: nn.Linear(3, 4, key=KEY), floats(3)),
    layer("Linear", lambda: nn.Linear("scalar", "scalar", key=KEY), floats(), what="scalar"),
    layer("MLP", lambda: nn.MLP(3, 2, 4, 2, key=KEY), floats(3)),
    layer(
        "MultiheadAttention",
        lambda: nn.MultiheadAttention(2, 4, key=KEY),
        floats(3, 4),
        floats(5, 4),
        floats(5, 4),
        booleans(3, 5),
    ),
    layer("PReLU", lambda: nn.PReLU(), floats(5)),
    layer("RMSNorm", lambda: nn.RMSNorm(5), floats(5)),
    layer("RotaryPositionalEmbedding", lambda: nn.RotaryPositionalEmbedding(4), floats(3, 4)),
    layer("Sequential", lambda: nn.Sequential([nn.Linear(3, 4, key=KEY), nn.Lambda(jax.nn.relu)]), floats(3)),
    composed("equinox.nn.Shared", shared, floats(4, 3), floats(3)),
    layer("WeightNorm", lambda: nn.WeightNorm(nn.Linear(3, 4, key=KEY)), floats(3)),
    stateful("BatchNorm", lambda: nn.BatchNorm(3, "batch", mode="batch"), floats(4, 3)),
    stateful("BatchNorm", lambda: nn.BatchNorm(3, "batch", mode="ema"), floats(4, 3), what="ema"),
    stateful(
        "BatchNorm", lambda: nn.BatchNorm(3, "batch", mode="batch"), floats(4, 3), what="inference", inference=True
    ),
    stateful("SpectralNorm", lambda: nn.SpectralNorm(nn.Linear(3, 4, key=KEY), "weight", key=KEY), floats(2, 3)),
)

LEFT_OUT = {
    "equinox.nn.State": "the state of layers, no layer",
    "equinox.nn.StateIndex": "the state of layers, no layer",
    "equinox.nn.StatefulLayer": "an abstract class",
}
