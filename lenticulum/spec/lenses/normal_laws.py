"""Laws of the normal form of terms: nesting does not matter, the order is that of application, the meaning stays."""

from __future__ import annotations

from collections.abc import Callable

from lenticulum.spec.apply import apply
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.term_cases import data, parameters, wiring
from lenticulum.spec.put import put
from lenticulum.terms import Bias, Compose, Identity, Mode, NormalForm, Relu, Space, Term, Tree, normal_form
from lenticulum.terms.container import default_names
from lenticulum.terms.normal_form import is_named

Normaliser = Callable[[Term], NormalForm]


def links(draw: Draw) -> tuple[list[Term], Space]:
    """Two to five composable parts, none of which is a composition, and their source; two biases among them."""
    source: Space = draw.choice([1, 2, (1, 2), ((1, 2), 2)])
    parts: list[Term] = []
    target = source
    for _ in range(draw.integer(0, 3)):
        term, _ = wiring(draw, target, depth=0)
        assert isinstance(term, Compose)
        parts += [part for part in term.parts[:1] if not isinstance(part, Identity)]
        target = Compose(tuple(parts)).target(source)
    if isinstance(target, int):
        parts += [Bias(target), Relu(), Bias(target)]
    draw.observe("every chain has one part", len(parts) < 2)
    return parts, source


def bracketed(draw: Draw, parts: list[Term]) -> Term:
    """The parts composed in one random nesting, with identities here and there."""
    if len(parts) < 2:
        inside = [*parts, Identity()] if draw.integer(0, 2) == 0 else parts
        return Compose(tuple(inside)) if draw.integer(0, 1) or len(inside) != 1 else inside[0]
    split = draw.integer(1, len(parts) - 1)
    halves = [bracketed(draw, parts[:split]), bracketed(draw, parts[split:])]
    if draw.integer(0, 2) == 0:
        halves.insert(draw.integer(0, 2), Identity())
    return Compose(tuple(halves))


def named(draw: Draw, term: Term) -> Term:
    """The term, sometimes as a part with a name of its own, beside an identity that has one."""
    if draw.integer(0, 1):
        return term
    return Compose((term, Identity()), draw.choice([("body", "rest"), ("layer_1", "rest")]))


def nesting_does_not_matter(of: Normaliser, draw: Draw) -> None:
    """Two nestings of one chain have one normal form: the parts in the order of application, without identities."""
    parts, _ = links(draw)
    left, right = bracketed(draw, parts), bracketed(draw, parts)
    draw.observe("one nesting", left == right)
    one, other = of(left).term, of(right).term
    require(one == other, "two nestings have two normal forms", left=left, right=right, one=one, other=other)
    expected = parts[0] if len(parts) == 1 else Compose(tuple(parts)) if parts else Identity()
    require(one == expected, "the parts are not in the order of application", term=left, normal=one, expected=expected)


def normalising_twice_is_normalising_once(of: Normaliser, draw: Draw) -> None:
    """normalise(normalise(f)) = normalise(f)."""
    term = named(draw, bracketed(draw, links(draw)[0]))
    once = of(term).term
    twice = of(once).term
    require(twice == once, "the normal form is not in normal form", term=term, once=once, twice=twice)


def the_meaning_stays(of: Normaliser, draw: Draw) -> None:
    """Value, parameter cotangents and input cotangent are those of the term, its parameters carried along and back."""
    parts, source = links(draw)
    term = named(draw, bracketed(draw, parts))
    form = of(term)
    x, p = data(draw, source, ()), parameters(draw, term)
    carried, state = form.parameters(p), form.term.state_shapes()
    require(form.original_parameters(carried) == p, "there and back is not the identity", term=term, parameters=p)
    y, _ = apply(term, x, p, term.state_shapes(), Mode.EVAL, None)
    z, _ = apply(form.term, x, carried, state, Mode.EVAL, None)
    require(y == z, "the normal form has another value", term=term, normal=form.term, y=y, z=z)
    pulled, to_x = put(term, x, p, term.state_shapes(), Mode.EVAL, None, y)
    normal, to_normal_x = put(form.term, x, carried, state, Mode.EVAL, None, y)
    back = form.original_parameters(normal)
    require((back, to_normal_x) == (pulled, to_x), "another cotangent", term=term, put=pulled, carried=back)


