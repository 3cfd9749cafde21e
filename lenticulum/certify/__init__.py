"""Runs over whole domains: honest bounds for elementwise kernels, certificates, and the checker that re-proves them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lenticulum.certify.certificate import Certificate as Certificate
    from lenticulum.certify.html import page as page
    from lenticulum.certify.kernel import certify as certify
    from lenticulum.certify.result import CertifyResult as CertifyResult
    from lenticulum.certify.statement import certificate_of as certificate_of

_HOME = {
    "Certificate": "certificate",
    "CertifyResult": "result",
    "certificate_of": "statement",
    "certify": "kernel",
    "page": "html",
}

__all__ = ["Certificate", "CertifyResult", "certificate_of", "certify", "page"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line and the checker need neither NumPy nor JAX to start.
    if name in _HOME:
        return getattr(import_module(f"lenticulum.certify.{_HOME[name]}"), name)
    raise AttributeError(f"module 'lenticulum.certify' has no attribute {name!r}; it has {', '.join(__all__)}")
