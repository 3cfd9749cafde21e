"""Reported bugs of derivatives, kernels, compiled programs and trees, and false reports: verdicts follow the code."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reference_formula import reference_formula
from zoo import SEEDS
from zoo_false_reports import accused
from zoo_sweep import ADAPTERS

from lenticulum.check.kernel_law import Kernel, examine_kernel
from lenticulum.numbers import ball, fraction


def swept(seeds: int) -> dict[str, Any]:
    """Return the outcomes of so many seeds, from a process without the run-time type checks of this one."""
    program = Path(__file__).with_name("zoo_sweep.py")
    command = [sys.executable, str(program), "--json", str(seeds)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def held(found: dict[str, Any], seeds: int) -> None:
    """Require that every entry is caught with the right kind, its repair accepted, and no false report believed."""
    assert list(found["programs"]) == list(ADAPTERS)
    for name, each in found["programs"].items():
        labelled = each["labelled"]
        assert labelled["faulty"]["rejected"] > 0, name
        assert set(labelled["faulty"]["kinds"]) <= set(ADAPTERS[name].kinds), name
        assert labelled["fixed"]["rejected"] == 0, name
        assert each["exchanged"] == {"faulty": labelled["fixed"], "fixed": labelled["faulty"]}, name
        assert labelled["faulty"]["seeds"] == seeds
    assert len(found["false reports"]) == 5
    for name, each in found["false reports"].items():
        assert each["rejected"] == 0, name


def test_an_entry_is_caught_and_its_repair_accepted() -> None:
    held(swept(1), 1)


@pytest.mark.long
def test_an_entry_is_caught_and_its_repair_accepted_in_every_seed() -> None:
    held(swept(SEEDS), SEEDS)


# What each false report asks for instead.
CLAIMED = {
    "N01": lambda x, mu, s: -((x - mu) ** 2) / (2 * s**2) + np.log(s) - np.log(np.sqrt(2 * np.pi)),
    "N02": lambda scale, n: np.sqrt(scale / n) ** 2 / 3,
    "N03": lambda mu, lv: -0.5 * np.sum(1 + lv / 2 - mu**2 - np.exp(lv)),
    "N04": lambda G: np.outer((G**2).sum(1), (G**2).sum(0)) / (G**2).mean(),
    "N05": lambda y: -0.5 * np.log(y) ** 2 - 0.5 * np.log(2 * np.pi) + np.log(y),
}


@pytest.mark.parametrize("name", CLAIMED)
def test_what_a_false_report_asks_for_is_rejected(name: str) -> None:
    _, law, kernel = accused()[name]
    assert examine_kernel([law], Kernel(CLAIMED[name], kernel.arguments, "float64"), 0).kind == "formula"


def test_a_reference_is_read_in_exact_numbers() -> None:
    code = "from fractions import Fraction as F\ndef reference(x, n): return [F(str(v)) / n for v in x]"
    # 0.1 means the float that was received, not the decimal.
    got = reference_formula(code)(x=ball([0.1, 0.5]), n=4)
    assert [fraction(each) for each in got.lower().elements] == [Fraction(0.1) / 4, Fraction(1, 8)]
