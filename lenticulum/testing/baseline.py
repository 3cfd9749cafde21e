"""A baseline: the findings that are known of a module; a test fails on a new one, and on one that is mended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lenticulum.check.kernel import check
from lenticulum.check.result import CheckResult
from lenticulum.testing.tally import SESSION

VERSION = 1

KEYS = ("version", "target", "seed", "make", "known")

#: A baseline is read into memory; one line of it has a few hundred bytes.
LARGEST = 1 << 20


@dataclass(frozen=True)
class Baseline:
    """What is known of a module.

    `target`: a dotted name, or a path relative to the baseline. `make`: constructor arguments by class. `known`: the
    kind of finding by name and definition, None for the laws that need no definition.
    """

    path: Path
    target: str
    seed: int
    make: Mapping[str, Mapping[str, Any]]
    known: Mapping[tuple[str, str | None], str]

    def hold(self, name: str, spec: str | None = None, **options: Any) -> CheckResult:
        """Assert that a name of the module conforms, as a definition or to the laws that need none.

        A finding of the known kind is an expected failure (pytest.xfail): it is reported, and the suite is not red.
        Arguments: `options`: as for `lenticulum.check.check`.
        Raises: AssertionError for a new finding, one of another kind, and a known one that is not found any more.
        """
        result = check(f"{self.place()}:{name}", spec, **{"seed": self.seed, "make": self.make.get(name), **options})
        SESSION.record(result)
        found, known = result.kind or result.verdict, self.known.get((name, spec))
        if result.verdict == "conforms":
            if known is not None:
                what = f"the known finding ({known}) of {name} is mended"
                raise AssertionError(f"{what}: remove it from {self.path.name}\n{result}")
            return result
        if known is None:
            raise AssertionError(str(result))
        if known != found:
            raise AssertionError(f"a new finding ({found}); known of {name} is {known}\n{result}")
        import pytest

        pytest.xfail(f"known ({known}): {str(result).splitlines()[0]}")

    def place(self) -> str:
        """Return the module as a target names it."""
        return str(self.path.parent / self.target) if self.target.endswith(".py") else self.target


def read_baseline(path: str | Path) -> Baseline:
    """Read a baseline.

    Raises: ValueError naming the file and what is wrong with it.
    """
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST:
            raise ValueError(f"a baseline has at most {LARGEST} bytes, this file has {file.stat().st_size}")
        found = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_distinct)
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror}); lenticulum init writes one") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: is not JSON ({error})") from None
    except ValueError as error:
        raise ValueError(f"{str(path)!r}: {error}") from None
    return _checked(file, found)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; what occurs twice in it, as after a merge, is refused."""
    names = [name for name, _ in pairs]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} occurs twice in one object")
    return dict(pairs)


def _checked(file: Path, found: Any) -> Baseline:
    if not isinstance(found, dict) or set(found) != {*KEYS}:
        raise ValueError(f"{file}: expected an object with {', '.join(KEYS)}")
    if found["version"] != VERSION or not isinstance(found["target"], str) or type(found["seed"]) is not int:
        raise ValueError(f"{file}: expected version {VERSION}, a target (text) and a seed (a whole number)")
    if found["seed"] < 0:
        raise ValueError(f"{file}: a seed is 0 or more, got {found['seed']}")
    if not isinstance(found["make"], dict) or not all(isinstance(each, dict) for each in found["make"].values()):
        raise ValueError(f"{file}: make has an object of arguments for each class")
    if not isinstance(found["known"], list):
        raise ValueError(f"{file}: known is a list of findings")
    known: dict[tuple[str, str | None], str] = {}
    for each in found["known"]:
        keys = isinstance(each, dict) and set(each) == {"name", "spec", "kind", "told"}
        if not keys or not all(isinstance(each[k], str) for k in ("name", "kind", "told")):
            raise ValueError(f"{file}: a finding has name, spec, kind and told, got {str(each)[:80]}")
        if each["spec"] is not None and not isinstance(each["spec"], str):
            raise ValueError(f"{file}: the spec of {each['name']} is a text or null, got {each['spec']!r}")
        if (each["name"], each["spec"]) in known:
            raise ValueError(f"{file}: {each['name']} as {each['spec']} is there twice")
        known[each["name"], each["spec"]] = each["kind"]
    return Baseline(file, found["target"], found["seed"], found["make"], known)
