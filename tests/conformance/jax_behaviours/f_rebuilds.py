"""Family f: one meaning, built five times: how often is it traced?"""

import dataclasses
import functools

import jax

from tests.conformance.jax_behaviours.behaviour import Counting, ours, row, ten
from tests.conformance.jax_behaviours.described import Scale, right


@dataclasses.dataclass(frozen=True)
class Multiply:
    """A callable that is equal by value."""

    factor: float = 2.0

    def __call__(self, x):
        return self.factor * x

    def method(self, x):
        return self.factor * x


class Tally:
    """How often some functions were traced."""

    traces = 0


def double(x):
    """A function at module level that counts."""
    Tally.traces += 1
    return 2.0 * x


@functools.cache
def factory(factor):
    """A memoized factory of functions that count."""

    def scale(x):
        Tally.traces += 1
        return factor * x

    return scale


class CountingMultiply(Multiply):
    """The same, counting its traces."""

    def __call__(self, x):
        Tally.traces += 1
        return self.factor * x

    def method(self, x):
        return self(x)


def five(make):
    """Traces of `jit(make())`, five times."""
    jax.clear_caches()
    Tally.traces = 0
    for _ in range(5):
        jax.jit(make())(ten())
    return f"{Tally.traces} traces"


def five_static(make):
    """Traces of a program with `make()` as static argument, five times."""
    return five_of_one(make, static_argnums=0)


def five_of_one(make, **options):
    """Traces of one compiled program that calls its argument, five times."""
    jit = Counting()
    compiled = jit(lambda function, x: function(x), **options)
    for _ in range(5):
        compiled(make(), ten())
    return f"{jit.traces} traces"


STORED = functools.partial(double)
ONE = Multiply()


@row("f1", "jit of a module function; of one stored partial; of a memoized factory's function")
def kept_functions():
    return {"function": five(lambda: double), "partial": five(lambda: STORED), "factory": five(lambda: factory(2.0))}


@row("f2", "jit of a lambda, a new functools.partial, obj.method, a value-equal callable dataclass")
def new_functions():
    item = CountingMultiply()
    return {
        "lambda": five(lambda: lambda x: double(x)),
        "partial": five(lambda: functools.partial(double)),
        "method": five(lambda: item.method),
        "dataclass": five(CountingMultiply),
    }


@row("f3", "static argument: lambda, new partial, bound method of a value-equal object")
def new_static_functions():
    return {
        "lambda": five_static(lambda: lambda x: 2.0 * x),
        "partial": five_static(lambda: functools.partial(double)),
        "method": five_static(lambda: Multiply().method),
    }


@row("f4", "static argument: bound method of the same object; value-equal callable frozen dataclass")
def equal_static_functions():
    return {"method": five_static(lambda: ONE.method), "dataclass": five_static(Multiply)}


@functools.partial(jax.tree_util.register_static)
@dataclasses.dataclass(frozen=True)
class StaticMultiply(Multiply):
    """A callable that is a pytree without leaves."""


@row("f5", "dynamic tree_util.Partial of a module function; register_static callable dataclass")
def dynamic_functions():
    return {
        "Partial": five_of_one(lambda: jax.tree_util.Partial(double)),
        "register_static": five_of_one(StaticMultiply),
    }


@row("f6", "dynamic tree_util.Partial of a new lambda; a record of closures rebuilt as a static argument")
def new_dynamic_functions():
    @dataclasses.dataclass(frozen=True)
    class Record:
        forward: object

        def __call__(self, x):
            return self.forward(x)

    return {
        "Partial": five_of_one(lambda: jax.tree_util.Partial(lambda x: 2.0 * x)),
        "record": five_of_one(lambda: Record(lambda x: 2.0 * x), static_argnums=0),
    }


@ours("f1", "f2", "f3", "f4", "f5", "f6")
def rebuilt_descriptions_hit():
    right(*(Scale(2.0) for _ in range(5)), traces=1)
