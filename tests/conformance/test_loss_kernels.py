"""Public kernels of softmax, gates and losses conform; broken copies differ; what is wrong in them is named."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from loss_kernels import BROKEN, GOOD

from lenticulum.check import examine

TORCH = """
    log_softmax:log_softmax:axis=0 glu:glu l1_loss:absolute_loss huber_loss:huber_loss:reduction=mean
    smooth_l1_loss:smooth_l1_loss cross_entropy:softmax_cross_entropy:axis=1
    cross_entropy:softmax_cross_entropy_integer:axis=1,ignore_index=-100 kl_div:kl_divergence
    kl_div:kl_divergence:log_target=true poisson_nll_loss:poisson_nll poisson_nll_loss:poisson_nll:log_input=false
    gaussian_nll_loss:gaussian_nll gaussian_nll_loss:gaussian_nll:full=true,reduction=mean
""".split()


@pytest.fixture(scope="module")
def verdicts() -> dict[str, list[dict[str, Any]]]:
    """The verdict on every kernel, from a process of its own: the run-time type checks of this one triple the cost."""
    program = Path(__file__).with_name("loss_kernels.py")
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_public_kernel_conforms(verdicts: dict[str, list[dict[str, Any]]]) -> None:
    for (_, spec, _), found in zip(GOOD, verdicts["good"], strict=True):
        assert found["verdict"] == "conforms", found["text"]
        assert found["carried"] > 10, spec


def test_a_broken_copy_differs(verdicts: dict[str, list[dict[str, Any]]]) -> None:
    for (_, _, kind), found in zip(BROKEN, verdicts["broken"], strict=True):
        assert (found["verdict"], found["kind"]) == ("differs", kind), found["text"]
        compile(found["witness"], "witness", "exec")


@pytest.mark.parametrize("claim", TORCH)
def test_a_loss_of_torch_conforms(claim: str) -> None:
    importlib.util.find_spec("torch") or pytest.skip("torch is not installed")
    import torch

    name, _, spec = claim.partition(":")
    result = examine(getattr(torch.nn.functional, name), spec)
    assert result.verdict == "conforms", str(result)


def test_the_mean_of_torch_is_over_the_weights() -> None:
    importlib.util.find_spec("torch") or pytest.skip("torch is not installed")
    import torch

    subject, spec = torch.nn.functional.cross_entropy, "softmax_cross_entropy_integer:axis=1,ignore_index=-100"
    bind = {"reduction": "mean"}
    assert examine(subject, f"{spec},reduction=weighted_mean", bind=bind).verdict == "conforms"
    assert examine(subject, f"{spec},reduction=mean", bind=bind).kind == "formula"


def test_torch_loses_a_small_binary_cross_entropy() -> None:
    # (1 - y) x - log_sigmoid(x) cancels: at x = -40 and y = 0 the loss is exp(-40) = 4.2e-18, and 0 is returned.
    importlib.util.find_spec("torch") or pytest.skip("torch is not installed")
    import torch

    point = {"prediction": np.array([-40.0], np.float32), "label": np.zeros(1, np.float32)}
    result = examine(torch.nn.functional.binary_cross_entropy_with_logits, "sigmoid_cross_entropy", at=point)
    assert (result.verdict, result.finding.got) == ("differs", 0.0)
    assert examine(optax.sigmoid_binary_cross_entropy, "sigmoid_cross_entropy", at=point).verdict == "conforms"


def test_jax_has_no_slope_in_a_weight_that_is_zero() -> None:
    # d/db log sum b exp x = exp x / sum b exp x everywhere, but jax leaves entries of weight 0 out altogether.
    x, b = jnp.array([1.0, 2.0, 0.5]), jnp.array([1.0, 0.0, 1.0])
    slopes = jax.grad(lambda weights: jax.nn.logsumexp(x, b=weights))(b)
    assert (slopes[1] == 0) == (examine(jax.nn.logsumexp, "logsumexp").kind == "derivative")
    assert np.allclose(slopes[::2], np.exp(x)[::2] / np.sum(b * np.exp(x)))
