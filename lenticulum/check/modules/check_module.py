"""A module without a definition, checked: every law is tried, and what came of each is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lenticulum.check.errors import CallError
from lenticulum.check.modules import identity_law, key_laws, mode_laws, program_laws, purity_laws, state_laws, tree_laws
from lenticulum.check.modules.data import module_data
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, NotTried, Trial
from lenticulum.check.modules.made import pure_module
from lenticulum.check.result import CheckResult
from lenticulum.check.target import Source, one_line
from lenticulum.check.witness import Witness

LAWS: tuple[ModuleLaw, ...] = (
    *purity_laws.LAWS,
    *mode_laws.LAWS,
    *state_laws.LAWS,
    *key_laws.LAWS,
    *tree_laws.LAWS,
    *program_laws.LAWS,
    *identity_law.LAWS,
)
"""The laws in the order in which they are tried: those first that tell most of a module."""


def check_module(
    subject: Any,
    source: Source,
    seed: int = 0,
    make: Mapping[str, Any] | None = None,
    bind: Mapping[str, Any] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    dtype: str = "float32",
    laws: tuple[ModuleLaw, ...] = LAWS,
) -> CheckResult:
    """Return what the laws say of a module: the first that is broken with a witness, and all others as notes.

    It conforms if each law held or does not apply, and is not covered if one could not be tried.
    Raises: CallError if the module cannot be made, or accepts no data.
    """
    if dtype != "float32":
        raise CallError(f"without --spec the laws are checked in float32 and float64, not in {dtype}")
    found = trial_of(subject, source, seed, make or {}, bind or {}, shapes or {})
    return concluded(found, outcomes_of(found, laws))


def trial_of(
    subject: Any,
    source: Source,
    seed: int,
    make: Mapping[str, Any],
    bind: Mapping[str, Any],
    shapes: Mapping[str, tuple[int, ...]],
) -> Trial:
    """Return the module with data that it accepts."""
    pure = pure_module(subject, make=make, bind=bind, seed=seed, name=source.name)
    data = module_data(pure, source.name, shapes, seed)
    return Trial(pure.fitted(data), data, subject, source, make, bind, seed)


def outcomes_of(trial: Trial, laws: Sequence[ModuleLaw] = LAWS) -> dict[ModuleLaw, Any]:
    """Return what came of each law: an outcome, or the exception because of which it could not be tried."""
    return {law: _tried(law, trial) for law in laws}


def _tried(law: ModuleLaw, trial: Trial) -> Any:
    try:
        return law.check(trial)
    except Exception as error:  # a module is anyone's code, and its program may have no exact meaning here
        return error


def concluded(trial: Trial, outcomes: Mapping[ModuleLaw, Any]) -> CheckResult:
    """Return the result of the outcomes of laws."""
    broken = {law: each for law, each in outcomes.items() if isinstance(each, Broken)}
    missing = [
        f"{law.name}: it could not run ({one_line(e)})" for law, e in outcomes.items() if isinstance(e, Exception)
    ]
    first = next(iter(broken.values()), None)
    notes = [f"the law {law.name!r} is broken: {law.statement} ({law.source})" for law in list(broken)[:1]]
    notes += [
        f"it breaks {law.name!r} too ({each.kind}): {each.finding.note}" for law, each in list(broken.items())[1:]
    ]
    notes.append(f"{trial.pure.kind}: {_words(trial)}")
    notes += [each.note for each in outcomes.values() if isinstance(each, Held)]
    skipped: dict[str, list[str]] = {}
    for law, each in outcomes.items():
        if isinstance(each, NotApplicable):
            skipped.setdefault(each.why, []).append(law.name)
    notes += [f"not applicable, as {why}: {', '.join(names)}" for why, names in skipped.items()]
    untried = [f"{law.name}: tried {e.why}" for law, e in outcomes.items() if isinstance(e, NotTried)]
    verdict = "differs" if broken else "not covered" if missing else "conforms"
    return CheckResult(
        verdict=verdict,
        subject=trial.source.name,
        spec=None,
        seed=trial.seed,
        finding=None if first is None else first.finding,
        witness=None if first is None else Witness({}, trial.witness(first)),
        grade="measured(1)",
        notes=tuple(notes),
        not_covered=(*missing, *untried, "whether it is what it should be: no definition was given (--spec NAME)"),
    )


def _words(trial: Trial) -> str:
    import jax

    pure = trial.pure
    shapes = ", ".join(f"{each.dtype}{list(each.shape)}" for each in jax.tree.leaves(trial.data))
    modes = " and ".join(pure.modes) or "no modes"
    return f"data {shapes}; {len(pure.parameters)} parameters, {len(pure.state)} arrays of state; {modes}"
