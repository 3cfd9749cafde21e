"""Random programs as plain data: they print as a few lines of JAX, run as those lines, and shrink by dropping nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from lenticulum.numbers.checking import no_type_check

#: Functions with a rule for their derivative, which is the derivative: lines of their own before a program that uses
#: them. `jax.custom_jvp` and `jax.custom_vjp` have no form that fits into an expression.
PRELUDE = {
    "with_jvp": """\
def with_jvp(f):
    g = jax.custom_jvp(f)
    g.defjvp(lambda primals, tangents: jax.jvp(f, primals, tangents))
    return g
""",
    "with_vjp": """\
def with_vjp(f):
    g = jax.custom_vjp(f)
    g.defvjp(lambda *primals: jax.vjp(f, *primals), lambda pull, cotangent: pull(cotangent))
    return g
""",
}


# Unchecked at run time, here and below: thousands of programs are drawn, each of dozens of values.
@no_type_check
@dataclass(frozen=True)
class Value:
    """What is known of an array before the program runs.

    Arguments: `size`: a bound on |x|; `exact`: no operation on the way to it rounds, so that an enclosure is a point,
    and every comparison and order is decided.
    """

    shape: tuple[int, ...]
    dtype: str = "float32"
    size: float = 1.0
    exact: bool = False


@no_type_check
@dataclass(frozen=True)
class Node:
    """One line: a Python expression in which {0}, {1}, ... stand for operands and {f0}, {f1}, ... for functions.

    Arguments: `operands`: places of values of the function that the line belongs to, its parameters first.
    """

    text: str
    operands: tuple[int, ...]
    value: Value
    functions: tuple[Function, ...] = ()


@no_type_check
@dataclass(frozen=True)
class Function:
    """Parameters, lines, and the places of the results; a function of one result returns it, not a tuple."""

    parameters: tuple[Value, ...]
    nodes: tuple[Node, ...]
    results: tuple[int, ...]

    def values(self) -> tuple[Value, ...]:
        """The parameters, then what each line makes."""
        return (*self.parameters, *(node.value for node in self.nodes))

    def lines(self, name: str, names: Iterator[int]) -> list[str]:
        """The text of the function; inner functions are numbered by `names`."""
        arguments = ", ".join(f"v{place}" for place in range(len(self.parameters)))
        lines = [f"def {name}({arguments}):"]
        for place, node in enumerate(self.nodes, len(self.parameters)):
            inner = {f"f{number}": f"f{next(names)}" for number in range(len(node.functions))}
            for title, function in zip(inner.values(), node.functions, strict=True):
                lines += ["    " + line for line in function.lines(title, names)]
            operands = [f"v{operand}" for operand in node.operands]
            lines.append(f"    v{place} = {node.text.format(*operands, **inner)}")
        lines.append("    return " + ", ".join(f"v{place}" for place in self.results))
        return lines

    def size(self) -> int:
        """The number of lines, those of inner functions included."""
        return sum(1 + sum(inner.size() for inner in node.functions) for node in self.nodes)

    def pruned(self) -> Function:
        """The function without the lines that no result needs."""
        needed, first = set(self.results), len(self.parameters)
        for place in range(first + len(self.nodes) - 1, first - 1, -1):
            if place in needed:
                needed.update(self.nodes[place - first].operands)
        kept = [place for place in range(first + len(self.nodes)) if place < first or place in needed]
        new = {old: place for place, old in enumerate(kept)}
        nodes = [self.nodes[place - first] for place in kept if place >= first]
        moved = [replace(node, operands=tuple(new[old] for old in node.operands)) for node in nodes]
        return Function(self.parameters, tuple(moved), tuple(new[old] for old in self.results))

    def simpler(self) -> Iterator[Function]:
        """Functions of the same type with fewer lines: one value taken for another of its type, or an inner one so."""
        values, first = self.values(), len(self.parameters)
        for place in range(len(values) - 1, first - 1, -1):
            node, value = self.nodes[place - first], values[place]
            for other in (*node.operands, *range(place)):
                if (values[other].shape, values[other].dtype) == (value.shape, value.dtype):
                    yield self._with(place, other).pruned()
            for number, inner in enumerate(node.functions):
                for changed in inner.simpler():
                    functions = (*node.functions[:number], changed, *node.functions[number + 1 :])
                    nodes = (*self.nodes[: place - first], replace(node, functions=functions))
                    yield Function(self.parameters, (*nodes, *self.nodes[place - first + 1 :]), self.results)

    def _with(self, place: int, other: int) -> Function:
        def moved(places: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(other if each == place else each for each in places)

        nodes = tuple(replace(node, operands=moved(node.operands)) for node in self.nodes)
        return Function(self.parameters, nodes, moved(self.results))


@no_type_check
@dataclass(frozen=True)
class RandomProgram:
    """A function and arguments for it.

    >>> vector = Value((2,))
    >>> body = Function((vector,), (Node("jnp.sin({0})", (0,), vector),), (1,))
    >>> twice = Node("lax.fori_loop(0, 2, lambda i, x: {f0}(x), {0})", (0,), vector, (body,))
    >>> program = RandomProgram(Function((vector,), (twice,), (1,)), (np.array([0.0, 1.0], np.float32),))
    >>> print(program.source())
    def program(v0):
        def f0(v0):
            v1 = jnp.sin(v0)
            return v1
        v1 = lax.fori_loop(0, 2, lambda i, x: f0(x), v0)
        return v1
    >>> program.function()(*program.arguments)[0]
    Array(0., dtype=float32)
    """

    body: Function
    arguments: tuple[Any, ...]

    def source(self) -> str:
        """The program as lines of Python."""
        text = "\n".join(self.body.lines("program", count()))
        return "".join(lines for name, lines in PRELUDE.items() if name in text) + text

    def function(self) -> Callable[..., Any]:
        """What the lines define."""
        return compiled(self.source())

    def simpler(self) -> Iterator[RandomProgram]:
        """Programs with fewer results or fewer lines."""
        if len(self.body.results) > 1:
            for result in self.body.results:
                yield self._with(Function(self.body.parameters, self.body.nodes, (result,)).pruned())
        for body in self.body.simpler():
            yield self._with(body)

    def _with(self, body: Function) -> RandomProgram:
        return RandomProgram(body, self.arguments)

    def __str__(self) -> str:
        arguments = ", ".join(f"np.array({each.tolist()!r}, np.{each.dtype})" for each in self.arguments)
        return f"{self.source()}\nprogram({arguments})"


@lru_cache(maxsize=1024)
def compiled(source: str) -> Callable[..., Any]:
    """Return the function `program` that lines of Python define."""
    space: dict[str, Any] = {"jax": jax, "jnp": jnp, "lax": lax, "np": np}
    exec(compile(source, "<random program>", "exec"), space)
    return space["program"]


def smallest(program: RandomProgram, shows: Callable[[RandomProgram], bool]) -> RandomProgram:
    """Return a program that still shows something and of which no simpler one does.

    Arguments: `shows`: whether a program shows it; a program that does not run does not.
    """
    while True:
        lines = program.body.size(), len(program.body.results)
        for each in program.simpler():
            if (each.body.size(), len(each.body.results)) < lines and shows(each):
                program = each
                break
        else:
            return program
