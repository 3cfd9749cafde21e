"""Prints each slip in print: the printed form, the law that rejects it with its smallest case, and the exact values.

Run from the root of the repository: python tests/conformance/slips.py
"""

from lenticulum.check.engine import run_law
from lenticulum.spec.slips import SLIPS, Slip
from lenticulum.terms import Dense, Learner, LearningRate, ShapeError, SquaredLoss
from lenticulum.terms.boundaries import require_identity_get

CASES = 60


def report(slip: Slip) -> str:
    """What a slip is, what rejects it, and the values that show it."""
    right, printed = slip.values()
    lines = [f"({slip.equation}) {slip.what}", f"  printed: {slip.printed}", f"  right:   {slip.right}"]
    for law, mistake in slip.rejected_by:
        result = run_law(law, law.planted[mistake], seed=0, cases=CASES)
        first, *witness = str(result.violation).splitlines()
        lines += [f"  rejected by {law.id}: {first}", *(f"  {line}" for line in witness)]
    lines += [f"  at {slip.at}:", f"    right   {_row(right)}", f"    printed {_row(printed)}"]
    return "\n".join(lines)


def type_error() -> str:
    """The claim of section 10 of the text: the get of the closed supervised step is the identity."""
    learner = Learner(Dense(2, 1, use_bias=False), SquaredLoss(), LearningRate("1/10"), 2)
    try:
        require_identity_get(learner)
    except ShapeError as error:
        what = "(Figure 5) the get of the closed supervised step"
        return f"{what}\n  printed: the identity\n  rejected by its type: {error}"
    raise AssertionError("the claim type-checks")


def _row(values: list) -> str:
    return ", ".join(map(str, values))


if __name__ == "__main__":
    print("\n\n".join([*map(report, SLIPS), type_error()]))
