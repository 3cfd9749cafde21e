"""The fast interpreter against the exact one: random terms, value and reverse derivative, within the running bound."""

import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import pytest

from lenticulum import terms
from lenticulum.check.agreement import reference, traced
from lenticulum.check.draw import SeededDraw
from lenticulum.check.engine import run_law
from lenticulum.check.random_cases import UPDATES, Case, case
from lenticulum.check.random_terms import Sizes, TermGenerator, nesting, subterms
from lenticulum.check.sweep import Sweep
from lenticulum.fast.meaning import MEANINGS
from lenticulum.spec.law import Grade, Law

SEED = 2026
#: How many terms in all, how many in one process (every compiled program is kept), and which of them are compiled too.
EVERY_RUN, LONG_RUN = (500, 500, 10), (20_000, 2000, 40)

#: In a process of its own, as users run it: without the run-time type checks of this test suite, which cost more than
#: the sweep itself. So the bytes compared below come from two processes.
PROGRAM = """
import sys
from json import dumps
from dataclasses import asdict
from lenticulum.check.sweep import sweep

seed, start, stop, compile_every = map(int, sys.argv[1:])
print(dumps(asdict(sweep(seed, range(start, stop), compile_every))))
"""

CONSTRUCTORS = {
    *("Identity", "Compose", "Tensor", "Copy", "Add", "Swap", "Tie", "Freeze", "Dense", "Bias", "Tanh", "Relu"),
    *("Softmax", "LayerNorm", "BatchNorm", "Dropout key", "Dropout seed_stream", "SelfAttention"),
    *("Associate", "AddUnit", "RemoveUnit", "Wire", "Sink", "Input"),
    *("LowRank", "WeightNorm", "Symmetric", "Hypernetwork", "ComposedMap"),
    *("Parallel", "Branch", "Skip", "PairwiseFusion", "Maxout", "Repeat", "Stack"),
    *("Subtract", "Multiply", "Maximum"),
}
OUTERMOST = {
    *("SquaredLoss", "CrossEntropyLoss", "DotLoss", "LearningRate", "Learner", "SupervisedStep", "DeepDreamStep"),
    *(kind.__name__ for kind in UPDATES),
}


def drawn(number: int) -> Case:
    return case(SeededDraw(SEED, number))


def swept(numbers: range, compile_every: int) -> bytes:
    arguments = map(str, (SEED, numbers.start, numbers.stop, compile_every))
    return subprocess.check_output([sys.executable, "-c", PROGRAM, *arguments])


def sweeps(terms: int, together: int, compile_every: int) -> list[Sweep]:
    """The results of all processes, of which two run at a time."""
    parts = [range(start, start + together) for start in range(0, terms, together)]
    with ThreadPoolExecutor(2) as pool:
        return [Sweep(**json.loads(each)) for each in pool.map(lambda part: swept(part, compile_every), parts)]


def occurrences(results: Sequence[Sweep], of: str) -> Counter[str]:
    return sum((Counter(getattr(result, of)) for result in results), Counter[str]())


# 500 in every run; 20 000, of which 500 are compiled, take about half an hour: `make test-all`.
@pytest.mark.parametrize("size", [EVERY_RUN, pytest.param(LONG_RUN, marks=pytest.mark.long)], ids=lambda size: size[0])
def test_every_computed_value_lies_inside_the_running_bound(size, capsys):
    # One process for many terms: most of its time goes into compiling each primitive once for each shape.
    terms, together, compile_every = size
    before = time.monotonic()
    results = sweeps(terms, together, compile_every)
    with capsys.disabled():
        print(f"\n{(time.monotonic() - before) / terms * 1000:.0f} seconds for a thousand terms", *results, sep="\n")
    assert not any(result.violations for result in results)
    assert sum(result.terms for result in results) == terms
    assert sum(result.compiled for result in results) == terms // compile_every
    constructors, outermost = (occurrences(results, of) for of in ("constructors", "outermost"))
    assert {name for name in CONSTRUCTORS if constructors[name] < terms / 20} == set()
    assert {name for name in OUTERMOST if outermost[name] < terms / 50} == set()
    for result in results:
        assert (result.nesting, result.primitives >= 4) == (8, True)
        assert result.median_bound <= 1e3
        # Fewer than one in twenty of each: what is counted there is not covered by the comparison.
        assert max(result.kinks, result.undecided, result.wide) < result.terms / 20, str(result)


def test_two_runs_with_one_seed_print_the_same_bytes():
    first, second = swept(range(7000, 7004), 10), swept(range(7000, 7004), 10)
    assert first == second


