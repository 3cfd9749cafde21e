"""A sweep: many random cases, the fast interpreter against the exact one; the same seed gives the same bytes."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lenticulum.check.agreement import reference, traced
from lenticulum.check.draw import SeededDraw
from lenticulum.check.random_cases import case
from lenticulum.check.random_terms import nesting, subterms
from lenticulum.terms import Dropout, Reparametrise, Term, children

WIDE = 1e6


@dataclass(frozen=True)
class Sweep:
    """What a sweep counted, and every term with a computed value outside its running bound.

    `primitives`: the median number of parts that have no parts; `nesting`: the deepest. `constructors`: in how many
    terms each occurs; `outermost`: in how many it stands outermost.
    `kinks`: terms whose bound straddles a kink, so that only their value is compared and not their reverse derivative.
    `undecided`: terms with an exact value that is undecided. `wide`: terms with a bound over 1e6 u, or with none.
    `median_bound`: of all terms, relative to the largest exact entry of the whole get and the whole put, in u.
    """

    seed: int
    terms: int
    compiled: int
    primitives: float
    nesting: int
    constructors: Mapping[str, int]
    outermost: Mapping[str, int]
    kinks: int
    undecided: int
    wide: int
    median_bound: float
    violations: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{self.terms} terms of seed {self.seed}, op by op; {self.compiled} of them compiled too",
                f"  median of primitives: {self.primitives:g}, deepest nesting: {self.nesting}",
                f"  constructors: {listed(self.constructors)}",
                f"  outermost: {listed(self.outermost)}",
                f"  median bound: {self.median_bound:.6g} u",
                f"  bounds over 1e6 u: {self.wide}",
                f"  at a kink: {self.kinks}",
                f"  undecided: {self.undecided}",
                f"  violating the running bound: {len(self.violations)}",
                *(f"    {violation}" for violation in self.violations),
            ]
        )


def sweep(seed: int, numbers: range, compile_every: int) -> Sweep:
    """Compare the cases with these numbers, value and reverse derivative; compile every `compile_every`-th too."""
    counts, constructors, outermost = Counter[str](), Counter[str](), Counter[str]()
    primitives: list[int] = []
    deepest = 0
    found: list[str] = []
    bounds: list[float] = []
    for number in numbers:
        drawn = case(SeededDraw(seed, number))
        inside = subterms(drawn.term)
        constructors.update({constructor(part) for part in inside})
        outermost[drawn.outermost.__name__] += 1
        primitives.append(sum(not children(part) for part in inside))
        deepest = max(deepest, nesting(drawn.term))
        exact = reference(drawn)
        program = traced(drawn)
        runs = {"op by op": program.op_by_op, "compiled": program.compiled}
        for how in runs if number % compile_every == 0 else ("op by op",):
            counts[how] += 1
            outside = exact.violations(*runs[how]())
            if outside:
                found.append(f"case {number}, {how}: {len(outside)} values, such as {outside[0]}, of {drawn.term}")
        counts["kinks"] += exact.put is None
        counts["undecided"] += exact.undecided
        bounds.append(exact.relative_bound())
    return Sweep(
        seed=seed,
        terms=len(numbers),
        compiled=counts["compiled"],
        primitives=statistics.median(primitives),
        nesting=deepest,
        constructors=dict(sorted(constructors.items())),
        outermost=dict(sorted(outermost.items())),
        kinks=counts["kinks"],
        undecided=counts["undecided"],
        wide=sum(bound > WIDE for bound in bounds),
        median_bound=statistics.median(bounds),
        violations=found,
    )


def constructor(term: Term) -> str:
    """The name under which a term is counted: a reparametrisation by its map, a dropout by what it draws.

    >>> constructor(Dropout(draws="key")), constructor(Dropout(draws="seed_stream"))
    ('Dropout key', 'Dropout seed_stream')
    """
    if isinstance(term, Reparametrise):
        return type(term.by).__name__
    return f"Dropout {term.draws}" if isinstance(term, Dropout) else type(term).__name__


def listed(counts: Mapping[str, int]) -> str:
    """Counts by name.

    >>> listed({"Copy": 1, "Tanh": 2})
    'Copy 1, Tanh 2'
    """
    return ", ".join(f"{name} {count}" for name, count in counts.items())
