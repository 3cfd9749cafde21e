"""The command line: thin. Exit codes: 0 conforms, 1 differs, 2 a wrong call, 3 undecided or not covered, 70 our bug."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from lenticulum.catalog import UnknownName, lookup, nearest
from lenticulum.certify.command import certify
from lenticulum.certify.verify_command import verify
from lenticulum.check.arguments import (
    decimal,
    literal,
    lookup_or_refuse,
    read_bind,
    read_budget,
    read_make,
    read_roles,
    read_shapes,
    read_within,
)
from lenticulum.check.errors import CallError
from lenticulum.testing.first_tests.command import init

VERBS = ("check", "certify", "show", "verify", "init")
app = typer.Typer(
    name="lenticulum",
    help="Exact meanings for the pieces of a learning system, and checks of fast kernels against them.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.command()
def check(
    target: Annotated[str, typer.Argument(help="package.module:attribute or path/to/file.py:attribute")],
    spec: Annotated[
        str | None, typer.Option(help="NAME or NAME:convention=value,... (see: lenticulum show NAME)")
    ] = None,
    bind: Annotated[list[str] | None, typer.Option(help="fix an argument: name=JSON literal")] = None,
    make: Annotated[str | None, typer.Option(help="construct the target with these arguments: a JSON object")] = None,
    args: Annotated[
        str | None,
        typer.Option(
            help="shapes of the arrays, in the order of the definition: f32[8,16],f32[16] (f16, bf16, f32 or f64)"
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="one point: a JSON list of arguments, or with --spec an object of role: array")
    ] = None,
    role: Annotated[
        list[str] | None, typer.Option(help="say which argument or field plays a role: role=argument")
    ] = None,
    seed: Annotated[int, typer.Option(help="seed of the drawn cases", min=0)] = 0,
    budget: Annotated[
        str | None, typer.Option(help="how long to go on drawing: 2s, 1m or night; default: one round")
    ] = None,
    within: Annotated[
        str | None, typer.Option(help="accept errors up to so many ulp, instead of the default verdict")
    ] = None,
    html: Annotated[
        str | None, typer.Option(help="write a page with the source lines at a point (with --at and no --spec)")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Compare a kernel with a definition; without --spec, check the laws that need none."""
    from lenticulum.check import report
    from lenticulum.check.kernel import check as run

    if html is not None and (at is None or spec is not None):
        raise CallError("--html writes the source lines at a point: give --at, and no --spec")
    shapes, dtype = read_shapes(args, spec, target)
    with redirect_stdout(sys.stderr):  # what the target prints is not the report
        result = run(
            target,
            spec,
            seed=seed,
            roles=read_roles(role),
            bind=read_bind(bind),
            make=read_make(make),
            at=None if at is None else read_arguments(at) if spec is None else read_point(at, spec),
            shapes=shapes,
            dtype=dtype,
            budget=read_budget(budget),
            within=read_within(within),
        )
    typer.echo(report.as_json(result) if as_json else report.text(result))
    if html is not None:
        write_page(html, result)
    return result.exit_code


def write_page(path: str, result: Any) -> None:
    """Write the page of a result at a point."""
    from lenticulum.check.at_html import page

    try:
        Path(path).write_text(page(result), encoding="utf-8")
    except OSError as error:
        raise CallError(f"--html {path}: it cannot be written ({error.strerror})") from None


app.command("certify")(certify)
app.command("verify")(verify)
app.command("init")(init)


