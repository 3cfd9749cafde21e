"""Settings of every test run: two JAX devices, no implicit rank promotion, documentation blocks as doctests."""

import sys
from doctest import ELLIPSIS
from importlib.util import find_spec
from pathlib import Path

import jax
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser

# Here and not by its entry point: that comes before the import hook that checks types at run time (see pyproject.toml).
pytest_plugins = ["lenticulum.testing.plugin"]

# Through jax.config and not the environment: command lines that tests start see JAX as users run it.
# Strict dtype promotion cannot stand beside it for the whole run: optax.adam itself raises a float to an integer count.
jax.config.update("jax_numpy_rank_promotion", "raise")
# Two devices on the processor, so that sharded programs run on any machine.
jax.config.update("jax_num_cpu_devices", 2)

# Sphinx's configuration is a script for Sphinx, not a module with examples.
collect_ignore = ["docs/conf.py"]

# Its examples need crival; what is not installed is named in the summary of the run.
if find_spec("ival") is None:
    collect_ignore.append("lenticulum/numbers/interval64.py")

# A program for another process, which needs torch.
if find_spec("torch") is None:
    collect_ignore.append("tests/conformance/torch_operations.py")

# The chapters import the checkers of their exercises as a reader does who starts Python in docs.
sys.path.insert(0, str(Path(__file__).parent / "docs"))

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS)],
    patterns=["README.md", "docs/*.md", "docs/reference/*.md"],
).pytest()
