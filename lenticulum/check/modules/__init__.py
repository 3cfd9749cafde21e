"""Modules without a definition: each as a pure function, and the laws that every module keeps."""

from __future__ import annotations

from lenticulum.check.modules.made import is_module, pure_module
from lenticulum.check.modules.pure_module import PureModule

__all__ = ["PureModule", "is_module", "pure_module"]
