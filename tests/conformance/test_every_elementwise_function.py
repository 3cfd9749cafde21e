"""Every elementwise function of JAX on every 16-bit input: a certificate, re-proved by the one-file checker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from elementwise_subjects import JAX, Claim

import lenticulum.certify
from lenticulum.certify import certify
from lenticulum.certify.statement import certificate_of

CHECKER = Path(lenticulum.certify.__file__).parent / "lenticulum_check.py"

#: A few of each kind in every run: a primitive, a composition, a special function, a rational one. The rest is long.
ALWAYS = {
    ("exp", "bfloat16"),
    ("gelu:approximate=tanh", "float16"),
    ("lgamma", "bfloat16"),
    ("hard_sigmoid", "float16"),
}

#: There is a theorem that the value at a rational point is transcendental, or it is decided exactly: nothing is open.
OPEN: dict[str, int] = {}


def case(each: Claim, dtype: str):
    marks = [] if (each.spec, dtype) in ALWAYS else [pytest.mark.long]
    return pytest.param(each, dtype, marks=marks, id=f"{each.spec}-{dtype}")


@pytest.mark.parametrize(("each", "dtype"), [case(each, dtype) for dtype in ("float16", "bfloat16") for each in JAX])
def test_the_checker_proves_the_certificate_again_in_a_python_without_packages(each: Claim, dtype: str, tmp_path: Path):
    result = certify(each.target, each.spec, dtype=dtype, bind=each.bind)
    path = tmp_path / "certificate.json"
    certificate_of(result, "certificate").write(path)
    # -I and -S: no site-packages, so neither NumPy nor this package can be imported.
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(CHECKER), "--json", str(path)], capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stdout + run.stderr
    checked = json.loads(run.stdout)
    assert checked["word"] == "VERIFIED"
    strata = json.loads(path.read_text())["predicate"]["strata"].values()
    assert sum(len(stratum["undecided"]) for stratum in strata) == OPEN.get(each.spec, 0)
