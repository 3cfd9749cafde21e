"""The law of identity: no two modules that mean different programs are one key of a compiled program."""

from __future__ import annotations

from typing import Any

import jax

from lenticulum.check.identity.check import check_identity
from lenticulum.check.identity.finding import ASSIGNED, ERROR, MUTABLE, RAISES, TWIN
from lenticulum.check.identity.witness import Names
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotTried, Outcome, Trial
from lenticulum.check.modules.pure_module import EVAL, KEY
from lenticulum.check.modules.tree_module import TreeModule, is_equinox

#: Seconds for the programs of one module.
BUDGET = 5.0

#: What takes something that nobody said of the caller: that it changes the object, or passes a number of another type.
OF_THE_CALLER = (ASSIGNED, MUTABLE, RAISES, TWIN)


def identity(trial: Trial) -> Outcome:
    """Give every part of the module other values, and compare warm and cold programs where the key stays."""
    pure = trial.pure
    if not isinstance(pure, TreeModule) or pure.state:
        return NotTried("of callable pytrees without State alone")
    if not all(isinstance(each, jax.Array) for each in trial.data):
        return NotTried("of modules whose data are arrays alone")
    mode = EVAL if pure.modes else None

    def run(module: Any, *data: Any) -> Any:
        return pure.call(module, data, mode, KEY())

    result = check_identity(
        lambda: (trial.again() if trial.constructs else pure).ready(mode),
        run=run,
        args=trial.data,
        carrier="filter" if is_equinox(pure.module) else None,
        budget=BUDGET,
        names=_names(trial, mode),
    )
    for each in result.findings:
        if each.severity == ERROR and each.kind not in OF_THE_CALLER:
            first, *rest = (line.strip() for line in str(each).splitlines())
            place = ".".join(map(str, each.path)) or "module"
            lines = () if each.witness is None else each.witness.lines
            return Broken("identity", place, "; ".join([first.partition(": ")[2], *rest[:2]]), lines, whole=True)
    untried = f"; not tried: {', '.join(result.not_covered)}" if result.not_covered else ""
    return Held(
        f"identity: {result.values} other values of {result.entries} parts, passed as {result.carrier}{untried}"
    )


def _names(trial: Trial, mode: str | None) -> Names:
    *imports, data, module = trial.lines(())
    run = f"run = lambda ready, *data: module.call(ready, data, {mode!r}, jax.random.key(0))"
    made = module.removeprefix("module = ")
    return Names(f"{made}.ready({mode!r})", "run", "data", tuple(imports), (data, module, run))


LAWS = (ModuleLaw("identity", "equal keys of a compiled program mean equal programs", "identity 1 to 3", identity),)
