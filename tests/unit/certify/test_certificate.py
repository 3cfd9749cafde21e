"""Certificates: their canonical bytes, their sidecars, the bounds they write, and the schema they follow."""

import json
import lzma
from fractions import Fraction

import numpy as np
import pytest
from soft_sign_by_fractions import certificate, fields_of, outputs_of, rounded_twice, toward_zero

from lenticulum.certify.certificate import at_least, at_most, build, output_bytes
from lenticulum.certify.checker.claim import parse, read_bound
from lenticulum.certify.checker.merkle import leaf_hash, leaf_hashes, node_hash, root_hash
from lenticulum.certify.checker.schema import SCHEMA
from lenticulum.numbers.formats import BFLOAT16, BINARY16, FLOAT8_E4M3FN, FLOAT8_E5M2

# Inputs and roots of the reference trees of RFC 6962, as published with the Certificate Transparency log server:
# https://github.com/google/certificate-transparency/blob/master/python/ct/crypto/merkle_test.py
REFERENCE_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
REFERENCE_ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


@pytest.mark.parametrize("count", REFERENCE_ROOTS)
def test_the_hash_tree_is_the_one_of_rfc_6962(count):
    assert root_hash([leaf_hash(leaf) for leaf in REFERENCE_LEAVES[:count]]).hex() == REFERENCE_ROOTS[count]


def test_leaves_are_cut_in_order_and_the_last_may_be_short():
    a, b, c = (leaf_hash(part) for part in (b"ab", b"cd", b"e"))
    assert leaf_hashes(b"abcde", 2) == [a, b, c]
    assert root_hash([a, b, c]) == node_hash(node_hash(a, b), c)


def test_a_leaf_cannot_be_taken_for_a_node():
    left, right = leaf_hash(b"x"), leaf_hash(b"y")
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize("value", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(2**60 - 1), Fraction(7, 2**1200)])
def test_bounds_are_rounded_outward_to_53_bits(value):
    low, high = read_bound(at_least(value)), read_bound(at_most(value))
    assert low <= value <= high
    assert high - low <= value * Fraction(2) ** -52


def test_bounds_are_written_as_python_writes_floats():
    for value in (0.0, 1.0, 0.1, 3.5e30, 2.0**-1022):
        assert at_most(value) == at_least(value) == value.hex()


def test_a_bound_may_exceed_the_range_of_a_double():
    assert read_bound(at_most(Fraction(10) ** 400)) >= 10**400


def test_every_nan_is_stored_as_the_same_one():
    half = output_bytes(np.array([0x7C01, 0xFFFF, 0x7C00, 0xFC00, 0x3C00], np.uint16), BINARY16)
    assert np.frombuffer(half, "<u2").tolist() == [0x7E00, 0x7E00, 0x7C00, 0xFC00, 0x3C00]
    brain = output_bytes(np.array([0xFF81, 0x7F80], np.uint16), BFLOAT16)
    assert np.frombuffer(brain, "<u2").tolist() == [0x7FC0, 0x7F80]
    assert output_bytes(np.array([0xFF, 0x7F, 0x7E], np.uint8), FLOAT8_E4M3FN) == bytes([0x7F, 0x7F, 0x7E])
    assert output_bytes(np.array([0xFD, 0x7C], np.uint8), FLOAT8_E5M2) == bytes([0x7E, 0x7C])


def test_the_same_campaign_makes_the_same_bytes():
    first, second = certificate(), certificate()
    assert first.content == second.content
    assert first.sidecars == second.sidecars


def test_the_bytes_are_canonical_and_follow_the_schema():
    content = certificate().content
    statement = json.loads(content)
    again = json.dumps(statement, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert content.decode() == again + "\n"
    assert parse(content).statement == statement


def test_a_certificate_states_what_was_counted():
    predicate = certificate().statement["predicate"]
    assert predicate["claim"] == (
        "On every input (256) of float8_e5m2, tests:soft_sign (eager; one array of length 256) conforms to soft_sign "
        "by the rule 'K <= 4 or running bound'."
    )
    assert predicate["coverage"] == {
        "kind": "exhaustive",
        "words": "every input (256)",
        "checked": 256,
        "of": 256,
        "seed": None,
    }
    # 2 zeros, 2 infinities and 6 NaN.
    assert predicate["special"] == {"count": 10, "wrong_count": 0, "wrong": []}
    # 6 subnormal numbers; and of x >= 2^-14 with x / (1 + x) < 2^-14 there is only 2^-14, with both signs.
    assert predicate["strata"]["subnormal input"]["count"] == 6
    assert predicate["strata"]["subnormal result"]["count"] == 2
    assert predicate["strata"]["regular"]["count"] == 256 - 10 - 6 - 2


def test_a_kernel_that_differs_has_a_finding_and_its_wrong_special_values():
    predicate = certificate(toward_zero).statement["predicate"]
    assert predicate["verdict"]["word"] == "differs"
    assert predicate["special"]["wrong"] == [{"x": "0xfc", "y": "0x3c", "expected": "-0x1.0000000000000p+0"}]
    assert "differs from soft_sign" in predicate["claim"]


def test_the_sidecar_holds_every_output():
    made = certificate()
    assert list(made.sidecars) == ["soft_sign.outputs.xz"]
    assert lzma.decompress(made.sidecars["soft_sign.outputs.xz"]) == bytes(outputs_of(rounded_twice, FLOAT8_E5M2))


def test_files_appear_whole(tmp_path):
    made = certificate()
    made.write(tmp_path / "soft_sign.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["soft_sign.json", "soft_sign.outputs.xz"]
    assert (tmp_path / "soft_sign.json").read_bytes() == made.content


def test_hashes_of_leaves_stand_in_for_outputs_that_are_too_many():
    outputs = bytes(outputs_of(rounded_twice, FLOAT8_E5M2))
    made = build(
        "tests:soft_sign", "1" * 64, fields_of(list(outputs), FLOAT8_E5M2), name="s", leaves=leaf_hashes(outputs, 256)
    )
    assert list(made.sidecars) == ["s.leaves.xz"]
    assert made.statement["predicate"]["outputs"]["root"] == certificate().statement["predicate"]["outputs"]["root"]


def test_counts_that_contradict_one_another_are_refused():
    fields = fields_of(outputs_of(rounded_twice, FLOAT8_E5M2), FLOAT8_E5M2)
    fields["strata"]["regular"]["accepted"]["K"] -= 1
    with pytest.raises(ValueError, match=r"contradict one another: strata.regular.count: claimed 238, recomputed 237"):
        build("tests:soft_sign", "1" * 64, fields, name="s", outputs=bytes(256))


def test_every_object_of_the_schema_says_which_fields_it_allows():
    def objects(schema):
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for each in schema.values():
                yield from objects(each)
        elif isinstance(schema, list):
            for each in schema:
                yield from objects(each)

    free = [each for each in objects(SCHEMA) if each.get("additionalProperties", True) is True]
    # The environment, and the cost, which has no field of its own.
    assert sorted(list(each.get("properties", {})) for each in free) == [[], ["flushes", "versions"]]
