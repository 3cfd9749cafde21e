"""The two errors relative to what is excused: K, mixed backward, and T, of a reduction in any order of summation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from lenticulum.check.enclosures import Ends, ends, error_ends, magnitude_ends
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Meaning
from lenticulum.numbers import DomainError, ExactArray, Undecided, absolute, ball, vjp
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import Format

#: K <= 4: the roundings of a straightforward evaluation.
K_LIMIT = 4


@lru_cache(maxsize=16)
def constants(env: Environment) -> Ends:
    """Return u and eta of an environment."""
    return env.format.unit_roundoff, env.eta


@no_type_check
class Metrics:
    """K and T at one set of inputs, at the working precision. `exact`: the exact outputs there."""

    def __init__(
        self,
        definition: Meaning,
        term: Any,
        inputs: Mapping[str, Any],
        floats: list[str],
        exact: Mapping[str, ExactArray],
        env: Environment,
    ) -> None:
        self.definition, self.term, self.inputs, self.floats, self.exact = definition, term, inputs, floats, exact
        self.unit, self.eta = constants(env)
        self.format = env.format
        self._pulls: dict[str, Any] = {}
        self._scale: list[Ends] | None = None

    def mixed_error(self, output: str, flat: int, y: Fraction) -> Ends | None:
        """Return the ends of K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta), or None where it is undefined."""
        f = ends(self.exact[output].reshape((-1,)).take(np.array([flat])))[0]
        try:
            condition = self._condition(output, flat)
        except (Undecided, DomainError):
            return None
        error, size = error_ends(y, f), magnitude_ends(f)
        low, high = (self.unit * (condition[end] + size[end]) + self.eta for end in (0, 1))
        return error[0] / high, error[1] / low

    def _condition(self, output: str, flat: int) -> Ends:
        arrays = [ball(self.inputs[role]) for role in self.floats]
        if output not in self._pulls:

            def function(*traced: Any) -> Any:
                roles = {**self.inputs, **dict(zip(self.floats, traced, strict=True))}
                return self.definition.outputs(self.term, roles)[output]

            self._pulls[output] = vjp(function, *arrays)
        value, pull = self._pulls[output]
        basis = np.zeros(value.size)
        basis[flat] = 1
        pulled = pull(ball(basis.reshape(value.shape)))
        parts = [magnitude_ends(each) for x, dx in zip(arrays, pulled, strict=True) for each in ends(x * dx)]
        return sum((low for low, _ in parts), Fraction(0)), sum((high for _, high in parts), Fraction(0))

    def reduction_error(self, flat: int, error: Ends, f: Ends) -> Ends:
        """Return the ends of T = |C^ - C| / (u |A||B| + u |C| + n eta); the bias counts as one more product."""
        size, scale = magnitude_ends(f), self._scale_of(flat)
        floor = self.terms() * self.eta
        low, high = (self.unit * (scale[end] + size[end]) + floor for end in (0, 1))
        return error[0] / high, error[1] / low

    def rounded_last(self, flat: int, f: Ends, accumulator: Format) -> Fraction | None:
        """Return a lower bound of what a sum in a wider format may be off, if it is rounded at the end, and once more.

        gamma_n |A||B| + u (2 |C| + max |bias|) + n eta, gamma_n of the accumulator; None where n u_acc >= 1.
        """
        limit = reduction_limit(self.terms(), accumulator, self.format)
        if limit is None:
            return None
        bias = self.inputs.get("bias")
        added = 0 if bias is None else Fraction(float(np.max(np.abs(np.asarray(bias, np.float64)), initial=0.0)))
        size, scale = magnitude_ends(f)[0], self._scale_of(flat)[0]
        return limit * accumulator.unit_roundoff * scale + self.unit * (2 * size + added) + self.terms() * self.eta

    def _scale_of(self, flat: int) -> Ends:
        """Return the ends of |A||B|."""
        if self._scale is None:
            sizes = {role: absolute(ball(self.inputs[role])) for role in self.floats}
            self._scale = ends(self.definition.outputs(self.term, {**self.inputs, **sizes})[self.definition.output])
        return self._scale[flat]

    def terms(self) -> int:
        """Return the number of products in a reduction, the bias included."""
        summands = self.definition.entry.summands
        if summands is not None:
            return int(summands(self.term, {role: array.shape for role, array in self.inputs.items()}))
        return int(self.term.inputs) + int(self.term.use_bias)


def reduction_limit(n: int, accumulator: Format, output: Format) -> Fraction | None:
    """Return the T that no order of summation of n products exceeds; None where n u >= 1: the theorem says nothing.

    n / (1 - n u_acc), and (1 + u_out) times as much if the sum is then rounded to a narrower format.
    Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 3.1 and 3.5.

    >>> from lenticulum.numbers.formats import BFLOAT16, BINARY32
    >>> float(round(reduction_limit(4096, BINARY32, BFLOAT16), 1)), reduction_limit(256, BFLOAT16, BFLOAT16)
    (4113.0, None)
    """
    unit = accumulator.unit_roundoff
    if n * unit >= 1:
        return None
    limit = Fraction(n) / (1 - n * unit)
    return limit if accumulator == output else (1 + output.unit_roundoff) * limit
