"""The operations of random programs: arithmetic, named functions, reductions, products, and the movement of data.

Every operation is total: whatever its operands, the result is finite and its derivative bounded, so that the enclosure
of a program has to be narrow. What jumps (sorting, rounding to integers) is mostly asked of values that no operation
has rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from lenticulum.check.random_programs import Value
from lenticulum.check.random_scope import COMMON, Scope
from lenticulum.numbers.checking import no_type_check

Size = Callable[[float], float]
#: Adds one line, and returns its place; None if the values so far offer no operands for it.
Operation = Callable[[Scope], int | None]


@no_type_check
def _bound(size: float) -> Size:
    return lambda s: size


#: Functions of one array, with a bound on the result where its elements are at most s. The first three for all shapes.
FUNCTIONS: dict[str, Size] = {
    "jnp.tanh({0})": _bound(1),
    "jnp.sin({0})": _bound(1),
    "-{0}": lambda s: s,
    "jax.nn.sigmoid({0})": _bound(1),
    "jnp.exp(-jnp.abs({0}))": _bound(1),
    "jnp.log1p({0} * {0})": lambda s: math.log1p(s * s),
    "jnp.sqrt(1 + {0} * {0})": lambda s: 1 + s,
    "lax.rsqrt(1 + jnp.square({0}))": _bound(1),
    "{0} / (1 + jnp.abs({0}))": _bound(1),
    "0.75 - {0}": lambda s: s + 0.75,
    "jnp.tanh({0}) ** 3": _bound(1),
    "jax.nn.softplus({0})": lambda s: s + 1,
    "jax.nn.silu({0})": lambda s: s,
}

#: Of these one shape is enough.
RARE_FUNCTIONS: dict[str, Size] = {
    "jnp.cos({0})": _bound(1),
    "jax.nn.gelu({0})": lambda s: s,
    "0.1 * {0}": lambda s: s,
    "jnp.tan(jnp.tanh({0}))": _bound(1.6),
    "jnp.arcsin(jnp.tanh({0}) / 2)": _bound(1),
    "jnp.arccos(jnp.tanh({0}) / 2)": _bound(3),
    "jnp.arctan({0})": _bound(1.6),
    "jnp.sinh(jnp.sin({0}))": _bound(1.2),
    "jnp.cosh(jnp.sin({0}))": _bound(1.6),
    "jnp.arcsinh({0})": lambda s: s,
    "jnp.arccosh(2 + {0} * {0})": lambda s: 2 + s,
    "jnp.arctanh(jnp.tanh({0}) / 2)": _bound(1),
    "lax.erf({0})": _bound(1),
    "lax.erfc({0})": _bound(2),
    "lax.erf_inv(jnp.tanh({0}) / 2)": _bound(1),
    "jnp.exp2(jnp.sin({0}))": _bound(2),
    "jnp.expm1(jnp.tanh({0}))": _bound(1.8),
    "jnp.log(2 + jnp.sin({0}))": _bound(1.1),
    "jnp.cbrt(1 + {0} * {0})": lambda s: 1 + s,
    "jax.scipy.special.gammaln(1.5 + jnp.tanh({0}))": _bound(1),
    "jax.scipy.special.digamma(1.5 + jnp.tanh({0}))": _bound(2),
}

#: Functions whose result is as exact as the operand.
EXACT_FUNCTIONS: dict[str, Size] = {
    "jnp.abs({0})": lambda s: s,
    "jax.nn.relu({0})": lambda s: s,
    "lax.clamp(-0.5, {0}, 0.75)": _bound(0.75),
    "jnp.maximum({0}, -0.5)": lambda s: s,
    "jnp.where({0} > 0.5, {0}, -{0})": lambda s: s,
}

#: Jumps, of exact values.
STEPS = ("jnp.floor({0})", "jnp.ceil({0})", "jnp.round({0})", "jnp.sign({0})", "lax.round({0})", "jnp.trunc({0})")

#: Functions of two arrays, with a bound, and whether they round nothing. The first four for all shapes.
PAIRS: dict[str, tuple[Callable[[float, float], float], bool]] = {
    "{0} + {1}": (lambda s, t: s + t, False),
    "{0} - {1}": (lambda s, t: s + t, False),
    "{0} * {1}": (lambda s, t: s * t, False),
    "jnp.maximum({0}, {1})": (max, True),
    "{0} / (1 + jnp.abs({1}))": (lambda s, t: s, False),
    "jnp.minimum({0}, {1})": (max, True),
    "jnp.where({0} > {1}, {0}, {1} / 2)": (max, False),
    "jnp.where({0} <= {1}, {0}, {1})": (max, True),
}

#: Of these one shape is enough.
RARE_PAIRS: dict[str, Callable[[float, float], float]] = {
    "jnp.logaddexp({0}, {1})": lambda s, t: max(s, t) + 1,
    "jnp.arctan2({0}, 1 + {1} * {1})": lambda s, t: 1.6,
    "(1 + {0} * {0}) ** jnp.tanh({1})": lambda s, t: 1 + s * s,
    "lax.rem({0}, 2 + jnp.abs({1}))": lambda s, t: 2 + t,
    "jnp.hypot({0}, 1 + {1})": lambda s, t: 2 * (s + t + 1),
}


@no_type_check
def function(scope: Scope) -> int:
    """A function of one array."""
    place = scope.array()
    value = scope.values[place]
    if value.shape == (4,) and scope.draw.integer(0, 1):
        text = scope.draw.choice(tuple(RARE_FUNCTIONS))
        return scope.add(text, [place], Value(value.shape, size=RARE_FUNCTIONS[text](value.size)))
    text = scope.draw.choice(tuple(FUNCTIONS)[: None if value.shape in COMMON[:2] else 3])
    return scope.add(text, [place], Value(value.shape, size=FUNCTIONS[text](value.size)))


@no_type_check
def exact_function(scope: Scope) -> int:
    """A function of one array that rounds nothing."""
    place = scope.array(scope.shape(COMMON))
    value = scope.values[place]
    text = scope.draw.choice(tuple(EXACT_FUNCTIONS))
    return scope.add(text, [place], Value(value.shape, size=EXACT_FUNCTIONS[text](value.size), exact=value.exact))


@no_type_check
def exact(scope: Scope) -> int | None:
    """A place of an array of floats that no operation has rounded."""
    return scope.find(lambda value: value.exact and value.dtype == "float32")


@no_type_check
def step(scope: Scope) -> int | None:
    """A jump of exact values."""
    place = exact(scope)
    if place is None:
        return None
    place = scope.resized(place, scope.shape(COMMON) or ())
    value = scope.values[place]
    return scope.add(scope.draw.choice(STEPS), [place], Value(value.shape, size=value.size + 1, exact=True))


@no_type_check
def pair(scope: Scope) -> int:
    """A function of two arrays of one shape, or of an array and one of fewer axes."""
    left = scope.array()
    shape = scope.values[left].shape
    right = scope.array(scope.draw.choice((shape, shape, shape, shape[1:])))
    if left == right:
        return function(scope)
    one, other = scope.values[left], scope.values[right]
    if shape == (4,) == other.shape and scope.draw.integer(0, 1):
        text = scope.draw.choice(tuple(RARE_PAIRS))
        return scope.add(text, [left, right], Value(shape, size=RARE_PAIRS[text](one.size, other.size)))
    text = scope.draw.choice(tuple(PAIRS)[: None if shape in COMMON and other.shape == shape else 4])
    size, keeps = PAIRS[text]
    if other.shape not in (shape, ()):
        text = text.replace("{1}", "{1}[None]")
    both = keeps and one.exact and other.exact
    return scope.add(text, [left, right], Value(shape, size=size(one.size, other.size), exact=both))


#: Reductions along an axis of n, with a bound, and whether they round nothing.
REDUCTIONS: dict[str, tuple[Callable[[float, int], float], bool]] = {
    "jnp.sum({0}, axis={axis})": (lambda s, n: n * s, False),
    "jnp.max({0}, axis={axis})": (lambda s, n: s, True),
    "jnp.min({0}, axis={axis})": (lambda s, n: s, True),
    "jnp.mean({0}, axis={axis})": (lambda s, n: s, False),
    "jnp.prod(jnp.tanh({0}), axis={axis})": (lambda s, n: 1, False),
    "jax.nn.logsumexp({0}, axis={axis})": (lambda s, n: s + 2, False),
    "jnp.sum(jnp.square({0}), axis={axis})": (lambda s, n: n * s * s, False),
}

#: The same that keep the shape.
RUNNING: dict[str, tuple[Callable[[float, int], float], bool]] = {
    "lax.cumsum({0}, axis={axis}, reverse={flag})": (lambda s, n: n * s, False),
    "lax.cumprod(jnp.tanh({0}), axis={axis}, reverse={flag})": (lambda s, n: 1, False),
    "lax.cummax({0}, axis={axis}, reverse={flag})": (lambda s, n: s, True),
    "lax.cummin({0}, axis={axis}, reverse={flag})": (lambda s, n: s, True),
    "lax.cumlogsumexp({0}, axis={axis}, reverse={flag})": (lambda s, n: s + 2, False),
    "jax.nn.softmax({0}, axis={axis})": (lambda s, n: 1, False),
    "jax.nn.log_softmax({0}, axis={axis})": (lambda s, n: 2 * s + 2, False),
    "jax.nn.standardize({0}, axis={axis}, epsilon=0.125) + {0}": (lambda s, n: 7 * s, False),
}

#: Shape, axis and result of a reduction.
AXES = (((4,), 0, ()), ((3, 4), 0, (4,)), ((3, 4), 1, (3,)), ((3, 4), None, ()), ((2, 3, 4), 0, (3, 4)))


@no_type_check
def reduction(scope: Scope) -> int | None:
    """A reduction along an axis, or along all."""
    options = [each for each in AXES if each[0] in scope.shapes]
    if not options:
        return None
    shape, axis, made = scope.draw.choice(options)
    place = scope.array(shape)
    value = scope.values[place]
    text = scope.draw.choice(tuple(REDUCTIONS)[: None if made in COMMON[:2] else 3])
    size, keeps = REDUCTIONS[text]
    bound = size(value.size, math.prod(shape) // math.prod(made))
    return scope.add(text.replace("{axis}", str(axis)), [place], Value(made, size=bound, exact=keeps and value.exact))


@no_type_check
def running(scope: Scope) -> int | None:
    """A running reduction along the first axis, backwards of matrices; or a normalisation along the last."""
    shape = scope.shape(COMMON[:2])
    if shape is None:
        return None
    place = scope.array(shape)
    value = scope.values[place]
    text = scope.draw.choice(tuple(RUNNING))
    axis = 0 if text.startswith("lax") else len(shape) - 1
    size, keeps = RUNNING[text]
    text = text.replace("{axis}", str(axis)).replace("{flag}", str(shape == (3, 4)))
    return scope.add(text, [place], Value(shape, size=size(value.size, shape[axis]), exact=keeps and value.exact))


#: Sums of products, with the shapes of the operands and of the result, and the number of terms.
PRODUCTS = (
    ("{0} @ {1}", (3, 4), (4,), (3,), 4),
    ("{0} @ {1}", (3,), (3, 4), (4,), 3),
    ("jnp.outer({0}, {1})", (3,), (4,), (3, 4), 1),
    ("jnp.dot({0}, {1})", (4,), (4,), (), 4),
    ("jnp.einsum('ij,ij->i', {0}, {1})", (3, 4), (3, 4), (3,), 4),
    ("jnp.einsum('bij,bij->ij', {0}, {1})", (2, 3, 4), (2, 3, 4), (3, 4), 2),
    ("jnp.einsum('ij,bij->bij', {0}, {1})", (3, 4), (2, 3, 4), (2, 3, 4), 1),
    ("jnp.einsum('bij,bkj->bik', {0}, {1}) @ {1}", (2, 3, 4), (2, 3, 4), (2, 3, 4), 12),
    ("jax.nn.softmax({0} @ {1} / 2) @ {0}", (3, 4), (4, 3), (3, 4), 4),
    ("{0} @ {1} @ {0}", (3, 4), (4, 3), (3, 4), 12),
)


@no_type_check
def product(scope: Scope) -> int | None:
    """A sum of products."""
    options = [each for each in PRODUCTS if {*each[1:4]} <= {*scope.shapes}]
    if not options:
        return None
    text, left, right, made, terms = scope.draw.choice(options)
    places = [scope.array(left), scope.array(right)]
    one, other = (max(1, scope.values[place].size) for place in places)
    return scope.add(text, places, Value(made, size=terms * one * one * other * other))


#: Convolutions of (batch, channel, place) arrays (2, 3, 4) with a kernel that keep the shape: stride, padding, dilation
#: of the array and of the kernel.
GEOMETRIES = ((1, (1, 2), 1, 1), (2, (3, 3), 1, 1), (1, (2, 4), 1, 2), (1, (1, -1), 2, 1))

WINDOWS = (
    ("lax.reduce_window({0}, -jnp.inf, lax.max, (1, 2, 3), (1, 1, 1), 'SAME')", 1),
    ("lax.reduce_window({0}, 0.0, lax.add, (1, 2, 2), (1, 1, 1), 'SAME')", 4),
    ("lax.reduce_window({0}, jnp.inf, lax.min, (2, 1, 3), (1, 1, 1), 'SAME')", 1),
)


@no_type_check
def convolution(scope: Scope) -> int | None:
    """A convolution, in groups of one channel or of all; or a pooling window."""
    if (2, 3, 4) not in scope.shapes:
        return None
    x = scope.array((2, 3, 4))
    value = scope.values[x]
    kind = scope.draw.integer(0, 3)
    if kind == 3:
        text, terms = scope.draw.choice(WINDOWS)
        return scope.add(text, [x], Value(value.shape, size=terms * value.size, exact=value.exact and terms == 1))
    if kind == 2:
        kernel, terms = scope.array((2, 3, 4)), 12
        text = "lax.conv_general_dilated({0}, {1}, (1,), [(3, 2)]).reshape(2, 3, 4)"
    else:
        kernel, terms = scope.array((3, 4)), 4
        stride, padding, over, within = scope.draw.choice(GEOMETRIES)
        text = (
            f"lax.conv_general_dilated({{0}}, {{1}}[:, None], ({stride},), [{padding}], ({over},), ({within},),"
            " feature_group_count=3)"
        )
    return scope.add(text, [x, kernel], Value((2, 3, 4), size=terms * value.size * scope.values[kernel].size))


#: Changes of format and back.
NARROW = (
    "({0}.astype(jnp.bfloat16) * {1}.astype(jnp.bfloat16)).astype(jnp.float32)",
    "{1} - jnp.tanh(lax.reduce_precision({0}, 8, 20))",
    "lax.reduce_precision({0}, 8, 15) * {1}",
    "lax.reduce_precision({0}, 8, 18) - {1}",
    "{0}.astype(jnp.float16).astype(jnp.float32) + {1}",
    "jnp.dot({0}.astype(jnp.bfloat16), {1}.astype(jnp.bfloat16), preferred_element_type=jnp.float32) + {0}",
)


@no_type_check
def narrow(scope: Scope) -> int | None:
    """An operation in a narrower format."""
    if (4,) not in scope.shapes:
        return None
    places = [scope.array((4,)), scope.array((4,))]
    one, other = (scope.values[place].size for place in places)
    return scope.add(scope.draw.choice(NARROW), places, Value((4,), size=4 * one * other + one + other + 1))
