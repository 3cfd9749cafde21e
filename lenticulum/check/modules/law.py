"""A law of modules: what it says, its source, how it is tried; and a trial, the module and data it is tried on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.finding import Finding
from lenticulum.check.modules.data import other
from lenticulum.check.modules.made import constructs, pure_module
from lenticulum.check.modules.pure_module import KEY, Arrays, PureModule
from lenticulum.check.target import Source
from lenticulum.check.text import jax_array


@dataclass(frozen=True)
class Held:
    """The law was tried and kept; `note`: on what."""

    note: str


@dataclass(frozen=True)
class Broken:
    """The law is broken; `lines`: what shows it after `module` and `data` were made, or by itself if `whole`."""

    kind: str
    output: str
    note: str
    lines: tuple[str, ...]
    measured: Finding | None = None
    whole: bool = False

    @property
    def finding(self) -> Finding:
        """As a finding."""
        return self.measured or Finding(self.kind, self.output, (), float("nan"), "", "regular", note=self.note)


@dataclass(frozen=True)
class NotApplicable:
    """The law says nothing about this module; `why`."""

    why: str


@dataclass(frozen=True)
class NotTried:
    """The law may say something about this module, and is not tried on it here; `why`."""

    why: str


Outcome = Held | Broken | NotApplicable | NotTried


@dataclass(frozen=True)
class ModuleLaw:
    """A law of modules.

    `name`: a few words. `statement`: what holds. `source`: where it is stated. `check`: tries it; what it raises means
    that it could not be tried.
    """

    name: str
    statement: str
    source: str
    check: Callable[[Trial], Outcome]


@dataclass
class Trial:
    """What a law is tried on.

    `pure`: the module, fitted to `data`. `subject`, `make`, `bind`: what it was made from. `seed`: of all draws.
    """

    pure: PureModule
    data: tuple[Any, ...]
    subject: Any
    source: Source
    make: Mapping[str, Any]
    bind: Mapping[str, Any]
    seed: int
    notes: list[str] = field(default_factory=list)

    @property
    def modes(self) -> tuple[str | None, ...]:
        """The modes, or the one way to call it."""
        return self.pure.modes or (None,)

    @property
    def constructs(self) -> bool:
        """Whether it can be made again, with another key or other arguments."""
        return constructs(self.subject)

    def again(self, seed: int | None = None, **changes: Any) -> PureModule:
        """Return the module made again."""
        return pure_module(
            self.subject,
            make={**self.make, **changes},
            bind=self.bind,
            seed=self.seed if seed is None else seed,
            data=self.data,
            name=self.source.name,
        )

    def step(self, state: Arrays, number: int, mode: str | None, key: int = 0) -> tuple[list[np.ndarray], Arrays]:
        """Return the leaves of the value, and the new state, of one compiled call on the first or the other data."""
        data = other(self.data) if number else self.data
        y, after = self.pure.compiled(self.pure.parameters, state, data, mode, KEY(key))
        return [np.asarray(each) for each in jax.tree.leaves(y)], after

    @cached_property
    def trained(self) -> Arrays:
        """The state after two training steps."""
        return self.pure.trained(self.data, self.seed)

    def witness(self, broken: Broken) -> tuple[str, ...]:
        """Return the program that shows a finding."""
        return broken.lines if broken.whole else self.lines(broken.lines)

    def lines(self, tail: Iterable[str]) -> tuple[str, ...]:
        """Return a program: the module and its data, then what shows a finding."""
        given = ", ".join(_written(each) for each in self.data)
        options = [f"make={dict(self.make)!r}"] if self.make else []
        options += [f"bind={dict(self.bind)!r}"] if self.bind else []
        options += [f"seed={self.seed}"] if self.seed else []
        options += ["data=data"]
        imports = dict.fromkeys(
            [*self.source.imports, "import jax", "import jax.numpy as jnp", "from lenticulum.check import pure_module"]
        )
        made = f"module = pure_module({', '.join([self.source.expression, *options])})"
        return (*imports, f"data = ({given},)", made, *tail)


def _written(data: Any) -> str:
    if isinstance(data, tuple):
        return f"({', '.join(map(_written, data))},)"
    return jax_array(np.asarray(data))


def bits(arrays: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the bits of arrays by name; of keys, of their data."""
    return {name: np.asarray(on_host(each)).tobytes() for name, each in arrays.items()}


def on_host(array: Any) -> np.ndarray:
    """Return an array, or the data of keys, on the host."""
    is_key = hasattr(array, "dtype") and jnp.issubdtype(array.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(array) if is_key else array)


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the arrays that differ in their bits, or are only in one."""
    one, two = bits(before), bits(after)
    return [name for name in dict.fromkeys((*one, *two)) if one.get(name) != two.get(name)]


def same(one: Sequence[np.ndarray], two: Sequence[np.ndarray]) -> bool:
    """Return whether results have the same bits."""
    return [each.tobytes() for each in one] == [each.tobytes() for each in two]
