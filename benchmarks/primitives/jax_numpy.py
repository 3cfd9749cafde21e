"""Examples of jax.numpy and jax.numpy.linalg."""

import jax
import jax.numpy as jnp

from benchmarks.primitives.example import Example, booleans, call, composed, floats, integers

X, V, W, N, B = floats(3, 4), floats(5), floats(7), integers(5), booleans(3, 4)
SQUARE, CUBE = floats(3, 3), floats(2, 3, 4)

OF_ONE = (
    "abs absolute acos acosh all amax amin any arccos arccosh arcsin arcsinh arctan arctanh argmax argmin argsort "
    "around array asarray asin asinh atan atanh atleast_1d atleast_2d atleast_3d average cbrt ceil conj conjugate copy "
    "corrcoef cos cosh count_nonzero cov cumprod cumsum deg2rad degrees diag diagflat diagonal diff ediff1d empty_like "
    "exp exp2 expm1 fabs fliplr flip flipud floor frexp i0 imag iscomplex isfinite isinf isnan isneginf isposinf "
    "isreal log log10 log1p log2 logical_not matrix_transpose max mean median min minmax modf nan_to_num nanargmax "
    "nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum nanvar negative ones_like "
    "positive prod ptp rad2deg radians ravel real reciprocal rint rot90 round sign signbit sin sinc sinh sort spacing "
    "sqrt square squeeze std sum tan tanh trace transpose trapezoid tril triu trunc unstack unwrap var zeros_like "
    "angle sort_complex"
).split()

OF_TWO = (
    "add arctan2 atan2 copysign divide divmod equal float_power floor_divide fmax fmin fmod greater greater_equal "
    "heaviside hypot inner isclose less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum "
    "minimum mod multiply nextafter not_equal pow power remainder subtract true_divide vecdot outer array_equal "
    "array_equiv allclose broadcast_arrays vdot kron append"
).split()

OF_INTEGERS = (
    "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor gcd lcm left_shift right_shift".split()
)

SHAPES = (
    call("jax.numpy.astype", X, jnp.int32),
    call("jax.numpy.astype", X, jnp.bfloat16),
    call("jax.numpy.astype", N, jnp.float32),
    call("jax.numpy.array_split", V, 2),
    call("jax.numpy.block", [[SQUARE, SQUARE], [SQUARE, SQUARE]]),
    call("jax.numpy.broadcast_to", X, (2, 3, 4)),
    *(
        call(f"jax.numpy.{name}", [X, X])
        for name in "column_stack concat concatenate dstack hstack stack vstack".split()
    ),
    *(call(f"jax.numpy.{name}", floats(4, 4, 4), 2) for name in ("dsplit", "hsplit", "split", "vsplit")),
    call("jax.numpy.expand_dims", X, 1),
    call("jax.numpy.fill_diagonal", SQUARE, floats(), inplace=False),
    call("jax.numpy.full_like", X, 2.0),
    composed("jax.numpy.full", lambda value: jnp.full((3, 4), value), floats()),
    call("jax.numpy.meshgrid", V, W),
    call("jax.numpy.moveaxis", CUBE, 0, -1),
    call("jax.numpy.pad", X, 2),
    *(call("jax.numpy.pad", X, 2, mode=mode) for mode in ("edge", "linear_ramp", "maximum", "mean", "reflect", "wrap")),
    call("jax.numpy.permute_dims", CUBE, (2, 0, 1)),
    call("jax.numpy.repeat", X, 2, axis=1),
    composed(
        "jax.numpy.repeat", lambda x, n: jnp.repeat(x, n, total_repeat_length=8), V, N, what="total_repeat_length"
    ),
    call("jax.numpy.reshape", X, (2, 6)),
    call("jax.numpy.resize", X, (5, 5)),
    call("jax.numpy.roll", X, 1, axis=1),
    call("jax.numpy.roll", X, integers(), 1),
    call("jax.numpy.rollaxis", CUBE, 2),
    call("jax.numpy.swapaxes", X, 0, 1),
    call("jax.numpy.tile", X, (2, 2)),
)

