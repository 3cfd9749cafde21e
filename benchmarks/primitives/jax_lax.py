"""Examples of jax.lax: its operators and its control flow, which need no other device."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name

from benchmarks.primitives.example import Example, booleans, call, composed, floats, integers

X, V, SQUARE, A = floats(3, 4), floats(5), floats(3, 3), floats()
N, U = integers(5), jax.ShapeDtypeStruct((5,), jnp.uint32)
IMAGE, KERNEL, LINE, LINE_KERNEL = floats(2, 3, 6, 6), floats(4, 3, 3, 3), floats(1, 2, 8), floats(4, 2, 3)

OF_ONE = (
    "abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e cbrt ceil cos cosh digamma erf erf_inv erfc exp exp2 "
    "expm1 floor is_finite lgamma log log1p log2 logistic neg one_minus_square reciprocal round rsqrt sign sin sinh "
    "sqrt square stop_gradient optimization_barrier tan tanh"
).split()
OF_TWO = (
    "add atan2 div eq ge gt igamma igamma_grad_a igammac le lt max min mul ne nextafter polygamma pow "
    "random_gamma_grad rem sub zeta"
).split()
OF_INTEGERS = (
    "add bitwise_and bitwise_or bitwise_xor div max min mul mulhi rem shift_left shift_right_arithmetic "
    "shift_right_logical sub"
).split()
CUMULATIVE = "cumlogsumexp cummax cummin cumprod cumsum".split()
KEEP = jax.checkpoint_policies.save_only_these_names("inner")
REDUCTIONS = {"add": 0.0, "max": -jnp.inf, "min": jnp.inf, "mul": 1.0}

GATHER = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
SCATTER = lax.ScatterDimensionNumbers((1,), (0,), (0,))
RAGGED = lax.RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))


def fixed_point(a: jax.Array) -> jax.Array:
    """Return cos(cos(… a)), until it changes by less than 1e-3."""
    return lax.while_loop(
        lambda pair: abs(pair[0] - pair[1]) > 1e-3, lambda pair: (jnp.cos(pair[0]), pair[0]), (a, a + 1)
    )[0]


def newton(f: Callable[[jax.Array], jax.Array], x: jax.Array) -> jax.Array:
    """Return a root of a function by four steps of Newton's method."""
    return lax.fori_loop(0, 4, lambda _, x: x - f(x) / jax.grad(f)(x), x)


@jax.custom_jvp
def with_jvp(x: jax.Array) -> jax.Array:
    """Return the sine, whose derivative is given as a custom_jvp rule."""
    return jnp.sin(x)


with_jvp.defjvps(lambda tangent, _, x: tangent * jnp.cos(x))


@jax.custom_vjp
def with_vjp(x: jax.Array) -> jax.Array:
    """Return the sine, whose derivative is given as a custom_vjp rule."""
    return jnp.sin(x)


with_vjp.defvjp(lambda x: (jnp.sin(x), x), lambda x, cotangent: (cotangent * jnp.cos(x),))


@jax.custom_gradient
def with_gradient(x: jax.Array) -> tuple[jax.Array, Any]:
    """Return the sine, whose derivative is given as a custom_gradient."""
    return jnp.sin(x), lambda cotangent: cotangent * jnp.cos(x)


def named(x: jax.Array) -> jax.Array:
    """Return the sine of the sine, where the inner one has a name for the policies of checkpoint."""
    return jnp.sin(checkpoint_name(jnp.sin(x), "inner"))


