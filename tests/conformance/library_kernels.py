"""The verdicts on the kernels of one library, as a program that prints JSON."""

import json
import sys
from typing import Any

import numpy as np
from flax_kernels import flax_kernels
from host_kernels import numpy_kernels, scipy_kernels
from keras_kernels import keras_kernels
from library_kernel import Kernel
from torch_kernels import torch_kernels

from lenticulum.check import examine

LIBRARIES = {
    "torch": torch_kernels,
    "flax": flax_kernels,
    "keras": keras_kernels,
    "numpy": numpy_kernels,
    "scipy": scipy_kernels,
}


def facts(kernel: Kernel) -> dict[str, Any]:
    """Return the verdict, and whether the witness, run by itself, gives what was found."""
    result = examine(kernel.subject, kernel.spec, **kernel.options)
    shown = None
    if result.witness is not None and result.kind != "type" and not result.finding.output.startswith("cotangent"):
        namespace: dict[str, Any] = {}
        bare = getattr(kernel.subject, "__name__", "subject")
        exec(result.witness.code, {bare: kernel.subject, "subject": kernel.subject}, namespace)
        got = float(np.asarray(namespace["got"], np.float64)[result.finding.position])
        shown = bool(np.array_equal(got, result.finding.got, equal_nan=True))
    return {
        "kernel": str(kernel),
        "expected": kernel.kind,
        "verdict": result.verdict,
        "kind": result.kind,
        "carried": sum(result.carried.values()),
        "shown": shown,
        "text": str(result),
    }


if __name__ == "__main__":
    print(json.dumps([facts(kernel) for kernel in LIBRARIES[sys.argv[1]]()]))