MADE = (
    call("jax.numpy.arange", 5.0),
    *(
        call(f"jax.numpy.{name}", 5)
        for name in "bartlett blackman hamming hanning eye identity ones zeros empty".split()
    ),
    *(call(f"jax.numpy.{name}", 3) for name in ("diag_indices", "tri", "tril_indices", "triu_indices")),
    call("jax.numpy.diag_indices_from", SQUARE),
    call("jax.numpy.fromfunction", lambda i, j: i + j, (3, 4)),
    call("jax.numpy.geomspace", floats(), floats(), 5),
    call("jax.numpy.indices", (2, 3)),
    call("jax.numpy.ix_", integers(2), integers(3)),
    call("jax.numpy.kaiser", 5, floats()),
    call("jax.numpy.linspace", floats(), floats(), 5),
    call("jax.numpy.logspace", floats(), floats(), 5),
    call("jax.numpy.mask_indices", 3, jnp.triu, size=6),
    call("jax.numpy.tril_indices_from", SQUARE),
    call("jax.numpy.triu_indices_from", SQUARE),
    call("jax.numpy.vander", V),
)

CHOICES = (
    call("jax.numpy.where", B, X, X),
    call("jax.numpy.where", X, 1.0, 0.0),
    call("jax.numpy.where", B, size=4),
    call("jax.numpy.clip", X, 0.0, 1.0),
    call("jax.numpy.clip", X, X, X),
    call("jax.numpy.select", [B, B], [X, X], 0.0),
    call("jax.numpy.choose", integers(4), [floats(4), floats(4)], mode="clip"),
    call("jax.numpy.compress", booleans(3), X, 0, size=2),
    call("jax.numpy.extract", B, X, size=4),
    call("jax.numpy.piecewise", X, [B], [jnp.sin, jnp.cos]),
    call("jax.numpy.place", X, B, V, inplace=False),
    call("jax.numpy.nan_to_num", X, posinf=1.0),
    call("jax.numpy.isin", X, V),
)

INDEXING = (
    composed("jax.numpy.ndarray.__getitem__", lambda x, i: x[i], X, integers(), what="integer"),
    composed("jax.numpy.ndarray.__getitem__", lambda x, i: x[:, i], X, N, what="integers"),
    composed("jax.numpy.ndarray.__getitem__", lambda x: x[1:, ::-2], X, what="slices"),
    composed("jax.numpy.ndarray.__getitem__", lambda x: x[..., None, 0], X, what="ellipsis"),
    *(
        composed(
            "jax.numpy.ndarray.at",
            lambda x, i, y, method=method: getattr(x.at[i], method)(y),
            V,
            integers(3),
            floats(3),
            what=method,
        )
        for method in ("set", "add", "subtract", "multiply", "divide", "power", "min", "max")
    ),
    composed("jax.numpy.ndarray.at", lambda x, i: x.at[i].get(mode="fill", fill_value=0.0), V, integers(3), what="get"),
    composed("jax.numpy.ndarray.at", lambda x, i: x.at[i].apply(jnp.sin), V, integers(3), what="apply"),
    composed("jax.numpy.ndarray.at", lambda x, y: x.at[1:3].set(y), V, floats(2), what="set, slice"),
    call("jax.numpy.take", X, N),
    call("jax.numpy.take", X, N, axis=0, mode="fill"),
    call("jax.numpy.take", X, N, axis=0, mode="clip"),
    call("jax.numpy.take", X, N, axis=0, mode="wrap"),
    call("jax.numpy.take_along_axis", X, integers(3, 2), 1),
    call("jax.numpy.put", V, integers(3), floats(3), inplace=False),
    call("jax.numpy.put_along_axis", X, integers(3, 2), floats(3, 2), 1, inplace=False),
    call("jax.numpy.delete", V, 1),
    call("jax.numpy.insert", V, 1, floats()),
    call("jax.numpy.diagonal", X, offset=1),
    *(call(f"jax.numpy.{name}", X, size=4) for name in ("argwhere", "flatnonzero", "nonzero")),
    call("jax.numpy.ravel_multi_index", (N, N), (5, 5), mode="clip"),
    call("jax.numpy.unravel_index", N, (5, 5)),
)

