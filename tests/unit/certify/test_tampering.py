"""Tampering: of every change to a certificate or its sidecar, only those in listed free fields survive the check."""

import copy
import hashlib
import json
import lzma
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from soft_sign_by_fractions import certificate, judge, one_file_checker, toward_zero

from lenticulum.certify.certificate import seal
from lenticulum.certify.checker.merkle import leaf_hashes, root_hash

ACCEPTED = certificate()
DIFFERS = certificate(toward_zero)
SIDECAR = "soft_sign.outputs.xz"

Path_ = tuple[Any, ...]


#: The one-file checker as users run it. What is tested here is the claim, not the arithmetic: it judges by fractions.
CHECKER = one_file_checker(judge)


@pytest.fixture
def word(tmp_path: Path) -> Callable[[bytes, bytes], str]:
    """Return a function that writes a certificate and its sidecar, checks them, and returns the word of the result."""

    def check(content: bytes, sidecar: bytes) -> str:
        (tmp_path / "soft_sign.json").write_bytes(content)
        if not (tmp_path / SIDECAR).exists() or (tmp_path / SIDECAR).read_bytes() != sidecar:
            (tmp_path / SIDECAR).write_bytes(sidecar)
        try:
            return CHECKER.check_file(str(tmp_path / "soft_sign.json"))[1].word
        except CHECKER.Unreadable:
            return "UNREADABLE"

    return check


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yield the path and the value of everything in a JSON value, containers included."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield from leaves(each, (*path, key))


def at(statement: Any, path: Path_) -> Any:
    for key in path:
        statement = statement[key]
    return statement


def mutants_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, other value) for one field, by its type."""
    if isinstance(value, bool):
        yield "negated", not value
        yield "as a number", int(value)
    elif isinstance(value, int):
        yield from {"plus 1": value + 1, "minus 1": value - 1, "negative": -1 - value, "as text": str(value)}.items()
        yield from {"doubled": 2 * value + 2, "with a point": value + 0.5, "as a double": float(value)}.items()
    elif isinstance(value, str):
        yield from _mutants_of_text(value)
    elif isinstance(value, float):
        yield "doubled", 2 * value
    elif isinstance(value, list):
        yield from {"an item more": [*value, "0x00"], "emptied": [], "twice": value + value}.items()
        yield from {"shorter": value[:-1], "reversed": value[::-1], "an object": {}}.items()
    elif isinstance(value, dict):
        yield from {"a list": [], "text": "x", "emptied": {}}.items()
    else:
        yield from {"zero": 0, "text": "x", "an object": {}}.items()
    if value is not None:
        yield "null", None


def _mutants_of_text(value: str) -> Iterator[tuple[str, Any]]:
    yield from {
        "longer": value + "0",
        "emptied": "",
        "a number": 1,
        "padded": value + " ",
        "new line": value + "\n",
    }.items()
    yield from {"upper case": value.upper(), "last changed": value[:-1] + ("1" if value[-1:] != "1" else "2")}.items()
    if re.fullmatch(r"0x[0-9a-f]+", value):
        yield from {"next": f"0x{(int(value, 16) + 1) % 256:02x}", "sign": f"0x{int(value, 16) ^ 0x80:02x}"}.items()
        yield from {"spelled longer": "0x0" + value[2:], "other": f"0x{int(value, 16) ^ 1:02x}"}.items()
    if re.fullmatch(r"0x[01]\.[0-9a-f]+p[+-]\d+", value):
        number = float.fromhex(value)
        yield from {"raised": (number * 2 + 1).hex(), "lowered": (number * 0.5).hex()}.items()
        yield from {"raised by one digit": _step(number, 1), "lowered by one digit": _step(number, -1)}.items()
        yield from {
            "decimal": str(number),
            "zero": "0x0.0p+0",
            "infinite": "inf",
            "huge": "0x1.0000000000000p+99999",
        }.items()
    for word, other in (("conforms", "differs"), ("differs", "conforms"), ("every", "some"), ("K <= 4", "K <= 5")):
        if word in value:
            yield f"{other} for {word}", value.replace(word, other)


def _step(number: float, digits: int) -> str:
    return math.nextafter(number, digits * math.inf).hex()


def changed_fields(statement: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield (path, name of the change, statement) for every field changed, removed, renamed or added."""
    for path, value in leaves(statement):
        shown = ".".join(map(str, path))
        if not path:
            continue
        for name, other in mutants_of(value):
            if other == value and type(other) is type(value):
                continue
            mutant = copy.deepcopy(statement)
            at(mutant, path[:-1])[path[-1]] = other
            yield shown, name, mutant
        mutant = copy.deepcopy(statement)
        del at(mutant, path[:-1])[path[-1]]
        yield shown, "removed", mutant
        if isinstance(path[-1], str):
            at(mutant, path[:-1])[path[-1] + "_"] = value
            yield shown, "renamed", mutant
        if isinstance(value, dict):
            mutant = copy.deepcopy(statement)
            at(mutant, path)["additional"] = 1
            yield shown, "a field more", mutant


