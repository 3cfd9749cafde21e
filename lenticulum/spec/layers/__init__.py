"""What the layers mean, exactly: one plain function each."""

from lenticulum.spec.layers.activations import softmax, softmax_quotient
from lenticulum.spec.layers.affine import bias, dense
from lenticulum.spec.layers.batch_norm import batch_norm
from lenticulum.spec.layers.dropout import dropout
from lenticulum.spec.layers.layer_norm import layer_norm
from lenticulum.spec.layers.self_attention import self_attention

__all__ = ["batch_norm", "bias", "dense", "dropout", "layer_norm", "self_attention", "softmax", "softmax_quotient"]
