"""The rows of the activations."""

from typing import Any

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms import Term
from lenticulum.terms.activations import REGIONS, SIDES, SLOPES


def activation(name: str, example: Term, equation: str, source: str, laws: tuple[str, ...], **facts: Any) -> None:
    """Add the row of an activation."""
    entry(
        name,
        example,
        kind="elementwise",
        arrays=("x",),
        equation=f"y = {equation}",
        source=source,
        laws=laws,
        locality="element",
        purity="pure",
        states=STATELESS,
        **{"determines": "x", **facts},
    )


activation(
    "relu",
    terms.Relu(),
    "max(x, 0)",
    "Nair and Hinton 2010; derivative at 0: arXiv:2106.12915",
    ("idempotent", "positively homogeneous", "the derivative at 0 is 0, 1/2 or 1, by convention"),
    conventions={"at_kink": SLOPES},
    kink="at 0",
)

activation(
    "relu6",
    terms.Relu6(),
    "min(max(x, 0), 6)",
    "Krizhevsky 2010, Convolutional Deep Belief Networks on CIFAR-10",
    ("idempotent", "the derivative at 0 and 6 is 0, 1/2 or 1, by convention"),
    conventions={"at_kink": SLOPES},
    kink="at 0 and 6",
)

activation(
    "leaky_relu",
    terms.LeakyRelu(),
    "x for x > 0, negative_slope x for x < 0",
    "Maas, Hannun and Ng 2013",
    ("positively homogeneous", "the derivative at 0 is one-sided or the mean of both, by convention"),
    determines="x and negative_slope (1/100 unless stated; 1/5 in Keras 3 and TensorFlow)",
    conventions={"at_kink": SIDES},
    short={"slope": "negative_slope", "alpha": "negative_slope"},
    kink="at 0",
)

activation(
    "elu",
    terms.Elu(),
    "x for x > 0, alpha (e^x - 1) for x < 0",
    "Clevert, Unterthiner and Hochreiter 2016, arXiv:1511.07289",
    ("y' = y + alpha for x < 0", "continuously differentiable at 0 iff alpha = 1"),
    determines="x and alpha",
    conventions={"at_kink": SIDES},
    kink="at 0, unless alpha = 1",
)

activation(
    "selu",
    terms.Selu(),
    "scale x for x > 0, scale alpha (e^x - 1) for x < 0",
    "Klambauer et al. 2017, arXiv:1706.02515",
    ("selu(x) = scale elu(x, alpha)",),
    determines="x, and scale and alpha, by default the published decimals",
    conventions={"at_kink": SIDES},
    kink="at 0",
)

activation(
    "celu",
    terms.Celu(),
    "x for x >= 0, alpha (e^(x / alpha) - 1) for x < 0",
    "Barron 2017, arXiv:1704.07483",
    ("celu(x, alpha) = alpha elu(x / alpha, 1)", "continuously differentiable"),
    determines="x and alpha",
)

activation(
    "gelu",
    terms.Gelu(),
    "x Phi(x); approximate=tanh: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x³)))",
    "Hendrycks and Gimpel 2016, arXiv:1606.08415",
    ("gelu(x) - gelu(-x) = x", "approximate=none: y' = Phi(x) + x phi(x)"),
    determines="x and approximate, which chooses between two functions",
    conventions={"approximate": ("none", "tanh")},
)

activation(
    "silu",
    terms.Silu(),
    "x / (1 + e^-x)",
    "Elfwing, Uchibe and Doya 2018, arXiv:1702.03118",
    ("silu(x) - silu(-x) = x", "y' = s + y (1 - s), s = 1 / (1 + e^-x)"),
    aliases=("swish",),
)

activation(
    "mish",
    terms.Mish(),
    "x tanh(log(1 + e^x))",
    "Misra 2020, arXiv:1908.08681",
    ("mish(x) = x tanh(softplus(x))", "mish(x) = x n / (n + 2), n = e^x (e^x + 2)"),
)

activation(
    "softplus",
    terms.Softplus(),
    "log(1 + e^(beta x)) / beta",
    "Dugas et al. 2001",
    ("softplus(x) - softplus(-x) = x", "y' = 1 / (1 + e^(-beta x))", "there is no threshold"),
    determines="x and beta",
)

activation(
    "log_sigmoid",
    terms.LogSigmoid(),
    "-log(1 + e^-x)",
    "the logarithm of the logistic function",
    ("log_sigmoid(x) = -softplus(-x)", "log_sigmoid(x) - log_sigmoid(-x) = x"),
    aliases=("logsigmoid",),
)

activation(
    "hard_sigmoid",
    terms.HardSigmoid(),
    "slope x + 1/2, clipped to [0, 1]",
    "Howard et al. 2019, arXiv:1905.02244 (slope 1/6); Courbariaux, Bengio and David 2015, arXiv:1511.00363",
    ("hard_sigmoid(x) + hard_sigmoid(-x) = 1", "the derivative at ±1/(2 slope) is a convention"),
    determines="x and slope (1/6 unless stated; 1/5 in ONNX and Keras 2)",
    conventions={"at_kink": REGIONS},
    aliases=("hardsigmoid",),
    kink="at ±1/(2 slope)",
)

activation(
    "hard_silu",
    terms.HardSilu(),
    "x relu6(x + 3) / 6",
    "Howard et al. 2019, arXiv:1905.02244",
    ("hard_silu(x) - hard_silu(-x) = x", "the derivative at ±3 is a convention"),
    conventions={"at_kink": REGIONS},
    aliases=("hard_swish", "hardswish"),
    kink="at ±3",
)

activation(
    "hard_tanh",
    terms.HardTanh(),
    "min(max(x, low), high)",
    "Collobert 2004",
    ("idempotent", "the derivative at low and high is a convention"),
    determines="x, low and high",
    conventions={"at_kink": REGIONS},
    short={"min_val": "low", "max_val": "high"},
    aliases=("hardtanh",),
    kink="at low and high",
)

activation(
    "soft_sign",
    terms.SoftSign(),
    "x / (1 + |x|)",
    "Turian, Bergstra and Bengio 2009",
    ("odd", "y' = (1 - |y|)²", "|y| < 1 for finite x; ±1 at ±inf"),
    aliases=("softsign",),
)

activation(
    "squareplus",
    terms.Squareplus(),
    "(x + sqrt(x² + b)) / 2",
    "Barron 2021, arXiv:2112.11687",
    ("squareplus(x) squareplus(-x) = b/4", "squareplus(x) - squareplus(-x) = x", "y' = y / sqrt(x² + b)"),
    determines="x and b",
)

activation(
    "sparse_plus",
    terms.SparsePlus(),
    "0 for x <= -1, (x + 1)² / 4 between, x for x >= 1",
    "Blondel, Martins and Niculae 2020, arXiv:1901.02324, section 6.2",
    ("sparse_plus(x) - sparse_plus(-x) = x", "continuously differentiable"),
)