def survivors(made: Any, word: Callable[[bytes, bytes], str], *, sealed: bool) -> tuple[set[tuple[str, str]], int]:
    """Return the changes that are verified, and how many were tried."""
    found, tried = set(), 0
    for path, name, mutant in changed_fields(made.statement):
        if sealed:
            try:
                seal(mutant)
            except (KeyError, TypeError, AttributeError):
                continue  # no longer an object that has a digest
        tried += 1
        if word(json.dumps(mutant).encode(), made.sidecars[SIDECAR]) == "VERIFIED":
            found.add((path, name))
    return found, tried


def paths(found: set[tuple[str, str]]) -> set[str]:
    return {path for path, _ in found}


TEXT = {"longer", "padded", "new line", "upper case", "last changed", "emptied"}

#: What may change without a new digest: when, at what cost, facts of the host; and bounds, below.
FREE = {
    ("predicate.made", "emptied"),
    *(("predicate.made", name) for name in TEXT - {"upper case"}),
    *(("predicate.cost", name) for name in ("emptied", "a field more")),
    *(("predicate.cost.seconds", name) for name in ("doubled", "null", "removed", "renamed")),
    *(("predicate.environment.processor", name) for name in TEXT | {"a number", "null", "removed", "renamed"}),
    ("predicate.environment", "a field more"),
}

BOUNDS = {"at_most": 1, "at_least": -1, "k": -1}


def weaker(kind: str, old: str, new: Any) -> bool:
    """Whether a bound is written as bounds are, and is weaker than the old one, or equal to it."""
    if not isinstance(new, str) or not re.fullmatch(r"0x(0\.0p\+0|1\.[0-9a-f]{13}p[+-](0|[1-9]\d{0,3}))", new):
        return False
    mantissa, _, exponent = new.partition("p")
    value = Fraction(float.fromhex(mantissa)) * Fraction(2) ** int(exponent)
    return BOUNDS[kind] * (value - Fraction(float.fromhex(old))) >= 0


def weaker_bounds(made: Any) -> set[tuple[str, str]]:
    """The changes that weaken a bound of a maximum, or of the K of a finding."""
    return {
        (".".join(map(str, path)), name)
        for path, value in leaves(made.statement)
        if path and path[-1] in BOUNDS and value is not None
        for name, other in mutants_of(value)
        if other != value and weaker(path[-1], value, other)
    }


@pytest.mark.parametrize("made", [ACCEPTED, DIFFERS], ids=["conforms", "differs"])
def test_the_certificate_itself_is_verified(made, word):
    assert word(made.content, made.sidecars[SIDECAR]) == "VERIFIED"


BOTH = pytest.mark.parametrize(
    "made", [ACCEPTED, pytest.param(DIFFERS, marks=pytest.mark.long)], ids=["conforms", "differs"]
)


@BOTH
def test_only_the_listed_free_fields_survive_a_change(made, word):
    found, tried = survivors(made, word, sealed=False)
    assert tried > 500
    assert found == FREE | weaker_bounds(made)


