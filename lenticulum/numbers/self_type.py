"""The name `Self` for method annotations, invisible to the run-time checker.

beartype refuses PEP 673's `Self` in a method when it decorates the method and not its class, which is what the
jaxtyping import hook does. Static checkers see `Self`; at run time it is `Any`, and operators check their operands.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self as Self
else:
    from typing import Any

    Self = Any
