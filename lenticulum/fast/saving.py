"""Saved training runs: names, shapes, formats, the digest of the description, raw bytes and a checksum. No code in it.

A file is, in order: MAGIC; the length of the header as eight bytes, the least first; the header, JSON; the bytes of
every leaf, in the order of the header, each in C order and with its least byte first; and the SHA-256 of all that.
"""

import hashlib
import json
import sys
import tempfile
from math import prod
from pathlib import Path as FilePath
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.fast.train_state import TrainState
from lenticulum.terms.digest import digest
from lenticulum.terms.key import ML_DTYPES_NAMES, NUMPY_NAMES
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.tree import Tree

MAGIC = b"lenticulum training run 1\n"
CHECKSUM = 32
#: A header of a million leaves is larger than this; a file is read at most up to the other limit.
HEADER_LIMIT = 1 << 24
FILE_LIMIT = 1 << 36

_IMPLEMENTATIONS = ("threefry2x32", "rbg", "unsafe_rbg")


class SavedRunError(ValueError):
    """A file is not the saved run that was expected; the message says where it differs."""


def to_bytes(run: TrainState) -> bytes:
    """Return a run as bytes: every leaf bit for bit.

    Laws: from_bytes(to_bytes(run), run.learner) = run, bitwise, NaN payloads and signed zeros included.
    """
    whole = Tree(parameters=run.parameters, state=run.state, key=_words(run.key), step=run.step)
    leaves = [np.asarray(leaf) for leaf in whole.leaves()]
    header = {
        "learner": digest(run.learner),
        "key": str(jax.random.key_impl(run.key)) if _is_typed(run.key) else None,
        "leaves": [
            {"name": ".".join(path), "format": leaf.dtype.name, "shape": list(leaf.shape)}
            for path, leaf in zip(whole.paths(), leaves, strict=True)
        ],
    }
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    body = MAGIC + len(text).to_bytes(8, "little") + text + b"".join(map(_raw, leaves))
    return body + hashlib.sha256(body).digest()


def from_bytes(data: bytes, learner: SupervisedStep) -> TrainState:
    """Return the run that `to_bytes` wrote, for the learner that it was written for.

    Raises:
        SavedRunError: for a file of another kind, damaged, cut, with something after its end, or written for another
            description; for leaves that are renamed, reordered, missing or added, or of another shape; for a format
            that JAX would change.
    """
    header, payload = _opened(data)
    if header["learner"] != digest(learner):
        raise SavedRunError("the run was saved for another learner: its description has another digest")
    expected = _expected(learner)
    _check_names([leaf["name"] for leaf in header["leaves"]], [".".join(path) for path in expected.paths()])
    arrays = _arrays(header["leaves"], payload)
    whole = Tree()
    for path, shape in zip(expected.paths(), expected.leaves(), strict=True):
        array = arrays[".".join(path)]
        if shape is not None and array.shape != shape:
            raise SavedRunError(f"{'.'.join(path)}: expected the shape {list(shape)}, got {list(array.shape)}")
        whole = whole.with_leaf(path, array)
    parameters, state = (_like(getattr(expected, name), whole, (name,)) for name in ("parameters", "state"))
    return TrainState(learner, parameters, state, _key(header["key"], whole.key), whole.step)


def save_run(path: str | FilePath, run: TrainState) -> None:
    """Write a run to a file; a file of that name is replaced as a whole, or not at all."""
    target, data = FilePath(path), to_bytes(run)
    # A name that nobody has: a link of a known name would be followed.
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(data)
    FilePath(file.name).replace(target)


def load_run(path: str | FilePath, learner: SupervisedStep) -> TrainState:
    """Read a run from a file.

    Raises: SavedRunError as `from_bytes`, and for a file above the limit; OSError where it cannot be read.
    """
    source = FilePath(path)
    if source.stat().st_size > FILE_LIMIT:
        raise SavedRunError(f"{source}: larger than {FILE_LIMIT} bytes")
    return from_bytes(source.read_bytes(), learner)


