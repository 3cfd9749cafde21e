"""The arithmetic of the checker as one namespace, as in the one-file checker, and altered for planted mistakes."""

import ast
from functools import cache
from pathlib import Path
from types import CodeType, SimpleNamespace

import lenticulum.certify.checker

FOLDER = Path(lenticulum.certify.checker.__file__).parent

#: In an order in which every part finds the names that it needs.
PARTS = (
    *("dyadic", "constants", "elementary", "trigonometric", "error_function", "gamma_function", "two_arguments"),
    *("expressions", "formats", "evaluation", "slopes", "running", "definitions", "special_values", "judge"),
)


class Replaced(ast.NodeTransformer):
    """Leave out the imports from other parts: in one namespace their names are there."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        return None if (node.module or "").startswith("lenticulum") else node


def compiled(part: str, text: str) -> CodeType:
    """Return the code of a part without its imports from others."""
    return compile(Replaced().visit(ast.parse(text)), f"{part}.py", "exec")


@cache
def source(part: str) -> str:
    """Return the text of a part."""
    return (FOLDER / f"{part}.py").read_text(encoding="utf-8")


@cache
def unaltered(part: str) -> CodeType:
    """Return the code of a part as it is."""
    return compiled(part, source(part))


def load(part: str = "", old: str = "", new: str = "") -> SimpleNamespace:
    """Return the names of all parts, with one piece of text of one part replaced."""
    names: dict[str, object] = {"__name__": "lenticulum_check"}
    for each in PARTS:
        code = unaltered(each)
        if each == part:
            if source(part).count(old) != 1:
                raise ValueError(f"{part}: {old!r} occurs {source(part).count(old)} times")
            code = compiled(part, source(part).replace(old, new))
        exec(code, names)
    return SimpleNamespace(**names)


@cache
def checker() -> SimpleNamespace:
    """The parts as they are, without the run-time type checker of the tests, which would slow them thirtyfold."""
    return load()
