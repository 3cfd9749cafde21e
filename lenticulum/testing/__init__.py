"""What a test suite imports: assertions about laws and kernels, Hypothesis strategies, a pytest plugin."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lenticulum.testing.assertions import assert_holds as assert_holds
    from lenticulum.testing.assertions import assert_rejects_mistakes as assert_rejects_mistakes
    from lenticulum.testing.audit import Audit as Audit
    from lenticulum.testing.auditing import StaleProgram as StaleProgram
    from lenticulum.testing.auditing import audited_jit as audited_jit
    from lenticulum.testing.baseline import Baseline as Baseline
    from lenticulum.testing.baseline import read_baseline as read_baseline
    from lenticulum.testing.conformance import assert_conforms as assert_conforms
    from lenticulum.testing.first_tests.init import init as init
    from lenticulum.testing.gradients import check_grads as check_grads
    from lenticulum.testing.identity import assert_identity as assert_identity
    from lenticulum.testing.strategies import HypothesisDraw as HypothesisDraw
    from lenticulum.testing.strategies import arrays as arrays
    from lenticulum.testing.strategies import cases as cases
    from lenticulum.testing.strategies import generated as generated
    from lenticulum.testing.strategies import terms as terms
    from lenticulum.testing.torch_gradients import gradcheck as gradcheck
    from lenticulum.testing.torch_gradients import gradgradcheck as gradgradcheck

_HOME = {
    "Baseline": "baseline",
    "Audit": "audit",
    "HypothesisDraw": "strategies",
    "StaleProgram": "auditing",
    "arrays": "strategies",
    "assert_conforms": "conformance",
    "assert_holds": "assertions",
    "assert_identity": "identity",
    "assert_rejects_mistakes": "assertions",
    "audited_jit": "auditing",
    "cases": "strategies",
    "check_grads": "gradients",
    "generated": "strategies",
    "gradcheck": "torch_gradients",
    "gradgradcheck": "torch_gradients",
    "init": "first_tests.init",
    "read_baseline": "baseline",
    "terms": "strategies",
}

__all__ = [
    "Baseline",
    "Audit",
    "HypothesisDraw",
    "StaleProgram",
    "arrays",
    "assert_conforms",
    "assert_holds",
    "assert_identity",
    "assert_rejects_mistakes",
    "audited_jit",
    "cases",
    "check_grads",
    "generated",
    "gradcheck",
    "gradgradcheck",
    "init",
    "read_baseline",
    "terms",
]


def __getattr__(name: str) -> Any:
    # Loaded on first use: pytest loads the plugin in every session, also where neither JAX nor Hypothesis is wanted.
    if name in _HOME:
        return getattr(import_module(f"lenticulum.testing.{_HOME[name]}"), name)
    raise AttributeError(f"module 'lenticulum.testing' has no attribute {name!r}; it has {', '.join(__all__)}")
