"""gradcheck on torch functions: rules with planted mistakes, the factor that is resolved, and what is refused."""

import re

import pytest

from lenticulum.testing import gradcheck, gradgradcheck
from lenticulum.testing.torch_gradients import Line

torch = pytest.importorskip("torch", reason="torch is not installed")


def sine_times(factor):
    """Return sin(x) y with reverse rules scaled by a factor."""

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return torch.sin(x) * y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return factor * grad * torch.cos(x) * y, factor * grad * torch.sin(x)

    return Function.apply


def arguments(size):
    generator = torch.Generator().manual_seed(size)
    return tuple(torch.randn(size, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(2))


@pytest.mark.parametrize("size", [1, 100, 1000])
def test_planted_mistakes_are_rejected_whatever_the_size(size):
    assert gradcheck(sine_times(1.0), arguments(size))
    for factor in (1.000001, 0.0, -1.0):
        assert not gradcheck(sine_times(factor), arguments(size), raise_exception=False)
    with pytest.raises(AssertionError, match="torch derives"):
        gradcheck(sine_times(-1.0), arguments(size))


@pytest.mark.parametrize("size", [1, 1000])
def test_a_right_function_is_called_as_often_whatever_its_size(size):
    calls = []

    def function(x, y):
        calls.append(x.requires_grad)
        return torch.sin(x) * y

    assert gradcheck(function, arguments(size))
    # One for the results; in each of two directions one to derive, 40 for the noise, and two for each step: 1, 1/2, ...
    # to one of 2^-9, where noise alone exceeds what the step of the docstring, about 2^-6, resolves.
    assert calls.count(True) == 2
    assert calls.count(False) <= 1 + 2 * (40 + 2 * 10)


# Witnesses: along these lines the function is nearly straight at steps that are far too long.
@pytest.mark.parametrize(("size", "seed"), [(5, 6), (5, 15), (5, 35), (10, 21), (100, 11)])
def test_a_function_that_looks_smooth_from_afar_is_accepted(size, seed, monkeypatch):
    monkeypatch.setattr("lenticulum.testing.tally.SESSION.seed", seed)
    generator = torch.Generator().manual_seed(1000 * seed + size)
    x, y = (torch.randn(size, generator=generator, dtype=torch.float64) for _ in range(2))
    given = [(each + 100).float().requires_grad_() for each in (x, y)]
    assert gradcheck(lambda x, y: torch.nn.functional.layer_norm(x, x.shape) * y, given)


def test_an_error_states_the_factor_that_is_resolved():
    given = arguments(100)
    with pytest.raises(AssertionError) as error:
        gradcheck(sine_times(-1.0), given)
    resolved = float(re.search(r"a factor of 1 \+ (\S+) is resolved", str(error.value)).group(1))
    # The directions are the same in each call: three times the factor is seen in the first of them.
    assert 2**-52 < resolved < 1e-9
    assert not gradcheck(sine_times(1 + 3 * resolved), given, raise_exception=False)


# What the module derives for each format.
@pytest.mark.parametrize(("dtype", "derived"), [("float64", 1.1e-12), ("float32", 2.1e-5)])
@pytest.mark.parametrize("size", [1, 100, 1000])
def test_differences_resolve_about_what_is_derived(dtype, derived, size):
    given = [each.detach().to(getattr(torch, dtype)).requires_grad_() for each in arguments(size)]
    line, generator = Line(torch, sine_times(1.0), given), torch.Generator().manual_seed(size)
    found = [line.drawn(generator).compare("backward") for _ in range(9)]
    assert all(each.agrees for each in found)
    assert derived / 10 < sorted(each.resolves for each in found)[4] < derived * 10


class Cube(torch.autograd.Function):
    """x³ and its slope, whose second derivative may lack a term."""

    lacking = False

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * grad * (x.detach() if Cube.lacking else x) * x


@pytest.mark.parametrize("lacking", [False, True])
def test_the_gradient_of_a_gradient(lacking, monkeypatch):
    monkeypatch.setattr(Cube, "lacking", lacking)
    x = arguments(5)[0]
    assert gradcheck(Cube.apply, x)
    assert gradgradcheck(Cube.apply, x, raise_exception=False) is not lacking
    assert gradgradcheck(Cube.apply, x, torch.ones(5, dtype=torch.float64), raise_exception=False) is not lacking


@pytest.mark.parametrize("mode", ["backward", "forward"])
def test_a_result_that_torch_takes_for_a_constant_is_rejected(mode):
    modes = {"check_backward_ad": mode == "backward", "check_forward_ad": mode == "forward"}
    x = arguments(5)[0]
    assert gradcheck(lambda x: torch.sin(x) * x, x, **modes)
    assert gradcheck(lambda x: torch.ones(3, dtype=torch.float64), x, **modes)
    for detached in (lambda x: x.detach() * 2, lambda x: (x, x.detach() * x)):
        with pytest.raises(AssertionError, match=f"direction 0, {mode} mode: torch derives"):
            gradcheck(detached, x, **modes)


def test_what_cannot_be_checked_is_refused():
    x = arguments(3)[0]
    refused = [
        ((torch.sin, torch.zeros(3)), {}, "requires a gradient"),
        ((torch.sin, torch.zeros(3, dtype=torch.bfloat16, requires_grad=True)), {}, "expected float64"),
        ((torch.abs, torch.ones(3, dtype=torch.complex128, requires_grad=True)), {}, "expected float64"),
        ((lambda x: x.argmax(), x), {}, "returns no tensor of floating-point numbers"),
        ((lambda x: None, x), {}, "returns no tensor of floating-point numbers"),
        ((lambda x: torch.log(-(x**2)), x), {}, "is not finite"),
        ((torch.sin, x), {"check_batched_grad": True}, "not checked here"),
        ((torch.sin, x), {"check_backward_ad": False}, "neither mode"),
    ]
    for call, options, message in refused:
        with pytest.raises(ValueError, match=message):
            gradcheck(*call, **options)
