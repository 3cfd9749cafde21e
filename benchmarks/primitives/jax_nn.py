"""Examples of jax.nn and its initializers."""

import jax

from benchmarks.primitives.example import Example, booleans, call, composed, floats, integers, key

X = floats(3, 4)

UNARY = (
    "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log_sigmoid log_softmax "
    "logmeanexp logsumexp mish relu relu6 selu sigmoid silu soft_sign softmax softplus sparse_plus sparse_sigmoid "
    "squareplus standardize swish tanh log1mexp"
).split()
INITIALIZERS = (
    "glorot_normal glorot_uniform he_normal he_uniform lecun_normal lecun_uniform normal truncated_normal uniform"
).split()

QUERY, MEMORY = floats(2, 3, 4, 2), floats(2, 5, 2, 2)

EXAMPLES: tuple[Example, ...] = (
    *(call(f"jax.nn.{name}", X) for name in UNARY),
    call("jax.nn.gelu", X, approximate=False),
    composed("jax.nn.softmax", lambda x, where: jax.nn.softmax(x, 0, where), X, booleans(3, 4), what="where"),
    composed("jax.nn.log_softmax", lambda x, where: jax.nn.log_softmax(x, 0, where), X, booleans(3, 4), what="where"),
    composed("jax.nn.standardize", lambda x, w: jax.nn.standardize(x, where=w), X, booleans(3, 4), what="where"),
    composed("jax.nn.logsumexp", lambda x, b: jax.nn.logsumexp(x, 1, b, return_sign=True), X, X, what="b, return_sign"),
    call("jax.nn.one_hot", integers(3), 5),
    call("jax.nn.dot_product_attention", QUERY, floats(2, 5, 4, 2), floats(2, 5, 4, 2)),
    call("jax.nn.dot_product_attention", QUERY, MEMORY, MEMORY, floats(2, 4, 3, 5), booleans(2, 4, 3, 5)),
    call("jax.nn.dot_product_attention", QUERY, QUERY, QUERY, is_causal=True, local_window_size=2),
    call("jax.nn.scaled_dot_general", X, floats(4, 3), (((1,), (0,)), ((), ()))),
    *(
        composed(
            "jax.nn.initializers",
            lambda k, name=name: getattr(jax.nn.initializers, name)()(k, (3, 4)),
            key(),
            what=name,
        )
        for name in INITIALIZERS
    ),
)

LEFT_OUT = {
    "jax.nn.get_scaled_dot_general_config": "a configuration, not a function of arrays",
    "jax.nn.scaled_matmul": "block-scaled formats of one accelerator",
}
