"""The functions of JAX that claim to be an elementwise definition of one argument, and torch's."""

from __future__ import annotations

from typing import Any, NamedTuple


class Claim(NamedTuple):
    """A definition, a function that claims to be it, and its fixed arguments."""

    spec: str
    target: str
    bind: dict[str, Any]


def claim(spec: str, target: str, **bind: Any) -> Claim:
    """Make a row."""
    return Claim(spec, target, bind)


def _each(module: str, names: str) -> list[Claim]:
    return [claim(name, f"{module}:{name}") for name in names.split()]


def _arcs(names: str) -> list[Claim]:
    return [claim(name, f"jax.numpy:arc{name[1:]}") for name in names.split()]


JAX = [
    *_each("jax.numpy", "exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan sinh cosh tanh sinc"),
    *_arcs("asin acos atan asinh acosh atanh"),
    claim("rsqrt", "jax.lax:rsqrt"),
    *_each("jax.scipy.special", "erf erfc erfinv digamma logit entr"),
    claim("lgamma", "jax.scipy.special:gammaln"),
    *_each("jax.nn", "sigmoid relu relu6 leaky_relu elu selu celu silu mish softplus log_sigmoid hard_sigmoid"),
    *_each("jax.nn", "hard_silu hard_tanh soft_sign squareplus sparse_plus"),
    claim("gelu:approximate=none", "jax.nn:gelu", approximate=False),
    claim("gelu:approximate=tanh", "jax.nn:gelu", approximate=True),
]