@app.command()
def show(
    name: Annotated[
        str | None,
        typer.Argument(help="the name of a definition, or path/to/file.py:TERM; without it, all names"),
    ] = None,
    as_latex: Annotated[bool, typer.Option("--latex", help="print the equations of a term as LaTeX")] = False,
    svg: Annotated[str | None, typer.Option(help="write the string diagram of a term to this file")] = None,
) -> int:
    """Print a definition: equation, conventions, laws, and what determines its result; a term; or all names."""
    from lenticulum.check.report import describe, listed

    if name is not None and ":" in name:
        from lenticulum.check.show_term import show_term

        typer.echo(show_term(name, as_latex=as_latex, picture=svg))
        return 0
    if as_latex or svg is not None:
        raise CallError("--latex and --svg draw a term: give its target, such as path/to/file.py:MODEL")
    try:
        typer.echo(listed() if name is None else describe(lookup(name)))
    except UnknownName as error:
        raise CallError(str(error)) from None
    return 0


def read_arguments(text: str) -> list[Any]:
    """Read one list of arguments, numbers in nested lists."""
    found = literal(text, "--at", decimal)
    if not isinstance(found, list) or not found:
        raise CallError(f"--at {text!r}: expected one list of arguments, such as '[[1.0, 88.0]]' for one array")
    return found


def read_point(text: str, spec: str) -> dict[str, Any]:
    """Read one list of arguments, in the order of the definition's arrays, or an object of arrays by role."""
    row = lookup_or_refuse(spec)
    found = literal(text, "--at", decimal)
    if isinstance(found, dict):
        return found
    if not isinstance(found, list):
        raise CallError(
            f"--at {text!r}: expected one list of arguments ({', '.join(row.arrays)}), such as '[[1.0, 88.0]]'"
        )
    if len(found) > len(row.arrays):
        taken = "one array" if len(row.arrays) == 1 else f"{len(row.arrays)} arrays"
        raise CallError(
            f"--at: {row.name} takes {taken} ({', '.join(row.arrays)}), got {len(found)}; "
            "an array is a list in the list of arguments: '[[1.0, 88.0]]'"
        )
    return dict(zip(row.arrays, found, strict=False))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; a message of one to three lines goes to the standard error."""
    # Typer carries its own copy of Click from some version on, so the base of its errors is found through it.
    usage_error: Any = typer.BadParameter.__mro__[1]
    click_error: Any = usage_error.__mro__[1]
    try:
        code = typer.main.get_command(app)(list(arguments), prog_name="lenticulum", standalone_mode=False)
        return int(code or 0)
    except CallError as error:
        return refuse(str(error))
    except click_error as error:
        return refuse(parser_message(error.format_message(), arguments))
    except (typer.Exit, typer.Abort) as error:
        return int(getattr(error, "exit_code", 1))
    except Exception as error:
        from lenticulum.check.target import one_line
        from lenticulum.numbers.errors import MissingPackage

        if isinstance(error, MissingPackage):
            return refuse(str(error))
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        place = f" at {where.tb_frame.f_globals.get('__name__')}:{where.tb_lineno}" if where is not None else ""
        typer.echo(f"lenticulum: internal error: {one_line(error)}{place}", err=True)
        typer.echo(
            "This is a bug of lenticulum, not of the subject: please report it with this line and the command.",
            err=True,
        )
        return 70
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # SystemExit above all: its code would say a verdict that nobody reached.
        ended = f"{type(error).__name__}: {error}"
        return refuse(f"the target ended the process ({ended}); expected a function that returns")


def refuse(message: str) -> int:
    """Say what is wrong with the call."""
    typer.echo("\n".join(f"lenticulum: {message}".splitlines()[:3]), err=True)
    return 2


def parser_message(message: str, arguments: Sequence[str]) -> str:
    """Return the parser's message on at most two lines, with the nearest verb where one is unknown."""
    first = " ".join(message.split())
    unknown = re.match(r"No such command '(.*?)'", first)
    if unknown is not None:
        return f"no such command {unknown[1]!r}{nearest(unknown[1], VERBS)}\nthe commands are {', '.join(VERBS)}"
    verb = next((each for each in arguments if each in VERBS), None)
    return f"{first or 'nothing to do'}\nsee: lenticulum {verb + ' ' if verb else ''}--help"


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))