def _opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes of the leaves, of a file whose checksum is right."""
    start = len(MAGIC) + 8
    if not data.startswith(MAGIC) or len(data) < start + CHECKSUM:
        raise SavedRunError(f"not a saved run: expected {MAGIC.decode().strip()!r} at the start")
    body, checksum = data[:-CHECKSUM], data[-CHECKSUM:]
    if hashlib.sha256(body).digest() != checksum:
        raise SavedRunError("the checksum is wrong: the file is damaged, cut, or has something after its end")
    length = int.from_bytes(body[len(MAGIC) : start], "little")
    if length > min(HEADER_LIMIT, len(body) - start):
        raise SavedRunError(f"the header claims {length} bytes, more than there are or than {HEADER_LIMIT}")
    return _header(body[start : start + length]), body[start + length :]


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        raise SavedRunError(f"the header is no JSON: {error}") from None
    if not _has(header, {"learner": str, "key": (str, type(None)), "leaves": list}):
        raise SavedRunError("the header is not one of a saved run: expected learner, key and leaves")
    for leaf in header["leaves"]:
        if not _has(leaf, {"name": str, "format": str, "shape": list}) or not all(
            type(size) is int and size >= 0 for size in leaf["shape"]
        ):
            raise SavedRunError(f"the header lists the leaf {leaf!r}: expected name, format and shape")
    return header


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def _has(given: Any, fields: dict[str, Any]) -> bool:
    return (
        isinstance(given, dict)
        and given.keys() == fields.keys()
        and all(isinstance(given[name], kind) for name, kind in fields.items())
    )


def _expected(learner: SupervisedStep) -> Tree:
    """The shapes of all leaves; those of the key depend on its kind."""
    return Tree(parameters=learner.parameter_shapes(), state=learner.state_shapes(), key=None, step=())


def _check_names(got: list[str], expected: list[str]) -> None:
    if got == expected:
        return
    missing, extra = [name for name in expected if name not in got], [name for name in got if name not in expected]
    if not missing and not extra:
        raise SavedRunError(f"the leaves are in another order, or occur twice: expected {', '.join(expected)}")
    lacking, added = (", ".join(names) or "none" for names in (missing, extra))
    raise SavedRunError(f"the leaves differ: missing {lacking}; extra {added}")


def _arrays(leaves: list[dict[str, Any]], payload: bytes) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for leaf in leaves:
        name, format, shape = leaf["name"], leaf["format"], tuple(leaf["shape"])
        if format not in NUMPY_NAMES | ML_DTYPES_NAMES:
            raise SavedRunError(f"{name}: unknown format {format!r}")
        dtype = jnp.dtype(format)
        size = prod(shape) * dtype.itemsize
        if size > len(payload):
            raise SavedRunError(f"{name}: {format}{list(shape)} needs {size} bytes, the file has {len(payload)} left")
        arrays[name] = _array(name, np.frombuffer(payload[:size], np.uint8), dtype, shape)
        payload = payload[size:]
    if payload:
        raise SavedRunError(f"{len(payload)} bytes follow the last leaf")
    return arrays


def _array(name: str, raw: np.ndarray, dtype: Any, shape: tuple[int, ...]) -> jax.Array:
    ordered = raw if sys.byteorder == "little" else raw.reshape(-1, dtype.itemsize)[:, ::-1].copy().reshape(-1)
    bits = ordered.view(dtype).reshape(shape)
    if jax.dtypes.canonicalize_dtype(dtype) != dtype:
        raise SavedRunError(f"{name}: JAX would change {dtype} here; set jax_enable_x64 before loading")
    return jnp.array(bits)


def _raw(leaf: np.ndarray) -> bytes:
    little = leaf if sys.byteorder == "little" else leaf.byteswap()
    return little.tobytes()


def _like(shapes: Tree, whole: Tree, path: tuple[str, ...]) -> Tree:
    """The subtree at a path, with the empty subtrees that have no leaf in a file."""
    entries: dict[str, Any] = {}
    for name in shapes:
        here, entry = (*path, name), shapes[name]
        entries[name] = _like(entry, whole, here) if isinstance(entry, Tree) else whole.at(here)
    return Tree(entries)


def _is_typed(key: Any) -> bool:
    return jnp.issubdtype(key.dtype, jax.dtypes.prng_key)


def _words(key: Any) -> Any:
    return jax.random.key_data(key) if _is_typed(key) else key


def _key(implementation: str | None, words: Any) -> Any:
    if implementation is None:
        return words
    if implementation not in _IMPLEMENTATIONS:
        raise SavedRunError(f"unknown kind of key {implementation!r}; expected one of {', '.join(_IMPLEMENTATIONS)}")
    try:
        return jax.random.wrap_key_data(words, impl=implementation)
    except (TypeError, ValueError) as error:
        raise SavedRunError(f"the key is no {implementation} key: {error}") from None
