"""The command `lenticulum certify`: options to arguments, and the result to text, JSON, a certificate or a page."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from lenticulum.check.errors import CallError


def certify(
    target: Annotated[str, typer.Argument(help="package.module:attribute or path/to/file.py:attribute")],
    spec: Annotated[str, typer.Option(help="NAME or NAME:convention=value,... (see: lenticulum show NAME)")],
    dtype: Annotated[
        str | None,
        typer.Option(help="float16, bfloat16, float32, float64, float8_e5m2 or float8_e4m3fn; default: float32"),
    ] = None,
    exhaustive: Annotated[bool, typer.Option("--exhaustive", help="all 2^32 inputs of float32")] = False,
    bind: Annotated[list[str] | None, typer.Option(help="fix an argument: name=JSON literal")] = None,
    make: Annotated[str | None, typer.Option(help="construct the target with these arguments: a JSON object")] = None,
    args: Annotated[
        str | None, typer.Option(help="shapes of the arrays, in the order of the definition: f32[64,256],f32[256]")
    ] = None,
    role: Annotated[
        list[str] | None, typer.Option(help="say which argument or field plays a role: role=argument")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="whose arrays it takes: jax, numpy or torch")] = None,
    mode: Annotated[str | None, typer.Option(help='"compiled" (default) or "op by op" for JAX')] = None,
    within: Annotated[
        str | None, typer.Option(help="accept errors up to so many ulp, instead of the default verdict")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="an SQLite file that keeps finished shards; a killed run goes on from it")
    ] = None,
    jobs: Annotated[int, typer.Option(help="processes", min=1)] = 1,
    shard: Annotated[str | None, typer.Option(help="only a part, such as 3/64; needs --store")] = None,
    merge: Annotated[list[str] | None, typer.Option(help="the store of another part; may be repeated")] = None,
    budget: Annotated[str | None, typer.Option(help="begin no new shard after 2s, 1m or night")] = None,
    sample: Annotated[int | None, typer.Option(help="how many inputs, where not all are taken", min=1)] = None,
    seed: Annotated[int, typer.Option(help="seed of a sample", min=0)] = 0,
    out: Annotated[str | None, typer.Option(help="write the certificate to this file, its sidecar beside it")] = None,
    html: Annotated[str | None, typer.Option(help="write a page that needs no other file")] = None,
    baseline: Annotated[str | None, typer.Option(help="an older certificate: say what got worse")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> int:
    """Bound the error of a kernel: elementwise over every input of a format, of arrays over families of inputs."""
    from lenticulum.certify.kernel import certify as run
    from lenticulum.check.arguments import lookup_or_refuse, read_bind, read_budget, read_within

    of_arrays = {"--make": make, "--args": args, "--role": role}
    of_elements = {
        **{"--exhaustive": exhaustive, "--backend": backend, "--store": store, "--jobs": jobs > 1, "--shard": shard},
        **{"--merge": merge, "--out": out, "--html": html, "--baseline": baseline},
    }
    if lookup_or_refuse(spec).kind != "elementwise":
        refuse_options(of_elements, "is for an elementwise function; this definition is a function of arrays")
        from lenticulum.certify.arrays.command import certify_arrays_command

        options = {"bind": bind, "make": make, "args": args, "role": role, "mode": mode, "within": within}
        return certify_arrays_command(
            target, spec, dtype=dtype, **options, budget=budget, sample=sample, seed=seed, as_json=as_json
        )
    refuse_options(of_arrays, "is for a function of arrays; this definition is elementwise")
    part = read_part(shard)
    if part is not None and store is None:
        raise CallError("--shard needs --store FILE, which keeps the part; then: certify ... --merge FILE")
    for option, name in (("--out", out), ("--html", html)):
        writable(option, name)
    with bar() as progress:
        result = run(
            target,
            spec,
            dtype=dtype or "float32",
            exhaustive=exhaustive,
            bind=read_bind(bind),
            backend=backend,
            mode=mode,
            within=read_within(within),
            store=store,
            jobs=jobs,
            part=part,
            merge=tuple(merge or ()),
            budget=None if budget is None else read_budget(budget),
            sample=sample,
            seed=seed,
            progress=progress,
        )
    return deliver(result, out, html, baseline, as_json)


def refuse_options(options: dict[str, Any], why: str) -> None:
    """Refuse the first option that was given."""
    given = next((name for name, value in options.items() if value), None)
    if given is not None:
        raise CallError(f"certify {given} {why}")


def deliver(result: Any, out: str | None, html: str | None, baseline: str | None, as_json: bool) -> int:
    """Write what was asked for, print the result, and return the exit code."""
    from lenticulum.certify import report

    if out is not None:
        _certificate(result, out)
    if html is not None:
        from lenticulum.certify.html import page

        _written(html, lambda path: path.write_text(page(result), encoding="utf-8"))
    typer.echo(report.as_json(result) if as_json else report.text(result))
    return result.exit_code if baseline is None else max(result.exit_code, _compared(result, baseline, as_json))


def _certificate(result: Any, out: str) -> None:
    from pathlib import Path

    from lenticulum.certify.statement import certificate_of

    if not result.complete:
        raise CallError(
            f"--out {out}: the run is {result.coverage}; a certificate needs all of it (finish, or --merge)"
        )
    certificate = certificate_of(result, Path(out).stem)
    _written(out, certificate.write)


def _written(name: str, write: Callable[[Any], Any]) -> None:
    from pathlib import Path

    try:
        write(Path(name))
    except OSError as error:
        raise CallError(f"{name} cannot be written: {error.strerror or error}") from None


def _compared(result: Any, baseline: str, as_json: bool) -> int:
    """Say what changed since an older certificate, and return 1 if something got worse."""
    from lenticulum.certify.baseline import changes
    from lenticulum.certify.checker.claim import parse
    from lenticulum.certify.checker.main import printable
    from lenticulum.certify.statement import certificate_of
    from lenticulum.certify.verify import read_baseline

    found = changes(parse(certificate_of(result, "new").content), read_baseline(baseline))
    worse = any(change.word == "worse" for change in found)
    lines = [f"{'WORSE than' if worse else 'not worse than'} {baseline}", *(f"  {change}" for change in found)]
    typer.echo("\n".join(map(printable, lines)), err=as_json)
    return int(worse)


def writable(option: str, name: str | None) -> None:
    """Refuse a file that cannot be written before any work is done."""
    import os
    from pathlib import Path

    if name is None:
        return
    path = Path(name)
    if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CallError(f"{option} {name}: no such file can be written; name one in a folder that exists")


def read_part(text: str | None) -> tuple[int, int] | None:
    """Read a part such as 3/64.

    >>> read_part("3/64")
    (3, 64)
    """
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise CallError(f"--shard {text!r}: expected K/N with 1 <= K <= N, such as 3/64")
    return int(match[1]), int(match[2])


@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """Show progress on a terminal; be silent in a pipe."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("shards")
        yield lambda done, total: progress.update(task, completed=done, total=total)
