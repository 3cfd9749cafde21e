"""check_identity: can two objects that mean different programs be served one compiled program?"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import jax

from lenticulum.check.errors import CallError
from lenticulum.check.identity.after_use import check_change, check_mutations, check_round_trip
from lenticulum.check.identity.builds import lawful, must_hit, rebuilds, steady
from lenticulum.check.identity.carrier import CARRIERS, Carrier, Split, Tree, carrier_of
from lenticulum.check.identity.finding import ERROR, NOTE, WARNING
from lenticulum.check.identity.judge import Judge
from lenticulum.check.identity.mutation import Mutation, mutations
from lenticulum.check.identity.pairs import probe
from lenticulum.check.identity.parts import left_out
from lenticulum.check.identity.result import IdentityResult, verdict_of
from lenticulum.check.identity.witness import Names, names_of

Variants = Iterable[tuple[str, Any]] | Callable[[], Iterable[tuple[str, Any]]]


def check_identity(
    make: Callable[[], Any],
    *,
    run: Callable[..., Any] | None = None,
    args: Sequence[Any] = (),
    variants: Variants = (),
    same: Variants = (),
    change: Callable[[Any], Any] | None = None,
    ignore: Collection[str] | Mapping[str, str] = (),
    carrier: str | None = None,
    budget: float = 10.0,
    names: Names | None = None,
) -> IdentityResult:
    """Return whether a compiled program can be served for an object that means another program.

    jax keeps one program for each key: two objects with `hash(a) == hash(b)` and `a == b` (static arguments), or with
    equal treedefs (pytrees), are one key. The rule that is checked: equal keys imply equal programs, and building the
    same object again gives the same key. Every part of the object (fields, attributes, slots, elements, cells and
    defaults of functions) gets several other values, large and small, and equal ones of another type; the object is
    changed after its first use, and sent through flatten and unflatten. What then has the old key is proved to be
    wrong, or dropped: the program is called warm, after the other object, and cold, a new function after
    `jax.clear_caches()`, on two inputs, and the results are compared bit for bit.

    Arguments: `make`: a factory without arguments; building again is part of the check. `run`: the program
    `run(object, *args)`; without it what is found are warnings. `variants`: (name, object) pairs, or a function
    that returns them, that must have keys of their own; `same`: those that must have the key of `make()`. `change`:
    changes an object in place. `ignore`: names of attributes, or their reasons by name, that are not tried. `carrier`:
    "static", "pytree", "filter" (as `equinox.filter_jit`) or "eager" (no jit around `run`); by default a registered
    pytree is passed as such, and all else as a static argument. `budget`: seconds for running programs; what is left
    then stays a warning. `names`: how a witness writes the arguments.
    Returns: the result; its verdict is "differs" for a wrong program, "undecided" for warnings. Caches are cleared.
    Raises: CallError where `make` or `run` fails on its own.
    Laws: every planted case of tests/conformance/data/identity_cases.json is found, and no control is an error.

    >>> import dataclasses, jax.numpy as jnp
    >>> @dataclasses.dataclass(frozen=True)
    ... class Scale:
    ...     factor: float = dataclasses.field(default=2.0, compare=False)
    >>> result = check_identity(Scale, run=lambda scale, x: scale.factor * x, args=(jnp.float32(10.0),))
    >>> result.verdict, result.finding.kind, result.finding.path
    ('differs', 'parameter outside the key', ('factor',))
    """
    if carrier is not None and carrier not in CARRIERS:
        raise CallError(f"carrier={carrier!r}: expected one of {', '.join(CARRIERS)}")
    chosen = None if carrier is None else CARRIERS[carrier]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the code under test, in situations that it was not written for
        try:
            return _Check(make, run, args, chosen, ignore, budget, names).result(variants, same, change)
        finally:
            if run is not None:
                jax.clear_caches()


class _Check:
    def __init__(
        self,
        make: Callable[[], Any],
        run: Callable[..., Any] | None,
        args: Sequence[Any],
        carrier: Carrier | None,
        ignore: Collection[str],
        budget: float,
        names: Names | None,
    ) -> None:
        self.make, self.ignore = make, ignore
        self.base, self.second = _made(make), _made(make)
        deadline = time.monotonic() + budget
        names = names or names_of(make, run)
        self.judge = Judge(self.base, run, args, carrier or carrier_of(self.base), carrier is None, names, deadline)
        self.entries = self.values = self.refused = self.traced = 0
        self.missing: list[str] = []
        self.notes = [f"ignored: {name} ({ignore[name]})" for name in ignore] if isinstance(ignore, Mapping) else []

    def result(self, variants: Variants, same: Variants, change: Callable[[Any], Any] | None) -> IdentityResult:
        """Go through all steps, those that change objects last."""
        judge = self.judge
        complete = lawful(judge, self.base, self.second) and steady(judge)
        if complete:
            rebuilds(judge, self.base, self.second)
            self._named(variants, same)
            if isinstance(judge.carrier, Tree | Split):
                check_round_trip(judge)
            judge.stashes()
            self._probe()
            self._mutate(change)
        counted = judge.counted
        findings = tuple(sorted(judge.findings, key=lambda each: _ORDER[each.severity]))
        return IdentityResult(
            verdict=verdict_of(findings, self._tried(), complete),
            subject=type(self.base).__qualname__,
            carrier=judge.carrier.name,
            findings=findings,
            entries=self.entries,
            values=self.values,
            refused=self.refused + judge.refused,
            same_program=judge.same_program,
            traces=counted and counted[0],
            programs=counted and counted[1],
            notes=(*self.notes, *judge.notes),
            not_covered=(*judge.missing, *self.missing),
        )

    def _tried(self) -> int:
        """How much was tried; the value of a traced part is in no key, whatever it is."""
        return self.values + self.traced

    def _named(self, variants: Variants, same: Variants) -> None:
        for name, other in _listed(variants):
            self.values += 1
            self.judge.variant(name, other)
        for name, other in _listed(same):
            self.values += 1
            must_hit(self.judge, name, other)

    def _probe(self) -> None:
        probed = probe(self.base, self.judge.carrier, self.ignore, self.judge.program is not None)
        self.entries += len(probed.entries)
        self.values += probed.values
        self.refused += probed.refused
        self.traced += probed.traced
        self.missing += left_out(self.base)
        self.missing += [f"{each}: no other value is known" for each in probed.untouched]
        self.judge.raising(probed.raising)
        self.judge.pairs(probed.pairs)
        self.judge.captured(probed.others)

    def _mutate(self, change: Callable[[Any], Any] | None) -> None:
        if change is not None:
            check_change(self.judge, self.make, change)
        found: list[Mutation] = mutations(self.make, self.base, self.judge.carrier, self.ignore)
        check_mutations(self.judge, found)


_ORDER = {ERROR: 0, WARNING: 1, NOTE: 2}


def _made(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except Exception as error:
        raise CallError(f"make() fails: {type(error).__name__}: {error}") from error


def _listed(variants: Variants) -> list[tuple[str, Any]]:
    return list(variants() if callable(variants) else variants)
