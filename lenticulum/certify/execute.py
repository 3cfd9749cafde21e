"""Working through the shards of a campaign: in this process, in spawned processes, or on any executor of processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache

from lenticulum.certify.campaign import Campaign, Done, run_shard
from lenticulum.certify.store import Store
from lenticulum.certify.surroundings import digest, surroundings
from lenticulum.check.errors import CallError
from lenticulum.check.target import one_line

#: Shards in flight for each worker: enough that none waits, few enough that a deadline is kept.
IN_FLIGHT = 2

#: Shards in flight on an executor of unknown size.
ELSEWHERE = 64

#: How often workers may die before any shard is finished.
TRIES = 3

Progress = Callable[[int, int], None]

#: Held while this process works on a shard.
_alone = threading.Lock()


def execute(
    campaign: Campaign,
    store: Store,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    part: tuple[int, int] | None = None,
    deadline: float | None = None,
    progress: Progress = lambda done, total: None,
) -> None:
    """Work through the shards that the store does not have yet.

    Arguments: `jobs`: processes, spawned (a process with a started XLA must not be forked). `executor`: a
    `concurrent.futures.Executor` whose workers are single-threaded processes, instead of `jobs`. `part`: (k, n) takes
    every n-th shard, from the k-th on, k = 1..n. `deadline`: `time.monotonic()` at which no new shard is begun; at
    least one is worked on.
    Raises: CallError for threads, for a subject that cannot be sent to processes, or if workers keep dying; Misconduct.
    """
    refuse_threads(executor)
    if jobs > 1 or isinstance(executor, ProcessPoolExecutor):
        _refuse_unsendable(campaign)
    key = campaign.key()
    finished = store.finished(key)
    shards = list(campaign.domain.shards())
    if part is not None:
        shards = shards[part[0] - 1 :: part[1]]
    left = [shard for shard in shards if shard[0] not in finished]
    done = len(shards) - len(left)
    progress(done, len(shards))
    for result in _results(campaign, left, jobs, executor, deadline):
        store.put(key, result)
        done += 1
        progress(done, len(shards))


def refuse_threads(executor: Executor | None) -> None:
    """Raise CallError for a pool of threads: the working precision of the exact numbers is one for each process."""
    if isinstance(executor, ThreadPoolExecutor):
        raise CallError(f"executor is a pool of threads; {_EXPECTED}")


_EXPECTED = (
    "expected processes of one thread each, such as ProcessPoolExecutor or Dask's threads_per_worker=1: "
    "the precision of exact arithmetic belongs to a whole process"
)


def run_alone(campaign: Campaign, first: int, count: int, environment: str) -> Done:
    """Return `run_shard`, in a worker of any executor.

    Raises: CallError if another thread of this process works on a shard: so an executor whose workers have several
    threads is refused as soon as it uses them, whatever its class says. CallError on a machine with another processor
    or other versions: what is found there is no result of the environment that a claim names.
    """
    if _environment(campaign) != environment:
        raise CallError(
            "a worker of the executor has another environment than this process\n"
            "expected the same processor, flags, and versions of Python and the library"
        )
    if not _alone.acquire(blocking=False):
        raise CallError(f"the executor works on two shards at once in one process; {_EXPECTED}")
    try:
        return run_shard(campaign, first, count)
    finally:
        _alone.release()


def _environment(campaign: Campaign) -> str:
    """Return a digest of what a result of the campaign's libraries depends on in this process."""
    return _digest(tuple(sorted({subject.backend for subject in campaign.subjects})))


@lru_cache(maxsize=8)
def _digest(backends: tuple[str, ...]) -> str:
    return digest(*(surroundings(backend) for backend in backends))


def _refuse_unsendable(campaign: Campaign) -> None:
    """Raise CallError if a subject cannot be pickled, as a function inside a function cannot."""
    try:
        pickle.dumps(campaign)
    except Exception as error:
        raise CallError(
            f"{campaign.subjects[0].name} cannot be sent to other processes ({one_line(error)})\n"
            "name it as a target, package.module:attribute or path/to/file.py:attribute"
        ) from None


def _results(
    campaign: Campaign,
    shards: list[tuple[int, int]],
    jobs: int,
    executor: Executor | None,
    deadline: float | None,
) -> Iterator[Done]:
    if not shards:
        return
    if executor is not None:
        try:
            yield from _spread(campaign, shards, executor, ELSEWHERE, deadline)
        except BrokenExecutor as error:
            raise CallError(
                f"a worker of the executor died ({one_line(error)})\nrun it again; a store keeps finished shards"
            ) from None
    elif jobs == 1 or len(shards) == 1:
        for number, (first, count) in enumerate(shards):
            if number and deadline is not None and time.monotonic() > deadline:
                return
            yield run_shard(campaign, first, count)
    else:
        yield from _spawned(campaign, shards, jobs, deadline)


def _spawned(campaign: Campaign, shards: list[tuple[int, int]], jobs: int, deadline: float | None) -> Iterator[Done]:
    """Run on a pool of spawned processes; if one is killed, the others' work is kept and the rest starts anew."""
    left, deaths = dict(shards), 0
    context = multiprocessing.get_context("spawn")
    while deaths < TRIES:
        before = len(left)
        with ProcessPoolExecutor(min(jobs, len(left)), mp_context=context, initializer=_one_thread) as pool:
            try:
                for done in _spread(campaign, sorted(left.items()), pool, IN_FLIGHT * jobs, deadline):
                    del left[done.first]
                    yield done
                return
            except BrokenProcessPool:
                deaths = 1 if len(left) < before else deaths + 1
    raise CallError(
        f"worker processes died {TRIES} times; is there enough memory? with a store, finished shards are kept"
    )


def _one_thread() -> None:
    """Keep a worker to one thread: the processes are the parallelism."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def _spread(
    campaign: Campaign, shards: Iterable[tuple[int, int]], pool: Executor, in_flight: int, deadline: float | None
) -> Iterator[Done]:
    """Submit shards, a few at a time, and yield them as they finish; past the deadline, those that have begun."""
    waiting, environment = iter(shards), _environment(campaign)
    running: set[Future[Done]] = set()
    some_done = False
    try:
        while True:
            if some_done and deadline is not None and time.monotonic() > deadline:
                waiting = iter(())
                running = {future for future in running if not future.cancel()}
            while len(running) < in_flight and (shard := next(waiting, None)) is not None:
                running.add(pool.submit(run_alone, campaign, *shard, environment))
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            # The death of a worker ends the run, so that what has finished beside it comes first.
            for future in sorted(finished, key=_failed):
                yield future.result()
                some_done = True
    finally:
        for future in running:
            future.cancel()


def _failed(future: Future[Done]) -> bool:
    return future.cancelled() or future.exception() is not None
