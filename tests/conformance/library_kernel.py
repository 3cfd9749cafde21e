"""A kernel of another library in a table of kernels: the definition it is held to, and what is expected."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Kernel:
    """A kernel, the definition it is held to, the kind of finding if there is one, and options of the check."""

    subject: Any
    spec: str
    kind: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        name = self.subject if isinstance(self.subject, str) else getattr(self.subject, "__name__", self.subject)
        return f"{name} {self.spec} {self.options or ''}".strip()


def made(**arguments: Any) -> dict[str, Any]:
    return {"make": arguments}


def bound(**arguments: Any) -> dict[str, Any]:
    return {"bind": arguments}