SORTING = (
    call("jax.numpy.argpartition", V, 2),
    call("jax.numpy.partition", V, 2),
    call("jax.numpy.argsort", X, axis=0, descending=True),
    call("jax.numpy.lexsort", (V, V)),
    call("jax.numpy.sort", X, axis=0, descending=True),
    call("jax.numpy.searchsorted", V, W),
    *(call("jax.numpy.searchsorted", V, W, method=method) for method in ("sort", "compare_all")),
    call("jax.numpy.digitize", W, V),
    call("jax.numpy.top_k", V, 2),
    *(
        call(f"jax.numpy.{name}", V, size=5)
        for name in ("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values")
    ),
    *(call(f"jax.numpy.{name}", V, W, size=4) for name in ("intersect1d", "setdiff1d", "setxor1d", "union1d")),
)

REDUCTIONS = (
    *(call(f"jax.numpy.{name}", X, axis=1) for name in "argmax cumprod cumsum max min prod sum std var".split()),
    *(call(f"jax.numpy.{name}", X, axis=1) for name in ("cumulative_prod", "cumulative_sum")),
    composed("jax.numpy.sum", lambda x, where: jnp.sum(x, where=where), X, B, what="where"),
    composed("jax.numpy.max", lambda x, where: jnp.max(x, where=where, initial=0.0), X, B, what="where"),
    composed("jax.numpy.mean", lambda x, where: jnp.mean(x, where=where), X, B, what="where"),
    composed("jax.numpy.average", lambda x, w: jnp.average(x, weights=w), V, V, what="weights"),
    *(call(f"jax.numpy.{name}", X, 25.0) for name in ("percentile", "nanpercentile")),
    *(call(f"jax.numpy.{name}", X, floats(), method="linear") for name in ("quantile", "nanquantile")),
    *(call("jax.numpy.quantile", X, 0.25, method=method) for method in ("lower", "higher", "midpoint", "nearest")),
    call("jax.numpy.apply_along_axis", jnp.sum, 0, X),
    call("jax.numpy.apply_over_axes", jnp.sum, X, (0, 1)),
    call("jax.numpy.bincount", N, floats(5), length=4),
    call("jax.numpy.histogram", V, 4),
    call("jax.numpy.histogram2d", V, V, 4),
    call("jax.numpy.histogramdd", floats(5, 2), 4),
    call("jax.numpy.histogram_bin_edges", V, 4),
)

ALGEBRA = (
    call("jax.numpy.convolve", V, floats(3)),
    call("jax.numpy.correlate", V, floats(3)),
    call("jax.numpy.cross", floats(3), floats(3)),
    call("jax.numpy.dot", X, floats(4)),
    call("jax.numpy.dot", X, floats(4, 2)),
    call("jax.numpy.einsum", "ij,jk->ik", X, floats(4, 2)),
    call("jax.numpy.einsum", "bij,bjk,kl->bil", CUBE, floats(2, 4, 5), floats(5, 2)),
    call("jax.numpy.einsum", "ii->i", SQUARE),
    call("jax.numpy.inner", X, floats(2, 4)),
    call("jax.numpy.matmul", X, floats(4, 2)),
    call("jax.numpy.matmul", CUBE, floats(2, 4, 2), preferred_element_type=jnp.float32),
    call("jax.numpy.matvec", X, floats(4)),
    call("jax.numpy.vecmat", floats(3), X),
    call("jax.numpy.tensordot", CUBE, floats(3, 4, 2), 2),
    call("jax.numpy.gradient", V),
    call("jax.numpy.interp", W, V, V),
    call("jax.numpy.interp", W, V, V, left=0.0, right=1.0, period=2.0),
    call("jax.numpy.ldexp", V, N),
    call("jax.numpy.poly", floats(3)),
    call("jax.numpy.polyadd", V, W),
    call("jax.numpy.polyder", V),
    call("jax.numpy.polydiv", V, floats(2)),
    call("jax.numpy.polyfit", V, V, 2),
    call("jax.numpy.polyint", V),
    call("jax.numpy.polymul", V, W),
    call("jax.numpy.polysub", V, W),
    call("jax.numpy.polyval", V, W),
    call("jax.numpy.roots", V, strip_zeros=False),
    *(call("jax.numpy.power", X, exponent) for exponent in (2, 3, -1, 0.5)),
    call("jax.numpy.power", X, integers(3, 4)),
    composed("jax.numpy.ndarray.__pow__", lambda x: x**3, X),
)

