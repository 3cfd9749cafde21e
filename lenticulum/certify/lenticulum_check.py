#!/usr/bin/env python3
# ruff: noqa
"""Re-prove the certificate of an elementwise kernel: python3 lenticulum_check.py FILE

One file, standard library only, for Python 3.11 and later. It is made from the parts of lenticulum.certify.checker:
formats, json_reading, schema, schema_checking, claim, wording, consistency, merkle, outputs, expressions,
definitions, dyadic, constants, elementary, error_function, trigonometric, gamma_function, two_arguments,
evaluation, running, slopes, special_values, judge, recount, levels, main.
Change those and run python -m lenticulum.certify.checker.generate; a change here is lost.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import lzma
import math
import os
import random
import re
import secrets
import stat
import sys
import traceback
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import copysign, floor, inf, isinf, isnan, isqrt, ldexp, nan
from statistics import NormalDist
from typing import Any, NamedTuple, NoReturn


# ---- formats: Floating-point formats as data: patterns to exact values and back, with one rounding written over integers.


#: A finite nonzero number m 2^e as (m, e), or one of the floats 0.0, -0.0, inf, -inf and nan.
Decoded = tuple[int, int] | float


class FloatFormat(NamedTuple):
    """A binary format; `overflow` is "infinity" (the layout of IEEE 754), "nan" or "saturate".

    Without infinities the largest exponent field holds numbers, all but its last pattern, which is NaN.
    """

    name: str
    precision: int
    emin: int
    emax: int
    width: int
    overflow: str


def overflow_pattern(fmt: FloatFormat) -> int:
    """The first magnitude pattern beyond the finite numbers: infinity, or NaN where there is none."""
    if fmt.overflow == "infinity":
        return (1 << (fmt.width - 1)) - (1 << (fmt.precision - 1))
    return (1 << (fmt.width - 1)) - 1


def decode_pattern(pattern: int, fmt: FloatFormat) -> Decoded:
    """What a pattern means."""
    sign = pattern >> (fmt.width - 1)
    magnitude = pattern & ((1 << (fmt.width - 1)) - 1)
    beyond = overflow_pattern(fmt)
    if magnitude >= beyond:
        if magnitude > beyond or fmt.overflow != "infinity":
            return nan
        return -inf if sign else inf
    if not magnitude:
        return -0.0 if sign else 0.0
    field = magnitude >> (fmt.precision - 1)
    m = magnitude & ((1 << (fmt.precision - 1)) - 1)
    if field:
        m += 1 << (fmt.precision - 1)
    return (-m if sign else m), max(field, 1) + fmt.emin - fmt.precision


def magnitude_pattern(m: int, e: int, fmt: FloatFormat, tie: int = 0) -> int:
    """The pattern nearest to m 2^e >= 0, at most `overflow_pattern`.

    Midway between two patterns: the even one for tie = 0, the larger one for tie > 0, the smaller one for tie < 0. The
    patterns count the numbers in increasing order, so a carry into the exponent needs no care.
    """
    if not m:
        return 0
    exponent = m.bit_length() - 1 + e
    if exponent > fmt.emax + 1:
        return overflow_pattern(fmt)
    if exponent < fmt.emin - fmt.precision - 1:
        return 0
    exponent = max(exponent, fmt.emin)
    shift = e - (exponent - fmt.precision + 1)
    if shift >= 0:
        n = m << shift
    else:
        n, rest = m >> -shift, m & ((1 << -shift) - 1)
        half = 1 << (-shift - 1)
        if rest > half or (rest == half and (tie > 0 or (tie == 0 and n & 1))):
            n += 1
    return min(n + ((exponent - fmt.emin) << (fmt.precision - 1)), overflow_pattern(fmt))


def overflow_threshold(fmt: FloatFormat) -> tuple[int, int]:
    """Half a spacing above the largest number, as (m, e)."""
    largest = decode_pattern(overflow_pattern(fmt) - 1, fmt)
    assert isinstance(largest, tuple)
    return 2 * largest[0] + 1, largest[1] - 1


def encode_float(value: float, fmt: FloatFormat) -> int:
    """The pattern of a float, rounded once; NaN is the quiet one of sign 0."""
    if isnan(value):
        return overflow_pattern(fmt) | (1 << (fmt.precision - 2) if fmt.overflow == "infinity" else 0)
    negative = copysign(1, value) < 0
    if isinf(value):
        magnitude = overflow_pattern(fmt)
    else:
        numerator, denominator = abs(value).as_integer_ratio()
        magnitude = magnitude_pattern(numerator, 1 - denominator.bit_length(), fmt)
    return finished_pattern(negative, magnitude, fmt)


def finished_pattern(negative: bool, magnitude: int, fmt: FloatFormat) -> int:
    """The pattern with its sign; beyond the finite numbers what the format does there."""
    if magnitude == overflow_pattern(fmt) and fmt.overflow != "infinity":
        if fmt.overflow == "nan":
            return magnitude
        magnitude -= 1
    return magnitude | negative << (fmt.width - 1)


# ---- json_reading: Reading of untrusted files: size, depth and syntax are limited, and every failure is one sentence.


#: A certificate holds counts and witnesses; its outputs lie in a sidecar.
LARGEST_CERTIFICATE = 16 * 2**20
DEEPEST = 32
LONGEST_INTEGER = 40
#: What the decompressor of a sidecar may allocate, beside the output itself. Presets 0 to 6 of xz need 9 MiB.
DECOMPRESSOR_MEMORY = 32 * 2**20


class Unreadable(Exception):
    """The file is no certificate, or no sidecar: one sentence says why."""


def read_bytes(path: str, limit: int) -> bytes:
    """Return the content of a regular file of at most `limit` bytes."""
    try:
        # Without O_NONBLOCK the opening of a named pipe would wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path!r} cannot be opened: {getattr(error, 'strerror', None) or error}.") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable(f"{path!r} is not a regular file.")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise Unreadable(f"{path!r} cannot be read: {error.strerror}.") from None
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise Unreadable(f"{path!r} is longer than the {limit} bytes that are read.")
    return content


def parse_json(content: bytes) -> Any:
    """Return the value of a JSON text: UTF-8 without byte order mark, no key twice, finite numbers, limited depth."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"The certificate is not UTF-8 text: byte {error.start} is wrong.") from None
    if text.startswith("\ufeff"):
        raise Unreadable("The certificate begins with a byte order mark, which JSON does not allow.")
    if _depth(text) > DEEPEST:
        raise Unreadable(f"The certificate is nested more than {DEEPEST} levels deep.")
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"The certificate is not JSON: {error.msg} at line {error.lineno}.") from None


def decompress(content: bytes, size: int, name: str) -> bytes:
    """Return the content of an xz file that must decompress to exactly `size` bytes; no more than that is expanded."""
    try:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=DECOMPRESSOR_MEMORY)
        data = decompressor.decompress(content, max_length=size + 1)
        if len(data) == size and not decompressor.eof:
            # The end mark and the checksum follow the last byte of the data.
            data += decompressor.decompress(b"", max_length=1)
    except (lzma.LZMAError, EOFError) as error:
        raise Unreadable(f"The sidecar {name} is not an intact xz file: {error}.") from None
    if len(data) > size:
        raise Unreadable(f"The sidecar {name} holds more than the {size} bytes of the claim.")
    if not decompressor.eof:
        raise Unreadable(f"The sidecar {name} ends too early.")
    if len(data) < size:
        raise Unreadable(f"The sidecar {name} holds {len(data)} bytes instead of the {size} of the claim.")
    if decompressor.unused_data:
        raise Unreadable(f"The sidecar {name} goes on after its end.")
    return data


def _depth(text: str) -> int:
    """Return how deep brackets are nested outside strings."""
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.DOTALL)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"The certificate has the key {twice[:64]!r} twice in one object.")
    return found


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_INTEGER:
        raise Unreadable(f"The certificate has an integer of more than {LONGEST_INTEGER} digits.")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Unreadable(f"The certificate has a number beyond the range of a double: {digits[:64]}.")
    return value


def _constant(name: str) -> float:
    raise Unreadable(f"The certificate has {name}, which JSON does not allow.")


# ---- schema: The published schema of a certificate.


SCHEMA: dict[str, Any] = json.loads(
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://lenticulum.dev/elementwise-accuracy/v1","title":"Accuracy of an elementwise kernel, as an in-toto statement","type":"object","properties":{"_type":{"const":"https://in-toto.io/Statement/v1"},"subject":{"type":"array","minItems":1,"maxItems":1,"items":{"type":"object","properties":{"name":{"type":"string","maxLength":4096,"minLength":1},"digest":{"type":"object","properties":{"sha256":{"$ref":"#/$defs/digest"}},"required":["sha256"],"additionalProperties":false}},"required":["name","digest"],"additionalProperties":false}},"predicateType":{"const":"https://lenticulum.dev/elementwise-accuracy/v1"},"predicate":{"$ref":"#/$defs/predicate"}},"required":["_type","subject","predicateType","predicate"],"additionalProperties":false,"$defs":{"predicate":{"type":"object","properties":{"claim":{"type":"string","maxLength":16384,"minLength":1},"definition":{"type":"object","properties":{"name":{"type":"string","maxLength":64,"pattern":"^[a-z][a-z0-9_]*$"},"conventions":{"type":"object","propertyNames":{"pattern":"^[a-z][a-z0-9_]*$"},"additionalProperties":{"type":"string","maxLength":256,"minLength":1},"maxProperties":32},"equation":{"type":"string","maxLength":4096},"sha256":{"$ref":"#/$defs/digest"}},"required":["name","conventions","equation","sha256"],"additionalProperties":false},"format":{"type":"object","properties":{"input":{"$ref":"#/$defs/format"},"output":{"$ref":"#/$defs/format"}},"required":["input","output"],"additionalProperties":false},"domain":{"type":"object","properties":{"enumeration":{"const":"bit patterns in increasing order"},"arguments":{"enum":[1,2]},"first":{"const":0},"count":{"$ref":"#/$defs/count"}},"required":["enumeration","arguments","first","count"],"additionalProperties":false},"coverage":{"type":"object","properties":{"kind":{"enum":["exhaustive","sampled","searched"]},"words":{"type":"string","maxLength":256},"checked":{"$ref":"#/$defs/count"},"of":{"$ref":"#/$defs/count"},"seed":{"anyOf":[{"$ref":"#/$defs/count"},{"type":"null"}]}},"required":["kind","words","checked","of","seed"],"additionalProperties":false},"mode":{"enum":["compiled","op by op","eager"]},"shape_class":{"type":"string","maxLength":1024,"minLength":1},"environment":{"type":"object","properties":{"flushes":{"type":"boolean"},"versions":{"type":"object","additionalProperties":{"type":"string","maxLength":256},"maxProperties":256}},"required":["flushes","versions"],"additionalProperties":true},"strata":{"type":"object","properties":{"regular":{"$ref":"#/$defs/stratum"},"subnormal input":{"$ref":"#/$defs/stratum"},"subnormal result":{"$ref":"#/$defs/stratum"},"overflow":{"$ref":"#/$defs/stratum"},"special input":{"$ref":"#/$defs/stratum"}},"required":["regular","subnormal input","subnormal result","overflow","special input"],"additionalProperties":false},"special":{"type":"object","properties":{"count":{"$ref":"#/$defs/count"},"wrong_count":{"$ref":"#/$defs/count"},"wrong":{"type":"array","maxItems":16,"items":{"type":"object","properties":{"x":{"$ref":"#/$defs/pattern"},"y":{"$ref":"#/$defs/pattern"},"expected":{"type":"string","maxLength":64,"minLength":1}},"required":["x","y","expected"],"additionalProperties":false}}},"required":["count","wrong_count","wrong"],"additionalProperties":false},"binades":{"type":"array","maxItems":4096,"items":{"type":"object","properties":{"first":{"$ref":"#/$defs/pattern"},"ulp":{"$ref":"#/$defs/maximum"}},"required":["first","ulp"],"additionalProperties":false}},"verdict":{"type":"object","properties":{"word":{"enum":["conforms","differs","undecided"]},"rule":{"type":"string","maxLength":64},"within":{"anyOf":[{"type":"string","maxLength":64,"pattern":"^[0-9]{1,20}(/[1-9][0-9]{0,19})?$"},{"type":"null"}]},"finding":{"anyOf":[{"type":"object","properties":{"kind":{"enum":["formula","rounding","special-value","flush","overflow","type","shape-dependent","nondeterministic","mutates","raises"]},"x":{"anyOf":[{"$ref":"#/$defs/pattern"},{"type":"null"}]},"y":{"anyOf":[{"$ref":"#/$defs/pattern"},{"type":"null"}]},"exact":{"type":"string","maxLength":256},"k":{"anyOf":[{"$ref":"#/$defs/bound"},{"type":"null"}]}},"required":["kind","x","y","exact","k"],"additionalProperties":false},{"type":"null"}]}},"required":["word","rule","within","finding"],"additionalProperties":false},"outputs":{"anyOf":[{"type":"object","properties":{"leaf":{"enum":[256,4096,65536]},"leaves":{"$ref":"#/$defs/count"},"root":{"$ref":"#/$defs/digest"},"sidecar":{"anyOf":[{"$ref":"#/$defs/file"},{"type":"null"}]},"sidecar_sha256":{"anyOf":[{"$ref":"#/$defs/digest"},{"type":"null"}]},"leaf_hashes":{"anyOf":[{"$ref":"#/$defs/file"},{"type":"null"}]},"leaf_hashes_sha256":{"anyOf":[{"$ref":"#/$defs/digest"},{"type":"null"}]}},"required":["leaf","leaves","root","sidecar","sidecar_sha256","leaf_hashes","leaf_hashes_sha256"],"additionalProperties":false},{"type":"null"}]},"engines":{"type":"object","properties":{"maker":{"type":"object","additionalProperties":{"type":"string","maxLength":256},"maxProperties":64},"cross_check":{"type":"object","properties":{"inputs":{"$ref":"#/$defs/count"},"engines":{"type":"array","maxItems":16,"items":{"type":"string","maxLength":64}},"misses":{"const":0}},"required":["inputs","engines","misses"],"additionalProperties":false}},"required":["maker","cross_check"],"additionalProperties":false},"not_claimed":{"type":"array","minItems":1,"maxItems":256,"items":{"type":"string","maxLength":4096,"minLength":1}},"made":{"type":"string","maxLength":64},"cost":{"type":"object"},"integrity":{"type":"object","properties":{"sha256":{"$ref":"#/$defs/digest"}},"required":["sha256"],"additionalProperties":false}},"required":["claim","definition","format","domain","coverage","mode","shape_class","environment","strata","special","verdict","outputs","engines","not_claimed","made","cost","integrity"],"additionalProperties":false},"format":{"type":"object","properties":{"name":{"type":"string","maxLength":64,"minLength":1},"precision":{"type":"integer","minimum":2,"maximum":64},"emin":{"type":"integer","minimum":-16382,"maximum":0},"emax":{"type":"integer","minimum":1,"maximum":16383},"width":{"enum":[8,16,32,64]},"overflow":{"enum":["infinity","nan","saturate"]}},"required":["name","precision","emin","emax","width","overflow"],"additionalProperties":false},"stratum":{"type":"object","properties":{"count":{"$ref":"#/$defs/count"},"accepted":{"type":"object","propertyNames":{"enum":["K","running bound","within","flushed","textbook overflow","special"]},"additionalProperties":{"$ref":"#/$defs/positive"}},"rejected":{"$ref":"#/$defs/count"},"correctly_rounded":{"$ref":"#/$defs/count"},"ulp":{"$ref":"#/$defs/maximum"},"K":{"$ref":"#/$defs/maximum"},"no_number":{"$ref":"#/$defs/count"},"histogram":{"anyOf":[{"type":"object","propertyNames":{"pattern":"^(0|[1-9][0-9]{0,4})$"},"additionalProperties":{"$ref":"#/$defs/positive"}},{"type":"null"}]},"zero_sign":{"$ref":"#/$defs/count"},"undecided":{"type":"array","items":{"$ref":"#/$defs/pattern"}}},"required":["count","accepted","rejected","correctly_rounded","ulp","K","no_number","histogram","zero_sign","undecided"],"additionalProperties":false},"maximum":{"anyOf":[{"type":"object","properties":{"at_most":{"$ref":"#/$defs/bound"},"at_least":{"$ref":"#/$defs/bound"},"x":{"$ref":"#/$defs/pattern"},"y":{"$ref":"#/$defs/pattern"}},"required":["at_most","at_least","x","y"],"additionalProperties":false},{"type":"null"}]},"count":{"type":"integer","minimum":0,"maximum":340282366920938463463374607431768211456},"positive":{"type":"integer","minimum":1,"maximum":340282366920938463463374607431768211456},"pattern":{"type":"string","maxLength":34,"pattern":"^0x[0-9a-f]{1,32}$"},"bound":{"type":"string","maxLength":40,"pattern":"^0x(0\\\\.0p\\\\+0|1\\\\.[0-9a-f]{13}p[+-](0|[1-9][0-9]{0,3}))$"},"digest":{"type":"string","maxLength":64,"pattern":"^[0-9a-f]{64}$"},"file":{"type":"string","maxLength":255,"pattern":"^[A-Za-z0-9_][A-Za-z0-9_.+-]*$"}}}'
)


# ---- schema_checking: A checker of the part of JSON Schema (2020-12) that the published schema of certificates uses.


TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}

#: Every keyword is checked or says nothing about the value; any other is an error in the schema.
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}

NOT_ONE = "This is no certificate by the published schema"


def check_schema(value: Any, schema: dict[str, Any]) -> None:
    """Raise Unreadable with the first place at which a value does not follow the schema."""
    _check(value, schema, schema["$defs"], "")


def _check(value: Any, schema: dict[str, Any], definitions: dict[str, Any], path: str) -> None:
    for keyword, argument in schema.items():
        if keyword == "$ref":
            _check(value, definitions[argument.removeprefix("#/$defs/")], definitions, path)
        elif keyword == "anyOf":
            _any_of(value, argument, definitions, path)
        elif keyword in ("properties", "additionalProperties", "propertyNames"):
            if isinstance(value, dict):
                _members(keyword, value, schema, definitions, path)
        elif keyword == "items":
            for position, item in enumerate(value if isinstance(value, list) else []):
                _check(item, argument, definitions, f"{path}[{position}]")
        elif keyword not in ANNOTATIONS:
            _refuse_unless(_holds(keyword, argument, value), value, keyword, argument, path)


def _any_of(value: Any, choices: list[dict[str, Any]], definitions: dict[str, Any], path: str) -> None:
    """Check one of two choices, of which the second is null, so that a message can name the place inside the first."""
    first, null = choices
    assert null == {"type": "null"}
    if value is not None:
        _check(value, first, definitions, path)


def _members(
    keyword: str, value: dict[str, Any], schema: dict[str, Any], definitions: dict[str, Any], path: str
) -> None:
    argument = schema[keyword]
    if keyword == "properties":
        for name, member in value.items():
            if name in argument:
                _check(member, argument[name], definitions, f"{path}.{name}")
    elif keyword == "propertyNames":
        for name in value:
            _check(name, argument, definitions, f"{path}, in the name of a field")
    else:
        for name, member in value.items():
            if name in schema.get("properties", {}) or argument is True:
                continue
            if argument is False:
                raise Unreadable(f"{NOT_ONE}: {_place(path)} has an unknown field {name[:64]!r}.")
            _check(member, argument, definitions, f"{path}.{name[:64]}")


def _holds(keyword: str, argument: Any, value: Any) -> bool:
    """Whether a value follows one keyword; a keyword about another type holds."""
    if keyword == "type":
        # JSON's true is no number, although Python's True is.
        return isinstance(value, TYPES[argument]) and not (argument == "integer" and isinstance(value, bool))
    if keyword == "const":
        return type(value) is type(argument) and value == argument
    if keyword == "enum":
        return any(type(value) is type(each) and value == each for each in argument)
    if keyword == "required":
        return not isinstance(value, dict) or all(name in value for name in argument)
    if keyword in ("minimum", "maximum"):
        sign = 1 if keyword == "minimum" else -1
        return not isinstance(value, int) or sign * value >= sign * argument
    if keyword == "pattern":
        # A dollar sign at the end of a Python pattern also matches before a last newline; JSON Schema's does not.
        assert argument[0] + argument[-1] == "^$"
        return not isinstance(value, str) or re.fullmatch(argument[1:-1], value) is not None
    kind, sign = {
        "minLength": (str, 1),
        "maxLength": (str, -1),
        "minItems": (list, 1),
        "maxItems": (list, -1),
        "maxProperties": (dict, -1),
    }[keyword]
    return not isinstance(value, kind) or sign * len(value) >= sign * argument


def _refuse_unless(holds: bool, value: Any, keyword: str, argument: Any, path: str) -> None:
    if holds:
        return
    if keyword == "required":
        missing = next(name for name in argument if name not in value)
        raise Unreadable(f"{NOT_ONE}: {_place(path)} has no field {missing!r}.")
    shown = value if isinstance(value, str | int | float | None) else type(value).__name__
    raise Unreadable(f"{NOT_ONE}: {_place(path)} is {str(shown)[:64]!r}, expected {keyword} {argument!s:.200}.")


def _place(path: str) -> str:
    return path.removeprefix(".") or "the outermost value"


# ---- claim: A certificate as a claim: exact bounds, patterns and formats read from its JSON, and the digest of what it fixes.


#: Strata in the order in which they are reported. The last two carry no maximum of an error.
STRATA = ("regular", "subnormal input", "subnormal result", "overflow", "special input")
WITHOUT_MAXIMUM = ("overflow", "special input")

#: How many wrong special values are listed.
LISTED = 16


class Maximum(NamedTuple):
    """The largest error of a stratum: at_least <= error <= at_most, and the input x and output y where it occurs."""

    at_most: Fraction
    at_least: Fraction
    x: int
    y: int


