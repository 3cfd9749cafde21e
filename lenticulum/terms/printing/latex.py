"""Terms as LaTeX: one equation for each part that computes, wires that are only moved are followed by hand."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any, cast

from lenticulum import terms
from lenticulum.terms.printing.formulas import escaped, formula, number, operator
from lenticulum.terms.printing.parts import Named, natural_source, parts_of
from lenticulum.terms.spaces import Space, bare
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path

#: The symbol of one wire, or a tuple of those of a product.
Symbol = Any


def latex(term: Term, source: Space = None) -> str:
    r"""Return the equations of a term, for use in math mode: $...$ with the package amsmath.

    A wire that is copied, exchanged or bracketed anew keeps its symbol; a sink is an equation for its cotangent x'. A
    kind without a formula of its own prints its name and its fields. The state of a batch normalisation is (m, s).

    Arguments: `source`: the space to start from; without it, what the fields say.
    Raises: ShapeError for a source that does not fit.

    >>> print(latex(terms.Dense(2, 3) >> terms.Tanh()))
    \begin{aligned}
    x_{1} &= W_{\text{layer\_1}} x + b_{\text{layer\_1}} \\
    y &= \tanh\left(x_{1}\right)
    \end{aligned}
    """
    start = natural_source(term) if source is None else source
    term.target(start)
    page = Page()
    page.close(page.write(term, page.symbols(start, "x"), ()))
    return "\\begin{aligned}\n" + " \\\\\n".join(page.lines) + "\n\\end{aligned}"


@dataclass
class Page:
    """The equations written so far, and how many symbols there are."""

    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def symbols(self, space: Space, name: str) -> Symbol:
        """Return a symbol for each wire of a space: x, or x_{a}, x_{b}, ... for those of a product."""
        wires = _wires(space)
        names = iter([name] if wires == 1 else [f"{name}_{{{_letters(each)}}}" for each in range(wires)])
        return _shaped(space, names)

    def equation(self, right: str) -> str:
        """Write an equation for a new symbol, and return the symbol."""
        self.count += 1
        symbol = f"x_{{{self.count}}}"
        self.lines.append(f"{symbol} &= {right}")
        return symbol

    def close(self, y: Symbol) -> None:
        """Call the result y: in the last equation if it is that, else in one more."""
        last = f"x_{{{self.count}}} &= "
        if self.lines and self.lines[-1].startswith(last) and y == f"x_{{{self.count}}}":
            self.lines[-1] = self.lines[-1].replace(last, "y &= ", 1)
        else:
            self.lines.append(f"y &= {joined(y)}")

    def write(self, term: Term, x: Symbol, path: Path) -> Symbol:
        """Write the equations of a term at x, whose parameters stand at a path, and return the symbol of its value."""
        moved = _moved(term, x)
        if moved is not None:
            return moved[0]
        if isinstance(term, terms.Compose):
            for name, part in zip(term.names, term.parts, strict=True):
                x = self.write(part, x, (*path, name))
            return x
        if isinstance(term, terms.Tensor):
            one, other = halves(x)
            return (self.write(term.left, one, (*path, "left")), self.write(term.right, other, (*path, "right")))
        if isinstance(term, terms.Skip):
            named = {part.term: (*path, *part.path) for part in term.inside()}
            return self.write(term.connection, (self.write(term.term, x, named[term.term]), x), named[term.connection])
        if isinstance(term, terms.LearningRate | terms.Sink):
            return self.sink(term, x)
        if isinstance(term, terms.Input):
            value = parameter("value", path)
            return _shaped(term.space, iter([value] if _wires(term.space) == 1 else _indexed(value)))
        return self.write_whole(term, x, path)

    def write_whole(self, term: Term, x: Symbol, path: Path) -> Symbol:
        """Write a term as one operator: by its formula, or by the names of its parts, whose equations follow."""
        if isinstance(term, terms.SupervisedStep | terms.DeepDreamStep | terms.Learner):
            return self.closed(term, x)
        if isinstance(term, terms.Add | terms.Subtract | terms.Multiply):
            sign = {"Add": "+", "Subtract": "-", "Multiply": r"\odot"}[type(term).__name__]
            one, other = halves(x)
            return self.equation(f"{joined(one)} {sign} {joined(other)}")
        if isinstance(term, terms.SquaredLoss | terms.DotLoss | terms.CrossEntropyLoss):
            return self.equation(loss(term, *map(joined, halves(x))))
        inner = parts_of(term, None)
        if not inner:
            symbols = {name: parameter(name, path) for name in term.parameter_shapes()}
            return self.equation(formula(term, joined(x), symbols))
        maps = ", ".join(f"f_{{{position}}}" for position in range(1, len(inner) + 1))
        y = self.equation(rf"{operator(term)}\left({maps}\right)\left({joined(x)}\right)")
        for position, part in enumerate(inner, start=1):
            self.map(f"f_{{{position}}}", part, path)
        return y

    def map(self, name: str, part: Named, path: Path) -> None:
        """Write a part as a map of its own: u -> v, and the equations of v."""
        start = natural_source(part.term) if part.source is None else part.source
        self.count += 1
        u = self.symbols(start, f"u_{{{self.count}}}" if _wires(start) == 1 else "u")
        v = self.write(part.term, u, (*path, *part.path))
        self.lines.append(rf"{name}\left({joined(u)}\right) &= {joined(v)}")

    def sink(self, term: "terms.LearningRate | terms.Sink", x: Symbol) -> Symbol:
        """Write the cotangent that a sink gives to its wire; its value is the unit."""
        rate = -Fraction(term.rate) if isinstance(term, terms.LearningRate) else Fraction(term.number)
        scaled = rf" \, {joined(x)}" if term.kind == "scaled" else ""
        self.lines.append(rf"\left({joined(x)}\right)' &= {number(rate)}{scaled}")
        return ()

    def closed(self, term: Term, x: Symbol) -> Symbol:
        """Write a closed learner, or a step of one: the equations of its lens, then those of the model."""
        learner: Any = term.learner if isinstance(term, terms.DeepDreamStep) else term
        source = natural_source(term)
        data, parameters = "a", r"\theta"
        if isinstance(term, terms.SupervisedStep):
            parameters = r"\bar\theta"
            self.lines.append(r"\bar\theta &= U\left(s, \theta\right)")
        if isinstance(term, terms.DeepDreamStep):
            data = r"\bar a"
            self.lines.append(r"\bar a &= U\left(s, a\right)")
        self.lines.append(rf"b &= f\left({parameters}, {data}\right)")
        self.lines.append(rf"\ell &= {loss(learner.loss, 't', 'b')}")
        self.sink(learner.cap, r"\ell") if isinstance(learner.cap, terms.LearningRate | terms.Sink) else None
        self.lines.append(r"\left(t', b'\right) &= R\left[\ell\right]\left(t, b, \ell'\right)")
        self.lines.append(rf"\left(\theta', a'\right) &= R\left[f\right]\left({parameters}, {data}, b'\right)")
        if isinstance(term, terms.SupervisedStep | terms.DeepDreamStep):
            wire = "a" if isinstance(term, terms.DeepDreamStep) else r"\theta"
            kind = escaped(type(term.update).__name__)
            self.lines.append(
                rf"\left(s, {wire}\right) &\leftarrow U^{{*}}\left(s, {wire}, {wire}'\right)"
                rf"\quad \text{{by {kind}}}"
            )
        self.map("f", parts_of(learner, source)[0], ())
        return ()


def _moved(term: Term, x: Symbol) -> tuple[Symbol] | None:
    """The wires of a term that only moves them, or None."""
    if isinstance(term, terms.Identity | terms.Wire):
        return (x,)
    if isinstance(term, terms.Copy):
        return ((x, x),)
    if isinstance(term, terms.Swap):
        return (halves(x)[::-1],)
    if isinstance(term, terms.Associate):
        one, other = halves(x)
        left, right = halves(one if term.to == "right" else other)
        return ((left, (right, other)),) if term.to == "right" else (((one, left), right),)
    if isinstance(term, terms.AddUnit):
        return (((), x),) if term.side == "left" else ((x, ()),)
    if isinstance(term, terms.RemoveUnit):
        return (halves(x)[1 if term.side == "left" else 0],)
    return None


def halves(x: Symbol) -> tuple[Symbol, Symbol]:
    r"""Return the symbols of the halves of a pair.

    >>> halves(("a", "b")), halves("x")
    (('a', 'b'), ('\\pi_0 x', '\\pi_1 x'))
    """
    if isinstance(x, tuple):
        both = cast("tuple[Symbol, ...]", x)
        return both[0], both[1]
    return rf"\pi_0 {x}", rf"\pi_1 {x}"


def joined(x: Symbol) -> str:
    r"""Return a symbol, or a tuple of them in brackets.

    >>> joined(("a", ("b", ())))
    '\\left(a, \\left(b, \\left(\\right)\\right)\\right)'
    """
    if not isinstance(x, tuple):
        return x
    entries = cast("tuple[Symbol, ...]", x)
    return rf"\left({', '.join(map(joined, entries))}\right)"


def parameter(name: str, path: Path) -> str:
    r"""Return the symbol of a parameter: W for a weight, b for a bias, its path as an index.

    >>> parameter("weight", ("layer_1",)), parameter("bias", ())
    ('W_{\\text{layer\\_1}}', 'b')
    """
    letter = {"weight": "W", "bias": "b"}.get(name, rf"\mathrm{{{escaped(name)}}}")
    return rf"{letter}_{{\text{{{escaped('.'.join(path))}}}}}" if path else letter


def loss(term: Term, label: str, prediction: str) -> str:
    r"""Return the formula of a loss.

    >>> loss(terms.SquaredLoss(), "t", "b")
    '\\tfrac{1}{2} \\left\\lVert b - t \\right\\rVert^2'
    """
    if isinstance(term, terms.SquaredLoss):
        return rf"{number(term.factor)} \left\lVert {prediction} - {label} \right\rVert^2"
    if isinstance(term, terms.DotLoss):
        return rf"\left\langle {label}, {prediction} \right\rangle"
    if isinstance(term, terms.CrossEntropyLoss):
        inner = rf"\operatorname{{logsumexp}}\left({prediction}\right) - {prediction}"
        return rf"\left\langle {label}, {inner} \right\rangle"
    return rf"{operator(term)}\left({label}, {prediction}\right)"


def _wires(space: Space) -> int:
    plain = bare(space)
    return sum(_wires(part) for part in plain) if isinstance(plain, tuple) else 1


def _shaped(space: Space, names: Any) -> Symbol:
    plain = bare(space)
    return tuple(_shaped(part, names) for part in plain) if isinstance(plain, tuple) else next(names)


def _indexed(value: str) -> Iterator[str]:
    return (rf"\left({value}\right)_{{{position}}}" for position in count(1))


def _letters(position: int) -> str:
    """a, b, ..., z, then numbers: few products have so many factors."""
    return chr(ord("a") + position) if position < 26 else str(position)
