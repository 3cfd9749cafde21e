"""Laws of the activations: their closed forms agree, the identities between them hold, derivatives are the stated ones.

Two numbers count as equal where enclosures of them are proved to differ by less than 2^-128 of their size.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from lenticulum import terms
from lenticulum.numbers import Ball, ExactArray, absolute, ball, decide, exp, jvp, rational, tanh, vjp
from lenticulum.numbers import softplus as exact_softplus
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.elementwise import planted_activations as planted
from lenticulum.spec.elementwise.activation_derivatives import KINDS, derivative, derivative_at, kinks
from lenticulum.spec.elementwise.planted_activations import Evaluate, evaluate, mistaken
from lenticulum.spec.elementwise.textbook import Form, forms_of
from lenticulum.spec.law import Grade, Law, require
from lenticulum.terms import Term, Value
from lenticulum.terms.activations import REGIONS, SIDES, SLOPES

#: A number, computed at the working precision.
Numbers = Callable[[], ExactArray]

#: Piecewise rational functions, which rational numbers decide.
RATIONAL = (
    *(terms.Relu, terms.Relu6, terms.LeakyRelu, terms.HardSigmoid),
    *(terms.HardSilu, terms.HardTanh, terms.SoftSign, terms.SparsePlus),
)

TOLERANCE = Fraction(1, 2**128)

#: Enough for 1 + tanh z at x = -40, which lies 6 700 bits below 1.
CAP = 1 << 14


def same(left: Numbers, right: Numbers, message: str, floor: int = 0, **witness: object) -> None:
    """Require two numbers to be equal: as closely as enclosures can show it, relative to `floor` or to their size."""

    def close() -> bool:
        a, b = left(), right()
        bound = TOLERANCE * (a.lift(floor) if floor else absolute(a) + absolute(b))
        return bool(a - b <= bound) and bool(b - a <= bound)

    require(decide(close, start=192, cap=CAP), message, **witness)


def at(term: Term, x: Fraction) -> ExactArray:
    """The point in the simplest number system that has the value there."""
    return rational(x) if isinstance(term, RATIONAL) else ball(x)


def point(draw: Draw) -> Fraction:
    """A number near the pieces and kinks, or in a tail."""
    return draw.choice([fraction(draw, 9, 6), Fraction(draw.integer(-40, 40))])


def drawn(draw: Draw, *kinds: type[Term]) -> Any:
    """An activation of one of the kinds, every field drawn, parameters generic."""
    kind: Any = draw.choice(kinds)
    return kind(**{name: _field(draw, kind, name) for name in kind.__dataclass_fields__})


def _field(draw: Draw, kind: type[Value], name: str) -> object:
    if name == "at_kink":
        if kind in (terms.Relu, terms.Relu6):
            return draw.choice(SLOPES)
        return draw.choice(SIDES if kind in (terms.LeakyRelu, terms.Elu, terms.Selu) else REGIONS)
    if name == "approximate":
        return draw.choice(["none", "tanh"])
    if name == "negative_slope":
        return fraction(draw)
    if name in ("low", "high"):
        return draw.integer(-5, 0) if name == "low" else positive_fraction(draw)
    return positive_fraction(draw)


def forms_agree(of: Evaluate, draw: Draw) -> None:
    """The evaluated form equals each closed form that the sources print."""
    term, x = drawn(draw, *KINDS), point(draw)
    for form in forms_of(term):
        same(lambda: of(term, at(term, x)), form_at(form, term, x), "two forms differ", term=term, x=x, form=form)


def form_at(form: Form, term: Term, x: Fraction) -> Numbers:
    """Return what computes a closed form at a point."""
    return lambda: form(at(term, x))


def reflects(of: Evaluate, draw: Draw) -> None:
    """f(x) - f(-x) = x."""
    smooth = (terms.Gelu, terms.Silu, terms.Softplus, terms.LogSigmoid, terms.Squareplus)
    term, x = drawn(draw, *smooth, terms.HardSilu, terms.SparsePlus), point(draw)
    draw.observe("every x is 0", x == 0)
    same(
        lambda: of(term, ball(x)) - of(term, ball(-x)),
        lambda: ball(x),
        "f(x) - f(-x) differs from x",
        floor=1,
        term=term,
        x=x,
    )


def reflects_about_one_half(of: Evaluate, draw: Draw) -> None:
    """hard_sigmoid(x) + hard_sigmoid(-x) = 1."""
    term, x = drawn(draw, terms.HardSigmoid), point(draw)
    total = of(term, rational(x)) + of(term, rational(-x))
    require(total == rational(1), "f(x) + f(-x) differs from 1", term=term, x=x, sum=total)


def log_sigmoid_is_reflected_softplus(of: Evaluate, draw: Draw) -> None:
    """log_sigmoid(x) = -softplus(-x)."""
    x = point(draw)
    same(
        lambda: of(terms.LogSigmoid(), ball(x)),
        lambda: -of(terms.Softplus(), ball(-x)),
        "log_sigmoid(x) differs from -softplus(-x)",
        x=x,
    )


def mish_is_gated(of: Evaluate, draw: Draw) -> None:
    """mish(x) = x tanh(softplus(x)) = x n / (n + 2) with n = e^x (e^x + 2)."""
    x = point(draw)
    same(
        lambda: of(terms.Mish(), ball(x)),
        lambda: ball(x) * tanh(exact_softplus(ball(x))),
        "mish(x) differs from x tanh(softplus(x))",
        x=x,
    )

    def rational_in_exponential() -> Ball:
        n = exp(ball(x)) * (exp(ball(x)) + 2)
        return x * n / (n + 2)

    same(lambda: of(terms.Mish(), ball(x)), rational_in_exponential, "mish(x) differs from x n / (n + 2)", x=x)


def celu_is_scaled_elu(of: Evaluate, draw: Draw) -> None:
    """celu(x, alpha) = alpha elu(x / alpha, 1)."""
    alpha, x = positive_fraction(draw), point(draw)
    draw.observe("every alpha is 1", alpha == 1)
    same(
        lambda: of(terms.Celu(alpha), ball(x)),
        lambda: alpha * of(terms.Elu(), ball(x / alpha)),
        "celu(x, alpha) differs from alpha elu(x / alpha)",
        alpha=alpha,
        x=x,
    )


def selu_is_scaled_elu(of: Evaluate, draw: Draw) -> None:
    """selu(x) = scale elu(x, alpha)."""
    term, x = drawn(draw, terms.Selu), point(draw)
    draw.observe("scale and alpha are equal", term.scale == term.alpha)
    same(
        lambda: of(term, ball(x)),
        lambda: term.scale * of(terms.Elu(term.alpha), ball(x)),
        "selu(x) differs from scale elu(x, alpha)",
        term=term,
        x=x,
    )


def idempotent(of: Evaluate, draw: Draw) -> None:
    """f(f(x)) = f(x)."""
    term, x = drawn(draw, terms.Relu, terms.Relu6, terms.HardTanh), point(draw)
    once = of(term, rational(x))
    require(of(term, once) == once, "f(f(x)) differs from f(x)", term=term, x=x, once=once)


def homogeneous(of: Evaluate, draw: Draw) -> None:
    """f(c x) = c f(x) for c > 0."""
    term, x, c = drawn(draw, terms.Relu, terms.LeakyRelu), point(draw), positive_fraction(draw)
    left, right = of(term, rational(c * x)), c * of(term, rational(x))
    require(left == right, "f(c x) differs from c f(x)", term=term, x=x, c=c, left=left, right=right)


def squareplus_has_constant_product(of: Evaluate, draw: Draw) -> None:
    """squareplus(x) squareplus(-x) = b/4."""
    term, x = drawn(draw, terms.Squareplus), point(draw)
    same(
        lambda: of(term, ball(x)) * of(term, ball(-x)),
        lambda: ball(Fraction(term.b) / 4),
        "squareplus(x) squareplus(-x) differs from b/4",
        term=term,
        x=x,
    )


def sparse_plus_joins(of: Evaluate, draw: Draw) -> None:
    """0 <= f(y) - f(x) - f'(x) (y - x) <= (y - x)² / 4: convex, and value and slope join at -1 and 1."""
    x, step = draw.choice([Fraction(-1), Fraction(1), point(draw)]), fraction(draw)
    at, slope = jvp(partial(of, terms.SparsePlus()), (rational(x),), (rational(1),))
    rest = (of(terms.SparsePlus(), rational(x + step)) - at - slope * step).item()
    require(0 <= rest <= step**2 / 4, "the pieces do not join with equal value and slope", x=x, step=step, rest=rest)


