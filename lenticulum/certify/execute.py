"""Working through the shards of a campaign: in this process, in spawned processes, or on any executor of processes."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from lenticulum.certify.campaign import Campaign, Done, run_shard
from lenticulum.certify.store import Store
from lenticulum.check.errors import CallError

#: Shards in flight for each worker: enough that none waits, few enough that a deadline is kept.
IN_FLIGHT = 2

#: How often a shard whose worker died is tried again.
TRIES = 3

Progress = Callable[[int, int], None]


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
    Raises: CallError for a pool of threads, or if workers keep dying; whatever a subject raises.
    """
    refuse_threads(executor)
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
        raise CallError(
            "executor is a pool of threads; expected single-threaded processes, such as ProcessPoolExecutor\n"
            "the precision of exact arithmetic belongs to the whole process"
        )


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
        yield from _spread(campaign, shards, executor, 8, deadline)
    elif jobs == 1 or len(shards) == 1:
        for number, (first, count) in enumerate(shards):
            if number and deadline is not None and time.monotonic() > deadline:
                return
            yield run_shard(campaign, first, count)
    else:
        yield from _spawned(campaign, shards, jobs, deadline)


def _spawned(campaign: Campaign, shards: list[tuple[int, int]], jobs: int, deadline: float | None) -> Iterator[Done]:
    """Run on a pool of spawned processes; if one is killed, the others' work is kept and the rest starts anew."""
    left = dict(shards)
    for _ in range(TRIES):
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(jobs, len(left)), mp_context=context, initializer=_alone) as pool:
            try:
                for done in _spread(campaign, sorted(left.items()), pool, IN_FLIGHT * jobs, deadline):
                    del left[done.first]
                    yield done
                return
            except BrokenProcessPool:
                continue
            except GeneratorExit:
                pool.shutdown(cancel_futures=True)
                raise
    raise CallError(f"worker processes died {TRIES} times; is there enough memory? finished shards are kept")


def _alone() -> None:
    """Keep a worker to one thread: the processes are the parallelism."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def _spread(
    campaign: Campaign, shards: Iterable[tuple[int, int]], pool: Executor, in_flight: int, deadline: float | None
) -> Iterator[Done]:
    """Submit shards, a few at a time, and yield them as they finish."""
    waiting = iter(shards)
    running = set()
    exhausted = False
    while True:
        while not exhausted and len(running) < in_flight:
            late = running and deadline is not None and time.monotonic() > deadline
            shard = None if late else next(waiting, None)
            if shard is None:
                exhausted = True
            else:
                running.add(pool.submit(run_shard, campaign, *shard))
        if not running:
            return
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()
