"""What random programs do with functions: loops, branches, calls, derivatives, and maps over an axis."""

from __future__ import annotations

from collections.abc import Sequence

from lenticulum.check import random_movement, random_operations
from lenticulum.check.random_operations import Operation
from lenticulum.check.random_programs import Function, Value
from lenticulum.check.random_scope import COMMON, DEPTH, Scope
from lenticulum.numbers.checking import no_type_check

Shape = tuple[int, ...]

#: Carry, slice and number of turns of a scan; the slices and what it writes are stacked to one of the shapes.
SCANS: tuple[tuple[Shape, Shape, int], ...] = (((4,), (4,), 3), ((), (4,), 3), ((3, 4), (3, 4), 2))

#: An array and the slices along an axis that a function is mapped over.
MAPS: tuple[tuple[Shape, Shape, int], ...] = (
    ((3, 4), (4,), 0),
    ((3, 4), (3,), 1),
    ((4,), (), 0),
    ((4, 3), (3,), 0),
)


@no_type_check
def body(scope: Scope, parameters: Sequence[Value], shape: Shape, *, loops: bool = False) -> Function:
    """A function with a result of this shape; `loops`: with a loop that a float ends."""
    inner = Scope(scope.draw, parameters, _around(parameters), scope.depth + 1)
    if loops:
        float_loop(inner)
    return inner.function([_made(inner, shape)])


@no_type_check
def _around(parameters: Sequence[Value]) -> tuple[Shape, ...]:
    """The shapes that a body may use: those of its parameters, and numbers."""
    return tuple({value.shape: None for value in parameters} | {(): None})


@no_type_check
def _made(inner: Scope, shape: Shape) -> int:
    for _ in range(inner.draw.integer(1, 3)):
        operation(inner)
    # The last line gives the result, if it is one of floats.
    place = next(place for place in reversed(range(len(inner.values))) if inner.values[place].dtype == "float32")
    return inner.resized(place, shape)


@no_type_check
def turn(scope: Scope, parameters: Sequence[Value], also: Shape | None = None) -> Function:
    """The body of a loop: the next value of the first parameter, which it bounds, and a second result if asked for."""
    inner = Scope(scope.draw, parameters, _around(parameters), scope.depth + 1)
    start = parameters[0]
    following = Value(start.shape, size=start.size)
    place = inner.add("{0} / 2 + jnp.sin({1})", [0, _made(inner, start.shape)], following)
    if also is None:
        return inner.function([place])
    other = _made(inner, also)
    text = "{0} * {1}" if other == place else inner.draw.choice(("{0} - {1}", "{0} * {1}"))
    written = inner.add(text, [place, other], Value(also, size=start.size * (inner.values[other].size + 1)))
    return inner.function([place, written])


@no_type_check
def carried(value: Value) -> Value:
    """What is known of the value that a loop carries: it stays below 2 where it starts so."""
    return Value(value.shape, size=max(value.size, 2.0))


@no_type_check
def scan(scope: Scope) -> int | None:
    """A scan in either direction, with constants and counters; its last carry or what it wrote."""
    options = [each for each in SCANS if {each[0], each[1], (each[2], *each[1])} <= {*scope.shapes}]
    if not options:
        return None
    start, slices, length = scope.draw.choice(options)
    places = [scope.array(start), scope.array((length, *slices)), scope.array(slices)]
    first, each, constant = (scope.values[place] for place in places)
    parameters = [carried(first), Value(slices, size=each.size, exact=each.exact), constant]
    flags = scope.draw.choice(("", ", reverse=True"))
    if scope.draw.integer(0, 2):
        text = f"lax.scan(lambda c, x: {{f0}}(c, x, {{2}}), {{0}}, {{1}}{flags})"
    else:
        parameters.append(Value((), "int32"))
        text = f"lax.scan(lambda c, x: {{f0}}(c, x[0], {{2}}, x[1]), {{0}}, ({{1}}, jnp.arange({length})){flags})"
    function = turn(scope, parameters, slices)
    if scope.draw.integer(0, 1):
        size = function.values()[function.results[1]].size
        return scope.add(text + "[1]", places, Value((length, *slices), size=size), [function])
    return scope.add(text + "[0]", places, carried(first), [function])


