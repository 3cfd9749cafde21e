"""Laws of parameter trees: they can be rebuilt and stored, and do not depend on numbers."""

from __future__ import annotations

import inspect
import io
from collections.abc import Iterator
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.modules.attributes import changes
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, NotTried, Outcome, Trial, same
from lenticulum.check.modules.pure_module import KEY, MODE_WORDS, PureModule

#: Numbers that a hyper-parameter is changed to: where layers take a shortcut, and a generic one.
OTHER_NUMBERS = (0.0, 1.0, 0.375)

#: Words of the names of numbers that are never trained.
HYPERPARAMETERS = {"eps", "epsilon", "p", "rate", "dropout", "momentum", "decay"}


def rebuilt(trial: Trial) -> Outcome:
    """Take the object apart and put it together twice, and compare everything that it holds."""
    pure = trial.pure
    ready = pure.ready(None)
    once = pure.rebuilt(ready)
    if once is ready:
        return NotApplicable("it is no tree: parameters and state are trees of arrays")
    twice = pure.rebuilt(once)
    for again in (once, twice):
        found = changes(pure.attributes(ready), pure.attributes(again))
        if found:
            note = f"flatten and unflatten do not keep {', '.join(path.lstrip('.') for path in found[:3])}"
            lines = (
                "from lenticulum.check.modules.attributes import changes",
                "again = module.rebuilt(module.rebuilt(module.module))",
                "got = changes(module.attributes(module.module), module.attributes(again))",
            )
            return Broken("identity", found[0].lstrip("."), note, lines)
    return Held("flatten and unflatten, twice, keep every attribute")


def call_is_apply(trial: Trial) -> Outcome:
    """Call the object itself, and the one that is made of its parts."""
    pure = trial.pure
    for mode in trial.modes:
        truth = pure.call(pure.ready(mode), trial.data, mode, KEY())
        served = pure.apply(pure.parameters, pure.state, trial.data, mode, KEY())[0]
        if not same(*([np.asarray(each) for each in jax.tree.leaves(y)] for y in (truth, served))):
            lines = (
                f"expected = module.call(module.ready({mode!r}), data, {mode!r}, jax.random.key(0))",
                f"got = module.apply(module.parameters, module.state, data, {mode!r}, jax.random.key(0))[0]",
            )
            return Broken("identity", "output", "made of its parameters again, it gives another value", lines)
    return Held("made of its parameters again, it gives the same bits")


def structure_without_numbers(trial: Trial) -> Outcome:
    """Construct it with other numbers, zero among them, and compare the paths and shapes of parameters and state."""
    expected, tried = _structure(trial.pure), []
    for name, number, again in _with_other_numbers(trial):
        tried.append(name)
        got = _structure(again)
        found = [path for path in dict.fromkeys((*expected, *got)) if expected.get(path) != got.get(path)]
        if found:
            note = f"with {name} = {number} the parameters have another structure: {found[0].lstrip('.')}"
            lines = (
                f"other = pure_module({trial.source.expression}, make={ {**trial.make, name: number}!r}, data=data)",
                "got = {**other.parameters, **other.state}.keys() ^ {**module.parameters, **module.state}.keys()",
            )
            return Broken("type", found[0].lstrip("."), note, lines)
    if not tried:
        return _no_numbers(trial)
    return Held(f"the structure of its arrays does not depend on {', '.join(dict.fromkeys(tried))}")


def no_number_is_trained(trial: Trial) -> Outcome:
    """Construct it with other numbers and look for a parameter that is filled with the number itself, each time."""
    tried: dict[str, int] = {}
    filled: dict[tuple[str, str], int] = {}
    for name, number, again in _with_other_numbers(trial):
        if not HYPERPARAMETERS & set(name.lower().split("_")):  # it may be the first value of a parameter
            continue
        tried[name] = tried.get(name, 0) + 1
        for path, array in again.parameters.items():
            if array.size and bool((np.asarray(array) == np.asarray(number, array.dtype)).all()):
                filled[name, path] = filled.get((name, path), 0) + 1
    for (name, path), count in filled.items():
        if count == tried[name] > 1:
            made = {**trial.make, name: OTHER_NUMBERS[2]}
            lines = (
                f"module = pure_module({trial.source.expression}, make={made!r}, data=data)",
                f"got = module.parameters[{path!r}]",
            )
            return Broken("derivative", path.lstrip("."), f"the number {name} is a leaf that is differentiated", lines)
    return Held(f"{', '.join(tried)}: no parameter") if tried else _no_numbers(trial)


