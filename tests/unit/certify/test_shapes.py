"""Planted subjects whose calls are wrong: by the length of the array, by chance, by changing, raising or retyping."""

from fractions import Fraction

import numpy as np
import pytest

from lenticulum.certify import certify
from lenticulum.certify.misconduct import Misconduct, called
from lenticulum.certify.statement import certificate_of
from lenticulum.check.errors import CallError
from lenticulum.numbers.formats import BINARY16

INPUTS = 65_536


def exact_scale(x, last=1.0):
    """Return exp(x), its last element multiplied."""
    y = np.array(np.exp(x))
    if y.ndim and y.size:
        y[-1] *= np.asarray(last, y.dtype)
    return y


def right(x):
    return exact_scale(x)


def last_of_short_arrays(x):
    return exact_scale(x, 1.5 if 1 < np.size(x) < 2000 else 1.0)


def last_of_long_arrays(x):
    return exact_scale(x, 1.5 if np.size(x) > 2000 else 1.0)


def rounded_otherwise(x):
    """Return the number before exp(x), but exp(x) itself where it is known exactly or too large."""
    y = np.exp(x)
    return np.where((x == 0) | np.isinf(y), y, np.nextafter(y, y.dtype.type(0)))


def rounded_otherwise_in_short_arrays(x):
    return rounded_otherwise(x) if 0 < np.ndim(x) and np.size(x) < 2000 else np.exp(x)


def no_scalars(x):
    return exact_scale(x[:])


class Counting:
    """A subject with a state: every fifth call rounds otherwise."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return rounded_otherwise(x) if self.calls % 5 == 0 else np.exp(x)


class Switching:
    """A subject that computes otherwise after so many calls."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def __call__(self, x):
        self.calls -= 1
        return rounded_otherwise(x) if self.calls < 0 else np.exp(x)


def changing_at_two(x):
    y = np.exp(x)
    np.copyto(x, x.dtype.type(3), where=x == 2)
    return y


def raising_at_three(x):
    if (x == 3).any():
        raise ZeroDivisionError("at three")
    return np.exp(x)


def wider_at_three(x):
    return np.exp(x).astype(np.float32 if (x == 3).any() else x.dtype)


def shorter_at_three(x):
    return np.exp(x)[: -1 if (x == 3).any() else None]


def integers_at_three(x):
    return np.exp(x).astype(np.int32 if (x == 3).any() else x.dtype)


def run(subject, spec="exp", **options):
    return certify(subject, spec, dtype="float16", backend="numpy", **options)


def shown(result):
    """Return what the printed program computes, with the subject in the place of its name."""
    names = {"np": np, "subject": result.campaign.subjects[0].function}
    lines = [line for line in result.witness if not line.startswith("function =")]
    exec("\n".join(["function = subject", *lines]), names)
    return names


def test_a_right_kernel_has_no_finding():
    result = run(right)
    assert (result.verdict, result.finding) == ("conforms", None)


@pytest.mark.parametrize("subject", [last_of_short_arrays, last_of_long_arrays])
def test_a_rejected_result_that_depends_on_the_length_is_a_finding(subject):
    result = run(subject)
    assert (result.verdict, result.kind) == ("differs", "shape-dependent")
    assert result.finding is not None
    assert result.finding.k is not None
    assert result.finding.k > 4
    got = shown(result)["got"]
    assert int(np.asarray(got).view(np.uint16)) == result.finding.y
    assert int(subject(np.array(result.finding.x, np.uint16).view(np.float16)).view(np.uint16)[0]) != result.finding.y
    assert "of an array of" in str(result)


def test_a_result_that_is_wrong_in_every_array_is_a_matter_of_the_formula():
    assert run(lambda x: exact_scale(x) * x.dtype.type(1.5)).kind == "formula"


def test_other_bits_that_are_accepted_are_a_note():
    result = run(rounded_otherwise_in_short_arrays)
    assert (result.verdict, result.finding) == ("conforms", None)
    assert any("shape-dependent" in note and "arrays of length 1" in note for note in result.notes)
    assert any(note.startswith("and in") for note in result.notes)


def test_within_a_bound_the_same_bits_are_a_finding():
    # The neighbour of a correctly rounded number is at least half an ulp away, and here almost always more.
    assert run(rounded_otherwise_in_short_arrays, within=Fraction(3, 5)).kind == "shape-dependent"
    assert run(right, within=Fraction(3, 5)).verdict == "conforms"


