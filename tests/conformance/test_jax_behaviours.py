"""The frozen corpus of what jax does: each row gives its recorded outcome, and value types are refused or right."""

import warnings

import jax
import pytest

from tests.conformance.jax_behaviours.behaviour import OURS, RECORD, Row, records
from tests.conformance.jax_behaviours.corpus import dated, expected, rows

CORPUS = rows()
MISSING = [name for name, row in CORPUS.items() if row.missing]

# Rows of each family.
COUNTS = dict(a=8, b=4, c=5, d=2, e=3, f=6, g=11, h=12, i=6, j=6, k=6, l=2, m=5, n=3, o=6, p=4, q=2, r=1, s=4, t=3, u=2)

# The matrix takes longest, and what changes in one carrier most likely changes in one that runs always.
SHORT = ("h static tuple", "h metadata field", "h static_argnums", "h equinox.filter_jit argument")


def parameters():
    long = [name for name in CORPUS if name.startswith("h ") and name not in SHORT]
    return [
        pytest.param(name, marks=pytest.mark.long if name in long else ()) for name in CORPUS if name not in MISSING
    ]


@pytest.mark.parametrize("name", parameters())
def test_this_jax_does_what_is_recorded(name):
    version, record = expected()
    lines = dated(CORPUS[name], record.get(name, {}), version)
    if version != jax.__version__ and lines:
        warnings.warn(f"jax {jax.__version__} has no record: compared with {version}", UserWarning, stacklevel=1)
    assert not lines, "a behaviour of jax is dated:\n" + "\n".join(lines)


@pytest.mark.parametrize("situation", dict.fromkeys(OURS.values()), ids=lambda situation: situation.__name__)
def test_the_same_situation_with_value_types_is_refused_or_right(situation):
    jax.clear_caches()
    situation()
    jax.clear_caches()


def test_every_row_whose_situation_is_a_description_is_written_with_value_types():
    # Not those about functions (e3, l), a language without value types (o, p, q), other libraries (s, t3), and m5.
    written = {name for name in CORPUS if name[0] in "abcdefghijkmnrtu" and " " not in name} - {"e3", "m5", "r2"}
    assert written <= set(OURS)
    assert "h matrix" in OURS


def test_every_family_has_its_rows():
    families = {name[0] for name in CORPUS}
    assert families == set("abcdefghijklmnopqrstu")
    assert {f"{f}{n}" for f, count in COUNTS.items() for n in range(1, count + 1)} <= {
        name.split()[0] for name in CORPUS
    }
    assert sum(name.startswith("h ") for name in CORPUS) == 16


def test_a_row_that_changes_is_reported_with_both_outcomes():
    row = Row("z1", "planted", lambda: {"": "stale", "new": "fresh"}, ())
    assert dated(row, {"": "fresh", "old": "x"}, "0.0") == [
        f"z1: fresh in jax 0.0, stale in jax {jax.__version__}",
        f"z1 (old): x in jax 0.0, gone in jax {jax.__version__}",
        f"z1 (new): no record in jax 0.0, fresh in jax {jax.__version__}",
    ]


def test_both_ends_of_the_supported_range_are_recorded():
    assert {"0.10.2", "0.12.0.1"} <= set(records()), RECORD