def _no_numbers(trial: Trial) -> NotApplicable:
    made = inspect.isclass(trial.subject)
    return NotApplicable("its constructor takes no such number" if made else "an instance is not made again")


def stored(trial: Trial) -> Outcome:
    """Write the leaves and read them into a module that was made with another key, and compare all that it holds."""
    module = trial.pure.module
    if not isinstance(module, eqx.Module):
        return NotTried("of modules of Equinox alone")
    like = trial.again(seed=trial.seed + 1).module if trial.constructs else _zeroed(module)
    file = io.BytesIO()
    eqx.tree_serialise_leaves(file, module)
    file.seek(0)
    read = eqx.tree_deserialise_leaves(file, like)
    found = changes(trial.pure.attributes(module), trial.pure.attributes(read))
    if found:
        lines = (
            "import equinox, io",
            "file = io.BytesIO()",
            "equinox.tree_serialise_leaves(file, module.module)",
            f"other = pure_module({trial.source.expression}, make={dict(trial.make)!r}, seed={trial.seed + 1})",
            "file.seek(0)",
            "got = equinox.tree_deserialise_leaves(file, other.module)",
        )
        note = f"what is read into a module made with another key is not what was written: {found[0].lstrip('.')}"
        return Broken("identity", found[0].lstrip("."), note, lines)
    return Held("what is read from a file is what was written, bit by bit")


def _zeroed(module: Any) -> Any:
    arrays, rest = eqx.partition(module, eqx.is_inexact_array)
    return eqx.combine(jax.tree.map(jnp.zeros_like, arrays), rest)


def _structure(pure: PureModule) -> dict[str, str]:
    return {path: f"{each.dtype}{list(each.shape)}" for path, each in (*pure.parameters.items(), *pure.state.items())}


def _with_other_numbers(trial: Trial) -> Iterator[tuple[str, float, PureModule]]:
    """Give the module made with other numbers, as far as its constructor takes them and it then accepts the data."""
    if not inspect.isclass(trial.subject):
        return
    for name, value in numbers_of(trial.subject, trial.make).items():
        for number in OTHER_NUMBERS:
            if number == value:
                continue
            try:
                again = trial.again(None, **{name: number})
            except Exception:  # a number that the constructor refuses, as it may
                continue
            if again.accepts(trial.data) is None:
                yield name, number, again


def numbers_of(kind: type, make: Any) -> dict[str, float]:
    """Return the numbers that a constructor takes: given or by default, no integer and no flag."""
    parameters = inspect.signature(kind).parameters
    values = {name: p.default for name, p in parameters.items() if p.default is not p.empty}
    return {n: v for n, v in {**values, **make}.items() if isinstance(v, float) and n not in MODE_WORDS}


LAWS = (
    ModuleLaw("rebuilt", "flatten and unflatten, twice, keep every attribute", "identity 5", rebuilt),
    ModuleLaw(
        "call is apply",
        "parameters and structure say all",
        "apply of LuxCore, https://lux.csail.mit.edu/stable/api/Building_Blocks/LuxCore",
        call_is_apply,
    ),
    ModuleLaw(
        "structure without numbers",
        "the tree does not depend on numbers such as p = 0",
        "a checkpoint stays readable when a rate is set to 0",
        structure_without_numbers,
    ),
    ModuleLaw(
        "no number is trained",
        "epsilons, rates and momenta are no leaves",
        "a hyper-parameter gets no gradient and no optimizer state",
        no_number_is_trained,
    ),
    ModuleLaw(
        "stored",
        "a round trip through a file is bitwise",
        "https://docs.kidger.site/equinox/api/serialisation/",
        stored,
    ),
)
