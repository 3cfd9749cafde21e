"""Printing of terms: as indented text, as LaTeX equations, and as string diagrams in SVG."""

from lenticulum.terms.printing.latex import latex
from lenticulum.terms.printing.parts import natural_source
from lenticulum.terms.printing.svg import svg
from lenticulum.terms.printing.text import text

__all__ = ["latex", "natural_source", "svg", "text"]
