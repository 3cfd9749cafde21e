"""Settings of the test suite: Hypothesis profiles, and a count of what a run leaves out."""

import shutil
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# Derandomised: every run of one commit tries the same examples, so a failure is never chance. Time is no property of a
# law, and machines differ: no deadline, and slow generation is no error.
settings.register_profile(
    "ci", max_examples=100, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("night", settings.get_profile("ci"), max_examples=1000, derandomize=False, print_blob=True)
settings.load_profile("ci")

# What the suite can use where it is present: packages of the extras (ival is the module of crival), and one program.
OPTIONAL_PACKAGES = ["ival", "dask", "flax", "keras", "numpyro", "torch"]
OPTIONAL_PROGRAMS = ["chromium"]

# The files that take longest, first: with two processes, the last file to start decides when the run ends.
LONGEST = ("test_spec_against_fast.py", "test_known_kernels.py", "test_theorems_13_and_23.py")

deselected = pytest.StashKey[int]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the longest files to the front; the rest keeps its order."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count the tests that a marker or a keyword leaves out."""
    for item in items:
        item.config.stash[deselected] = item.config.stash.get(deselected, 0) + 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand a worker's count to the process that prints the summary; pytest-xdist reports results only."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["deselected"] = session.config.stash.get(deselected, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Take over the count of a worker. All workers collect the same tests, so one count stands for all."""
    node.config.stash[deselected] = getattr(node, "workeroutput", {}).get("deselected", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what this run did not do: nothing is left out in silence."""
    missing = [name for name in OPTIONAL_PACKAGES if find_spec(name) is None]
    missing += [name for name in OPTIONAL_PROGRAMS if shutil.which(name) is None]
    total = len(OPTIONAL_PACKAGES) + len(OPTIONAL_PROGRAMS)
    terminalreporter.section("not run")
    terminalreporter.write_line(f"{config.stash.get(deselected, 0)} tests deselected (long ones: make test-all)")
    terminalreporter.write_line(
        f"{len(missing)} of {total} optional packages and programs not installed: {', '.join(missing) or 'none'}"
    )
