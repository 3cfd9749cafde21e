"""Laws of keys: equal keys make equal parameters, different keys different ones, and no key makes two of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, Outcome, Trial, changed
from lenticulum.check.modules.made import takes_key
from lenticulum.check.modules.pure_module import PureModule

#: Two drawn sequences of so many entries are multiples of each other, or in the same order, by chance in less than one
#: of 10^8 cases: 24 bits each for all entries after the first; 12! orders.
MULTIPLES, ORDERED = 3, 12


def equal_keys(trial: Trial) -> Outcome:
    """Make it again with the same key."""
    if not trial.constructs:
        return NotApplicable("an instance is not made again")
    again = trial.again()
    found = changed(trial.pure.parameters, again.parameters) or changed(trial.pure.state, again.state)
    if found:
        note = f"made again with the same key, {_plain(found[0])} differs"
        lines = (
            _made_again(trial, trial.seed),
            f"got = {_held('again', found[0], again)}",
            f"first = {_held('module', found[0], again)}",
        )
        return Broken("nondeterministic", _plain(found[0]), note, lines)
    return Held("equal keys make equal parameters")


def different_keys(trial: Trial) -> Outcome:
    """Make it again with another key; where no parameter changes, all of them must be constants."""
    if not trial.constructs:
        return NotApplicable("an instance is not made again")
    if not takes_key(trial.subject):
        return NotApplicable("its constructor takes no key")
    again = trial.again(seed=trial.seed + 1)
    if changed(trial.pure.parameters, again.parameters):
        return Held("different keys make different parameters")
    drawn = [path for path, each in trial.pure.parameters.items() if np.unique(np.asarray(each)).size >= MULTIPLES]
    if not drawn:
        return NotApplicable("no parameter is drawn")
    path = drawn[0]
    lines = (_made_again(trial, trial.seed + 1), f"got = again.parameters[{path!r}] - module.parameters[{path!r}]")
    note = f"{_plain(path)} looks drawn, and no parameter depends on the key"
    return Broken("state", _plain(path), note, lines)


def one_key_each(trial: Trial) -> Outcome:
    """Look for two drawn parameters of which one is a multiple of the beginning of the other, or in the same order."""
    parameters = _drawn(trial)
    if len(parameters) < 2:
        return NotApplicable("fewer than two parameters are drawn")
    for (one, a), (two, b) in combinations(parameters.items(), 2):
        how = related(a, b)
        if how:
            lines = (f"got = module.parameters[{one!r}].ravel()[:8]", f"other = module.parameters[{two!r}].ravel()[:8]")
            note = f"{_plain(one)} and {_plain(two)} come from one key: {how}"
            return Broken("state", _plain(two), note, lines)
    return Held(f"no two of {len(parameters)} drawn parameters come from one key")


def rows_differ(trial: Trial) -> Outcome:
    """Look for a drawn parameter of which two slices along the first axis are the same: one key for all of them."""
    parameters = {path: each for path, each in _drawn(trial).items() if each.ndim > 1 and each[0].size >= MULTIPLES}
    if not parameters:
        return NotApplicable("no parameter of several axes is drawn")
    for path, array in parameters.items():
        slices = array.reshape((len(array), -1))
        if len(np.unique(slices, axis=0)) < len(slices):
            lines = (f"got = module.parameters[{path!r}][:2]",)
            return Broken("state", _plain(path), f"slices of {_plain(path)} are the same: one key for several", lines)
    return Held("no two slices of a drawn parameter are the same")


def related(a: np.ndarray, b: np.ndarray) -> str | None:
    """Return how two arrays depend on each other from their beginnings on, or None.

    >>> related(np.array([3.0, 1.0, 2.0]), np.array([[6.0, 2.0], [4.0, 5.0]]))
    'one is a multiple of the beginning of the other'
    """
    n = min(a.size, b.size)
    one, two = (each.ravel()[:n].astype(np.float64) for each in (a, b))
    if n >= MULTIPLES and np.all(one) and np.all(two):
        ratios = two / one
        # Each entry was rounded twice: drawn, and scaled.
        if np.ptp(ratios) <= 8 * float(np.finfo(a.dtype).eps) * abs(ratios[0]):
            return "they are equal" if np.array_equal(one, two) else "one is a multiple of the beginning of the other"
    if n >= ORDERED and len(set(one)) == len(set(two)) == n and np.array_equal(np.argsort(one), np.argsort(two)):
        return "their entries are in the same order"
    return None


def _drawn(trial: Trial) -> dict[str, np.ndarray]:
    """Return the parameters that depend on the key, or of an instance those with different entries."""
    own = {path: np.asarray(each) for path, each in trial.pure.parameters.items()}
    several = {path: each for path, each in own.items() if np.unique(each).size >= MULTIPLES}
    if not trial.constructs:
        return several
    again: Mapping[str, Any] = trial.again(seed=trial.seed + 1).parameters
    return {path: each for path, each in several.items() if each.tobytes() != np.asarray(again[path]).tobytes()}


def _made_again(trial: Trial, seed: int) -> str:
    options = [f"make={dict(trial.make)!r}"] if trial.make else []
    return f"again = pure_module({', '.join([trial.source.expression, *options, f'seed={seed}', 'data=data'])})"


def _held(name: str, path: str, pure: PureModule) -> str:
    return f"{name}.{'parameters' if path in pure.parameters else 'state'}[{path!r}]"


def _plain(path: str) -> str:
    return path.lstrip(".")


LAWS = (
    ModuleLaw(
        "equal keys",
        "setup(k) = setup(k)",
        "setup of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        equal_keys,
    ),
    ModuleLaw(
        "different keys",
        "parameters are drawn from the key that is given",
        "a key is used once: https://docs.jax.dev/en/latest/random-numbers.html",
        different_keys,
    ),
    ModuleLaw(
        "one key each",
        "the draws of distinct parameters are independent",
        "a key is used once: https://docs.jax.dev/en/latest/random-numbers.html",
        one_key_each,
    ),
    ModuleLaw(
        "slices differ",
        "the draws of distinct slices are independent",
        "a key is used once: https://docs.jax.dev/en/latest/random-numbers.html",
        rows_differ,
    ),
)
