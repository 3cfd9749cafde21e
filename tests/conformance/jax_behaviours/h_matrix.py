"""The matrix behind family h: 19 pairs of equal values in 16 carriers.

The program of a value multiplies by 1 for the first of a pair and by 2 for the second, told apart by type and text; so
20 in the place of 10 is another program, whatever the two values mean. S is stale, F fresh, E an error, and - a pair
that does not arise, because the carrier does not hand the value on as it is.
"""

import collections
import dataclasses
import enum
import functools
import warnings
from decimal import Decimal
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tests.conformance.jax_behaviours.behaviour import Meta, Node, ours, row, ten
from tests.conformance.jax_behaviours.described import Scale, refused, right

Low = collections.namedtuple("Low", "lo hi")
High = collections.namedtuple("High", "hi lo")


class Color(enum.IntEnum):
    """One integer enumeration."""

    RED = 1


class Order(enum.IntEnum):
    """Another, with an equal member."""

    RED = 1


class Text(str, enum.Enum):  # noqa: UP042 - the old form, beside the new one
    """Strings that are members."""

    A = "a"


class Name(enum.StrEnum):
    """The same, as the standard library has it since 3.11."""

    A = "a"


PAIRS = {
    "True, 1": (True, 1),
    "1, 1.0": (1, 1.0),
    "True, 1.0": (True, 1.0),
    "0.0, -0.0": (0.0, -0.0),
    "1, np.int64": (1, np.int64(1)),
    "0.5, np.float32": (0.5, np.float32(0.5)),
    "np.float32, np.float64": (np.float32(0.5), np.float64(0.5)),
    "0.5, Fraction": (0.5, Fraction(1, 2)),
    "1, Decimal": (1, Decimal(1)),
    "1.0, 1+0j": (1.0, 1 + 0j),
    "IntEnum twins": (Color.RED, Order.RED),
    "IntEnum, int": (Color.RED, 1),
    "'a', str-Enum": ("a", Text.A),
    "'a', StrEnum": ("a", Name.A),
    "named-tuple twins": (Low(1, 2), High(1, 2)),
    "named tuple, tuple": (Low(1, 2), (1, 2)),
    "np.bool_, bool": (np.bool_(True), True),
    "empty ranges": (range(0), range(3, 3)),
    "frozenset of 1, of True": (frozenset({1}), frozenset({True})),
}


def factor(value, first):
    """1 for the first of a pair, 2 for the other."""
    return 1.0 if type(value) is type(first) and repr(value) == repr(first) else 2.0


def compiled(wrap, call):
    """A carrier: `wrap` puts the value into something, `call(program)` returns what is called with it and x."""

    def carrier(first, second):
        run = call(lambda value, x: factor(value, first) * x)
        run(wrap(first), ten())
        return run(wrap(second), ten())

    return carrier


@dataclasses.dataclass(frozen=True)
class Frozen:
    """A plain frozen dataclass."""

    value: object


def _nested(take):
    return lambda program: jax.jit(lambda item, x: program(take(item), x), static_argnums=0)


def _dynamic(take):
    return lambda program: jax.jit(lambda item, x: program(take(item), x))


def _registered_static(first, second):
    kind = jax.tree_util.register_static(dataclasses.make_dataclass("Held", ["value"], frozen=True))
    return compiled(kind, _dynamic(lambda item: item.value))(first, second)


def _equinox_field(first, second):
    import equinox

    class Module(equinox.Module):
        value: object = equinox.field(static=True)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equinox warns of scalars of NumPy that are static
        return compiled(Module, _dynamic(lambda item: item.value))(first, second)


def _checkpoint(first, second):
    return compiled(lambda each: each, lambda program: jax.checkpoint(program, static_argnums=0))(first, second)


def _scan(first, second):
    def body(node, _):
        return Node(node.array * factor(node.aux, first), node.aux), None

    def run(value):
        return lax.scan(body, Node(ten(), value), length=1)[0].array

    run(first)
    return run(second)


def _filter_jit(first, second):
    import equinox

    return compiled(lambda each: each, lambda program: equinox.filter_jit(program))(first, second)


def _names(first, second):
    program = jax.jit(lambda x, value: factor(value, first) * x, static_argnames="value")
    program(ten(), value=first)
    return program(ten(), value=second)


def _memoized(first, second):
    @functools.lru_cache
    def make(value):
        return jax.jit(lambda x: factor(value, first) * x)

    make(first)(ten())
    return make(second)(ten())


def _partial(first, second):
    def program(value, x):
        return factor(value, first) * x

    run = jax.jit(lambda function, x: function(x))
    run(jax.tree_util.Partial(functools.partial(program, first)), ten())
    return run(jax.tree_util.Partial(functools.partial(program, second)), ten())


def _custom_rule(first, second):
    @functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
    def program(value, x):
        return factor(value, first) * x

    program.defvjp(lambda value, x: (program(value, x), None), lambda value, kept, g: (g,))
    program(first, ten())
    return program(second, ten())


CARRIERS = {
    "static tuple": compiled(lambda each: (each,), _nested(lambda item: item[0])),
    "frozen dataclass": compiled(Frozen, _nested(lambda item: item.value)),
    "aux tuple": compiled(lambda each: Node(None, (each,)), _dynamic(lambda item: item.aux[0])),
    "bare aux": compiled(lambda each: Node(None, each), _dynamic(lambda item: item.aux)),
    "metadata field": compiled(lambda each: Meta(None, each), _dynamic(lambda item: item.value)),
    "register_static": _registered_static,
    "dictionary key": compiled(lambda each: {each: None}, _dynamic(lambda item: next(iter(item)))),
    "equinox static field": _equinox_field,
    "checkpoint static": _checkpoint,
    "aux of an eager scan carry": _scan,
    "equinox.filter_jit argument": _filter_jit,
    "static_argnums": compiled(lambda each: each, lambda program: jax.jit(program, static_argnums=0)),
    "static_argnames": _names,
    "lru_cache factory": _memoized,
    "tree_util.Partial": _partial,
    "custom_vjp nondiff argument": _custom_rule,
}


def cell(carrier, first, second):
    """What becomes of a pair in a carrier."""
    jax.clear_caches()
    try:
        served = float(carrier(first, second))
    except Exception:
        return "E"
    return {10.0: "S", 20.0: "F"}.get(served, "?")


def line(name):
    """The outcomes of a carrier for all pairs, in order."""
    return "".join(cell(CARRIERS[name], *pair) for pair in PAIRS.values())


def _register():
    for name in CARRIERS:
        needs = ("equinox",) if "equinox" in name else ()
        row(f"h {name}", f"19 pairs in the carrier {name}", *needs)(functools.partial(line, name))


_register()

#: The pairs that a value type takes; a Decimal, a range and a string that is no string are refused.
REFUSED = ("1, Decimal", "empty ranges")


@ours("h matrix")
def every_pair_is_two_values():
    for name, (first, second) in PAIRS.items():
        if name in REFUSED:
            refused(TypeError, lambda each=second: Scale(each), "is not plain data")
        else:
            right(
                *(Scale(first), Scale(second), Scale(first)),
                traces=2,
                run=lambda item, x, first=first: jnp.float32(factor(item.factor, first)) * x,
            )
