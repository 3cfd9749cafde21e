"""gradcheck: the derivatives of a torch function, in the call of `torch.autograd.gradcheck`, without tolerances.

A torch function is a black box, so that its values are differenced (`lenticulum.check.black_box`): step and bound
follow from the values. What factor differences resolve is therefore known, and an error states it. Where the value, the
slope and the fifth derivative of a function are of the size of its arguments, and u is the unit roundoff, that is the
least of

    q 8 u / h + (h/8)^4 / 30    over the steps h = 1/4, 1/8, ...,

q = 11 being the quantile of noise in two directions, 1/8 the length of a direction, and h^4/30 the truncation of the
difference. It gives 1.1e-12 in float64 and 2.1e-5 in float32; medians measured on sin(x) y with 1 to 10 000 entries are
4e-13 to 5e-12, and 3e-5 (docs/gradients.md). In float16 it gives 0.2 and in bfloat16 1.4, which says nothing: both are
refused.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lenticulum.check.black_box import Comparison, compare
from lenticulum.testing.tally import SESSION

#: Random directions and cotangents along which derivatives are compared. Each involves every entry, so that one shows
#: any mistake but by a chance of about the factor that is resolved over the size of the mistake.
DIRECTIONS = 2


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: Any = None,
    atol: Any = None,
    rtol: Any = None,
    nondet_tol: Any = None,
    fast_mode: Any = None,
    raise_exception: bool = True,
    check_undefined_grad: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
) -> bool:
    """Return whether what torch derives of a function is its derivative, along random directions.

    Arguments: `func`: a function of tensors. `inputs`: a tensor or a tuple; those that require a gradient are checked,
    in their own format: float64, in which a factor of about 1 + 1e-12 is resolved, or float32 (1 + 3e-5).
    `check_backward_ad`, `check_forward_ad`: which modes. `eps`, `atol`, `rtol`, `nondet_tol`, `fast_mode` are those of
    `torch.autograd.gradcheck`, so that its callers need not change; no value of theirs has an effect.
    Returns: True, or False where a derivative is wrong and `raise_exception` is false.
    Raises: AssertionError for a wrong derivative, with the factor that was resolved; ValueError if there is nothing to
    check, the values say nothing, or a check of undefined or batched gradients is asked for, which is not made here.
    """
    del eps, atol, rtol, nondet_tol, fast_mode
    import torch  # pyright: ignore[reportMissingImports]

    if check_undefined_grad or check_batched_grad or check_batched_forward_grad:
        raise ValueError("gradcheck: undefined and batched gradients are not checked here; leave these options out")
    modes = [mode for mode, asked in (("backward", check_backward_ad), ("forward", check_forward_ad)) if asked]
    if not modes:
        raise ValueError(
            "gradcheck: neither mode is asked for; leave check_backward_ad=True, or set check_forward_ad=True"
        )
    line = Line(torch, func, (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs))
    generator = torch.Generator().manual_seed(SESSION.seed)
    for mode in modes:
        for number in range(DIRECTIONS):
            found = line.drawn(generator).compare(mode)
            SESSION.add(checked=1, undecided=0, not_run=0)
            if not math.isfinite(found.differenced.error):
                raise ValueError(
                    "gradcheck: near the inputs the function is not finite, so that differences say nothing"
                )
            if not found.agrees:
                if not raise_exception:
                    return False
                raise AssertionError(
                    f"direction {number}, {mode} mode: torch derives {found.got!r}, differences give "
                    f"{found.expected.value!r} within {found.expected.error:.3g}; "
                    f"a factor of 1 + {found.resolves:.2g} is resolved"
                )
    return True


def gradgradcheck(func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """Return whether what torch derives of the gradient of a function is its derivative: `gradcheck` of the gradient.

    Arguments: `func`, `inputs`, and `options`: as for `gradcheck`. `grad_outputs`: the cotangents at which the gradient
    is taken, a tensor or a tuple; random ones otherwise.
    Returns, raises: as `gradcheck`.
    """
    import torch  # pyright: ignore[reportMissingImports]

    given = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
    places = _differentiated(torch, given)
    if grad_outputs is None:
        generator = torch.Generator().manual_seed(SESSION.seed)
        grad_outputs = [_normal(torch, each, generator) for each in _outputs(torch, func(*given))]
    cotangents = (grad_outputs,) if isinstance(grad_outputs, torch.Tensor) else tuple(grad_outputs)

    def gradient(*both: Any) -> Any:
        whole = list(both[: len(given)])
        for place in places:
            if not whole[place].requires_grad:
                whole[place] = whole[place].detach().requires_grad_()
        return _pulled(torch, _outputs(torch, func(*whole)), [whole[p] for p in places], both[len(given) :], True)

    return gradcheck(gradient, (*given, *(each.detach().requires_grad_() for each in cotangents)), **options)


def _differentiated(torch: Any, given: Sequence[Any]) -> list[int]:
    """Return the places of the tensors that require a gradient."""
    places = [p for p, each in enumerate(given) if isinstance(each, torch.Tensor) and each.requires_grad]
    if not places:
        raise ValueError("gradcheck: no input requires a gradient; set requires_grad=True on one")
    for each in (given[place] for place in places):
        if each.dtype not in (torch.float64, torch.float32):
            raise ValueError(f"gradcheck: an input is {each.dtype}: expected float64 (or float32, which resolves less)")
    return places


class Line:
    """A function of tensors, to be compared along lines through its inputs."""

    def __init__(self, torch: Any, func: Any, given: Sequence[Any]) -> None:
        self.torch, self.func, self.given = torch, func, given
        self.places = _differentiated(torch, given)
        self.points = [given[place].detach() for place in self.places]
        self.unit = max(float(torch.finfo(each.dtype).eps) / 2 for each in self.points)
        self.results = [each.detach() for each in _outputs(torch, func(*self._moved(self.points)))]
        if not self.results:
            raise ValueError("gradcheck: the function returns no tensor of floating-point numbers")

    def drawn(self, generator: Any) -> DirectedLine:
        """Return the line in a random direction."""
        directions = [_normal(self.torch, each, generator) * _scale(each) for each in self.points]
        return DirectedLine(self, directions, [_normal(self.torch, each, generator) for each in self.results])

    def _moved(self, points: Sequence[Any]) -> list[Any]:
        whole = list(self.given)
        for place, point in zip(self.places, points, strict=True):
            whole[place] = point
        return whole

    def values(self, points: Sequence[Any]) -> list[Any]:
        """Return the results at some points."""
        return _outputs(self.torch, self.func(*self._moved(points)))


@dataclass(frozen=True)
class DirectedLine:
    """The same in one direction, with one cotangent for each result."""

    line: Line
    directions: Sequence[Any]
    cotangents: Sequence[Any]

    def compare(self, mode: str) -> Comparison:
        """Compare the derivative of a mode with differences."""
        derivative = self._backward if mode == "backward" else self._forward
        return compare(self._value, derivative, self.line.unit, DIRECTIONS)

    def _points(self, t: float) -> list[Any]:
        return [point.add(by, alpha=t) for point, by in zip(self.line.points, self.directions, strict=True)]

    def _value(self, t: float) -> float:
        return _dot(self.line.values(self._points(t)), self.cotangents)

    def _backward(self, t: float) -> float:
        points = [each.requires_grad_() for each in self._points(t)]
        return _dot(_pulled(self.line.torch, self.line.values(points), points, self.cotangents), self.directions)

    def _forward(self, t: float) -> float:
        forward = self.line.torch.autograd.forward_ad
        with forward.dual_level(), warnings.catch_warnings():
            # At its first use torch compiles rules by a function that it has deprecated itself.
            warnings.filterwarnings("ignore", ".*torch.jit.script", DeprecationWarning)
            pairs = zip(self._points(t), self.directions, strict=True)
            values = self.line.values([forward.make_dual(*pair) for pair in pairs])
            tangents = [forward.unpack_dual(each).tangent for each in values]
            moved = [(t, c) for t, c in zip(tangents, self.cotangents, strict=True) if t is not None]
            return _dot(*zip(*moved, strict=True)) if moved else 0.0


def _pulled(torch: Any, values: Any, inputs: Any, cotangents: Any, create_graph: bool = False) -> Any:
    """Return the gradients; zeros where a result, or all of them, does not depend on an input as torch sees it."""
    pairs = [(value, by) for value, by in zip(values, cotangents, strict=True) if value.requires_grad]
    if not pairs:
        return tuple(torch.zeros_like(each) for each in inputs)
    results, by = zip(*pairs, strict=True)
    return torch.autograd.grad(results, inputs, by, create_graph=create_graph, materialize_grads=True)


def _normal(torch: Any, like: Any, generator: Any) -> Any:
    return torch.randn(like.shape, generator=generator, dtype=torch.float64).to(like.dtype)


def _scale(point: Any) -> float:
    """Return the distance that counts as 1: an eighth of the size of the entries, so that steps stay near the point."""
    return float(point.abs().double().mean().item()) / 8 or 1.0


def _outputs(torch: Any, result: Any) -> list[Any]:
    values = result if isinstance(result, tuple | list) else [result]
    return [each for each in values if isinstance(each, torch.Tensor) and each.is_floating_point()]


def _dot(values: Sequence[Any], by: Sequence[Any]) -> float:
    pairs = zip(values, by, strict=True)
    return math.fsum([(value.detach().double() * each.double()).sum().item() for value, each in pairs])
