"""Terms print: as text that tells them apart, as LaTeX that a reader of math mode accepts, as SVG that is XML."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

from lenticulum import terms
from lenticulum.catalog.entry import CATALOG
from lenticulum.check.draw import SeededDraw
from lenticulum.check.random_cases import case
from lenticulum.terms import (
    SCALAR,
    UNIT,
    Add,
    AddUnit,
    Associate,
    Bias,
    Branch,
    Compose,
    Copy,
    DeepDreamStep,
    Dense,
    DotLoss,
    GradientDescent,
    Identity,
    Input,
    Learner,
    LearningRate,
    Maximum,
    Maxout,
    Multiply,
    Named,
    Nesterov,
    PairwiseFusion,
    Parallel,
    Relu,
    RemoveUnit,
    Repeat,
    ShapeError,
    Sink,
    Skip,
    SquaredLoss,
    Stack,
    Subtract,
    SupervisedStep,
    Swap,
    Tanh,
    Tensor,
    Term,
    Wire,
    freeze,
    tie,
    value,
)
from lenticulum.terms.printing import latex, natural_source, svg, text
from lenticulum.terms.printing.formulas import escaped

LEARNER = Learner(Dense(2, 1) >> Tanh(), SquaredLoss(), LearningRate("1/10"), 2)
#: Every kind that is no row of the catalogue, with its source.
STRUCTURE = [
    (Identity(), 2),
    (Compose(()), 2),
    (Dense(2, 3) >> Relu(), 2),
    (Compose((Dense(2, 3), Relu()), ("embed", "act")), 2),
    (Tensor(Dense(2, 3), Tanh()), (2, 3)),
    (Copy() >> Tensor(Identity(), Dense(2, 2)) >> Swap() >> Add(), 2),
    (Associate() >> Associate("left"), ((1, 2), 3)),
    (AddUnit("left") >> Tensor(Input(2), Identity()) >> Add(), 2),
    (Input((2, SCALAR)), UNIT),
    (Copy() >> Tensor(Sink(2, "scaled"), Identity()) >> RemoveUnit("left"), (2, 3)),
    (Wire(Named("pixels", 3)), 3),
    (tie(Bias(2) >> Bias(2), ("layer_1.bias", "layer_2.bias")), 2),
    (freeze(Dense(2, 3), "bias"), 2),
    (Skip(Tanh(), Subtract()), 2),
    (Branch((Tanh(), Relu()), Add()), 2),
    (Copy() >> Maximum(), 2),
    (Copy() >> Multiply(), 2),
    (Parallel(None, (Tanh(), Relu())), (2, 2)),
    (PairwiseFusion(Add(), (Tanh(),)), (2, 2)),
    (Maxout((Tanh(), Relu())), 2),
    (Repeat(Dense(2, 2), 3), 2),
    (Stack(Dense(2, 2), 3), 2),
    (Tensor(Identity(), Dense(2, 1)) >> SquaredLoss() >> LearningRate("1/10"), (1, 2)),
    (LEARNER, UNIT),
    (SupervisedStep(Dense(2, 1), SquaredLoss(), LearningRate("1/10"), Nesterov()), (2, 1)),
    (DeepDreamStep(LEARNER, GradientDescent()), (2, 1)),
]
ROWS = sorted({row.example for row in CATALOG.values() if isinstance(row.example, Term)}, key=repr)
ALL = [*STRUCTURE, *((example, natural_source(example)) for example in ROWS)]
each_term = pytest.mark.parametrize(("term", "source"), ALL, ids=[repr(term)[:60] for term, _ in ALL])


def test_every_kind_of_term_is_among_them():
    def kinds(term):
        return {type(term), *(kind for part in terms.children(term) for kind in kinds(part))}

    public = {kind for kind in vars(terms).values() if isinstance(kind, type) and issubclass(kind, Term)}
    concrete = {kind for kind in public if "__dataclass_fields__" in vars(kind)}
    missing = concrete - {kind for term, _ in ALL for kind in kinds(term)}
    assert {kind.__name__ for kind in missing} == set()


def read_math(code):
    """Read LaTeX of math mode: groups, environments, \\left and \\right are closed in order, and nothing is stray."""
    expected = []
    for token in re.findall(r"\\[A-Za-z]+|\\.|[{}$#%~&^_]|[^\\]", code, re.S):
        if token in ("{", r"\left"):
            expected.append({"{": "}", r"\left": r"\right"}[token])
        elif token in ("}", r"\right"):
            assert expected, f"{token} closes nothing in {code}"
            assert expected.pop() == token, f"{token} closes another group in {code}"
        assert token not in ("$", "#", "%", "~"), f"{token} in {code}"
    assert not expected, f"{expected} is missing in {code}"
    assert Counter(re.findall(r"\\begin\{(\w+)\}", code)) == Counter(re.findall(r"\\end\{(\w+)\}", code))
    lines = code.removeprefix("\\begin{aligned}\n").removesuffix("\n\\end{aligned}").split(" \\\\\n")
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in lines), code


@pytest.mark.parametrize("wrong", ["{", "}", r"\left( x", r"{\left(}\right)", "50%", "a$b", "a &= b & c"])
def test_the_reader_of_math_mode_refuses(wrong):
    with pytest.raises(AssertionError):
        read_math("\\begin{aligned}\n" + wrong + "\n\\end{aligned}")


@each_term
def test_every_kind_prints_in_every_way(term, source):
    read_math(latex(term, source))
    assert all(" -> " in line for line in text(term, source).splitlines())
    picture = svg(term, source)
    root = ElementTree.fromstring(picture)
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {
        *("svg", "title", "style", "rect", "g", "path", "text", "circle"),
    }
    assert picture == svg(term, source)


def test_random_terms_print_and_different_ones_have_different_texts():
    drawn = {each.term for each in (case(SeededDraw(3, number)) for number in range(60))}
    assert len({text(term) for term in drawn}) == len(drawn)
    for term in drawn:
        read_math(latex(term))
        ElementTree.fromstring(svg(term))


def test_an_unknown_kind_prints_its_name():
    @value
    class My_Layer(Term):
        width: int = 3

    assert text(My_Layer(), 2) == "My_Layer(width=3) : [2] -> [2]"
    assert r"\operatorname{My\_Layer}_{\mathrm{width}=3}\left(x\right)" in latex(My_Layer())
    assert ">My_Layer</text>" in svg(My_Layer())


def test_text_is_escaped():
    wicked = Wire(Named("<script>alert(1)</script>&\"'", 3))
    picture = svg(wicked)
    ElementTree.fromstring(picture)
    assert "<script" not in picture
    assert escaped("a_b{c}$\\%\x00") == r"a\_b\{c\}\$\text{\textbackslash}\%"


def count(picture, kind):
    return picture.count(f'class="{kind}"')


def test_a_diagram_has_what_the_term_has():
    picture = svg(Copy() >> Tensor(Dense(2, 3), Dense(2, 3) >> Tanh()) >> Swap() >> Add(), 2)
    # Three boxes and the circle of the sum; one dot of the copy; weight and bias of two layers.
    assert (count(picture, "box"), count(picture, "dot"), count(picture, "parameter")) == (4, 1, 4)
    closed = svg(LEARNER)
    assert (count(closed, "frame"), closed.count(">data<"), closed.count(">label<"), closed.count(">-1/10<")) == (
        1,
    ) * 4
    # A unit has no wire: only the one of the parameter leaves.
    assert svg(Input(2)).count(">[2]<") == 1


# By hand: the wire x is copied, exchanged with its image and added; no equation but for what computes.
def test_wires_that_are_only_moved_have_no_equation():
    moved = Copy() >> Tensor(Tanh(), Identity()) >> Swap() >> Add()
    assert latex(moved) == ("\\begin{aligned}\nx_{1} &= \\tanh\\left(x\\right) \\\\\ny &= x + x_{1}\n\\end{aligned}")
    assert latex(Swap() >> Swap(), (1, 2)) == "\\begin{aligned}\ny &= \\left(x_{a}, x_{b}\\right)\n\\end{aligned}"
    assert latex(Compose((LearningRate("1/10", "scaled"),)), SCALAR) == (
        "\\begin{aligned}\n\\left(x\\right)' &= -\\tfrac{1}{10} \\, x \\\\\ny &= \\left(\\right)\n\\end{aligned}"
    )


def test_a_source_that_does_not_fit_is_refused():
    for printed in (text, latex, svg):
        with pytest.raises(ShapeError, match=r"layer_1 \(Dense\): expected \[2\], got \[3\]"):
            printed(Dense(2, 3) >> Relu(), 3)


def test_the_dot_loss_of_a_dream_prints_its_cotangents():
    dream = DeepDreamStep(Learner(Dense(2, 2), DotLoss(), Sink("1/2", "constant"), 2), GradientDescent())
    printed = latex(dream)
    assert r"\ell &= \left\langle t, b \right\rangle" in printed
    assert r"\left(s, a\right) &\leftarrow U^{*}\left(s, a, a'\right)" in printed
