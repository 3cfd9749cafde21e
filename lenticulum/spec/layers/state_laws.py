"""Laws of forward-written state: the state of a composite is made of those of its parts, threaded in their order.

Values and states are compared bit for bit: as enclosures, by both ends. What is expected comes from `apply` on the
parts alone.
"""

from __future__ import annotations

from lenticulum.spec.apply import apply
from lenticulum.spec.bitwise import bitwise_equal
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw
from lenticulum.spec.keys import Key, call_key, part_key
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.layers import planted, planted_states
from lenticulum.spec.layers.mode_laws import Apply
from lenticulum.spec.layers.state_cases import batch, mode, parameters, state, stateful
from lenticulum.spec.parts import nth, stacked
from lenticulum.terms import Compose, Mode, Repeat, Skip, Stack, Subtract, Term, Tree


def the_state_of_a_chain_is_the_states_of_its_parts(of: Apply, draw: Draw) -> None:
    """(f;g)(x, (s, t)) = (z, (s', t')), where f(x, s) = (y, s') and g(y, t) = (z, t')."""
    part = stateful(draw)
    term = Compose((part, part))
    x, p, s, how, key = _case(draw, term)
    y, first = apply(part, x, p.layer_1, s.layer_1, how, part_key(key, "layer_1"))
    z, second = apply(part, y, p.layer_2, s.layer_2, how, part_key(key, "layer_2"))
    _require_equal(of(term, x, p, s, how, key), (z, Tree(layer_1=first, layer_2=second)), term, s)


def composition_is_associative(of: Apply, draw: Draw) -> None:
    """((f;g);h) and (f;(g;h)) have one value, and their states are those of f, g and h, bracketed as they are.

    Without a key: the key of a part is derived from its path, which the brackets change.
    """
    f, g, h = (_without_key(stateful(draw)) for _ in range(3))
    left, right = Compose((Compose((f, g)), h)), Compose((f, Compose((g, h))))
    x, p, s, how, _ = _case(draw, left)
    y, after = of(left, x, p, s, how, None)
    _require_equal(of(right, x, _bracketed(p), _bracketed(s), how, None), (y, _bracketed(after)), right, s)


def an_iteration_reads_what_the_one_before_has_written(of: Apply, draw: Draw) -> None:
    """The value and the state of Repeat(f, n) are the n-fold of (y, s) -> f(y, s), each call with a key of its own."""
    part = stateful(draw)
    term = Repeat(part, draw.integer(2, 3))
    x, p, s, how, key = _case(draw, term)
    y, after = x, s
    for n in range(term.count):
        y, after = apply(part, y, p, after, how, call_key(key, n))
    _require_equal(of(term, x, p, s, how, key), (y, after), term, s)


def a_copy_has_a_state_of_its_own(of: Apply, draw: Draw) -> None:
    """Copy n of Stack(f, count) reads and writes entry n of every leaf, and nothing else."""
    part = stateful(draw)
    term = Stack(part, draw.integer(2, 3))
    x, p, s, how, key = _case(draw, term)
    y, after = x, list[Tree]()
    for n in range(term.count):
        y, own = apply(part, y, nth(p, n), nth(s, n), how, call_key(key, n))
        after.append(own)
    _require_equal(of(term, x, p, s, how, key), (y, stacked(after)), term, s)


def evaluation_of_a_container_writes_nothing(of: Apply, draw: Draw) -> None:
    """The state after an evaluation is the state before, for iterations, copies and parts beside each other."""
    part = stateful(draw)
    term: Term = draw.choice([Repeat(part, 2), Stack(part, 2), Skip(part, Subtract()), Compose((part, part))])
    x, p, s, _, _ = _case(draw, term)
    _, after = of(term, x, p, s, Mode.EVAL, None)
    require(bitwise_equal(after, s), "an evaluation changed the state", term=term, before=s, after=after)


def _case(draw: Draw, term: Term) -> tuple[Data, Tree, Tree, Mode, Key | None]:
    how = mode(draw)
    key = (draw.bits(32), draw.bits(32)) if how is Mode.TRAIN else None
    draw.observe("evaluation only", how is Mode.EVAL)
    return batch(draw), parameters(draw, term), state(draw, term), how, key


def _without_key(term: Compose) -> Compose:
    return Compose(tuple(part for part in term.parts if getattr(part, "draws", "") != "key"))


def _bracketed(tree: Tree) -> Tree:
    """((f, g), h) -> (f, (g, h))."""
    return Tree(layer_1=tree.layer_1.layer_1, layer_2=Tree(layer_1=tree.layer_1.layer_2, layer_2=tree.layer_2))


def _require_equal(found: tuple[Data, Tree], expected: tuple[Data, Tree], term: Term, before: Tree) -> None:
    (y, after), (z, should) = found, expected
    require(bitwise_equal(y, z), "another value", term=term, value=y, expected=z)
    require(bitwise_equal(after, should), "another state", term=term, before=before, after=after, expected=should)


SOURCE = "stated for this library; the layer interface of LuxCore: (y, state') = l(x, parameters, state)"

LAWS: tuple[Law[Apply], ...] = (
    Law(
        "state-composition",
        "the state of f;g is the pair of their states, threaded in order, and each sees its own",
        SOURCE,
        Grade.EXACT,
        apply,
        the_state_of_a_chain_is_the_states_of_its_parts,
        {"sub-states exchanged": planted_states.sub_states_exchanged},
    ),
    Law(
        "state-associativity",
        "(f;g);h and f;(g;h) have one value and one state, up to its brackets",
        SOURCE,
        Grade.EXACT,
        apply,
        composition_is_associative,
        {"state of the last part only": planted_states.state_of_the_last_part_only},
    ),
    Law(
        "state-iteration",
        "Repeat(f, n) threads one state through n calls, and no two calls draw alike",
        "RepeatedLayer of Lux.jl: (y_i, st_i) = l(y_(i-1), ps, st_(i-1))",
        Grade.EXACT,
        apply,
        an_iteration_reads_what_the_one_before_has_written,
        {
            "state not threaded": planted_states.state_not_threaded,
            "one key for all calls": planted_states.one_key_for_all_calls,
        },
    ),
    Law(
        "state-copies",
        "Stack(f, n) threads n states, one for each copy",
        SOURCE,
        Grade.EXACT,
        apply,
        a_copy_has_a_state_of_its_own,
        {
            "one state for all copies": planted_states.one_state_for_all_copies,
            "states in reverse": planted_states.states_in_reverse,
        },
    ),
    Law(
        "state-evaluation",
        "an evaluation of a container changes no state",
        SOURCE,
        Grade.EXACT,
        apply,
        evaluation_of_a_container_writes_nothing,
        {"evaluation that updates state": planted.evaluation_that_updates_state},
    ),
)
