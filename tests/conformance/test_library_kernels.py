"""Kernels of other libraries conform, or differ where they are known to; broken copies differ; witnesses run."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

LIBRARIES = [
    pytest.param(name, marks=pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed"))
    for name in ("torch", "flax", "keras", "numpy", "scipy")
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_kernels_conform_or_have_the_finding_that_they_are_known_for(library: str) -> None:
    # Each library in a process of its own: the imports cost seconds, and no other test needs them.
    program = Path(__file__).with_name("library_kernels.py")
    run = subprocess.run([sys.executable, str(program), library], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for found in json.loads(run.stdout):
        verdict = "conforms" if found["expected"] is None else "differs"
        assert (found["verdict"], found["kind"]) == (verdict, found["expected"]), found["text"]
        if verdict == "conforms":
            assert found["carried"] > 3, found["kernel"]
        else:
            assert found["shown"] is not False, found["text"]
