"""Configuration of the documentation site."""

import re
from importlib.metadata import version as installed_version

from sphinx.application import Sphinx

project = "Lenticulum"
copyright = "the Lenticulum authors"
version = release = installed_version("lenticulum")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Exact meanings for the pieces of a learning system", "fixed_sidebar": True}

# `name` in a docstring is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}


def render_plain_docstring(
    app: Sphinx, what: str, name: str, subject: object, options: object, lines: list[str]
) -> None:
    """Make reStructuredText of a docstring written as plain text.

    Docstrings hold formulas as people write them (|x|, x_i, b ** k), which are markup to docutils. The first paragraph
    becomes text, whatever follows is kept as it stands, and examples are highlighted.
    """
    first, *rest = "\n".join(lines).strip().split("\n\n")
    rendered = [escaped(first), ""]
    for paragraph in rest:
        language = "pycon" if paragraph.lstrip().startswith(">>>") else "text"
        rendered += [f".. code-block:: {language}", "", *(f"   {line}" for line in paragraph.split("\n")), ""]
    lines[:] = rendered


def escaped(text: str) -> str:
    """Escape what docutils reads as markup, except in code between single backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*|_`])", r"\\\1", part) for part in parts)


def setup(app: Sphinx) -> None:
    """Register the rendering of docstrings."""
    app.connect("autodoc-process-docstring", render_plain_docstring)
