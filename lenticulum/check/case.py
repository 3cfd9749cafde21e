"""A case: the arguments of one call, or of a sequence of steps of an update."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """Arguments for one call, or for a sequence of steps of an update.

    `arrays`: role -> array; `numbers`: the drawn hyper-parameters; `gradients`: one for each step of an update;
    `count`: how many steps the given state has behind it.
    """

    label: str
    arrays: Mapping[str, Any]
    numbers: Mapping[str, Any]
    gradients: tuple[np.ndarray, ...] = ()