def test_a_subject_need_not_take_scalars():
    result = run(no_scalars)
    assert result.verdict == "conforms"
    assert [note for note in result.notes if note.startswith("it takes no scalars (IndexError")], result.notes


def test_two_calls_that_differ_are_a_finding_although_both_are_accepted():
    result = run(Counting())
    assert (result.verdict, result.kind) == ("differs", "nondeterministic")
    assert not any(stratum.rejected for stratum in result.merged.strata.values())
    assert {"got", "again"} <= shown(result).keys()
    assert (
        certificate_of(result, "by_chance").statement["predicate"]["verdict"]["finding"]["kind"] == "nondeterministic"
    )


def test_other_outputs_than_in_the_run_are_a_finding():
    shards = INPUTS // 8192
    # One call finds the dtype, one each of the shards; then another function computes.
    result = run(Switching(1 + shards))
    assert (result.verdict, result.kind) == ("differs", "nondeterministic")
    assert "other outputs than in the run" in str(result)
    assert run(Switching(10_000)).verdict == "conforms"
    finding = certificate_of(result, "switching").statement["predicate"]["verdict"]["finding"]
    assert (finding["kind"], finding["x"], finding["y"]) == ("nondeterministic", None, None)


@pytest.mark.parametrize(
    ("subject", "kind", "x", "words"),
    [
        (changing_at_two, "mutates", 2.0, "the call changes its argument 1"),
        (raising_at_three, "raises", 3.0, "ZeroDivisionError: at three"),
        (wider_at_three, "type", 3.0, "it returns binary32, elsewhere binary16"),
        (shorter_at_three, "type", 3.0, "of shape [1] it makes [0]"),
        (integers_at_three, "type", 3.0, "it returns int32"),
    ],
)
def test_misconduct_is_found_at_the_one_input_where_it_happens(subject, kind, x, words):
    result = run(subject)
    assert (result.verdict, result.exit_code, result.kind) == ("differs", 1, kind)
    assert result.finding is not None
    assert result.finding.x == (int(np.float16(x).view(np.uint16)),)
    assert words in str(result)
    # Nothing is certified of a run that did not end.
    with pytest.raises(CallError, match="not complete"):
        certificate_of(result, "stopped")


def test_misconduct_in_a_worker_process_is_found_too(tmp_path):
    (tmp_path / "kernels.py").write_text(
        "import numpy as np\ndef f(x):\n    if (x == 3).any(): raise ValueError('three')\n    return np.exp(x)\n"
    )
    result = run(f"{tmp_path}/kernels.py:f", jobs=2)
    assert (result.kind, result.finding.x) == ("raises", (0x4200,))


def test_a_subject_that_changes_its_input_does_not_change_the_run():
    patterns = (np.array([0x3C00, 0x4000], np.uint16),)

    def kernel(given):
        given[:] = 0
        return given, BINARY16

    with pytest.raises(Misconduct, match="mutates"):
        called(kernel, patterns, BINARY16)
    assert patterns[0].tolist() == [0x3C00, 0x4000]


def test_what_only_a_longer_array_shows_is_shown_with_it():
    def kernel(given):
        if given.size > 2:
            raise ValueError("too long")
        return given, BINARY16

    with pytest.raises(Misconduct) as raised:
        called(kernel, (np.arange(12, dtype=np.uint16),), BINARY16)
    assert raised.value.patterns[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (lambda x: 1 / 0, "fails on 1 array"),
        (lambda x: x.astype(np.int32), "it returns int32"),
        (lambda x: x[:1], "is not elementwise"),
        (lambda x, y: x, "fails on 1 array"),
    ],
)
def test_a_subject_that_never_works_is_a_wrong_call(subject, words):
    with pytest.raises(CallError, match=words) as raised:
        run(subject)
    assert str(raised.value).count("\n") <= 2


def test_jax_arrays_cannot_be_changed_and_modes_are_compared():
    result = certify("jax.numpy:exp", "exp", dtype="float8_e5m2")
    assert result.verdict == "conforms"
    assert any(note.startswith("compiled and op by op") for note in result.notes)


def test_a_function_that_cannot_run_op_by_op_is_noted():
    import jax
    import jax.numpy as jnp

    def compiled_only(x):
        if not isinstance(x, jax.core.Tracer):
            raise TypeError("needs a trace")
        return jnp.exp(x)

    result = certify(compiled_only, "exp", dtype="float8_e5m2", backend="jax")
    assert result.verdict == "conforms"
    assert any("op by op: it does not run (TypeError" in note for note in result.notes)