class Claim(NamedTuple):
    """A certificate that follows the schema."""

    statement: dict[str, Any]
    predicate: dict[str, Any]
    subject: str
    input_format: FloatFormat
    output_format: FloatFormat
    arguments: int

    @property
    def count(self) -> int:
        """The number of inputs in the domain."""
        return 2 ** (self.arguments * self.input_format.width)

    @property
    def within(self) -> Fraction | None:
        """The accepted error in ulp, where that replaces the default rule."""
        within = self.predicate["verdict"]["within"]
        return None if within is None else Fraction(within)

    def patterns(self, x: int) -> tuple[int, ...]:
        """Split an input of the enumeration into the patterns of its arguments."""
        width = self.input_format.width
        return (x,) if self.arguments == 1 else (x >> width, x & (2**width - 1))

    def maximum(self, stratum: str, metric: str) -> Maximum | None:
        """Return the claimed maximum of "ulp" or "K" in a stratum."""
        return read_maximum(self.predicate["strata"][stratum][metric])

    def maxima(self) -> Iterator[tuple[str, str | None, str, Maximum]]:
        """Yield (path, stratum or None, metric, maximum) for every claimed maximum."""
        for name in STRATA:
            for metric in ("ulp", "K"):
                found = self.maximum(name, metric)
                if found is not None:
                    yield f"strata.{name}.{metric}", name, metric, found
        for position, binade in enumerate(self.predicate.get("binades", ())):
            found = read_maximum(binade["ulp"])
            if found is not None:
                yield f"binades[{position}].ulp", None, "ulp", found


def parse(content: bytes) -> Claim:
    """Return the claim in the bytes of a certificate. Unreadable: it does not follow the published schema."""
    statement = parse_json(content)
    check_schema(statement, SCHEMA)
    try:
        # Half of a surrogate pair can be escaped in JSON, but is no text.
        canonical_bytes(statement)
    except UnicodeEncodeError:
        raise Unreadable("The certificate has half of a surrogate pair in a string.") from None
    predicate = statement["predicate"]
    source, result = (FloatFormat(**predicate["format"][side]) for side in ("input", "output"))
    return Claim(
        statement, predicate, statement["subject"][0]["name"], source, result, predicate["domain"]["arguments"]
    )


