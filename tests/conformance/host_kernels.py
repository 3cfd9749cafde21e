"""Functions of NumPy and SciPy, and broken functions of NumPy arrays."""

from typing import Any

import numpy as np
from library_kernel import Kernel, bound


def numpy_kernels() -> list[Kernel]:
    """Functions of NumPy arrays, and broken ones."""

    def logsumexp(x: Any) -> Any:
        """Overflow."""
        return np.log(np.sum(np.exp(x), dtype=x.dtype))

    def one_pass(x: Any) -> Any:
        """E[x²] - E[x]²."""
        return np.mean(x * x) - np.mean(x) ** 2

    def of_columns(x: Any) -> Any:
        """Normalise along the other axis."""
        e = np.exp(x - x.max(0))
        return e / e.sum(0)

    found = [
        Kernel(f"numpy:{name}", spec, options={"dtype": dtype})
        for dtype in ("float32", "float64")
        for name, spec in (
            ("var", "variance:axis=0,keepdims=true"),
            ("matmul", "matmul"),
            ("einsum", 'einsum:equation="ij,jk,kl->il"'),
            ("cumsum", "cumsum:axis=1"),
            ("sum", "sum:axis=[0,1]"),
        )
    ]
    return [
        *found,
        Kernel("numpy:linalg.norm", "norm", options={"dtype": "float64"}),
        # The squares of subnormal numbers are 0.
        Kernel("numpy:linalg.norm", "norm", "rounding"),
        Kernel("numpy:var", "variance:estimate=sample", "formula"),
        Kernel(logsumexp, "logsumexp", "overflow"),
        Kernel(one_pass, "variance", "rounding"),
        Kernel(of_columns, "softmax", "formula"),
    ]


def scipy_kernels() -> list[Kernel]:
    """Functions of SciPy."""
    import scipy.special

    def huber(prediction: Any, label: Any, delta: float) -> Any:
        """scipy.special.huber takes the difference."""
        return scipy.special.huber(prediction.dtype.type(delta), prediction - label)

    special, along = "scipy.special", bound(axis=-1)
    found = [
        Kernel(subject, spec, options={**options, "dtype": dtype})
        for dtype in ("float32", "float64")
        for subject, spec, options in (
            (f"{special}:softmax", "softmax", along),
            (f"{special}:log_softmax", "log_softmax", {}),
            (f"{special}:logsumexp", "logsumexp:axis=-1", {}),
            (f"{special}:expit", "sigmoid", {}),
            (f"{special}:log_expit", "log_sigmoid", {}),
            (f"{special}:entr", "entr", {}),
            (huber, "huber_loss", {}),
        )
    ]
    return [
        *found,
        # Its default is the softmax of all entries; and it has no binary16 of its own.
        Kernel(f"{special}:softmax", "softmax", "formula"),
        Kernel(f"{special}:expit", "sigmoid", "type", {"dtype": "float16"}),
    ]
