"""The documentation covers what there is: every package, every page, every public name, every option."""

import re
from pathlib import Path

import pytest

import lenticulum
from lenticulum.check.result import EXIT_CODES

DOCS = Path(__file__).parents[2] / "docs"
PACKAGES = [each.stem for each in Path(lenticulum.__file__).parent.iterdir() if each.is_dir() and each.stem[0] != "_"]


def test_every_package_has_a_page_of_reference():
    assert sorted(PACKAGES) == sorted(page.stem for page in (DOCS / "reference").glob("*.md"))


def test_every_page_is_in_the_table_of_contents():
    listed = re.findall(r"^[a-z0-9/-]+$", (DOCS / "index.md").read_text(), flags=re.MULTILINE)
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(set(pages) - {"index"})


@pytest.mark.parametrize("package", ["certify", "check", "testing"])
def test_every_name_that_a_package_loads_on_first_use_has_an_entry_in_its_page(package):
    # Sphinx finds the names of the other packages by itself.
    page = (DOCS / "reference" / f"{package}.md").read_text()
    documented = re.findall(rf"^\.\. auto\w+:: lenticulum\.{package}\.(\w+)$", page, flags=re.MULTILINE)
    assert set(getattr(lenticulum, package).__all__) <= set(documented)


def test_the_page_of_the_command_line_lists_the_exit_codes_and_the_options_of_check():
    text = (DOCS / "command-line.md").read_text()
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", text, flags=re.MULTILINE)}
    assert codes == {*EXIT_CODES.values(), 2, 70}
    source = (Path(lenticulum.__file__).parent / "cli.py").read_text()
    options = re.findall(r"^    (\w+): Annotated\[.*typer\.Option\(", source, flags=re.MULTILINE)
    assert options
    for option in options:
        assert f"| `--{option.removeprefix('as_')}" in text or option == "spec"
