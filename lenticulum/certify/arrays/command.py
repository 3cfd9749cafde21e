"""The command `lenticulum certify` for a function of arrays: options to arguments, and the result to text or JSON."""

from __future__ import annotations

import typer

from lenticulum.check.arguments import read_bind, read_budget, read_make, read_roles, read_shapes, read_within
from lenticulum.check.errors import CallError


def certify_arrays_command(
    target: str,
    spec: str,
    *,
    dtype: str | None,
    bind: list[str] | None,
    make: str | None,
    args: str | None,
    role: list[str] | None,
    mode: str | None,
    within: str | None,
    budget: str | None,
    sample: int | None,
    seed: int,
    as_json: bool,
) -> int:
    """Certify, print the result, and return the exit code."""
    from lenticulum.certify.arrays import report
    from lenticulum.certify.arrays.kernel import certify_arrays
    from lenticulum.certify.arrays.run import SAMPLE

    shapes, stated = read_shapes(args, spec, target)
    if args is not None and dtype not in (None, stated):
        raise CallError(f"--dtype {dtype} and --args {args} disagree; give one of them")
    result = certify_arrays(
        target,
        spec,
        dtype=dtype or stated,
        mode=mode,
        roles=read_roles(role),
        bind=read_bind(bind),
        make=read_make(make),
        shapes=shapes,
        within=read_within(within),
        budget=None if budget is None else read_budget(budget),
        sample=sample or SAMPLE,
        seed=seed,
    )
    typer.echo(report.as_json(result) if as_json else report.text(result))
    return result.exit_code
