"""Modules without a definition: each law holds of sound modules and rejects what is planted, with a witness."""

import functools
import inspect
import json
from contextlib import nullcontext
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import planted_modules as planted
import pytest

from lenticulum.check import CallError, check, pure_module
from lenticulum.check.modules import key_laws, tree_laws
from lenticulum.check.modules.attributes import attributes
from lenticulum.check.modules.check_module import LAWS, trial_of
from lenticulum.check.modules.law import Broken, Held, ModuleLaw, NotApplicable, Trial
from lenticulum.check.target import load, source_of, source_of_target
from lenticulum.cli import run

BY_NAME = {law.name: law for law in LAWS}

DOCS = "docs/broken_modules.py:"
SIZES = {"inputs": 3, "outputs": 4}

#: What each law must reject: a target or an object, what makes it, and the kind of the finding.
PLANTED: list[tuple[str, Any, dict[str, Any], str]] = [
    ("data unchanged", planted.Overwriting, {}, "mutates"),
    ("module unchanged", f"{DOCS}CachingLinear", {"in_features": 3, "out_features": 2}, "mutates"),
    ("repeatable", planted.Counting, {}, "nondeterministic"),
    ("modes run", planted.Untrained, {}, "raises"),
    ("flags are reached", f"{DOCS}HiddenDropout", SIZES, "state"),
    ("evaluation keeps the state", f"{DOCS}EagerBatchNorm", {"input_size": 3, "axis_name": "batch"}, "state"),
    ("evaluation uses no key", f"{DOCS}StubbornDropout", {"p": 0.375}, "nondeterministic"),
    ("evaluation is erasable", f"{DOCS}EagerBatchNorm", {"input_size": 3, "axis_name": "batch"}, "state"),
    ("dropout is off", planted.Rescaling, {"p": 0.375}, "formula"),
    ("structure is kept", planted.narrowing, {}, "type"),
    ("old state is kept", planted.overwriting, {}, "mutates"),
    ("one update", planted.twice, {}, "state"),
    ("copies are apart", planted.Counting, {}, "mutates"),
    ("equal keys", planted.unseeded, {}, "nondeterministic"),
    ("different keys", f"{DOCS}FixedKeyLinear", {"in_features": 3, "out_features": 2}, "state"),
    ("one key each", f"{DOCS}OneKeyLinear", SIZES, "state"),
    ("slices differ", f"{DOCS}OneKeyHeads", {"size": 3, "heads": 2}, "state"),
    ("rebuilt", f"{DOCS}forgetful", {}, "identity"),
    ("call is apply", f"{DOCS}forgetful", {}, "identity"),
    ("structure without numbers", f"{DOCS}LayerScale", {"size": 3}, "type"),
    ("no number is trained", f"{DOCS}TrainedEpsilon", {"size": 3}, "derivative"),
    ("stored", planted.Unstored, {"size": 3}, "identity"),
    ("compiled", planted.OtherWhenTraced, {}, "formula"),
    ("mapped", planted.OtherWhenMapped, {}, "shape-dependent"),
    ("by row", planted.squeezing, {}, "shape-dependent"),
    ("derivatives", f"{DOCS}WrongRule", SIZES, "derivative"),
    ("identity", f"{DOCS}LooseSettings", SIZES, "identity"),
    ("gradients flow", f"{DOCS}HalfTied", {"size": 3, "hidden": 2}, "derivative"),
]


def trial(subject: Any, make: dict[str, Any]) -> Trial:
    """Return a module with data."""
    source = source_of_target(subject) if isinstance(subject, str) else source_of(subject)
    return trial_of(load(subject) if isinstance(subject, str) else subject, source, 0, make, {}, {})


@pytest.mark.parametrize(("name", "subject", "make", "kind"), PLANTED, ids=[each[0] for each in PLANTED])
def test_a_law_rejects_what_is_planted_with_a_witness_that_runs(
    name: str, subject: Any, make: dict[str, Any], kind: str
) -> None:
    given = trial(subject, make)
    outcome = BY_NAME[name].check(given)
    assert isinstance(outcome, Broken), outcome
    assert outcome.kind == kind
    written = given.source.expression if "subject" not in given.source.expression else "subject"
    namespace: dict[str, Any] = {written: given.subject, "subject": given.subject}
    with pytest.raises(RuntimeError, match="fit it first") if kind == "raises" else nullcontext():
        exec("\n".join(given.witness(outcome)), namespace)
    assert "got" in namespace or kind == "raises"


