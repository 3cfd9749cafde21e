"""The verb `init` of the command line."""

from __future__ import annotations

from typing import Annotated

import typer


def init(
    module: Annotated[str, typer.Argument(help="a module (package.module or path/to/file.py); it is imported")],
    out: Annotated[str | None, typer.Option(help="the test file; default: test_NAME.py here")] = None,
    seed: Annotated[int, typer.Option(help="seed of the drawn cases", min=0)] = 0,
    force: Annotated[bool, typer.Option("--force", help="overwrite the test file and its baseline")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Write a first test file for a module, and a baseline of what is found in it now."""
    from lenticulum.testing.first_tests.init import init as run

    result = run(module, out=out, seed=seed, force=force)
    typer.echo(result.as_json() if as_json else str(result))
    return result.exit_code
