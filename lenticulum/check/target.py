"""Targets: the text that names a subject, the object it names, and how a witness writes it down."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from lenticulum.catalog import nearest
from lenticulum.check.errors import CallError

EXPECTED = "expected package.module:attribute or path/to/file.py:attribute"

KERAS_BACKEND = "set KERAS_BACKEND=jax before keras is imported"


@dataclass(frozen=True)
class Source:
    """How to write a subject in Python: the expression, its imports, and a name for people (a target, if given)."""

    expression: str
    imports: tuple[str, ...] = ()
    target: str | None = None

    @property
    def name(self) -> str:
        """What a report calls the subject."""
        return self.target or self.expression


def load(target: str) -> Any:
    """Return the object that a target names.

    Raises: CallError for a missing file, module or attribute, and for a module that fails at import.

    >>> load("math:tau") == 6.283185307179586
    True
    """
    place, colon, attribute = target.rpartition(":")
    if not colon or not place or not attribute:
        module, dot, name = target.rpartition(".")
        meant = f"; did you mean {module}:{name}?" if dot and module and name.isidentifier() and name != "py" else ""
        raise CallError(f"target {target!r}: {EXPECTED}{meant}")
    found: Any = _module(place, target)
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            public = [each for each in dir(found) if not each.startswith("_")]
            raise CallError(f"target {target!r}: {place} has no attribute {name!r}{nearest(name, public)}") from None
    return found


def load_module(place: str) -> ModuleType:
    """Return the module of a dotted name or a path.

    Raises: CallError for a missing module or file, and for one that fails at import.

    >>> load_module("math").__name__
    'math'
    """
    if ":" in place:
        raise CallError(f"module {place!r}: expected a module without an attribute, such as {place.partition(':')[0]}")
    return _module(place, place)


def _module(place: str, target: str) -> ModuleType:
    if place.endswith(".py") or "/" in place:
        return _from_file(Path(place), target)
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        missing = error.name or place
        if place.partition(".")[0] == "keras" and missing in ("tensorflow", "torch"):
            raise CallError(f"target {target!r}: keras wants {missing}; {KERAS_BACKEND}") from None
        file = Path(f"{place.replace('.', '/')}.py")
        hint = nearest(missing, list(sys.modules)) if "." not in missing else ""
        meant = f"{file}:{target.rpartition(':')[2]}" if ":" in target else file
        hint = f"; did you mean {meant}?" if file.is_file() else hint
        raise CallError(f"target {target!r}: there is no module {missing!r}{hint}\n{EXPECTED}") from None
    except Exception as error:
        raise CallError(f"target {target!r}: importing {place} failed: {one_line(error)}") from None


def _from_file(path: Path, target: str) -> ModuleType:
    if not path.is_file():
        raise CallError(f"target {target!r}: there is no file {str(path)!r}")
    name = f"_lenticulum_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CallError(f"target {target!r}: {str(path)!r} is no Python file; {EXPECTED}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if not isinstance(error, Exception | SystemExit):
            raise
        raise CallError(f"target {target!r}: running {str(path)!r} failed: {one_line(error)}") from None
    return module


def one_line(error: BaseException, limit: int = 200) -> str:
    """Return the type and the first line of the message of an exception.

    >>> one_line(ValueError("a" + chr(10) + "b"))
    'ValueError: a'
    """
    try:
        message = str(error)
    except Exception:  # An exception is anyone's code.
        message = ""
    lines = message.strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:limit]}".rstrip(": ")


def source_of_target(target: str) -> Source:
    """Return how to write what a target names."""
    place, _, attribute = target.rpartition(":")
    if place.endswith(".py") or "/" in place:
        return Source(f"load({target!r})", ("from lenticulum.check import load",), target)
    return Source(f"{place}.{attribute}", (f"import {place}",))


def source_of(subject: Any) -> Source:
    """Return how to write an object: by a module where it can be found, else by its bare name."""
    module, name = getattr(subject, "__module__", None), getattr(subject, "__qualname__", None)
    bare = getattr(subject, "__name__", None)
    if isinstance(module, str) and isinstance(name, str) and _found(module, name) is subject:
        if module.startswith("_lenticulum_"):
            return source_of_target(f"{sys.modules[module].__file__}:{name}")
        if module != "__main__":
            public = _public_home(module, name)
            return Source(f"{public}.{name}", (f"import {public}",))
    if isinstance(bare, str) and bare.isidentifier():
        return Source(bare)
    # An instance has no name of its own: a report says which class it is of, and its program says `subject`.
    called = f"a {type(subject).__qualname__}" if not isinstance(subject, FunctionType) else None
    return Source("subject", (), called)


@lru_cache(maxsize=256)
def _public_home(module: str, name: str) -> str:
    """Return the shortest public module of the same package that has the object: jax.nn, not jax._src.nn.functions."""
    package = module.partition(".")[0]
    subject = _found(module, name)
    homes = [
        m for m in list(sys.modules) if m.partition(".")[0] == package and "._" not in m and _found(m, name) is subject
    ]
    return min([*homes, module], key=lambda m: ("._" in m, m.count("."), len(m)))


def _found(module: str, name: str) -> Any:
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        # A lazy module may raise anything here; what it does not give has no home in it.
        found = vars(found).get(part) if isinstance(found, ModuleType) else getattr(found, part, None)
    return found
