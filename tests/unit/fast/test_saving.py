"""Saved runs: bit for bit, and every file that is not the one expected is refused with a sentence."""

import hashlib
import json
import pickle

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from lenticulum.fast import SavedRunError, TrainState, from_bytes, load_run, saving, start_training, to_bytes
from lenticulum.fast.saving import CHECKSUM, MAGIC
from lenticulum.terms import Bias, Dense, GradientDescent, LearningRate, Momentum, SquaredLoss, SupervisedStep, Tree


def learner(rate="1/8", update=None):
    return SupervisedStep(Dense(2, 1) >> Bias(1), SquaredLoss(), LearningRate(rate), update or Momentum())


RUN = start_training(jax.random.key(3), learner())


def with_first(run, leaf):
    path = run.parameters.paths()[0]
    return TrainState(run.learner, run.parameters.with_leaf(path, leaf), run.state, run.key, run.step)


#: Bits that arithmetic, decimals or a conversion would change: quiet and signalling NaN with payloads, signed zeros,
#: subnormal numbers, infinities.
BITS = {
    np.float32: ([0x7FC12345, 0xFF800001], [0x80000000, 0x00000001]),
    np.float16: ([0x7E01, 0xFC01], [0x8000, 0x0001]),
    ml_dtypes.bfloat16: ([0x7FC1, 0xFF81], [0x8000, 0x0001]),
    ml_dtypes.float8_e4m3fn: ([0x7F, 0xFF], [0x80, 0x01]),
}


