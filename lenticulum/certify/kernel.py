"""Certifying an elementwise kernel against a definition, on every input there is or on a stated sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lenticulum.catalog import nearest
from lenticulum.certify.campaign import Campaign, merged
from lenticulum.certify.conduct import in_its_place, observe, stopped
from lenticulum.certify.coverage import coverage, not_claimed
from lenticulum.certify.cross_check import CrossCheck, cross_check
from lenticulum.certify.domain import Domain
from lenticulum.certify.enclosure import Definitely
from lenticulum.certify.execute import Progress, execute
from lenticulum.certify.explain import explain, verdict_of
from lenticulum.certify.misconduct import Misconduct
from lenticulum.certify.result import CertifyResult, Conduct
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.store import Store
from lenticulum.certify.subject import BACKENDS, MODES, UNSIGNED, Subject, backend_of, source_digest
from lenticulum.certify.surroundings import digest, flushes, surroundings
from lenticulum.check.definition import Definition, parse
from lenticulum.check.errors import CallError
from lenticulum.check.target import load, one_line, source_of
from lenticulum.numbers.formats import FORMATS, encode

#: Sizes of samples where a domain is too large: pairs of 16-bit numbers, one float32 argument, float64.
PAIRS, SINGLES, DOUBLES = 1 << 24, 1 << 22, 1 << 16

#: Inputs on which three engines are compared: in a run over all float32 inputs, and in a smaller one.
SAMPLE, SMALL_SAMPLE = 10_000, 1_000


def certify(
    subject: str | Callable[..., Any],
    spec: str | Definition,
    *,
    dtype: str = "float32",
    exhaustive: bool = False,
    backend: str | None = None,
    mode: str | None = None,
    bind: Mapping[str, Any] | None = None,
    within: Fraction | None = None,
    store: str | Path | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    part: tuple[int, int] | None = None,
    merge: tuple[str, ...] = (),
    budget: float | None = None,
    sample: int | None = None,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> CertifyResult:
    """Return a bound of the error of an elementwise kernel over a whole domain, the worst input, and the verdict.

    error = |y - f| / ulp(f) and K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta), both as rigorous intervals.
    One argument: every input of an 8- or 16-bit format; every input of float32 with `exhaustive`, else a stratified
    sample; float64 a stratified sample. Two arguments: all pairs of an 8-bit format, else a stratified sample.

    Arguments: `subject`: a target, or a callable on NumPy, JAX or torch arrays. `spec`: NAME or
    NAME:convention=value,... of an elementwise definition. `mode`: "compiled" (the default for JAX), "op by op" or
    "eager". `bind`: fixed arguments. `within`: a bound in ulp instead of the default verdict. `store`: an SQLite file
    in which finished shards are kept, and from which a killed run goes on. `jobs`, `executor`: see `execute`.
    `part`: (k, n), only every n-th shard from the k-th on. `merge`: stores of other parts. `budget`: seconds after
    which no new shard is begun. `sample`: how many inputs, where not all are taken.
    Raises: CallError if the call is wrong.
    Laws: the result of a resumed or merged run has the same claim, bit for bit, as that of an uninterrupted one.
    Source: J.-M. Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., section 2.3 (ulp); N. J. Higham,
    Accuracy and Stability of Numerical Algorithms, 2nd ed., section 1.5 (mixed forward-backward error).

    >>> import numpy as np
    >>> result = certify(np.exp, "exp", dtype="float16")
    >>> result.verdict, result.coverage
    ('conforms', 'every input (65 536)')
    """
    started = time.monotonic()
    definition = parse(spec) if isinstance(spec, str) else spec
    if definition.entry.kind != "elementwise":
        raise CallError(
            f"{definition.entry.name} is not an elementwise definition; for functions of arrays use certify_arrays"
        )
    if dtype not in FORMATS:
        raise CallError(f"dtype {dtype!r}: expected one of {', '.join(FORMATS)}{nearest(dtype, FORMATS)}")
    campaign = _campaign(subject, definition, dtype, exhaustive, backend, mode, bind, within, sample, seed)
    with Store(store or ":memory:") as kept:
        for path in merge:
            kept.merge(path)
        deadline = None if budget is None else started + budget
        wrong = None
        try:
            execute(campaign, kept, jobs=jobs, executor=executor, part=part, deadline=deadline, progress=progress)
        except Misconduct as seen:
            wrong = seen
        parts = list(kept.parts(campaign.key()))
    found = merged(parts, 0)
    if wrong is not None:
        return stopped(campaign, found, wrong, time.monotonic() - started)
    complete = found.inputs == campaign.domain.count
    outputs = b"".join(each.outputs[0] for each in parts) if complete else b""
    return result_of(campaign, found, outputs, time.monotonic() - started, whole=complete or part is None)


def _campaign(
    subject: str | Callable[..., Any],
    definition: Definition,
    dtype: str,
    exhaustive: bool,
    backend: str | None,
    mode: str | None,
    bind: Mapping[str, Any] | None,
    within: Fraction | None,
    sample: int | None,
    seed: int,
) -> Campaign:
    """Return the campaign of a call: what is run, in which environment, on which inputs."""
    name = subject if isinstance(subject, str) else source_of(subject).name
    function = load(subject) if isinstance(subject, str) else subject
    if not callable(function):
        raise CallError(f"{name} is {type(function).__name__}; expected a function of arrays")
    bound = partial(function, **bind) if bind else function
    backend = backend or backend_of(name, function)
    if backend not in BACKENDS:
        raise CallError(f"backend {backend!r}: expected one of {', '.join(BACKENDS)}")
    mode = mode or MODES[backend][0]
    if mode not in MODES[backend]:
        raise CallError(f"mode {mode!r}: {backend} has {', '.join(MODES[backend])}")
    taken = Subject(
        name, backend, dtype, mode, tuple((bind or {}).items()), None if isinstance(subject, str) else function
    )
    arguments = len(definition.entry.arrays)
    output = _output(taken, arguments)
    where = surroundings(backend)
    return Campaign(
        spec=str(definition),
        subjects=(taken,),
        digests=(source_digest(name, bound, backend, dtype, arguments, mode),),
        domain=_domain(dtype, arguments, exhaustive, sample, seed),
        output=output,
        flushes=(flushes(backend, dtype),),
        environment=digest(where),
        within=within,
    )


def _domain(dtype: str, arguments: int, exhaustive: bool, sample: int | None, seed: int) -> Domain:
    """Return all inputs where they are at most 2^16, or 2^32 of one argument on request; otherwise a sample."""
    whole = Domain(dtype, arguments)
    if sample is not None and not exhaustive and sample < whole.total:
        return Domain(dtype, arguments, sample, seed)
    if whole.total <= 1 << 16 or (exhaustive and whole.total <= 1 << 32):
        return whole
    if exhaustive:
        raise CallError(f"--exhaustive: {dtype} with {arguments} argument(s) has {whole.total:,} inputs; leave it out")
    defaults = {16: PAIRS, 32: SINGLES, 64: DOUBLES}
    return Domain(dtype, arguments, defaults[whole.format.width], seed)


def _output(subject: Subject, arguments: int) -> str:
    """Return the dtype of what a subject returns, from one small call.

    Raises: CallError if the call fails, or makes something else than floating-point numbers of the same shape.
    """
    format = FORMATS[subject.dtype]
    pattern = np.full(4, encode(Fraction(1, 2), format), UNSIGNED[format.width])
    try:
        bits, found = subject.opened()(*[pattern] * arguments)
    except (ImportError, CallError):
        raise
    except Exception as error:
        raise CallError(
            f"{subject.name} fails on {arguments} array(s) of {subject.dtype}: {one_line(error)}\n"
            "fix its other arguments with --bind name=value, or name its library with --backend"
        ) from None
    if bits.shape != pattern.shape:
        raise CallError(f"{subject.name} is not elementwise: of shape [4] it makes {list(bits.shape)}")
    return next(name for name, each in FORMATS.items() if each == found)


def result_of(campaign: Campaign, found: ShardResult, outputs: bytes, seconds: float, *, whole: bool) -> CertifyResult:
    """Return the verdict on what was found of a campaign with one subject.

    Arguments: `outputs`: of all inputs, or nothing. `whole`: False for a part that other parts will join; then only the
    shards were looked at, and neither shapes nor other engines.
    """
    function, subject = Definitely(parse(campaign.spec)), campaign.subjects[0]
    complete = found.inputs == campaign.domain.count
    checked: CrossCheck | None = None
    seen = Conduct()
    if whole:
        large = campaign.domain.format.width >= 32
        checked = cross_check(function, campaign.domain, SAMPLE if large else SMALL_SAMPLE)
        seen = observe(campaign, found)
    result = CertifyResult(
        verdict=verdict_of(found, complete, checked, seen.finding),
        campaign=campaign,
        merged=found,
        coverage=coverage(campaign.domain, found.inputs),
        cross_check=checked,
        outputs=outputs,
        surroundings=surroundings(subject.backend),
        finding=seen.finding,
        witness=seen.witness,
        notes=seen.notes,
        not_claimed=not_claimed(campaign),
        seconds=seconds,
    )
    return in_its_place(explain(result)) if result.verdict == "differs" else result
