"""Finished shards in an SQLite file: a campaign that was killed goes on where it stopped, and files merge."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType

from lenticulum.certify.campaign import Done
from lenticulum.certify.shard import ShardResult
from lenticulum.check.errors import CallError

_TABLES = """
CREATE TABLE IF NOT EXISTS shards (
    campaign TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, results BLOB NOT NULL,
    outputs BLOB NOT NULL, PRIMARY KEY (campaign, first)
)
"""


class Store:
    """Shards by campaign key. Each shard is one transaction, so that a kill at any moment loses at most the shard
    that was being worked on.

    >>> with Store(":memory:") as store:
    ...     store.put("key", Done(0, 4, (ShardResult(inputs=4),), (b"abcd",)))
    ...     [(part.first, part.results[0].inputs, part.outputs) for part in store.parts("key")]
    [(0, 4, (b'abcd',))]
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        try:
            self._connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            if self.path != ":memory:":
                self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(_TABLES)
        except sqlite3.Error as error:
            raise CallError(
                f"store {self.path!r} cannot be used: {error}\nexpected an SQLite file of a former run, or a new name"
            ) from None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def put(self, key: str, done: Done) -> None:
        """Keep a finished shard; one that is there already stays."""
        results = zlib.compress(json.dumps([each.to_json() for each in done.results]).encode())
        outputs = zlib.compress(
            json.dumps([len(each) for each in done.outputs]).encode() + b"\n" + b"".join(done.outputs)
        )
        self._connection.execute(
            "INSERT OR IGNORE INTO shards VALUES (?, ?, ?, ?, ?)", (key, done.first, done.count, results, outputs)
        )

    def finished(self, key: str) -> set[int]:
        """Return the first indices of the finished shards."""
        with closing(self._connection.execute("SELECT first FROM shards WHERE campaign = ?", (key,))) as rows:
            return {first for (first,) in rows}

    def parts(self, key: str) -> Iterator[Done]:
        """Yield the finished shards in the order of the domain."""
        query = "SELECT first, count, results, outputs FROM shards WHERE campaign = ? ORDER BY first"
        with closing(self._connection.execute(query, (key,))) as rows:
            for first, count, results, outputs in rows:
                yield Done(first, count, _results(results), _outputs(outputs))

    def merge(self, path: str | Path) -> int:
        """Take over all shards of another file, and return how many were new.

        Raises: CallError if the file is missing or holds no shards.
        """
        if not Path(path).is_file():
            raise CallError(f"--merge {path}: there is no such file")
        before = self._count()
        try:
            self._connection.execute("ATTACH DATABASE ? AS other", (str(path),))
            try:
                self._connection.execute("INSERT OR IGNORE INTO main.shards SELECT * FROM other.shards")
            finally:
                self._connection.execute("DETACH DATABASE other")
        except sqlite3.Error as error:
            raise CallError(f"--merge {path}: {error}; expected the store of a run with --shard") from None
        return self._count() - before

    def _count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM shards").fetchone()[0])


def _results(blob: bytes) -> tuple[ShardResult, ...]:
    return tuple(ShardResult.from_json(each) for each in json.loads(zlib.decompress(blob)))


def _outputs(blob: bytes) -> tuple[bytes, ...]:
    head, _, body = zlib.decompress(blob).partition(b"\n")
    outputs, offset = [], 0
    for length in json.loads(head):
        outputs.append(body[offset : offset + length])
        offset += length
    return tuple(outputs)
