"""Settings of every test run: two JAX devices, no implicit rank promotion, documentation blocks as doctests."""

from doctest import ELLIPSIS

import jax
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser

# Through jax.config and not the environment: command lines that tests start see JAX as users run it.
# Strict dtype promotion cannot stand beside it for the whole run: optax.adam itself raises a float to an integer count.
jax.config.update("jax_numpy_rank_promotion", "raise")
# Two devices on the processor, so that sharded programs run on any machine.
jax.config.update("jax_num_cpu_devices", 2)

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS)],
    patterns=["README.md", "docs/*.md"],
).pytest()
