"""Families of inputs: what decides which mistakes of a function of arrays show is the family, not the single number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lenticulum.numbers.formats import Format

Array = np.ndarray

#: Where formulas branch and tie: zeros of both signs, equal entries, exact opposites.
LATTICE = (0.0, -0.0, 1.0, 1.0, -1.0, 2.0, -2.0, 0.5)

#: An outlier is so many times as large as the other entries.
OUTLIER = 256.0


@dataclass(frozen=True)
class Family:
    """Numbers of one kind: x = shift + scale z, z of mean 0 and standard deviation 1 unless said otherwise.

    `signed`: False takes |z|. `spread`: z = ± m 2^k with 1 <= m < 2 and k uniform in [-spread, spread]. `cancelling`:
    along the last axis the second half is the first with the other sign, so that sums cancel. `outlier`: one entry of
    each row is 256 times as large. `lattice`: entries of a small set with exact ties instead. `special`: so many of
    the entries are NaN, an infinity, a subnormal number or a zero.
    Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 1.9 and 4.5.

    >>> str(Family(shift=1000.0)), str(Family(scale=64.0, signed=False))
    ('mean 1000', 'scale 64, positive')
    """

    scale: float = 1.0
    shift: float = 0.0
    spread: int = 0
    signed: bool = True
    cancelling: bool = False
    outlier: bool = False
    lattice: bool = False
    special: float = 0.0

    def __str__(self) -> str:
        parts = [f"mean {self.shift:g}"] if self.shift else []
        parts += [f"scale {self.scale:g}"] if self.scale != 1 else []
        parts += [f"exponents from -{self.spread} to {self.spread}"] if self.spread else []
        parts += [] if self.signed else ["positive"]
        named = {"cancelling": "cancelling pairs", "outlier": "one large entry", "lattice": "ties and zeros"}
        parts += [words for name, words in named.items() if getattr(self, name)]
        parts += ["special entries"] if self.special else []
        return ", ".join(parts) or "mean 0"

    def draw(self, generator: np.random.Generator, shape: tuple[int, ...], format: Format) -> Array:
        """Return an array of float64 numbers, not yet rounded to the format."""
        if self.lattice:
            return np.asarray(generator.choice(np.array(LATTICE), shape))
        z = np.asarray(_spread(generator, shape, self.spread) if self.spread else generator.normal(size=shape))
        z = z if self.signed else np.abs(z)
        rows = z.reshape((-1, shape[-1])) if z.size and shape else np.zeros((0, 1))
        if self.outlier:
            rows[np.arange(len(rows)), generator.integers(0, rows.shape[1], len(rows))] *= OUTLIER
        if self.cancelling:
            half = rows.shape[1] // 2
            rows[:, rows.shape[1] - half :] = -rows[:, :half]
        x = np.asarray(self.shift + self.scale * z)
        return _with_special(generator, x, self.special, format) if self.special else x


def _spread(generator: np.random.Generator, shape: tuple[int, ...], spread: int) -> Array:
    exponents = generator.integers(-spread, spread + 1, shape)
    significands = generator.choice(np.array([-1.0, 1.0]), shape) * generator.uniform(1, 2, shape)
    return np.asarray(np.ldexp(significands, exponents))


def _with_special(generator: np.random.Generator, x: Array, share: float, format: Format) -> Array:
    tiny = float(format.smallest_normal) / 4
    kinds = np.array([np.nan, np.inf, -np.inf, tiny, -tiny, 0.0, -0.0])
    chosen = generator.uniform(size=x.shape) < share
    return np.where(chosen, generator.choice(kinds, x.shape), x)


#: What every function of arrays is run on. Signed sums that cancel show a narrow accumulator, a mean far above the
#: standard deviation a one-pass variance, wide exponents a lost small term, ties and zeros a wrong branch.
FAMILIES = (
    Family(),
    Family(shift=10.0),
    Family(shift=1000.0),
    Family(scale=64.0),
    Family(scale=2.0**-10),
    Family(signed=False),
    Family(spread=12),
    Family(cancelling=True),
    Family(outlier=True),
    Family(lattice=True),
)

#: The same with special entries: judged entry by entry, on small arrays.
SPECIAL = Family(special=1 / 16)
