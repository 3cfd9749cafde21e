"""Examples of jax.scipy.special."""

from benchmarks.primitives.example import Example, call, floats, integers

X = floats(4)

OF_ONE = (
    "dawsn digamma entr erf erfc erfcinv erfcx erfinv exp1 expi expit factorial fresnel gamma gammaln gammasgn i0 i0e "
    "i1 i1e log_ndtr log_softmax loggamma logit logsumexp ndtr ndtri sici softmax spence wofz"
).split()
OF_TWO = ("beta betaln boxcox boxcox1p comb gammainc gammaincc kl_div owens_t poch rel_entr xlog1py xlogy zeta").split()

EXAMPLES: tuple[Example, ...] = (
    *(call(f"jax.scipy.special.{name}", X) for name in OF_ONE),
    *(call(f"jax.scipy.special.{name}", X, X) for name in OF_TWO),
    call("jax.scipy.special.bernoulli", 5),
    call("jax.scipy.special.bessel_jn", X, v=2),
    call("jax.scipy.special.betainc", X, X, X),
    call("jax.scipy.special.expn", 2, X),
    call("jax.scipy.special.hyp1f1", X, X, X),
    call("jax.scipy.special.hyp2f1", X, X, X, X),
    call("jax.scipy.special.multigammaln", X, 3),
    call("jax.scipy.special.polygamma", 1, X),
    call("jax.scipy.special.polygamma", integers(4), X),
    call("jax.scipy.special.sph_harm_y", integers(4), integers(4), X, X, n_max=3),
)

LEFT_OUT: dict[str, str] = {}
