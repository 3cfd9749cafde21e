"""The engine: draw, run, shrink, judge, report."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lenticulum.check.errors import CallError as CallError
    from lenticulum.check.identity.check import check_identity as check_identity
    from lenticulum.check.identity.result import IdentityResult as IdentityResult
    from lenticulum.check.kernel import check as check
    from lenticulum.check.kernel import examine as examine
    from lenticulum.check.modules.made import pure_module as pure_module
    from lenticulum.check.result import CheckResult as CheckResult
    from lenticulum.check.subjects.library_module import as_function as as_function
    from lenticulum.check.subjects.transformation import state_leaves as state_leaves
    from lenticulum.check.subjects.transformation import with_state as with_state
    from lenticulum.check.target import load as load

_HOME = {
    "as_function": "subjects.library_module",
    "CallError": "errors",
    "CheckResult": "result",
    "IdentityResult": "identity.result",
    "check": "kernel",
    "check_identity": "identity.check",
    "examine": "kernel",
    "load": "target",
    "pure_module": "modules.made",
    "state_leaves": "subjects.transformation",
    "with_state": "subjects.transformation",
}

__all__ = [
    "CallError",
    "CheckResult",
    "IdentityResult",
    "as_function",
    "check",
    "check_identity",
    "examine",
    "load",
    "pure_module",
    "state_leaves",
    "with_state",
]


def __getattr__(name: str) -> Any:
    # Loaded on first use: the draws and the laws of the exact interpreter need no JAX.
    if name in _HOME:
        return getattr(import_module(f"lenticulum.check.{_HOME[name]}"), name)
    raise AttributeError(f"module 'lenticulum.check' has no attribute {name!r}; it has {', '.join(__all__)}")
