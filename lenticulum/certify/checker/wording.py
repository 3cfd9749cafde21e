"""The words of a certificate, computed from its machine form: coverage, rule, and the claim in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Predicate = Mapping[str, Any]


def grouped(number: int) -> str:
    """Write an integer in groups of three digits.

    >>> grouped(65536)
    '65 536'
    """
    return f"{number:,}".replace(",", " ")


def coverage_words(kind: str, arguments: int, checked: int, of: int) -> str:
    """Say how much of the domain was looked at.

    >>> coverage_words("exhaustive", 1, 65536, 65536)
    'every input (65 536)'
    >>> coverage_words("sampled", 1, 1000000, 2**32)
    'sampled (1 000 000 of 4 294 967 296)'
    """
    if kind == "exhaustive":
        return f"every {'input' if arguments == 1 else 'pair'} ({grouped(checked)})"
    return f"{kind} ({grouped(checked)} of {grouped(of)})"


def rule_words(within: str | None) -> str:
    """Say by which rule an output is accepted.

    >>> rule_words(None), rule_words("3/2")
    ('K <= 4 or running bound', 'within 3/2 ulp')
    """
    return "K <= 4 or running bound" if within is None else f"within {within} ulp"


def definition_words(definition: Mapping[str, Any]) -> str:
    """Write a definition as it is named on the command line.

    >>> definition_words({"name": "gelu", "conventions": {"approximate": "tanh"}})
    'gelu:approximate=tanh'
    """
    conventions = ",".join(f"{name}={value}" for name, value in sorted(definition["conventions"].items()))
    return definition["name"] + (f":{conventions}" if conventions else "")


def claim_sentence(subject: str, predicate: Predicate) -> str:
    """Return the claim of a predicate about a subject. Bounds are not part of it: they may be weakened."""
    coverage, formats, verdict = predicate["coverage"], predicate["format"], predicate["verdict"]
    numbers = f"{grouped(coverage['checked'])} of {grouped(coverage['of'])}"
    inputs = "inputs" if predicate["domain"]["arguments"] == 1 else "pairs"
    looked_at = {
        "exhaustive": f"On {coverage['words']}",
        "sampled": f"On a sample of {inputs} ({numbers})",
        "searched": f"On {inputs} that a search tried ({numbers})",
    }[coverage["kind"]]
    source, result = formats["input"]["name"], formats["output"]["name"]
    flushes = " in an environment that flushes subnormal numbers" if predicate["environment"]["flushes"] else ""
    relation = {
        "conforms": "conforms to",
        "differs": "differs from",
        "undecided": "is not decided against",
    }[verdict["word"]]
    return (
        f"{looked_at} of {source}{'' if result == source else f', with results in {result}'}{flushes}, "
        f"{subject} ({predicate['mode']}; {predicate['shape_class']}) {relation} "
        f"{definition_words(predicate['definition'])} by the rule '{rule_words(verdict['within'])}'."
    )


def detection_words(sample: int, count: int) -> str:
    """Say what a random sample can miss: m draws meet a fraction q with probability at least 1 - (1 - q)^m.

    >>> detection_words(2000, 65536)
    'a sample of 2 000 meets ... 1 - (1 - q)^2000: 99.9 % if q is 0.345 %, 3.1 % if one input of 65 536 is bad'
    """
    fraction = 1 - 0.001 ** (1 / sample)
    return (
        f"a sample of {grouped(sample)} meets a fraction q of bad inputs with probability 1 - (1 - q)^{sample}: "
        f"99.9 % if q is {100 * fraction:.3g} %, {100 * sample / count:.2g} % if one input of {grouped(count)} is bad"
    )
