"""gradcheck on torch functions: the examples of its documentation, and rules with planted mistakes."""

import pytest

from lenticulum.testing import gradcheck

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


def test_the_example_of_the_documentation():
    # https://docs.pytorch.org/docs/stable/notes/extending.html
    given = (
        torch.randn(20, 20, dtype=torch.double, requires_grad=True),
        torch.randn(30, 20, dtype=torch.double, requires_grad=True),
    )
    assert gradcheck(torch.nn.functional.linear, given, eps=1e-6, atol=1e-4)


@pytest.mark.parametrize("size", [1, 100, 1000])
def test_planted_mistakes_are_rejected_whatever_the_size(size):
    assert gradcheck(sine_times(1.0), arguments(size))
    for factor in (1.000001, 0.0, -1.0):
        assert not gradcheck(sine_times(factor), arguments(size), raise_exception=False)
    with pytest.raises(AssertionError, match="torch derives"):
        gradcheck(sine_times(-1.0), arguments(size))


def test_inputs_that_need_no_gradient_are_refused():
    with pytest.raises(ValueError, match="requires a gradient"):
        gradcheck(torch.sin, torch.zeros(3))
