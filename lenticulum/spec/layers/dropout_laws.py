"""Laws of dropout: the mean over all masks is the input, and the backward pass uses the mask of the forward pass."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from lenticulum.numbers import Rational, rational
from lenticulum.spec.apply import apply
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.layers import planted
from lenticulum.spec.layers.mode_laws import Apply
from lenticulum.spec.lenses.planted_puts import Put
from lenticulum.spec.put import put
from lenticulum.terms import Dropout, Mode, Tree

KEYS = 20


def mean_over_all_masks(of: Apply, draw: Draw) -> None:
    """Every y_i is 0 or one value k_i, and the sum over masks m of q^|m| p^(n-|m|) m k = x: E[y] = x."""
    p, x = _rate(draw), _input(draw)
    kept: list[Fraction | None] = [None] * len(x)
    for _ in range(KEYS):
        y, _ = of(Dropout(p), rational(x), Tree(), Tree(), Mode.TRAIN, (draw.bits(32), draw.bits(32)))
        for i, value in enumerate(_entries(y)):
            if value:
                require(kept[i] in (None, value), "a kept element has two values", x=x, i=i, values=(kept[i], value))
                kept[i] = value
    if None in kept:
        raise Inapplicable("an element was dropped under every key")
    values = [value for value in kept if value is not None]
    mean = [sum((weight * m[i] for m, weight in _masks(len(x), p)), Fraction(0)) * k for i, k in enumerate(values)]
    require(mean == x, "the mean over all masks is not the input", rate=p, x=x, mean=mean)


def backward_uses_the_forward_mask(of: Put, draw: Draw) -> None:
    """dx = m dy / (1 - p), with the mask m that the forward pass at this key shows."""
    p, x = _rate(draw), _input(draw)
    dy, key = [fraction(draw) for _ in x], (draw.bits(32), draw.bits(32))
    y, _ = apply(Dropout(p), rational(x), Tree(), Tree(), Mode.TRAIN, key)
    _, to_x = of(Dropout(p), rational(x), Tree(), Tree(), Mode.TRAIN, key, rational(dy))
    expected = [d / (1 - p) if value else Fraction(0) for d, value in zip(dy, _entries(y), strict=True)]
    require(_entries(to_x) == expected, "the backward mask is another", rate=p, y=y, dy=dy, put=to_x, expected=expected)


def _masks(n: int, p: Fraction) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every mask with its probability."""
    for mask in product((0, 1), repeat=n):
        yield mask, prod((1 - p if kept else p for kept in mask), start=Fraction(1))


def _rate(draw: Draw) -> Fraction:
    """Never 1/2, where p and 1 - p are one number."""
    return draw.choice([Fraction(1, 4), Fraction(1, 3), Fraction(3, 5)])


def _input(draw: Draw) -> list[Fraction]:
    """Nonzero entries, so that a dropped element can be told."""
    return [Fraction(draw.choice([-1, 1]) * draw.integer(1, 9), draw.integer(1, 4)) for _ in range(draw.integer(3, 6))]


def _entries(x: object) -> list[Fraction]:
    assert isinstance(x, Rational)
    return x.tolist()


SOURCE = "Srivastava et al. 2014, scaled in training by 1/(1 - rate); derived by hand from that definition"

LAWS: tuple[Law[Apply] | Law[Put], ...] = (
    Law(
        "dropout-mean",
        "E[y] = x over all masks",
        SOURCE,
        Grade.EXACT,
        apply,
        mean_over_all_masks,
        {"scaling left out": planted.not_inverted},
    ),
    Law(
        "dropout-backward-mask",
        "dx = m dy / (1 - p) with the mask of the forward pass",
        SOURCE,
        Grade.EXACT,
        put,
        backward_uses_the_forward_mask,
        {"mask redrawn in the backward pass": planted.mask_redrawn},
    ),
)
