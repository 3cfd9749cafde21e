"""Conformance of a kernel in a test suite: no tolerance to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lenticulum.catalog import lookup
from lenticulum.check.kernel import check
from lenticulum.check.result import CheckResult
from lenticulum.testing.tally import SESSION


def assert_conforms(
    subject: Any,
    spec: str,
    x: Any = None,
    *,
    seed: int = 0,
    roles: Mapping[str, str] | None = None,
    bind: Mapping[str, Any] | None = None,
    make: Mapping[str, Any] | None = None,
    **options: Any,
) -> CheckResult:
    """Assert that a subject conforms to a definition, and return the result.

    Arguments: `subject`, `spec` and the options as for `lenticulum.check.check`; `x`: one point for the first array
    of the definition, instead of drawn data.
    Raises: AssertionError with the report, where the verdict is anything but "conforms".

    >>> import jax
    >>> assert_conforms(jax.numpy.tanh, "tanh").verdict
    'conforms'
    """
    at = None if x is None else {lookup(spec.partition(":")[0]).arrays[0]: np.asarray(x)}
    dtype = str(np.asarray(x).dtype) if x is not None else "float32"
    result = check(subject, spec, seed=seed, roles=roles, bind=bind, make=make, at=at, **{"dtype": dtype, **options})
    SESSION.record(result)
    assert result.verdict == "conforms", str(result)
    return result
