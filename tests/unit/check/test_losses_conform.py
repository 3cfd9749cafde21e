"""The fast log-sum-exp, standardisation, gates and losses conform to their definitions under every convention."""

import pytest
from operation_kernels import kernel

from lenticulum.check import examine

SPECS = """
    logsumexp:axis=0,keepdims=true log_softmax log_softmax:axis=0 standardize standardize:axis=[0,-1],epsilon=1/8
    glu glu:axis=0 absolute_loss absolute_loss:reduction=sum huber_loss:delta=3/4 huber_loss:delta=1/3,reduction=mean
    smooth_l1_loss:beta=3/4 smooth_l1_loss:beta=1/3,reduction=sum log_cosh_loss log_cosh_loss:reduction=mean
    hinge_loss hinge_loss:reduction=mean poisson_nll poisson_nll:log_input=false,epsilon=1/8 poisson_nll:reduction=sum
    gaussian_nll:epsilon=1/8 gaussian_nll:full=true,reduction=mean cosine_similarity
    cosine_similarity:epsilon_at=product,epsilon=1/8 cosine_similarity:epsilon_at=square,epsilon=1/8,axis=0
    cosine_similarity:epsilon=0
""".split()


@pytest.mark.parametrize("spec", SPECS)
def test_the_fast_meaning_conforms(spec: str) -> None:
    result = examine(kernel(spec), spec)
    assert (result.verdict, result.undecided) == ("conforms", 0), str(result)
