"""The verb `init` of the command line."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated, Any

import typer


def init(
    module: Annotated[str, typer.Argument(help="a module (package.module or path/to/file.py); it is imported")],
    out: Annotated[str | None, typer.Option(help="the test file; default: test_NAME.py here")] = None,
    make: Annotated[
        str | None, typer.Option(help='constructor arguments by class: a JSON object such as {"Gate": {"size": 3}}')
    ] = None,
    seed: Annotated[int, typer.Option(help="seed of the drawn cases", min=0)] = 0,
    force: Annotated[bool, typer.Option("--force", help="overwrite the test file and its baseline")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Write a first test file for a module, and a baseline of what is found in it now."""
    from lenticulum.testing.first_tests.init import init as run

    with redirect_stdout(sys.stderr):  # what the module prints is not the report
        result = run(module, out=out, make=_made(make), seed=seed, force=force)
    typer.echo(result.as_json() if as_json else str(result))
    return result.exit_code


def _made(text: str | None) -> dict[str, Any]:
    """Read the constructor arguments of classes by name."""
    from lenticulum.check.arguments import read_make
    from lenticulum.check.errors import CallError

    made = read_make(text)
    for name, each in made.items():
        if not isinstance(each, dict):
            raise CallError(
                f'--make: {name} is {each!r}; expected an object of arguments, such as {{"{name}": {{"size": 3}}}}'
            )
    return made
