"""What the elementwise functions mean, exactly: meanings, closed forms as printed, special values, laws."""

from lenticulum.spec.elementwise.exponential import exp
from lenticulum.spec.elementwise.hyperbolic import tanh
from lenticulum.spec.elementwise.logarithm import log
from lenticulum.spec.elementwise.special import Expected, answers, expected, in_domain, special, special_points
from lenticulum.spec.elementwise.textbook import evaluation_of, forms_of, textbook

__all__ = [
    "Expected",
    "answers",
    "evaluation_of",
    "exp",
    "expected",
    "forms_of",
    "in_domain",
    "log",
    "special",
    "special_points",
    "tanh",
    "textbook",
]
