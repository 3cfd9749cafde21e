"""audited_jit: `jax.jit` that tells when a compiled program is served where another one is right.

jax keeps one program per key and takes `==`, `hash` and everything a trace reads beside its arguments on trust. Here a
*fingerprint* of all that can be reached is taken before each call. Which program jax served is not modelled: each trace
leaves its number in the structure of its result, and jax keeps that structure with the program. So

    served(call) = trace k   requires   fingerprint(call) = fingerprint(trace k),

or the same program traced cold. Something else is a stale program: fewer traces than distinct programs.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from lenticulum.check.identity.program_text import canonical, has_array_constants
from lenticulum.testing.audit import JIT, SESSION_AUDIT, Audit, Trace
from lenticulum.testing.call_roots import (
    ARRAY,
    GENERATOR_OPTIONS,
    LEAVES,
    copied,
    node_classes,
    statics,
    structure,
    title_of,
)
from lenticulum.testing.cold import op_by_op, result_bits
from lenticulum.testing.fingerprint import (
    Observation,
    Unit,
    difference,
    difference_of_units,
    plainly_different,
)
from lenticulum.testing.reachable_code import is_opaque
from lenticulum.testing.tagged_body import LOCAL, Body, Tagged


class StaleProgram(AssertionError):
    """A compiled program was served where another one is right.

    `path`: where what can be reached differs; `before`, `after`: what was there; `served`, `cold`: both results.
    """

    def __init__(self, name: str, path: str, before: str, after: str, served: Any, cold: Any, remark: str = "") -> None:
        self.name, self.path, self.before, self.after = name, path, before, after
        self.served, self.cold = served, cold
        super().__init__(
            f"{name}: a stale program was served\n"
            f"  {path}: {before} when it was traced, {after} now, and the key is the same\n"
            f"  served {served!r}\n  cold   {cold!r}{remark}\n"
            "  make it a traced argument, or a field of what is compared and hashed; `benign=` excuses a name"
        )


def audited_jit(
    fun: Callable[..., Any] | None = None, /, *, audit: Audit | None = None, benign: Sequence[str] = (), **options: Any
) -> Any:
    """Return what `jax.jit` returns, audited: a call raises `StaleProgram` where another program would be right.

    Arguments: `fun` and `options`: those of `jax.jit`; without `fun`, a decorator. `benign`: names, alone or as
    `owner.name`, of globals, variables or attributes that change and reach no program (counters, memo tables).
    `audit`: where calls are counted, by default `SESSION_AUDIT`, or a new one where `benign` is given.
    Returns: a function like that of `jax.jit`. Its `lower`, `trace` and `eval_shape` are those of `jax.jit`: what is
    compiled ahead of time is not audited.
    Raises: StaleProgram with the path of the difference, what was served and what the cold program gives.
    Laws: silent where the served program is the cold one; it raises in every stale case of identity_cases.json but the
    side table (tests/conformance/test_audited_jit.py), and is blind where docs/chapter6.md says so.
    Source: "Caution: no out-of-scope side effects", docs.jax.dev; the bound from below is stated for this library.

    >>> import jax.numpy as jnp
    >>> __name__ = "my_layers"  # the names of this library itself are opaque
    >>> factor = 2.0
    >>> def scale(x):
    ...     return factor * x
    >>> scaled = audited_jit(scale)
    >>> float(scaled(jnp.float32(10)))
    20.0
    >>> factor = 3.0
    >>> scaled(jnp.float32(10))
    Traceback (most recent call last):
    lenticulum.testing.auditing.StaleProgram: scale: a stale program was served
      scale, global factor: 2.0 when it was traced, 3.0 now, and the key is the same
      served Array(20., dtype=float32)
      cold   Array(30., dtype=float32)
      make it a traced argument, or a field of what is compared and hashed; `benign=` excuses a name
    """
    if fun is None:
        return functools.partial(audited_jit, audit=audit, benign=benign, **options)
    if audit is None:
        audit = Audit(tuple(benign)) if benign else SESSION_AUDIT
    return AuditedFunction(fun, audit, options)


class AuditedFunction:
    """A compiled function under audit; see `audited_jit`."""

    def __init__(self, function: Callable[..., Any], audit: Audit, options: dict[str, Any]) -> None:
        if id(function) not in audit.bodies:
            audit.bodies[id(function)] = Body(function, audit)
        self._body, self._audit, self._options = audit.bodies[id(function)], audit, dict(options)
        if isinstance(options.get("out_shardings"), list | tuple | dict):
            self._options["out_shardings"] = Tagged(options["out_shardings"], None)
        self._compiled: Any = JIT(self._body.run, **self._options)
        self._positions, self._static_names = statics(function, options)
        self._donates = any(options.get(name) not in (None, ()) for name in ("donate_argnums", "donate_argnames"))
        self._last: Observation | None = None
        functools.update_wrapper(self, function, updated=())
        plain = JIT(function, **options)
        self.lower, self.trace, self.eval_shape = plain.lower, plain.trace, plain.eval_shape

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def clear_cache(self) -> None:
        """Forget the programs of this function."""
        self._compiled.clear_cache()

    def _cache_size(self) -> int:
        return self._compiled._cache_size()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if jax.config.jax_disable_jit:  # type: ignore[attr-defined]
            return self._body.function(*args, **kwargs)
        roots, titles = self._roots(args, kwargs)
        observation, units = self._audit.observer.observe(roots)
        call = Call(observation, units, roots, titles, args, kwargs)
        if self._donates and observation is not self._last:
            call.args, call.kwargs = jax.tree.map(copied, (args, kwargs))
        outer, LOCAL.observation, self._last = LOCAL.observation, observation, observation
        try:
            tagged = self._compiled(*args, **kwargs)
        finally:
            LOCAL.observation = outer
        trace = tagged.trace
        if not LOCAL.examining:
            self._audit.calls += 1
            if trace.fresh or observation not in trace.accepted:
                self._examine(call, trace, tagged.value)
        return tagged.value

    def _roots(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], list[str]]:
        """Return what is fingerprinted in a call, with titles: function, options, statics, structure of the rest."""
        options = tuple([getattr(jax.config, name, None) for name in GENERATOR_OPTIONS])
        roots = [self._body.function, self._audit.options.setdefault(options, options)]
        titles = [self._body.name, "options of the generator"]
        simple = True
        for place, value in enumerate(args):
            if place in self._positions or place - len(args) in self._positions:
                roots.append(value)
                titles.append(f"static argument {place}")
            elif type(value) not in LEAVES:
                simple = False
        for name, value in kwargs.items():
            if name in self._static_names:
                roots.append(value)
                titles.append(f"static argument {name}")
            elif type(value) not in LEAVES:
                simple = False
        if not simple:
            auxiliary: list[Any] = []
            label, form = structure(jax.tree.structure(self._dynamic(args, kwargs)), auxiliary)
            roots += [self._audit.options.setdefault(label, form), *auxiliary]
            titles += ["structure of the arguments", *["auxiliary data of an argument"] * len(auxiliary)]
        return roots, titles

    def _dynamic(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the traced arguments, None in the place of a static one."""
        count, static = len(args), self._positions
        positional = [None if n in static or n - count in static else each for n, each in enumerate(args)]
        return positional, {name: each for name, each in kwargs.items() if name not in self._static_names}

    def _examine(self, call: Call, trace: Trace, served: Any) -> None:
        LOCAL.examining = True
        try:
            if trace.fresh:
                trace.fresh = False
                call.now = self._audit.observer.observe(call.roots)[1]  # the trace itself may have changed something
                self._examine_round_trip(call)
                # What the function itself has read now is right: jax may only have cached what it calls.
                moved = [n for n, unit in enumerate(call.units) if n and unit.first is not unit.fingerprint]
                if moved:
                    self._examine_inner(call, trace, moved[0], served)
            else:
                self._examine_hit(call, trace, served)
        finally:
            LOCAL.examining = False

    def _examine_hit(self, call: Call, trace: Trace, served: Any) -> None:
        """The program of a trace was served, and what it can reach has changed: it must be the cold program."""
        entry = (trace.types, trace.observation, call.observation)
        if entry not in self._body.same:
            where = difference(trace.observation, call.observation, call.all_titles())
            self._compare_with_cold(call, trace, where, served)
            self._body.same |= {entry, (trace.types, call.observation, trace.observation)}
            self._audit.excused[where[0]] += 1
        trace.accepted.add(call.observation)

    def _examine_inner(self, call: Call, trace: Trace, place: int, served: Any) -> None:
        """This trace is new, but a function that it reaches has changed since jax may have cached what it meant."""
        unit = call.units[place]
        where = difference_of_units(unit.first, unit.fingerprint, call.all_titles()[place])
        self._compare_with_cold(call, trace, where, served, inner=True)

    def _compare_with_cold(
        self, call: Call, trace: Trace, where: tuple[str, str, str], served: Any, inner: bool = False
    ) -> None:
        """Raise unless the served program is that of a new function, traced with empty caches."""
        warm = self._traced(self._compiled, call)
        # An equality that is not symmetric may answer otherwise this time: then the results are compared.
        found = canonical(warm.jaxpr) if warm.out_info.trace is trace else None
        if inner or not plainly_different(trace.observation, call.observation):
            # Else a new function is cold by itself: what it calls cannot have read the difference.
            jax.clear_caches()
            self._audit.observer.forget_changes()
        cold = JIT(self._body.fresh(), **self._options)
        traced = self._traced(cold, call).jaxpr
        same = canonical(traced) == found
        call.restore()
        if same and not has_array_constants(traced):
            return
        if same:
            # A constant may be the caller's own array, which has changed with the program that holds it, or a copy that
            # jax keeps as long as such a program lives: so the results are compared, of a program with empty caches.
            del warm, traced, cold
            jax.clear_caches()
            self._audit.observer.forget_changes()
            cold = JIT(self._body.fresh(), **self._options)
        outer, LOCAL.observation = LOCAL.observation, call.observation
        try:
            right = cold(*call.args, **call.kwargs).value
        finally:
            LOCAL.observation = outer
            call.restore()
            jax.clear_caches()
        if (found is not None and not same) or result_bits(served) != result_bits(right):
            self._audit.stale += 1
            raise StaleProgram(self._body.name, *where, served, right)

    def _traced(self, compiled: Any, call: Call) -> Any:
        outer, LOCAL.observation = LOCAL.observation, call.observation
        try:
            return compiled.trace(*call.args, **call.kwargs)
        finally:
            LOCAL.observation = outer

    def _examine_round_trip(self, call: Call) -> None:
        """An argument that jax takes apart and rebuilds must be what it was; if not, so must the value."""
        dynamic = self._dynamic(call.args, call.kwargs)
        leaves, tree = jax.tree.flatten(dynamic)
        if all(map(is_opaque, node_classes(tree))) or not all(type(leaf) is ARRAY for leaf in leaves):
            return
        observe = self._audit.observer.observe
        before, units = observe([dynamic])
        after, _ = observe([jax.tree.unflatten(tree, leaves)])
        if before is after:
            return

        def rebuilt(values: tuple[list[Any], dict[str, Any]]) -> Any:
            args = [given if new is None else new for given, new in zip(call.args, values[0], strict=True)]
            return self._body.function(*args, **(call.kwargs | values[1]))

        try:
            given = op_by_op(lambda: self._body.function(*call.args, **call.kwargs))
            served = op_by_op(rebuilt, dynamic)
        finally:
            call.restore()
        if result_bits(given) != result_bits(served):
            self._audit.stale += 1
            titles = ["arguments, taken apart and rebuilt", *(title_of(unit.root) for unit in units[1:])]
            raise StaleProgram(self._body.name, *difference(before, after, titles), served, given)


@dataclass
class Call:
    """One call: what could be reached, and the arguments, copied where jax may give their memory away."""

    observation: Observation
    units: list[Unit]
    roots: list[Any]
    titles: list[str]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    now: list[Unit] | None = None

    def restore(self) -> None:
        """Undo what an extra trace has changed, such as a counter."""
        for unit in self.now or self.units:
            unit.watch.restore()

    def all_titles(self) -> list[str]:
        """Return a title for each unit."""
        return self.titles + [title_of(unit.root) for unit in self.units[len(self.titles) :]]