def test_every_law_but_one_has_a_planted_mistake() -> None:
    """What breaks the exact meaning is a float of JAX outside its own bound, which no module can plant."""
    assert {law.name for law in LAWS} - {each[0] for each in PLANTED} == {"exact meaning"}


#: Sound modules, and laws that hold of them.
SOUND = [
    (
        eqx.nn.Linear,
        {"in_features": 3, "out_features": 4},
        "one key each|slices differ|different keys|stored|rebuilt|derivatives|identity|compiled|exact meaning",
    ),
    (
        eqx.nn.Dropout,
        {},
        "modes run|flags are reached|evaluation uses no key|dropout is off|structure without numbers|gradients flow",
    ),
    (
        eqx.nn.BatchNorm,
        {"input_size": 3, "axis_name": "batch", "mode": "batch"},
        "evaluation keeps the state|evaluation is erasable|structure is kept|old state is kept|one update",
    ),
]


@pytest.mark.parametrize(("subject", "make", "laws"), SOUND)
def test_a_sound_module_keeps_the_laws(subject: Any, make: dict[str, Any], laws: str) -> None:
    given = trial(subject, make)
    outcomes = {name: BY_NAME[name].check(given) for name in laws.split("|")}
    assert {name: each for name, each in outcomes.items() if not isinstance(each, Held)} == {}


class Pair(NamedTuple):
    """What haiku.transform gives: functions of any number of arguments."""

    init: Any
    apply: Any


def _init(rng: Any, *args: Any, **named: Any) -> Any:
    return {"linear": {"w": jax.random.normal(rng, (args[0].shape[-1], 2)), "b": jnp.zeros(2)}}


def _apply(params: Any, rng: Any, *args: Any, **named: Any) -> Any:
    return args[0] @ params["linear"]["w"] + params["linear"]["b"][None]


def _init_with_state(rng: Any, x: Any, is_training: bool = True) -> Any:
    return {"scale": jnp.ones(x.shape[-1])}, {"mean": jnp.zeros(x.shape[-1])}


def _apply_with_state(params: Any, state: Any, rng: Any, x: Any, is_training: bool) -> Any:
    mean = 0.75 * state["mean"] + 0.25 * x.mean(0) if is_training else state["mean"]
    return (x - mean[None]) * params["scale"][None], {"mean": mean}


def _stax_init(rng: Any, input_shape: Any) -> Any:
    return (*input_shape[:-1], 2), (jax.random.normal(rng, (input_shape[-1], 2)), jnp.zeros(2))


TRANSFORMED, WITH_STATE = Pair(_init, _apply), Pair(_init_with_state, _apply_with_state)
STAX = (_stax_init, lambda params, inputs, **kwargs: inputs @ params[0] + params[1][None])
PLAIN = (lambda key, x: {"w": jax.random.normal(key, x.shape[-1:])}, lambda params, x: x * params["w"][None])
PARTIAL = jax.tree_util.Partial(lambda w, x: jnp.tanh(w @ x), jnp.array([[1.0, 2.0, 0.5], [0.25, -1.0, 3.0]]))


@pytest.mark.parametrize(
    ("subject", "parameters", "state", "modes"),
    [
        (TRANSFORMED, ["['linear']['b']", "['linear']['w']"], [], ()),
        (WITH_STATE, ["['scale']"], ["['mean']"], ("train", "eval")),
        (STAX, ["[0]", "[1]"], [], ()),
        (PLAIN, ["['w']"], [], ()),
        (PARTIAL, ["[0][0]"], [], ()),
    ],
)
def test_pairs_and_partials_are_modules(subject: Any, parameters: Any, state: Any, modes: Any) -> None:
    given = trial(subject, {})
    pure = given.pure
    assert (list(pure.parameters), list(pure.state), pure.modes) == (parameters, state, modes)
    several = (
        "module unchanged",
        "equal keys",
        "one key each",
        "by row",
        "call is apply",
        "evaluation keeps the state",
    )
    outcomes = {name: BY_NAME[name].check(given) for name in several}
    assert not {name for name, each in outcomes.items() if isinstance(each, Broken)}
    assert isinstance(outcomes["evaluation keeps the state"], Held if state else NotApplicable)


def test_what_a_law_raises_is_not_covered() -> None:
    """NumPy inside: JAX cannot trace it."""

    class Host(eqx.Module):
        def __call__(self, x: Any) -> Any:
            return planted.np.tanh(planted.np.asarray(x))

    with pytest.raises(CallError, match="accepts no data of any shapes built from its sizes"):
        check(Host())


