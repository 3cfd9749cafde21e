"""Identity of an object in a test suite: no compiled program of it is served for another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lenticulum.check.identity import IdentityResult, check_identity


def assert_identity(make: Callable[[], Any], *, run: Callable[..., Any], **options: Any) -> IdentityResult:
    """Assert that no program of an object is served for another one, and return the result.

    Arguments: `make`, `run` and the options as for `lenticulum.check.check_identity`. All caches of jax are cleared.
    Raises: AssertionError with the report, where the verdict is anything but "conforms". An object that is compiled
    anew at each build conforms: its `findings` say so.

    >>> import dataclasses, jax.numpy as jnp
    >>> @dataclasses.dataclass(frozen=True)
    ... class Scale:
    ...     factor: float = 2.0
    >>> assert_identity(Scale, run=lambda scale, x: scale.factor * x, args=(jnp.float32(10.0),)).verdict
    'conforms'
    """
    result = check_identity(make, run=run, **options)
    assert result.verdict == "conforms", str(result)
    return result
