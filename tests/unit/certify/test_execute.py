"""Working through shards: parts, deadlines, processes that die, and executors that are refused."""

import dataclasses
import multiprocessing
import os
import signal
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest
from claims import claim_bytes

from lenticulum.certify import certify
from lenticulum.certify import execute as module
from lenticulum.certify.campaign import Campaign, Done
from lenticulum.certify.domain import Domain
from lenticulum.certify.execute import execute
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.store import Store
from lenticulum.certify.subject import Subject
from lenticulum.check.errors import CallError

CAMPAIGN = Campaign("exp", (), (), Domain("float16", 1), "float16", (), "")
FIRSTS = [first for first, _ in CAMPAIGN.domain.shards()]


def run(**options):
    return certify("numpy:exp", "exp", dtype="float16", **options)


@pytest.fixture(scope="module")
def whole() -> bytes:
    return claim_bytes(run())


@pytest.fixture
def quick(monkeypatch):
    """Let a shard be nothing but its name, and return the list of those that were run."""
    ran = []

    def run_shard(campaign, first, count):
        ran.append(first)
        return Done(first, count, (ShardResult(inputs=count),), (b"",))

    monkeypatch.setattr(module, "run_shard", run_shard)
    monkeypatch.setattr(module, "_refuse_unsendable", lambda campaign: None)
    return ran


class Direct(Executor):
    """An executor that runs a call as it is submitted."""

    def submit(self, function, /, *arguments, **named):
        future = Future()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future


class Threads(Executor):
    """A pool of threads that is no ThreadPoolExecutor."""

    def __init__(self, workers: int) -> None:
        self.pool = ThreadPoolExecutor(workers)

    def submit(self, function, /, *arguments, **named):
        return self.pool.submit(function, *arguments, **named)


def test_eight_shards_cover_float16():
    assert FIRSTS == list(range(0, 65_536, 8192))


@pytest.mark.parametrize("parts", [1, 2, 3, 8, 11])
def test_parts_are_disjoint_and_complete(parts, quick):
    for number in range(1, parts + 1):
        with Store(":memory:") as store:
            execute(CAMPAIGN, store, part=(number, parts))
    assert sorted(quick) == FIRSTS


def test_finished_shards_are_not_run_again(quick):
    seen = []
    with Store(":memory:") as store:
        execute(CAMPAIGN, store, part=(2, 3))
        execute(CAMPAIGN, store, progress=lambda done, total: seen.append((done, total)))
        execute(CAMPAIGN, store)
        assert store.finished(CAMPAIGN.key()) == set(FIRSTS)
    assert sorted(quick) == FIRSTS
    assert seen == [(done, 8) for done in range(3, 9)]


@pytest.mark.parametrize("executor", [None, Direct()])
def test_past_the_deadline_no_shard_is_begun_but_one_is_run(executor, quick):
    with Store(":memory:") as store:
        execute(CAMPAIGN, store, deadline=time.monotonic() - 1, executor=executor)
        finished = store.finished(CAMPAIGN.key())
    assert 1 <= len(finished)
    assert finished == ({0} if executor is None else set(quick))


def test_past_the_deadline_what_waits_in_a_pool_is_cancelled(monkeypatch):
    pool = Threads(1)

    def run_shard(campaign, first, count):
        time.sleep(0.02)
        return Done(first, count, (ShardResult(inputs=count),), (b"",))

    monkeypatch.setattr(module, "run_shard", run_shard)
    with Store(":memory:") as store:
        execute(CAMPAIGN, store, deadline=time.monotonic() - 1, executor=pool)
        assert 1 <= len(store.finished(CAMPAIGN.key())) < 8
    pool.pool.shutdown()


def test_a_budget_leaves_the_rest_uncovered_and_a_store_keeps_the_part(tmp_path, whole):
    first = run(budget=0.0, store=tmp_path / "store")
    assert (first.verdict, first.exit_code) == ("not covered", 3)
    assert first.coverage == "a part (8 192 of 65 536)"
    assert claim_bytes(run(store=tmp_path / "store")) == whole


def test_a_pool_of_threads_is_refused_in_one_sentence():
    with ThreadPoolExecutor(1) as pool, pytest.raises(CallError, match="a pool of threads") as raised:
        run(executor=pool)
    assert "\n" not in str(raised.value)