OPERATORS = (
    *(call(f"jax.lax.{name}", V) for name in OF_ONE),
    *(call(f"jax.lax.{name}", V, V) for name in OF_TWO),
    *(call(f"jax.lax.{name}", N, N) for name in OF_INTEGERS),
    *(call(f"jax.lax.{name}", N) for name in ("abs", "bitwise_not", "clz", "neg", "population_count", "sign")),
    *(call(f"jax.lax.{name}", V, 0, reverse=reverse) for name in CUMULATIVE for reverse in (False, True)),
    call("jax.lax.betainc", V, V, V),
    composed("jax.lax.betainc", lambda x: lax.betainc(2.0, 3.0, x), V, what="x"),
    composed("jax.lax.igamma", lambda x: lax.igamma(2.0, x), V, what="x"),
    composed("jax.lax.igammac", lambda x: lax.igammac(2.0, x), V, what="x"),
    composed("jax.lax.polygamma", lambda x: lax.polygamma(1.0, x), V, what="x"),
    composed("jax.lax.zeta", lambda q: lax.zeta(2.0, q), V, what="q"),
    call("jax.lax.full_like", V, 2.0),
    call("jax.lax.bitcast_convert_type", V, jnp.int32),
    call("jax.lax.bitcast_convert_type", U, jnp.float32),
    call("jax.lax.clamp", V, V, V),
    call("jax.lax.convert_element_type", V, jnp.bfloat16),
    call("jax.lax.convert_element_type", N, jnp.float32),
    call("jax.lax.convert_element_type", V, jnp.int32),
    call("jax.lax.integer_pow", V, 3),
    call("jax.lax.integer_pow", V, -2),
    call("jax.lax.polynomial", V, [floats(), floats(), floats()]),
    call("jax.lax.pow", V, N),
    call("jax.lax.reduce_precision", V, 8, 7),
    call("jax.lax.rng_bit_generator", jax.ShapeDtypeStruct((4,), jnp.uint32), (3,)),
    call("jax.lax.round", V, lax.RoundingMethod.TO_NEAREST_EVEN),
    call("jax.lax.select", booleans(5), V, V),
    call("jax.lax.select_n", N, V, V, V),
)

MOVES = (
    call("jax.lax.broadcast", V, (2,)),
    call("jax.lax.broadcast_in_dim", V, (2, 5), (1,)),
    call("jax.lax.broadcast_to_rank", V, 3),
    call("jax.lax.broadcast_like", A, V),
    call("jax.lax.broadcasted_iota", jnp.float32, (2, 3), 1),
    call("jax.lax.collapse", X, 0, 2),
    call("jax.lax.concatenate", [V, V], 0),
    call("jax.lax.dynamic_index_in_dim", X, integers(), 0),
    call("jax.lax.dynamic_slice", X, (integers(), integers()), (2, 2)),
    call("jax.lax.dynamic_slice_in_dim", X, integers(), 2),
    call("jax.lax.dynamic_update_index_in_dim", X, floats(4), integers(), 0),
    call("jax.lax.dynamic_update_slice", X, floats(2, 2), (integers(), integers())),
    call("jax.lax.dynamic_update_slice_in_dim", X, floats(1, 4), integers(), 0),
    call("jax.lax.empty", (3,), jnp.float32),
    call("jax.lax.expand_dims", X, (0,)),
    call("jax.lax.full", (3,), A),
    *(
        composed(
            "jax.lax.gather",
            lambda x, i, mode=mode: lax.gather(x, i, GATHER, (1, 4), mode=mode),
            X,
            integers(5, 1),
            what=mode,
        )
        for mode in ("clip", "fill", "promise_in_bounds")
    ),
    *(
        composed(
            f"jax.lax.{name}",
            lambda x, i, y, name=name: getattr(lax, name)(x, i, y, SCATTER),
            X,
            integers(2, 1),
            floats(2, 4),
        )
        for name in ("scatter", "scatter_add", "scatter_max", "scatter_min", "scatter_mul", "scatter_sub")
    ),
    composed(
        "jax.lax.scatter_mul",
        lambda x, i, y: lax.scatter_mul(x, i, y, SCATTER, unique_indices=True),
        *(X, integers(2, 1), floats(2, 4)),
        what="unique_indices",
    ),
    composed(
        "jax.lax.scatter_apply",
        lambda x, i: lax.scatter_apply(x, i, jnp.sin, SCATTER, update_shape=(2, 4)),
        X,
        integers(2, 1),
    ),
    call("jax.lax.index_in_dim", X, 1),
    call("jax.lax.index_take", X, (integers(2),), (0,)),
    call("jax.lax.iota", jnp.float32, 5),
    call("jax.lax.pad", X, A, ((1, 2, 1), (-1, 0, 0))),
    call("jax.lax.reshape", X, (4, 3)),
    call("jax.lax.stage", X),
    call("jax.lax.rev", X, (0,)),
    call("jax.lax.slice", X, (0, 1), (3, 4), (2, 1)),
    call("jax.lax.slice_in_dim", X, 0, 2),
    call("jax.lax.split", V, (2, 3)),
    call("jax.lax.squeeze", floats(1, 4), (0,)),
    call("jax.lax.stack", [V, V]),
    call("jax.lax.tile", V, (2,)),
    call("jax.lax.transpose", X, (1, 0)),
    call("jax.lax.unstack", X),
)

