"""The verdicts of `check` on modules of Equinox and Flax without a definition, and on broken ones.

    python -m benchmarks.modules docs/modules.json [NAME ...]

With names only these rows are made again. The page docs/modules.md is made from the file by docs/modules_page.py. The
broken modules are those of docs/broken_modules.py and docs/broken_flax_modules.py; the kind that each must be found
with stands here.
"""

from __future__ import annotations

import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import flax.linen
import flax.nnx

from lenticulum.check.modules.check_module import LAWS, concluded, outcomes_of, trial_of
from lenticulum.check.modules.law import Broken, Held, NotApplicable, NotTried
from lenticulum.check.target import load, source_of_target

E, N, L = "equinox.nn:", "flax.nnx:", "flax.linen:"
BROKEN, BROKEN_FLAX = "docs/broken_modules.py:", "docs/broken_flax_modules.py:"

LIBRARIES = (flax.linen, flax.nnx)

#: Modules of libraries, with numbers that are no defaults and have no shortcut.
LIBRARY: list[tuple[str, dict[str, Any]]] = [
    (f"{E}Linear", {"in_features": 3, "out_features": 4}),
    (f"{E}MLP", {"in_size": 3, "out_size": 2, "width_size": 4, "depth": 1}),
    (f"{E}LayerNorm", {"shape": 3, "eps": 0.125}),
    (f"{E}RMSNorm", {"shape": 3, "eps": 0.125}),
    (f"{E}GroupNorm", {"groups": 2, "channels": 4, "eps": 0.125}),
    (f"{E}BatchNorm", {"input_size": 3, "axis_name": "batch", "mode": "batch", "momentum": 0.75}),
    (f"{E}BatchNorm", {"input_size": 3, "axis_name": "batch", "mode": "ema", "momentum": 0.75}),
    (f"{E}Dropout", {"p": 0.375}),
    (f"{E}MultiheadAttention", {"num_heads": 2, "query_size": 4, "dropout_p": 0.375}),
    (f"{E}Conv2d", {"in_channels": 2, "out_channels": 3, "kernel_size": 3}),
    (f"{E}GRUCell", {"input_size": 3, "hidden_size": 2}),
    (f"{E}LSTMCell", {"input_size": 3, "hidden_size": 2}),
    (f"{E}Embedding", {"num_embeddings": 5, "embedding_size": 3}),
    (f"{E}PReLU", {}),
    (f"{E}RotaryPositionalEmbedding", {"embedding_size": 4}),
    (f"{N}Linear", {"in_features": 3, "out_features": 4}),
    (f"{N}LayerNorm", {"num_features": 3, "epsilon": 0.125}),
    (f"{N}RMSNorm", {"num_features": 3, "epsilon": 0.125}),
    (f"{N}GroupNorm", {"num_features": 4, "num_groups": 2, "epsilon": 0.125}),
    (f"{N}BatchNorm", {"num_features": 3, "momentum": 0.75}),
    (f"{N}Dropout", {"rate": 0.375}),
    (f"{N}MultiHeadAttention", {"num_heads": 2, "in_features": 4, "decode": False}),
    (f"{N}Conv", {"in_features": 2, "out_features": 3, "kernel_size": [3]}),
    (f"{N}Embed", {"num_embeddings": 6, "features": 3}),
    (f"{N}LSTMCell", {"in_features": 3, "hidden_features": 2}),
    (f"{N}GRUCell", {"in_features": 3, "hidden_features": 2}),
    (f"{N}LoRA", {"in_features": 3, "lora_rank": 2, "out_features": 4}),
    (f"{L}Dense", {"features": 4}),
    (f"{L}LayerNorm", {"epsilon": 0.125}),
    (f"{L}BatchNorm", {"momentum": 0.75}),
]

SIZES = {"inputs": 3, "outputs": 4}

