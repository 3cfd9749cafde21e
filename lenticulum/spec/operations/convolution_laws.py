"""Laws of convolution and its transpose, exactly: by slices, by scattering, as adjoints, and their derivatives."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from lenticulum.numbers import Rational
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.operations import planted_convolution as planted
from lenticulum.spec.operations.subject import Evaluate, Reverse, entries, equal, evaluate, reverse
from lenticulum.spec.operations.windows import output_size
from lenticulum.terms import Convolution, TransposedConvolution, replace


class ConvolutionCase(NamedTuple):
    """A convolution whose window fits at least once, with its arrays; the weight is [outputs, reads, *window]."""

    term: Convolution
    x: Rational
    weight: Rational
    bias: Rational


def convolution_case(draw: Draw) -> ConvolutionCase:
    """One or two spatial axes with their own window, stride, padding and dilation; one or two groups."""
    axes, groups = draw.integer(1, 2), draw.integer(1, 2)
    window = tuple(draw.integer(1, 3) for _ in range(axes))
    stride = tuple(draw.integer(1, 3) for _ in range(axes))
    dilation = tuple(draw.integer(1, 2) for _ in range(axes))
    padding = tuple((draw.integer(0, 2), draw.integer(0, 2)) for _ in range(axes))
    extents = [e * (k - 1) + 1 for k, e in zip(window, dilation, strict=True)]
    sizes = tuple(max(n - sum(p), 1) + draw.integer(0, 3) for n, p in zip(extents, padding, strict=True))
    reads, outputs = draw.integer(1, 2), groups * draw.integer(1, 2)
    draw.observe("every window is square", len(set(window)) == 1)
    draw.observe("no stride", set(stride) == {1})
    draw.observe("one group", groups == 1)
    draw.observe("padding is the same on both sides", all(before == after for before, after in padding))
    leading = draw.choice(((), (2,)))
    return ConvolutionCase(
        Convolution(stride, padding, dilation, groups),
        rational_array(draw, (*leading, groups * reads, *sizes)),
        rational_array(draw, (outputs, reads, *window)),
        rational_array(draw, (outputs,)),
    )


def by_slices(of: Evaluate, draw: Draw) -> None:
    """y[o, i] = bias[o] + <weight[o], the slice of padded x that starts at stride i, of step dilation>."""
    term, x, weight, bias = convolution_case(draw)
    got, expected = of(term, x, weight, bias), convolved(term, x, weight, bias)
    require(equal(got, expected), "the convolution differs", term=term, x=x, weight=weight, bias=bias, got=got)


def by_scattering(of: Evaluate, draw: Draw) -> None:
    """y = bias + the sum of x[c, i] weight[c, o], each placed at stride i with step dilation, with the padding cut."""
    term, y, weight, _ = convolution_case(draw)
    transposed, c = transposed_case(draw, term, y, weight)
    across = rational_array(draw, (weight.shape[1] * term.groups,))
    got, expected = of(transposed, c, weight, across), scattered(transposed, c, weight, across)
    require(equal(got, expected), "the transposed convolution differs", term=transposed, x=c, weight=weight, got=got)


def adjoint(of: Evaluate, draw: Draw) -> None:
    """<convolution(x, w), c> = <x, transposed(c, w)>, with one weight and the same fields."""
    term, x, weight, _ = convolution_case(draw)
    transposed, c = transposed_case(draw, term, x, weight)
    back = of(transposed, c, weight)
    require(back.shape == x.shape, "the adjoint has another shape", term=term, x=x, weight=weight, c=c, back=back)
    left, right = (of(term, x, weight) * c).sum(), (x * back).sum()
    require(left == right, "<y, c> differs from <x, back>", term=term, x=x, weight=weight, c=c, left=left, right=right)


def direct_kernel(of: Evaluate, draw: Draw) -> None:
    """The direct kernel is the adjoint one with its channels exchanged and its spatial axes reversed (one group)."""
    term, x, weight, _ = convolution_case(draw)
    term = replace(term, groups=1)
    weight = rational_array(draw, (weight.shape[0], x.shape[x.ndim - weight.ndim + 1], *weight.shape[2:]))
    transposed, c = transposed_case(draw, term, x, weight)
    flipped = np.flip(np.arange(weight.size).reshape(weight.shape), tuple(range(2, weight.ndim)))
    left = of(replace(transposed, kernel="direct"), c, weight.take(np.swapaxes(flipped, 0, 1)))
    right = of(transposed, c, weight)
    require(left == right, "the two kernels differ", term=transposed, x=c, weight=weight, left=left, right=right)


def convolution_reverse(of: Reverse, draw: Draw) -> None:
    """dx = transposed(c); dweight[o, k] = sum_i c[o, i] padded x[stride i + dilation k]; dbias = sum_i c[., i]."""
    term, x, weight, bias = convolution_case(draw)
    transposed, c = transposed_case(draw, term, x, weight)
    to_x, to_weight, to_bias = of(term, (x, weight, bias), c)
    expected = scattered(transposed, c, weight, None)
    require(equal(to_x, expected), "dx differs", term=term, x=x, weight=weight, c=c, got=to_x)
    require(equal(to_weight, _weight_slope(term, x, weight, c)), "dweight differs", term=term, x=x, c=c, got=to_weight)
    axes = weight.ndim - 2
    along = (*range(x.ndim - axes - 1), *range(x.ndim - axes, x.ndim))
    require(equal(to_bias, entries(c).sum(axis=along)), "dbias differs", term=term, c=c, got=to_bias)


def transposed_case(
    draw: Draw, term: Convolution, x: Rational, weight: Rational
) -> tuple[TransposedConvolution, Rational]:
    """The transposed convolution that leads back to the shape of x, and an array of the shape of the result."""
    axes = weight.ndim - 2
    fields: Any = (x.shape[x.ndim - axes :], weight.shape[2:], term.stride, term.padding, term.dilation)
    lengths: list[int] = []
    extra: list[int] = []
    for n, k, s, p, e in zip(*fields, strict=True):
        lengths.append(output_size(n, k, s, p, e))
        extra.append((n + sum(p) - e * (k - 1) - 1) % s)
    leading = x.shape[: x.ndim - axes - 1]
    c = rational_array(draw, (*leading, weight.shape[0], *lengths))
    return TransposedConvolution(term.stride, term.padding, tuple(extra), term.dilation, term.groups), c


def convolved(term: Any, x: Rational, weight: Rational, bias: Rational | None) -> Any:
    """The convolution of Fractions by slices of a padded array, one example after another."""
    w, axes = entries(weight), weight.ndim - 2
    examples = entries(x).reshape((-1, *x.shape[x.ndim - axes - 1 :]))
    padded = np.pad(examples, ((0, 0), (0, 0), *term.padding), constant_values=0)
    places = [output_size(n, *each) for n, *each in _fields(term, x, weight)]
    y = np.zeros((len(examples), w.shape[0], *places), dtype=object)
    for n, o, *i in product(*map(range, y.shape)):
        group = o // (w.shape[0] // term.groups)
        channels = slice(group * w.shape[1], (group + 1) * w.shape[1])
        y[(n, o, *i)] = (w[o] * padded[(n, channels, *_window(term, weight, i))]).sum()
        y[(n, o, *i)] += 0 if bias is None else entries(bias)[o]
    return y.reshape((*x.shape[: x.ndim - axes - 1], *y.shape[1:]))


def scattered(term: Any, x: Rational, weight: Rational, bias: Rational | None) -> Any:
    """The transposed convolution of Fractions: every entry of x adds its multiple of the kernel."""
    w, axes = entries(weight), weight.ndim - 2
    examples = entries(x).reshape((-1, *x.shape[x.ndim - axes - 1 :]))
    whole = [
        s * (n - 1) + e * (k - 1) + 1 + more
        for (n, k, s, _, e), more in zip(_fields(term, x, weight), term.extra, strict=True)
    ]
    y = np.zeros((len(examples), w.shape[1] * term.groups, *whole), dtype=object)
    for n, c, *i in product(*map(range, examples.shape)):
        group = c // (w.shape[0] // term.groups)
        channels = slice(group * w.shape[1], (group + 1) * w.shape[1])
        y[(n, channels, *_window(term, weight, i))] += examples[(n, c, *i)] * w[c]
    cut = tuple(slice(before, size - after) for size, (before, after) in zip(whole, term.padding, strict=True))
    y = y[(slice(None), slice(None), *cut)]
    if bias is not None:
        y = y + entries(bias).reshape((-1,) + (1,) * axes)
    return y.reshape((*x.shape[: x.ndim - axes - 1], *y.shape[1:]))


def _weight_slope(term: Any, x: Rational, weight: Rational, c: Rational) -> Any:
    axes, (outputs, reads) = weight.ndim - 2, weight.shape[:2]
    examples = entries(x).reshape((-1, *x.shape[x.ndim - axes - 1 :]))
    cotangents = entries(c).reshape((-1, *c.shape[x.ndim - axes - 1 :]))
    padded = np.pad(examples, ((0, 0), (0, 0), *term.padding), constant_values=0)
    slope = np.zeros(weight.shape, dtype=object)
    for n, o, *i in product(*map(range, cotangents.shape)):
        group = o // (outputs // term.groups)
        channels = slice(group * reads, (group + 1) * reads)
        slope[o] += cotangents[(n, o, *i)] * padded[(n, channels, *_window(term, weight, i))]
    return slope


def _fields(term: Any, x: Rational, weight: Rational) -> list[Any]:
    sizes = x.shape[x.ndim - len(weight.shape[2:]) :]
    return list(zip(sizes, weight.shape[2:], term.stride, term.padding, term.dilation, strict=True))


def _window(term: Any, weight: Rational, i: list[int]) -> tuple[slice, ...]:
    """The slice of a padded array under the kernel at place i."""
    each = zip(i, weight.shape[2:], term.stride, term.dilation, strict=True)
    return tuple(slice(s * place, s * place + e * (k - 1) + 1, e) for place, k, s, e in each)


SOURCE = "Dumoulin and Visin 2016, arXiv:1603.07285"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "convolution-by-slices",
        "y[o, i] = bias[o] + <weight[o], padded x from stride i in steps of the dilation>, in each group",
        SOURCE,
        Grade.EXACT,
        evaluate,
        by_slices,
        {
            "kernel reversed": planted.reversed_kernel,
            "strides of the axes exchanged": planted.strides_exchanged,
            "stride and dilation exchanged": planted.stride_for_dilation,
            "padding after for padding before": planted.sides_exchanged,
            "channels dealt to the groups in turn": planted.channels_interleaved,
            "bias left out": planted.without_bias,
        },
    ),
    Law(
        "transposed-convolution-by-scattering",
        "y = bias + sum of x[c, i] weight[c, o] placed at stride i, the padding cut",
        SOURCE + ", section 4",
        Grade.EXACT,
        evaluate,
        by_scattering,
        {
            "kernel reversed": planted.transposed_with_reversed_kernel,
            "extra output in front": planted.extra_in_front,
            "padding after for padding before": planted.transposed_with_sides_exchanged,
            "dilation left out of the reach": planted.transposed_without_dilation,
        },
    ),
    Law(
        "transposed-convolution-is-the-adjoint",
        "<convolution(x, w), c> = <x, transposed(c, w)>",
        SOURCE + ", section 4",
        Grade.EXACT,
        evaluate,
        adjoint,
        {
            "kernel reversed": planted.transposed_with_reversed_kernel,
            "extra output in front": planted.extra_in_front,
        },
    ),
    Law(
        "transposed-convolution-kernels",
        "direct(weight) = adjoint(weight with channels exchanged and spatial axes reversed)",
        "Equinox, https://docs.kidger.site/equinox/api/nn/conv/ (transposed convolutions)",
        Grade.EXACT,
        evaluate,
        direct_kernel,
        {"the direct kernel is not reversed": planted.direct_not_reversed},
    ),
    Law(
        "convolution-reverse",
        "dx = transposed(c), dweight = sum of c[o, i] padded x under the kernel at i, dbias = sum of c",
        "derived by hand",
        Grade.EXACT,
        reverse,
        convolution_reverse,
        {
            "kernel not reversed on the way back": planted.reverse_with_the_kernel_as_it_is,
            "bias gets the mean": planted.mean_to_the_bias,
            "gradient of the weight reversed": planted.weight_slope_reversed,
        },
    ),
)
