"""Modules of torch, Flax and Keras as subjects: how they are made, what they keep, and calls that are wrong."""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from lenticulum.check import CallError, check
from lenticulum.check.subjects.windows import alike, each_axis, pairs

TORCH = """
import torch
from lenticulum.check import as_function, check, examine

# The arrays are put in for the call alone.
layer = torch.nn.LayerNorm(3)
with torch.no_grad():
    layer.weight.fill_(7.0)
one = torch.ones(3)
assert torch.equal(as_function(layer, "layer_norm")(torch.tensor([[1.0, 2.0, 3.0]]), one, one)[0, 1], one[0])
assert torch.equal(layer.weight, 7.0 * one) and layer.training

# Running statistics are returned, not written.
norm = torch.nn.BatchNorm1d(2)
x = torch.tensor([[0.0, 1.0], [2.0, 5.0]])
_, mean, variance = as_function(norm, "batch_norm:mode=train")(x, *[torch.ones(2)] * 4)
assert torch.equal(norm.running_mean, torch.zeros(2)) and norm.num_batches_tracked == 0
assert torch.allclose(mean, torch.tensor([1.0, 1.2])) and torch.allclose(variance, torch.tensor([1.1, 1.7]))

# The size of an instance, and of --make, is that of the data.
def sizes(subject, **options):
    result = examine(subject, "layer_norm", **options)
    return result.verdict, sum(result.strata.values()) % 7
assert sizes(torch.nn.LayerNorm(7)) == sizes("torch.nn:LayerNorm", make={"normalized_shape": 7}) == ("conforms", 0)

# A module inside another keeps its size; an epsilon that is None is that of the format; and so do the axes.
assert sizes(torch.nn.Sequential(torch.nn.LayerNorm(7))) == ("conforms", 0)
assert examine(torch.nn.RMSNorm(5), "rms_norm").verdict == "conforms"
assert "judged at axes=2, as subject has it" in examine(torch.nn.RMSNorm((2, 3)), "rms_norm").notes
try:
    examine(torch.nn.LayerNorm((2, 5)), "layer_norm")
except Exception as error:
    assert "over the last 2 axes; layer_norm is over the last one" in str(error)
else:
    raise AssertionError

# What the module has by itself is said.
result = check("torch.nn:HuberLoss", "huber_loss", make={"reduction": "sum"})
assert "judged at reduction=sum, as torch.nn.HuberLoss has it" in result.notes, result
assert "as_function(torch.nn.Softmax, 'softmax', make={'dim': 0})(torch.tensor(" in (
    check("torch.nn:Softmax", "softmax", make={"dim": 0}).witness.code
)
"""

FLAX = """
import jax.numpy as jnp
import numpy as np
from flax import linen, nnx
from lenticulum.check import as_function, check

# kernel is [inputs, outputs], the weight of the definition [outputs, inputs].
x, weight, bias = jnp.array([[1.0, 2.0]]), jnp.array([[1.0, 0.0], [3.0, 1.0], [0.0, 2.0]]), jnp.array([0.0, 0.5, 0.0])
for layer in (linen.Dense, linen.Dense(3), nnx.Linear, nnx.Linear(2, 3, rngs=nnx.Rngs(0))):
    assert as_function(layer, "dense")(x, weight, bias).tolist() == [[1.0, 5.5, 4.0]], layer
assert "transposed" in check(linen.Dense, "dense").notes[0]

# A module of nnx stays as it is.
layer = nnx.Linear(2, 3, rngs=nnx.Rngs(0))
kernel = np.asarray(layer.kernel.get_value())
as_function(layer, "dense")(x, weight, bias)
assert np.array_equal(layer.kernel.get_value(), kernel)

# The number is 1 - momentum.
arrays = dict(weight=jnp.ones(2), bias=jnp.zeros(2), running_mean=jnp.zeros(2), running_variance=jnp.ones(2))
for norm in (linen.BatchNorm, nnx.BatchNorm):
    function = as_function(norm, "batch_norm:mode=train")
    _, mean, _ = function(x=jnp.array([[4.0, 8.0], [4.0, 8.0]]), **arrays, epsilon=1e-5, new_weight=0.25)
    assert mean.tolist() == [1, 2]
"""

