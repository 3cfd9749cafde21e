"""Exact meanings for the pieces of a learning system, and checks of fast kernels against them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lenticulum import catalog as catalog
    from lenticulum import certify as certify
    from lenticulum import check as check
    from lenticulum import fast as fast
    from lenticulum import numbers as numbers
    from lenticulum import spec as spec
    from lenticulum import terms as terms
    from lenticulum import testing as testing
    from lenticulum.fast import apply as apply
    from lenticulum.fast import initialparameters as initialparameters
    from lenticulum.fast import initialstates as initialstates
    from lenticulum.fast import setup as setup
    from lenticulum.terms import Mode as Mode
    from lenticulum.terms import Tree as Tree
    from lenticulum.terms import display_name as display_name
    from lenticulum.terms import parameterlength as parameterlength
    from lenticulum.terms import statelength as statelength

    __version__: str

_SUBPACKAGES = ("catalog", "certify", "check", "fast", "numbers", "spec", "terms", "testing")

# Where the names that a user of models needs at hand are defined.
_HOMES = {
    "Mode": "terms",
    "Tree": "terms",
    "apply": "fast",
    "display_name": "terms",
    "initialparameters": "fast",
    "initialstates": "fast",
    "parameterlength": "terms",
    "setup": "fast",
    "statelength": "terms",
}

__all__ = ["__version__", *_SUBPACKAGES, *_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    # Loaded on first use (PEP 562): `import lenticulum` costs milliseconds and brings in no JAX.
    if name in _SUBPACKAGES:
        return import_module(f"lenticulum.{name}")
    if name in _HOMES:
        return getattr(import_module(f"lenticulum.{_HOMES[name]}"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("lenticulum")
    raise AttributeError(f"module 'lenticulum' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