def _not_flattened(term: Term) -> NormalForm:
    return NormalForm(term, term, (((), ()),))


def _later_first(term: Term) -> NormalForm:
    """The parts in the order of the parameters of Para, the later first."""
    form = normal_form(term)
    normal = form.term
    if not isinstance(normal, Compose):
        return form
    try:
        return NormalForm(term, Compose(normal.parts[::-1]), form.moves)
    except ValueError:
        return form


def _one_level(term: Term) -> NormalForm:
    """Only the parts of the parts are taken out, not theirs."""
    if not isinstance(term, Compose):
        return normal_form(term)
    parts: list[Term] = []
    for part in term.parts:
        unnamed = isinstance(part, Compose) and not is_named(part)
        parts += part.parts if isinstance(part, Compose) and unnamed else [part]
    parts = [part for part in parts if not isinstance(part, Identity)]
    return NormalForm(term, Compose(tuple(parts)), ())


def _name_of_the_identity_kept(term: Term) -> NormalForm:
    """The parts keep the numbers they had beside the identities of the outermost composition."""
    form = normal_form(term)
    if not isinstance(term, Compose) or not isinstance(form.term, Compose) or is_named(form.term):
        return form
    numbers = [n for n, part in enumerate(term.parts) if not isinstance(part, Identity)]
    names = [default_names(len(term.parts))[n] for n in numbers]
    if len(names) != len(form.term.parts):
        return form
    return NormalForm(term, Compose(form.term.parts, tuple(names)), form.moves)


def _parameters_exchanged(term: Term) -> NormalForm:
    """Two biases take each other's parameters."""
    form = normal_form(term)
    shapes = form.original.parameter_shapes()
    biases = [i for i, (before, _) in enumerate(form.moves) if _is_bias(shapes, before)]
    moves = list(form.moves)
    if len(biases) > 1:
        i, j = biases[0], biases[-1]
        same = shapes.at(form.moves[i][0]) == shapes.at(form.moves[j][0])
        if same:
            moves[i], moves[j] = (moves[j][0], moves[i][1]), (moves[i][0], moves[j][1])
    return NormalForm(form.original, form.term, tuple(moves))


def _is_bias(shapes: Tree, path: tuple[str, ...]) -> bool:
    entry = shapes.at(path) if path else shapes
    return isinstance(entry, Tree) and entry.names() == ("bias",)


LAWS: tuple[Law[Normaliser], ...] = (
    Law(
        "normal-form-forgets-nesting",
        "normalise(left nesting) = normalise(right nesting): the parts in the order of application, no identities",
        "arXiv:2103.01931, Definition 2.1: Para is associative up to the associator on parameters",
        Grade.EXACT,
        normal_form,
        nesting_does_not_matter,
        {
            "not flattened": _not_flattened,
            "later first": _later_first,
            "one level only": _one_level,
            "name of an identity kept": _name_of_the_identity_kept,
        },
    ),
    Law(
        "normal-form-is-idempotent",
        "normalise(normalise(f)) = normalise(f)",
        "the definition of a normal form",
        Grade.EXACT,
        normal_form,
        normalising_twice_is_normalising_once,
        {"one level only": _one_level},
    ),
    Law(
        "normal-form-keeps-the-meaning",
        "value and cotangents are those of the term, parameters carried to the normal form and back",
        "arXiv:2103.01931, Definition 2.3: the associator is a reparametrisation",
        Grade.EXACT,
        normal_form,
        the_meaning_stays,
        {"parameters exchanged": _parameters_exchanged},
    ),
)
