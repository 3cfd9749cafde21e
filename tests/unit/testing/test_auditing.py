"""audited_jit: what it sees (families d, e, l under jit, o, p), where it is blind, and that it is jax.jit otherwise."""

import contextvars
import functools
import itertools
import os
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from lenticulum.testing import Audit, StaleProgram, audited_jit

X = np.float32(10.0)
FACTOR = 2.0
VARIABLE = contextvars.ContextVar("variable", default=2.0)


@pytest.fixture(autouse=True)
def no_program_of_another_test():
    """A cached inner program would decide a verdict."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def stale(function, change, *arguments, path, **options):
    """Call, change something, and call again: the second call must raise, with this path."""
    audit = Audit()
    compiled = audited_jit(function, audit=audit, **options)
    arguments = arguments or (X,)
    first = compiled(*arguments)
    change()
    with pytest.raises(StaleProgram) as raised:
        compiled(*arguments)
    assert raised.value.path == path
    assert np.array_equal(raised.value.served, first)
    assert not np.array_equal(raised.value.cold, first)
    assert audit.traces == 1


# What it sees --------------------------------------------------------------------------------------------------------


class Constant:
    """A class attribute (d) and a method (e) are part of the program."""

    factor = 2.0

    def forward(self, x):
        return self.factor * x


def test_a_class_attribute_that_changes(monkeypatch):
    stale(
        lambda item, x: item.factor * x,
        lambda: monkeypatch.setattr(Constant, "factor", 9.0),
        *(Constant(), X),
        path="class Constant.factor",
        static_argnums=0,
    )


def test_a_method_that_is_patched(monkeypatch):
    stale(
        lambda item, x: item.forward(x),
        lambda: monkeypatch.setattr(Constant, "forward", lambda self, x: 5.0 * x),
        *(Constant(), X),
        path="class Constant.forward",
        static_argnums=0,
    )


def run_constant(item, x):
    return item.forward(x)


def test_a_first_use_under_a_patch_and_a_new_jit_of_the_same_function():
    audit, original = Audit(), Constant.forward
    Constant.forward = lambda self, x: 5.0 * x
    try:
        item = Constant()
        audited_jit(run_constant, audit=audit, static_argnums=0)(item, X)
    finally:
        Constant.forward = original
    with pytest.raises(StaleProgram):
        audited_jit(run_constant, audit=audit, static_argnums=0)(item, X)


def inner(x):
    return 2.0 * x


def outer(x):
    return inner(x)


@pytest.mark.parametrize("wrap", [lambda function: function, jax.jit, jax.checkpoint, jax.vmap])
def test_a_function_that_is_rebound(wrap, monkeypatch):
    x = np.array([10.0], np.float32)
    monkeypatch.setitem(globals(), "inner", wrap(lambda x: 2.0 * x))
    change = functools.partial(monkeypatch.setitem, globals(), "inner", wrap(lambda x: 5.0 * x))
    audit = Audit()
    compiled = audited_jit(outer, audit=audit)
    compiled(x)
    change()
    with pytest.raises(StaleProgram) as raised:
        compiled(x)
    assert (raised.value.served.tolist(), raised.value.cold.tolist()) == ([20.0], [50.0])


def body(carry, _):
    return FACTOR * carry, None


def scanned(x):
    return lax.scan(body, x, None, length=1)[0]


def test_the_body_of_a_loop_reads_a_global(monkeypatch):
    stale(scanned, lambda: monkeypatch.setitem(globals(), "FACTOR", 3.0), path="body, global FACTOR")


def test_a_new_function_around_a_body_that_jax_has_cached(monkeypatch):
    audit = Audit()
    audited_jit(lambda x: scanned(x), audit=audit)(X)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    with pytest.raises(StaleProgram) as raised:
        audited_jit(lambda x: scanned(x), audit=audit)(X)
    assert (float(raised.value.served), float(raised.value.cold)) == (20.0, 30.0)
    assert raised.value.path == "body, global FACTOR"


def read_global(x):
    return FACTOR * x


def test_a_global(monkeypatch):
    stale(read_global, lambda: monkeypatch.setitem(globals(), "FACTOR", 3.0), path="read_global, global FACTOR")


def test_a_cell_a_dictionary_a_default_and_an_array():
    cell, table, array = 2.0, {"factor": 2.0}, np.array([2.0])

    def assign():
        nonlocal cell
        cell = 3.0

    def of_cell(x):
        return cell * x

    def of_table(x):
        return table["factor"] * x

    def of_default(x, factors=[2.0]):  # noqa: B006 - the test is about it
        return factors[0] * x

    def of_array(x):
        return float(array[0]) * x

    where = "test_a_cell_a_dictionary_a_default_and_an_array.<locals>."
    stale(of_cell, assign, path=f"{where}of_cell, cell cell")
    stale(of_table, lambda: table.update(factor=3.0), path=f"{where}of_table, cell table['factor']")
    stale(of_default, lambda: of_default.__defaults__[0].append(3.0) or of_default.__defaults__[0].pop(0),
          path=f"{where}of_default, defaults[0][0]")  # fmt: skip
    stale(of_array, lambda: array.__setitem__(0, 3.0), path=f"{where}of_array, cell array")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("use", [lambda a, x: x * a, lambda a, x: jnp.asarray(a) * x, lambda a, x: jnp.dot(a, a) * x])
def test_an_array_of_the_caller_that_is_a_constant_of_the_program(dtype, use):
    # The constant of the traced program is the caller's own array, or a copy that jax keeps.
    array = np.ones(3, dtype)

    def with_array(x):
        return use(array, x)

    stale(with_array, lambda: array.__setitem__(0, 5), path=f"{with_array.__qualname__}, cell array")


def of_variable(x):
    return VARIABLE.get() * x


def test_a_context_variable():
    token = VARIABLE.set(2.0)
    try:
        stale(of_variable, lambda: VARIABLE.set(3.0), path="of_variable, global VARIABLE, content")
    finally:
        VARIABLE.reset(token)


def test_a_name_of_another_module_of_the_user(monkeypatch):
    module = types.ModuleType("settings_of_a_user")
    module.factor = 2.0
    monkeypatch.setitem(globals(), "settings", module)

    def of_module(x):
        return settings.factor * x  # noqa: F821 - set above

    stale(of_module, lambda: setattr(module, "factor", 3.0), path=f"{of_module.__qualname__}, global settings.factor")


@pytest.mark.parametrize(
    ("option", "value", "function"),
    [
        ("jax_default_prng_impl", "rbg", lambda: jax.random.uniform(jax.random.PRNGKey(0))),
        ("jax_enable_custom_prng", True, lambda: jnp.array(jax.random.PRNGKey(0).ndim)),
        (
            "jax_high_dynamic_range_gumbel",
            True,
            lambda: jax.random.gumbel(jax.random.key(0, impl="threefry2x32")),
        ),
    ],
)
def test_an_option_of_the_generator(option, value, function):
    audit, before = Audit(), getattr(jax.config, option)
    compiled = audited_jit(function, audit=audit)
    compiled()
    jax.config.update(option, value)
    try:
        with pytest.raises(StaleProgram) as raised:
            compiled()
    finally:
        jax.config.update(option, before)
    assert raised.value.path.startswith("options of the generator")


class Always:
    """Equal to all of its kind."""

    def __init__(self, factor):
        self.factor = factor

    def __eq__(self, other):
        return type(self) is type(other)

    def __hash__(self):
        return 0


def test_two_objects_of_one_key_inside_one_outer_trace():
    audit = Audit()
    inside = audited_jit(lambda item, x: item.factor * x, audit=audit, static_argnums=0)
    with pytest.raises(StaleProgram, match=r"static argument 0.factor: 2.0 when it was traced, 3.0 now"):
        jax.jit(lambda x: inside(Always(2.0), x) + inside(Always(3.0), x))(X)


# Where it is blind: docs/chapter6.md says so, and these tests hold it to that -------------------------------------


def blind(function, change, *arguments, **options):
    """The served program is stale, and nothing is raised."""
    compiled = audited_jit(function, audit=Audit(), **options)
    arguments = arguments or (X,)
    compiled(*arguments)
    change()
    served = np.asarray(compiled(*arguments))
    jax.clear_caches()
    assert not np.array_equal(served, jax.jit(function, **options)(*arguments))


def test_blind_to_a_side_table_that_is_filled_before():
    table = {}
    first, second = Always(0.0), Always(0.0)
    table[id(first)], table[id(second)] = 2.0, 3.0

    def run(item, x):
        return table[id(item)] * x

    compiled = audited_jit(run, audit=Audit(), static_argnums=0)
    compiled(first, X)
    assert float(compiled(second, X)) == 20.0 != float(run(second, X))


def test_blind_to_the_environment(monkeypatch):
    monkeypatch.setenv("LENTICULUM_FACTOR", "2.0")
    blind(lambda x: float(os.environ["LENTICULUM_FACTOR"]) * x, lambda: monkeypatch.setenv("LENTICULUM_FACTOR", "3.0"))


def test_blind_to_the_state_of_types_that_are_opaque():
    generator, counter = np.random.default_rng(0), itertools.count()
    blind(lambda x: generator.uniform() * x, lambda: None)
    blind(lambda x: next(counter) * x, lambda: None)


def test_blind_to_what_is_declared_benign(monkeypatch):
    compiled = audited_jit(read_global, benign=["FACTOR"])
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert float(compiled(X)) == 20.0


def test_blind_to_what_is_compiled_ahead_of_time(monkeypatch):
    lowered = audited_jit(read_global, audit=Audit()).lower(X).compile()
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert float(lowered(X)) == 20.0


def test_blind_to_a_wrong_answer_of_the_eager_side(monkeypatch):
    scanned(X)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert float(scanned(X)) == 20.0  # no jit of the user takes part


# No false alarm ------------------------------------------------------------------------------------------------------

CALLS = 0
MEMO: dict = {}


def counting(x):
    global CALLS
    CALLS += 1
    MEMO.setdefault("two", 2.0)
    return MEMO.get("two", 2.0) * x


def test_a_counter_and_a_memo_that_reach_no_program_are_excused_and_noted():
    audit = Audit()
    compiled = audited_jit(counting, audit=audit)
    assert [float(compiled(X)) for _ in range(3)] == [20.0] * 3
    assert any("reaches no program" in note for note in audit.notes())


def test_a_counter_that_is_declared_costs_nothing():
    audit = Audit(benign=("CALLS", "MEMO"))
    compiled = audited_jit(counting, audit=audit)
    before = CALLS
    for _ in range(3):
        compiled(X)
    assert CALLS == before + 1
    assert audit.notes() == []


def test_a_test_that_counts_its_traces_counts_what_it_would_without_audit():
    for jit in (jax.jit, functools.partial(audited_jit, audit=(audit := Audit()))):
        traces, counts = [], {"traces": 0}

        @functools.partial(jit, static_argnums=0)
        def run(item, x, traces=traces, counts=counts):
            traces.append(item)
            counts["traces"] += 1
            return item * x

        for item in (2, 2, 3, 2, 3):
            run(item, X)
        assert (traces, counts) == ([2, 3], {"traces": 2})
    assert (audit.traces, audit.stale) == (2, 0)


def test_an_argument_that_is_a_node_of_a_user_is_traced_once():
    class Pair:
        def __init__(self, first, order):
            self.first, self.order, self.cached = first, order, None

    jax.tree_util.register_pytree_node(
        Pair, lambda pair: ((pair.first,), pair.order), lambda order, children: Pair(children[0], order)
    )
    traces, audit = [], Audit()

    def run(pair):
        traces.append(pair.order)
        return pair.order * pair.first

    compiled = audited_jit(run, audit=audit)
    for _ in range(3):
        pair = Pair(jnp.float32(10.0), 2)
        pair.cached = 20.0  # what the round trip loses, and the program does not read
        assert float(compiled(pair)) == 20.0
    assert (traces, audit.traces, audit.stale) == ([2], 1, 0)


def test_an_extra_trace_leaves_a_global_and_a_dictionary_as_they_were():
    audit, before = Audit(), CALLS
    compiled = audited_jit(counting, audit=audit)
    for _ in range(4):
        compiled(X)
    assert (CALLS, MEMO) == (before + 1, {"two": 2.0})


def test_another_object_of_the_same_value_is_the_same(monkeypatch):
    compiled = audited_jit(read_global, audit=(audit := Audit()))
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", float("2.0"))
    compiled(X)
    assert (audit.traces, audit.notes()) == (1, [])


def test_a_change_after_the_caches_were_emptied_is_right(monkeypatch):
    compiled = audited_jit(read_global, audit=(audit := Audit()))
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    jax.clear_caches()
    assert float(compiled(X)) == 30.0
    assert (audit.traces, audit.notes()) == (2, [])


# Otherwise it is jax.jit ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"static_argnums": 1}, {"static_argnames": "n"}, {"static_argnums": (-1,)}])
def test_static_arguments(options):
    compiled = audited_jit(lambda x, n: x * n, audit=(audit := Audit()), **options)
    assert [float(compiled(X, n)) for n in (2, 3, 2)] == [20.0, 30.0, 20.0]
    assert (audit.traces, audit.stale) == (2, 0)


def test_a_static_argument_by_keyword():
    compiled = audited_jit(lambda x, n: x * n, audit=(audit := Audit()), static_argnums=1)
    assert [float(compiled(X, n=n)) for n in (2, 3)] == [20.0, 30.0]
    assert audit.traces == 2


def test_donation_shardings_and_structures():
    donating = audited_jit(lambda tree: {"out": tree["in"] + 1}, audit=Audit(), donate_argnums=0)
    given = {"in": jnp.zeros(3)}
    assert donating(given)["out"].tolist() == [1.0, 1.0, 1.0]
    assert given["in"].is_deleted()
    sharding = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    sharded = audited_jit(lambda x: (x, {"b": x}), audit=Audit(), out_shardings=(sharding, {"b": sharding}))
    assert float(sharded(X)[1]["b"]) == 10.0


def test_a_stale_program_is_shown_although_its_argument_was_given_away(monkeypatch):
    compiled = audited_jit(read_global, audit=Audit(), donate_argnums=0)
    compiled(jnp.float32(10.0))
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    with pytest.raises(StaleProgram) as raised:
        compiled(jnp.float32(10.0))
    assert float(raised.value.cold) == 30.0


def test_transformations_decorators_methods_and_disabled_jit():
    audit = Audit()

    @audited_jit(audit=audit, static_argnames="power")
    def raised_to(x, power):
        """A docstring."""
        return x**power

    class Layer:
        @functools.partial(audited_jit, audit=audit, static_argnums=0)
        def forward(self, x):
            return 2 * x

    assert (raised_to.__name__, raised_to.__doc__) == ("raised_to", "A docstring.")
    assert float(jax.grad(raised_to)(jnp.float32(3.0), power=2)) == 6.0
    assert jax.vmap(functools.partial(raised_to, power=2))(jnp.arange(3.0)).tolist() == [0.0, 1.0, 4.0]
    assert float(Layer().forward(X)) == 20.0
    with jax.disable_jit():
        assert float(raised_to(X, power=2)) == 100.0
    assert raised_to.lower(X, power=2).compile()(X) == 100.0
    assert raised_to.eval_shape(X, power=2).shape == ()


def test_the_function_of_equinox_runs_on_it(monkeypatch):
    import equinox

    audit = Audit()
    layer, x = equinox.nn.Linear(2, 3, key=jax.random.key(0)), jnp.ones(2)
    plain = equinox.filter_jit(lambda layer, x: layer(x))(layer, x)
    monkeypatch.setattr(jax, "jit", functools.partial(audited_jit, audit=audit))
    compiled = equinox.filter_jit(lambda layer, x: layer(x))
    assert np.array_equal(compiled(layer, x), plain)
    assert np.array_equal(compiled(layer, x), compiled(layer, x))


def test_one_function_has_one_cache():
    audit = Audit()
    for _ in range(3):
        audited_jit(read_global, audit=audit)(X)
    assert audit.traces == 1
