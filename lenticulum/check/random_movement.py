"""What random programs do with places: movement, gathers and scatters by indices, order, and choices by conditions."""

from __future__ import annotations

import math

from lenticulum.check.random_operations import exact
from lenticulum.check.random_programs import Value
from lenticulum.check.random_scope import COMMON, Scope
from lenticulum.numbers.checking import no_type_check

Shape = tuple[int, ...]

#: Movement of one array from a shape to another.
MOVES: tuple[tuple[Shape, str, Shape], ...] = (
    ((3, 4), "{0}.T", (4, 3)),
    ((4, 3), "{0}.T", (3, 4)),
    ((3, 4), "{0}.reshape(4, 3)", (4, 3)),
    ((4, 3), "{0}.reshape(3, 4)", (3, 4)),
    ((2, 3, 4), "{0}[1]", (3, 4)),
    ((2, 3, 4), "{0}.transpose(2, 1, 0)[..., 0]", (4, 3)),
    ((3, 4), "{0}[-1]", (4,)),
    ((3, 4), "{0}[:, 2]", (3,)),
    ((3, 4), "{0}[::-1, ::-1]", (3, 4)),
    ((3, 4), "jnp.roll({0}, 1, 1)", (3, 4)),
    ((3, 4), "jnp.tril({0})", (3, 4)),
    ((3, 4), "lax.pad({0}, 0.5, [(1, -1, 0), (0, 0, 0)])", (3, 4)),
    ((4,), "{0}[1:]", (3,)),
    ((4,), "{0}[2]", ()),
    ((4,), "{0}[::-1]", (4,)),
    ((4,), "jnp.concatenate([{0}[1::2], {0}[::2]])", (4,)),
    ((4,), "lax.pad({0}, 0.5, [(-1, -2, 1)])", (4,)),
    ((3,), "lax.pad({0}, 0.5, [(1, 0, 0)])", (4,)),
    ((3,), "{0}[jnp.array([2, 0, 1, 1])]", (4,)),
    ((), "jnp.full((4,), {0})", (4,)),
)

#: Movement of two arrays into one.
JOINS: tuple[tuple[Shape, Shape, str, Shape], ...] = (
    ((3, 4), (3, 4), "jnp.stack([{0}, {1}])", (2, 3, 4)),
    ((3, 4), (3, 4), "jnp.split(jnp.concatenate([{0}, {1}], 1), [2, 6], 1)[1]", (3, 4)),
    ((3,), (), "jnp.append({0}, {1})", (4,)),
    ((3,), (3,), "jnp.concatenate([{0}, {1}])[1:5]", (4,)),
)


@no_type_check
def movement(scope: Scope) -> int | None:
    """The elements of an array, or of two, at other places."""
    joins = [each for each in JOINS if {*each[:2], each[3]} <= {*scope.shapes}]
    if joins and not scope.draw.integer(0, 3):
        left, right, text, made = scope.draw.choice(joins)
        places = [scope.array(left), scope.array(right)]
        one, other = (scope.values[place] for place in places)
        return scope.add(text, places, Value(made, size=max(one.size, other.size), exact=one.exact and other.exact))
    moves = [each for each in MOVES if {each[0], each[2]} <= {*scope.shapes}]
    if not moves:
        return None
    shape, text, made = scope.draw.choice(moves)
    place = scope.array(shape)
    value = scope.values[place]
    return scope.add(text, [place], Value(made, size=max(value.size, 0.5), exact=value.exact))


