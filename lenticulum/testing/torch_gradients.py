"""gradcheck: the derivatives of a torch function, in the call of `torch.autograd.gradcheck`, without tolerances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from lenticulum.check.black_box import Comparison, compare
from lenticulum.testing.tally import SESSION

#: Random directions and cotangents along which derivatives are compared; each involves every entry.
DIRECTIONS = 4


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: Any = None,
    atol: Any = None,
    rtol: Any = None,
    raise_exception: bool = True,
) -> bool:
    """Return whether what torch derives of a function in reverse mode is its derivative, along random directions.

    A torch function is a black box, so that its values are differenced (`lenticulum.check.black_box`): step and bound
    follow from the values, and an error says by which factor a derivative may be wrong unseen.

    Arguments: `func`: a function of tensors. `inputs`: a tensor or a tuple; those that require a gradient are checked,
    in their own format (float64 resolves about 1e-9, float32 about 1e-3). `eps`, `atol`, `rtol` are those of
    `torch.autograd.gradcheck`, so that its callers need not change; no value of theirs has an effect.
    Returns: True, or False where a derivative is wrong and `raise_exception` is false.
    Raises: AssertionError for a wrong derivative; ValueError if no input requires a gradient.
    """
    del eps, atol, rtol
    import torch  # pyright: ignore[reportMissingImports]

    given = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
    places = [p for p, each in enumerate(given) if isinstance(each, torch.Tensor) and each.requires_grad]
    if not places:
        raise ValueError("gradcheck: no input requires a gradient; set requires_grad=True on one")
    generator = torch.Generator().manual_seed(SESSION.seed)
    for number in range(DIRECTIONS):
        found = _along(torch, func, given, places, generator)
        SESSION.add(checked=1, undecided=0, not_run=0)
        if not found.agrees:
            if not raise_exception:
                return False
            raise AssertionError(
                f"direction {number}: torch derives {found.got!r}, differences give {found.expected.value!r} "
                f"within {found.expected.error:.3g}"
            )
    return True


def _along(torch: Any, func: Any, given: Sequence[Any], places: list[int], generator: Any) -> Comparison:
    points = [each.detach() for each in given if isinstance(each, torch.Tensor) and each.requires_grad]
    directions = [_normal(torch, each, generator) * _scale(each) for each in points]

    def moved(t: float, gradient: bool) -> list[Any]:
        whole = list(given)
        for place, point, direction in zip(places, points, directions, strict=True):
            whole[place] = (point + t * direction).requires_grad_(gradient)
        return whole

    cotangents = [_normal(torch, each, generator) for each in _outputs(torch, func(*moved(0.0, False)))]

    def line(t: float) -> float:
        values = _outputs(torch, func(*moved(t, False)))
        return math.fsum(_dot(value, by) for value, by in zip(values, cotangents, strict=True))

    def derivative(t: float) -> float:
        whole = moved(t, True)
        values = _outputs(torch, func(*whole))
        pulled = torch.autograd.grad(values, [whole[p] for p in places], cotangents, allow_unused=True)
        pairs = zip(pulled, directions, strict=True)
        return math.fsum(0.0 if each is None else _dot(each, by) for each, by in pairs)

    unit = max(float(torch.finfo(each.dtype).eps) / 2 for each in points)
    return compare(line, derivative, unit, DIRECTIONS)


def _normal(torch: Any, like: Any, generator: Any) -> Any:
    return torch.randn(like.shape, generator=generator, dtype=torch.float64).to(like.dtype)


def _scale(point: Any) -> float:
    """Return the distance that counts as 1: an eighth of the size of the entries, so that steps stay near the point."""
    return float(point.abs().double().mean().item()) / 8 or 1.0


def _outputs(torch: Any, result: Any) -> list[Any]:
    values = [result] if isinstance(result, torch.Tensor) else list(result)
    return [each for each in values if isinstance(each, torch.Tensor) and each.is_floating_point()]


def _dot(value: Any, by: Any) -> float:
    return float((value.detach().double() * by.double()).sum())