@no_type_check
def loop(scope: Scope) -> int:
    """A loop that ends by a counter, or by a float."""
    kind = scope.draw.integer(0, 3)
    if kind == 3:
        return float_loop(scope)
    start = scope.array(scope.shape(COMMON[:2]) or ())
    first = carried(scope.values[start])
    function = turn(scope, [first])
    if kind == 0:
        return scope.add("lax.fori_loop(0, 3, lambda i, c: {f0}(c), {0})", [start], first, [function])
    if kind == 1:
        text = "lax.fori_loop(0, {1} % 4, lambda i, c: {f0}(c), {0})"
    else:
        text = "lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 2, {f0}(s[1])), (jnp.abs({1}) % 3, {0}))[1]"
    return scope.add(text, [start, random_movement.integers(scope, ())], first, [function])


@no_type_check
def float_loop(scope: Scope) -> int:
    """A loop of two or three turns, which a float ends that is halved in each."""
    start = scope.array(scope.shape(COMMON[:2]) or ())
    first = carried(scope.values[start])
    function = turn(scope, [first])
    text = (
        "lax.while_loop(lambda s: s[0] > 0.3671875, lambda s: (s[0] / 2, {f0}(s[1])),"
        " (1 + jax.nn.sigmoid({1}), {0}))[1]"
    )
    return scope.add(text, [start, scope.array(())], first, [function])


@no_type_check
def branch(scope: Scope) -> int:
    """A branch by a condition, or by an integer that may be out of range."""
    place = scope.array(scope.shape(COMMON[:2]) or ())
    value = scope.values[place]
    count = scope.draw.integer(2, 3)
    functions = [body(scope, [value], value.shape) for _ in range(count)]
    size = max(_result(each).size for each in functions)
    made = Value(value.shape, size=size, exact=all(_result(each).exact for each in functions))
    if count == 2:
        test = random_movement.condition(scope, ())
        return scope.add("lax.cond({1}, {f0}, {f1}, {0})", [place, test], made, functions)
    test = random_movement.integers(scope, ())
    return scope.add("lax.switch({1}, [{f0}, {f1}, {f2}], {0})", [place, test], made, functions)


@no_type_check
def call(scope: Scope) -> int | None:
    """A call: compiled, recomputed on the way back, or of a function with a rule for its derivative."""
    shape = scope.shape(((4,), (3, 4)))
    if shape is None:
        return None
    places = [scope.array(shape), scope.array(scope.draw.choice((shape, ())))]
    wrapper = scope.draw.choice(("jax.jit", "jax.checkpoint", "with_jvp", "with_vjp"))
    function = body(scope, [scope.values[place] for place in places], shape)
    if wrapper == "with_vjp" and not _backward(function) or wrapper == "with_jvp" and not _forward(function):
        wrapper = "jax.jit"
    return scope.add(f"{wrapper}({{f0}})({{0}}, {{1}})", places, _result(function), [function])


@no_type_check
def mapped(scope: Scope) -> int | None:
    """A function mapped over an axis."""
    options = [each for each in MAPS if {*each[:2]} <= {*scope.shapes}]
    if not options:
        return None
    shape, slices, axis = scope.draw.choice(options)
    place, other = scope.array(shape), scope.array(slices)
    value = scope.values[place]
    parameters = [Value(slices, size=value.size, exact=value.exact), scope.values[other]]
    # Every second time loops side by side, which may end after different numbers of turns.
    function = body(scope, parameters, slices, loops=not scope.draw.integer(0, 1))
    made = Value(shape, size=_result(function).size, exact=_result(function).exact)
    text = f"jax.vmap({{f0}}, in_axes=({axis}, None), out_axes={axis})({{0}}, {{1}})"
    return scope.add(text, [place, other], made, [function])


