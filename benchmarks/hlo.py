"""The text of a compiled program (HLO) without what names it, and its instructions counted."""

from __future__ import annotations

import re
from collections import Counter


def normal_form(hlo: str) -> str:
    """Return the text without metadata and tables of source lines, with names replaced by their order of appearance."""
    layout = re.search(r"entry_computation_layout=\{.*?\}\}?(?=, \w+=|\n)", hlo)
    # The module's own name and the tables of source lines come before the first computation.
    start = re.search(r"^(ENTRY )?%", hlo, re.MULTILINE)
    if layout is None or start is None:
        raise ValueError(f"expected the text of a compiled program, got {hlo[:80]!r}")
    computations = re.sub(r", metadata=\{[^{}]*\}", "", hlo[start.start() :])
    # In the head of a computation the parameters are written without a percent sign.
    computations = re.sub(r"(?<=[(\s])([\w.\-]+)(?=: [a-z0-9]+\[)", r"%\1", computations)
    names: dict[str, str] = {}
    renamed = re.sub(r"%[\w.\-]+", lambda name: names.setdefault(name.group(), f"%{len(names)}"), computations)
    return layout.group() + "\n" + renamed


#: What moves values between computations and computes nothing.
PLUMBING = {"parameter", "tuple", "get-tuple-element", "fusion", "call", "bitcast", "copy", "constant", "broadcast"}


def instructions(hlo: str) -> Counter[str]:
    """Return how often each instruction that is no plumbing stands in a program, as "opcode type[shape]".

    >>> instructions("  %a.1 = f32[4,8]{1,0} add(%b, %c), metadata={}\\n  %d = f32[] constant(1)")
    Counter({'add f32[4,8]': 1})
    """
    found = re.findall(r"^ +(?:ROOT )?%[\w.\-]+ = ([a-z0-9]+\[[\d,]*\])\S* ([\w\-]+)\(", hlo, re.MULTILINE)
    return Counter(f"{opcode} {kind}" for kind, opcode in found if opcode not in PLUMBING)


def difference(one: str, other: str) -> tuple[set[str], set[str]]:
    """Return the instructions that stand more often in the first program, and those that do in the second."""
    a, b = instructions(one), instructions(other)
    return set(a - b), set(b - a)