def test_threads_under_another_name_are_refused_when_they_are_used(monkeypatch):
    def run_shard(campaign, first, count):
        time.sleep(0.2)
        return Done(first, count, (ShardResult(inputs=count),), (b"",))

    monkeypatch.setattr(module, "run_shard", run_shard)
    pool = Threads(2)
    with Store(":memory:") as store, pytest.raises(CallError, match="two shards at once in one process"):
        execute(CAMPAIGN, store, executor=pool)
    pool.pool.shutdown()


@pytest.mark.usefixtures("quick")
def test_a_worker_on_another_machine_is_refused(monkeypatch):
    class Elsewhere(Direct):
        def submit(self, function, /, *arguments, **named):
            with monkeypatch.context() as there:
                module._digest.cache_clear()
                there.setattr(module, "surroundings", lambda backend: {"processor": "another"})
                try:
                    return super().submit(function, *arguments, **named)
                finally:
                    module._digest.cache_clear()

    campaign = dataclasses.replace(CAMPAIGN, subjects=(Subject("numpy:exp", "numpy", "float16", "eager"),))
    for executor in (Direct(), Elsewhere()):
        with Store(":memory:") as store:
            if isinstance(executor, Elsewhere):
                with pytest.raises(CallError, match="another environment"):
                    execute(campaign, store, executor=executor)
            else:
                execute(campaign, store, executor=executor)


def test_one_thread_at_a_time_is_safe(whole):
    pool = Threads(1)
    assert claim_bytes(run(executor=pool)) == whole
    pool.pool.shutdown()


def test_an_executor_of_spawned_processes_claims_the_same_bytes(whole):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert claim_bytes(run(executor=pool)) == whole
        # The executor is the caller's, and still there.
        assert pool.submit(abs, -1).result() == 1


def test_a_killed_worker_loses_nothing(whole, tmp_path):
    seen, killed = [], []

    def progress(done, total):
        seen.append(done)
        if done in (2, 5):
            victim = multiprocessing.active_children()[0].pid
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    result = run(jobs=2, store=tmp_path / "store", progress=progress)
    assert claim_bytes(result) == whole
    assert len(set(killed)) == 2
    # Each shard was finished once.
    assert seen == list(range(9))


class Mortal(Direct):
    """A pool whose process dies of some shards, as ProcessPoolExecutor reports it."""

    deadly: frozenset[int] = frozenset()

    def __init__(self, *arguments, **named) -> None:
        self.broken = False

    def submit(self, function, /, *arguments, **named):
        self.broken |= arguments[1] in self.deadly
        if self.broken:
            future = Future()
            future.set_exception(BrokenProcessPool("a process died"))
            return future
        return super().submit(function, *arguments, **named)


def the_dead_first(futures, return_when):
    """Report all futures as finished, those of a worker that died before the others."""
    return sorted(futures, key=lambda each: each.exception() is None), set()


@pytest.mark.usefixtures("quick")
def test_a_shard_that_kills_every_worker_ends_the_run_and_the_others_are_kept(monkeypatch):
    monkeypatch.setattr(module, "ProcessPoolExecutor", Mortal)
    monkeypatch.setattr(Mortal, "deadly", frozenset({FIRSTS[-1]}))
    monkeypatch.setattr(module, "wait", the_dead_first)
    with Store(":memory:") as store:
        with pytest.raises(CallError, match="died 3 times"):
            execute(CAMPAIGN, store, jobs=2)
        assert store.finished(CAMPAIGN.key()) == set(FIRSTS[:-1])


@pytest.mark.usefixtures("quick")
def test_a_worker_of_the_callers_executor_that_dies_is_named(monkeypatch):
    monkeypatch.setattr(Mortal, "deadly", frozenset({FIRSTS[3]}))
    monkeypatch.setattr(module, "wait", the_dead_first)
    with Store(":memory:") as store:
        with pytest.raises(CallError, match="a worker of the executor died .BrokenProcessPool"):
            execute(CAMPAIGN, store, executor=Mortal())
        assert store.finished(CAMPAIGN.key()) == set(FIRSTS[:3])


def test_a_function_without_a_name_cannot_be_sent():
    with pytest.raises(CallError, match="cannot be sent to other processes"):
        certify(lambda x: np.exp(x), "exp", dtype="float16", backend="numpy", jobs=2)


def test_what_a_subject_raises_in_the_middle_cancels_the_rest(quick, monkeypatch):
    def run_shard(campaign, first, count):
        raise RuntimeError("planted")

    monkeypatch.setattr(module, "run_shard", run_shard)
    pool = Threads(1)
    with Store(":memory:") as store, pytest.raises(RuntimeError, match="planted"):
        execute(CAMPAIGN, store, executor=pool)
    pool.pool.shutdown()
    assert quick == []
