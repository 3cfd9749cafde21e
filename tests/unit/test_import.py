"""`import lenticulum` loads nothing until a name is used, and JAX only for what needs it."""

import subprocess
import sys

import pytest

import lenticulum
from lenticulum import fast, terms


def modules_after(*statements: str) -> set[str]:
    """Return what a fresh interpreter, which no test has touched, has loaded after the statements."""
    program = "\n".join(["import sys", *statements, "print(*sys.modules)"])
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_loads_none_of_its_parts_and_none_of_its_dependencies():
    loaded = modules_after("import lenticulum")
    assert {name for name in loaded if name.startswith("lenticulum")} == {"lenticulum"}
    assert not loaded & {"jax", "jaxlib", "numpy", "flint", "hypothesis", "typer", "rich"}


def test_the_language_and_the_exact_interpreter_load_without_jax():
    loaded = modules_after("import lenticulum", "lenticulum.Mode, lenticulum.parameterlength", "lenticulum.spec.apply")
    assert "lenticulum.spec.apply" in loaded
    assert not loaded & {"jax", "jaxlib", "equinox"}


def test_a_check_loads_no_library_but_that_of_its_subject():
    loaded = modules_after("from lenticulum.check import examine", "import jax", "examine(jax.nn.relu, 'relu')")
    assert not loaded & {"torch", "flax", "keras"}


def test_a_fast_name_loads_jax():
    assert "jax" in modules_after("import lenticulum", "lenticulum.apply")


@pytest.mark.parametrize("name", ["apply", "initialparameters", "initialstates", "setup"])
def test_a_fast_name_at_the_top_is_the_one_of_the_fast_interpreter(name):
    assert getattr(lenticulum, name) is getattr(fast, name)


@pytest.mark.parametrize("name", ["Mode", "Tree", "display_name", "parameterlength", "statelength"])
def test_a_name_of_the_language_at_the_top_is_the_one_of_terms(name):
    assert getattr(lenticulum, name) is getattr(terms, name)


def test_every_listed_name_exists():
    for name in dir(lenticulum):
        assert getattr(lenticulum, name) is not None


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(AttributeError, match=r"no attribute 'Sofmax'; it has .*terms.*statelength"):
        lenticulum.Sofmax  # noqa: B018 - the attribute is the test
