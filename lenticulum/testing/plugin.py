"""The pytest plugin: the seed of the session, and a count of what was undecided or not run. Imports no JAX."""

import pytest

from lenticulum.testing.tally import SESSION


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the seed."""
    parser.getgroup("lenticulum").addoption(
        "--lenticulum-seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of the cases that lenticulum's assertions draw (default: 0)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take the seed over."""
    SESSION.seed = seed_of(config)


def seed_of(config: pytest.Config) -> int:
    """Return the seed of a session."""
    return int(config.getoption("--lenticulum-seed", 0) or 0)


def pytest_report_header(config: pytest.Config) -> str:
    """Say which seed this run has, so that it can be repeated."""
    return f"lenticulum: --lenticulum-seed={config.getoption('--lenticulum-seed')}"


@pytest.fixture
def lenticulum_seed(pytestconfig: pytest.Config) -> int:
    """The seed of the session."""
    return seed_of(pytestconfig)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Attach what the checks of a test found to its report, so that `--junitxml` writes it."""
    if call.when == "call":
        item.user_properties += SESSION.properties
        SESSION.properties.clear()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand a worker's counts to the process that prints the summary."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["lenticulum"] = {
            "checked": SESSION.checked,
            "undecided": SESSION.undecided,
            "not_run": SESSION.not_run,
        }


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Add the counts of a worker of pytest-xdist; one that crashed has none."""
    SESSION.add(**getattr(node, "workeroutput", {}).get("lenticulum", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the counts."""
    lines = SESSION.lines()
    if lines:
        terminalreporter.section("lenticulum")
        for line in lines:
            terminalreporter.write_line(line)