@pytest.mark.parametrize("dtype", BITS, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("row", [0, 1])
def test_every_bit_comes_back(dtype, row):
    words = np.array([BITS[dtype][row]], f"uint{8 * np.dtype(dtype).itemsize}")
    saved = with_first(RUN, jnp.array(words.view(dtype)))
    back = from_bytes(to_bytes(saved), learner()).parameters.layer_1.weight
    assert back.dtype == dtype
    assert np.asarray(back).view(words.dtype).tolist() == words.tolist()


@pytest.mark.parametrize("key", [jax.random.key(5), jax.random.PRNGKey(5), jax.random.key(5, impl="rbg")])
def test_keys_of_every_kind_come_back(key):
    run = TrainState(RUN.learner, RUN.parameters, RUN.state, key, RUN.step)
    back = from_bytes(to_bytes(run), learner()).key
    assert back.dtype == key.dtype
    assert jax.random.bits(back, (3,)).tolist() == jax.random.bits(key, (3,)).tolist()


def test_a_run_without_state_keeps_its_empty_trees():
    descent = learner(update=GradientDescent())
    run = start_training(jax.random.key(3), descent)
    back = from_bytes(to_bytes(run), descent)
    assert jax.tree.structure(back) == jax.tree.structure(run)
    assert to_bytes(back) == to_bytes(run)


def taken_apart(data):
    start = len(MAGIC) + 8
    length = int.from_bytes(data[len(MAGIC) : start], "little")
    return json.loads(data[start : start + length]), data[start + length : -CHECKSUM]


def put_together(header, payload, length=None):
    """A file of any content, with a right checksum."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    body = MAGIC + (len(text) if length is None else length).to_bytes(8, "little") + text + payload
    return body + hashlib.sha256(body).digest()


def edited(edit):
    header, payload = taken_apart(to_bytes(RUN))
    changed = edit(header, payload)
    return put_together(header, payload if changed is None else changed)


def renamed(header, payload):
    header["leaves"][0]["name"] = "parameters.layer_1.kernel"


def reordered(header, payload):
    # Weight [1, 2] and bias [1]: the bytes move with their names.
    header["leaves"][:2] = header["leaves"][1::-1]
    return payload[8:12] + payload[:8] + payload[12:]


def missing(header, payload):
    del header["leaves"][0]
    return payload[8:]


def added(header, payload):
    header["leaves"].append({"name": "more", "format": "float32", "shape": [1]})
    return payload + bytes(4)


def twice(header, payload):
    header["leaves"].append(header["leaves"][0])
    return payload + payload[:8]


def reshaped(header, payload):
    header["leaves"][0]["shape"] = [2, 1]


def longer(header, payload):
    header["leaves"][0]["shape"] = [1 << 40, 1 << 40]


def negative(header, payload):
    header["leaves"][0]["shape"] = [-1, 2]


def fractional(header, payload):
    header["leaves"][0]["shape"] = [1.0, 2]


def reformatted(header, payload):
    header["leaves"][0]["format"] = "object"


def widened(header, payload):
    header["leaves"][0]["format"] = "float64"
    return payload + bytes(8)


def other_key(header, payload):
    header["key"] = "dice"


def no_key(header, payload):
    header["key"] = "rbg"


def more_fields(header, payload):
    header["code"] = "print()"


EDITS = {
    renamed: "missing parameters.layer_1.weight; extra parameters.layer_1.kernel",
    reordered: "in another order, or occur twice: expected parameters.layer_1.weight, parameters.layer_1.bias",
    missing: "missing parameters.layer_1.weight; extra none",
    added: "missing none; extra more",
    twice: "in another order, or occur twice",
    reshaped: r"parameters.layer_1.weight: expected the shape \[1, 2\], got \[2, 1\]",
    longer: "bytes, the file has",
    negative: "expected name, format and shape",
    fractional: "expected name, format and shape",
    reformatted: "unknown format 'object'",
    widened: "JAX would change float64 here",
    other_key: "unknown kind of key 'dice'",
    no_key: "the key is no rbg key",
    more_fields: "expected learner, key and leaves",
    lambda header, payload: payload + b"\0": "1 bytes follow the last leaf",
    lambda header, payload: payload[:-1]: "needs 4 bytes, the file has 3 left",
}


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_a_file_with_another_content_is_refused(edit):
    with pytest.raises(SavedRunError, match=EDITS[edit]):
        from_bytes(edited(edit), learner())


def test_an_edit_of_nothing_is_accepted():
    assert to_bytes(from_bytes(edited(lambda header, payload: None), learner())) == to_bytes(RUN)


FILES = {
    "empty": (b"", "not a saved run"),
    "a pickle": (pickle.dumps({"parameters": 1}), "not a saved run"),
    "cut in the magic": (to_bytes(RUN)[:20], "not a saved run"),
    "cut": (to_bytes(RUN)[:-1], "the checksum is wrong"),
    "something after the end": (to_bytes(RUN) + b"\0", "the checksum is wrong"),
    "a header beyond the file": (put_together({}, b"", length=1 << 62), "the header claims"),
    "no JSON": (put_together(b"{", b""), "the header is no JSON"),
    "deep": (put_together(b"[" * 100_000, b""), "the header is no JSON"),
    "a name twice": (put_together(b'{"key": null, "key": null}', b""), "a name occurs twice"),
    "a list": (put_together([], b""), "expected learner, key and leaves"),
}


@pytest.mark.parametrize("file", FILES)
def test_what_is_no_saved_run_is_refused(file):
    data, message = FILES[file]
    with pytest.raises(SavedRunError, match=message):
        from_bytes(data, learner())


def test_every_flipped_bit_is_found():
    data = to_bytes(RUN)
    for position in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[position] ^= 1 << position % 8
        with pytest.raises(SavedRunError):
            from_bytes(bytes(damaged), learner())


def test_a_run_of_another_description_is_refused():
    # Momentum and no momentum, or two rates: the names and shapes are the same.
    for other in (learner("1/16"), learner(update=Momentum(decay="1/2"))):
        assert jax.tree.structure(start_training(jax.random.key(3), other).parameters)
        with pytest.raises(SavedRunError, match="saved for another learner"):
            from_bytes(to_bytes(RUN), other)


def test_a_file_above_the_limit_is_not_read(tmp_path, monkeypatch):
    saving.save_run(tmp_path / "run", RUN)
    monkeypatch.setattr(saving, "FILE_LIMIT", 100)
    with pytest.raises(SavedRunError, match="larger than 100 bytes"):
        load_run(tmp_path / "run", learner())


def test_a_tree_is_no_part_of_the_format():
    # Only names, numbers and text: no class is named but by the digest.
    header, _ = taken_apart(to_bytes(RUN))
    assert header.keys() == {"learner", "key", "leaves"}
    assert isinstance(RUN.parameters, Tree)
