"""What a result depends on beside the inputs: versions, processor, flags, and whether subnormal numbers are flushed."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from lenticulum.certify.subject import MODES, UNSIGNED, Subject
from lenticulum.numbers.formats import FORMATS, bits_to_float64, encode

#: Packages whose version a result may depend on, by backend.
PACKAGES = {"jax": ("jax", "jaxlib", "ml_dtypes"), "numpy": (), "torch": ("torch",)}

#: Environment variables that change what a library computes.
VARIABLES = ("XLA_FLAGS", "JAX_ENABLE_X64", "JAX_DEFAULT_MATMUL_PRECISION", "JAX_PLATFORMS")

#: Processor features that change the code that is run.
FEATURES = ("avx2", "fma", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16")


def surroundings(backend: str) -> dict[str, Any]:
    """Return what a certificate binds by name: plain data."""
    packages = ("numpy", *PACKAGES[backend])
    return {
        "backend": backend,
        "device": _device(backend),
        "flags": {name: os.environ[name] for name in VARIABLES if name in os.environ},
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "features": _features(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in packages},
    }


def digest(*facts: dict[str, Any]) -> str:
    """Return the SHA-256 of surroundings."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def _device(backend: str) -> str:
    if backend == "jax":
        import jax

        return str(jax.devices()[0].device_kind)
    return "cpu"


def _processor() -> str:
    for line in _processor_lines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _features() -> list[str]:
    for line in _processor_lines():
        if line.startswith(("flags", "Features")):
            known = line.partition(":")[2].split()
            return [name for name in FEATURES if name in known]
    return []


def _processor_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.is_file() else []


def flushes(backend: str, dtype: str) -> bool:
    """Observe whether a backend flushes subnormal numbers: as a result, or as an argument, in any of its modes.

    The smallest normal number is multiplied by one half, and the smallest subnormal one by two.
    """
    fmt = FORMATS[dtype]
    inputs = [fmt.smallest_normal, fmt.smallest_subnormal]
    patterns = np.array([encode(x, fmt) for x in inputs], UNSIGNED[fmt.width])
    for mode in MODES[backend]:
        # A function of the module, not a lambda, so that the same program is compiled once.
        run = Subject("probe", backend, dtype, mode, function=_half_and_twice).opened()
        bits, format = run(patterns, np.array([encode(x, fmt) for x in _factors()], UNSIGNED[fmt.width]))
        if (bits_to_float64(bits, format) == 0).any():
            return True
    return False


def _factors() -> list[Any]:
    from fractions import Fraction

    return [Fraction(1, 2), Fraction(2)]


def _half_and_twice(x: Any, factor: Any) -> Any:
    return x * factor