@no_type_check
def derivative(scope: Scope) -> int:
    """A gradient or a directional derivative of a function, made bounded."""
    place = scope.array(scope.shape(COMMON[:2]) or ())
    value = scope.values[place]
    function = body(scope, [value], value.shape)
    made = Value(value.shape, size=1.6)
    if scope.draw.integer(0, 2) and _backward(function):
        text = "jnp.arctan(jax.grad(lambda x: jnp.sum(jnp.sin({f0}(x))))({0}))"
        return scope.add(text, [place], made, [function])
    if _forward(function):
        text = "jnp.arctan(jax.jvp({f0}, ({0},), (jnp.cos({0}),))[1])"
        return scope.add(text, [place], made, [function])
    return scope.add("jax.jit({f0})({0})", [place], _result(function), [function])


@no_type_check
def _result(function: Function) -> Value:
    return function.values()[function.results[0]]


#: JAX has no gradient of a loop whose number of turns it does not know, and no derivative at all of a function with a
#: rule for gradients only, and of a scatter of products. Derivatives of running products and extremes are programs of
#: dozens of small pieces, each of which it would compile.
NO_DERIVATIVE = ("with_vjp", "multiply(", "lax.cum", "jnp.prod")
NO_GRADIENT = ("while_loop", "fori_loop(0, {1}", *NO_DERIVATIVE[1:])


@no_type_check
def _backward(function: Function) -> bool:
    return not any(name in text for text in _texts(function) for name in NO_GRADIENT)


@no_type_check
def _forward(function: Function) -> bool:
    return not any(name in text for text in _texts(function) for name in NO_DERIVATIVE)


@no_type_check
def _texts(function: Function) -> list[str]:
    inner = [text for node in function.nodes for each in node.functions for text in _texts(each)]
    return [*(node.text for node in function.nodes), *inner]


#: Numbers from a key, between 0 and 1 or normal.
SAMPLES: tuple[tuple[str, float, bool], ...] = (
    ("jax.random.uniform(jax.random.key({0}), (4,))", 1, True),
    ("jax.random.bernoulli(jax.random.fold_in(jax.random.key(7), {0}), 0.375, (4,)).astype(jnp.float32)", 1, True),
    ("jax.random.normal(jax.random.key({0}), (4,))", 6, False),
)


@no_type_check
def sample(scope: Scope) -> int | None:
    """Numbers made of random bits."""
    if scope.depth:
        return None
    text, size, exact = scope.draw.choice(SAMPLES)
    return scope.add(text, [random_movement.integers(scope, ())], Value((4,), size=size, exact=exact))


#: How often, in parts, each kind of line is drawn.
WEIGHTS: dict[Operation, int] = {
    random_operations.function: 12,
    random_operations.exact_function: 4,
    random_operations.step: 4,
    random_operations.pair: 12,
    random_operations.reduction: 6,
    random_operations.running: 6,
    random_operations.product: 6,
    random_operations.convolution: 4,
    random_operations.narrow: 2,
    random_movement.movement: 10,
    random_movement.gather: 4,
    random_movement.scatter: 4,
    random_movement.order: 5,
    random_movement.choice: 6,
    sample: 2,
}
CONTROL: tuple[Operation, ...] = (scan, scan, loop, loop, branch, branch, call, call, mapped, derivative)
LINES = tuple(operation for operation, weight in WEIGHTS.items() for _ in range(weight))


@no_type_check
def operation(scope: Scope) -> None:
    """Add a line; one in four holds functions, where they are not nested too deeply."""
    if scope.depth < DEPTH and not scope.draw.integer(0, 3):
        control(scope)
    elif scope.draw.choice(LINES)(scope) is None:
        random_operations.function(scope)


@no_type_check
def control(scope: Scope) -> None:
    """Add a line that holds functions."""
    if scope.draw.choice(CONTROL)(scope) is None:
        loop(scope)
