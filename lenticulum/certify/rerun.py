"""Level 3: run a subject that the reader names, not the certificate, and compare its outputs leaf by leaf."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from lenticulum.certify.certificate import output_bytes
from lenticulum.certify.checker.claim import Claim, write_pattern
from lenticulum.certify.checker.consistency import LEAVES, Difference, differs
from lenticulum.certify.checker.levels import SAMPLE, compare
from lenticulum.certify.checker.merkle import leaf_hash
from lenticulum.certify.checker.outputs import Sidecars, pattern_at
from lenticulum.certify.checker.recount import recount
from lenticulum.certify.checker.wording import grouped
from lenticulum.certify.domain import Domain
from lenticulum.certify.subject import MODES, Subject, WrongOutput, backend_of, source_digest
from lenticulum.certify.surroundings import surroundings
from lenticulum.check.errors import CallError
from lenticulum.check.target import load, one_line
from lenticulum.numbers.formats import FORMATS

#: Leaves that are run again where there are more.
RERUN = 16


class Rerun(NamedTuple):
    """What running a subject again showed."""

    differences: list[Difference]
    undecided: list[str]
    done: list[str]
    not_checked: list[str]


def rerun(claim: Claim, sidecars: Sidecars, target: str, bind: Mapping[str, Any], seed: int) -> Rerun:
    """Run a subject on all leaves of a claim, or on sixteen drawn ones, and compare the outputs or their hashes.

    Arguments: `target`, `bind`: the subject, as for `certify`. `seed`: of the drawn leaves.
    Raises: CallError if the subject cannot be run on the formats of the claim.
    """
    dtype, backend, bound = _opened(claim, target, bind)
    mode = claim.predicate["mode"]
    subject = Subject(target, backend, dtype, mode, tuple(bind.items()))
    result = Rerun([], [], [], [])
    if sidecars.leaves is None:
        result.differences.extend(_digest(claim, subject, bound, result))
        result.undecided.append("which outputs the claim is about: neither outputs nor hashes of leaves are there")
        return result
    count = len(sidecars.leaves)
    chosen = range(count) if count <= RERUN else sorted(random.Random(seed).sample(range(count), RERUN))
    domain, leaf = Domain(dtype, claim.arguments), LEAVES[claim.input_format.width]
    kernel = subject.opened()
    for number in chosen:
        size = min(leaf, claim.count - number * leaf)
        outputs = _outputs(kernel, domain.patterns(number * leaf, size), claim, target)
        result.differences.extend(_leaf(claim, sidecars, number, leaf, outputs))
        if sidecars.outputs is None:
            _judge_some(claim, number * leaf, outputs, seed, result)
        if result.differences:
            break
    result.differences.extend(_digest(claim, subject, bound, result))
    drawn = "" if count <= RERUN else f" drawn with seed {seed}"
    result.done.append(f"{target} was run again on {len(chosen)} of {grouped(count)} leaves{drawn}")
    if sidecars.outputs is None:
        result.done.append(f"{grouped(SAMPLE)} outputs of these leaves were judged again")
    return result


def _opened(claim: Claim, target: str, bind: Mapping[str, Any]) -> tuple[str, str, Callable[..., Any]]:
    names = [name for name, each in FORMATS.items() if each.name == claim.input_format.name]
    function = load(target)
    if not callable(function):
        raise CallError(f"--subject {target}: it is {type(function).__name__}; expected a function of arrays")
    backend = backend_of(target, function)
    if claim.predicate["mode"] not in MODES[backend]:
        raise CallError(
            f"--subject {target}: it is a {backend} function, which runs {' or '.join(MODES[backend])}; "
            f"the certificate is about mode {claim.predicate['mode']!r}"
        )
    return names[0], backend, partial(function, **bind) if bind else function


def _digest(claim: Claim, subject: Subject, bound: Callable[..., Any], result: Rerun) -> Iterator[Difference]:
    """Compare the digest of the subject; under other versions a program may read otherwise and compute the same."""
    found = source_digest(subject.name, bound, subject.backend, subject.dtype, claim.arguments, subject.mode)
    claimed = claim.statement["subject"][0]["digest"]["sha256"]
    here, there = surroundings(subject.backend)["versions"], claim.predicate["environment"]["versions"]
    if here == there:
        yield from differs("subject.digest", claimed, found)
    else:
        result.not_checked.append(f"the subject's digest: versions here are {_words(here)}, there {_words(there)}")


def _words(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items())) or "unknown"


def _outputs(kernel: Callable[..., Any], patterns: tuple[np.ndarray, ...], claim: Claim, target: str) -> bytes:
    try:
        bits, format = kernel(*patterns)
    except WrongOutput as error:
        raise CallError(f"--subject {target}: {error}") from None
    except Exception as error:
        raise CallError(f"--subject {target} fails on {claim.input_format.name}: {one_line(error)}") from None
    if format.name != claim.output_format.name or bits.shape != patterns[0].shape:
        raise CallError(
            f"--subject {target} returns {format.name} of shape {list(bits.shape)}; "
            f"expected {claim.output_format.name} of shape {list(patterns[0].shape)}"
        )
    return output_bytes(bits, format)


def _leaf(claim: Claim, sidecars: Sidecars, number: int, leaf: int, outputs: bytes) -> Iterator[Difference]:
    """Compare one leaf; with outputs at hand, name the first input at which they differ."""
    assert sidecars.leaves is not None
    if leaf_hash(outputs) == sidecars.leaves[number]:
        return
    if sidecars.outputs is None:
        yield Difference(f"leaf {number}", sidecars.leaves[number].hex(), leaf_hash(outputs).hex())
        return
    format, width = claim.output_format, claim.arguments * claim.input_format.width
    for position in range(len(outputs) * 8 // format.width):
        x = number * leaf + position
        claimed, found = pattern_at(sidecars.outputs, x, format), pattern_at(outputs, position, format)
        if claimed != found:
            spelled = (write_pattern(each, format.width) for each in (claimed, found))
            yield Difference(f"output at input {write_pattern(x, width)}", *spelled)
            return


def _judge_some(claim: Claim, first: int, outputs: bytes, seed: int, result: Rerun) -> None:
    """Judge some outputs of a leaf again, so that all leaves together make a sample."""
    size = len(outputs) * 8 // claim.output_format.width
    chosen = random.Random(f"{seed} {first}").sample(range(size), min(size, SAMPLE // RERUN))
    found = recount(claim, ((first + i, pattern_at(outputs, i, claim.output_format)) for i in chosen))
    result.differences.extend(compare(claim, found, result.undecided, full=False))
