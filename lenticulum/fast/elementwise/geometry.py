"""The length and the angle of a vector, with derivatives that neither overflow nor underflow in between."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Entries = Float[Array, "..."]


@jax.custom_jvp
def length(one: Entries, other: Entries) -> Entries:
    """Return sqrt(a² + b²), with the derivatives a/h and b/h; those of `jnp.hypot` are NaN or inf from 2^-64 down."""
    return jnp.hypot(one, other)


length.defjvps(lambda tangent, h, a, b: tangent * (a / h), lambda tangent, h, a, b: tangent * (b / h))


@jax.custom_jvp
def angle(ordinate: Entries, abscissa: Entries) -> Entries:
    """Return atan2(a, b), with the derivatives b/h² and -a/h²; a² + b² in those of `jnp.atan2` over- and underflows."""
    return jnp.atan2(ordinate, abscissa)


# Not b / h / h: XLA makes b / (h h) of it.
angle.defjvps(
    lambda tangent, y, a, b: tangent * (b / length(a, b) * (1 / length(a, b))),
    lambda tangent, y, a, b: tangent * (-a / length(a, b) * (1 / length(a, b))),
)
