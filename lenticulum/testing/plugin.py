"""The pytest plugin: the seed of the session, counts of what was undecided or not run, and `jax.jit` under audit.

Imports no JAX, unless the audit is asked for.
"""

import sys
from typing import Any

import pytest

from lenticulum.testing.tally import SESSION

#: What the audits of the workers of pytest-xdist say.
AUDITS = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the seed and the audit."""
    group = parser.getgroup("lenticulum")
    group.addoption(
        "--lenticulum-seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of the cases that lenticulum's assertions draw (default: 0)",
    )
    group.addoption(
        "--lenticulum-audit-jit",
        action="store_true",
        help="run with lenticulum.testing.audited_jit in place of jax.jit: a stale program is an error",
    )
    parser.addini(
        "lenticulum_benign",
        "names, alone or as owner.name, that change and reach no compiled program (for --lenticulum-audit-jit)",
        type="linelist",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take the seed over; put the audit in the place of `jax.jit`, before any test module is imported."""
    SESSION.seed = seed_of(config)
    if config.getoption("--lenticulum-audit-jit", False):
        import jax

        from lenticulum.testing.audit import SESSION_AUDIT
        from lenticulum.testing.auditing import audited_jit

        SESSION_AUDIT.declare(config.getini("lenticulum_benign"))
        jax.jit = audited_jit


def pytest_unconfigure(config: pytest.Config) -> None:
    """Put `jax.jit` back."""
    if config.getoption("--lenticulum-audit-jit", False):
        import jax

        from lenticulum.testing.audit import JIT

        jax.jit = JIT


def audit_lines() -> list[str]:
    """Return what the audit of this process says; nothing where there was none."""
    module = sys.modules.get("lenticulum.testing.audit")
    return [] if module is None else module.SESSION_AUDIT.lines()


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


@pytest.fixture
def jit_audit(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> Any:
    """The audit of one test, in which `jax.jit` is `audited_jit`: its counts and notes are those of the test."""
    import jax

    from lenticulum.testing.audit import Audit
    from lenticulum.testing.auditing import audited_jit

    audit = Audit(tuple(pytestconfig.getini("lenticulum_benign")))

    def jit(fun: Any = None, /, **options: Any) -> Any:
        return audited_jit(fun, audit=audit, **options)

    monkeypatch.setattr(jax, "jit", jit)
    return audit


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand a worker's counts to the process that prints the summary."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["lenticulum"] = {
            "checked": SESSION.checked,
            "undecided": SESSION.undecided,
            "not_run": SESSION.not_run,
        }
        output["lenticulum_audit"] = audit_lines()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Add the counts of a worker of pytest-xdist; one that crashed has none."""
    output = getattr(node, "workeroutput", {})
    SESSION.add(**output.get("lenticulum", {}))
    node.config.stash.setdefault(AUDITS, []).extend(output.get("lenticulum_audit", []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the counts."""
    lines = [*SESSION.lines(), *audit_lines(), *config.stash.get(AUDITS, [])]
    if lines:
        terminalreporter.section("lenticulum")
        for line in lines:
            terminalreporter.write_line(line)
