"""The verb `verify` of the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from lenticulum.check.arguments import read_bind


def verify(
    file: Annotated[str, typer.Argument(help="a certificate; its sidecar lies beside it")],
    subject: Annotated[
        str | None, typer.Option(help="run this target again, and compare its outputs with those of the certificate")
    ] = None,
    bind: Annotated[list[str] | None, typer.Option(help="fix an argument of the subject: name=JSON literal")] = None,
    baseline: Annotated[str | None, typer.Option(help="an older certificate: say what got worse since")] = None,
    sample: Annotated[int | None, typer.Option(help="judge so many outputs, drawn now, instead of all")] = None,
    part: Annotated[str | None, typer.Option(help="judge the outputs of FIRST:COUNT inputs instead of all")] = None,
    seed: Annotated[int | None, typer.Option(help="the seed of what is drawn; default: drawn now")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Re-prove a certificate. No code that the certificate names is run."""
    from lenticulum.certify.verify import choose_part
    from lenticulum.certify.verify import verify as run

    result = run(
        file,
        part=choose_part(sample, part, seed),
        subject=subject,
        bind=read_bind(bind),
        baseline=baseline,
        seed=seed,
    )
    typer.echo(result.as_json() if as_json else str(result))
    return result.exit_code
