"""The command line of the checker: read, parse, check, report. It runs no code that a certificate names."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import traceback
from fractions import Fraction
from typing import Any, NoReturn

from lenticulum.certify.checker.claim import Claim, parse
from lenticulum.certify.checker.json_reading import LARGEST_CERTIFICATE, Unreadable, read_bytes
from lenticulum.certify.checker.levels import FULL, SAMPLE, Checked, Part, check
from lenticulum.certify.checker.outputs import read_sidecars

EXIT_CODES = {"VERIFIED": 0, "REJECTED": 1, "NOT DECIDED": 3}
WRONG_CALL, OWN_BUG = 2, 70
SHOWN = 5


def check_file(path: str, part: Part | None = None) -> tuple[Claim, Checked]:
    """Read a certificate and its sidecars, and check it. Unreadable: one of them is no such file."""
    claim = parse(read_bytes(path, LARGEST_CERTIFICATE))
    sidecars = read_sidecars(claim, os.path.dirname(path))
    return claim, check(claim, sidecars, part or default_part(claim))


def default_part(claim: Claim) -> Part:
    """Return everything for a domain of 16 bits, and a sample drawn now for a larger one."""
    return Part("all") if claim.count <= FULL else draw_part(SAMPLE)


def draw_part(size: int, seed: int | None = None) -> Part:
    """Return a sample. Without a seed it is drawn now, after the certificate was made."""
    return Part("sample", size=size, seed=secrets.randbits(64) if seed is None else seed)


def read_range(text: str) -> Part:
    """Read FIRST:COUNT.

    >>> read_range("0x3c00:256")
    Part(kind='range', size=256, first=15360, seed=0)
    """
    first, colon, size = text.partition(":")
    try:
        part = Part("range", first=int(first, 0), size=int(size, 0))
    except ValueError:
        raise Unreadable(f"--part {text!r}: expected FIRST:COUNT, such as 0x3c00:256.") from None
    if not colon or part.first < 0 or part.size < 1:
        raise Unreadable(f"--part {text!r}: expected FIRST:COUNT with FIRST >= 0 and COUNT >= 1.")
    return part


def chosen_part(sample: int | None, part: str | None, seed: int | None) -> Part | None:
    """Return the part that options name, or None for the default. Unreadable: the options contradict one another."""
    if sample is not None and part is not None:
        raise Unreadable("--sample and --part exclude each other.")
    if sample is not None:
        if sample < 1:
            raise Unreadable(f"--sample {sample}: expected a number of inputs >= 1.")
        return draw_part(sample, seed)
    return None if part is None else read_range(part)


def report(path: str, claim: Claim, checked: Checked) -> str:
    """Write what was found: the verdict, the first differing fields, what was done and what was not."""
    lines = [f"{checked.word}  {path}", f"  {claim.predicate['claim']}"]
    for difference in checked.differences[:SHOWN]:
        lines.append(f"  {difference}")
    if len(checked.differences) > SHOWN:
        lines.append(f"  and {len(checked.differences) - SHOWN} more differences")
    lines += [f"  open: {question}" for question in checked.undecided[:SHOWN]]
    if len(checked.undecided) > SHOWN:
        lines.append(f"  and {len(checked.undecided) - SHOWN} more open questions")
    lines.append(f"  level {checked.level}: {'; '.join(checked.done) or 'not passed'}")
    for name, error in checked.maxima.items():
        lines.append(f"  {name}: at most {upwards(error)} ulp, recomputed")
    lines += [f"  not checked: {what}" for what in checked.not_checked]
    return "\n".join(printable(line) for line in lines)


def as_json(path: str, claim: Claim, checked: Checked) -> str:
    """Write what was found as one JSON object."""
    found: dict[str, Any] = {
        "word": checked.word,
        "exit_code": EXIT_CODES[checked.word],
        "file": path,
        "claim": claim.predicate["claim"],
        "level": checked.level,
        "differences": [
            {"path": each.path, "claimed": each.claimed, "recomputed": each.recomputed} for each in checked.differences
        ],
        "undecided": list(checked.undecided),
        "done": list(checked.done),
        "not_checked": list(checked.not_checked),
        "maxima": {name: upwards(error) for name, error in checked.maxima.items()},
    }
    return json.dumps(found)


def upwards(error: Fraction) -> str:
    """Write a bound with four decimals, rounded up.

    >>> upwards(Fraction(1, 3))
    '0.3334'
    """
    units = -(-error.numerator * 10**4 // error.denominator)
    return f"{units // 10**4}.{units % 10**4:04}"


def printable(text: str) -> str:
    """Escape what could move the cursor of a terminal or hide in it: the certificate's strings are not trusted."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code: 0 verified, 1 rejected, 2 wrong call, 3 not decided, 70 our bug."""
    try:
        options = _parser().parse_args(arguments)
        claim, checked = check_file(options.file, chosen_part(options.sample, options.part, options.seed))
        print((as_json if options.json else report)(options.file, claim, checked))
        return EXIT_CODES[checked.word]
    except Unreadable as error:
        print(f"lenticulum-check: {printable(str(error))}", file=sys.stderr)
        return WRONG_CALL
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        print(f"lenticulum-check: internal error: {error!r} at line {place.lineno}", file=sys.stderr)
        print("This is a bug of the checker and no verdict: please report it.", file=sys.stderr)
        return OWN_BUG


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Unreadable(f"{message}; see --help.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="lenticulum-check", description="Re-prove the certificate of an elementwise kernel.")
    parser.add_argument("file", help="the certificate; its sidecar lies beside it")
    parser.add_argument("--sample", type=int, help="judge so many outputs, drawn at random, instead of all")
    parser.add_argument("--seed", type=int, help="the seed of the sample; default: drawn now")
    parser.add_argument("--part", help="judge the outputs of FIRST:COUNT inputs instead of all")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def main() -> NoReturn:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
