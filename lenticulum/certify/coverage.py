"""Coverage in words that cannot be misread, and what a claim leaves out."""

from __future__ import annotations

from lenticulum.certify.campaign import Campaign
from lenticulum.certify.domain import Domain


def spaced(number: int) -> str:
    """Write an integer in groups of three digits.

    >>> spaced(65536)
    '65 536'
    """
    return f"{number:,}".replace(",", " ")


def coverage(domain: Domain, judged: int) -> str:
    """Say how many of which inputs were judged.

    >>> coverage(Domain("float16", 1), 65536), coverage(Domain("float16", 2, sample=1 << 24), 1 << 24)
    ('every input (65 536)', 'sampled (16 777 216 of 4 294 967 296)')
    """
    what = "input" if domain.arguments == 1 else "pair"
    if judged == domain.total:
        return f"every {what} ({spaced(judged)})"
    if domain.sample is not None and judged == domain.count:
        return f"sampled ({spaced(judged)} of {spaced(domain.total)})"
    return f"a part ({spaced(judged)} of {spaced(domain.count)})"


def not_claimed(campaign: Campaign) -> tuple[str, ...]:
    """Return what a reader must not take from the result."""
    subject = campaign.subjects[0]
    left = ["other versions, devices, processors and flags than the environment names", "other dtypes"]
    left.append("array lengths other than those compared, where a vector loop may have other code for its remainder")
    if subject.mode == "compiled":
        left.append("the function fused into a larger program, where a compiler may round less often")
    if campaign.domain.sample is not None:
        left.append("inputs outside the sample: its maximum is a lower bound of the maximum over all inputs")
    left.append("derivatives: see lenticulum check")
    return tuple(left)