LINALG = (
    *(
        call(f"jax.numpy.linalg.{name}", SQUARE)
        for name in (
            "cholesky cond det diagonal eig eigh eigvals eigvalsh inv matrix_norm matrix_rank matrix_transpose norm "
            "pinv qr slogdet svd svdvals trace vector_norm"
        ).split()
    ),
    *(call("jax.numpy.linalg.norm", SQUARE, ord=order) for order in (1, jnp.inf, -jnp.inf, "fro", "nuc", 2)),
    *(call("jax.numpy.linalg.norm", V, ord=order) for order in (0, 1, 2, 3, jnp.inf, -jnp.inf)),
    call("jax.numpy.linalg.cross", floats(3), floats(3)),
    call("jax.numpy.linalg.matmul", X, floats(4, 2)),
    call("jax.numpy.linalg.matrix_power", SQUARE, 5),
    call("jax.numpy.linalg.multi_dot", [X, floats(4, 2), floats(2, 3)]),
    call("jax.numpy.linalg.outer", V, W),
    call("jax.numpy.linalg.vecdot", V, V),
    call("jax.numpy.linalg.tensordot", CUBE, floats(3, 4, 2), axes=2),
    *(call(f"jax.numpy.linalg.{name}", SQUARE, floats(3)) for name in ("lstsq", "solve")),
    call("jax.numpy.linalg.tensorinv", SQUARE, ind=1),
    call("jax.numpy.linalg.tensorsolve", SQUARE, floats(3)),
)

BITS = (
    *(call(f"jax.numpy.{name}", N, N) for name in OF_INTEGERS),
    *(call(f"jax.numpy.{name}", N) for name in ("bitwise_count", "bitwise_invert", "bitwise_not", "invert")),
    call("jax.numpy.packbits", B),
    call("jax.numpy.unpackbits", jax.ShapeDtypeStruct((2,), jnp.uint8)),
)

EXAMPLES: tuple[Example, ...] = (
    *(call(f"jax.numpy.{name}", X) for name in OF_ONE),
    *(call(f"jax.numpy.{name}", X, X) for name in OF_TWO),
    *SHAPES,
    *MADE,
    *CHOICES,
    *INDEXING,
    *SORTING,
    *REDUCTIONS,
    *ALGEBRA,
    *LINALG,
    *BITS,
)

NOT_OF_ARRAYS = (
    "array_repr array_str asarray_chkfinite broadcast_shapes can_cast dtype einsum_path finfo from_dlpack frombuffer "
    "fromfile fromiter frompyfunc fromstring get_printoptions iinfo iscomplexobj isdtype isrealobj isscalar issubdtype "
    "iterable load ndarray ndim printoptions promote_types result_type save savez set_printoptions shape size ufunc "
    "vectorize"
).split()

LEFT_OUT = {
    **{f"jax.numpy.{name}": "not a function of arrays" for name in NOT_OF_ARRAYS},
    "jax.numpy.trim_zeros": "the shape of its result depends on values",
}
