"""Examples of jax.random: every sampler, and the operations on keys."""

import jax

from benchmarks.primitives.example import Example, call, composed, floats, integers, key

K, P, S = key(), floats(3), (3,)

FIXED = ("bits cauchy exponential gumbel laplace logistic maxwell normal rademacher uniform").split()

EXAMPLES: tuple[Example, ...] = (
    composed("jax.random.key", lambda seed: jax.random.key_data(jax.random.key(seed)), integers()),
    composed("jax.random.PRNGKey", lambda seed: jax.random.PRNGKey(seed), integers()),
    call("jax.random.clone", K),
    call("jax.random.fold_in", K, integers()),
    call("jax.random.key_data", K),
    call("jax.random.split", K, 3),
    composed("jax.random.wrap_key_data", jax.random.wrap_key_data, jax.ShapeDtypeStruct((2,), "uint32")),
    call("jax.random.ball", K, 3, shape=S),
    *(call(f"jax.random.{name}", K, S) for name in FIXED),
    call("jax.random.bernoulli", K, P, S),
    *(
        call(f"jax.random.{name}", K, P, S)
        for name in "chisquare gamma geometric loggamma pareto poisson rayleigh t wald".split()
    ),
    *(call(f"jax.random.{name}", K, P, P) for name in ("beta", "f", "weibull_min", "truncated_normal")),
    call("jax.random.bernoulli", K, 0.5, S, mode="high"),
    call("jax.random.binomial", K, P, P),
    call("jax.random.categorical", K, floats(2, 3)),
    call("jax.random.categorical", K, floats(2, 3), mode="high"),
    call("jax.random.choice", K, P, S),
    call("jax.random.choice", K, P, (2,), replace=False),
    composed("jax.random.choice", lambda k, a, p: jax.random.choice(k, a, S, p=p), K, P, P, what="p"),
    call("jax.random.dirichlet", K, P),
    call("jax.random.double_sided_maxwell", K, 0.0, 1.0, S),
    call("jax.random.generalized_normal", K, 3.0, S),
    call("jax.random.gumbel", K, S, mode="high"),
    call("jax.random.lognormal", K, 1.0, S),
    call("jax.random.multinomial", K, integers(), P),
    call("jax.random.multivariate_normal", K, P, floats(3, 3)),
    call("jax.random.orthogonal", K, 3),
    call("jax.random.permutation", K, P),
    call("jax.random.permutation", K, floats(3, 4), axis=1, independent=True),
    call("jax.random.permutation", K, 5),
    call("jax.random.randint", K, S, 0, 10),
    composed(
        "jax.random.randint",
        lambda k, low, high: jax.random.randint(k, S, low, high),
        K,
        integers(),
        integers(),
        what="traced",
    ),
    call("jax.random.triangular", K, P, P, P),
    composed(
        "jax.random.uniform",
        lambda k, low, high: jax.random.uniform(k, S, minval=low, maxval=high),
        K,
        floats(),
        floats(),
        what="traced",
    ),
)

LEFT_OUT = {
    **{f"jax.random.{name}": "not a function of arrays" for name in ("key_dtype", "key_impl", "Key")},
}
