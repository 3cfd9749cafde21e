"""The fast meanings of the layers: plain functions of parameters and input."""

from lenticulum.fast.layers.batch_norm import batch_norm
from lenticulum.fast.layers.bias import bias
from lenticulum.fast.layers.dense import dense
from lenticulum.fast.layers.dropout import dropout
from lenticulum.fast.layers.layer_norm import layer_norm
from lenticulum.fast.layers.self_attention import self_attention
from lenticulum.fast.layers.softmax import softmax

__all__ = ["batch_norm", "bias", "dense", "dropout", "layer_norm", "self_attention", "softmax"]
