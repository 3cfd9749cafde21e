"""The file of finished shards: what comes back, what stays, what belongs to which campaign, and what is refused."""

import dataclasses
import sqlite3
from fractions import Fraction

import pytest

from lenticulum.certify import certify
from lenticulum.certify.campaign import Campaign, Done
from lenticulum.certify.domain import Domain
from lenticulum.certify.shard import Maximum, ShardResult, Special, Stratum
from lenticulum.certify.store import Store
from lenticulum.certify.subject import Subject
from lenticulum.check.errors import CallError


def done(first: int, inputs: int = 3) -> Done:
    """Return a shard in which every kind of field has a value of its own."""
    stratum = Stratum(
        count=7,
        accepted={"K": 4, "flushed": 1},
        rejected=1,
        correctly_rounded=3,
        zero_sign=2,
        no_number=1,
        ulp=Maximum(0.1, 5e-324, (first, 2), 9),
        k=Maximum(float("inf"), 0.3, (first,), 1),
        undecided=[(1, 2), (3, 4)],
        undecided_count=2,
        worst_rejected=Maximum(1 / 3, 1 / 7, (5, 6), 2),
    )
    result = ShardResult(
        inputs=inputs,
        strata={"regular": stratum, "overflow": Stratum()},
        special=Special(3, 1, [((first, 0), 5, "-0x0.0p+0")]),
        binades={3: Maximum(0.5, 0.25, (first,), 4), 510: Maximum(1.5, 1.25, (8,), 4)},
        leaves={first: "ab", first + 1: "cd"},
        escalated=5,
    )
    return Done(first, 16, (result, ShardResult()), (b"\x00\n\xff", b""))


def test_a_shard_comes_back_as_it_was(tmp_path):
    with Store(tmp_path / "file") as store:
        store.put("key", done(16))
        store.put("key", done(0))
    with Store(tmp_path / "file") as store:
        assert list(store.parts("key")) == [done(0), done(16)]
        assert store.finished("key") == {0, 16}
        assert store.finished("other") == set()


def test_a_finished_shard_stays():
    with Store(":memory:") as store:
        store.put("key", done(0, inputs=3))
        store.put("key", done(0, inputs=4))
        assert [part.results[0].inputs for part in store.parts("key")] == [3]


def test_files_merge_and_say_how_much_was_new(tmp_path):
    for name, firsts in (("a", (0, 32)), ("b", (16, 32))):
        with Store(tmp_path / name) as store:
            for first in firsts:
                store.put("key", done(first))
            store.put(name, done(0))
    with Store(tmp_path / "a") as store:
        assert store.merge(tmp_path / "b") == 2
        assert store.merge(tmp_path / "b") == 0
        assert [part.first for part in store.parts("key")] == [0, 16, 32]
        assert store.finished("b") == {0}


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "text").write_text("no database, however long this text is" * 100)
    sqlite3.connect(tmp_path / "empty").execute("CREATE TABLE other (x)").connection.close()
    for make, words in (
        (lambda: Store(tmp_path / "text"), "cannot be used"),
        (lambda: Store(tmp_path / "missing" / "file"), "cannot be used"),
        (lambda: Store(tmp_path), "cannot be used"),
    ):
        with pytest.raises(CallError, match=words):
            make()
    with Store(":memory:") as store:
        for name, words in (("missing", "no such file"), ("text", "not a database"), ("empty", "no such table")):
            with pytest.raises(CallError, match=words):
                store.merge(tmp_path / name)
        # A failed merge leaves the store as it was.
        store.put("key", done(0))
        assert store.finished("key") == {0}


CAMPAIGN = Campaign(
    spec="gelu:approximate=none",
    subjects=(Subject("m:f", "numpy", "float16", "eager", (("a", 1),)),),
    digests=("d",),
    domain=Domain("float16", 1),
    output="float16",
    flushes=(False,),
    environment="e",
)


def subject(**changes):
    return {"subjects": (dataclasses.replace(CAMPAIGN.subjects[0], **changes),)}


@pytest.mark.parametrize(
    "changes",
    [
        {"spec": "gelu:approximate=tanh"},
        subject(name="m:g"),
        subject(backend="torch"),
        subject(mode="compiled"),
        subject(bind=(("a", 2),)),
        subject(bind=(("a", True),)),
        subject(bind=()),
        {"digests": ("other",)},
        {"domain": Domain("float16", 1, 100)},
        {"domain": Domain("float16", 1, 100, 1)},
        {"domain": Domain("bfloat16", 1)},
        {"output": "float32"},
        {"flushes": (True,)},
        {"environment": "other"},
        {"within": Fraction(1, 2)},
        {"intervals": False},
    ],
)
def test_shards_of_another_campaign_are_never_taken(changes):
    other = dataclasses.replace(CAMPAIGN, **changes)
    assert other.key() != CAMPAIGN.key()
    assert dataclasses.replace(CAMPAIGN).key() == CAMPAIGN.key()


def test_an_edited_subject_starts_anew(tmp_path):
    kernel, seen = tmp_path / "kernels.py", []
    for number, factor in enumerate(("1", "np.float16(1)")):
        # A file of its own name: a module is loaded once in a process.
        kernel = tmp_path / f"kernels{number}.py"
        kernel.write_text(f"import numpy as np\ndef f(x): return np.exp(x) * {factor}\n")
        certify(
            f"{kernel}:f",
            "exp",
            dtype="float16",
            backend="numpy",
            store=tmp_path / "store",
            progress=lambda done, total: seen.append(done),
        )
    assert seen.count(0) == 2
