"""Published numerical instabilities, each with a stable form; the line that loses the digits ends with `# here`.

Sources: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 1.7 to 1.14, 4.2 and 27.8;
D. Goldberg, What every computer scientist should know about floating-point arithmetic, 1991; P. Blanchard, D. J. Higham
and N. J. Higham, Accurately computing the log-sum-exp and softmax functions, 2021.
"""

import jax
import jax.numpy as jnp


def one_pass_variance(x):
    mean = jnp.mean(x)
    mean_square = jnp.mean(x * x)
    return mean_square - mean * mean  # here


def two_pass_variance(x):
    deviation = x - jnp.mean(x)
    return jnp.mean(deviation * deviation)


def gelu_by_erf(x):
    gate = 1 + jax.lax.erf(x / 1.4142135)  # here
    return 0.5 * x * gate


def gelu_by_erfc(x):
    return 0.5 * x * jax.lax.erfc(-x / 1.4142135)


def plain_softmax(x):
    powers = jnp.exp(x)  # here
    total = jnp.sum(powers)
    return powers / total


def shifted_softmax(x):
    powers = jnp.exp(x - jnp.max(x))
    return powers / jnp.sum(powers)


def log_of_sigmoid(x):
    probability = jax.nn.sigmoid(x)  # here
    return jnp.log(probability)


def log_sigmoid(x):
    return -jnp.logaddexp(-x, 0.0)


def one_minus_cosine(x):
    cosine = jnp.cos(x)
    return 1 - cosine  # here


def twice_squared_sine(x):
    half = jnp.sin(x / 2)
    return 2 * half * half


def quadratic_root(a, b, c):
    root = jnp.sqrt(b * b - 4 * a * c)
    numerator = root - b  # here
    return numerator / (2 * a)


def quadratic_root_by_the_other(a, b, c):
    root = jnp.sqrt(b * b - 4 * a * c)
    return -2 * c / (b + root)


def norm_by_squares(x):
    squares = x * x  # here
    return jnp.sqrt(jnp.sum(squares))


def scaled_norm(x):
    largest = jnp.max(jnp.abs(x))
    scaled = x / largest
    return largest * jnp.sqrt(jnp.sum(scaled * scaled))


def exponential_minus_one(x):
    power = jnp.exp(x)
    return power - 1  # here


def named_expm1(x):
    return jnp.expm1(x)


def heron_area(a, b, c):
    half = (a + b + c) / 2
    first, second = half - a, half - b  # here
    return jnp.sqrt(half * first * second * (half - c))


def kahan_area(a, b, c):
    return jnp.sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4


def plain_logsumexp(x):
    powers = jnp.exp(x)  # here
    return jnp.log(jnp.sum(powers))


def shifted_logsumexp(x):
    largest = jnp.max(x)
    return largest + jnp.log(jnp.sum(jnp.exp(x - largest)))


def sinh_by_exponentials(x):
    up, down = jnp.exp(x), jnp.exp(-x)
    return (up - down) / 2  # here


def named_sinh(x):
    return jnp.sinh(x)


def log_of_one_plus(x):
    return jnp.log(1 + x)  # here


def named_log1p(x):
    return jnp.log1p(x)


def difference_of_roots(x):
    return jnp.sqrt(x + 1) - jnp.sqrt(x)  # here


def reciprocal_of_their_sum(x):
    return 1 / (jnp.sqrt(x + 1) + jnp.sqrt(x))


#: Unstable form, stable form, arguments, and what happens on the line.
INSTABILITIES = [
    (one_pass_variance, two_pass_variance, ([1000.0, 1000.25, 999.75, 1000.5],), "cancellation"),
    (gelu_by_erf, gelu_by_erfc, (-5.5,), "cancellation"),
    (plain_softmax, shifted_softmax, ([1.0, 100.0, 99.0],), "overflow"),
    (log_of_sigmoid, log_sigmoid, (-110.0,), "underflow"),
    (one_minus_cosine, twice_squared_sine, (1e-3,), "cancellation"),
    (quadratic_root, quadratic_root_by_the_other, (1.0, 10_000.0, 1.0), "cancellation"),
    (norm_by_squares, scaled_norm, ([3e20, 4e20],), "overflow"),
    (exponential_minus_one, named_expm1, (1e-6,), "cancellation"),
    (heron_area, kahan_area, (10.0, 10.0, 1e-4), "cancellation"),
    (plain_logsumexp, shifted_logsumexp, ([-120.0, -121.0],), "underflow"),
    (sinh_by_exponentials, named_sinh, (1e-4,), "cancellation"),
    (log_of_one_plus, named_log1p, (1e-6,), "ill-conditioned"),
    (difference_of_roots, reciprocal_of_their_sum, (1e6,), "cancellation"),
]
