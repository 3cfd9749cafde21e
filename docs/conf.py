"""Configuration of the documentation site."""

from importlib.metadata import version as installed_version

project = "Lenticulum"
copyright = "the Lenticulum authors"
version = release = installed_version("lenticulum")

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