@no_type_check
def integers(scope: Scope, shape: Shape) -> int:
    """A place of integers of this shape: some that there are, or new ones from an order, a comparison, or a counter."""
    place = scope.find(lambda value: value.dtype == "int32" and value.shape == shape)
    if place is not None and scope.draw.integer(0, 2):
        return place
    made = Value(shape, "int32")
    if place is not None and not scope.draw.integer(0, 2):
        text = scope.draw.choice(("({0} + 1) % 4", "-{0}", "jnp.maximum({0} * 2 - 3, -1)"))
        return scope.add(text, [place], made)
    exacts = exact(scope)
    if exacts is None:
        return scope.add(f"jnp.arange({math.prod(shape)}, dtype=jnp.int32).reshape({shape})", [], made)
    if shape and scope.draw.integer(0, 1):
        return scope.add("jnp.argsort({0}).astype(jnp.int32)", [scope.resized(exacts, shape)], made)
    if not shape and (4,) in scope.shapes and scope.draw.integer(0, 1):
        text = scope.draw.choice(("jnp.argmax({0}).astype(jnp.int32)", "jnp.argmin({0}).astype(jnp.int32)"))
        return scope.add(text, [scope.resized(exacts, (4,))], made)
    text = scope.draw.choice(("({0} > 0.25).astype(jnp.int32) + 1", "{0}.astype(jnp.int32)"))
    return scope.add(text, [scope.resized(exacts, shape)], made)


#: What an index out of range means in a gather.
GATHERS = (
    "{0}.at[{1}].get(mode='clip')",
    "{0}.at[{1}].get(mode='fill', fill_value=0.25)",
    "{0}.at[{1} % {n}].get(mode='promise_in_bounds')",
    "{0}[{1}]",
)


@no_type_check
def gather(scope: Scope) -> int | None:
    """Elements that integers name."""
    shape = scope.shape(((4,), (3, 4), (4, 3)))
    if shape is None:
        return None
    x = scope.array(shape)
    value = scope.values[x]
    kind = scope.draw.integer(0, 3)
    if kind == 0 and shape == (3, 4):
        row = Value((4,), size=value.size, exact=value.exact)
        text = "lax.dynamic_index_in_dim({0}, {1}, 0, keepdims=False)"
        return scope.add(text, [x, integers(scope, ())], row)
    if kind == 1 and shape == (4,) and (3,) in scope.shapes:
        window = Value((3,), size=value.size, exact=value.exact)
        return scope.add("lax.dynamic_slice({0}, ({1},), (3,))", [x, integers(scope, ())], window)
    if kind == 2 and shape in COMMON:
        text = f"jnp.take_along_axis({{0}}, {{1}}, axis={len(shape) - 1}, mode='clip')"
        return scope.add(text, [x, integers(scope, shape)], value)
    made = Value((4, *shape[1:]), size=max(value.size, 0.25), exact=value.exact)
    if made.shape not in scope.shapes:
        return None
    text = scope.draw.choice(GATHERS).replace("{n}", str(shape[0]))
    return scope.add(text, [x, integers(scope, (4,))], made)


@no_type_check
def scatter(scope: Scope) -> int | None:
    """Updates at the places that integers name."""
    shape = scope.shape(((4,), (4, 3)))
    if shape is None:
        return None
    x = scope.array(shape)
    value = scope.values[x]
    kind = scope.draw.integer(0, 5)
    if kind < 2:
        index, row = integers(scope, ()), scope.array(shape[1:])
        text = "{0}.at[{1}].set({2})" if kind else "lax.dynamic_update_index_in_dim({0}, {2}, {1}, 0)"
        other = scope.values[row]
        made = Value(shape, size=max(value.size, other.size), exact=value.exact and other.exact)
        return scope.add(text, [x, index, row], made)
    index, updates = integers(scope, (4,)), scope.array(shape)
    other = scope.values[updates]
    name = scope.draw.choice(("add", "add", "add", "max", "min", "multiply", "subtract"))
    size = value.size * max(1, other.size) ** 4 if name == "multiply" else value.size + 4 * other.size
    keeps = name in ("max", "min") and value.exact and other.exact
    text = f"{{0}}.at[{{1}}].{name}({{2}}, mode='drop')"
    return scope.add(text, [x, index, updates], Value(shape, size=size, exact=keeps))


