"""What the checker needs to know of a library of modules: how one is made, which arrays it holds, how it is applied."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lenticulum.catalog import Entry
from lenticulum.check.subjects.host import Library
from lenticulum.check.subjects.layout import Layout

Arrays = Mapping[str, Any]


class Framework(ABC):
    """A library of modules.

    `host`: how it takes arrays, or None where it takes those of JAX. `sizes`: its constructor arguments and fields that
    say a size ("inputs", "outputs", "features", "window"), which the data determine. `spelling`: its names of other
    arguments, fields and arrays, where they are not those of the definitions. `opposite`: its numbers that are 1 minus
    the number of the definition.
    """

    host: Library | None = None
    sizes: Mapping[str, str]
    spelling: Mapping[str, str] = {}
    opposite: tuple[str, ...] = ()

    def parameters(self, kind: type) -> Mapping[str, inspect.Parameter]:
        """Return what the constructor takes."""
        return {n: p for n, p in inspect.signature(kind.__init__).parameters.items() if n != "self"}

    @abstractmethod
    def build(self, kind: type, keywords: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Return a new module that fits the data."""

    @abstractmethod
    def resized(self, instance: Any, sizes: Mapping[str, Any], data: Sequence[Any]) -> Any:
        """Return a copy of an instance, which stays as it is, with other sizes."""

    @abstractmethod
    def arrays(self, module: Any, data: Sequence[np.ndarray]) -> dict[str, tuple[int, ...]]:
        """Return the shapes of the arrays that a module holds, by name."""

    @abstractmethod
    def apply(self, module: Any, arrays: Arrays, data: Sequence[Any], training: bool) -> tuple[Any, Arrays]:
        """Return the value with these arrays in place of those of a module made here, and the arrays afterwards."""

    def takes(self, module: Any) -> list[inspect.Parameter]:
        """Return the arguments of a call of a module."""
        return list(inspect.signature(self.forward(module)).parameters.values())

    @abstractmethod
    def forward(self, module: Any) -> Any:
        """Return the bound method that a call of a module runs."""

    def fields(self, module: Any) -> Mapping[str, Any]:
        """Return the settings that a module holds, by name."""
        return vars(module)

    def axes(self, module: Any) -> int | None:
        """Return how many axes of positions the data have, where the module says it."""
        del module
        return None

    def read(self, role: str, name: str, value: Any, module: Any, entry: Entry) -> Any:
        """Return a setting of the library as the definition writes it. Raises: CallError where it has no such form."""
        del role, name, module, entry
        return value

    def written(self, role: str, value: Any) -> Any:
        """Return a setting of the definition as the library writes it. Raises: CallError where it has no such form."""
        del role
        return value

    def layout(self, entry: Entry, module: Any) -> Layout:
        """Return how the library lays out the arrays of a definition."""
        del entry, module
        return Layout()
