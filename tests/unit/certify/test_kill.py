"""A campaign that is killed at any moment and resumed, or cut into parts, claims the same bytes as one in one piece."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from claims import claim_bytes

from lenticulum import cli
from lenticulum.certify import certify
from lenticulum.certify.store import Store

HERE = Path(__file__).parent

# Eight shards, of which each takes long enough to be killed in its middle.
SLOW = """
import time
import numpy as np

def slow(x):
    if x.size == 8192:
        time.sleep(0.02)
    return np.exp(x)
"""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("slow") / "kernels.py"
    path.write_text(SLOW)
    return f"{path}:slow"


@pytest.fixture(scope="module")
def whole(target: str) -> bytes:
    """Return what an uninterrupted run claims."""
    return claim_bytes(run(target))


def run(target: str, **options):
    return certify(target, "exp", dtype="float16", backend="numpy", **options)


class Children:
    """Runs of the campaign in processes of their own."""

    def __init__(self, process: subprocess.Popen[str], target: str, folder: Path) -> None:
        self.process, self.target, self.folder = process, target, folder

    def run(self, store: Path, kill_after: float = -1) -> bool:
        """Run with a store, and return whether the run came to its end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(self.target, store, self.folder / "report", kill_after, file=self.process.stdin, flush=True)
        status = int(self.process.stdout.readline())
        assert status in (0, signal.SIGKILL)
        return status == 0

    @property
    def report(self) -> bytes:
        return (self.folder / "report").read_bytes()

    @property
    def seconds(self) -> float:
        """How long the shards of the last whole run took."""
        return float((self.folder / "report.seconds").read_text())


@contextmanager
def children(target: str, folder: Path) -> Iterator[Children]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    command = [sys.executable, str(HERE / "kill_and_resume.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Children(process, target, folder)
        assert process.stdin is not None
        process.stdin.close()


def finished(store: Path) -> int:
    """Return how many shards a file holds."""
    if not store.exists():
        return 0
    with Store(store) as kept:
        return int(kept._connection.execute("SELECT count(*) FROM shards").fetchone()[0])


def killed_and_resumed(target: str, whole: bytes, folder: Path, kills: int) -> list[int]:
    """Kill at random moments, resume each time, and return how many shards each kill left."""
    draw = random.Random(0)
    left = []
    with children(target, folder) as runs:
        assert runs.run(folder / "first.sqlite")
        assert runs.report == whole
        for number in range(kills):
            store = folder / f"{number}.sqlite"
            runs.run(store, kill_after=draw.uniform(0, runs.seconds))
            left.append(finished(store))
            runs.run(store)
            assert runs.report == whole, f"after kill {number}, which left {left[-1]} shards"
    return left


def test_a_killed_run_goes_on_and_claims_the_same_bytes(target, whole, tmp_path):
    killed_and_resumed(target, whole, tmp_path, 4)


@pytest.mark.long
def test_twenty_kills_at_random_moments(target, whole, tmp_path):
    left = killed_and_resumed(target, whole, tmp_path, 20)
    # The moments are spread over the run: before the first shard, between, and after the last.
    assert len(left) == 20
    assert len(set(left)) >= 4


def test_a_run_that_is_killed_again_and_again_comes_to_its_end(target, whole, tmp_path):
    store, counts = tmp_path / "one.sqlite", []
    with children(target, tmp_path) as runs:
        while len(counts) < 10 and not runs.run(store, kill_after=0.06 * 1.3 ** len(counts)):
            counts.append(finished(store))
        assert runs.run(store)
        assert runs.report == whole
    # Nothing that was finished is lost.
    assert counts == sorted(counts)


def test_the_command_that_is_killed_goes_on(target, whole, tmp_path):
    store = tmp_path / "cli.sqlite"
    words = ["certify", target, "--spec", "exp", "--dtype", "float16", "--backend", "numpy", "--store", str(store)]
    with subprocess.Popen(
        [sys.executable, "-c", f"from lenticulum.cli import run; run({words})"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        while finished(store) < 2 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
    left = finished(store)
    assert 2 <= left <= 8
    seen = []
    result = run(target, store=store, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 8) for done in range(left, 9)]
    assert claim_bytes(result) == whole


def test_three_parts_merged_claim_the_same_bytes(target, whole, tmp_path, capsys):
    words = ["certify", target, "--spec", "exp", "--dtype", "float16", "--backend", "numpy"]
    for part in (1, 2, 3):
        assert cli.run([*words, "--shard", f"{part}/3", "--store", str(tmp_path / f"{part}.sqlite")]) == 3
        assert "NOT COVERED" in capsys.readouterr().out
    merge = [word for part in (3, 1) for word in ("--merge", str(tmp_path / f"{part}.sqlite"))]
    # Two of three are not all.
    assert cli.run([*words, "--budget", "0s", "--store", str(tmp_path / "two.sqlite"), *merge]) == 3
    capsys.readouterr()
    result = run(
        target,
        store=tmp_path / "all.sqlite",
        merge=tuple(str(tmp_path / f"{part}.sqlite") for part in (2, 3, 1)),
        progress=lambda done, total: (done, total) == (8, 8) or pytest.fail("a merged shard was run again"),
    )
    assert claim_bytes(result) == whole