@no_type_check
def order(scope: Scope) -> int | None:
    """An array in order, or the order of another; seldom of values that were rounded."""
    shape = scope.shape(((4,), (3, 4)))
    key = exact(scope) if scope.draw.integer(0, 9) else scope.array()
    if key is None or shape is None:
        return None
    key = scope.resized(key, shape)
    value = scope.values[key]
    kind = scope.draw.integer(0, 3)
    if kind == 0:
        return scope.add("jnp.sort({0}, axis=0)", [key], value)
    if kind == 1:
        return scope.add("jnp.sort({0}, descending=True)", [key], value)
    if kind == 2 and shape == (4,) and (3,) in scope.shapes:
        text, dtype = scope.draw.choice((("lax.top_k({0}, 3)[0]", "float32"), ("lax.top_k({0}, 3)[1]", "int32")))
        return scope.add(text, [key], Value((3,), dtype, value.size, value.exact))
    other = scope.array(shape)
    return scope.add("lax.sort(({0}, {1}), num_keys=1)[1]", [key, other], scope.values[other])


@no_type_check
def condition(scope: Scope, shape: Shape) -> int:
    """A place of booleans of this shape."""
    place = scope.find(lambda value: value.dtype == "bool" and value.shape == shape)
    if place is not None and scope.draw.integer(0, 1):
        text = scope.draw.choice(("~{0}", "{0} & ({1} > 0.25)", "{0} | ({1} <= -0.5)", "{0} ^ ({1} < 0)"))
        return scope.add(text, [place, scope.array(shape)], Value(shape, "bool"))
    kind = scope.draw.integer(0, 4)
    if kind == 0 and shape != (3, 4):
        text = scope.draw.choice(("{0} > 1", "{0} == 2", "{0} != {1}", "{0} <= {1}"))
        return scope.add(text, [integers(scope, shape), integers(scope, shape)], Value(shape, "bool"))
    if kind == 1 and shape == () and (4,) in scope.shapes:
        text = scope.draw.choice(("jnp.any({0} > 0.25)", "jnp.all({0} < 0.75)"))
        return scope.add(text, [scope.array((4,))], Value(shape, "bool"))
    exacts = exact(scope)
    if kind == 2 and exacts is not None:
        text = scope.draw.choice(("{0} == jnp.round({0})", "{0} != 0", "jnp.isfinite({0})"))
        return scope.add(text, [scope.resized(exacts, shape)], Value(shape, "bool"))
    places = [scope.array(shape), scope.array(shape)]
    # No enclosure decides that an array is not below itself.
    options = ("{0} > 0.25", "{0} <= {1}", "{0} >= {1}", "{0} < {1}")[: 1 if places[0] == places[1] else 4]
    return scope.add(scope.draw.choice(options), places, Value(shape, "bool"))


@no_type_check
def choice(scope: Scope) -> int:
    """A choice between arrays by booleans or by integers; or a condition counted or multiplied."""
    shape = scope.shape(COMMON) or ()
    kind = scope.draw.integer(0, 4)
    if kind == 0 and shape == (4,):
        return scope.add("jnp.sum({0}.astype(jnp.int32))", [condition(scope, shape)], Value((), "int32"))
    places = [scope.array(shape) for _ in range(3)]
    values = [scope.values[place] for place in places]
    size = max(value.size for value in values)
    if kind == 1:
        made = Value(shape, size=size, exact=values[0].exact)
        return scope.add("{1}.astype(jnp.float32) * {0}", [places[0], condition(scope, shape)], made)
    if kind == 2 and shape != (3, 4):
        made = Value(shape, size=size, exact=all(value.exact for value in values))
        text = "lax.select_n(jnp.clip({3}, 0, 2), {0}, {1}, {2})"
        return scope.add(text, [*places, integers(scope, shape)], made)
    # A condition on values that were rounded is decided nearly always, and then the choice rounds nothing.
    made = Value(shape, size=size, exact=values[0].exact and values[1].exact)
    return scope.add("jnp.where({2}, {0}, {1})", [*places[:2], condition(scope, shape)], made)