def canonical_bytes(value: Any) -> bytes:
    """Return the bytes of a JSON value: keys sorted, no white space, UTF-8 without escapes, one line.

    As RFC 8785 has it, except that integers are never written as doubles.
    """
    return (json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n").encode("utf-8")


def fixed_part(statement: dict[str, Any]) -> dict[str, Any]:
    """Return a statement without its free fields: when and at what cost it was made, facts of the host, bounds.

    A bound may be weakened, so it is not fixed; that it is not too strong is recomputed.
    """
    fixed = copy.deepcopy(statement)
    predicate = fixed["predicate"]
    for name in ("made", "cost", "integrity"):
        predicate.pop(name, None)
    predicate["environment"] = {name: predicate["environment"][name] for name in ("flushes", "versions")}
    for holder in (*predicate["strata"].values(), *predicate.get("binades", ())):
        for metric in ("ulp", "K"):
            if holder.get(metric) is not None:
                holder[metric].update(at_most=None, at_least=None)
    finding = predicate["verdict"]["finding"]
    if finding is not None and finding["k"] is not None:
        finding["k"] = "a lower bound"
    return fixed


def fixed_digest(statement: dict[str, Any]) -> str:
    """Return SHA-256 of the canonical bytes of the fixed part."""
    return hashlib.sha256(canonical_bytes(fixed_part(statement))).hexdigest()


def read_maximum(found: dict[str, str] | None) -> Maximum | None:
    """Read a claimed maximum."""
    if found is None:
        return None
    return Maximum(
        read_bound(found["at_most"]),
        read_bound(found["at_least"]),
        read_pattern(found["x"]),
        read_pattern(found["y"]),
    )


def read_bound(text: str) -> Fraction:
    """Return the value of a hexadecimal float, exactly, whatever its exponent.

    >>> read_bound("0x1.8000000000000p-1")
    Fraction(3, 4)
    """
    match = re.fullmatch(r"0x([01])\.([0-9a-f]+)p([+-]\d+)", text)
    assert match is not None
    return int(match[1] + match[2], 16) * Fraction(2) ** (int(match[3]) - 4 * len(match[2]))


def read_pattern(text: str) -> int:
    """Return a bit pattern."""
    return int(text, 16)


def write_pattern(pattern: int, width: int) -> str:
    """Write a bit pattern with all its digits.

    >>> write_pattern(60, 16)
    '0x003c'
    """
    return f"0x{pattern:0{width // 4}x}"


# ---- wording: The words of a certificate, computed from its machine form: coverage, rule, and the claim in one sentence.


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


# ---- consistency: Level 0: what a certificate says about itself must agree with itself. Nothing numeric is recomputed here.


#: Outputs in a leaf of the hash tree, by the width of the inputs.
LEAVES = {8: 256, 16: 4096, 32: 65536, 64: 4096}

#: Findings about runs of the subject, which the outputs alone do not show.
ABOUT_RUNS = ("type", "shape-dependent", "nondeterministic", "mutates", "raises")


#: The formats of a claim; a name stands for one layout. Only the 8-bit format without infinities has two conventions.
KNOWN_FORMATS = (
    FloatFormat("binary16", 11, -14, 15, 16, "infinity"),
    FloatFormat("bfloat16", 8, -126, 127, 16, "infinity"),
    FloatFormat("binary32", 24, -126, 127, 32, "infinity"),
    FloatFormat("binary64", 53, -1022, 1023, 64, "infinity"),
    FloatFormat("float8_e5m2", 3, -14, 15, 8, "infinity"),
    FloatFormat("float8_e4m3fn", 4, -6, 8, 8, "nan"),
    FloatFormat("float8_e4m3fn", 4, -6, 8, 8, "saturate"),
)


class Difference(NamedTuple):
    """A field of a certificate whose value is not what was recomputed."""

    path: str
    claimed: Any
    recomputed: Any

    def __str__(self) -> str:
        return f"{self.path}: claimed {self.claimed}, recomputed {self.recomputed}"


def differs(path: str, claimed: Any, recomputed: Any) -> Iterator[Difference]:
    """Yield a difference unless the two are equal."""
    if claimed != recomputed:
        yield Difference(path, claimed, recomputed)


def at_odds(claim: Claim) -> Iterator[Difference]:
    """Yield every field that disagrees with the rest of the certificate."""
    predicate = claim.predicate
    yield from _domain(claim)
    yield from _outputs(claim)
    for name in STRATA:
        for difference in _stratum(claim, name, predicate["strata"][name]):
            yield difference._replace(path=f"strata.{name}.{difference.path}")
    yield from _special(claim)
    yield from _verdict(claim)
    yield from _binades(claim)
    yield from differs("claim", predicate["claim"], claim_sentence(claim.subject, predicate))
    yield from differs("integrity.sha256", predicate["integrity"]["sha256"], fixed_digest(claim.statement))


def _domain(claim: Claim) -> Iterator[Difference]:
    predicate, coverage = claim.predicate, claim.predicate["coverage"]
    for side, format in (("input", claim.input_format), ("output", claim.output_format)):
        if format not in KNOWN_FORMATS:
            yield Difference(f"format.{side}", tuple(format), "no format of this name and these numbers")
    yield from differs("domain.count", predicate["domain"]["count"], claim.count)
    yield from differs("coverage.of", coverage["of"], claim.count)
    if coverage["kind"] == "exhaustive" or coverage["checked"] > claim.count:
        yield from differs("coverage.checked", coverage["checked"], claim.count)
    if (coverage["kind"] == "exhaustive") != (coverage["seed"] is None):
        yield Difference("coverage.seed", coverage["seed"], f"what goes with {coverage['kind']}")
    words = coverage_words(coverage["kind"], claim.arguments, coverage["checked"], coverage["of"])
    yield from differs("coverage.words", coverage["words"], words)
    counted = sum(stratum["count"] for stratum in predicate["strata"].values())
    yield from differs("coverage.checked", coverage["checked"], counted)


def _outputs(claim: Claim) -> Iterator[Difference]:
    outputs = claim.predicate["outputs"]
    exhaustive = claim.predicate["coverage"]["kind"] == "exhaustive"
    yield from differs("outputs", "none" if outputs is None else "given", "given" if exhaustive else "none")
    if outputs is None:
        return
    leaf = LEAVES[claim.input_format.width]
    yield from differs("outputs.leaf", outputs["leaf"], leaf)
    yield from differs("outputs.leaves", outputs["leaves"], -(-claim.count // leaf))
    for name in ("sidecar", "leaf_hashes"):
        if (outputs[name] is None) != (outputs[f"{name}_sha256"] is None):
            yield Difference(f"outputs.{name}", outputs[name], f"a name and a digest, or neither ({name}_sha256)")


def _stratum(claim: Claim, name: str, stratum: dict[str, Any]) -> Iterator[Difference]:
    accepted, undecided, count = stratum["accepted"], stratum["undecided"], stratum["count"]
    yield from differs("count", count, sum(accepted.values()) + stratum["rejected"] + len(undecided))
    allowed = {"within", "flushed", "special"} if claim.within is not None else set(accepted) - {"within"}
    allowed -= set() if claim.predicate["environment"]["flushes"] else {"flushed"}
    yield from differs("accepted", sorted(accepted), sorted(set(accepted) & allowed))
    numbers, histogram = count - stratum["no_number"], stratum["histogram"]
    for field in ("correctly_rounded", "zero_sign", "no_number"):
        if stratum[field] > count:
            yield Difference(field, stratum[field], f"at most {count}")
    yield from _in_order(claim, "undecided", undecided)
    if name in WITHOUT_MAXIMUM:
        yield from differs("no_number", stratum["no_number"], count)
        yield from differs("histogram", histogram, {})
    if histogram is not None:
        yield from differs("histogram", sum(histogram.values()), numbers)
    for metric in ("ulp", "K"):
        yield from differs(metric, stratum[metric] is not None, numbers > 0)
        yield from _maximum(claim, metric, stratum[metric], claim.maximum(name, metric))
    largest = claim.maximum(name, "ulp")
    if largest is not None and histogram:
        # The largest error lies in the highest class that is not empty: 0 up to 1/2 ulp, k from 2^(k-2) to 2^(k-1).
        top = max(map(int, histogram))
        if 2 * largest.at_least > 2**top:
            yield Difference("ulp.at_least", stratum["ulp"]["at_least"], f"at most the end of class {top}")
        if top > 0 and 4 * largest.at_most <= 2**top:
            yield Difference("ulp.at_most", stratum["ulp"]["at_most"], f"above the beginning of class {top}")


def _maximum(claim: Claim, path: str, written: dict[str, str] | None, maximum: Maximum | None) -> Iterator[Difference]:
    if written is None or maximum is None:
        return
    if maximum.at_least > maximum.at_most:
        yield Difference(f"{path}.at_least", written["at_least"], f"at most {written['at_most']}")
    yield from _point(claim, path, written)


def _point(claim: Claim, path: str, written: dict[str, Any]) -> Iterator[Difference]:
    """Compare the patterns of an input and an output with their own full spelling."""
    for role, width in (("x", claim.arguments * claim.input_format.width), ("y", claim.output_format.width)):
        spelled = write_pattern(read_pattern(written[role]) % 2**width, width)
        yield from differs(f"{path}.{role}", written[role], spelled)


def _in_order(claim: Claim, path: str, written: list[str]) -> Iterator[Difference]:
    width = claim.arguments * claim.input_format.width
    patterns = sorted({read_pattern(each) % 2**width for each in written})
    yield from differs(path, written, [write_pattern(each, width) for each in patterns])


def _special(claim: Claim) -> Iterator[Difference]:
    special, stratum = claim.predicate["special"], claim.predicate["strata"]["special input"]
    yield from differs("special.count", special["count"], stratum["count"])
    yield from differs("special.wrong_count", special["wrong_count"], stratum["rejected"])
    yield from differs("special.wrong", len(special["wrong"]), min(LISTED, special["wrong_count"]))
    yield from _in_order(claim, "special.wrong", [each["x"] for each in special["wrong"]])
    for position, each in enumerate(special["wrong"]):
        yield from _point(claim, f"special.wrong[{position}]", each)


def verdict_word(strata: dict[str, Any], finding: dict[str, Any] | None) -> str:
    """Return the verdict that the strata and a finding about runs imply."""
    if any(stratum["rejected"] for stratum in strata.values()):
        return "differs"
    if finding is not None and finding["kind"] in ABOUT_RUNS:
        return "differs"
    return "undecided" if any(stratum["undecided"] for stratum in strata.values()) else "conforms"


def _verdict(claim: Claim) -> Iterator[Difference]:
    verdict, strata = claim.predicate["verdict"], claim.predicate["strata"]
    finding = verdict["finding"]
    yield from differs("verdict.word", verdict["word"], verdict_word(strata, finding))
    yield from differs("verdict.rule", verdict["rule"], rule_words(verdict["within"]))
    yield from differs("verdict.finding", finding is not None, verdict["word"] == "differs")
    if finding is None:
        return
    if finding["x"] is not None and finding["y"] is not None:
        yield from _point(claim, "verdict.finding", finding)
    elif finding["kind"] not in ABOUT_RUNS or (finding["x"], finding["y"]) != (None, None):
        yield Difference("verdict.finding", finding["kind"], "an input and an output")


def _binades(claim: Claim) -> Iterator[Difference]:
    binades = claim.predicate.get("binades", [])
    yield from _in_order(claim, "binades", [each["first"] for each in binades])
    for position, binade in enumerate(binades):
        yield from _maximum(claim, f"binades[{position}].ulp", binade["ulp"], read_maximum(binade["ulp"]))


# ---- merkle: The hash tree over the outputs of a kernel, leaf by leaf (the construction of RFC 6962 but for the shape).


def leaf_hash(data: bytes) -> bytes:
    """SHA-256(0x00 data). The prefix keeps a leaf from being taken for a node."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 left right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf_hashes(data: bytes, leaf_size: int) -> list[bytes]:
    """Return the hashes of the leaves of `leaf_size` bytes; the last one may be shorter."""
    return [leaf_hash(data[start : start + leaf_size]) for start in range(0, len(data), leaf_size)]


def root_hash(leaves: list[bytes]) -> bytes:
    """Return the root: neighbours are joined level by level, and an odd last node is promoted as it is.

    >>> root_hash([leaf_hash(b"a"), leaf_hash(b"b"), leaf_hash(b"c")]) == node_hash(
    ...     node_hash(leaf_hash(b"a"), leaf_hash(b"b")), leaf_hash(b"c"))
    True
    """
    if not leaves:
        raise ValueError("a tree has at least one leaf")
    while len(leaves) > 1:
        odd = leaves[-1:] if len(leaves) % 2 else []
        leaves = [node_hash(*leaves[i : i + 2]) for i in range(0, len(leaves) - 1, 2)] + odd
    return leaves[0]


# ---- outputs: The outputs of a claim: the sidecar beside the certificate, held to its digest and to the root of the hash tree.


DIGEST_SIZE = 32
#: Outputs of two-argument claims on 8-bit formats and of one-argument claims on 16-bit formats take 128 KiB.
LARGEST_SIDECAR = 2**30


class Sidecars(NamedTuple):
    """The content of the sidecars that lie beside a certificate, and what is wrong with them.

    `outputs`: little-endian patterns in the order of the enumeration; `leaves`: the hashes of their leaves.
    """

    outputs: bytes | None
    leaves: list[bytes] | None
    differences: list[Difference]
    missing: list[str]


def read_sidecars(claim: Claim, folder: str) -> Sidecars:
    """Read the sidecars of a claim from the folder of its certificate, and recompute their digests and the root."""
    described = claim.predicate["outputs"]
    differences: list[Difference] = []
    missing: list[str] = []
    outputs, leaves = None, None
    if described is not None:
        size = claim.output_format.width // 8
        data = _content(described, "sidecar", folder, claim.count * size, differences, missing)
        if data is not None:
            outputs, leaves = data, leaf_hashes(data, described["leaf"] * size)
        data = _content(described, "leaf_hashes", folder, described["leaves"] * DIGEST_SIZE, differences, missing)
        if data is not None:
            listed = [data[start : start + DIGEST_SIZE] for start in range(0, len(data), DIGEST_SIZE)]
            if leaves is not None and listed != leaves:
                differences.append(Difference("outputs.leaf_hashes", "the listed hashes", "those of the outputs"))
            leaves = leaves or listed
        if leaves is not None:
            differences += differs("outputs.root", described["root"], root_hash(leaves).hex())
    return Sidecars(outputs, leaves, differences, missing)


def _content(
    described: dict[str, Any],
    name: str,
    folder: str,
    size: int,
    differences: list[Difference],
    missing: list[str],
) -> bytes | None:
    """Return the content of a sidecar, or None where there is none or its digest is another."""
    file = described[name]
    if file is None:
        return None
    path = os.path.join(folder, file)
    if not os.path.lexists(path):
        missing.append(file)
        return None
    if size > LARGEST_SIDECAR:
        raise Unreadable(f"The sidecar {file} is claimed to hold {size} bytes; at most {LARGEST_SIDECAR} are read.")
    # No compression makes its input longer than this: xz stores blocks that do not shrink.
    compressed = read_bytes(path, size + size // 1024 + 4096)
    wrong = list(differs(f"outputs.{name}_sha256", described[f"{name}_sha256"], hashlib.sha256(compressed).hexdigest()))
    differences += wrong
    return None if wrong else decompress(compressed, size, file)


def pattern_at(outputs: bytes, x: int, format: FloatFormat) -> int:
    """Return the output at an input of the enumeration."""
    size = format.width // 8
    return int.from_bytes(outputs[x * size : (x + 1) * size], "little")


def strange_nans(outputs: bytes, format: FloatFormat) -> Iterator[Difference]:
    """Yield the first NaN that is not stored as the canonical quiet NaN: its payload would be a hidden choice."""
    patterns = array({8: "B", 16: "H", 32: "L" if array("L").itemsize == 4 else "I", 64: "Q"}[format.width], outputs)
    if sys.byteorder == "big":
        patterns.byteswap()
    canonical = canonical_nan(format)
    magnitude, least = 2 ** (format.width - 1) - 1, smallest_nan(format)
    strange = {each for each in set(patterns) if each & magnitude >= least and each != canonical}
    for x, pattern in enumerate(patterns):
        if pattern in strange:
            yield Difference(f"output at input {x:#x}", f"{pattern:#x}", f"the canonical NaN {canonical:#x}")
            return


def canonical_nan(format: FloatFormat) -> int:
    """Return the NaN with sign 0 and the top bit of the significand set; without infinities there is only one NaN."""
    if format.overflow != "infinity":
        return 2 ** (format.width - 1) - 1
    return 2 ** (format.width - 1) - 2 ** (format.precision - 2)


def smallest_nan(format: FloatFormat) -> int:
    """Return the smallest pattern of sign 0 that is a NaN; all above it are."""
    if format.overflow != "infinity":
        return canonical_nan(format)
    return 2 ** (format.width - 1) - 2 ** (format.precision - 1) + 1


def is_nan(pattern: int, format: FloatFormat) -> bool:
    """Whether a pattern is a NaN."""
    return pattern & (2 ** (format.width - 1) - 1) >= smallest_nan(format)


# ---- expressions: Expressions: what a definition is made of. Plain trees of named functions, numbers and the arguments.


class Expression:
    """A node: the name of a function and its operands, or a constant, or an argument ("x", "y")."""

    __slots__ = ("name", "number", "parts")

    def __init__(self, name: str, parts: tuple[Expression, ...] = (), number: Fraction | None = None) -> None:
        self.name, self.parts, self.number = name, parts, number

    def __add__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("add", (self, expression(other)))

    def __radd__(self, other: int | Fraction) -> Expression:
        return Expression("add", (expression(other), self))

    def __sub__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("subtract", (self, expression(other)))

    def __rsub__(self, other: int | Fraction) -> Expression:
        return Expression("subtract", (expression(other), self))

    def __mul__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("multiply", (self, expression(other)))

    def __rmul__(self, other: int | Fraction) -> Expression:
        return Expression("multiply", (expression(other), self))

    def __truediv__(self, other: Expression | int | Fraction) -> Expression:
        return Expression("divide", (self, expression(other)))

    def __rtruediv__(self, other: int | Fraction) -> Expression:
        return Expression("divide", (expression(other), self))

    def __neg__(self) -> Expression:
        return Expression("negative", (self,))

    def __pow__(self, exponent: int) -> Expression:
        return Expression("integer power", (self,), Fraction(exponent))


def expression(value: Expression | int | Fraction) -> Expression:
    """A number as a constant."""
    return value if isinstance(value, Expression) else Expression("constant", (), Fraction(value))


def call(name: str, *parts: Expression | int | Fraction) -> Expression:
    """The named function of the operands."""
    return Expression(name, tuple(expression(part) for part in parts))


X = Expression("x")
Y = Expression("y")
PI = Expression("pi")
HALF = Fraction(1, 2)


def clip(x: Expression, low: Fraction | int, high: Fraction | int) -> Expression:
    """min(max(x, low), high)."""
    return call("minimum", call("maximum", x, low), high)


def upto(bound: Fraction | int, below: Expression, above: Expression) -> Expression:
    """`below` where x <= bound, else `above`; the two must agree at the bound."""
    return Expression("upto", (X, below, above), Fraction(bound))


# ---- definitions: The definitions that a claim may name: a form that does not cancel, and the closed forms as sources print them.


#: A convention: its choices, or the default of a number.
Choices = tuple[str, ...]
Convention = Choices | Fraction

SLOPE_CHOICES = ("zero", "half", "one")
SIDE_CHOICES = ("left", "half", "right")
REGION_CHOICES = ("outside", "half", "inside")


class Definition(NamedTuple):
    """`value`: the form that is evaluated. `forms`: the closed forms, for the running bound."""

    name: str
    arguments: int
    conventions: dict[str, str | Fraction]
    value: Expression
    forms: tuple[Expression, ...]


class Formula(NamedTuple):
    """Conventions with their choices and defaults, and the function from their values to (value, forms)."""

    arguments: int
    conventions: dict[str, Convention]
    make: Callable[..., tuple[Expression, ...]]


FORMULAS: dict[str, Formula] = {}


def formula(
    name: str, make: Callable[..., tuple[Expression, ...]], arguments: int = 1, **conventions: Convention
) -> None:
    """Add a definition: `make(**conventions)` gives the evaluated form and then the closed forms, if others."""
    FORMULAS[name] = Formula(arguments, conventions, make)


def ordered_conventions(
    conventions: Mapping[str, str | int | Fraction],
) -> tuple[tuple[str, str | int | Fraction], ...]:
    """Conventions in the order of their names."""
    return tuple(sorted(conventions.items()))


def definition_of(name: str, conventions: Mapping[str, str | int | Fraction]) -> Definition:
    """The definition with these conventions, defaults for the others. ValueError: unknown, or no number."""
    return cached_definition(name, ordered_conventions(conventions))


@lru_cache(maxsize=256)
def cached_definition(name: str, given: tuple[tuple[str, str | int | Fraction], ...]) -> Definition:
    """`definition_of`, kept."""
    if name not in FORMULAS:
        raise ValueError(f"unknown definition {name!r}")
    known = FORMULAS[name]
    values: dict[str, str | Fraction] = {
        key: choices if isinstance(choices, Fraction) else choices[0] for key, choices in known.conventions.items()
    }
    for key, value in given:
        if key not in values:
            raise ValueError(f"{name} has no convention {key!r}")
        choices = known.conventions[key]
        values[key] = (
            exact_number(name, key, value) if isinstance(choices, Fraction) else chosen_word(key, value, choices)
        )
    value, *forms = known.make(**values)
    return Definition(name, known.arguments, values, value, tuple(forms) or (value,))


def chosen_word(key: str, value: str | int | Fraction, choices: Choices) -> str:
    """A word among the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{key} = {value!r}: expected {' or '.join(choices)}")
    return value


def exact_number(name: str, key: str, value: str | int | Fraction) -> Fraction:
    """A rational number from a decimal or a quotient; in the range in which the function is defined."""
    if isinstance(value, str) and not PLAIN_NUMBER.fullmatch(value):
        raise ValueError(f"{key} = {value[:40]!r}: expected a decimal or a quotient")
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        raise ValueError(f"{key} = {value!r}: expected a rational number") from None
    if number <= 0 and (name, key) not in UNSIGNED_CONVENTIONS:
        raise ValueError(f"{key} = {value}: expected a positive number")
    return number


#: At most 100 digits on each side and an exponent of at most three: no number that takes long to read.
PLAIN_NUMBER = re.compile(r"[+-]?\d{1,100}(\.\d{0,100})?(e[+-]?\d{1,3}|/\d{1,100})?")

#: The numbers that may be zero or negative.
UNSIGNED_CONVENTIONS = {("leaky_relu", "negative_slope"), ("hard_tanh", "low"), ("hard_tanh", "high")}

for primitive in (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "cbrt", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "erfinv", "lgamma"),
):
    formula(primitive, lambda primitive=primitive: (call(primitive, X),))

for primitive in ("pow", "hypot", "atan2"):
    formula(primitive, lambda primitive=primitive: (call(primitive, X, Y),), arguments=2)


def exp_of(x: Expression) -> Expression:
    """e^x."""
    return call("exp", x)


def minus_size(x: Expression) -> Expression:
    """-|x|."""
    return -call("absolute", x)


def positive_part(x: Expression) -> Expression:
    """max(x, 0)."""
    return call("maximum", x, 0)


def negative_part(x: Expression) -> Expression:
    """min(x, 0)."""
    return call("minimum", x, 0)


def sinc_forms(normalised: str) -> tuple[Expression, ...]:
    """sin(pi x) / (pi x), or sin x / x."""
    if normalised == "no":
        return (call("sin", X) / X,)
    return call("sinc", X), call("sin", PI * X) / (PI * X)


def logaddexp_forms() -> tuple[Expression, ...]:
    """log(e^x + e^y), by the larger argument where it is evaluated."""
    larger = call("maximum", X, Y)
    difference = minus_size(X - Y)
    return (
        larger + call("softplus", difference),
        call("log", exp_of(X) + exp_of(Y)),
        larger + call("log1p", exp_of(difference)),
    )


def logaddexp2_forms() -> tuple[Expression, ...]:
    """log2(2^x + 2^y), by the larger argument where it is evaluated."""
    larger = call("maximum", X, Y)
    power = call("exp2", minus_size(X - Y))
    return (
        larger + call("softplus2", minus_size(X - Y)),
        call("log2", call("exp2", X) + call("exp2", Y)),
        larger + call("log1p", power) / call("log", expression(2)),
    )


formula("digamma", lambda at_zero: (call("digamma", X),), at_zero=("infinity", "nan"))
formula(
    "sigmoid",
    lambda: (call("sigmoid", X), 1 / (1 + exp_of(-X)), exp_of(X) / (1 + exp_of(X))),
)
formula(
    "logit",
    lambda: (call("logit", X), call("log", X) - call("log1p", -X), call("log", X / (1 - X))),
)
formula("sinc", sinc_forms, normalised=("yes", "no"))
formula("entr", lambda: (-X * call("log", X),))
formula("logaddexp", logaddexp_forms, arguments=2)
formula("logaddexp2", logaddexp2_forms, arguments=2)
formula("xlogy", lambda at_nan: (X * call("log", Y),), arguments=2, at_nan=("nan", "zero"))
formula("xlog1py", lambda at_nan: (X * call("log1p", Y),), arguments=2, at_nan=("nan", "zero"))


def elu_forms(alpha: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """max(x, 0) + alpha expm1(min(x, 0)); on one side, where it is evaluated."""
    return (
        upto(0, alpha * call("expm1", X), X),
        positive_part(X) + alpha * call("expm1", negative_part(X)),
    )


def selu_forms(scale: Fraction, alpha: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """scale elu(x, alpha)."""
    return (
        upto(0, scale * alpha * call("expm1", X), scale * X),
        scale * (positive_part(X) + alpha * call("expm1", negative_part(X))),
    )


def celu_forms(alpha: Fraction) -> tuple[Expression, ...]:
    """max(x, 0) + alpha expm1(min(x, 0) / alpha)."""
    return (
        upto(0, alpha * call("expm1", X / alpha), X),
        positive_part(X) + alpha * call("expm1", negative_part(X) / alpha),
    )


def gelu_forms(approximate: str) -> tuple[Expression, ...]:
    """x Phi(x) = (x/2) erfc(-x / sqrt 2), or x/2 (1 + tanh z) = x sigmoid(2 z), z = sqrt(2/pi) (x + 0.044715 x³)."""
    if approximate == "none":
        value = X * call("normal_cdf", X)
        return value, value, X / 2 * call("erfc", -X * call("sqrt", expression(HALF)))
    z = call("sqrt", 2 / PI) * (X + Fraction("0.044715") * X**3)
    value = X * call("sigmoid", 2 * z)
    return value, X / 2 * (1 + call("tanh", z)), value


def mish_forms() -> tuple[Expression, ...]:
    """x tanh(softplus(x))."""
    shifted = positive_part(X) + call("log1p", exp_of(minus_size(X)))
    return (
        X * call("tanh", call("softplus", X)),
        X * call("tanh", call("log1p", exp_of(X))),
        X * call("tanh", shifted),
    )


def softplus_forms(beta: Fraction) -> tuple[Expression, ...]:
    """log(1 + e^(beta x)) / beta."""
    return (
        call("softplus", beta * X) / beta,
        call("log1p", exp_of(beta * X)) / beta,
        positive_part(X) + call("log1p", exp_of(-(beta * call("absolute", X)))) / beta,
    )


def hard_sigmoid_forms(slope: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """clip(slope x + 1/2, 0, 1), or clip(x + 1/(2 slope), 0, 1/slope) / (1/slope)."""
    line = clip(slope * X + HALF, 0, 1)
    return line, line, clip(X + HALF / slope, 0, 1 / slope) / (1 / slope)


def hard_silu_forms(at_kink: str) -> tuple[Expression, ...]:
    """x relu6(x + 3) / 6."""
    gate = clip(X + 3, 0, 6)
    return X * gate / 6, X * gate / 6, X * (gate / 6)


def squareplus_forms(b: Fraction) -> tuple[Expression, ...]:
    """(x + sqrt(x² + b)) / 2 = (b/2) / (sqrt(x² + b) - x)."""
    root = call("sqrt", X * X + b)
    return upto(0, (b / 2) / (root - X), (X + root) / 2), (X + root) / 2


def hard_tanh_forms(low: Fraction, high: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """min(max(x, low), high)."""
    if low >= high:
        raise ValueError(f"low = {low}, high = {high}: expected low < high")
    return (clip(X, low, high),)


formula("relu", lambda at_kink: (positive_part(X),), at_kink=SLOPE_CHOICES)
formula("relu6", lambda at_kink: (clip(X, 0, 6),), at_kink=SLOPE_CHOICES)
formula(
    "leaky_relu",
    lambda negative_slope, at_kink: (positive_part(X) + negative_slope * negative_part(X),),
    negative_slope=Fraction(1, 100),
    at_kink=SIDE_CHOICES,
)
formula("elu", elu_forms, alpha=Fraction(1), at_kink=SIDE_CHOICES)
formula(
    "selu",
    selu_forms,
    scale=Fraction("1.0507009873554804934193349852946"),
    alpha=Fraction("1.6732632423543772848170429916717"),
    at_kink=SIDE_CHOICES,
)
formula("celu", celu_forms, alpha=Fraction(1))
formula("gelu", gelu_forms, approximate=("none", "tanh"))
formula("silu", lambda: (X * call("sigmoid", X), X * call("sigmoid", X), X / (1 + exp_of(-X))))
formula("mish", mish_forms)
formula("softplus", softplus_forms, beta=Fraction(1))
formula(
    "log_sigmoid",
    lambda: (
        -call("softplus", -X),
        -call("log1p", exp_of(-X)),
        negative_part(X) - call("log1p", exp_of(minus_size(X))),
    ),
)
formula("hard_sigmoid", hard_sigmoid_forms, slope=Fraction(1, 6), at_kink=REGION_CHOICES)
formula("hard_silu", hard_silu_forms, at_kink=REGION_CHOICES)
formula("hard_tanh", hard_tanh_forms, low=Fraction(-1), high=Fraction(1), at_kink=REGION_CHOICES)
formula("soft_sign", lambda: (X / (1 + call("absolute", X)),))
formula("squareplus", squareplus_forms, b=Fraction(4))
formula("sparse_plus", lambda: (upto(-1, expression(0), upto(1, (X + 1) ** 2 / 4, X)),))


# ---- dyadic: Intervals with integer ends over one power of two: the arithmetic on which the checker rests.


Interval = tuple[int, int, int]

ZERO: Interval = (0, 0, 0)
ONE: Interval = (1, 1, 0)


class NoValue(ArithmeticError):
    """The operands reach outside the domain (a divisor that may be 0, a root of what may be negative)."""


class DivisionByZero(NoValue):
    """The divisor is 0."""


def point(n: int, e: int = 0) -> Interval:
    """The number n 2^e."""
    return n, n, e


def outward(lo: int, hi: int, e: int, q: int) -> Interval:
    """(lo, hi, e) with at most q + 1 bits: the ends moved outward to a coarser power of two."""
    excess = max(lo.bit_length(), hi.bit_length()) - q
    if excess <= 0:
        return lo, hi, e
    return lo >> excess, -(-hi >> excess), e + excess


def shifted_down(n: int, shift: int) -> int:
    """floor(n / 2^shift) for shift >= 0 of any size."""
    return n >> shift if shift < 1 << 20 else -(n < 0)


def negative(a: Interval) -> Interval:
    """-a."""
    return -a[1], -a[0], a[2]


def scaled(a: Interval, k: int) -> Interval:
    """2^k a."""
    return a[0], a[1], a[2] + k


def plus(a: Interval, b: Interval, q: int) -> Interval:
    """a + b.

    If the powers of two are far apart, the operand of the smaller one is first rounded outward to a multiple of
    2^(e - q - 8), e the larger exponent: 2^-(q+8) of a mantissa that is at least 1.
    """
    if a[2] < b[2]:
        a, b = b, a
    (alo, ahi, ae), (blo, bhi, be) = a, b
    gap = ae - be
    if gap > 2 * q + 64:
        if alo == 0 == ahi:
            return outward(blo, bhi, be, q)
        coarse = ae - q - 8
        blo, bhi = shifted_down(blo, coarse - be), -shifted_down(-bhi, coarse - be)
        be, gap = coarse, q + 8
    return outward((alo << gap) + blo, (ahi << gap) + bhi, be, q)


def minus(a: Interval, b: Interval, q: int) -> Interval:
    """a - b."""
    return plus(a, (-b[1], -b[0], b[2]), q)


def times(a: Interval, b: Interval, q: int) -> Interval:
    """a b."""
    (alo, ahi, ae), (blo, bhi, be) = a, b
    if alo >= 0 and blo >= 0:
        return outward(alo * blo, ahi * bhi, ae + be, q)
    products = (alo * blo, alo * bhi, ahi * blo, ahi * bhi)
    return outward(min(products), max(products), ae + be, q)


def square(a: Interval, q: int) -> Interval:
    """a², a range of which no end is negative."""
    size = magnitudes(a)
    return outward(size[0] * size[0], size[1] * size[1], 2 * size[2], q)


def over(a: Interval, b: Interval, q: int) -> Interval:
    """a / b; NoValue if b may be 0, DivisionByZero if it is."""
    (alo, ahi, ae), (blo, bhi, be) = a, b
    if bhi < 0:
        alo, ahi, blo, bhi = -ahi, -alo, -bhi, -blo
    if blo <= 0:
        raise NoValue if blo or bhi else DivisionByZero
    shift = max(q + 2 + bhi.bit_length() - max(alo.bit_length(), ahi.bit_length()), 0)
    alo, ahi = alo << shift, ahi << shift
    return outward(alo // (bhi if alo >= 0 else blo), -(-ahi // (blo if ahi >= 0 else bhi)), ae - be - shift, q)


def times_ratio(a: Interval, numerator: int, denominator: int, q: int) -> Interval:
    """a n / d for integers n and d > 0, rounded once."""
    product = times(a, point(numerator), 1 << 30) if numerator != 1 else a
    return over(product, point(denominator), q) if denominator != 1 else outward(*product, q)


def square_root(a: Interval, q: int) -> Interval:
    """The square root; exact for squares. NoValue if a may be negative."""
    lo, hi, e = a
    if lo < 0:
        raise NoValue
    shift = max(2 * q + 4 - hi.bit_length(), 0)
    shift += (e - shift) & 1
    return outward(isqrt(lo << shift), ceiling_root(hi << shift), (e - shift) >> 1, q)


def ceiling_root(n: int) -> int:
    """The smallest integer whose square is at least n."""
    root = isqrt(n)
    return root + (root * root < n)


def magnitudes(a: Interval) -> Interval:
    """The range of |a|."""
    lo, hi, e = a
    if lo >= 0:
        return a
    return (-hi, -lo, e) if hi <= 0 else (0, max(-lo, hi), e)


def order(m: int, e: int, n: int, f: int) -> int:
    """The sign of m 2^e - n 2^f; shifts only numbers of one size, so exponents may be huge."""
    left, right = (m > 0) - (m < 0), (n > 0) - (n < 0)
    if left != right or not left:
        return (left > right) - (left < right)
    sizes = m.bit_length() + e - n.bit_length() - f
    if sizes:
        return left if sizes > 0 else -left
    gap = e - f
    m, n = (m << gap, n) if gap >= 0 else (m, n << -gap)
    return (m > n) - (m < n)


def below(a: Interval, b: Interval) -> bool | None:
    """Whether a < b: True or False if certain, None if the intervals do not decide."""
    if order(a[1], a[2], b[0], b[2]) < 0:
        return True
    return False if order(a[0], a[2], b[1], b[2]) >= 0 else None


def maximum_of(a: Interval, b: Interval, q: int) -> Interval:
    """The range of the larger of two numbers: one of them where that is certain, otherwise widened by a unit.

    So a value that the operands hold strictly inside, or know, is held strictly inside, or known, by the result.
    """
    if order(a[0], a[2], b[1], b[2]) >= 0:
        return a
    if order(b[0], b[2], a[1], a[2]) >= 0:
        return b
    lower = a if order(a[0], a[2], b[0], b[2]) >= 0 else b
    upper = a if order(a[1], a[2], b[1], b[2]) >= 0 else b
    lo, hi, e = hull((lower[0], lower[0], lower[2]), (upper[1], upper[1], upper[2]), q + 4)
    return 2 * lo - 1, 2 * hi + 1, e - 1


def hull(a: Interval, b: Interval, q: int) -> Interval:
    """An interval around both."""
    if a[2] < b[2]:
        a, b = b, a
    (alo, ahi, ae), (blo, bhi, be) = a, b
    gap = ae - be
    if gap > 2 * q + 64:
        if alo == 0 == ahi:
            ae = max(blo.bit_length(), bhi.bit_length()) + be
        gap = min(ae - be, q + 8)
        coarse = ae - gap
        blo, bhi, be = shifted_down(blo, coarse - be), -shifted_down(-bhi, coarse - be), coarse
    return outward(min(alo << gap, blo), max(ahi << gap, bhi), be, q)


# ---- constants: Enclosures of the constants pi, log 2 and those made of them, kept for reuse.


FIXED_CONSTANTS: dict[str, tuple[int, int]] = {}


def fixed_constant(name: str, w: int) -> int:
    """n with n <= c 2^w <= n + 2 for c = pi or log 2; the longest n computed so far is kept.

    A series short by less than 2^guard units gives N <= c 2^W <= N + 2. Then n = floor(N / 2^k), k = W - w, satisfies
    n <= c 2^w <= (N + 2) / 2^k <= n + (2^k - 1 + 2) / 2^k <= n + 2.
    """
    bits, value = FIXED_CONSTANTS.get(name, (-1, 0))
    if bits < w:
        bits = 2 * w + 64
        guard = bits.bit_length() + 12
        series = pi_series if name == "pi" else log2_series
        value = series(bits + guard) >> guard
        FIXED_CONSTANTS[name] = bits, value
    return value >> (bits - w)


def inverse_series(k: int, w: int, alternating: bool) -> int:
    """Sum of 1 / ((2j+1) k^(2j+1)), with signs (-1)^j if alternating, in units of 2^-w; wrong by less than 2 w units.

    k^-(2j+1) is rounded down again and again, which makes it short by at most 1 + 1/9 + ... < 1.2 units; the division
    by 2j + 1 costs one more. There are at most w / (2 log2 3) + 1 terms, and those left out are below 1.4 units in all.
    """
    power, total, j = (1 << w) // k, 0, 0
    while power:
        term = power // (2 * j + 1)
        total += -term if alternating and j & 1 else term
        power //= k * k
        j += 1
    return total


def pi_series(w: int) -> int:
    """At most pi 2^w, and short by less than 80 w units: Machin's pi = 16 atan(1/5) - 4 atan(1/239)."""
    return 16 * inverse_series(5, w, True) - 4 * inverse_series(239, w, True) - 40 * w


def log2_series(w: int) -> int:
    """At most log(2) 2^w, and short by less than 4 w units: log 2 = 2 atanh(1/3)."""
    return 2 * inverse_series(3, w, False)


@lru_cache(maxsize=1024)
def pi_interval(q: int) -> Interval:
    """The circle constant."""
    n = fixed_constant("pi", q + 2)
    return n, n + 2, -q - 2


@lru_cache(maxsize=1024)
def log2_interval(q: int) -> Interval:
    """log 2."""
    n = fixed_constant("log2", q + 4)
    return n, n + 2, -q - 4


# ---- elementary: Enclosures of exp, log, roots and their relatives by series with derived truncation bounds.


At = Callable[[int, int, int], Interval]


def rising(at: At, a: Interval, q: int) -> Interval:
    """The range of an increasing function over a."""
    lo, hi, e = a
    low = at(lo, e, q)
    if lo == hi:
        return low
    high = at(hi, e, q)
    return hull((low[0], low[0], low[2]), (high[1], high[1], high[2]), q)


def falling(at: At, a: Interval, q: int) -> Interval:
    """The range of a decreasing function over a."""
    return rising(lambda m, e, q: at(-m, e, q), negative(a), q)


def beyond(m: int, e: int, k: int) -> Interval:
    """The numbers from x = m 2^e to x (1 + 2^-k)."""
    shift = max(k + 2 - m.bit_length(), 0)
    m <<= shift
    more = (abs(m) >> k) + 1
    return (m, m + more, e - shift) if m > 0 else (m - more, m, e - shift)


def short_of(m: int, e: int, k: int) -> Interval:
    """The numbers from x (1 - 2^-k) to x = m 2^e."""
    shift = max(k + 2 - m.bit_length(), 0)
    m <<= shift
    less = (abs(m) >> k) + 1
    return (m - less, m, e - shift) if m > 0 else (m, m + less, e - shift)


def exp_at(m: int, e: int, q: int) -> Interval:
    """e^x = 2^n (e^(r / 2^k))^(2^k) with x = n log 2 + r, 0 <= r < log 2.

    |x| < 2^(-q-2): 1 - |x| < e^x < 1 + 2 |x|.
    Reduction: x is rounded down and log 2 is short by at most 2 units of 2^-w1, so r 2^w1 is wrong by at most
    1 + 2 |n| < 2^(w1-w) units of 2^-w1 times 1.5 (|n| < 2^(size+1), w1 = w + size + 2), and rounding it down to units
    of 2^-w adds one: r lies in [R - 2, R + 3] 2^-w. That is a factor in [1 - 2 2^-w, 1 + 4 2^-w] of the result; for a
    result below 2.02 it is less than 5 and 9 units.
    Taylor series at y = r / 2^k < 0.18: a term rounded down once is short by at most 1.25 units, and so is the first
    that vanishes, hence the rest by 2 together; y is short by 1 unit, the sum by 1.2 for it. In all less than 2 N + 4.
    """
    if not m:
        return ONE
    size = m.bit_length() + e
    if size <= -q - 2:
        one = 1 << (q + 2)
        return (one, one + 2, -q - 2) if m > 0 else (one - 1, one, -q - 2)
    k = isqrt(q) // 2 + 2
    w = q + k + 12
    w1 = w + max(size, 0) + 2
    shift = e + w1
    n, r = divmod(m << shift if shift >= 0 else m >> -shift, fixed_constant("log2", w1))
    y = r >> (w1 - w + k)
    term = total = 1 << w
    count = 0
    while term:
        count += 1
        term = (term * y >> w) // count
        total += term
    lo, hi = total, total + 2 * count + 4
    for _ in range(k):
        lo, hi = lo * lo >> w, -(-hi * hi >> w)
    return outward(lo - 5, hi + 9, n - w, q)


def exp_interval(a: Interval, q: int) -> Interval:
    """The range of e^x; on a narrow interval from one value: e^(x+d) <= e^x (1 + d + d²) for 0 <= d <= 1."""
    lo, hi, e = a
    width = hi - lo
    if 2 * (width.bit_length() + e) > -q:
        return rising(exp_at, a, q)
    if not width:
        return exp_at(lo, e, q)
    low = exp_at(lo, e, q)
    growth = plus((0, width, e), (0, 1, -q), q)  # d² < 2^-q
    return plus(low, times(low, growth, q), q)


def expm1_at(m: int, e: int, q: int) -> Interval:
    """e^x - 1; for |x| < 2^(-q-2) between x and x (1 + x), because x <= e^x - 1 <= x + x² for x <= 1."""
    if not m:
        return ZERO
    size = m.bit_length() + e
    if size <= -q - 2:
        return beyond(m, e, q + 2) if m > 0 else short_of(m, e, q + 2)
    return minus(exp_at(m, e, q + max(0, -size) + 3), ONE, q)


def log_at(m: int, e: int, q: int) -> Interval:
    """log x = k log 2 + 2 atanh z, x = 2^k t, 2/3 <= t < 4/3, z = (t - 1) / (t + 1), |z| <= 1/5.

    If k is not 0, |k| log 2 > 0.69 > 0.41 > |log t|: at most two bits cancel. If k is 0, z is taken with q + 8 bits.
    Terms z^(2j+1) rounded down (z and z² too) are short by at most 1.5 units, the division by 2j + 1 costs one more,
    and the terms left out are less than 2 units together: less than 3 N + 3 units for N terms.
    """
    if m <= 0:
        raise NoValue
    bits = m.bit_length()
    k = e + bits
    if 3 * m < 1 << (bits + 1):
        bits -= 1
        k -= 1
    difference, total = m - (1 << bits), m + (1 << bits)
    magnitude = abs(difference)
    w = q + 10
    if not k:
        if not difference:
            return ZERO
        w += bits + 2 - magnitude.bit_length()
    z = (magnitude << w) // total
    z2 = z * z >> w
    series, j, power = z, 1, z * z2 >> w
    while power:
        j += 2
        series += power // j
        power = power * z2 >> w
    lo, hi = 2 * series, 2 * series + 3 * j + 9
    if difference < 0:
        lo, hi = -hi, -lo
    if k:
        c = fixed_constant("log2", w + 12)
        whole = (k * c, k * (c + 2)) if k > 0 else (k * (c + 2), k * c)
        if k.bit_length() <= 12:
            lo, hi = lo + (whole[0] >> 12), hi - (-whole[1] >> 12)
        else:
            return plus(times(point(k), log2_interval(q + 4), q + 4), (lo, hi, -w), q)
    return outward(lo, hi, -w, q)


def log1p_at(m: int, e: int, q: int) -> Interval:
    """log(1 + x), the sum exactly.

    |x| < 2^(-q-2): between x and x (1 - x), because x - x² <= log(1 + x) <= x for |x| <= 1/2. Huge x:
    log x < log(1 + x) < log x + 1 / x.
    """
    if not m:
        return ZERO
    if m.bit_length() + e <= -q - 2:
        return short_of(m, e, q + 2) if m > 0 else beyond(m, e, q + 2)
    if e <= 0:
        return log_at((1 << -e) + m, e, q)
    if m < 0:
        raise NoValue
    if e <= 2 * q + 64:
        return log_at((m << e) + 1, 0, q)
    return plus(log_at(m, e, q + 2), (0, 1, -e), q)


@lru_cache(maxsize=256)
def log10_of_e(q: int) -> Interval:
    """1 / log 10."""
    return over(ONE, log_at(10, 0, q + 4), q + 2)


def log2_at(m: int, e: int, q: int) -> Interval:
    """log x / log 2; exact for powers of two (for other dyadic x it is irrational)."""
    if m > 0 and not m & (m - 1):
        return point(m.bit_length() - 1 + e)
    return over(log_at(m, e, q + 4), log2_interval(q + 4), q)


def log10_at(m: int, e: int, q: int) -> Interval:
    """log x / log 10; exact for 10^k = 5^k 2^k, k >= 0 (for other dyadic x it is irrational)."""
    if m > 0:
        twos = (m & -m).bit_length() - 1
        k = e + twos
        if 0 <= k <= m.bit_length() and m >> twos == 5**k:
            return point(k)
    return times(log_at(m, e, q + 4), log10_of_e(q + 4), q)


def exp2_at(m: int, e: int, q: int) -> Interval:
    """2^x = 2^n e^(f log 2), x = n + f, 0 <= f < 1; exact for integers (for other dyadic x it is irrational)."""
    if e >= 0:
        return ONE[0], ONE[1], m << e
    if m.bit_length() + e <= -q - 2:
        return exp_interval(times(point(m, e), log2_interval(q + 4), q + 4), q)
    n = m >> -e
    f = m - (n << -e)
    if not f:
        return ONE[0], ONE[1], n
    return scaled(exp_interval(times(point(f, e), log2_interval(q + 6), q + 6), q), n)


def sqrt_at(m: int, e: int, q: int) -> Interval:
    """The square root; exact for squares."""
    return square_root((m, m, e), q)


def rsqrt_at(m: int, e: int, q: int) -> Interval:
    """1 / sqrt(x)."""
    return over(ONE, square_root((m, m, e), q + 3), q)


def cube_root(n: int) -> int:
    """floor(n^(1/3)), n >= 1: Newton's iteration from above decreases until it reaches it."""
    extra = max(0, n.bit_length() - 900) // 3
    root = (int(float(n >> 3 * extra) ** (1 / 3) * (1 + 2.0**-40)) + 2) << extra
    while True:
        closer = (2 * root + n // (root * root)) // 3
        if closer >= root:
            return root
        root = closer


def cbrt_at(m: int, e: int, q: int) -> Interval:
    """The real cube root; exact for cubes."""
    if m < 0:
        return negative(cbrt_at(-m, e, q))
    if not m:
        return ZERO
    shift = max(3 * q + 6 - m.bit_length(), 0)
    shift += (e - shift) % 3
    n = m << shift
    root = cube_root(n)
    return outward(root, root + (root**3 < n), (e - shift) // 3, q)


def sigmoid_at(m: int, e: int, q: int) -> Interval:
    """1 / (1 + e^-x)."""
    return over(ONE, plus(ONE, exp_at(-m, e, q + 4), q + 4), q)


def softplus_at(m: int, e: int, q: int) -> Interval:
    """log(1 + e^x) = max(x, 0) + log1p(e^-|x|)."""
    small = rising(log1p_at, exp_at(-abs(m), e, q + 4), q + 2)
    return plus(point(m, e), small, q) if m > 0 else outward(*small, q)


def logit_at(m: int, e: int, q: int) -> Interval:
    """log(x / (1 - x)): log1p((2x - 1) / (1 - x)) for 1/4 < x < 3/4; log x - log1p(-x) elsewhere, where it is large."""
    if m <= 0:
        raise NoValue
    if m.bit_length() + e >= -1 and 4 * m < 3 << -e:
        rest = (1 << -e) - m
        return rising(log1p_at, over(point(m - rest), point(rest), q + 4), q)
    return minus(log_at(m, e, q + 3), log1p_at(-m, e, q + 3), q)


def tanh_at(m: int, e: int, q: int) -> Interval:
    """-E / (2 + E), E = expm1(-2 |x|), with the sign of x; x - x³ <= tanh x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    E = expm1_at(-abs(m), e + 1, q + 4)
    value = over(negative(E), plus(point(2), E, q + 4), q)
    return value if m > 0 else negative(value)


def sinh_at(m: int, e: int, q: int) -> Interval:
    """(E + E / (1 + E)) / 2, E = expm1(|x|), with the sign of x; x <= sinh x <= x + x³ for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    E = expm1_at(abs(m), e, q + 6)
    value = scaled(plus(E, over(E, plus(ONE, E, q + 6), q + 4), q), -1)
    return value if m > 0 else negative(value)


def cosh_at(m: int, e: int, q: int) -> Interval:
    """(e^|x| + e^-|x|) / 2; 1 <= cosh x <= 1 + x² for |x| <= 1."""
    if not m:
        return ONE
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(1, 0, q + 2)
    E = exp_at(abs(m), e, q + 4)
    return scaled(plus(E, over(ONE, E, q + 4), q), -1)


def asinh_at(m: int, e: int, q: int) -> Interval:
    """log1p(x + x² / (1 + sqrt(1 + x²))) of |x|, with the sign of x; x - x³ <= asinh x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    x = point(abs(m), e)
    x2 = square(x, q + 8)
    root = square_root(plus(ONE, x2, q + 8), q + 8)
    value = rising(log1p_at, plus(x, over(x2, plus(ONE, root, q + 8), q + 8), q + 6), q)
    return value if m > 0 else negative(value)


def acosh_at(m: int, e: int, q: int) -> Interval:
    """log1p(t + sqrt(t (t + 2))), t = x - 1."""
    t = point(m - (1 << -e), e) if e <= 0 else minus(point(m, e), ONE, q + 8)
    if t[0] < 0:
        raise NoValue
    if t[1] == 0:
        return ZERO
    root = square_root(times(t, plus(t, point(2), q + 8), q + 8), q + 8)
    return rising(log1p_at, plus(t, root, q + 6), q)


def atanh_at(m: int, e: int, q: int) -> Interval:
    """log1p(2 x / (1 - x)) / 2 of |x|, with the sign of x; x <= atanh x <= x + x³ for 0 <= x <= 1/2."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    if e >= 0 or abs(m) >= 1 << -e:
        raise NoValue
    rest = (1 << -e) - abs(m)
    value = scaled(rising(log1p_at, over(point(2 * abs(m)), point(rest), q + 6), q), -1)
    return value if m > 0 else negative(value)


# ---- error_function: Enclosures of erf, erfc, the normal distribution function and erfinv; no tail cancels.


@lru_cache(maxsize=256)
def inverse_root_pi(q: int) -> Interval:
    """1 / sqrt(pi)."""
    return over(ONE, square_root(pi_interval(q + 4), q + 4), q + 2)


@lru_cache(maxsize=256)
def inverse_root_two_pi(q: int) -> Interval:
    """1 / sqrt(2 pi)."""
    return over(ONE, square_root(scaled(pi_interval(q + 4), 1), q + 4), q + 2)


def positive_series(m: int, e: int, q: int) -> Interval:
    """G(v), v = m 2^e >= 0, all of whose terms are positive.

    Rounding v down by less than a unit costs less than G 2^-w, because G' <= G. With T_n the exact terms, T_0 = 2^w, a
    term rounded down n times is short by at most the sum over j <= n of T_n / T_j <= n (T_n / T_0 + 1), since the terms
    rise and then fall. So N terms are short by at most N² + N G. The loop ends where the term vanishes and the ratio is
    at most 1/2: then T_N <= 2 N, and the rest is at most 4 N.
    """
    w = q + 18
    shift = e + w
    v = m << shift if shift >= 0 else m >> min(-shift, m.bit_length())
    term = total = 1 << w
    n = 0
    while term or (2 * n + 3) << w < 2 * v:
        n += 1
        term = term * v // ((2 * n + 1) << w)
        total += term
    size = (total >> w) + 2
    return outward(total, total + n * n + n * size + 4 * n + size, -w, q)


def tail_series(m: int, e: int, q: int) -> Interval | None:
    """A(v), v = m 2^e > 0, or None where its smallest term is not below 2^-q.

    Integration by parts of the integral of e^(-t²/2) gives after n terms a remainder of the sign of the next term and
    smaller than it, for every v > 0. With n = floor(v/2), (2n-1)!! <= sqrt(2) (2n/e)^n, so a term is below
    sqrt(2) e^(1 - v/2) < 2^(2 - 0.72 v): v >= 3/2 w is enough to get below 2^-w, w >= 32, and there the loop ends.
    Terms rounded down are short by at most n units (the ratio is below 1 while they fall): N² + N units together.
    """
    size = m.bit_length() + e
    if size > q + 8:
        return short_of(1, 0, q + 4)
    w = q + 16
    if below(point(m, e), point(3 * w, -1)) is not False:
        return None
    numerator, denominator = (1, m << e) if e >= 0 else (1 << -e, m)
    term = total = 1 << w
    n = 0
    while term:
        n += 1
        term = term * (2 * n - 1) * numerator // denominator
        total += -term if n & 1 else term
    error = n * n + 2 * n + 2
    return total - error, total + error, -w


def central_part(m: int, e: int, k: int, root: Interval, q: int) -> Interval:
    """x e^(-v/2) root G(v), v = 2^k x²."""
    v, exponent = m * m, 2 * e + k
    density = times(exp_at(-v, exponent - 1, q + 4), root, q + 4)
    return times(times(density, point(m, e), q + 4), positive_series(v, exponent, q + 4), q)


def tail_part(m: int, e: int, k: int, root: Interval, q: int) -> Interval | None:
    """e^(-v/2) root A(v) / x, v = 2^k x², x > 0; None where A does not reach q bits."""
    v, exponent = m * m, 2 * e + k
    series = tail_series(v, exponent, q + 4)
    if series is None:
        return None
    density = times(exp_at(-v, exponent - 1, q + 4), root, q + 4)
    return over(times(density, series, q + 4), point(m, e), q)


def lost_bits(m: int, e: int) -> int:
    """More bits than cancel in 1 - erf x or 1/2 - (Phi(x) - 1/2) if v/2 is m 2^e: log2(e) v/2 + log2 of 4 (x + 1)."""
    return (3 * (m << max(e, 0) if e >= 0 else m >> -e)) // 2 + abs(m.bit_length() + e) + 8


def erf_at(m: int, e: int, q: int) -> Interval:
    """erf x; 1 - e^(-x²) < erf x < 1 for x >= 1."""
    if m < 0:
        return negative(erf_at(-m, e, q))
    if not m:
        return ZERO
    if below(point(m * m, 2 * e), point(q + 4)) is False:
        return short_of(1, 0, q + 2)
    return scaled(central_part(m, e, 1, inverse_root_pi(q + 4), q), 1)


def erfc_at(m: int, e: int, q: int) -> Interval:
    """1 - erf x."""
    if m <= 0:
        return plus(ONE, erf_at(-m, e, q + 2), q)
    tail = tail_part(m, e, 1, inverse_root_pi(q + 4), q)
    if tail is not None:
        return tail
    extra = lost_bits(m * m, 2 * e) if m.bit_length() + e >= -1 else 2
    return minus(ONE, scaled(central_part(m, e, 1, inverse_root_pi(q + extra), q + extra), 1), q)


def normal_cdf_at(m: int, e: int, q: int) -> Interval:
    """Phi(x); for x > 0, 1 - e^(-x²/2) < Phi(x) < 1."""
    root = inverse_root_two_pi(q + 4)
    if m >= 0:
        if below(point(m * m, 2 * e - 1), point(q + 4)) is False:
            return short_of(1, 0, q + 2)
        return plus(point(1, -1), central_part(m, e, 0, root, q + 2), q) if m else point(1, -1)
    tail = tail_part(-m, e, 0, root, q)
    if tail is not None:
        return tail
    extra = lost_bits(m * m, 2 * e - 1) if m.bit_length() + e >= -1 else 2
    return minus(point(1, -1), central_part(-m, e, 0, inverse_root_two_pi(q + extra + 4), q + extra), q)


def erfinv_at(m: int, e: int, q: int) -> Interval:
    """The z with erf z = x: a guess, accepted if erf(z (1 - 2^-k)) <= x <= erf(z (1 + 2^-k)), else improved by Newton.

    erf increases, so the test is a proof and the guess needs none. For x >= 1/2 it compares erfc with 1 - x, exact.
    Small x: with s = x² <= 1/4 and z = sqrt(pi)/2 x (1 + s), erf z >= 2 z / sqrt(pi) (1 - z²/3)
    >= x (1 + s)(1 - 0.41 s) >= x, so erfinv x lies between sqrt(pi)/2 x and sqrt(pi)/2 x (1 + x²).
    """
    if m < 0:
        return negative(erfinv_at(-m, e, q))
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        root = scaled(square_root(pi_interval(q + 6), q + 6), -1)
        return times(beyond(m, e, q + 2), root, q)
    if e >= 0 or m >= 1 << -e:
        raise NoValue
    upper = 2 * m >= 1 << -e
    rest = point((1 << -e) - m, e)
    z = guess_of_erfinv(m, e, upper)
    k = q + 2
    while True:
        lo, hi, ze = short_of(z[0], z[2], k)[0], beyond(z[0], z[2], k)[1], beyond(z[0], z[2], k)[2]
        if upper:
            proved = below(rest, erfc_at(lo, ze, k + 12)) is True and below(erfc_at(hi, ze, k + 12), rest) is True
        else:
            x = point(m, e)
            proved = below(erf_at(lo, ze, k + 12), x) is True and below(x, erf_at(hi, ze, k + 12)) is True
        if proved:
            return outward(lo, hi, ze, q)
        z = closer_erfinv(z, rest if upper else point(m, e), upper, k + 20)


def guess_of_erfinv(m: int, e: int, upper: bool) -> Interval:
    """A float near erfinv x, as a point."""
    if upper:
        guess = -NormalDist().inv_cdf(float((1 << -e) - m) * 2.0 ** (e - 1)) / 2**0.5
    else:
        x = float(m) * 2.0**e
        guess = (
            NormalDist().inv_cdf((1 + x) / 2) / 2**0.5 if x > 2.0**-8 else 0.886226925452758 * x * (1 + 0.2618 * x * x)
        )
    numerator, denominator = guess.as_integer_ratio()
    return point(numerator, 1 - denominator.bit_length())


def closer_erfinv(z: Interval, target: Interval, upper: bool, w: int) -> Interval:
    """One Newton step of erf z = x or erfc z = 1 - x, rounded to a point."""
    m, _, e = z
    slope = scaled(times(exp_at(-m * m, 2 * e, w), inverse_root_pi(w), w), 1)
    missing = minus(erfc_at(m, e, w), target, w) if upper else minus(target, erf_at(m, e, w), w)
    lo, hi, e = plus(z, over(missing, slope, w), w)
    return point((lo + hi) >> 1, e)


# ---- trigonometric: Enclosures of the trigonometric functions and their inverses: reduction by pi with enough bits, then series.


def quarter_turns(m: int, e: int, q: int) -> tuple[int, int, int]:
    """n, R, w with x = n pi/2 + r, |r - R 2^-w| <= 2 units and |R| >= 2^(q+8): r with q bits, however small it is.

    x is rounded down and pi/2 is short by at most 2 units of 2^-w1: r is wrong by at most 1 + 2 |n| < 2^(w1-w) of them
    (|n| < 2^size, w1 = w + size + 2), that is one unit of 2^-w, and one more for rounding down. A nonzero rational is
    no multiple of pi, so the loop ends.
    """
    size = m.bit_length() + e
    w = q + 10 + max(-size, 0)
    while True:
        w1 = w + max(size, 0) + 2
        half_pi = fixed_constant("pi", w1 - 1)
        shift = e + w1
        x = m << shift if shift >= 0 else m >> -shift
        n = (2 * x + half_pi) // (2 * half_pi)
        R = (x - n * half_pi) >> (w1 - w)
        missing = q + 9 - R.bit_length()
        if missing <= 0:
            return n, R, w
        w += missing + 2


def sine_series(R: int, uncertainty: int, w: int) -> Interval:
    """sin r for |r - R| <= uncertainty, |r| < 0.8, in units of 2^-w.

    Terms rounded down are short by at most 1.4 units each, the rest by 2 together, and |sin'| <= 1.
    """
    r = abs(R)
    r2 = r * r >> w
    term, total, count, j = r, r, 0, 1
    while term:
        term = term * r2 // ((j + 1) * (j + 2) << w)
        j += 2
        count += 1
        total += -term if count & 1 else term
    error = 2 * count + 2 + uncertainty
    if R < 0:
        total = -total
    return total - error, total + error, -w


def cosine_series(R: int, uncertainty: int, w: int) -> Interval:
    """cos r for |r - R| <= uncertainty, |r| < 0.8, in units of 2^-w, counted as in `sine_series`."""
    r2 = R * R >> w
    term = total = 1 << w
    count, j = 0, 0
    while term:
        term = term * r2 // ((j + 1) * (j + 2) << w)
        j += 2
        count += 1
        total += -term if count & 1 else term
    error = 2 * count + 4 + uncertainty
    return total - error, total + error, -w


def sine_of_turns(n: int, R: int, uncertainty: int, w: int) -> Interval:
    """sin(n pi/2 + r)."""
    value = cosine_series(R, uncertainty, w) if n & 1 else sine_series(R, uncertainty, w)
    return negative(value) if n & 2 else value


def sin_at(m: int, e: int, q: int) -> Interval:
    """sin x; x - x³ <= sin x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    n, R, w = quarter_turns(m, e, q)
    return outward(*sine_of_turns(n, R, 2, w), q)


def cos_at(m: int, e: int, q: int) -> Interval:
    """cos x = sin(x + pi/2); 1 - x² <= cos x <= 1."""
    if not m:
        return ONE
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(1, 0, q + 2)
    n, R, w = quarter_turns(m, e, q)
    return outward(*sine_of_turns(n + 1, R, 2, w), q)


def tan_at(m: int, e: int, q: int) -> Interval:
    """sin x / cos x; x <= tan x <= x + x³ for 0 <= x <= 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    n, R, w = quarter_turns(m, e, q)
    return over(sine_of_turns(n, R, 2, w), sine_of_turns(n + 1, R, 2, w), q)


def monotonic_piece(m: int, e: int, shift: int) -> int:
    """floor(x / pi - shift / 2): on one piece of this number sin (shift 1) and cos (shift 0) are monotonic."""
    n, R, _ = quarter_turns(m, e, 0) if m else (0, 0, 0)
    return (n - shift) // 2 - (not (n - shift) & 1 and R < 0)


def wave_range(at: At, shift: int, a: Interval, q: int) -> Interval:
    """The range of sin or cos over an interval: from its ends, and 1 or -1 where it passes from piece to piece."""
    (lo, hi, e) = a
    first, last = monotonic_piece(lo, e, shift), monotonic_piece(hi, e, shift)
    result = hull(at(lo, e, q), at(hi, e, q), q)
    for piece in range(first + 1, min(last, first + 2) + 1):
        result = hull(result, point(-1 if piece & 1 else 1), q)
    return result


def half_turns(m: int, e: int) -> tuple[int, Interval]:
    """n and s with x = n/2 + s exactly, |s| <= 1/4."""
    if e >= -1:
        return m << (e + 1), ZERO
    half = 1 << (-e - 1)
    n = (2 * m + half) // (2 * half)
    return n, point(m - n * half, e)


def sine_of_half_turns(n: int, s: Interval, q: int) -> Interval:
    """sin(pi (n/2 + s)); the interval pi s, known to a few units, is the fixed-point argument of the series."""
    if s == ZERO or not s[0]:
        return (ZERO, ONE, ZERO, point(-1))[n & 3]
    r = times(s, pi_interval(q + 10), q + 10)
    size = r[0].bit_length() + r[2]
    if 2 * size <= -q - 2:
        value = plus(r, (-1, 1, 3 * size), q + 8) if not n & 1 else short_of(1, 0, q + 2)
        return outward(*(negative(value) if n & 2 else value), q)
    return outward(*sine_of_turns(n, r[0], r[1] - r[0] + 1, -r[2]), q)


def sin_pi_at(m: int, e: int, q: int) -> Interval:
    """sin(pi x), exact where x is a multiple of 1/2."""
    n, s = half_turns(m, e)
    return sine_of_half_turns(n, s, q)


def cos_pi_at(m: int, e: int, q: int) -> Interval:
    """cos(pi x), exact where x is a multiple of 1/2."""
    n, s = half_turns(m, e)
    return sine_of_half_turns(n + 1, s, q)


def sinc_at(m: int, e: int, q: int) -> Interval:
    """sin(pi x) / (pi x), 1 at 0 and 0 at the other integers; 1 - (pi x)² <= sinc x <= 1."""
    if not m:
        return ONE
    if 2 * (m.bit_length() + e + 2) <= -q - 2:
        return short_of(1, 0, q + 2)
    sine = sin_pi_at(m, e, q + 4)
    return over(sine, times(pi_interval(q + 4), point(m, e), q + 4), q) if sine != ZERO else ZERO


def atan_of(y: Interval, q: int) -> Interval:
    """The range of atan over an interval of numbers >= 0, narrow beside its size.

    y > 1: pi/2 - atan(1/y). Else atan y = 2^h atan(y'), y' from y by y -> y / (1 + sqrt(1 + y²)) h times, y' <= 0.2,
    and the alternating series: a power rounded down is short by at most 1.1 units, a term by 2.2, the rest by 2
    together: 3 N + 3 units; the width of y' adds to the upper end since 0 < atan' <= 1.
    """
    if below(ONE, y):
        return minus(scaled(pi_interval(q + 4), -1), atan_of(over(ONE, y, q + 8), q + 4), q)
    if not y[1]:
        return ZERO
    halvings = 2 + q.bit_length() // 8 + q // 400
    v = q + 10 + halvings
    for _ in range(halvings):
        root = square_root(plus(ONE, square(y, v), v), v)
        y = over(y, plus(ONE, root, v), v)
    lo, hi, e = y
    if lo.bit_length() < v:
        lo, hi, e = lo << 12, hi << 12, e - 12
    w = -e
    y2 = lo * lo >> w
    power = total = lo
    j = 1
    while power:
        power = power * y2 >> w
        j += 2
        total += -(power // j) if j & 2 else power // j
    error = 2 * j + 6
    return outward(total - error, total + error + hi - lo, e + halvings, q)


def atan_at(m: int, e: int, q: int) -> Interval:
    """atan x; x - x³ <= atan x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    value = atan_of(point(abs(m), e), q)
    return value if m > 0 else negative(value)


def asin_at(m: int, e: int, q: int) -> Interval:
    """atan(x / sqrt(1 - x²)); x <= asin x <= x + x³ for 0 <= x <= 1/2."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    rest = (1 << -2 * e) - m * m if e < 0 else 1 - m * m
    if rest < 0 or e > 0:
        raise NoValue
    if not rest:
        value = scaled(pi_interval(q), -1)
    else:
        value = atan_of(over(point(abs(m)), square_root(point(rest), q + 10), q + 8), q)
    return value if m > 0 else negative(value)


def acos_at(m: int, e: int, q: int) -> Interval:
    """2 atan(sqrt((1 - x) / (1 + x))); near 0, pi/2 - asin x."""
    if 2 * (m.bit_length() + e) <= -q - 2:
        return minus(scaled(pi_interval(q + 4), -1), asin_at(m, e, q + 4), q)
    if e > 0 or abs(m) > 1 << -e:
        raise NoValue
    one = 1 << -e
    if m == -one:
        return pi_interval(q)
    ratio = over(point(one - m), point(one + m), q + 10)
    return scaled(atan_of(square_root(ratio, q + 10), q), 1)


def atan2_at(y: Interval, x: Interval, q: int) -> Interval:
    """The angle of the point (abscissa x, ordinate y), both points, not both 0."""
    if y[0] < 0:
        return negative(atan2_at(negative(y), x, q))
    if not x[0]:
        if not y[0]:
            raise NoValue
        return scaled(pi_interval(q), -1)
    if x[0] > 0:
        return atan_of(over(y, x, q + 8), q)
    return minus(pi_interval(q + 4), atan_of(over(y, negative(x), q + 8), q + 4), q) if y[0] else pi_interval(q)


# ---- gamma_function: Enclosures of log|Gamma|, digamma and trigamma: Stirling's series with its remainder, recurrence and reflection.


GAMMA_CAP = 8_000


@lru_cache(maxsize=1)
def bernoulli_numbers() -> list[Fraction]:
    """B_0, B_2, B_4, ..., extended by `bernoulli_number`."""
    return [Fraction(1)]


def bernoulli_number(k: int) -> Fraction:
    """B_2k, from the sum over j <= n of C(n+1, j) B_j = 0 with n = 2k; of the odd ones only B_1 = -1/2 is not 0."""
    known = bernoulli_numbers()
    while len(known) <= k:
        n = 2 * len(known)
        total, binomial = -Fraction(n + 1, 2), 1
        for j in range(n):
            if j % 2 == 0:
                total += binomial * known[j // 2]
            binomial = binomial * (n + 1 - j) // (j + 1)
        known.append(-total / (n + 1))
    return known[k]


def stirling_series(z: Interval, coefficient: Callable[[int], Fraction], first: int, w: int) -> Interval:
    """Sum over k >= 1 of c_k z^(-first - 2 (k - 1)) up to the first term below 2^-w; the remainder is within it."""
    inverse = over(ONE, z, w + 8)
    step = square(inverse, w + 8)
    power = inverse
    for _ in range(first - 1):
        power = times(power, inverse, w + 8)
    total, k = ZERO, 1
    while True:
        c = coefficient(k)
        term = times_ratio(power, c.numerator, c.denominator, w + 8)
        largest = magnitudes(term)
        if order(largest[1], largest[2], 1, -w) < 0:
            return plus(total, (min(term[0], 0), max(term[1], 0), term[2]), w + 8)
        total = plus(total, term, w + 8)
        power = times(power, step, w + 8)
        k += 1


def log_gamma_coefficient(k: int) -> Fraction:
    """B_2k / (2k (2k-1))."""
    return bernoulli_number(k) / (2 * k * (2 * k - 1))


def digamma_coefficient(k: int) -> Fraction:
    """-B_2k / 2k."""
    return -bernoulli_number(k) / (2 * k)


def steps_up(m: int, e: int, w: int) -> int:
    """N with x + N > w/5 + 2: there the terms of Stirling's series fall below e^(-2 pi z) < 2^-w."""
    goal = w // 5 + 3
    if m.bit_length() + e > 40:
        return 0
    whole = m << e if e >= 0 else m >> -e
    return max(0, goal - whole)


def refined(compute: Callable[[int, int, int], Interval], m: int, e: int, q: int) -> Interval:
    """compute(m, e, w) at rising w until it has q bits beside its size, or at the cap whatever it has."""
    w = q + 12
    while True:
        value = compute(m, e, w)
        width = value[1] - value[0]
        smallest = min(abs(value[0]), abs(value[1])) if value[0] > 0 or value[1] < 0 else 0
        if smallest.bit_length() - width.bit_length() >= q + 1 or not width or w > GAMMA_CAP:
            return outward(*value, q)
        w += max(q + 2 - smallest.bit_length() + width.bit_length(), 12) if smallest else w


def is_integer(m: int, e: int) -> bool:
    """Whether m 2^e is an integer."""
    return e >= 0 or not m & ((1 << -e) - 1)


def lgamma_at(m: int, e: int, q: int) -> Interval:
    """log |Gamma(x)|, exactly 0 at 1 and 2; NoValue at the poles."""
    if m <= 0 and is_integer(m, e):
        raise NoValue
    if order(m, e, 1, 0) == 0 or order(m, e, 2, 0) == 0:
        return ZERO
    return refined(log_gamma if m > 0 else reflected_log_gamma, m, e, q)


def reflected_log_gamma(m: int, e: int, w: int) -> Interval:
    """log pi - log|sin(pi x)| - log Gamma(1 - x), x < 0."""
    sine = magnitudes(sin_pi_at(m, e, w + 4))
    rest = (1 << -e) - m
    logs = minus(rising(log_at, pi_interval(w + 4), w + 4), rising(log_at, sine, w + 4), w + 4)
    return minus(logs, log_gamma(rest, e, w + 4), w)


def log_gamma(m: int, e: int, w: int) -> Interval:
    """Stirling's series at z = x + N, less log(x (x + 1) ... (x + N - 1)), x > 0."""
    v = w + 12
    x = point(m, e)
    count = steps_up(m, e, w)
    z = plus(x, point(count), v)
    log_z = rising(log_at, z, v)
    main = minus(times(minus(z, point(1, -1), v), log_z, v), z, v)
    main = plus(main, scaled(rising(log_at, scaled(pi_interval(v), 1), v), -1), v)
    value = plus(main, stirling_series(z, log_gamma_coefficient, 1, w), v)
    if not count:
        return value
    product = x
    for i in range(1, count):
        product = times(product, plus(x, point(i), v), v)
    return minus(value, rising(log_at, product, v), v)


def digamma_at(m: int, e: int, q: int) -> Interval:
    """The derivative of log Gamma; NoValue at the poles."""
    if m <= 0 and is_integer(m, e):
        raise NoValue
    return refined(positive_digamma if m > 0 else reflected_digamma, m, e, q)


def reflected_digamma(m: int, e: int, w: int) -> Interval:
    """psi(1 - x) - pi cos(pi x) / sin(pi x), x < 0."""
    cotangent = over(cos_pi_at(m, e, w + 4), sin_pi_at(m, e, w + 4), w + 4)
    return minus(positive_digamma((1 << -e) - m, e, w + 4), times(pi_interval(w + 4), cotangent, w + 4), w)


def positive_digamma(m: int, e: int, w: int) -> Interval:
    """log z - 1/(2z) - series at z = x + N, less the sum of 1 / (x + i), x > 0."""
    v = w + 12
    x = point(m, e)
    count = steps_up(m, e, w)
    z = plus(x, point(count), v)
    value = minus(rising(log_at, z, v), scaled(over(ONE, z, v), -1), v)
    value = plus(value, stirling_series(z, digamma_coefficient, 2, w), v)
    for i in range(count):
        value = minus(value, over(ONE, plus(x, point(i), v) if i else x, v), v)
    return value


def trigamma_at(m: int, e: int, q: int) -> Interval:
    """The derivative of digamma, positive; NoValue at the poles."""
    if m <= 0 and is_integer(m, e):
        raise NoValue
    return refined(positive_trigamma if m > 0 else reflected_trigamma, m, e, q)


def reflected_trigamma(m: int, e: int, w: int) -> Interval:
    """(pi / sin(pi x))² - psi'(1 - x), x < 0."""
    ratio = over(pi_interval(w + 4), magnitudes(sin_pi_at(m, e, w + 4)), w + 4)
    return minus(square(ratio, w + 4), positive_trigamma((1 << -e) - m, e, w + 4), w)


def positive_trigamma(m: int, e: int, w: int) -> Interval:
    """1/z + 1/(2z²) + series at z = x + N, and the sum of 1 / (x + i)², x > 0."""
    v = w + 12
    x = point(m, e)
    count = steps_up(m, e, w)
    z = plus(x, point(count), v)
    inverse = over(ONE, z, v)
    value = plus(inverse, scaled(square(inverse, v), -1), v)
    value = plus(value, stirling_series(z, bernoulli_number, 3, w + max(0, z[1].bit_length() + z[2])), v)
    for i in range(count):
        value = plus(value, square(over(ONE, plus(x, point(i), v) if i else x, v), v), v)
    return value


# ---- two_arguments: Enclosures of the real power and of log2(1 + 2^t).


#: An integer power with at most so many bits is computed as one.
EXACT_POWER_BITS = 5_000


def power_at(x: Interval, y: Interval, q: int) -> Interval:
    """x^y of two points: x > 0, or x < 0 with an integer y, or x = 0 with y > 0.

    x^y of a dyadic x and y = n / 2^k is dyadic only if x is a 2^j-th power that makes the exponent an integer. So roots
    are drawn while x is a square; then an integer power short enough to be a midpoint of a format is computed exactly.
    """
    (m, _, e), (n, _, f) = x, y
    if not n:
        return ONE
    if not m:
        if n < 0:
            raise NoValue
        return m, m, 0
    if m < 0:
        if f < 0 and n & ((1 << -f) - 1):
            raise NoValue
        odd = f <= 0 and (n >> -f) & 1
        size = power_at(point(-m, e), y, q)
        return negative(size) if odd else size
    twos = (m & -m).bit_length() - 1
    m, e = m >> twos, e + twos
    drop = (n & -n).bit_length() - 1
    n, f = n >> drop, f + drop
    while f < 0 and not e & 1 and isqrt(m) ** 2 == m:
        m, e, f = isqrt(m), e // 2, f + 1
    if f >= 0 and m == 1:
        return ONE[0], ONE[1], e * (n << f)
    if f >= 0 and f < 16 and (abs(n) << f) * m.bit_length() <= EXACT_POWER_BITS:
        power = m ** (abs(n) << f)
        exponent = e * (abs(n) << f)
        return outward(power, power, exponent, q) if n > 0 else over(ONE, point(power, exponent), q)
    guard = max(n.bit_length() + f, 0) + max(e.bit_length(), 0) + 8
    w = q + guard
    return exp_interval(times(log_at(m, e, w), point(n, f), w), q)


def softplus2_at(m: int, e: int, q: int) -> Interval:
    """log2(1 + 2^t), exactly 1 at 0."""
    if not m:
        return ONE
    w = q + 8 + max(m.bit_length() + e, 0)  # e^t of a t with w bits is known to w - log2 |t| bits
    return over(rising(softplus_at, times(point(m, e), log2_interval(w), w), q + 4), log2_interval(q + 4), q)


# ---- evaluation: The range of an expression over intervals.


FUNCTIONS: dict[str, tuple[At, str]] = {
    **{"exp": (exp_at, "rising"), "exp2": (exp2_at, "rising"), "expm1": (expm1_at, "rising")},
    **{"log": (log_at, "rising"), "log2": (log2_at, "rising"), "log10": (log10_at, "rising")},
    **{"log1p": (log1p_at, "rising"), "sqrt": (sqrt_at, "rising"), "rsqrt": (rsqrt_at, "falling")},
    **{"cbrt": (cbrt_at, "rising"), "sin": (sin_at, "wave"), "cos": (cos_at, "wave"), "tan": (tan_at, "branch")},
    **{"asin": (asin_at, "rising"), "acos": (acos_at, "falling"), "atan": (atan_at, "rising")},
    **{"sinh": (sinh_at, "rising"), "cosh": (cosh_at, "even"), "tanh": (tanh_at, "rising")},
    **{"asinh": (asinh_at, "rising"), "acosh": (acosh_at, "rising"), "atanh": (atanh_at, "rising")},
    **{"erf": (erf_at, "rising"), "erfc": (erfc_at, "falling"), "erfinv": (erfinv_at, "rising")},
    **{"normal_cdf": (normal_cdf_at, "rising"), "lgamma": (lgamma_at, "point"), "digamma": (digamma_at, "point")},
    **{"trigamma": (trigamma_at, "point"), "sigmoid": (sigmoid_at, "rising"), "softplus": (softplus_at, "rising")},
    **{"logit": (logit_at, "rising"), "sinc": (sinc_at, "point"), "softplus2": (softplus2_at, "rising")},
}
"""How each function is evaluated: at a number, and over an interval by the way in which it runs."""


def function_of(name: str, a: Interval, q: int) -> Interval:
    """The range of a named function; NoValue where it is not known to have one (lgamma, ... over more than a point)."""
    at, way = FUNCTIONS[name]
    if a[0] == a[1]:
        return at(a[0], a[2], q)
    if name == "exp":
        return exp_interval(a, q)
    if way == "rising" or (way == "branch" and below(magnitudes(a), ONE)):
        return rising(at, a, q)
    if way == "falling":
        return falling(at, a, q)
    if way == "even":
        return rising(at, magnitudes(a), q)
    if way == "wave":
        return wave_range(at, name == "sin", a, q)
    raise NoValue


@lru_cache(maxsize=4096)
def constant_interval(number: Fraction, q: int) -> Interval:
    """A rational number: a point where it is dyadic."""
    if not number.denominator & (number.denominator - 1):
        return point(number.numerator, 1 - number.denominator.bit_length())
    return over(point(number.numerator), point(number.denominator), q)


def integer_power(a: Interval, n: int, q: int) -> Interval:
    """a^n, n >= 1: of the size, for an even n."""
    base = magnitudes(a) if n % 2 == 0 else a
    lo, hi, e = base
    return outward(lo**n, hi**n, e * n, q)


def power_of(a: Interval, b: Interval, q: int) -> Interval:
    """The range of x^y: at points, or over a box of x >= 0 from its corners (x^y is monotonic in each argument)."""
    if a[0] == a[1] and b[0] == b[1]:
        return power_at(a, b, q)
    if a[0] < 0:
        raise NoValue
    corners = [power_at(point(m, a[2]), point(n, b[2]), q) for m in a[:2] for n in b[:2]]
    result = corners[0]
    for corner in corners[1:]:
        result = hull(result, corner, q)
    return result


def operation(node: Expression, operands: Sequence[Interval], q: int) -> Interval:
    """The range of one operation over the ranges of its operands."""
    name, a = node.name, operands[0]
    if name in FUNCTIONS:
        return function_of(name, a, q)
    if name == "negative":
        return negative(a)
    if name == "absolute":
        return magnitudes(a)
    if name == "integer power":
        assert node.number is not None
        return integer_power(a, int(node.number), q)
    b = operands[1]
    if name == "add":
        return plus(a, b, q)
    if name == "subtract":
        return minus(a, b, q)
    if name == "multiply":
        return times(a, b, q)
    if name == "divide":
        return over(a, b, q)
    if name == "maximum":
        return maximum_of(a, b, q)
    if name == "minimum":
        return negative(maximum_of(negative(a), negative(b), q))
    if name == "pow":
        return power_of(a, b, q)
    if name == "hypot":
        return square_root(plus(square(a, 2 * q + 8), square(b, 2 * q + 8), 2 * q + 8), q)
    if name == "atan2":
        return angle_of(a, b, q)
    raise ValueError(f"unknown operation {name}")


def angle_of(y: Interval, x: Interval, q: int) -> Interval:
    """The range of the angle over a box that does not touch the abscissas <= 0: from its corners."""
    if y[0] == y[1] and x[0] == x[1]:
        return atan2_at(y, x, q)
    if x[0] <= 0 and y[0] <= 0 <= y[1]:
        raise NoValue
    corners = [atan2_at(point(m, y[2]), point(n, x[2]), q) for m in y[:2] for n in x[:2]]
    result = corners[0]
    for corner in corners[1:]:
        result = hull(result, corner, q)
    return result


def value_of(node: Expression, arguments: Sequence[Interval], q: int) -> Interval:
    """An enclosure of the expression. A product or quotient with a rational constant is rounded once."""
    name, parts = node.name, node.parts
    if name == "x":
        return arguments[0]
    if name == "y":
        return arguments[1]
    if name == "constant":
        assert node.number is not None
        return constant_interval(node.number, q)
    if name == "pi":
        return pi_interval(q)
    if name == "upto":
        return value_of(parts[chosen_branch(node, arguments[0])], arguments, q)
    if name in ("multiply", "divide") and parts[1].name == "constant":
        return by_constant(value_of(parts[0], arguments, q), parts[1].number, name, q)
    if name == "multiply" and parts[0].name == "constant":
        return by_constant(value_of(parts[1], arguments, q), parts[0].number, name, q)
    return operation(node, [value_of(part, arguments, q) for part in parts], q)


def by_constant(a: Interval, number: Fraction | None, name: str, q: int) -> Interval:
    """a times or divided by a rational number."""
    assert number is not None
    n, d = number.numerator, number.denominator
    if name == "divide":
        n, d = (d, n) if n > 0 else (-d, -n)
    return times_ratio(a, n, d, q)


def chosen_branch(node: Expression, x: Interval) -> int:
    """The part of an `upto` that holds at x; NoValue where x is not on one side of the bound."""
    assert node.number is not None
    bound = constant_interval(node.number, 64)
    above = below(bound, x)
    if above is None:
        raise NoValue
    return 2 if above else 1


# ---- running: The running error bound of a closed form: what its floating-point evaluation, step by step as printed, may give.


UNITS = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "sqrt", "constant"), 1),
    **{"exp": 12, "expm1": 13, "log1p": 6},
    **dict.fromkeys(("exp2", "log", "log2", "log10", "rsqrt", "cbrt", "power"), 4),
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "hypot", "erfinv", "power_real"), 4),
    **dict.fromkeys(("sinh", "cosh", "asinh", "acosh", "atanh"), 4),
    **{"tanh": 10, "sigmoid": 6, "softplus": 8, "sinc": 8},
    **dict.fromkeys(("erf", "erfc", "normal_cdf", "lgamma", "digamma", "polygamma"), 16),
}
"""The rounding allowed to one operation, in units of u."""

NAME_OF_UNITS = {"integer power": "power", "pow": "power_real", "trigamma": "polygamma"}
EXACT = ("negative", "absolute", "maximum", "minimum")


class Bound(NamedTuple):
    """`interval`: None where nothing bounds the result. `overflows`: an intermediate may exceed the largest number."""

    interval: Interval | None
    overflows: bool


def running_bound(form: Expression, arguments: Sequence[Interval], fmt: FloatFormat) -> Bound:
    """The running bound of a form at exact arguments."""
    run = Evaluation(fmt)
    try:
        result = run.of(form, [run.given(argument) for argument in arguments])
    except NoValue:
        return Bound(None, False)
    intermediate = [node for node in run.overflowed if node is not form]
    return Bound(None if run.overflowed else result, bool(intermediate))


class Evaluation:
    """One evaluation in one format; `overflowed` lists the operations whose result may exceed the largest number."""

    def __init__(self, fmt: FloatFormat) -> None:
        self.format, self.precision = fmt, fmt.precision + 64
        largest = decode_pattern(overflow_pattern(fmt) - 1, fmt)
        assert isinstance(largest, tuple)
        self.largest = largest
        self.overflowed: list[Expression | None] = []

    def of(self, node: Expression, arguments: Sequence[Interval]) -> Interval:
        """The range of exact and computed values of an expression."""
        name, q = node.name, self.precision
        if name == "x":
            return arguments[0]
        if name == "y":
            return arguments[1]
        if name == "constant":
            assert node.number is not None
            return self.given(constant_interval(node.number, q), node)
        if name == "pi":
            return self.rounded(pi_interval(q), UNITS["constant"], node)
        if name == "upto":
            return self.of(node.parts[chosen_branch(node, arguments[0])], arguments)
        result = operation(node, [self.of(part, arguments) for part in node.parts], q)
        if name in EXACT:
            return result
        units = UNITS[NAME_OF_UNITS.get(name, name)]
        if name == "integer power":
            assert node.number is not None
            units = max(units, int(node.number) - 1)
        return self.rounded(result, units, node)

    def given(self, a: Interval, node: Expression | None = None) -> Interval:
        """An input or constant: exact where the format has it (0 as well, if subnormal), otherwise rounded once."""
        if a[0] == a[1] and self.representable(a[0], a[2]):
            size = magnitudes(a)
            return a if not a[0] or order(size[0], size[2], 1, self.format.emin) >= 0 else hull(a, ZERO, self.precision)
        return self.rounded(a, UNITS["constant"], node)

    def representable(self, m: int, e: int) -> bool:
        """Whether m 2^e is a finite number of the format."""
        if not m:
            return True
        if order(abs(m), e, *self.largest) > 0:
            return False
        lowest = (m & -m).bit_length() - 1 + e
        return lowest >= max(m.bit_length() - 1 + e, self.format.emin) - self.format.precision + 1

    def rounded(self, a: Interval, units: int, node: Expression | None) -> Interval:
        """The result after a rounding of so many u, and after what underflow may do; too large a result is noted."""
        result = self.inflated(a, units)
        size = magnitudes(result)
        if order(size[1], size[2], *self.largest) > 0:
            self.overflowed.append(node)
        elif (size[0] or size[1]) and order(size[0], size[2], 1, self.format.emin) < 0:
            result = plus(result, (-1, 1, self.format.emin), self.precision)
        return result

    def inflated(self, a: Interval, units: int) -> Interval:
        """a (1 ± c u) exactly, the ends moved away from each other."""
        lo, hi, e = a
        p = self.format.precision
        lower = (lo << p) - units * abs(lo)
        upper = (hi << p) + units * abs(hi)
        return lower, upper, e - p


# ---- slopes: How an expression moves with its arguments: enclosures of value and directional derivative together.


#: Value and derivative in a direction.
Moving = tuple[Interval, Interval]

#: A slope f'(x) from x, y = f(x) and the precision.
Slope = Callable[[Interval, Interval, int], Interval]


def root_of_difference(x: Interval, q: int) -> Interval:
    """sqrt(1 - x²)."""
    v = q + 64
    return square_root(times(minus(ONE, x, v), plus(ONE, x, v), v), q)


def bell(x: Interval, halves: int, q: int) -> Interval:
    """e^(-x² / 2^halves)."""
    return function_of("exp", negative(scaled(square(x, 4 * q), -halves)), q)


def sinc_slope(x: Interval, y: Interval, q: int) -> Interval:
    """(cos(pi x) - sinc x) / x, 0 at 0."""
    if x[0] != x[1]:
        raise NoValue
    return over(minus(cos_pi_at(x[0], x[2], q), y, q), x, q) if x[0] else ZERO


SLOPES: dict[str, Slope] = {
    "exp": lambda x, y, q: y,
    "exp2": lambda x, y, q: times(y, log2_interval(q), q),
    "expm1": lambda x, y, q: function_of("exp", x, q),
    "log": lambda x, y, q: over(ONE, x, q),
    "log2": lambda x, y, q: over(ONE, times(x, log2_interval(q), q), q),
    "log10": lambda x, y, q: over(log10_of_e(q), x, q),
    "log1p": lambda x, y, q: over(ONE, plus(ONE, x, q + 64), q),
    "sqrt": lambda x, y, q: over(ONE, scaled(y, 1), q),
    "rsqrt": lambda x, y, q: over(negative(y), scaled(x, 1), q),
    "cbrt": lambda x, y, q: over(ONE, times(point(3), square(y, q), q), q),
    "sigmoid": lambda x, y, q: times(y, function_of("sigmoid", negative(x), q), q),
    "softplus": lambda x, y, q: function_of("sigmoid", x, q),
    "softplus2": lambda x, y, q: function_of("sigmoid", times(x, log2_interval(q), q), q),
    "logit": lambda x, y, q: over(ONE, times(x, minus(ONE, x, q + 64), q), q),
    "tanh": lambda x, y, q: square(over(ONE, function_of("cosh", x, q), q), q),
    "sinh": lambda x, y, q: function_of("cosh", x, q),
    "cosh": lambda x, y, q: function_of("sinh", x, q),
    "asinh": lambda x, y, q: over(ONE, square_root(plus(ONE, square(x, 2 * q), q), q), q),
    "acosh": lambda x, y, q: over(ONE, square_root(times(minus(x, ONE, q + 64), plus(x, ONE, q), q), q), q),
    "atanh": lambda x, y, q: over(ONE, times(minus(ONE, x, q + 64), plus(ONE, x, q + 64), q), q),
    "sin": lambda x, y, q: function_of("cos", x, q),
    "cos": lambda x, y, q: negative(function_of("sin", x, q)),
    "tan": lambda x, y, q: plus(ONE, square(y, q), q),
    "asin": lambda x, y, q: over(ONE, root_of_difference(x, q), q),
    "acos": lambda x, y, q: negative(over(ONE, root_of_difference(x, q), q)),
    "atan": lambda x, y, q: over(ONE, plus(ONE, square(x, q), q), q),
    "erf": lambda x, y, q: scaled(times(bell(x, 0, q), inverse_root_pi(q), q), 1),
    "erfc": lambda x, y, q: negative(scaled(times(bell(x, 0, q), inverse_root_pi(q), q), 1)),
    "erfinv": lambda x, y, q: scaled(over(function_of("exp", square(y, q), q), inverse_root_pi(q), q), -1),
    "normal_cdf": lambda x, y, q: times(bell(x, 1, q), inverse_root_two_pi(q), q),
    "lgamma": lambda x, y, q: function_of("digamma", x, q),
    "digamma": lambda x, y, q: function_of("trigamma", x, q),
    "sinc": sinc_slope,
}


def pair_slopes(name: str, a: Interval, b: Interval, value: Interval, q: int) -> tuple[Interval, Interval]:
    """The two partial derivatives of a function of two arguments."""
    if name == "pow":
        size = value if a[0] > 0 else negative(value) if a[1] < 0 else None
        if size is None:
            raise NoValue
        logarithm = function_of("log", a if a[0] > 0 else negative(a), q)
        return over(times(b, value, q), a, q), times(value, logarithm, q)
    if name == "hypot":
        return over(a, value, q), over(b, value, q)
    norm = plus(square(a, q), square(b, q), q)
    return over(b, norm, q), over(negative(a), norm, q)


def larger(a: Moving, b: Moving, q: int) -> Moving:
    """The maximum: where both are the same number, the larger derivative in the direction of movement."""
    (value, moved), (other, moved_too) = a, b
    if below(other, value):
        return a
    if below(value, other):
        return b
    if value[0] == value[1] and other[0] == other[1]:
        return (value, maximum_of(moved, moved_too, q)) if below(value, other) is False else b
    raise NoValue


def mirrored(a: Moving) -> Moving:
    """-a."""
    return negative(a[0]), negative(a[1])


def moving(node: Expression, arguments: Sequence[Moving], q: int) -> Moving:
    """Value and derivative where the arguments move as given. NoValue: not decided, DivisionByZero: infinite."""
    name = node.name
    if name == "x":
        return arguments[0]
    if name == "y":
        return arguments[1]
    values = [value for value, _ in arguments]
    if name in ("constant", "pi"):
        return value_of(node, values, q), ZERO
    if name == "upto":
        return moving(node.parts[chosen_branch(node, values[0])], arguments, q)
    parts = [moving(part, arguments, q) for part in node.parts]
    (a, da) = parts[0]
    if name == "negative":
        return mirrored(parts[0])
    if name == "absolute":
        return larger(parts[0], mirrored(parts[0]), q)
    if name == "maximum":
        return larger(parts[0], parts[1], q)
    if name == "minimum":
        return mirrored(larger(mirrored(parts[0]), mirrored(parts[1]), q))
    value = operation(node, [part[0] for part in parts], q)
    if all(part[1] == ZERO for part in parts):
        return value, ZERO
    if name in FUNCTIONS:
        return value, times(SLOPES[name](a, value, q), da, q)
    if name == "integer power":
        assert node.number is not None
        n = int(node.number)
        return value, times(times(constant_interval(node.number, q), integer_power(a, n - 1, q), q), da, q)
    b, db = parts[1]
    if name == "add":
        return value, plus(da, db, q)
    if name == "subtract":
        return value, minus(da, db, q)
    if name == "multiply":
        return value, plus(times(da, b, q), times(a, db, q), q)
    if name == "divide":
        return value, over(minus(da, times(value, db, q), q), b, q)
    first, second = pair_slopes(name, a, b, value, q)
    return value, plus(times(first, da, q), times(second, db, q), q)


# ---- special_values: What a definition is at special inputs: signed zeros, infinities, NaN, poles, outside the domain, exact points.


class Due(NamedTuple):
    """What is due: a float, or a number (a constant expression) that is judged like any number, or anything."""

    value: float | None = None
    limit: Expression | None = None
    judged: bool = True


#: What is due at the arguments, or None at ordinary ones.
Rule = Callable[..., Due | None]

INVALID = Due(nan)
EITHER_ZERO = Due(limit=expression(0))
ANYTHING = Due(judged=False)

SMALLEST_FORMATS = (FloatFormat("e5m2", 3, -14, 15, 8, "infinity"), FloatFormat("e4m3fn", 4, -6, 8, 8, "nan"))


def due_number(value: Fraction) -> Due:
    """A number: to be met exactly if even the formats of eight bits have it, otherwise judged as a number."""
    n, d = abs(value.numerator), value.denominator
    if not d & (d - 1) and all(in_format(n, 1 - d.bit_length(), fmt) for fmt in SMALLEST_FORMATS):
        return Due(float(value))
    return Due(limit=expression(value))


def in_format(m: int, e: int, fmt: FloatFormat) -> bool:
    """Whether m 2^e >= 0 is a finite number of the format."""
    nearest = decode_pattern(magnitude_pattern(m, e, fmt), fmt)
    return nearest == 0 if not m else isinstance(nearest, tuple) and order(*nearest, m, e) == 0


def quarter_turns_due(count: int) -> Due:
    """pi count / 4."""
    return Due(limit=PI * Fraction(count, 4))


def limits(x: float, zero: Due | float | None, low: Due | float, high: Due | float) -> Due | None:
    """What is due at ±0 (None: the zero itself), -inf and inf."""
    if x == 0:
        found = x if zero is None else zero
    elif isinf(x):
        found = high if x > 0 else low
    else:
        return None
    return found if isinstance(found, Due) else Due(found)


def outside(x: float, low: float, high: float) -> bool:
    """Whether x lies outside [low, high]."""
    return not low <= x <= high


def logarithm_due(x: float) -> Due | None:
    """-inf at ±0, +0 at 1, NaN below 0."""
    if x == 1:
        return Due(0.0)
    return INVALID if x < 0 else limits(x, -inf, nan, inf)


def log1p_due(x: float) -> Due | None:
    """-inf at -1, NaN below."""
    if x <= -1:
        return INVALID if x < -1 else Due(-inf)
    return limits(x, None, nan, inf)


def root_due(x: float) -> Due | None:
    """NaN below 0, -0 at -0."""
    return INVALID if x < 0 else limits(x, None, nan, inf)


def inverse_root_due(x: float) -> Due | None:
    """±inf at ±0, NaN below 0."""
    return INVALID if x < 0 else limits(x, copysign(inf, x), nan, 0.0)


def arc_cosine_due(x: float) -> Due | None:
    """+0 at 1, NaN outside [-1, 1]."""
    return Due(0.0) if x == 1 else INVALID if outside(x, -1, 1) else None


def area_cosine_due(x: float) -> Due | None:
    """+0 at 1, NaN below."""
    return Due(0.0) if x == 1 else INVALID if x < 1 else limits(x, nan, nan, inf)


def pole_at_ends(x: float) -> Due | None:
    """±0 at ±0, ±inf at ±1, NaN beyond: atanh and erfinv."""
    if abs(x) >= 1:
        return Due(copysign(inf, x)) if abs(x) == 1 else INVALID
    return limits(x, None, nan, nan)


def gamma_pole(x: float) -> bool:
    """Whether x is 0, -1, -2, ..."""
    return x <= 0 and not isinf(x) and x == floor(x)


def lgamma_due(x: float) -> Due | None:
    """+0 at 1 and 2, inf at the poles and at ±inf."""
    if x in (1, 2):
        return Due(0.0)
    return Due(inf) if isinf(x) or gamma_pole(x) else None


def digamma_due(x: float, at_zero: str) -> Due | None:
    """NaN at the poles but 0, where the sign of the zero tells the side unless by convention it is NaN too.

    The poles accumulate at -inf: nothing is due there.
    """
    if gamma_pole(x):
        return Due(copysign(inf, -x)) if x == 0 and at_zero == "infinity" else INVALID
    return limits(x, nan, ANYTHING, inf)


def logit_due(x: float) -> Due | None:
    """-inf at 0, inf at 1, +0 at 1/2, NaN outside."""
    if x in (0, 0.5, 1):
        return Due({0: -inf, 0.5: 0.0, 1: inf}[x])
    return INVALID if outside(x, 0, 1) else None


def entr_due(x: float) -> Due | None:
    """0 at ±0, -inf below 0 and at inf."""
    return Due(0.0) if x == 0 else Due(-inf) if x < 0 or isinf(x) else None


def relu_due(x: float, high: float) -> Due | None:
    """+0 at +0; a zero of either sign at -0 and -inf."""
    return limits(x, EITHER_ZERO if copysign(1, x) < 0 else 0.0, EITHER_ZERO, high)


def leaky_relu_due(x: float, negative_slope: Fraction) -> Due | None:
    """±0 and ±inf for a positive slope, as relu for none; a negative slope turns -inf around."""
    if negative_slope > 0:
        return limits(x, None, -inf, inf)
    if negative_slope == 0 or x >= 0 or not isinf(x):
        return relu_due(x, inf)
    return Due(inf)


def softplus_due(x: float, beta: Fraction) -> Due | None:
    """log(2) / beta at ±0."""
    return limits(x, Due(limit=call("log", expression(2)) / beta), 0.0, inf)


def log_sigmoid_due(x: float) -> Due | None:
    """-log 2 at ±0; at inf a zero of either sign, as the two forms give."""
    return limits(x, Due(limit=-call("log", expression(2))), -inf, EITHER_ZERO)


def hard_tanh_due(x: float, low: Fraction, high: Fraction) -> Due | None:
    """The ends at ±inf; at ±0 the zero itself, or the end that 0 is clipped to."""
    at_low, at_high = (due_number(end) if end else EITHER_ZERO for end in (low, high))
    zero = None if low < 0 < high else at_low if low >= 0 else at_high
    return limits(x, zero, at_low, at_high)


def squareplus_due(x: float, b: Fraction) -> Due | None:
    """sqrt(b) / 2 at ±0."""
    roots = [isqrt(n) for n in (b.numerator, b.denominator)]
    root = Fraction(*roots)
    return limits(x, due_number(root / 2) if root * root == b else Due(limit=call("sqrt", expression(b)) / 2), 0.0, inf)


def power_due(x: float, y: float) -> Due | None:
    """The table of pow in C23, F.10.4.5."""
    if x == 1 or y == 0:
        return Due(1.0)
    if isnan(x) or isnan(y):
        return INVALID
    whole = not isinf(y) and y == floor(y)
    sign = copysign(1, x) if whole and y % 2 == 1 else 1.0
    if isinf(y):
        return Due(1.0) if x == -1 else Due(inf if (abs(x) > 1) == (y > 0) else 0.0)
    if x == 0:
        return Due(sign * (inf if y < 0 else 0.0))
    if isinf(x):
        return Due(sign * (0.0 if y < 0 else inf))
    return INVALID if x < 0 and not whole else None


def hypot_due(x: float, y: float) -> Due | None:
    """inf beside anything, NaN included; the size of the other argument beside a zero."""
    if isinf(x) or isinf(y):
        return Due(inf)
    if isnan(x) or isnan(y):
        return INVALID
    return Due(abs(x) + abs(y)) if x == 0 or y == 0 else None


def angle_due(x: float, y: float) -> Due | None:
    """The table of atan2 in C23, F.10.1.4: x is the ordinate, y the abscissa."""
    sign = 1 if copysign(1, x) > 0 else -1
    left = copysign(1, y) < 0
    if isinf(x) and isinf(y):
        return quarter_turns_due(sign * (3 if left else 1))
    if x == 0 or isinf(y):
        return quarter_turns_due(4 * sign) if left else Due(copysign(0.0, x))
    return quarter_turns_due(2 * sign) if y == 0 or isinf(x) else None


def logaddexp_due(x: float, y: float) -> Due | None:
    """inf beside anything; the other argument beside -inf, +0 for ±0: the zero of log 1."""
    if inf in (x, y):
        return Due(inf)
    return Due(max(x, y) + 0.0) if -inf in (x, y) else None


def product_due(x: float, y: float, pole: float, at_nan: str) -> Due | None:
    """x log t for a t that is 0 at y = `pole` and 1 at y = pole + 1: 0 for x = 0, else in the extended reals."""
    if x == 0:
        return INVALID if isnan(y) and at_nan == "nan" else Due(0.0)
    if isnan(x) or isnan(y) or y < pole:
        return INVALID
    if y == pole:
        return Due(-copysign(inf, x))
    sign = (y > pole + 1) - (y < pole + 1)
    if isinf(x):
        return Due(copysign(inf, x * sign)) if sign else INVALID
    return Due(copysign(inf, x)) if isinf(y) else None


RULES: dict[str, Rule] = {
    **dict.fromkeys(("exp", "exp2"), lambda x: limits(x, 1.0, 0.0, inf)),
    "expm1": lambda x: limits(x, None, -1.0, inf),
    **dict.fromkeys(("log", "log2", "log10"), logarithm_due),
    "log1p": log1p_due,
    "sqrt": root_due,
    "rsqrt": inverse_root_due,
    **dict.fromkeys(("cbrt", "sinh", "asinh"), lambda x: limits(x, None, -inf, inf)),
    **dict.fromkeys(("sin", "tan"), lambda x: limits(x, None, nan, nan)),
    "cos": lambda x: limits(x, 1.0, nan, nan),
    "asin": lambda x: INVALID if outside(x, -1, 1) else limits(x, None, nan, nan),
    "acos": arc_cosine_due,
    "atan": lambda x: limits(x, None, quarter_turns_due(-2), quarter_turns_due(2)),
    "cosh": lambda x: limits(x, 1.0, inf, inf),
    **dict.fromkeys(("tanh", "erf", "soft_sign"), lambda x: limits(x, None, -1.0, 1.0)),
    "acosh": area_cosine_due,
    **dict.fromkeys(("atanh", "erfinv"), pole_at_ends),
    "erfc": lambda x: limits(x, 1.0, 2.0, 0.0),
    "lgamma": lgamma_due,
    "digamma": digamma_due,
    "sigmoid": lambda x: limits(x, 0.5, 0.0, 1.0),
    "logit": logit_due,
    "sinc": lambda x: limits(x, 1.0, ANYTHING, ANYTHING),
    "entr": entr_due,
    "relu": lambda x: relu_due(x, inf),
    "relu6": lambda x: relu_due(x, 6.0),
    "leaky_relu": leaky_relu_due,
    **dict.fromkeys(("elu", "celu"), lambda x, alpha: limits(x, None, due_number(-alpha), inf)),
    "selu": lambda x, scale, alpha: limits(x, None, due_number(-scale * alpha), inf),
    **dict.fromkeys(("gelu", "silu", "mish"), lambda x: limits(x, None, -0.0, inf)),
    "softplus": softplus_due,
    "log_sigmoid": log_sigmoid_due,
    "hard_sigmoid": lambda x: limits(x, 0.5, EITHER_ZERO, 1.0),
    "hard_silu": lambda x: limits(x, None, EITHER_ZERO, inf),
    "hard_tanh": hard_tanh_due,
    "squareplus": squareplus_due,
    "sparse_plus": lambda x: limits(x, 0.25, EITHER_ZERO, inf),
    "pow": power_due,
    "hypot": hypot_due,
    "atan2": angle_due,
    **dict.fromkeys(("logaddexp", "logaddexp2"), logaddexp_due),
    "xlogy": lambda x, y, at_nan: product_due(x, y, 0.0, at_nan),
    "xlog1py": lambda x, y, at_nan: product_due(x, y, -1.0, at_nan),
}

#: Conventions on which the rules depend.
USED_CONVENTIONS = ("at_zero", "negative_slope", "alpha", "scale", "beta", "low", "high", "b", "at_nan")

#: Definitions whose rules answer NaN themselves.
ANSWER_NAN = ("pow", "hypot", "xlogy", "xlog1py")


def rule_of(definition: Definition) -> Rule:
    """The rule of a definition with its conventions filled in; NaN gives NaN unless the rule says otherwise."""
    rule = RULES[definition.name]
    used = {key: value for key, value in definition.conventions.items() if key in USED_CONVENTIONS}
    if definition.name in ANSWER_NAN:
        return lambda *x: rule(*x, **used)
    return lambda *x: INVALID if any(isnan(each) for each in x) else rule(*x, **used)


# ---- judge: The verdict for one input of an elementwise kernel: stratum, error in ulp, K, and why it is accepted.


#: The precision at which a question is given up, and the bits beyond p at which it is first put.
PRECISION_CAP = 4_000
FIRST_GUARD = 14

#: An error in ulp is known well enough when its interval is at most 2^-10 wide, beside 1 and itself.
ULP_BITS = 10

#: K <= 4: the roundings of a straightforward evaluation.
K_LIMIT = 4

#: Differences are taken with so many bits, in which numbers of all formats are exact.
DIFFERENCE_BITS = 9_000

#: Ends nearer to 0 than 2^-FAR are written as 0 and 2^-FAR.
FAR_EXPONENT = 40_000

KINKED_NAMES = ("maximum", "minimum", "absolute")


class Size(NamedTuple):
    """|f| between lo 2^e and hi 2^e: equal to both, or strictly between them."""

    negative: bool
    lo: int
    hi: int
    e: int


class Setting:
    """A definition, the formats, and whether the environment flushes, with what follows from them."""

    def __init__(self, definition: Definition, input_format: FloatFormat, output: FloatFormat, flushes: bool) -> None:
        self.definition, self.input_format, self.output, self.flushes = definition, input_format, output, flushes
        self.rule = rule_of(definition)
        self.threshold = overflow_threshold(output)
        self.overflow = overflow_pattern(output)
        self.sign_bit = 1 << (output.width - 1)
        self.eta = point(1, output.emin if flushes else output.emin - output.precision)
        self.kinked = has_kink(definition.value)

    def value(self, arguments: Sequence[Interval], q: int) -> Interval:
        """An enclosure of f."""
        return value_of(self.definition.value, arguments, q)

    def scale(self, arguments: Sequence[Interval], q: int) -> Interval:
        """An enclosure of sum |x_i df/dx_i|; an infinite or undefined slope counts as 0."""
        total = ZERO
        for i in range(len(arguments)):
            ways = [self.slope(arguments, i, direction, q) for direction in ((1, -1) if self.kinked else (1,))]
            part = ways[0]
            for way in ways[1:]:
                part = maximum_of(part, way, q)
            total = plus(total, part, q)
        return total

    def slope(self, arguments: Sequence[Interval], place: int, direction: int, q: int) -> Interval:
        """An enclosure of |x_i df/dx_i| on one side."""
        seeds = [(a, (a if direction > 0 else negative(a)) if i == place else ZERO) for i, a in enumerate(arguments)]
        try:
            return magnitudes(moving(self.definition.value, seeds, q)[1])
        except DivisionByZero:
            return ZERO

    def size_of(self, f: Interval) -> Size | None:
        """|f| and its sign, or None if the sign is open."""
        lo, hi, e = f
        if lo >= 0:
            return Size(False, lo, hi, e)
        return Size(True, -hi, -lo, e) if hi <= 0 else None

    def is_beyond(self, size: Size) -> bool | None:
        """Whether |f| reaches the overflow threshold."""
        return self.at_least(size, *self.threshold)

    @staticmethod
    def at_least(size: Size, m: int, e: int) -> bool | None:
        """Whether |f| >= m 2^e; None if open."""
        if order(size.lo, size.e, m, e) >= 0:
            return True
        return False if order(size.hi, size.e, m, e) <= 0 else None

    def rounded(self, size: Size) -> int | None:
        """The magnitude pattern to which |f| rounds, or None if open. An end that is not f breaks a tie towards f."""
        if size.lo == size.hi:
            return magnitude_pattern(size.lo, size.e, self.output)
        low = magnitude_pattern(size.lo, size.e, self.output, 1)
        return low if low == magnitude_pattern(size.hi, size.e, self.output, -1) else None

    def spacing(self, m: int, e: int) -> int:
        """The exponent of ulp at m 2^e > 0, or at 0."""
        exponent = m.bit_length() - 1 + e if m else self.output.emin
        return max(exponent, self.output.emin) - self.output.precision + 1

    def meets(self, due: Due, y: Decoded, y_pattern: int) -> tuple[bool | None, bool | None, str]:
        """Whether y is what is due, whether it is that correctly rounded, and a word for it."""
        if not due.judged:
            return True, True, "anything"
        if due.value is None:
            assert due.limit is not None
            return self.near(due.limit, y, y_pattern)
        pattern = encode_float(due.value, self.output)
        word = due.value.hex() if not (isinf(due.value) or isnan(due.value)) else str(due.value)
        if isnan(due.value):
            right = isinstance(y, float) and isnan(y)
            return right, right, word
        found = decode_pattern(pattern, self.output)
        if isinstance(found, tuple) and ldexp(*found) != due.value:
            return self.near(Expression("constant", (), Fraction(due.value)), y, y_pattern)
        right = y_pattern == pattern or (isnan(as_float(found)) and isnan(as_float(y)))
        return right, right, word

    def near(self, limit: Expression, y: Decoded, y_pattern: int) -> tuple[bool | None, bool | None, str]:
        """`meets` for a number that not every format holds: K without derivative is at most 4."""
        number = Judged(self, (), y, y_pattern, limit)
        within = number.K_at_most(Fraction(K_LIMIT)) if number.distance_known else False
        lo, hi, e = number.enclosure
        return within, number.correctly_rounded, lower_float(lo, e).hex()


def has_kink(node: Expression) -> bool:
    """Whether an expression is made with a function that has a kink."""
    return node.name in KINKED_NAMES or any(has_kink(part) for part in node.parts)


def as_float(y: Decoded) -> float:
    """The float of a decoded pattern."""
    return ldexp(*y) if isinstance(y, tuple) else y


def lower_float(m: int, e: int) -> float:
    """The largest binary64 number that is at most m 2^e."""
    excess = max(m.bit_length() - 53, -1074 - e, 0)
    return ldexp(m >> excess, e + excess)


def as_point(y: Decoded) -> Interval:
    """A finite decoded number as an interval."""
    return point(*y) if isinstance(y, tuple) else ZERO


class Judged:
    """One input and one returned value, judged.

    `stratum`: "special", "subnormal input", "overflow", "subnormal result", "regular", or None where the enclosure
    could not decide it at the cap.
    `accepted_by`: "K", "running bound", "flushed", "textbook overflow", "special", or None where no rule accepts.
    `correctly_rounded`: True, False, or None (undecided at the cap); zeros of both signs count as one.
    `undecided`: some question of the rule stayed undecided at the cap (then `accepted_by` is not to be trusted).
    `zero_sign`: y is a zero of the wrong sign where the exact value is not zero.
    `expected`: for special inputs a word for what was expected ("nan", "inf", "-inf", a hexadecimal float, "anything"),
    else None.
    `ulp`: lower and upper end of |y - f| / ulp(f); None where no number is judged (special inputs, NaN for a number).
    `K`: lower and upper end of K, computed when first asked for; None where `ulp` is None.
    """

    accepted_by: str | None = None
    expected: str | None = None
    undecided = False

    def __init__(
        self,
        setting: Setting,
        arguments: tuple[Interval, ...],
        y: Decoded,
        y_pattern: int,
        limit: Expression | None = None,
    ) -> None:
        self.setting, self.arguments, self.y, self.y_pattern, self.limit = setting, arguments, y, y_pattern, limit
        self.bits = setting.output.precision + FIRST_GUARD
        self.size: Size | None = None
        self.beyond: bool | None = None
        self.rounded: int | None = None
        self.error: Interval | None = None
        while not self.settled():
            if self.bits >= PRECISION_CAP:
                break
            self.bits = min(2 * self.bits, PRECISION_CAP)
        self.stratum = self.stratum_without_inputs()

    def enclose(self, q: int) -> Interval:
        """f, or the limit."""
        return value_of(self.limit, (), q) if self.limit is not None else self.setting.value(self.arguments, q)

    def settled(self) -> bool:
        """Look at f with the present bits; whether stratum, rounding and error are known."""
        try:
            self.enclosure = self.enclose(self.bits)
        except NoValue:
            return False
        setting = self.setting
        self.size = size = setting.size_of(self.enclosure)
        if size is None:
            return False
        self.beyond = setting.is_beyond(size)
        self.rounded = setting.rounded(size)
        if self.beyond is None or self.rounded is None or self.stratum_without_inputs() is None:
            return False
        self.error = self.error_in_ulp()
        if self.error is None:
            return not self.distance_known
        lo, hi, e = self.error
        width = hi - lo
        return not width or width.bit_length() <= max(lo.bit_length(), 1 - e) - ULP_BITS

    def stratum_without_inputs(self) -> str | None:
        """The stratum by the size of f."""
        if self.size is None or self.beyond is None:
            return None
        if self.beyond:
            return "overflow"
        normal = self.setting.at_least(self.size, 1, self.setting.output.emin)
        if normal is None:
            return None
        return "regular" if normal or not self.size.hi else "subnormal result"

    @property
    def distance_known(self) -> bool:
        """Whether y stands for a number."""
        return not isnan(as_float(self.y)) or self.setting.output.overflow == "nan"

    def distance(self) -> Interval:
        """|y - f|; 0 where y stands for all numbers beyond the threshold and f is one of them."""
        setting, y = self.setting, as_float(self.y)
        assert self.size is not None
        stands = (
            isinf(y)
            or isnan(y)
            or (setting.output.overflow == "saturate" and self.y_pattern & ~setting.sign_bit == setting.overflow - 1)
        )
        sign = self.size.negative if isnan(y) else copysign(1, y) < 0
        if stands and self.beyond and sign == self.size.negative:
            return ZERO
        number = as_point(self.y)
        if isinf(y) or isnan(y):
            m, e = setting.threshold
            number = point(-m if sign else m, e)
        return magnitudes(minus(number, self.enclosure, DIFFERENCE_BITS))

    def error_in_ulp(self) -> Interval | None:
        """|y - f| / ulp(f): the ends by the largest and the smallest ulp that f may have."""
        if self.size is None or self.beyond is None or not self.distance_known:
            return None
        lo, hi, e = self.distance()
        negative, a, b, exponent = self.size
        small = self.setting.spacing(a, exponent)
        large = self.setting.spacing(b - 1 if a != b and b > 1 and not b & (b - 1) else b, exponent)
        return (lo, hi << (large - small), e - large) if large >= small else (lo, hi, e - small)

    @property
    def correctly_rounded(self) -> bool | None:
        """Whether y is f rounded to nearest even."""
        if self.size is None or self.rounded is None:
            return None
        setting = self.setting
        magnitude = self.y_pattern & ~setting.sign_bit
        if isnan(as_float(self.y)):
            return setting.output.overflow == "nan" and self.rounded == setting.overflow
        if not self.rounded:
            return not magnitude
        return self.y_pattern == finished_pattern(self.size.negative, self.rounded, setting.output)

    @property
    def zero_sign(self) -> bool:
        """Whether y is a zero of the wrong sign and f is not 0."""
        if self.limit is not None or self.size is None or not self.size.hi or not isinstance(self.y, float):
            return False
        return self.y == 0 and (copysign(1, self.y) < 0) != self.size.negative

    @property
    def ulp(self) -> tuple[Fraction, Fraction] | None:
        """Lower and upper end of |y - f| / ulp(f)."""
        return as_fractions(self.error)

    @cached_property
    def K(self) -> tuple[Fraction, Fraction] | None:
        """Lower and upper end of K, to a thousandth if the cap allows it."""
        found = None
        while self.error is not None:
            found = self.mixed_error() or found
            if found is not None and (found[1] - found[0]).bit_length() <= found[0].bit_length() - ULP_BITS:
                break
            if found is not None and not found[1] or not self.more_bits():
                break
        return as_fractions(found)

    def mixed_error(self) -> Interval | None:
        """K with the present bits, None where the slope is not decided."""
        q, setting = self.bits, self.setting
        size = magnitudes(self.enclosure)
        try:
            scale = setting.scale(self.arguments, q) if self.limit is None else ZERO
        except NoValue:
            return None
        if self.beyond and below(size, scaled(scale, 2 - setting.output.precision)) is not False:
            scale = ZERO
        denominator = plus(scaled(plus(scale, size, q), -setting.output.precision), setting.eta, q)
        return over(self.distance(), denominator, q)

    def more_bits(self) -> bool:
        """Double the precision and look again; False at the cap."""
        while self.bits < PRECISION_CAP:
            self.bits = min(2 * self.bits, PRECISION_CAP)
            try:
                self.enclosure = self.enclose(self.bits)
            except NoValue:
                continue
            self.size = self.setting.size_of(self.enclosure) or self.size
            self.error = self.error_in_ulp()
            return True
        return False

    def ulp_at_most(self, bound: Fraction) -> bool | None:
        """Whether |y - f| / ulp(f) <= bound, at rising precision; None where undecided at the cap or no number."""
        while True:
            answer = is_at_most(self.error, bound)
            if answer is not None or self.error is None or not self.more_bits():
                return answer

    def K_at_most(self, bound: Fraction) -> bool | None:
        """Whether K <= bound, at rising precision; None where undecided at the cap or no number."""
        # K <= 2 |y - f| / ulp(f), because ulp(f) <= 2 u |f| or ulp(f) / 2 <= eta: no slope is needed for most inputs.
        if self.error is None:
            return None
        if is_at_most(self.error, bound / 2):
            return True
        while True:
            answer = is_at_most(self.mixed_error(), bound)
            if answer is not None or not self.more_bits():
                return answer


def is_at_most(a: Interval | None, bound: Fraction) -> bool | None:
    """Whether a number known as an interval is at most a bound; None if open."""
    if a is None:
        return None
    n, d = bound.numerator, bound.denominator
    if order(a[1] * d, a[2], n, 0) <= 0:
        return True
    return False if order(a[0] * d, a[2], n, 0) > 0 else None


def as_fractions(a: Interval | None) -> tuple[Fraction, Fraction] | None:
    """The ends of an interval of numbers >= 0, in place of ends below 2^-FAR_EXPONENT 0 and 2^-FAR_EXPONENT."""
    if a is None:
        return None
    lo, hi, e = a
    tiny = Fraction(1, 1 << FAR_EXPONENT)
    low = Fraction(0) if lo.bit_length() + e < -FAR_EXPONENT else as_fraction(lo, e)
    return low, tiny if hi and hi.bit_length() + e < -FAR_EXPONENT else as_fraction(hi, e)


def as_fraction(m: int, e: int) -> Fraction:
    """m 2^e."""
    if not m:
        return Fraction(0)
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


class SpecialJudged(Judged):
    """A special input, judged: no number is measured."""

    stratum = "special"

    def __init__(self, setting: Setting, due: Due, y: Decoded, y_pattern: int) -> None:
        self.error = self.size = self.limit = None
        right, self.equal, self.expected = setting.meets(due, y, y_pattern)
        self.undecided = right is None
        self.accepted_by = "special" if right else None

    def take(self, flushed_argument: bool) -> None:
        """Accept y as what is due at a flushed argument."""
        if flushed_argument:
            self.equal, self.undecided, self.accepted_by = True, False, "special"

    @property
    def correctly_rounded(self) -> bool | None:
        """Whether y is what is due, or the number that is due rounded to nearest even."""
        return self.equal


def accept(judged: Judged, x: Sequence[Decoded], subnormal: Sequence[bool]) -> None:
    """Find the rule that accepts a number, in the order of the module's list."""
    small = judged.stratum
    if any(subnormal) and small is not None:
        judged.stratum = "subnormal input"
    setting = judged.setting
    by_k = judged.K_at_most(Fraction(K_LIMIT))
    if by_k:
        judged.accepted_by = "K"
        return
    bounds = [running_bound(form, judged.arguments, setting.output) for form in setting.definition.forms]
    finite = isinstance(judged.y, tuple) or judged.y == 0
    if finite and any(holds(bound, as_point(judged.y)) for bound in bounds):
        judged.accepted_by = "running bound"
    elif setting.flushes and flushed(judged, small, x, subnormal):
        judged.accepted_by = "flushed"
    elif not finite and all(bound.overflows for bound in bounds):
        judged.accepted_by = "textbook overflow"
    unknown = judged.stratum is None or judged.rounded is None or (judged.distance_known and judged.error is None)
    judged.undecided = unknown or (by_k is None and judged.error is not None and judged.accepted_by is None)


def holds(bound: Bound, y: Interval) -> bool:
    """Whether a running bound contains y."""
    if bound.interval is None:
        return False
    lo, hi, e = bound.interval
    return order(lo, e, y[0], y[2]) <= 0 <= order(hi, e, y[0], y[2])


def flushed(judged: Judged, small: str | None, x: Sequence[Decoded], subnormal: Sequence[bool]) -> bool:
    """Whether y is ±0 for a subnormal result, or what is due where subnormal arguments are zeros of their sign."""
    if small == "subnormal result" and judged.y == 0:
        return True
    return any(subnormal) and due_at_zeros(judged.setting, x, subnormal, judged.y, judged.y_pattern)


def due_at_zeros(setting: Setting, x: Sequence[Decoded], subnormal: Sequence[bool], y: Decoded, y_pattern: int) -> bool:
    """Whether y is what is due where the subnormal arguments are zeros of their sign."""
    zeros = [
        copysign(0.0, each[0]) if isinstance(each, tuple) and flag else each
        for each, flag in zip(x, subnormal, strict=True)
    ]
    due = setting.rule(*map(as_float, zeros))
    if due is not None:
        return due.judged and bool(setting.meets(due, y, y_pattern)[0])
    return bool(Judged(setting, tuple(map(as_point, zeros)), y, y_pattern).K_at_most(Fraction(K_LIMIT)))


@lru_cache(maxsize=64)
def setting_of(
    name: str,
    conventions: tuple[tuple[str, str | int | Fraction], ...],
    input_format: FloatFormat,
    output_format: FloatFormat,
    flushes: bool,
) -> Setting:
    """The setting, kept."""
    return Setting(cached_definition(name, conventions), input_format, output_format, flushes)


def judge(
    definition_name: str,
    conventions: Mapping[str, str | int | Fraction],
    input_format: FloatFormat,
    output_format: FloatFormat,
    flushes: bool,
    x_patterns: tuple[int, ...],
    y_pattern: int,
) -> Judged:
    """Judge the pattern `y_pattern` (of `output_format`) that a kernel returned for `x_patterns` (of `input_format`).

    `conventions` are those of the certificate: words, or rational numbers written as decimals or quotients. ValueError:
    an unknown definition, convention or value, or a number of arguments that is not that of the definition.
    """
    setting = setting_of(definition_name, ordered_conventions(conventions), input_format, output_format, flushes)
    if len(x_patterns) != setting.definition.arguments:
        raise ValueError(f"{definition_name} takes {setting.definition.arguments} arguments, got {len(x_patterns)}")
    return judge_in(setting, [decode_pattern(pattern, input_format) for pattern in x_patterns], y_pattern)


def judge_in(setting: Setting, x: Sequence[Decoded], y_pattern: int) -> Judged:
    """Judge decoded arguments in a setting."""
    y, emin = decode_pattern(y_pattern, setting.output), setting.input_format.emin
    subnormal = [isinstance(each, tuple) and order(abs(each[0]), each[1], 1, emin) < 0 for each in x]
    due = setting.rule(*map(as_float, x))
    if due is not None:
        special = SpecialJudged(setting, due, y, y_pattern)
        # A subnormal argument outside the domain may be flushed to a zero at its end: log of it is then -inf.
        if special.accepted_by is None and setting.flushes and any(subnormal):
            special.take(due_at_zeros(setting, x, subnormal, y, y_pattern))
        return special
    judged = Judged(setting, tuple(map(as_point, x)), y, y_pattern)
    accept(judged, x, subnormal)
    return judged


# ---- recount: Levels 1 and 2: judge witnesses, some inputs or every input again, and count what the certificate counts.


class Verdict(NamedTuple):
    """One input as the certificate counts it.

    `accepted_by` is None where no rule accepts, `error_class` where no number is judged.
    """

    stratum: str
    accepted_by: str | None
    error_class: str | None
    correctly_rounded: bool
    judged: Judged


class Unsettled(Exception):
    """A question that stayed open at the highest precision."""


class UnknownDefinition(Exception):
    """This checker does not have the definition, or not with these conventions."""


class Count:
    """What a stratum of a certificate counts."""

    def __init__(self) -> None:
        self.count = self.rejected = self.correctly_rounded = self.zero_sign = self.no_number = 0
        self.accepted: Counter[str] = Counter()
        self.histogram: Counter[str] = Counter()
        self.undecided: list[int] = []
        self.ulp = Fraction(0)


class Maxima(NamedTuple):
    """The claimed maxima of a stratum."""

    ulp: Maximum | None
    k: Maximum | None


class Exceeding(NamedTuple):
    """An input at which an error is larger than the claimed maximum: `proved` is None where that stays open."""

    stratum: str
    metric: str
    x: int
    proved: bool | None


class Recount:
    """Counts of all strata, wrong special values, and the inputs that exceed a claimed maximum."""

    def __init__(self) -> None:
        self.strata = {name: Count() for name in STRATA}
        self.wrong: list[tuple[int, int, str]] = []
        self.exceeding: list[Exceeding] = []
        self.unsettled: list[int] = []


def recount(claim: Claim, pairs: Iterable[tuple[int, int]]) -> Recount:
    """Judge inputs x with outputs y, and count."""
    result = Recount()
    maxima = {name: Maxima(claim.maximum(name, "ulp"), claim.maximum(name, "K")) for name in STRATA}
    for x, y in pairs:
        judged = judge_again(claim, x, y)
        try:
            verdict = settle(claim, x, y, judged)
        except Unsettled:
            _leave_open(result, judged, x)
            continue
        _count(result, maxima[verdict.stratum], x, y, verdict)
    return result


def judge_again(claim: Claim, x: int, y: int) -> Judged:
    """Judge one input of the claim's enumeration."""
    definition = claim.predicate["definition"]
    try:
        return judge(
            definition["name"],
            definition["conventions"],
            claim.input_format,
            claim.output_format,
            claim.predicate["environment"]["flushes"],
            claim.patterns(x),
            y,
        )
    except ValueError as error:
        raise UnknownDefinition(str(error)) from None


def settle(claim: Claim, x: int, y: int, judged: Judged) -> Verdict:
    """Return the stratum, the accepting rule and the class of the error of one input. Unsettled: one is open."""
    stratum, rounded, accepted_by = stratum_of(judged), judged.correctly_rounded, judged.accepted_by
    if stratum is None or judged.undecided:
        raise Unsettled
    if stratum == "special input":
        # What is due there may be a range of values; a result that is accepted is right.
        right = accepted_by is not None
        return Verdict(stratum, "special" if right else None, None, right, judged)
    if rounded is None:
        raise Unsettled
    if claim.within is not None:
        accepted_by = _accepted_within(claim, claim.within, x, y, judged)
    if stratum in WITHOUT_MAXIMUM:
        return Verdict(stratum, accepted_by, None, rounded, judged)
    # The nearest number is at most half an ulp away.
    return Verdict(stratum, accepted_by, "0" if rounded else error_class(judged), rounded, judged)


def stratum_of(judged: Judged) -> str | None:
    """Return the stratum in the words of a certificate."""
    return "special input" if judged.stratum == "special" else judged.stratum


def _accepted_within(claim: Claim, within: Fraction, x: int, y: int, judged: Judged) -> str | None:
    """Return "within" or "flushed": the rules that remain where a bound in ulp replaces K and the running bound."""
    if judged.ulp is not None:
        inside = at_most(judged, "ulp", within)
        if inside is None:
            raise Unsettled
        if inside:
            return "within"
    return "flushed" if _flushed(claim, x, y, judged) else None


def _flushed(claim: Claim, x: int, y: int, judged: Judged) -> bool:
    """Whether flushing explains y: a zero for a subnormal result, or the result at zero for a subnormal argument."""
    if not claim.predicate["environment"]["flushes"]:
        return False
    magnitude = y & (2 ** (claim.output_format.width - 1) - 1)
    if judged.stratum == "subnormal result" and magnitude == 0:
        return True
    if judged.stratum != "subnormal input":
        return False
    at_zero = judge_again(claim, _with_subnormals_flushed(claim, x), y)
    return bool(at_zero.correctly_rounded)


def _with_subnormals_flushed(claim: Claim, x: int) -> int:
    """Return the input with every subnormal argument replaced by the zero of its sign."""
    width, precision = claim.input_format.width, claim.input_format.precision
    flushed = 0
    for pattern in claim.patterns(x):
        exponent = (pattern & (2 ** (width - 1) - 1)) >> (precision - 1)
        flushed = flushed << width | (pattern if exponent else pattern & 2 ** (width - 1))
    return flushed


def error_class(judged: Judged) -> str | None:
    """Return the class of the error: 0 up to 1/2 ulp, k from 2^(k-2) (left out) to 2^(k-1); None if it is no number."""
    ends = judged.ulp
    if ends is None:
        return None
    low, high = (_class_of(end) for end in ends)
    while low < high:
        inside = at_most(judged, "ulp", Fraction(2) ** (low - 1))
        if inside is None:
            raise Unsettled
        if inside:
            high = low
        else:
            low += 1
    return str(low)


def _class_of(error: Fraction) -> int:
    """Return ceil(log2(2 error)), and 0 below: 2^(k-2) < error <= 2^(k-1).

    >>> [_class_of(Fraction(n, 8)) for n in (0, 1, 4, 5, 8, 9)]
    [0, 0, 0, 1, 1, 2]
    """
    if 2 * error <= 1:
        return 0
    return (-(-2 * error.numerator // error.denominator) - 1).bit_length()


def at_most(judged: Judged, metric: str, bound: Fraction) -> bool | None:
    """Whether an error is at most a bound; None where that stays open."""
    return judged.ulp_at_most(bound) if metric == "ulp" else judged.K_at_most(bound)


def at_least(judged: Judged, metric: str, bound: Fraction) -> bool | None:
    """Whether an error is at least a bound."""
    low, high = (judged.ulp if metric == "ulp" else judged.K) or (Fraction(0), Fraction(0))
    if low >= bound:
        return True
    if high < bound:
        return False
    # An error that is known exactly was decided above; another one is not equal to the bound, or stays open.
    below = judged.ulp_at_most(bound) if metric == "ulp" else judged.K_at_most(bound)
    return None if below is None else not below


def _leave_open(result: Recount, judged: Judged, x: int) -> None:
    stratum = stratum_of(judged)
    if stratum is None:
        result.unsettled.append(x)
    else:
        count = result.strata[stratum]
        count.count += 1
        count.no_number += 1
        count.undecided.append(x)


def _count(result: Recount, maxima: Maxima, x: int, y: int, verdict: Verdict) -> None:
    count, judged = result.strata[verdict.stratum], verdict.judged
    count.count += 1
    count.correctly_rounded += verdict.correctly_rounded
    count.zero_sign += verdict.stratum != "special input" and judged.zero_sign
    if verdict.accepted_by is not None:
        count.accepted[verdict.accepted_by] += 1
    else:
        count.rejected += 1
        if verdict.stratum == "special input" and len(result.wrong) < LISTED:
            result.wrong.append((x, y, judged.expected or ""))
    if verdict.error_class is None:
        count.no_number += 1
    else:
        count.histogram[verdict.error_class] += 1
        if not judged.ulp_at_most(count.ulp):
            count.ulp = max(count.ulp, (judged.ulp or (count.ulp, count.ulp))[1])
        for metric, maximum in (("ulp", maxima.ulp), ("K", maxima.k)):
            holds = maximum is not None and at_most(judged, metric, maximum.at_most)
            if holds is not True:
                result.exceeding.append(Exceeding(verdict.stratum, metric, x, None if holds is None else True))


# ---- levels: The check of a claim, level by level: consistency and digests (0), witnesses (1), some or all outputs again (2).


#: Domains up to this size are judged in full unless a part is asked for; larger ones by a sample of this many inputs.
FULL = 2**16
SAMPLE = 2000


class Part(NamedTuple):
    """Which outputs are judged again: all, a random sample, or a range of the enumeration."""

    kind: str  # "all", "sample", "range"
    size: int = 0
    first: int = 0
    seed: int = 0


class Checked(NamedTuple):
    """What a check found.

    `word`: "VERIFIED", "REJECTED" or "NOT DECIDED". `level`: the highest level that was gone through.
    `differences`: fields that are not what was recomputed. `undecided`: questions that stayed open.
    `done`, `not_checked`: in words. `maxima`: recomputed upper bounds in ulp by stratum, after a full pass.
    """

    word: str
    level: int
    differences: tuple[Difference, ...]
    undecided: tuple[str, ...]
    done: tuple[str, ...]
    not_checked: tuple[str, ...]
    maxima: dict[str, Fraction]


def check(claim: Claim, sidecars: Sidecars, part: Part) -> Checked:
    """Check a claim with the outputs beside it; stops at the first level that finds a difference."""
    progress = Progress(claim)
    try:
        _go_through(claim, sidecars, part, progress)
    except UnknownDefinition as error:
        progress.undecided.append(f"this checker cannot judge the claim: {error}")
    return progress.result()


class Progress:
    """What a check has found so far."""

    def __init__(self, claim: Claim) -> None:
        self.level = 0
        self.differences: list[Difference] = []
        self.undecided: list[str] = []
        self.done: list[str] = []
        self.not_checked = _beyond(claim)
        self.maxima: dict[str, Fraction] = {}

    def result(self) -> Checked:
        """Return the verdict on what was found."""
        return Checked(
            "REJECTED" if self.differences else "NOT DECIDED" if self.undecided else "VERIFIED",
            self.level,
            tuple(self.differences),
            tuple(self.undecided),
            tuple(self.done),
            tuple(self.not_checked),
            self.maxima,
        )


def _go_through(claim: Claim, sidecars: Sidecars, part: Part, progress: Progress) -> None:
    progress.differences += [*at_odds(claim), *sidecars.differences]
    if progress.differences:
        return
    progress.done.append("the counts, words and digests agree with one another")
    progress.level = 1
    progress.differences += witnesses(claim, sidecars.outputs, progress.undecided)
    if progress.differences:
        return
    progress.done.append("every witness was judged again")
    if sidecars.outputs is None:
        progress.not_checked.insert(0, _why_no_outputs(claim, sidecars))
        missing = [f"the sidecar {name} does not lie beside the certificate" for name in sidecars.missing]
        progress.undecided += missing
        return
    progress.level = 2
    progress.differences += strange_nans(sidecars.outputs, claim.output_format)
    found, words = again(claim, sidecars.outputs, part)
    progress.differences += compare(claim, found, progress.undecided, full=part.kind == "all")
    progress.done += words
    if part.kind == "all":
        progress.maxima = {name: found.strata[name].ulp for name in STRATA if claim.maximum(name, "ulp") is not None}
    else:
        progress.not_checked.append("counts and lower bounds of maxima, which need every output")


def _beyond(claim: Claim) -> list[str]:
    """Say what no reader of the file alone can check."""
    finding = claim.predicate["verdict"]["finding"]
    found = ["that these outputs are those of the subject (run it: lenticulum verify FILE --subject TARGET)"]
    if finding is not None and finding["kind"] in ABOUT_RUNS:
        found.append(f"the finding '{finding['kind']}', which is about runs of the subject")
    found.append("the subject's and the definition's digest, the mode, the shape class, versions, engines")
    return found


def _why_no_outputs(claim: Claim, sidecars: Sidecars) -> str:
    outputs = claim.predicate["outputs"]
    if outputs is None:
        return "inputs other than the witnesses: a claim about a part of the domain carries no outputs"
    if sidecars.missing:
        return "inputs other than the witnesses: the outputs are missing"
    return "inputs other than the witnesses: the outputs are not kept, only the root of their hashes"


def witnesses(claim: Claim, outputs: bytes | None, undecided: list[str]) -> Iterator[Difference]:
    """Level 1: judge every witness again and compare it with its output, its stratum and its bounds."""
    for path, stratum, metric, maximum in claim.maxima():
        yield from _same_output(claim, path, maximum.x, maximum.y, outputs)
        yield from _witness(claim, path, stratum, metric, maximum, undecided)
    width = claim.arguments * claim.input_format.width
    for position, each in enumerate(claim.predicate["special"]["wrong"]):
        path, x, y = f"special.wrong[{position}]", read_pattern(each["x"]), read_pattern(each["y"])
        yield from _same_output(claim, path, x, y, outputs)
        judged = judge_again(claim, x, y)
        yield from differs(f"{path}.x", stratum_of(judged), "special input")
        if not same_number(each["expected"], judged.expected or ""):
            yield Difference(f"{path}.expected", each["expected"], judged.expected)
        if judged.accepted_by is not None:
            yield Difference(path, "wrong", f"accepted by {judged.accepted_by}")
    for name in STRATA:
        for text in claim.predicate["strata"][name]["undecided"]:
            if outputs is None:
                undecided.append(f"input {write_pattern(read_pattern(text), width)}, undecided by the claim")
    yield from _rejected_finding(claim, outputs, undecided)


def _same_output(claim: Claim, path: str, x: int, y: int, outputs: bytes | None) -> Iterator[Difference]:
    if outputs is not None:
        width = claim.output_format.width
        recomputed = write_pattern(pattern_at(outputs, x, claim.output_format), width)
        yield from differs(f"{path}.y", write_pattern(y, width), recomputed)


def _witness(
    claim: Claim, path: str, stratum: str | None, metric: str, maximum: Maximum, undecided: list[str]
) -> Iterator[Difference]:
    judged = judge_again(claim, maximum.x, maximum.y)
    try:
        verdict = settle(claim, maximum.x, maximum.y, judged)
    except Unsettled:
        undecided.append(f"{path}: the witness")
        return
    if stratum is not None:
        yield from differs(f"{path}.x", stratum, verdict.stratum)
    if verdict.error_class is None:
        if stratum is not None or judged.ulp is None:
            yield Difference(f"{path}.x", "an error", "no number is judged there")
        return
    for name, holds in (
        ("at_least", at_least(judged, metric, maximum.at_least)),
        ("at_most", at_most(judged, metric, maximum.at_most)),
    ):
        if holds is None:
            undecided.append(f"{path}.{name} at its witness")
        elif not holds:
            error = judged.ulp if metric == "ulp" else judged.K
            assert error is not None
            yield Difference(f"{path}.{name}", float(getattr(maximum, name)), f"{float(error[0])} at the witness")


def same_number(claimed: str, recomputed: str) -> bool:
    """Whether two words for a number agree; a limit such as pi/2 is written by either side with its own last digit.

    >>> same_number("0x1.921fb54442d18p+0", "0x1.921fb54442d19p+0"), same_number("inf", "nan")
    (True, False)
    """
    if claimed == recomputed:
        return True
    try:
        a, b = float.fromhex(claimed), float.fromhex(recomputed)
    except (ValueError, OverflowError):
        return False
    return claimed == a.hex() and abs(a - b) <= 2.0**-50 * abs(b)


def _rejected_finding(claim: Claim, outputs: bytes | None, undecided: list[str]) -> Iterator[Difference]:
    """Judge the finding again: no rule accepts it, and its K is at least what is claimed."""
    finding = claim.predicate["verdict"]["finding"]
    if finding is None or finding["x"] is None or finding["kind"] in ABOUT_RUNS:
        return
    x, y = read_pattern(finding["x"]), read_pattern(finding["y"])
    yield from _same_output(claim, "verdict.finding", x, y, outputs)
    judged = judge_again(claim, x, y)
    try:
        verdict = settle(claim, x, y, judged)
    except Unsettled:
        undecided.append("verdict.finding: the witness")
        return
    if verdict.accepted_by is not None:
        yield Difference("verdict.finding", finding["kind"], f"accepted by {verdict.accepted_by}")
    yield from _kind(finding["kind"], verdict.stratum, judged)
    if finding["k"] is not None:
        claimed = read_bound(finding["k"])
        holds = judged.ulp is not None and at_least(judged, "K", claimed)
        if holds is None:
            undecided.append("verdict.finding.k")
        elif not holds:
            yield Difference("verdict.finding.k", float(claimed), "less")


def _kind(kind: str, stratum: str, judged: Any) -> Iterator[Difference]:
    """Compare the kind with what the input allows: an error of a number is no wrong special value, nor the reverse."""
    if stratum == "special input":
        yield from differs("verdict.finding.kind", kind, "special-value")
    elif judged.ulp is not None and kind == "special-value" and stratum not in WITHOUT_MAXIMUM:
        yield Difference("verdict.finding.kind", kind, "a number was returned for a number")


def again(claim: Claim, outputs: bytes, part: Part) -> tuple[Recount, list[str]]:
    """Level 2: judge the chosen outputs again, and say which these were."""
    count = claim.count
    if part.kind == "sample":
        size = min(part.size, count)
        chosen = random.Random(part.seed).sample(range(count), size)
        words = [f"{grouped(size)} outputs drawn with seed {part.seed} were judged again", detection_words(size, count)]
    else:
        chosen = range(count) if part.kind == "all" else range(part.first, min(part.first + part.size, count))
        words = [f"every output ({grouped(count)}) was judged again"]
        if part.kind == "range":
            words = [f"the outputs of {grouped(len(chosen))} inputs from {part.first:#x} on were judged again"]
    return recount(claim, ((x, pattern_at(outputs, x, claim.output_format)) for x in chosen)), words


def compare(claim: Claim, found: Recount, undecided: list[str], *, full: bool) -> Iterator[Difference]:
    """Compare the counts of a certificate with those recomputed; of a part, only what a part can contradict."""
    width = claim.arguments * claim.input_format.width
    for stratum, metric, x, proved in found.exceeding:
        path = f"strata.{stratum}.{metric}.at_most"
        if proved:
            claimed = claim.predicate["strata"][stratum][metric]
            yield Difference(path, claimed and claimed["at_most"], f"more at input {write_pattern(x, width)}")
        else:
            undecided.append(f"{path} at input {write_pattern(x, width)}")
    undecided += [f"the stratum of input {write_pattern(x, width)}" for x in found.unsettled]
    yield from _whole(claim, found, undecided) if full else _partial(claim, found)


def _whole(claim: Claim, found: Recount, undecided: list[str]) -> Iterator[Difference]:
    input_width, output_width = claim.arguments * claim.input_format.width, claim.output_format.width
    for name in STRATA:
        claimed, count = claim.predicate["strata"][name], found.strata[name]
        open_inputs = [write_pattern(x, input_width) for x in count.undecided]
        extra = [x for x in open_inputs if x not in set(claimed["undecided"])]
        if extra or found.unsettled:
            # The counts cannot agree; what is open is reported instead, and no difference is made of it.
            undecided += [f"input {x} in stratum {name}" for x in extra]
            continue
        yield from differs(f"strata.{name}.undecided", claimed["undecided"], open_inputs)
        for field in ("count", "rejected", "correctly_rounded", "zero_sign", "no_number"):
            yield from differs(f"strata.{name}.{field}", claimed[field], getattr(count, field))
        yield from differs(f"strata.{name}.accepted", claimed["accepted"], dict(count.accepted))
        if claimed["histogram"] is not None:
            yield from differs(f"strata.{name}.histogram", claimed["histogram"], dict(count.histogram))
    wrong = [(write_pattern(x, input_width), write_pattern(y, output_width)) for x, y, _ in found.wrong]
    claimed = claim.predicate["special"]["wrong"]
    yield from differs("special.wrong", [(each["x"], each["y"]) for each in claimed], wrong)


def _partial(claim: Claim, found: Recount) -> Iterator[Difference]:
    """Of a part, no count can be larger than the claimed one."""
    for name in STRATA:
        claimed, count = claim.predicate["strata"][name], found.strata[name]
        pairs = [
            (field, claimed[field], getattr(count, field))
            for field in ("count", "rejected", "correctly_rounded", "no_number")
        ]
        pairs += [(f"accepted.{by}", claimed["accepted"].get(by, 0), n) for by, n in count.accepted.items()]
        if claimed["histogram"] is not None:
            pairs += [(f"histogram.{k}", claimed["histogram"].get(k, 0), n) for k, n in count.histogram.items()]
        for field, most, recomputed in pairs:
            if recomputed > most:
                yield Difference(f"strata.{name}.{field}", most, f"at least {recomputed}")


# ---- main: The command line of the checker: read, parse, check, report. It runs no code that a certificate names.


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
