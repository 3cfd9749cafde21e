"""Laws of modes: evaluation keeps the state, uses no key, can be erased; every flag is reached; dropout is off."""

from __future__ import annotations

import jax
import numpy as np

from lenticulum.check.modules.law import (
    Broken,
    Held,
    ModuleLaw,
    NotApplicable,
    Outcome,
    Trial,
    changed,
    same,
)
from lenticulum.check.modules.pure_module import EVAL, TRAIN
from lenticulum.check.target import one_line

NO_MODES = NotApplicable("it has no modes")

#: So many keys are tried before a module counts as one that draws nothing.
KEYS = 4


def modes_run(trial: Trial) -> Outcome:
    """Call it in each mode, evaluation before any training."""
    if not trial.pure.modes:
        return NO_MODES
    for mode in (EVAL, TRAIN):
        try:
            trial.step(trial.pure.state, 0, mode)
        except Exception as error:  # a module is anyone's code
            lines = (f"got = module.apply(module.parameters, module.state, data, {mode!r}, jax.random.key(0))",)
            return Broken("raises", "call", f"{mode} raises {one_line(error)}", lines)
    return Held("both modes run, evaluation before any training")


def evaluation_keeps_state(trial: Trial) -> Outcome:
    """Evaluate in the first state and after two training steps."""
    if not trial.pure.modes:
        return NO_MODES
    if not trial.pure.state:
        return NotApplicable("it has no state")
    for words, state in (("module.state", trial.pure.state), ("module.trained(data, seed)", trial.trained)):
        _, after = trial.step(state, 1, EVAL)
        if found := changed(state, after):
            lines = (
                f"state = {words.replace('seed', str(trial.seed))}",
                "_, after = module.apply(module.parameters, state, data, 'eval', jax.random.key(0))",
                "got = [name for name in state if bool(jnp.any(state[name] != after[name]))]",
            )
            return Broken("state", found[0], f"evaluation changes {', '.join(found)}", lines)
    return Held("evaluation keeps every bit of the state, before training and after")


def evaluation_uses_no_key(trial: Trial) -> Outcome:
    """Evaluate with several keys."""
    if not trial.pure.modes:
        return NO_MODES
    values = [trial.step(trial.trained, 0, EVAL, key)[0] for key in range(KEYS)]
    if all(same(values[0], each) for each in values):
        return Held("evaluations with different keys give the same bits")
    number = next(n for n, each in enumerate(values) if not same(values[0], each))
    lines = tuple(
        f"{name} = module.apply(module.parameters, module.state, data, 'eval', jax.random.key({key}))[0]"
        for name, key in (("first", 0), ("got", number))
    )
    return Broken("nondeterministic", "output", "evaluation with another key gives another value: it draws", lines)


def evaluation_is_erasable(trial: Trial) -> Outcome:
    """Compare the word T E E T with T T: the last value and the last state."""
    if not trial.pure.modes:
        return NO_MODES
    start = trial.pure.state
    _, first = trial.step(start, 0, TRAIN, 1)
    between = first
    for key in (2, 3):
        _, between = trial.step(between, 1, EVAL, key)
    value, last = trial.step(first, 1, TRAIN, 4)
    other, end = trial.step(between, 1, TRAIN, 4)
    found = changed(last, end)
    if not found and same(value, other):
        return Held("training goes on as if evaluations between had not been")
    lines = (
        "def run(word, state):",
        "    for mode in word:",
        "        y, state = module.apply(module.parameters, state, data, mode, jax.random.key(0))",
        "    return y, state",
        "got = run(['train', 'eval', 'eval', 'train'], module.state)",
        "expected = run(['train', 'train'], module.state)",
    )
    what = ", ".join(found) or "the value"
    return Broken("state", found[0] if found else "output", f"T E E T and T T end with different {what}", lines)


def flags_are_reached(trial: Trial) -> Outcome:
    """Set evaluation and look at every flag that the object holds anywhere."""
    found = trial.pure.unreached_flags()
    if found:
        lines = ("got = module.unreached_flags()",)
        return Broken("state", found[0].lstrip("."), f"evaluation mode does not reach {', '.join(found)}", lines)
    return Held("the mode reaches every flag") if trial.pure.modes else NO_MODES


def dropout_is_off(trial: Trial) -> Outcome:
    """What only drops and scales entries in training is the identity in evaluation."""
    pure = trial.pure
    if not pure.modes or pure.parameters or len(trial.data) != 1 or not drops(trial):
        return NotApplicable("it is no dropout")
    value, _ = trial.step(pure.state, 0, EVAL)
    if same(value, [np.asarray(trial.data[0])]):
        return Held("dropout is the identity in evaluation")
    lines = ("got = module.apply({}, module.state, data, 'eval', jax.random.key(0))[0] - data[0]",)
    return Broken("formula", "output", "dropout is not the identity in evaluation", lines)


def drops(trial: Trial) -> bool:
    """Return whether training gives zeros and one multiple of the other entries, to rounding, and some of both."""
    x = np.asarray(jax.tree.leaves(trial.data)[0])
    state, ratios = trial.pure.state, []
    for key in range(KEYS):
        value, state = trial.step(state, 0, TRAIN, key)
        if len(value) != 1 or value[0].shape != x.shape or x.dtype.kind != "f" or not np.all(x):
            return False
        ratios.append((value[0] / x).ravel())
    found = np.concatenate(ratios)
    kept = found[found != 0]
    return bool(0 < kept.size < found.size and np.ptp(kept) <= 4 * np.finfo(x.dtype).eps * abs(kept[0]))


LAWS = (
    ModuleLaw(
        "modes run", "every mode can be called at any time", "a model can be evaluated before it is trained", modes_run
    ),
    ModuleLaw(
        "flags are reached",
        "a mode reaches every flag",
        "a flag behind a closure or a static field is not reached by a setter",
        flags_are_reached,
    ),
    ModuleLaw(
        "evaluation keeps the state",
        "in evaluation st' = st bitwise",
        "testmode of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        evaluation_keeps_state,
    ),
    ModuleLaw(
        "evaluation uses no key",
        "evaluation is a function of parameters, state and data",
        "testmode of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        evaluation_uses_no_key,
    ),
    ModuleLaw(
        "evaluation is erasable",
        "a word ends as the word without its evaluations",
        "follows from: an evaluation keeps the state",
        evaluation_is_erasable,
    ),
    ModuleLaw(
        "dropout is off",
        "in evaluation dropout is the identity",
        "Srivastava et al. 2014, Dropout, section 4",
        dropout_is_off,
    ),
)