KERAS = """
import jax.numpy as jnp
import keras
from lenticulum.check import as_function, check

x, weight, bias = jnp.array([[1.0, 2.0]]), jnp.array([[1.0, 0.0], [3.0, 1.0], [0.0, 2.0]]), jnp.array([0.0, 0.5, 0.0])
for layer in (keras.layers.Dense, keras.layers.Dense(3)):
    assert as_function(layer, "dense")(x, weight, bias).tolist() == [[1.0, 5.5, 4.0]], layer
try:
    check(keras.layers.GroupNormalization, "group_norm:groups=2", make={"axis": 1})
except Exception as error:
    assert "expected the channels last" in str(error)
else:
    raise AssertionError
"""


#: The command line.
COMMAND = "import sys; from lenticulum.cli import main; sys.exit(main())"


def run(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own: the imports cost seconds, and other tests of this one do not need them."""
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **variables})


@pytest.mark.parametrize(("library", "program"), [("torch", TORCH), ("flax", FLAX), ("keras", KERAS)])
def test_a_module_is_a_function_of_its_data_and_arrays(library: str, program: str) -> None:
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    found = run(program, KERAS_BACKEND="jax")
    assert found.returncode == 0, found.stderr


WRONG = [
    ("torch", "torch.nn:LayerNorm", "layer_norm", '{"shape": 5}', "has no argument 'shape'; it has normalized_shape"),
    ("torch", "torch.nn:Conv2d", "convolution", '{"kernel_size": "x"}', "constructing torch.nn.Conv2d failed"),
    ("torch", "torch.nn:Linear", "softmax", '{"in_features": 3, "out_features": 3}', "plays no known role of softmax"),
    ("flax", "flax.linen:Conv", "convolution", '{"kernel_size": [3]}', "the padding 'SAME' depends on the sizes"),
    ("flax", "flax.nnx:Module", "softmax", "{}", "flax.nnx.Module cannot be read as softmax"),
    ("keras", "keras.layers:Dense", "dense", '{"foo": 1}', "constructing keras.layers.Dense failed"),
]


@pytest.mark.parametrize(("library", "target", "spec", "make", "said"), WRONG)
def test_a_wrong_make_is_a_sentence(library: str, target: str, spec: str, make: str, said: str) -> None:
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    command = ("check", target, "--spec", spec, "--make", make)
    found = run(COMMAND, *command, KERAS_BACKEND="jax")
    assert found.returncode == 2, found.stdout + found.stderr
    assert said in found.stderr
    assert len(found.stderr.splitlines()) <= 3


def test_keras_with_another_back_end_is_refused() -> None:
    if find_spec("keras") is None:
        pytest.skip("keras is not installed")
    # Keras takes TensorFlow unless told otherwise.
    found = run(COMMAND, "check", "keras.ops:softmax", "--spec", "softmax", KERAS_BACKEND="tensorflow")
    assert found.returncode == 2, found.stdout + found.stderr
    assert "set KERAS_BACKEND=jax before keras is imported" in found.stderr


def test_make_is_for_modules() -> None:
    with pytest.raises(CallError, match="constructs a module of Equinox, torch, Flax or Keras"):
        check(np.tanh, "tanh", make={"axis": 1})


def test_windows_have_one_form() -> None:
    assert each_axis(None, 2) == each_axis((1,), 2) == (1, 1)
    assert pairs([[1, 2], 0], 2, "layer") == ((1, 2), (0, 0))
    assert alike(((2, 2), (0, 0)), "torch") == (2, 0)
    with pytest.raises(CallError, match="pads alike before and after"):
        alike(((1, 2),), "torch")
    with pytest.raises(CallError, match="'SAME' depends on the sizes"):
        pairs("SAME", 1, "layer")
