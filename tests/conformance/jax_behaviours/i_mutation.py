"""Family i: containers and arrays in a key that are changed in place."""

import jax
import numpy as np

from tests.conformance.jax_behaviours.behaviour import Node, against, cold, ours, row, ten
from tests.conformance.jax_behaviours.described import Scale, refused, right


def first(values, x):
    """The first element times x."""
    return float(values[0]) * x


def _program():
    return jax.jit(lambda node: first(node.aux, node.array))


def _changed(values, probe=None):
    """Compile with auxiliary data, change it in place, call again."""
    compiled = _program()
    compiled(Node(ten(), values))
    values[0] = 3.0
    probe = values if probe is None else probe
    return against(compiled(Node(ten(), probe)), cold(lambda x: first(probe, x), ten()))


@row("i1", "aux is a list, changed in place")
def auxiliary_list():
    return _changed([2.0])


@row("i2", "then a fresh list [3.]: the stored key itself was changed")
def fresh_list():
    return _changed([2.0], [3.0])


class HashedList(list):
    """A list with a hash of its value."""

    def __hash__(self):
        return hash(tuple(self))


@row("i3", "aux is a list with a value hash (never called), changed")
def hashed_list():
    return _changed(HashedList([2.0]))


def _static(item, change, take=lambda item: item):
    compiled = jax.jit(lambda held, x: first(take(held), x), static_argnums=0)
    compiled(item, ten())
    change()
    return against(compiled(item, ten()), cold(lambda x: first(take(item), x), ten()))


@row("i4", "the same object as static argument (hash is used)")
def static_hashed_list():
    values = HashedList([2.0])
    return _static(values, lambda: values.__setitem__(0, 3.0))


class Constant(list):
    """A list whose hash is constant."""

    def __hash__(self):
        return 0


class Cached:
    """A key of the content, taken once."""

    def __init__(self, values):
        self.values, self.key = values, tuple(values)

    def __eq__(self, other):
        return type(self) is type(other) and self.key == other.key

    def __hash__(self):
        return hash(self.key)


class Recomputed(Cached):
    """A key of the content, taken at each call."""

    key = property(lambda self: tuple(self.values), lambda self, value: None)


@row("i5", "static list with a constant hash; cached key over a list or the caller's array; changed")
def cached_keys():
    values, array, constant = [2.0], np.array([2.0]), Constant([2.0])
    return {
        "constant hash": _static(constant, lambda: constant.__setitem__(0, 3.0)),
        "list": _static(Cached(values), lambda: values.__setitem__(0, 3.0), lambda item: item.values),
        "array": _static(Cached(array), lambda: array.__setitem__(0, 3.0), lambda item: item.values),
    }


@row("i6", "key recomputed at each call over an array, changed")
def recomputed_key():
    array = np.array([2.0])
    return _static(Recomputed(array), lambda: array.__setitem__(0, 3.0), lambda item: item.values)


@ours("i1", "i2", "i3", "i4")
def lists_are_refused():
    refused(TypeError, lambda: Scale([2.0]), "a list is not plain data")
    refused(TypeError, lambda: Scale(HashedList([2.0])), "is not plain data")


@ours("i5", "i6")
def arrays_are_copied():
    array = np.array([2.0], np.float32)
    scale = Scale(array)
    array[0] = 3.0
    assert scale.factor[0] == 2.0
    right(scale, Scale(array), traces=2, run=lambda item, x: float(item.factor[0]) * x)
