"""Reported bugs of derivatives and numerical kernels: what the arguments of each are, and the laws it must satisfy.

An adapter says which function is the subject (`primal`: its name in the code, if it is not the last one), of which kind
each argument is, and the law: the derivative of its own program; a definition of the catalogue, with the arguments of
the kernel as its roles; the reference of the entry; or a law without a definition. No number and no generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from reference_formula import reference_formula

from lenticulum.check.argument_cases import Argument
from lenticulum.check.derivative_law import OWN_DERIVATIVE
from lenticulum.check.formula_law import computes
from lenticulum.check.kernel_law import Kernel
from lenticulum.check.masking_law import MASKING
from lenticulum.check.meaning_law import Claim, meets
from lenticulum.check.range_law import in_range
from lenticulum.check.rounding_law import rounding_error, rounds
from lenticulum.check.type_law import keeps_type
from lenticulum.spec.law import Law

Arguments = dict[str, Argument]


@dataclass(frozen=True)
class ProgramAdapter:
    """What is said about an entry. `kinds`, for the reader: the kinds of finding that are right."""

    definition: str
    kinds: tuple[str, ...]
    arguments: Arguments
    laws: tuple[Any, ...]
    primal: str = ""
    dtype: str = "float32"

    def kernel(self, code: str) -> Kernel:
        """Return the subject of a piece of code."""
        namespace: dict[str, Any] = {}
        exec(code, namespace)
        last = namespace["fixed"] if "fixed" in namespace else namespace["faulty"]
        return Kernel(namespace[self.primal] if self.primal else last, self.arguments, self.dtype)


def of_catalogue(claim: Claim) -> Any:
    """Return the law of a claim; its own right kernel and planted mistakes are in the tests of the law."""
    return meets(claim, Kernel(lambda: None, {}), {})


def weights(s: Any, keep: Any) -> dict[str, Any]:
    """Return the attention whose value are its weights: scores as a bias, the unit vectors as values."""
    queries, keys = s.shape
    nothing = np.zeros_like(s)[:, :1]
    return {
        "query": nothing,
        "key": np.zeros((keys, 1), s.dtype),
        "value": np.eye(keys, dtype=s.dtype),
        "bias": s,
        "mask": np.broadcast_to(keep, (queries, keys)),
    }


SCORES = ("query", "key")

ADAPTERS: dict[str, ProgramAdapter] = {
    "C03": ProgramAdapter("its own primal f", ("derivative",), {"x": Argument("value")}, (OWN_DERIVATIVE,), primal="f"),
    "C04": ProgramAdapter(
        "the reverse derivative of logsumexp",
        ("derivative",),
        {"a": Argument("score", ("entry",), ("mask",)), "mask": Argument("open mask", ("entry",))},
        (of_catalogue(Claim("logsumexp", lambda a, mask: {"x": a, "where": mask}, of=("x",))),),
    ),
    "C12": ProgramAdapter(
        "its own primal f",
        ("derivative",),
        {"x": Argument("value"), "y": Argument("value")},
        (OWN_DERIVATIVE,),
        primal="f",
    ),
    "C13": ProgramAdapter(
        "its own primal mv",
        ("derivative",),
        {"W": Argument("value", ("row", "column")), "x": Argument("value", ("column",))},
        (OWN_DERIVATIVE,),
        primal="mv",
    ),
    "C15": ProgramAdapter(
        'the reverse derivative of einsum:equation="ij,j->ij"',
        ("derivative", "mutates"),
        {
            "x": Argument("value", ("row", "column")),
            "w": Argument("weight", ("column",)),
            "dy": Argument("cotangent", ("row", "column")),
        },
        (
            of_catalogue(
                Claim('einsum:equation="ij,j->ij"', lambda x, w, dy: {"x": x, "y": w, "cotangent": dy}, of=("x", "y"))
            ),
        ),
    ),
    "C21": ProgramAdapter(
        "the type of the parameter, and the entry's reference",
        ("type",),
        {
            "b": Argument("value", ("column",)),
            "ybar": Argument("cotangent", ("row", "column")),
            "lr": Argument("rate"),
        },
        (keeps_type("b"), "reference"),
    ),
    "C22": ProgramAdapter(
        "its own primal clip",
        ("derivative",),
        {
            "x": Argument("bounded", (), ("lo", "hi")),
            "lo": Argument("lower"),
            "hi": Argument("upper", (), ("lo",)),
        },
        (OWN_DERIVATIVE,),
        primal="clip",
    ),
    "E01": ProgramAdapter(
        "the first entry of layer_norm",
        ("rounding",),
        {
            "mean": Argument("location"),
            "n": Argument("length"),
            "step": Argument("step"),
            "eps": Argument("epsilon"),
        },
        (
            of_catalogue(
                Claim(
                    "layer_norm",
                    lambda mean, n, step, eps: {"x": mean + np.arange(n, dtype=mean.dtype) * step, "epsilon": eps},
                    entry=lambda **_: (0,),
                )
            ),
        ),
    ),
    "E02": ProgramAdapter(
        "the weights of attention:blocked=zero",
        ("special-value",),
        {"s": Argument("score", SCORES, ("mask",)), "mask": Argument("mask", SCORES)},
        (of_catalogue(Claim("attention:blocked=zero", lambda s, mask: weights(s, mask))), MASKING),
    ),
    "E03": ProgramAdapter(
        "the weights of attention, and the law of masking",
        ("formula",),
        {
            "s": Argument("score", ("position'", "position"), ("keep",)),
            "keep": Argument("open mask", ("position",)),
        },
        (of_catalogue(Claim("attention", lambda s, keep: weights(s, keep))), MASKING),
    ),
    "E07": ProgramAdapter(
        "the range [-1, 1] of a cosine, as the kernel itself states it",
        ("rounding",),
        {"n": Argument("count")},
        (in_range(-1.0, 1.0),),
    ),
    "E08": ProgramAdapter(
        "a cosine of sinusoidal_positions",
        ("rounding",),
        {
            "pos": Argument("position"),
            "i": Argument("pair", (), ("d",)),
            "d": Argument("width"),
            "base": Argument("base"),
        },
        (
            of_catalogue(
                Claim(
                    "sinusoidal_positions:layout=half",
                    lambda pos, i, d, base: {"x": np.asarray(pos, base.dtype), "features": d, "base": base},
                    entry=lambda pos, i, d, base: (d // 2 + i,),
                )
            ),
        ),
    ),
    "E13": ProgramAdapter(
        "y - ((x + y) - x), every operation rounded",
        ("rounding",),
        {"x": Argument("value"), "y": Argument("value")},
        (rounds(rounding_error),),
        dtype="bfloat16",
    ),
}


def laws(adapter: ProgramAdapter, entry: dict[str, Any]) -> list[Law[Kernel]]:
    """Return the laws of an adapter; the entry's reference as a formula where the adapter asks for it."""
    nothing = Kernel(lambda: None, {})
    return [
        computes(reference_formula(entry["reference_code"]), nothing, {}) if law == "reference" else law
        for law in adapter.laws
    ]


#: Entries of the two categories that no adapter takes.
LEFT_OUT = {name: "it is about complex numbers, which this library does not have" for name in ("C11", "E17")}