REDUCING = (
    call("jax.lax.argmax", X, 1, jnp.int32),
    call("jax.lax.argmin", X, 1, jnp.int32),
    call("jax.lax.approx_max_k", V, 2),
    call("jax.lax.approx_min_k", V, 2),
    *(call(f"jax.lax.reduce_{name}", X, (0,)) for name in ("max", "min", "prod", "sum")),
    *(call(f"jax.lax.reduce_{name}", booleans(3, 4), (0,)) for name in ("and", "or", "xor")),
    *(call("jax.lax.reduce", X, start, getattr(lax, name), (0,)) for name, start in REDUCTIONS.items()),
    composed("jax.lax.reduce", lambda x: lax.reduce(x, 0.0, lambda a, b: a + b * b, (0,)), X, what="other"),
    *(
        composed(
            "jax.lax.reduce_window",
            lambda x, name=name, start=start: lax.reduce_window(x, start, getattr(lax, name), (2, 2), (1, 2), "SAME"),
            X,
            what=name,
        )
        for name, start in REDUCTIONS.items()
    ),
    call("jax.lax.sort", X),
    call("jax.lax.sort", [V, N], num_keys=1),
    call("jax.lax.sort", [V, V, V], num_keys=2),
    call("jax.lax.sort_key_val", V, V),
    call("jax.lax.top_k", X, 2),
)

PRODUCTS = (
    call("jax.lax.batch_matmul", floats(2, 3, 4), floats(2, 4, 3)),
    call("jax.lax.conv", IMAGE, KERNEL, (1, 1), "SAME"),
    call("jax.lax.conv_general_dilated", LINE, LINE_KERNEL, (2,), [(1, 2)], (2,), (2,)),
    call("jax.lax.conv_general_dilated", floats(2, 4, 6, 6), floats(4, 2, 3, 3), (1, 1), "SAME", feature_group_count=2),
    call("jax.lax.conv_general_dilated", floats(4, 3, 6, 6), KERNEL, (1, 1), "SAME", batch_group_count=2),
    call("jax.lax.conv_general_dilated", floats(1, 2, 4, 4, 4), floats(2, 2, 2, 2, 2), (1, 1, 1), "VALID"),
    call("jax.lax.conv_general_dilated_local", LINE, floats(4, 6, 6), (1,), "VALID", (3,)),
    call("jax.lax.conv_general_dilated_patches", IMAGE, (2, 2), (1, 1), "VALID"),
    call("jax.lax.conv_transpose", LINE, floats(2, 4, 3), (2,), "SAME", dimension_numbers=("NCH", "IOH", "NCH")),
    call("jax.lax.conv_with_general_padding", IMAGE, KERNEL, (1, 1), "SAME", (1, 1), (1, 1)),
    call("jax.lax.dot", X, floats(4, 2)),
    call("jax.lax.dot_general", floats(2, 3, 4), floats(2, 4, 3), (((2,), (1,)), ((0,), (0,)))),
    call("jax.lax.dot_general", SQUARE, SQUARE, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32),
    call("jax.lax.ragged_dot", floats(5, 3), floats(2, 3, 4), integers(2)),
    composed(
        "jax.lax.ragged_dot_general",
        lambda x, y, sizes: lax.ragged_dot_general(x, y, sizes, RAGGED),
        *(floats(5, 3), floats(2, 3, 4), integers(2)),
    ),
    call("jax.lax.scaled_dot", X, floats(4, 2)),
)

