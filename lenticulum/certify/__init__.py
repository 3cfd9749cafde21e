"""Honest bounds of elementwise kernels over whole domains, with certificates, and of functions of arrays."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lenticulum.certify.arrays.family import Family as Family
    from lenticulum.certify.arrays.kernel import certify_arrays as certify_arrays
    from lenticulum.certify.arrays.result import ArrayResult as ArrayResult
    from lenticulum.certify.certificate import Certificate as Certificate
    from lenticulum.certify.html import page as page
    from lenticulum.certify.kernel import certify as certify
    from lenticulum.certify.result import CertifyResult as CertifyResult
    from lenticulum.certify.statement import certificate_of as certificate_of

_HOME = {
    "ArrayResult": "arrays.result",
    "Certificate": "certificate",
    "CertifyResult": "result",
    "Family": "arrays.family",
    "certificate_of": "statement",
    "certify": "kernel",
    "certify_arrays": "arrays.kernel",
    "page": "html",
}

__all__ = [
    "ArrayResult",
    "Certificate",
    "CertifyResult",
    "Family",
    "certificate_of",
    "certify",
    "certify_arrays",
    "page",
]


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line and the checker need neither NumPy nor JAX to start.
    if name in _HOME:
        return getattr(import_module(f"lenticulum.certify.{_HOME[name]}"), name)
    raise AttributeError(f"module 'lenticulum.certify' has no attribute {name!r}; it has {', '.join(__all__)}")
