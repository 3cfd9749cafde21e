"""The fast meanings of the elementwise functions: plain functions of an input, or of a pair of inputs."""

from lenticulum.fast.elementwise.exponential import exp
from lenticulum.fast.elementwise.hyperbolic import tanh
from lenticulum.fast.elementwise.logarithm import log

__all__ = ["exp", "log", "tanh"]
