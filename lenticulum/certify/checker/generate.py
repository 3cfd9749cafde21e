"""Make the one-file checker of its parts: `python -m lenticulum.certify.checker.generate` writes it."""

from __future__ import annotations

import ast
import json
import textwrap
from pathlib import Path

PACKAGE = "lenticulum.certify.checker"
FOLDER = Path(__file__).parent
TARGET = FOLDER.parent / "lenticulum_check.py"

#: The part that runs as a program; the others are what it needs.
LAST = "main"

HEADER = '''#!/usr/bin/env python3
# ruff: noqa
"""Re-prove the certificate of an elementwise kernel: python3 lenticulum_check.py FILE

One file, standard library only, for Python 3.11 and later. It is made from the parts of {package}:
{parts}.
Change those and run python -m {package}.generate; a change here is lost.
"""

from __future__ import annotations

{imports}
'''


def generate() -> str:
    """Return the text of the one-file checker."""
    trees: dict[str, ast.Module] = {}
    _collect(LAST, trees)
    _refuse_names_of_two_parts(trees)
    modules: dict[str, set[str]] = {}
    bodies: list[str] = []
    for part, tree in trees.items():
        for node in tree.body:
            _gather(node, modules)
        about = (ast.get_docstring(tree) or "").partition("\n")[0]
        bodies.append(f"\n# ---- {part}: {about}\n\n\n{_body(part, tree)}\n")
    names = textwrap.fill(", ".join(trees), 116)
    return "\n".join([HEADER.format(package=PACKAGE, parts=names, imports=_imports(modules)), *bodies])


def _collect(part: str, trees: dict[str, ast.Module]) -> None:
    """Parse a part, after those that it imports."""
    tree = ast.parse((FOLDER / f"{part}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if node not in tree.body:
            raise ValueError(f"{part} has an import inside a block at line {node.lineno}")
        needed = _part_of(node)
        if needed is not None and needed not in trees:
            _collect(needed, trees)
        if needed is not None and any(alias.asname for alias in node.names):
            raise ValueError(f"{part} renames what it imports from {needed}; in one file there is one name")
    trees[part] = tree


def _part_of(node: ast.Import | ast.ImportFrom) -> str | None:
    """Return the part that is imported from, or None for a module of the standard library."""
    if isinstance(node, ast.Import):
        if any(alias.name.startswith("lenticulum") for alias in node.names):
            raise ValueError(f"line {node.lineno}: parts import names from parts, not parts")
        return None
    module = node.module or ""
    if node.level == 0 and not module.startswith("lenticulum"):
        return None
    if node.level or not module.startswith(f"{PACKAGE}."):
        raise ValueError(f"line {node.lineno}: {module} is no part of the checker")
    return module.removeprefix(f"{PACKAGE}.")


def _refuse_names_of_two_parts(trees: dict[str, ast.Module]) -> None:
    owners: dict[str, str] = {}
    for part, tree in trees.items():
        for name in {name for node in tree.body for name in _bound(node)}:
            if name in owners:
                raise ValueError(f"{owners[name]} and {part} both define {name}; in one file there is one")
            owners[name] = part


def _bound(node: ast.stmt) -> list[str]:
    """Return the names that a statement at the top level binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return []


def _gather(node: ast.stmt, modules: dict[str, set[str]]) -> None:
    """Note an import of the standard library: the names by module, no names for the module itself."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            modules.setdefault(_named(alias), set())
    elif isinstance(node, ast.ImportFrom) and _part_of(node) is None and node.module != "__future__":
        modules.setdefault(f"from {node.module}", set()).update(map(_named, node.names))


def _named(alias: ast.alias) -> str:
    return alias.name + (f" as {alias.asname}" if alias.asname else "")


def _imports(modules: dict[str, set[str]]) -> str:
    # Only the schema's part reads a file; here the schema itself stands in its place.
    modules.pop("from pathlib", None)
    whole = [f"import {name}" for name in modules if not name.startswith("from ")]
    parts = [f"{name} import {', '.join(sorted(names))}" for name, names in modules.items() if names]
    return "\n".join([*sorted(whole), *sorted(parts)])


def _body(part: str, tree: ast.Module) -> str:
    """Return the text of a part without its docstring and imports."""
    if part == "schema":
        schema = json.loads((FOLDER.parent / "schema.json").read_text(encoding="utf-8"))
        return f"SCHEMA: dict[str, Any] = json.loads(\n    {json.dumps(schema, separators=(',', ':'))!r}\n)"
    lines = (FOLDER / f"{part}.py").read_text(encoding="utf-8").splitlines()
    for node in (tree.body[0], *(each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom))):
        for number in range(node.lineno - 1, node.end_lineno or node.lineno):
            lines[number] = ""
    return "\n".join(lines).strip("\n")


if __name__ == "__main__":
    TARGET.write_text(generate(), encoding="utf-8")
