"""The text of a first test file and of a baseline."""

from __future__ import annotations

import json
from pathlib import Path

from lenticulum.testing.baseline import VERSION
from lenticulum.testing.first_tests.survey import Survey

HEAD = '''"""First tests of {target}, written by `lenticulum init`: they are yours to change.

A finding that {baseline} knows is an expected failure. A new one fails, and so does a known one that is mended:
remove it from the file then. For a JUnit report: pytest {file} --junitxml=report.xml
"""

from pathlib import Path

import pytest

from lenticulum.testing import read_baseline

MODULE = read_baseline(Path(__file__).with_name({quoted}))
'''

LAWS = '''

@pytest.mark.parametrize(
    "name",
    [
{names}
    ],
)
def test_the_laws_that_need_no_definition_hold(name):
    """Exact meaning against floats, derivatives, compiled against op by op, batches, purity, cache identity."""
    MODULE.hold(name)
'''

DEFINITIONS = '''

@pytest.mark.parametrize(
    ("name", "definition"),
    [
{rows}
    ],
)
def test_it_is_the_definition_that_it_was_found_to_be(name, definition):
    """Values and special values, within the rounding of the format, and derivatives of functions with a rule."""
    MODULE.hold(name, definition)
'''

LEFT_OUT = """

# Left out, with the reason. A call with the right arguments can be written by hand:
# lenticulum.testing.assert_conforms(function, "definition"), check_grads(function, arguments, order=2).
{lines}
"""


def test_file(survey: Survey, target: str, file: Path, baseline: Path) -> str:
    """Return the test file of a survey."""
    names = (_in_a_docstring(name) for name in (target, file.name, baseline.name))
    text = HEAD.format(**dict(zip(("target", "file", "baseline"), names, strict=True)), quoted=_quoted(baseline.name))
    names = [each.name for each in survey.judged if each.spec is None]
    rows = [(each.name, each.spec) for each in survey.judged if each.spec is not None]
    if names:
        text += LAWS.format(names="\n".join(f"        {_quoted(name)}," for name in names))
    if rows:
        quoted = (f"        ({_quoted(name)}, {_quoted(spec)})," for name, spec in rows)
        text += DEFINITIONS.format(rows="\n".join(quoted))
    if survey.left_out:
        text += LEFT_OUT.format(
            lines="\n".join(f"# {name}: {' '.join(why.split())}" for name, why in survey.left_out.items())
        )
    return text


def baseline_file(survey: Survey, target: str, seed: int) -> str:
    """Return the baseline of a survey: every verdict that is not "conforms"."""
    known = [
        {"name": each.name, "spec": each.spec, "kind": each.kind, "told": each.told}
        for each in survey.judged
        if each.known
    ]
    return (
        json.dumps({"version": VERSION, "target": target, "seed": seed, "make": survey.make, "known": known}, indent=2)
        + "\n"
    )


def _quoted(text: str) -> str:
    """Write a text as Python does, with double quotes where it has none."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() and '"' not in text else ascii(text)


def _in_a_docstring(text: str) -> str:
    """Write a text so that it ends no string and escapes nothing.

    >>> _in_a_docstring('say "so"')
    "say 'so'"
    """
    return ascii(text)[1:-1].replace('"', "'")
