"""How accurate the usual functions of arrays of JAX, optax, Equinox, Flax, torch and Keras are where the mean is large.

    python -m benchmarks.accuracy_arrays docs/accuracy-arrays.json

Softmax, layer norm, attention, cross-entropy, products of matrices and the variance, in float32 and bfloat16, on
inputs of standard deviation 1 and mean 0, 10 and 1000. Needs Equinox, Flax, optax, torch, and Keras, whose back end
is JAX here. In each table one function is planted that does not look at its data; where it passes, a pass says nothing.
The page docs/accuracy-arrays.md is made from the file by docs/accuracy_arrays_page.py.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
import time
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax.numpy as jnp

from lenticulum.certify.arrays.family import Family
from lenticulum.certify.arrays.kernel import certify_arrays
from lenticulum.certify.arrays.report import as_json
from lenticulum.certify.surroundings import surroundings
from lenticulum.check.target import load

FAMILIES = (Family(), Family(shift=10.0), Family(shift=1000.0))
DTYPES = ("float32", "bfloat16")
LIBRARIES = ("jax", "jaxlib", "optax", "equinox", "flax", "torch", "keras", "numpy", "ml_dtypes")
SEED, SAMPLE = 0, 2
PLANTED = "planted"


@dataclass(frozen=True)
class Row:
    """A function of a library and what it claims to be; `make` and `bind` are arguments of a module or a function.

    `shapes`: those of the arrays, where the function takes fewer than the definition. `calls`: what a function of
    benchmarks/accuracy_subjects.py returns: torch does not say the signature of what it calls.
    """

    topic: str
    library: str
    target: str
    spec: str
    make: dict[str, Any] = field(default_factory=dict)
    bind: dict[str, Any] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] | None = None
    calls: str = ""


HERE = "benchmarks.accuracy_subjects"
INTEGER = "softmax_cross_entropy_integer"
ATTENTION = "attention:heads=last"
NO_MASK = {"bias": None, "mask": None}
HEADS_LAST = {"query": (1, 6, 2, 16), "key": (1, 10, 2, 16), "value": (1, 10, 2, 16)}
HEADS_FIRST = {"query": (1, 2, 6, 16), "key": (1, 2, 10, 16), "value": (1, 2, 10, 16)}

ROWS = (
    Row("softmax", "jax", "jax.nn:softmax", "softmax"),
    Row("softmax", "flax", "flax.linen:softmax", "softmax"),
    Row("softmax", "torch", "torch.nn.functional:softmax", "softmax", bind={"dim": -1}),
    Row("softmax", "keras", "keras.ops:softmax", "softmax"),
    Row("softmax", PLANTED, f"{HERE}:uniform", "softmax", shapes={"x": (16, 32)}, calls="1/n"),
    Row("layer norm", "jax", "jax.nn:standardize", "standardize:axis=-1,epsilon=1e-5", bind={"epsilon": 1e-5}),
    Row("layer norm", "equinox", "equinox.nn:LayerNorm", "layer_norm:epsilon=1e-5", make={"eps": 1e-5}),
    Row("layer norm", "flax", "flax.linen:LayerNorm", "layer_norm:epsilon=1e-6", make={"epsilon": 1e-6}),
    Row("layer norm", "flax", "flax.nnx:LayerNorm", "layer_norm:epsilon=1e-6", make={"epsilon": 1e-6}),
    Row(
        "layer norm",
        "flax",
        "flax.linen:LayerNorm",
        "layer_norm:epsilon=1e-6",
        make={"epsilon": 1e-6, "use_fast_variance": False},
    ),
    Row("layer norm", "torch", "torch.nn:LayerNorm", "layer_norm:epsilon=1e-5", make={"eps": 1e-5}),
    Row("layer norm", "keras", "keras.layers:LayerNormalization", "layer_norm:epsilon=1e-3", make={"epsilon": 1e-3}),
    Row("layer norm", PLANTED, f"{HERE}:only_bias", "layer_norm:epsilon=1e-5", calls="bias"),
    Row(
        "attention",
        "jax",
        "jax.nn:dot_product_attention",
        ATTENTION,
        bind={"scale": None, **NO_MASK},
        shapes=HEADS_LAST,
    ),
    Row("attention", "flax", "flax.linen:dot_product_attention", ATTENTION, bind=NO_MASK, shapes=HEADS_LAST),
    Row("attention", "flax", "flax.nnx:dot_product_attention", ATTENTION, bind=NO_MASK, shapes=HEADS_LAST),
    Row(
        "attention",
        "torch",
        f"{HERE}:torch_attention",
        "attention:heads=first",
        shapes=HEADS_FIRST,
        calls="torch.nn.functional.scaled_dot_product_attention(query, key, value)",
    ),
    Row(
        "attention",
        "keras",
        "keras.ops:dot_product_attention",
        ATTENTION,
        bind={"scale": None, **NO_MASK},
        shapes=HEADS_LAST,
    ),
    Row(
        "attention", PLANTED, f"{HERE}:mean_of_values", "attention:heads=first", shapes=HEADS_FIRST, calls="mean(value)"
    ),
    Row("cross-entropy", "optax", "optax:softmax_cross_entropy_with_integer_labels", f"{INTEGER}:axis=-1"),
    Row(
        "cross-entropy",
        "torch",
        "torch.nn.functional:cross_entropy",
        f"{INTEGER}:axis=1,ignore_index=-100,reduction=none",
        bind={"reduction": "none"},
    ),
    Row(
        "cross-entropy",
        "keras",
        "keras.ops:sparse_categorical_crossentropy",
        f"{INTEGER}:axis=-1",
        bind={"from_logits": True},
    ),
    Row("cross-entropy", PLANTED, f"{HERE}:log_of_classes", f"{INTEGER}:axis=-1", calls="log(classes)"),
    Row("product of matrices", "jax", "jax.numpy:matmul", "matmul"),
    Row("product of matrices", "equinox", "equinox.nn:Linear", "dense"),
    Row("product of matrices", "flax", "flax.linen:Dense", "dense"),
    Row("product of matrices", "flax", "flax.nnx:Linear", "dense"),
    Row("product of matrices", "torch", f"{HERE}:torch_product", "matmul", calls="torch.matmul(x, y)"),
    Row("product of matrices", "torch", "torch.nn:Linear", "dense"),
    Row("product of matrices", "keras", "keras.ops:matmul", "matmul"),
    Row("product of matrices", "keras", "keras.layers:Dense", "dense"),
    Row("product of matrices", PLANTED, f"{HERE}:zeros_of_matrices", "matmul", calls="0"),
    Row("variance", "jax", "jax.numpy:var", "variance:axis=-1,estimate=population"),
    Row(
        "variance",
        "torch",
        f"{HERE}:torch_variance",
        "variance:axis=-1,estimate=sample",
        calls="torch.var(x, dim=-1)",
    ),
    Row("variance", "keras", "keras.ops:var", "variance:axis=-1,estimate=population"),
    Row("variance", PLANTED, f"{HERE}:zeros_of_rows", "variance:axis=-1,estimate=population", calls="0"),
)

#: What a library does not have: nothing public with this meaning alone.
ABSENT = {
    "softmax": ("equinox",),
    "attention": ("equinox",),
    "cross-entropy": ("jax", "equinox", "flax"),
    "variance": ("equinox", "flax"),
}


def certified(row: Row, dtype: str) -> dict[str, Any]:
    """Return the result of one function in one dtype as plain data; it is the same in every run."""
    result = certify_arrays(
        row.target,
        row.spec,
        dtype=dtype,
        make=row.make or None,
        bind=row.bind or None,
        shapes=row.shapes,
        families=FAMILIES,
        sample=SAMPLE,
        seed=SEED,
    )
    found = json.loads(as_json(result))
    del found["seconds"]
    if found["finding"] is not None:
        # The page says how far off an output is; where its bound ends is for who looks at the finding.
        del found["finding"]["bound"], found["finding"]["stratum"]
    return {**asdict(row), **found, "same_as": same(row)}


def same(row: Row) -> str | None:
    """Return an earlier row of the table whose function this one is, under another name."""
    earlier = [each for each in ROWS[: ROWS.index(row)] if each.topic == row.topic and each.make == row.make]
    return next((each.target for each in earlier if load(each.target) is load(row.target)), None)


def spacings() -> dict[str, list[float]]:
    """Return how far apart the numbers of each dtype are at the mean of each family, at 1 if that is 0."""
    means = [each.shift or 1.0 for each in FAMILIES]
    return {
        dtype: [float(jnp.finfo(dtype).eps) * 2.0 ** math.floor(math.log2(each)) for each in means] for dtype in DTYPES
    }


def circumstances() -> dict[str, Any]:
    """Return what the numbers depend on."""
    around = surroundings("jax")
    return {
        "versions": {name: version(name) for name in LIBRARIES},
        "platform": around["platform"],
        "processor": around["processor"],
        "features": around["features"],
    }


def whole(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the file."""
    return {
        **circumstances(),
        "seed": SEED,
        "sample": SAMPLE,
        "families": [str(each) for each in FAMILIES],
        "spacings": spacings(),
        "absent": ABSENT,
        "results": results,
    }


def ready() -> None:
    """Give Keras its back end, and torch one thread, so that its sums have one order."""
    os.environ.setdefault("KERAS_BACKEND", "jax")
    importlib.import_module("torch").set_num_threads(1)


def main() -> int:
    """Write the file."""
    ready()
    results = []
    for row in ROWS:
        for dtype in DTYPES:
            started = time.monotonic()
            results.append(certified(row, dtype))
            told = f"{row.target} {dtype} {results[-1]['verdict']} {time.monotonic() - started:.1f} s"
            print(told, file=sys.stderr, flush=True)
    Path(sys.argv[1]).write_text(json.dumps(whole(results), indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