#: What no reader can recompute from the outputs, so that an author who seals his change is believed.
UNRECOMPUTABLE = {
    "predicate.definition.equation",
    "predicate.definition.sha256",
    "predicate.engines.cross_check.engines",
    "predicate.engines.cross_check.engines.0",
    "predicate.engines.cross_check.inputs",
    "predicate.engines.maker",
    "predicate.engines.maker.fractions",
    "predicate.environment.versions",
    "predicate.environment.versions.numpy",
    "predicate.not_claimed",
    "predicate.not_claimed.0",
    "subject.0.digest.sha256",
}


@pytest.mark.parametrize("made", [pytest.param(ACCEPTED, marks=pytest.mark.long), DIFFERS], ids=["conforms", "differs"])
def test_a_sealed_change_survives_only_where_nothing_can_be_recomputed(made, word):
    found, tried = survivors(made, word, sealed=True)
    assert tried > 500
    free = {path for path, _ in FREE | weaker_bounds(made)}
    exact = {"predicate.verdict.finding.exact"} if made is DIFFERS else set()
    # A histogram may be left out.
    omitted = {f"predicate.strata.{name}.histogram" for name in ("regular", "subnormal input", "subnormal result")}
    assert {change for change in found if change[0] in omitted} == {(path, "null") for path in omitted}
    # The digest that a change had is computed anew, so whatever was done to it is undone.
    undone = {"predicate.integrity", "predicate.integrity.sha256"}
    assert paths(found) - free - undone - omitted == UNRECOMPUTABLE | exact


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_byte_of_the_certificate(stride, word):
    original = json.loads(ACCEPTED.content)
    content = ACCEPTED.content
    tried = verified = 0
    for place in range(0, len(content), stride):
        byte = content[place]
        other = ord("0") + (byte - ord("0") + 1) % 10 if chr(byte).isdigit() else byte ^ 1
        for mutant in (content[:place] + bytes([other]) + content[place + 1 :], content[:place] + content[place + 1 :]):
            tried += 1
            if word(mutant, ACCEPTED.sidecars[SIDECAR]) == "VERIFIED":
                verified += 1
                assert harmless(original, json.loads(mutant)), mutant[place - 40 : place + 40]
    assert tried > 5000 / stride
    assert verified < tried / 10


def harmless(original: Any, mutant: Any) -> bool:
    """Whether two statements differ in free fields only, or by weaker bounds."""
    before, after = (dict(leaves(each)) for each in (original, mutant))
    for path in before.keys() | after.keys():
        if isinstance(before.get(path), dict | list) or before.get(path, ...) == after.get(path, ...):
            continue
        name = ".".join(map(str, path))
        if name.startswith(("predicate.made", "predicate.cost", "predicate.environment.pro")):
            continue
        if path[:2] == ("predicate", "environment") and path[2] not in ("flushes", "versions"):
            continue
        if path[-1] not in BOUNDS or path not in after or not weaker(path[-1], before[path], after[path]):
            return False
    return True


@pytest.mark.parametrize("prefix", [b"", b" ", b"\n\t"])
def test_white_space_and_key_order_are_free(prefix, word):
    statement = json.loads(ACCEPTED.content)
    turned = json.dumps({key: statement[key] for key in reversed(statement)}, indent=3)
    assert word(prefix + turned.encode(), ACCEPTED.sidecars[SIDECAR]) == "VERIFIED"


def test_every_byte_of_the_sidecar(word):
    sidecar = ACCEPTED.sidecars[SIDECAR]
    for place in range(len(sidecar)):
        for bit in (place % 8, (place + 3) % 8):
            mutant = bytearray(sidecar)
            mutant[place] ^= 1 << bit
            assert word(ACCEPTED.content, bytes(mutant)) == "REJECTED"
        assert word(ACCEPTED.content, sidecar[:place]) == "REJECTED"
    assert word(ACCEPTED.content, sidecar + b"\0") == "REJECTED"