def derivatives_are_closed_forms(of: Evaluate, draw: Draw) -> None:
    """Df(x)[1], forward and in reverse, is the derivative in closed form, wherever there is no kink."""
    term, x = drawn(draw, *KINDS), point(draw)
    while any(x == kink.point for kink in kinks(term)):
        x += Fraction(1, 3)
    same(lambda: forward(of, term, x), lambda: derivative(term, at(term, x)), "the derivative differs", term=term, x=x)
    same(lambda: reverse(of, term, x), lambda: derivative(term, at(term, x)), "the reverse one differs", term=term, x=x)


def kinks_follow_the_convention(of: Evaluate, draw: Draw) -> None:
    """At a kink the derivative is that of the convention, between the one-sided ones, which are the ones stated.

    With L = sup |f''| beside the kink, |f(p + h) - f(p) - f'(p) h| <= L h² / 2 on each side. Elu has equal one-sided
    derivatives, so that it is continuously differentiable, exactly for alpha = 1.
    """
    linear = (terms.Relu, terms.Relu6, terms.LeakyRelu, terms.HardSigmoid, terms.HardTanh)
    term = drawn(draw, *linear, terms.Elu, terms.Selu, terms.HardSilu)
    kink, h = draw.choice(kinks(term)), Fraction(1, 2 ** draw.integer(10, 30))
    due = derivative_at(kink, term.at_kink)
    require(min(kink.left, kink.right) <= due <= max(kink.left, kink.right), "not between the one-sided derivatives")
    same(lambda: forward(of, term, kink.point), lambda: at(term, due), "not the convention", term=term, kink=kink)
    same(lambda: reverse(of, term, kink.point), lambda: at(term, due), "not so in reverse", term=term, kink=kink)
    for step, slope in ((-h, kink.left), (h, kink.right)):
        rest = partial(remains, of, term, kink.point, step, slope)
        require(decide(rest, cap=CAP), "the one-sided derivative is another", term=term, kink=kink, step=step)
    if isinstance(term, terms.Elu):
        require((kink.left == kink.right) == (term.alpha == 1), "elu joins smoothly for another alpha", term=term)


