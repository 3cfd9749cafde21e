"""Subjects as functions from bit patterns to bit patterns, for callables on NumPy, JAX and torch arrays."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lenticulum.check.errors import CallError
from lenticulum.check.target import load, one_line
from lenticulum.numbers.formats import FORMATS, Format

Array = np.ndarray

#: Bit patterns as unsigned integers, and their format.
Outputs = tuple[Array, Format]

#: A kernel on arrays of bit patterns, one for each argument.
Kernel = Callable[..., Outputs]

BACKENDS = ("jax", "numpy", "torch")
MODES = {"jax": ("compiled", "op by op"), "numpy": ("eager",), "torch": ("eager",)}

#: Unsigned integers of the width of a format.
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


@dataclass(frozen=True)
class Subject:
    """A kernel: a target or a callable, the arrays it takes, bound arguments, the mode it runs in, and its formats.

    `function`: what is called; None in a worker process until `opened` loads the target.
    """

    name: str
    backend: str
    dtype: str
    mode: str
    bind: tuple[tuple[str, Any], ...] = ()
    function: Callable[..., Any] | None = None

    def opened(self) -> Kernel:
        """Return the kernel as a function of arrays of bit patterns (one for each argument) to bit patterns."""
        function = load(self.name) if self.function is None else self.function
        if self.bind:
            function = partial(function, **dict(self.bind))
        return _OPENERS[self.backend](function, self.dtype, self.mode)


def backend_of(name: str, function: Callable[..., Any]) -> str:
    """Return the library whose arrays a callable takes: by its module, else by what it accepts.

    >>> backend_of("numpy:exp", np.exp)
    'numpy'
    """
    module = (getattr(function, "__module__", None) or name.partition(":")[0]).partition(".")[0]
    if module in ("jax", "jaxlib", "flax", "equinox", "optax", "numpyro"):
        return "jax"
    if module == "torch" or name.partition(":")[0].partition(".")[0] == "torch":
        return "torch"
    if module in ("numpy", "scipy") or isinstance(function, np.ufunc):
        return "numpy"
    return _accepted(name, function)


def _accepted(name: str, function: Callable[..., Any]) -> str:
    """Return the first library whose array of one element the callable takes and returns."""
    arguments = _required(function)
    failures = []
    for backend in BACKENDS:
        try:
            result, _ = _OPENERS[backend](function, "float32", MODES[backend][0])(
                *[np.full(1, 0x3F000000, np.uint32)] * arguments
            )
        except ImportError:
            continue
        except Exception as error:
            failures.append(f"{backend}: {one_line(error)}")
            continue
        if result.shape == (1,):
            return backend
        failures.append(f"{backend}: of shape [1] it makes {list(result.shape)}, so it is not elementwise")
    raise CallError(f"{name} takes no array of {', '.join(BACKENDS)}\n{'; '.join(failures)[:300]}")


def _required(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return max(1, sum(p.kind in kinds and p.default is inspect.Parameter.empty for p in parameters))


def source_digest(name: str, function: Callable[..., Any], backend: str, dtype: str, arguments: int, mode: str) -> str:
    """Return the SHA-256 of the lowered program of a JAX function, else of its source, else of its name and version."""
    if backend == "jax":
        import jax
        import jax.numpy as jnp

        with _precision(dtype):
            shapes = [jax.ShapeDtypeStruct((4096,), jnp.dtype(dtype))] * arguments
            text = jax.jit(function).lower(*shapes).as_text()
    else:
        inner = function.func if isinstance(function, partial) else function
        try:
            text = inspect.getsource(inner)
        except (TypeError, OSError):
            text = f"{name} {getattr(__import__(backend), '__version__', '')}"
    return hashlib.sha256(f"{text}\n{mode}".encode()).hexdigest()


def _precision(dtype: str) -> Any:
    import jax

    return jax.enable_x64(True) if dtype == "float64" else nullcontext()


def _of_jax(function: Callable[..., Any], dtype: str, mode: str) -> Kernel:
    import jax
    import jax.numpy as jnp

    compiled = jax.jit(function) if mode == "compiled" else function
    dtype_of_input = jnp.dtype(dtype)

    def run(*patterns: Array) -> Outputs:
        with _precision(dtype), jax.disable_jit() if mode == "op by op" else nullcontext():
            result = compiled(*(jnp.asarray(each.view(dtype_of_input)) for each in patterns))
            return _bits(np.ascontiguousarray(result))

    return run


def _of_numpy(function: Callable[..., Any], dtype: str, mode: str) -> Kernel:
    del mode
    if dtype in ("float16", "float32", "float64"):
        dtype_of_input = np.dtype(dtype)
    else:
        import ml_dtypes

        dtype_of_input = np.dtype(getattr(ml_dtypes, dtype))

    def run(*patterns: Array) -> Outputs:
        # NumPy warns of what is judged here: overflow, NaN, division by zero.
        with np.errstate(all="ignore"):
            return _bits(np.ascontiguousarray(function(*(each.view(dtype_of_input) for each in patterns))))

    return run


def _of_torch(function: Callable[..., Any], dtype: str, mode: str) -> Kernel:
    import torch  # pyright: ignore[reportMissingImports]

    del mode
    dtype_of_input = getattr(torch, dtype)
    signed = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
    carriers = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}

    def run(*patterns: Array) -> Outputs:
        # NumPy has no bfloat16, so both ways lead over integers of the same width.
        tensors = [
            torch.from_numpy(np.ascontiguousarray(each).view(signed[8 * each.itemsize])).view(dtype_of_input)
            for each in patterns
        ]
        with torch.no_grad():
            result = function(*tensors)
        if not isinstance(result, torch.Tensor) or not result.dtype.is_floating_point:
            raise WrongOutput(f"it returns {getattr(result, 'dtype', type(result).__name__)}, no floating-point tensor")
        integers = result.detach().contiguous().view(carriers[result.element_size()]).numpy()
        return integers.view(UNSIGNED[8 * result.element_size()]), _format(str(result.dtype).removeprefix("torch."))

    return run


class WrongOutput(TypeError):
    """A kernel that returns something else than floating-point numbers of a known format."""


def _bits(result: Array) -> Outputs:
    """Return the patterns of a NumPy array of floating-point numbers, and their format."""
    return result.view(UNSIGNED[8 * result.itemsize]), _format(result.dtype.name)


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise WrongOutput(f"it returns {name}; expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


_OPENERS: dict[str, Callable[[Callable[..., Any], str, str], Kernel]] = {
    "jax": _of_jax,
    "numpy": _of_numpy,
    "torch": _of_torch,
}
