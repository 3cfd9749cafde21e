"""Law: parameters are counted by location; a second name of a location changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law


def distinct(gradients: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Return the gradient of each location once, in one row.

    >>> distinct(np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 4.0]]), np.array([7, 7, 5])).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    first = dict(zip(reversed(owner.tolist()), reversed(gradients), strict=True))
    return np.concatenate([first[each] for each in dict.fromkeys(owner.tolist())])


def _check(kernel: Kernel, draw: Draw) -> None:
    given = kernel.drawn(draw)
    ((aliases, argument),) = ((n, a) for n, a in kernel.arguments.items() if a.kind == "aliases")
    (sizes,) = argument.of
    expected = sum(size for name, size in given[sizes].items() if name not in given[aliases])
    (got,) = kernel.call(given)
    if got.tolist() != expected:
        message = "the count is not that of the locations"
        kernel.reject("formula", message, given, got=got.tolist(), exact=expected)


def _count(function: Callable[[Mapping[str, int], Mapping[str, str]], int]) -> Kernel:
    arguments = {"sizes": Argument("sizes"), "alias": Argument("aliases", (), ("sizes",))}
    return Kernel(lambda sizes, alias: function(sizes, alias), arguments)


ALIASES: Law[Kernel] = Law(
    "tree.aliases",
    "a count over parameters is a count over their locations",
    "sharing is semantic; https://github.com/pytorch/torchtitan/pull/3225",
    Grade.EXACT,
    _count(lambda sizes, alias: sum(sizes[each] for each in dict.fromkeys(alias.get(name, name) for name in sizes))),
    _check,
    {
        "an alias counts again": _count(lambda sizes, alias: sum(sizes.values())),
        "its location is left out too": _count(
            lambda sizes, alias: sum(n for name, n in sizes.items() if name not in alias and name not in alias.values())
        ),
        "its size is subtracted again": _count(
            lambda sizes, alias: (
                sum(n for name, n in sizes.items() if name not in alias)
                - sum(sizes[name] for name in alias if name in sizes)
            )
        ),
    },
)
