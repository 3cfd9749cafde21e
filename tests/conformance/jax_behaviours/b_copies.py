"""Family b: keys that are carried along by copies and pickles."""

import copy
import dataclasses
import os
import pickle
import subprocess
import sys

from tests.conformance.jax_behaviours.behaviour import ours, row, static_pair
from tests.conformance.jax_behaviours.described import Scale, refused, right


@dataclasses.dataclass(frozen=True, eq=False)
class Kept:
    """A hand-kept identity beside the parameter."""

    factor: float
    identity: tuple = ("scale",)

    def __eq__(self, other):
        return isinstance(other, Kept) and self.identity == other.identity

    def __hash__(self):
        return hash(self.identity)


@row("b1", "dataclasses.replace copies a hand-kept identity tuple")
def identity_tuple():
    return static_pair(Kept(2.0), dataclasses.replace(Kept(2.0), factor=0.5))


class Caching:
    """A key that is computed once and kept in the instance."""

    def __init__(self, factor):
        self.factor = factor

    def key(self):
        return self.__dict__.setdefault("_key", (self.factor,))

    def __eq__(self, other):
        return type(self) is type(other) and self.key() == other.key()

    def __hash__(self):
        return hash(self.key())


@row("b2", "copy.copy carries a cached key, then object.__setattr__")
def copied_key():
    first = Caching(2.0)
    hash(first)
    second = copy.copy(first)
    object.__setattr__(second, "factor", 3.0)
    return static_pair(first, second)


@row("b3", "dataclasses.replace of a dataclass keyed from its fields")
def replaced():
    @dataclasses.dataclass(frozen=True)
    class Keyed:
        factor: float

    return static_pair(Keyed(2.0), dataclasses.replace(Keyed(2.0), factor=3.0))


READ = """
import pickle, sys
class Named:
    def __init__(self, name):
        self.name, self.kept = name, hash(name)
    def __eq__(self, other):
        return self.name == other.name
    def __hash__(self):
        return self.kept
if len(sys.argv) == 1:
    sys.stdout.buffer.write(pickle.dumps(Named("relu")))
else:
    read, made = pickle.loads(bytes.fromhex(sys.argv[1])), Named("relu")
    same = "equal" if read == made else "unequal"
    hashes = "hashes agree" if hash(read) == hash(made) else "hashes differ"
    print(f"{same}, {hashes}, dictionary {'hits' if read in {made: 1} else 'misses'}")
"""


def python(seed, program, *arguments):
    """The output of a program in a process with its own hashes of strings."""
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    return subprocess.run([sys.executable, "-c", program, *arguments], env=environment, capture_output=True, check=True)


@row("b4", "cached hash of a string pickled, read in another process")
def pickled_hash():
    stored = python(1, READ).stdout
    return python(2, READ, stored.hex()).stdout.decode().strip()


@ours("b1", "b3")
def a_copy_is_built_by_the_constructor():
    from lenticulum.terms.value import replace

    right(Scale(2.0), replace(Scale(2.0), factor=0.5), Scale(0.5), traces=2)


@ours("b2")
def a_copy_is_the_value_itself():
    scale = Scale(2.0)
    assert copy.copy(scale) is scale
    assert copy.deepcopy(scale) is scale
    refused(AttributeError, lambda: object.__setattr__(scale, "factor", 3.0), "is a value")


@ours("b4")
def no_hash_is_pickled():
    stored = pickle.dumps(Scale("relu")).hex()
    read = f"import pickle; from tests.conformance.jax_behaviours.described import Scale; \
print(pickle.loads(bytes.fromhex({stored!r})) in {{Scale('relu'): 1}})"
    assert python(3, read).stdout.decode().strip() == "True"