def remains(of: Evaluate, term: Term, p: Fraction, step: Fraction, slope: Fraction) -> bool:
    """Whether |f(p + h) - f(p) - f'(p) h| <= L h² / 2."""
    rest = of(term, at(term, p + step)) - of(term, at(term, p)) - slope * step
    bound = rest.lift(curvature(term) * step**2 / 2 + TOLERANCE)
    return bool(rest <= bound) and bool(-rest <= bound)


def curvature(term: Any) -> Fraction:
    """A bound of |f''| beside the kinks."""
    match term:
        case terms.Elu():
            return Fraction(term.alpha)
        case terms.Selu():
            return Fraction(term.scale) * Fraction(term.alpha)
        case terms.HardSilu():
            return Fraction(1, 3)
        case _:
            return Fraction(0)


def forward(of: Evaluate, term: Term, x: Fraction) -> ExactArray:
    """The derivative by dual numbers."""
    _, tangent = jvp(partial(of, term), (at(term, x),), (at(term, Fraction(1)),))
    return tangent


def reverse(of: Evaluate, term: Term, x: Fraction) -> ExactArray:
    """The derivative by the tape."""
    _, pull = vjp(partial(of, term), at(term, x))
    (cotangent,) = pull(at(term, Fraction(1)))
    return cotangent


def _law(
    id: str,
    statement: str,
    source: str,
    check: Callable[[Evaluate, Draw], None],
    mistakes: dict[str, tuple[type[Term], Evaluate]],
    grade: Grade = Grade.ENCLOSED,
) -> Law[Evaluate]:
    wrong = {name: mistaken(kind, function) for name, (kind, function) in mistakes.items()}
    return Law(id, statement, source, grade, evaluate, check, wrong)


