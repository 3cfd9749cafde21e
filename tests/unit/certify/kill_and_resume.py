"""A process that runs one campaign for each line that it reads, in a child that it may kill.

It has imported everything and started no thread, so that a child is there at once and may be forked.
"""

import os
import signal
import sys
import time
from pathlib import Path

from claims import claim_bytes

from lenticulum.certify import certify


def run(target: str, store: str, report: str) -> None:
    """Run the campaign; write what it claims, and how long its shards took."""
    started = time.monotonic()
    took = []

    def progress(done: int, total: int) -> None:
        took.append(time.monotonic() - started)

    result = certify(target, "exp", dtype="float16", backend="numpy", store=store, progress=progress)
    Path(report).write_bytes(claim_bytes(result))
    Path(f"{report}.seconds").write_text(str(took[-1]))


def main() -> None:
    """Answer each line, TARGET STORE REPORT SECONDS, with the status of a child killed after so many (never for -1)."""
    for line in sys.stdin:
        *words, seconds = line.split()
        child = os.fork()
        if child == 0:
            run(*words)
            os._exit(0)
        if float(seconds) >= 0:
            time.sleep(float(seconds))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(status, flush=True)


if __name__ == "__main__":
    main()
