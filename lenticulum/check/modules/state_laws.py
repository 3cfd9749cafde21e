"""Laws of state: its structure is kept, and the old one; derivatives do not update twice; copies are apart."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.comparisons import Comparison, differs
from lenticulum.check.modules.attributes import changes
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, Outcome, Trial, bits
from lenticulum.check.modules.pure_module import KEY, TRAIN, as_here

NO_STATE = NotApplicable("it has no state")


def structure_is_kept(trial: Trial) -> Outcome:
    """Compare names, shapes and dtypes after a call in each mode."""
    pure = trial.pure
    if not pure.state:
        return NO_STATE
    expected = _types(pure.state)
    for mode in trial.modes:
        got = _types(
            jax.eval_shape(lambda s, mode=mode: pure.apply(pure.parameters, s, trial.data, mode, KEY()), pure.state)[1]
        )
        wrong = [name for name in dict.fromkeys((*expected, *got)) if expected.get(name) != got.get(name)]
        if wrong:
            name = wrong[0]
            note = f"{name} is {expected.get(name, 'absent')} before a call and {got.get(name, 'absent')} after"
            lines = (
                f"_, after = module.apply(module.parameters, module.state, data, {mode!r}, jax.random.key(0))",
                "got = {name: (each.dtype, each.shape) for name, each in after.items()}",
            )
            return Broken("type", name, note, lines)
    return Held("names, shapes and dtypes of the state are kept")


def old_state_is_kept(trial: Trial) -> Outcome:
    """Call it on a state of NumPy arrays, which can be written, and compare their bits."""
    pure = trial.pure
    if not pure.state:
        return NO_STATE
    if pure.in_place:
        return NotApplicable("its library writes the state in place, by design")
    given = {name: np.array(each) if _is_plain(each) else each for name, each in pure.state.items()}
    before = bits(given)
    for mode in trial.modes:
        pure.apply(pure.parameters, given, trial.data, mode, KEY())
        found = [name for name, each in bits(given).items() if each != before[name]]
        if found:
            lines = (
                "import numpy as np",
                "old = {name: np.array(each) for name, each in module.state.items()}",
                f"module.apply(module.parameters, old, data, {mode!r}, jax.random.key(0))",
                "got = [name for name in old if bool((old[name] != module.state[name]).any())]",
            )
            return Broken("mutates", found[0], f"a call changes the old state: {', '.join(found)}", lines)
    return Held("the old state is not changed by a call that returns a new one")


def one_update(trial: Trial) -> Outcome:
    """Compare the state of a plain training call with that under differentiation and under rematerialisation."""
    pure = trial.pure
    floats = {name: np.asarray(each) for name, each in pure.state.items() if _is_plain(each) and each.dtype.kind == "f"}
    if not floats:
        return NotApplicable("it has no state of floats") if pure.state else NO_STATE
    mode = TRAIN if pure.modes else None
    rest = {name: each for name, each in pure.state.items() if name not in floats}
    data, structure = jax.tree.flatten(trial.data)
    flat = [np.asarray(each) for each in (*floats.values(), *pure.parameters.values(), *data)]
    ends = len(floats), len(floats) + len(pure.parameters)

    def called(*arrays: Any) -> Any:
        held = {**as_here(rest), **dict(zip(floats, arrays[: ends[0]], strict=True))}
        given = dict(zip(pure.parameters, arrays[ends[0] : ends[1]], strict=True))
        y, after = pure.apply(given, held, jax.tree.unflatten(structure, arrays[ends[1] :]), mode, KEY())
        return sum((jnp.sum(each) for each in jax.tree.leaves(y)), 0.0), [after[name] for name in floats]

    def differentiated(f: Any, *arrays: Any) -> Any:
        return jax.value_and_grad(f, has_aux=True)(*arrays)[0][1]

    def rematerialised(f: Any, *arrays: Any) -> Any:
        return jax.value_and_grad(jax.checkpoint(f), has_aux=True)(*arrays)[0][1]

    for what, way in (("differentiation", differentiated), ("rematerialisation", rematerialised)):
        comparison = Comparison(f"the state under {what} against a plain call", "state", way, lambda f, *a: f(*a)[1])
        if differs(*(found := comparison.discrepancies(called, flat))):
            wrapped = "jax.checkpoint(loss)" if way is rematerialised else "loss"
            lines = (
                "def loss(parameters):",
                f"    y, after = module.apply(parameters, module.state, data, {mode!r}, jax.random.key(0))",
                "    return sum(each.sum() for each in jax.tree.leaves(y)), after",
                f"got = jax.value_and_grad({wrapped}, has_aux=True)(module.parameters)[0][1]",
                "expected = loss(module.parameters)[1]",
            )
            return Broken("state", "state", comparison.words(*found), lines)
    return Held("differentiation and rematerialisation update the state once")


def copies_are_apart(trial: Trial) -> Outcome:
    """Call an object in training and look at a copy made before."""
    pure = trial.pure
    mode = TRAIN if pure.modes else None
    ready = pure.ready(mode)
    copy = pure.copied(ready)
    if copy is ready:
        return NotApplicable("it holds nothing that could be shared")
    before = pure.attributes(copy)
    pure.call(ready, trial.data, mode, KEY())
    found = changes(before, pure.attributes(copy))
    if found:
        lines = (
            f"ready = module.ready({mode!r})",
            "copy = module.copied(ready)",
            "before = module.attributes(copy)",
            f"module.call(ready, data, {mode!r}, jax.random.key(0))",
            "got = [path for path, each in module.attributes(copy).items() if before.get(path) != each]",
        )
        return Broken("mutates", found[0].lstrip("."), f"a call of the original changes its copy: {found[0]}", lines)
    return Held("a copy is not changed by a call of the original")


def _types(state: Any) -> dict[str, str]:
    return {name: f"{each.dtype}{list(each.shape)}" for name, each in state.items()}


def _is_plain(array: Any) -> bool:
    return not jnp.issubdtype(array.dtype, jax.dtypes.prng_key)


LAWS = (
    ModuleLaw(
        "structure is kept",
        "keys, shapes and dtypes of the state are those before",
        "the states of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        structure_is_kept,
    ),
    ModuleLaw(
        "old state is kept",
        "a new state leaves the old one as it is",
        "the returned state replaces the old one",
        old_state_is_kept,
    ),
    ModuleLaw(
        "one update",
        "derivatives do not update the state again",
        "a train application updates the state once, also under grad and remat",
        one_update,
    ),
    ModuleLaw(
        "copies are apart",
        "a call of one changes no copy",
        "replicate of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        copies_are_apart,
    ),
)
