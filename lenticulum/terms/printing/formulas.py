"""The LaTeX formulas of the kinds that have one; any other kind prints its name and its fields."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lenticulum import terms
from lenticulum.terms.printing.parts import other_fields
from lenticulum.terms.term import Term

#: From the term, its argument and the symbols of its parameters by name.
Formula = Callable[[Any, str, dict[str, str]], str]

_ESCAPES = {
    "\\": r"\text{\textbackslash}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\text{\textasciicircum}",
    "~": r"\text{\textasciitilde}",
}


def escaped(name: str) -> str:
    """Return a name with the characters that mean something to TeX escaped; what does not show is left out.

    >>> escaped("layer_1{")
    'layer\\\\_1\\\\{'
    """
    return "".join(_ESCAPES.get(each, each if each.isprintable() else "") for each in name)


def number(given: Any) -> str:
    r"""Return a number as a fraction.

    >>> number(Fraction(-1, 10)), number(3)
    ('-\\tfrac{1}{10}', '3')
    """
    exact = Fraction(given)
    sign, size = "-" if exact < 0 else "", abs(exact)
    return (
        f"{sign}{size.numerator}"
        if size.denominator == 1
        else rf"{sign}\tfrac{{{size.numerator}}}{{{size.denominator}}}"
    )


def operator(term: Term) -> str:
    r"""Return the name of a kind with its fields as an index.

    >>> from lenticulum.terms import Repeat, SoftSign, Tanh
    >>> operator(SoftSign())
    '\\operatorname{SoftSign}'
    >>> operator(Repeat(Tanh(), 3))
    '\\operatorname{Repeat}_{\\mathrm{count}=3,\\,\\mathrm{injection}=\\text{False}}'
    """
    fields = r",\,".join(rf"\mathrm{{{escaped(name)}}}={_value(held)}" for name, held in other_fields(term).items())
    return rf"\operatorname{{{escaped(type(term).__name__)}}}" + (f"_{{{fields}}}" if fields else "")


def _value(held: Any) -> str:
    if isinstance(held, int | Fraction) and not isinstance(held, bool):
        return number(held)
    return rf"\text{{{escaped(str(held))}}}"


def formula(term: Term, x: str, parameters: dict[str, str]) -> str:
    """Return the value of a kind without parts at x.

    >>> formula(terms.Dense(2, 3), "x", {"weight": "W", "bias": "b"})
    'W x + b'
    """
    known = FORMULAS.get(type(term))
    if known is not None:
        return known(term, x, parameters)
    given = [*parameters.values(), x]
    return rf"{operator(term)}\left({', '.join(given)}\right)"


def _dense(term: terms.Dense, x: str, p: dict[str, str]) -> str:
    return f"{p['weight']} {x}" + (f" + {p['bias']}" if term.use_bias else "")


def _affine(y: str, p: dict[str, str]) -> str:
    scaled = rf"{p['weight']} \odot {y}" if "weight" in p else y
    return f"{scaled} + {p['bias']}" if "bias" in p else scaled


def _layer_norm(term: terms.LayerNorm, x: str, p: dict[str, str]) -> str:
    root = rf"\sqrt{{\operatorname{{var}}({x}) + {number(term.epsilon)}}}"
    return _affine(rf"\frac{{{x} - \operatorname{{mean}}({x})}}{{{root}}}", p)


def _batch_norm(term: terms.BatchNorm, x: str, p: dict[str, str]) -> str:
    root = rf"\sqrt{{s + {number(term.epsilon)}}}"
    return _affine(rf"\frac{{{x} - m}}{{{root}}}", p)


def _dropout(term: terms.Dropout, x: str, p: dict[str, str]) -> str:
    return rf"\tfrac{{1}}{{1 - {number(term.rate)}}}\, \mathrm{{mask}} \odot {x}"


def _called(name: str) -> Formula:
    return lambda term, x, p: rf"{name}\left({x}\right)"


FORMULAS: dict[type[Term], Formula] = {
    terms.Dense: _dense,
    terms.Bias: lambda term, x, p: f"{x} + {p['bias']}",
    terms.LayerNorm: _layer_norm,
    terms.BatchNorm: _batch_norm,
    terms.Dropout: _dropout,
    terms.Softmax: _called(r"\operatorname{softmax}"),
    terms.Relu: lambda term, x, p: rf"\max\left({x}, 0\right)",
    terms.Tanh: _called(r"\tanh"),
    terms.Exp: lambda term, x, p: f"e^{{{x}}}",
    terms.Log: _called(r"\log"),
    terms.Sin: _called(r"\sin"),
    terms.Cos: _called(r"\cos"),
    terms.Tan: _called(r"\tan"),
    terms.Sinh: _called(r"\sinh"),
    terms.Cosh: _called(r"\cosh"),
    terms.Sqrt: lambda term, x, p: rf"\sqrt{{{x}}}",
    terms.Sigmoid: lambda term, x, p: rf"\frac{{1}}{{1 + e^{{-{x}}}}}",
}