def resealed(outputs: bytes, *, root: bool = True, compressed: bytes | None = None) -> tuple[bytes, bytes]:
    """Return a certificate of other outputs with new digests, and its sidecar."""
    statement = copy.deepcopy(ACCEPTED.statement)
    sidecar = lzma.compress(outputs) if compressed is None else compressed
    statement["predicate"]["outputs"]["sidecar_sha256"] = hashlib.sha256(sidecar).hexdigest()
    if root:
        statement["predicate"]["outputs"]["root"] = root_hash(leaf_hashes(outputs, 256)).hex()
    seal(statement)
    return json.dumps(statement).encode(), sidecar


OUTPUTS = lzma.decompress(ACCEPTED.sidecars[SIDECAR])


def test_every_bit_of_the_outputs_without_a_new_root(word):
    for place in range(0, len(OUTPUTS), 7):
        mutant = bytearray(OUTPUTS)
        mutant[place] ^= 1
        assert word(*resealed(bytes(mutant), root=False)) == "REJECTED"


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.long)])
def test_every_bit_of_the_outputs_with_new_digests(stride, word):
    for place in range(0, len(OUTPUTS), stride):
        for bit in (0, 3, 7):
            mutant = bytearray(OUTPUTS)
            mutant[place] ^= 1 << bit
            assert word(*resealed(bytes(mutant))) == "REJECTED", (place, bit)


def test_the_same_outputs_compressed_otherwise_are_the_same_claim(word):
    assert word(*resealed(OUTPUTS, compressed=lzma.compress(OUTPUTS, preset=0))) == "VERIFIED"


@pytest.mark.parametrize(
    "compressed",
    [
        lzma.compress(OUTPUTS[:-1]),
        lzma.compress(OUTPUTS + b"\0"),
        lzma.compress(OUTPUTS) + lzma.compress(b""),
        lzma.compress(OUTPUTS) + b"\0" * 4,
        lzma.compress(OUTPUTS)[:-1],
        lzma.compress(OUTPUTS, format=lzma.FORMAT_ALONE),
        lzma.compress(bytes(1 << 24)),
        OUTPUTS,
        b"",
    ],
    ids=["short", "long", "two streams", "padded", "cut", "other format", "bomb", "not compressed", "empty"],
)
def test_a_sidecar_that_does_not_hold_exactly_the_outputs_is_refused(compressed, word):
    assert word(*resealed(OUTPUTS, compressed=compressed)) == "UNREADABLE"


def test_a_bound_that_is_too_strong_is_rejected_even_if_sealed(word):
    statement = copy.deepcopy(ACCEPTED.statement)
    ulp = statement["predicate"]["strata"]["regular"]["ulp"]
    ulp["at_most"] = ulp["at_least"] = (float.fromhex(ulp["at_least"]) * 0.75).hex()
    seal(statement)
    assert word(json.dumps(statement).encode(), ACCEPTED.sidecars[SIDECAR]) == "REJECTED"


def test_a_weaker_witness_does_not_hide_a_larger_error(word):
    # Another input as the witness, with the true error there as both bounds: only a pass over all outputs sees it.
    statement = copy.deepcopy(ACCEPTED.statement)
    ulp = statement["predicate"]["strata"]["regular"]["ulp"]
    weak = next(x for x in range(0x3C, 0x7C) if 0 < (judge_at(x).ulp or (0,))[0] < Fraction(1, 4))
    ulp["at_most"] = ulp["at_least"] = _rounded(judge_at(weak).ulp[0])
    ulp["x"], ulp["y"] = f"0x{weak:02x}", f"0x{OUTPUTS[weak]:02x}"
    seal(statement)
    assert word(json.dumps(statement).encode(), ACCEPTED.sidecars[SIDECAR]) == "REJECTED"


def judge_at(x: int) -> Any:
    claim = CHECKER.parse(ACCEPTED.content)
    return judge("soft_sign", {}, claim.input_format, claim.output_format, False, (x,), OUTPUTS[x])


def _rounded(error: Fraction) -> str:
    return float(error).hex()
