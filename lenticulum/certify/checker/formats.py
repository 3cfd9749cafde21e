"""Floating-point formats as data: patterns to exact values and back, rounding, ulp."""

from __future__ import annotations

from typing import NamedTuple


class FloatFormat(NamedTuple):
    """A binary format; `overflow` is "infinity", "nan" (no infinities, as e4m3fn) or "saturate"."""

    name: str
    precision: int
    emin: int
    emax: int
    width: int
    overflow: str