CONTROL = (
    composed("jax.lax.scan", lambda c, xs: lax.scan(lambda c, x: (c * x, jnp.sin(c)), c, xs), A, V),
    composed(
        "jax.lax.scan",
        lambda c, xs: lax.scan(lambda c, x: (c * x, jnp.sin(c)), c, xs, reverse=True, unroll=2),
        A,
        V,
        what="reverse, unroll",
    ),
    composed("jax.lax.scan", lambda c: lax.scan(lambda c, _: (jnp.cos(c), None), c, length=4), A, what="length"),
    composed("jax.lax.while_loop", fixed_point, A),
    composed("jax.lax.fori_loop", lambda c: lax.fori_loop(0, 4, lambda i, c: jnp.sin(c) * i, c), A, what="fixed"),
    composed(
        "jax.lax.fori_loop", lambda n, c: lax.fori_loop(0, n, lambda i, c: jnp.sin(c), c), integers(), A, what="traced"
    ),
    composed("jax.lax.cond", lambda p, a: lax.cond(p, jnp.sin, jnp.cos, a), booleans(), A),
    composed("jax.lax.cond", lambda a: lax.cond(a > 0, jnp.sin, jnp.cos, a), A, what="float predicate"),
    composed("jax.lax.switch", lambda i, a: lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], a), integers(), A),
    composed("jax.lax.map", partial(lax.map, jnp.sin), V),
    composed("jax.lax.map", partial(lax.map, jnp.sin, batch_size=2), V, what="batch_size"),
    composed("jax.lax.associative_scan", partial(lax.associative_scan, jnp.multiply), V),
    composed("jax.lax.associative_scan", partial(lax.associative_scan, jnp.maximum, reverse=True), V, what="reverse"),
    composed(
        "jax.lax.custom_root", lambda a: lax.custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(1.0)), A
    ),
    composed(
        "jax.lax.custom_linear_solve",
        lambda d, b: lax.custom_linear_solve(lambda x: d * x, b, lambda _, b: b / d, symmetric=True),
        V,
        V,
    ),
    composed("jax.lax.composite", lambda x: lax.composite(jnp.sin, "example.sine")(x), A),
    composed("jax.lax.platform_dependent", lambda a: lax.platform_dependent(a, cpu=jnp.sin, default=jnp.cos), A),
)

TRANSFORMS = (
    composed("jax.jit", jax.jit(jnp.sin), V),
    composed("jax.checkpoint", jax.checkpoint(lambda x: jnp.sin(jnp.sin(x))), V),
    composed("jax.checkpoint", jax.checkpoint(named, policy=KEEP), V, what="policy"),
    composed("jax.ad_checkpoint.checkpoint_name", named, V),
    composed("jax.custom_jvp", with_jvp, V),
    composed("jax.custom_vjp", with_vjp, V),
    composed("jax.custom_gradient", with_gradient, V),
    composed("jax.linearize", lambda x: jax.linearize(with_jvp, x)[1](x), V, what="custom_jvp"),
    composed("jax.linearize", lambda x: jax.linearize(with_vjp, x)[1](x), V, what="custom_vjp"),
    composed("jax.linearize", lambda x: jax.linearize(jax.checkpoint(jnp.sin), x)[1](x), V, what="checkpoint"),
    composed("jax.vmap", jax.vmap(jnp.dot), X, X),
    composed("jax.grad", jax.grad(lambda x: jnp.sum(jnp.sin(x))), V),
    composed("jax.hessian", jax.hessian(lambda x: jnp.sum(jnp.sin(x))), V),
    composed("jax.jacfwd", jax.jacfwd(jnp.sin), V),
    composed("jax.jacrev", jax.jacrev(jnp.sin), V),
    composed("jax.linearize", lambda x: jax.linearize(jnp.sin, x)[1](x), V),
    composed("jax.linear_transpose", lambda x: jax.linear_transpose(lambda y: 2 * y, x)(x), V),
)

COMMUNICATION = (
    "all_gather all_to_all axis_index axis_size pbroadcast pcast pmax pmean pmin ppermute precv psend pshuffle psum "
    "psum_scatter psum_scatter_start pswapaxes ragged_all_to_all reduce_scatter"
).split()
NOT_OF_ARRAYS = (
    "after_all create_token broadcast_shapes conv_dimension_numbers conv_general_permutations conv_general_shape_tuple "
    "conv_shape_tuple conv_transpose_shape_tuple dce_sink dtype padtype_to_pads reduce_window_shape_tuple "
    "shape_as_value with_sharding_constraint"
).split()

LEFT_OUT = {
    "jax.lax.rng_uniform": "draws from a generator without a seed, so it is no function of its operands",
    **{f"jax.lax.{name}": "complex numbers" for name in ("complex", "conj", "fft", "imag", "real")},
    **{f"jax.lax.{name}": "communication between devices" for name in COMMUNICATION},
    **{f"jax.lax.{name}": "not a function of arrays" for name in NOT_OF_ARRAYS},
}
EXAMPLES: tuple[Example, ...] = (*OPERATORS, *MOVES, *REDUCING, *PRODUCTS, *CONTROL, *TRANSFORMS)
