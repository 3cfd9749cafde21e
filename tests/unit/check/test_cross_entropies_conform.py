"""The fast cross-entropies conform to their definitions under every convention."""

import pytest
from operation_kernels import kernel

from lenticulum.check import examine

SPECS = """
    softmax_cross_entropy softmax_cross_entropy:axis=0,label_smoothing=1/8
    softmax_cross_entropy:reduction=mean,label_smoothing=1/8 softmax_cross_entropy_integer
    softmax_cross_entropy_integer:axis=1,ignore_index=-100,label_smoothing=1/8
    softmax_cross_entropy_integer:ignore_index=2,reduction=mean
    softmax_cross_entropy_integer:ignore_index=-1,reduction=weighted_mean,label_smoothing=3/16
    sigmoid_cross_entropy sigmoid_cross_entropy:reduction=mean focal_loss focal_loss:gamma=3/2,alpha=1/4
    focal_loss:gamma=0 focal_loss:reduction=sum kl_divergence kl_divergence:reduction=row
    kl_divergence:reduction=batch_mean kl_divergence:log_target=true kl_divergence:log_target=true,reduction=mean
""".split()


@pytest.mark.parametrize("spec", SPECS)
def test_the_fast_meaning_conforms(spec: str) -> None:
    result = examine(kernel(spec), spec)
    assert (result.verdict, result.undecided) == ("conforms", 0), str(result)