LAWS: tuple[Law[Evaluate], ...] = (
    _law(
        "activation-forms",
        "the evaluated form equals each closed form that the sources print",
        "the sources named by each definition",
        forms_agree,
        {
            "gelu by sigmoid(1.702 x)": (terms.Gelu, planted.gelu_by_sigmoid),
            "the approximations of gelu exchanged": (terms.Gelu, planted.approximation_exchanged),
            "softplus not divided by beta": (terms.Softplus, planted.softplus_not_divided),
            "softplus with a threshold": (terms.Softplus, planted.softplus_with_threshold),
        },
    ),
    _law(
        "activation-reflection",
        "f(x) - f(-x) = x for gelu, silu, softplus, log_sigmoid, hard_silu, squareplus and sparse_plus",
        "by hand: Phi(x) + Phi(-x) = 1, sigmoid(x) + sigmoid(-x) = 1",
        reflects,
        {
            "softplus not divided by beta": (terms.Softplus, planted.softplus_not_divided),
            "squareplus not halved": (terms.Squareplus, planted.squareplus_not_halved),
            "hard_silu of |x|": (terms.HardSilu, planted.hard_silu_doubled_offset),
        },
    ),
    _law(
        "hard-sigmoid-symmetry",
        "hard_sigmoid(x) + hard_sigmoid(-x) = 1",
        "by hand",
        reflects_about_one_half,
        {"offset of another slope": (terms.HardSigmoid, planted.offset_of_another_slope)},
        Grade.EXACT,
    ),
    _law(
        "log-sigmoid-softplus",
        "log_sigmoid(x) = -softplus(-x)",
        "by hand",
        log_sigmoid_is_reflected_softplus,
        {"lost sign": (terms.LogSigmoid, planted.log_sigmoid_with_lost_sign)},
    ),
    _law(
        "mish-gate",
        "mish(x) = x tanh(softplus(x)) = x n / (n + 2), n = e^x (e^x + 2)",
        "Misra 2020, arXiv:1908.08681; the second form by hand",
        mish_is_gated,
        {"gate of the sigmoid": (terms.Mish, planted.mish_of_sigmoid)},
    ),
    _law(
        "celu-elu",
        "celu(x, alpha) = alpha elu(x / alpha, 1)",
        "Barron 2017, arXiv:1704.07483",
        celu_is_scaled_elu,
        {"argument not scaled": (terms.Celu, planted.celu_not_scaled)},
    ),
    _law(
        "selu-elu",
        "selu(x) = scale elu(x, alpha)",
        "Klambauer et al. 2017, arXiv:1706.02515",
        selu_is_scaled_elu,
        {"constants exchanged": (terms.Selu, planted.constants_exchanged)},
    ),
    _law(
        "activation-idempotent",
        "f(f(x)) = f(x) for relu, relu6 and hard_tanh",
        "by hand",
        idempotent,
        {"leaking below the low end": (terms.HardTanh, planted.leaking_below_low)},
        Grade.EXACT,
    ),
    _law(
        "activation-homogeneous",
        "f(c x) = c f(x), c > 0, for relu and leaky_relu",
        "by hand",
        homogeneous,
        {"rectified from 1 on": (terms.Relu, planted.rectified_from_one)},
        Grade.EXACT,
    ),
    _law(
        "squareplus-product",
        "squareplus(x) squareplus(-x) = b/4",
        "by hand: (sqrt(x² + b) + x) (sqrt(x² + b) - x) = b",
        squareplus_has_constant_product,
        {
            "not halved": (terms.Squareplus, planted.squareplus_not_halved),
            "constant squared": (terms.Squareplus, planted.squareplus_of_squared_constant),
        },
    ),
    _law(
        "sparse-plus-joins",
        "0 <= f(y) - f(x) - f'(x) (y - x) <= (y - x)² / 4: the pieces join with equal value and slope",
        "by hand: f'' is 0, 1/2, 0",
        sparse_plus_joins,
        {"not quartered": (terms.SparsePlus, planted.sparse_plus_not_quartered)},
        Grade.EXACT,
    ),
    _law(
        "activation-derivatives",
        "the forward and the reverse derivative are the closed form, away from kinks",
        "derived by hand",
        derivatives_are_closed_forms,
        {
            "gelu of erf(x)": (terms.Gelu, planted.gelu_of_unscaled_error_function),
            "silu of the hard sigmoid": (terms.Silu, planted.silu_of_hard_sigmoid),
            "elu of x / alpha": (terms.Elu, planted.elu_of_scaled_argument),
            "soft_sign by a root": (terms.SoftSign, planted.soft_sign_with_smooth_root),
        },
    ),
    _law(
        "activation-kinks",
        "at a kink the derivative is that of the convention, and lies between the one-sided ones",
        "for relu: Bertoin et al. 2021, arXiv:2106.12915",
        kinks_follow_the_convention,
        {
            "convention ignored": (terms.LeakyRelu, planted.first_convention),
            "derivative of x >= 0": (terms.Relu, planted.one_sided_at_ties),
            "elu of x / alpha": (terms.Elu, planted.elu_of_scaled_argument),
        },
    ),
)
