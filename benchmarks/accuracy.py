"""All 2^32 float32 inputs of the usual elementary functions and activations of JAX and torch.

    python -m benchmarks.accuracy --store accuracy.sqlite --jobs 2

One campaign for each definition; both libraries share its enclosures. Finished shards are kept: a killed run goes on.
For each subject a certificate is written to docs/accuracy, from which docs/accuracy.md is made (docs/accuracy_page.py).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from lenticulum.certify.campaign import Campaign, merged
from lenticulum.certify.domain import Domain
from lenticulum.certify.execute import execute
from lenticulum.certify.kernel import result_of
from lenticulum.certify.store import Store
from lenticulum.certify.subject import Subject, source_digest
from lenticulum.certify.surroundings import digest, flushes, surroundings
from lenticulum.check.target import load

MODES = {"jax": "compiled", "torch": "eager"}


@dataclass(frozen=True)
class Row:
    """A definition, and the function of each library that claims to be it."""

    spec: str
    jax: str
    torch: str
    jax_bind: tuple[tuple[str, Any], ...] = ()
    torch_bind: tuple[tuple[str, Any], ...] = ()


ROWS = (
    Row("exp", "jax.numpy:exp", "torch:exp"),
    Row("sigmoid", "jax.nn:sigmoid", "torch:sigmoid"),
    Row("log", "jax.numpy:log", "torch:log"),
    Row("rsqrt", "jax.lax:rsqrt", "torch:rsqrt"),
    Row("log1p", "jax.numpy:log1p", "torch:log1p"),
    Row("tanh", "jax.numpy:tanh", "torch:tanh"),
    Row("erf", "jax.scipy.special:erf", "torch:erf"),
    Row("expm1", "jax.numpy:expm1", "torch:expm1"),
    Row("softplus", "jax.nn:softplus", "torch.nn.functional:softplus"),
    Row("silu", "jax.nn:silu", "torch.nn.functional:silu"),
    Row("sin", "jax.numpy:sin", "torch:sin"),
    Row(
        "gelu:approximate=none",
        "jax.nn:gelu",
        "torch.nn.functional:gelu",
        (("approximate", False),),
        (("approximate", "none"),),
    ),
    Row(
        "gelu:approximate=tanh",
        "jax.nn:gelu",
        "torch.nn.functional:gelu",
        (("approximate", True),),
        (("approximate", "tanh"),),
    ),
)


def campaign(row: Row) -> Campaign:
    """Return the campaign of a definition: every float32 input, both libraries."""
    subjects = (
        Subject(row.jax, "jax", "float32", MODES["jax"], row.jax_bind),
        Subject(row.torch, "torch", "float32", MODES["torch"], row.torch_bind),
    )
    bound = [partial(load(each.name), **dict(each.bind)) for each in subjects]
    return Campaign(
        spec=row.spec,
        subjects=subjects,
        digests=tuple(
            source_digest(each.name, function, each.backend, "float32", 1, each.mode)
            for each, function in zip(subjects, bound, strict=True)
        ),
        domain=Domain("float32", 1),
        output="float32",
        flushes=tuple(flushes(each.backend, "float32") for each in subjects),
        environment=digest(*(surroundings(each.backend) for each in subjects)),
    )


def of_subject(whole: Campaign, place: int) -> Campaign:
    """Return the same campaign with one of its subjects."""
    return replace(
        whole, subjects=(whole.subjects[place],), digests=(whole.digests[place],), flushes=(whole.flushes[place],)
    )


def main() -> int:
    """Run what is left of every campaign, and write the certificates of those that are complete."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", default="accuracy.sqlite")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("docs/accuracy"))
    parser.add_argument("--only", nargs="*", help="definitions, such as exp or gelu:approximate=tanh")
    options = parser.parse_args()
    with Store(options.store) as store:
        for row in ROWS:
            if options.only and row.spec not in options.only:
                continue
            whole, started = campaign(row), time.monotonic()
            resumed = bool(store.finished(whole.key()))
            execute(whole, store, jobs=options.jobs, progress=progress(row.spec))
            parts = list(store.parts(whole.key()))
            seconds = time.monotonic() - started
            for place in range(len(whole.subjects)):
                one, found = of_subject(whole, place), merged(parts, place)
                before = spent(one, options.out) if resumed else 0.0
                result = result_of(one, found, b"", seconds + before, whole=True)
                print(result, flush=True)
                write(result, options.out)
    return 0


def progress(name: str) -> Any:
    """Return a callback that prints a line for every sixteenth of a campaign."""

    def show(done: int, total: int) -> None:
        if done % (total // 16) == 0:
            print(f"{name}: {done} of {total} shards, {time.strftime('%H:%M:%S')}", file=sys.stderr, flush=True)

    return show


def path_of(one: Campaign, folder: Path) -> Path:
    """Return where the certificate of a campaign with one subject is kept."""
    return folder / f"{one.spec.replace(':approximate=', '-')}-{one.subjects[0].backend}.json"


def spent(one: Campaign, folder: Path) -> float:
    """Return the seconds that an earlier part of a resumed run took, by the certificate that it wrote."""
    path = path_of(one, folder)
    return float(json.loads(path.read_text())["predicate"]["cost"]["seconds"]) if path.is_file() else 0.0


def write(result: Any, folder: Path) -> None:
    """Write the certificate of a result, with the root of the hash tree but without the 2 MB of its leaves."""
    from lenticulum.certify.certificate import seal
    from lenticulum.certify.checker.claim import canonical_bytes
    from lenticulum.certify.statement import certificate_of

    folder.mkdir(exist_ok=True)
    path = path_of(result.campaign, folder)
    statement = certificate_of(result, path.stem).statement
    statement["predicate"]["outputs"].update(leaf_hashes=None, leaf_hashes_sha256=None)
    seal(statement)
    path.write_bytes(canonical_bytes(statement))


if __name__ == "__main__":
    sys.exit(main())
