"""Laws of purity: a call changes neither its data nor the module, and repeats itself."""

from __future__ import annotations

import jax
import numpy as np

from lenticulum.check.modules.attributes import changes
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, Outcome, Trial, same
from lenticulum.check.modules.pure_module import KEY
from lenticulum.check.target import one_line


def data_unchanged(trial: Trial) -> Outcome:
    """Call it on NumPy arrays, which can be written, and compare their bits."""
    pure = trial.pure
    for mode in trial.modes:
        given = jax.tree.map(lambda each: np.array(each), trial.data)
        before = [each.tobytes() for each in jax.tree.leaves(given)]
        try:
            pure.call(pure.ready(mode), given, mode, KEY())
        except Exception as error:  # a module of JAX arrays alone, which cannot be changed
            return NotApplicable(f"it takes no NumPy arrays ({one_line(error)})")
        if before != [each.tobytes() for each in jax.tree.leaves(given)]:
            lines = (
                "import numpy as np",
                "given = jax.tree.map(np.array, data)",
                f"module.call(module.ready({mode!r}), given, {mode!r}, jax.random.key(0))",
                "got = jax.tree.map(lambda a, b: bool((a == b).all()), data, given)",
            )
            return Broken("mutates", "data", "the data is changed by the call", lines)
    return Held("data unchanged")


def module_unchanged(trial: Trial) -> Outcome:
    """Compare everything that the object holds before and after a call; written state excepted."""
    pure = trial.pure
    for mode in trial.modes:
        ready = pure.ready(mode)
        before = pure.attributes(ready)
        pure.call(ready, trial.data, mode, KEY())
        found = [path for path in changes(before, pure.attributes(ready)) if not pure.may_change(path)]
        if found:
            lines = (
                "from lenticulum.check.modules.attributes import changes",
                f"ready = module.ready({mode!r})",
                "before = module.attributes(ready)",
                f"module.call(ready, data, {mode!r}, jax.random.key(0))",
                "got = [path for path in changes(before, module.attributes(ready)) if not module.may_change(path)]",
            )
            return Broken("mutates", found[0].lstrip("."), f"a call changes {_listed(found)} of the module", lines)
    written = "; its state is written in place, as the library does" if pure.in_place and pure.state else ""
    return Held(f"the module is unchanged by a call{written}")


def repeatable(trial: Trial) -> Outcome:
    """Call it twice with the same key."""
    pure = trial.pure
    for mode in trial.modes:
        calls = [pure.apply(pure.parameters, pure.state, trial.data, mode, KEY()) for _ in range(2)]
        one, two = ([np.asarray(each) for each in jax.tree.leaves(y)] for y, _ in calls)
        if not same(one, two):
            call = f"module.apply(module.parameters, module.state, data, {mode!r}, jax.random.key(0))[0]"
            return Broken(
                "nondeterministic",
                "output",
                "two calls with the same arguments differ in their bits",
                (f"got = {call}", f"again = {call}"),
            )
    return Held("two calls give the same bits")


def _listed(paths: list[str]) -> str:
    shown = ", ".join(path.lstrip(".") for path in paths[:3])
    return shown + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")


LAWS = (
    ModuleLaw(
        "data unchanged",
        "a call changes no argument",
        "a call of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        data_unchanged,
    ),
    ModuleLaw(
        "module unchanged",
        "a call changes nothing in the module but its state",
        "there is no hidden state",
        module_unchanged,
    ),
    ModuleLaw(
        "repeatable",
        "equal arguments give equal bits",
        "a key is used once: https://docs.jax.dev/en/latest/random-numbers.html",
        repeatable,
    ),
)
