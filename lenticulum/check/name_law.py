"""Law: a state follows its name, in whatever order the parameters are defined when it is restored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lenticulum.check.argument_cases import Argument
from lenticulum.check.kernel_law import Kernel
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law


def _check(kernel: Kernel, draw: Draw) -> None:
    given = kernel.drawn(draw)
    ((order, argument),) = ((n, a) for n, a in kernel.arguments.items() if a.kind == "new order")
    (states,) = argument.of
    as_saved, reordered = kernel.result({**given, order: list(given[states])}), kernel.result(given)
    if reordered != as_saved:
        message = "a state does not follow its name into another order"
        kernel.reject("state", message, given, restored=reordered, in_the_order_as_saved=as_saved)
    if list(reordered) != given[order]:
        kernel.reject("state", "the states are not in the order asked for", given, restored=reordered)


def _restore(function: Callable[[dict[str, float], list[str]], dict[str, float]]) -> Kernel:
    arguments = {"saved": Argument("states"), "order": Argument("new order", (), ("saved",))}
    return Kernel(lambda saved, order: function(saved, order), arguments)


def _by_rank(saved: dict[str, float], order: list[str]) -> dict[str, Any]:
    return dict(zip(order, (saved[name] for name in sorted(saved)), strict=True))


NAMES: Law[Kernel] = Law(
    "state.names",
    "state restored under a permutation of the names is the permuted state",
    "names are checked; https://github.com/pytorch/pytorch/issues/1489",
    Grade.EXACT,
    _restore(lambda saved, order: {name: saved[name] for name in order}),
    _check,
    {
        "by position": _restore(lambda saved, order: dict(zip(order, saved.values(), strict=True))),
        "by alphabetical position": _restore(_by_rank),
        "in the order as saved": _restore(lambda saved, order: dict(saved)),
    },
)
