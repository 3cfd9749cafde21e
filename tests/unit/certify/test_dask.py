"""Campaigns on a Dask cluster: the same bytes, a worker that is killed, and workers with several threads."""

import os
import signal
from importlib.util import find_spec

import pytest
from claims import claim_bytes

from lenticulum.certify import certify
from lenticulum.check.errors import CallError

if find_spec("distributed") is None:
    pytest.skip("Dask is not installed", allow_module_level=True)

from distributed import Client, LocalCluster

# Sixteen shards, slow enough that a worker can be killed while it works.
SLOW = """
import time
import numpy as np

def slow(x, y):
    if x.size == 4096:
        time.sleep(0.05)
    return np.hypot(x, y)
"""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("slow") / "kernels.py"
    path.write_text(SLOW)
    return f"{path}:slow"


def cluster(workers: int, threads: int) -> LocalCluster:
    return LocalCluster(n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address=None)


def run(target: str, **options):
    return certify(target, "hypot", dtype="float8_e5m2", backend="numpy", **options)


def test_two_workers_claim_the_same_bytes_and_one_that_is_killed_loses_nothing(target):
    whole = claim_bytes(run(target))
    with cluster(2, 1) as local, Client(local) as client:
        executor = client.get_executor()
        assert claim_bytes(run(target, executor=executor)) == whole
        seen, killed = [], []
        workers = list(client.run(os.getpid).values())

        def progress(done, total):
            seen.append(done)
            if done == 4:
                killed.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        assert claim_bytes(run(target, executor=executor, progress=progress)) == whole
        assert seen == list(range(17))
        assert killed
        # A function that has no target can be sent too.
        assert run(lambda x, y: x.dtype.type(0) + (x * x + y * y) ** 0.5, executor=executor).verdict == "differs"


def test_workers_with_threads_are_refused(target):
    with cluster(1, 2) as local, Client(local) as client:
        with pytest.raises(CallError, match="threads_per_worker=1"):
            run(target, executor=client.get_executor())