#: Broken modules, with the kind that they must be found with.
PLANTED: list[tuple[str, dict[str, Any], str]] = [
    (f"{BROKEN}EagerBatchNorm", {"input_size": 3, "axis_name": "batch"}, "state"),
    (f"{BROKEN}StubbornDropout", {"p": 0.375}, "nondeterministic"),
    (f"{BROKEN}HiddenDropout", SIZES, "state"),
    (f"{BROKEN}HalfTied", {"size": 3, "hidden": 2}, "derivative"),
    (f"{BROKEN}WrongRule", SIZES, "derivative"),
    (f"{BROKEN}TrainedEpsilon", {"size": 3}, "derivative"),
    (f"{BROKEN}CachingLinear", {"in_features": 3, "out_features": 4}, "mutates"),
    (f"{BROKEN}OneKeyLinear", SIZES, "state"),
    (f"{BROKEN}OneKeyHeads", {"size": 3, "heads": 2}, "state"),
    (f"{BROKEN}FixedKeyLinear", {"in_features": 3, "out_features": 4}, "state"),
    (f"{BROKEN}LayerScale", {"size": 3}, "type"),
    (f"{BROKEN}LooseSettings", SIZES, "identity"),
    (f"{BROKEN}forgetful", {}, "identity"),
    (f"{BROKEN_FLAX}EagerBatchNorm", {"num_features": 3}, "state"),
    (f"{BROKEN_FLAX}StubbornDropout", {"rate": 0.375}, "state"),
    (f"{BROKEN_FLAX}Remembering", {"in_features": 3, "out_features": 4}, "mutates"),
    (f"{BROKEN_FLAX}SelfCorrecting", SIZES, "mutates"),
    (f"{BROKEN_FLAX}OneKeyBlock", {"features": 3}, "state"),
    (f"{BROKEN_FLAX}Squeezing", SIZES, "shape-dependent"),
]


def row(target: str, make: dict[str, Any], planted: str | None = None) -> dict[str, Any]:
    """Return the verdict on a module, and what came of each law."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in make.items()}
    trial = trial_of(load(target), source_of_target(target), 0, given, {}, {})
    outcomes = outcomes_of(trial)
    result = concluded(trial, outcomes)
    by_law = {law.name: each for law, each in outcomes.items()}
    return {
        "target": target,
        "make": make,
        "planted": planted,
        "what": (type(trial.pure.module).__doc__ or "").splitlines()[0] if planted else None,
        "verdict": result.verdict,
        "kind": result.kind,
        "note": result.finding and result.finding.note,
        "witness": result.witness and result.witness.code,
        "held": [name for name, each in by_law.items() if isinstance(each, Held)],
        "broken": [name for name, each in by_law.items() if isinstance(each, Broken)],
        "not_applicable": {name: each.why for name, each in by_law.items() if isinstance(each, NotApplicable)},
        "not_tried": {name: each.why for name, each in by_law.items() if isinstance(each, NotTried)},
        "not_run": {name: str(each).splitlines()[0] for name, each in by_law.items() if isinstance(each, Exception)},
    }


def main() -> int:
    """Make the rows."""
    warnings.simplefilter("ignore")
    path, *names = sys.argv[1:]
    target = Path(path)
    old = json.loads(target.read_text(encoding="utf-8"))["modules"] if target.exists() else []
    kept = {(each["target"], json.dumps(each["make"])): each for each in old}
    rows = []
    for module, make, planted in [*((*each, None) for each in LIBRARY), *PLANTED]:
        known = kept.get((module, json.dumps(make)))
        again = known is None or module.partition(":")[2] in names or not names
        rows.append(row(module, make, planted) if again or known is None else known)
        print(module, rows[-1]["verdict"], rows[-1]["kind"], flush=True)
    versions = {name: version(name) for name in ("jax", "equinox", "flax")}
    laws = [{"name": law.name, "statement": law.statement, "source": law.source} for law in LAWS]
    found = {"versions": versions, "laws": laws, "modules": rows}
    target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