def test_a_run_whose_shapes_are_all_square_is_flagged(monkeypatch):
    # Without parameter maps: a factor of low rank is not square, whatever the number of features.
    monkeypatch.setattr(TermGenerator, "mapped", TermGenerator.chain)
    law = Law("any", "holds of every case", "test", Grade.EXACT, None, lambda sizes, draw: case(draw, sizes), {})
    square = run_law(law, Sizes(palette=(((3,), (3,)),)), seed=1, cases=30)
    assert "all shapes square" in square.degeneracies
    assert run_law(law, Sizes(), seed=1, cases=30).degeneracies == ()


def squared(parameters, x, *, factor):
    label, prediction = x
    return jnp.asarray(float(factor), label.dtype) * jnp.square(prediction - label).sum() * 1.00001


def dot(parameters, x):
    # The label where the prediction belongs.
    label, prediction = x
    return (label * label).sum()


def dense(parameters, x, *, use_bias):
    # The product of the last input is missing.
    y = x[..., :-1] @ parameters.weight[:, :-1].T
    return y + jnp.broadcast_to(parameters.bias, y.shape) if use_bias else y


def layer_norm(parameters, x, *, epsilon, use_weight, use_bias):
    # Epsilon outside the root.
    deviation = x - jnp.broadcast_to(x.mean(axis=-1, keepdims=True), x.shape)
    root = jnp.sqrt(jnp.square(deviation).mean(axis=-1, keepdims=True)) + jnp.asarray(float(epsilon), x.dtype)
    y = deviation / jnp.broadcast_to(root, x.shape)
    y = y * jnp.broadcast_to(parameters.weight, x.shape) if use_weight else y
    return y + jnp.broadcast_to(parameters.bias, x.shape) if use_bias else y


def softmax(parameters, x):
    # Reduced over the batch.
    return jax.nn.softmax(x, axis=0)


def bias(parameters, x):
    return x - jnp.broadcast_to(parameters.bias, x.shape)


def tanh(parameters, x):
    # The value is right, and no cotangent is.
    return jax.lax.stop_gradient(jnp.tanh(x))


RIGHT_DROPOUT = MEANINGS[terms.Dropout].function


def dropout(parameters, x, *, state, mode, key, **fields):
    # The mask of the application before.
    stale = state.with_entries(count=state.count - jnp.uint32(1)) if "count" in state else state
    y, _ = RIGHT_DROPOUT(parameters, x, state=stale, mode=mode, key=key, **fields)
    return y, RIGHT_DROPOUT(parameters, x, state=state, mode=mode, key=key, **fields)[1]


RIGHT_ATTENTION = MEANINGS[terms.SelfAttention].function


def self_attention(parameters, x, **fields):
    # Scaled by the width, not by its root.
    inner = parameters.query_weight.shape[0] // fields["heads"]
    scaled = {name: parameters[name] / inner**0.5 for name in parameters if name.startswith("query")}
    return RIGHT_ATTENTION(parameters.with_entries(**scaled), x, **fields)


def relu(parameters, x, *, at_kink):
    # Negated on the side where the value is 0.
    return jnp.maximum(x, 0.01 * x)


def skip(x, *, term, connection):
    # The input before the output of the layer.
    return connection((x, term(x)))


def maxout(x, *, parts):
    # The mean of the last two.
    *_, one, other = [layer(x) for layer in parts]
    return (one + other) / 2


def parallel(x, *, connection, parts):
    # A state that all parts share: the first part is applied again where the types of two are one.
    inputs = x if isinstance(x, tuple) else (x,) * len(parts)
    used = [parts[0] if part.term == parts[0].term else part for part in parts]
    outputs = tuple(layer(each) for layer, each in zip(used, inputs, strict=True))
    return outputs if connection is None else connection(outputs)


MISTAKES: dict[str, tuple[type[terms.Term], Callable[..., object]]] = {
    "scale off by 1e-5": (terms.SquaredLoss, squared),
    "label for prediction": (terms.DotLoss, dot),
    "one product missing": (terms.Dense, dense),
    "epsilon outside the root": (terms.LayerNorm, layer_norm),
    "reduced over the wrong axis": (terms.Softmax, softmax),
    "wrong sign": (terms.Bias, bias),
    "no cotangent": (terms.Tanh, tanh),
    "stale mask": (terms.Dropout, dropout),
    "leaky": (terms.Relu, relu),
    "scaled by the width": (terms.SelfAttention, self_attention),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_fast_meaning_is_rejected(monkeypatch, mistake):
    kind, wrong = MISTAKES[mistake]
    monkeypatch.setitem(MEANINGS, kind, MEANINGS[kind]._replace(function=wrong))
    small = (each for each in map(drawn, range(400)) if nesting(each.term) <= 4)
    concerned = (each for each in small if any(type(part) is kind for part in subterms(each.term)))
    assert any(map(differs, itertools.islice(concerned, 20))), f"{mistake}: accepted in every case"


def differs(drawn_case: Case) -> bool:
    return bool(reference(drawn_case).violations(*traced(drawn_case).op_by_op()))
