"""Exact meanings for the pieces of a learning system, and checks of fast kernels against them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lenticulum import catalog as catalog
    from lenticulum import check as check
    from lenticulum import fast as fast
    from lenticulum import numbers as numbers
    from lenticulum import spec as spec
    from lenticulum import terms as terms
    from lenticulum import testing as testing

    __version__: str

__all__ = ["__version__", "catalog", "check", "fast", "numbers", "spec", "terms", "testing"]

_SUBPACKAGES = frozenset(__all__) - {"__version__"}


def __getattr__(name: str) -> Any:
    # Loaded on first use (PEP 562): `import lenticulum` costs milliseconds and brings in no JAX.
    if name in _SUBPACKAGES:
        return import_module(f"lenticulum.{name}")
    if name == "__version__":
        return import_module("importlib.metadata").version("lenticulum")
    raise AttributeError(f"module 'lenticulum' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