@pytest.mark.parametrize(
    ("subject", "options", "said"),
    [
        (eqx.nn.Linear, {}, "constructing equinox.nn.Linear failed.*give its arguments with --make"),
        (eqx.nn.Linear, {"make": {"features": 3}}, "constructing equinox.nn.Linear failed"),
        (eqx.nn.Dropout(), {"make": {"p": 0.25}}, "is an instance: --make constructs a class"),
        (eqx.nn.Dropout, {"shapes": {"y": (3,)}}, "has no data argument 'y'; it has x"),
        (eqx.nn.Dropout, {"bind": {"q": 3}}, "the call has no argument 'q'"),
        (eqx.nn.Dropout, {"dtype": "float16"}, "in float32 and float64, not in float16"),
        (jnp.tanh, {"make": {"p": 0.25}}, "--make constructs a module; jax.*tanh is none"),
        (dict, {}, "dict is a class: without --spec the laws are those of functions"),
    ],
)
def test_a_wrong_call_is_a_sentence(subject: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(CallError, match=said) as raised:
        check(subject, **options)
    assert len(str(raised.value).splitlines()) <= 3


def test_a_module_as_a_pure_function() -> None:
    norm = pure_module(
        eqx.nn.BatchNorm, make={"input_size": 2, "axis_name": "batch", "mode": "batch", "momentum": 0.75}
    )
    x = jnp.array([[0.0, 1.0], [2.0, 5.0]])
    _, after = norm.apply(norm.parameters, norm.state, (x,), "train", None)
    assert after["BatchNorm.batch_state_index[0]"].tolist() == [0.25, 0.75]
    assert norm.state["BatchNorm.batch_state_index[0]"].tolist() == [0.0, 0.0]


def test_what_is_no_mistake_is_none() -> None:
    """A table that is no draw, of a constructor without a key; a parameter that starts as the number that is given."""

    class Table(eqx.Module):
        table: jax.Array
        temperature: jax.Array

        def __init__(self, size: int, temperature: float = 0.5) -> None:
            self.table, self.temperature = jnp.arange(1.0, size + 1), jnp.asarray(temperature)

        def __call__(self, x: Any) -> Any:
            return x * self.table / self.temperature

    given = trial(Table, {"size": 3})
    outcomes = {law.name: law.check(given) for law in (*key_laws.LAWS, *tree_laws.LAWS)}
    assert not {name: each for name, each in outcomes.items() if isinstance(each, Broken)}


def test_arguments_of_haiku_are_told_by_its_signature() -> None:
    """Haiku writes the arguments of the function into the signatures of init and apply."""

    def init(*args: Any, **named: Any) -> Any:
        return _init_with_state(*args, **named)

    def apply(params: Any, *args: Any, **named: Any) -> Any:
        return _apply_with_state(params, *args, **named)

    init.__signature__ = inspect.signature(_init_with_state)  # type: ignore[attr-defined]
    apply.__signature__ = inspect.signature(_apply_with_state)  # type: ignore[attr-defined]
    pure = trial(Pair(init, apply), {}).pure
    assert (pure.names, pure.modes, list(pure.state)) == (("x",), ("train", "eval"), ["['mean']"])


def test_a_mode_flag_is_typed() -> None:
    """A leaf that is called `inference` and is no flag is left alone."""

    class Holder(eqx.Module):
        inference: jax.Array

        def __call__(self, x: Any) -> Any:
            return self.inference * x

    assert pure_module(Holder(jnp.ones(3))).modes == ()


def test_shapes_on_the_command_line_are_those_of_the_data(capsys: Any) -> None:
    make = '{"in_features": 3, "out_features": 4}'
    assert run(["check", "equinox.nn:Linear", "--make", make, "--args", "f32[5]"]) == 2
    assert "accepts no data of the given shapes" in capsys.readouterr().err
    assert run(["check", "equinox.nn:Linear", "--make", make, "--args", "f32[3],f32[3]"]) == 2
    assert "expected at most 1: x" in capsys.readouterr().err
    planted = f"{DOCS}OneKeyHeads"
    assert run(["check", planted, "--make", '{"size": 3, "heads": 2}', "--args", "f32[3]", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["finding"]["kind"], found["spec"]) == ("differs", "state", None)
    assert "pure_module(load('docs/broken_modules.py:OneKeyHeads')" in found["witness"]


def test_laws_are_named_once() -> None:
    assert len(BY_NAME) == len(LAWS)
    assert all(isinstance(law, ModuleLaw) and law.source and law.statement for law in LAWS)


def test_a_cached_value_is_no_change_of_the_module():
    class Cached:
        @functools.cached_property
        def basis(self):
            return 2.0

    one = Cached()
    before = attributes(one)
    assert (one.basis, attributes(one)) == (2.0, before)
