"""The published schema of a certificate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[1] / "schema.json").read_text(encoding="utf-8"))
