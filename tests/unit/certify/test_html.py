"""The page of a result: self-contained, escaped, accessible, and true to the numbers that it shows."""

import base64
import hashlib
import json
import math
import re
import shlex
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum import cli
from lenticulum.certify import certify
from lenticulum.certify.appraisal import appraise, worst_inputs
from lenticulum.certify.html import certify_command, page
from lenticulum.certify.html_picture import BOTTOM, FLOOR, LEFT, RIGHT, TOP, bars, picture
from lenticulum.certify.html_style import STYLE
from lenticulum.certify.html_tables import down, percentage, up
from lenticulum.certify.result import CertifyResult
from lenticulum.check.errors import CallError

HOSTILE = '</title><script>alert(1)</script><img src=x onerror="alert(2)">\'"&\u202e'


def coarse_exp(x):
    """The exponential, far too large between 2 and 4."""
    y = np.exp(x)
    return np.where((x >= 2) & (x < 4), y * x.dtype.type(1.25), y)


def nothing(x):
    """No number anywhere."""
    return x * np.nan


@pytest.fixture(scope="module")
def conforming() -> CertifyResult:
    return certify("numpy:exp", "exp", dtype="float16")


@pytest.fixture(scope="module")
def differing() -> CertifyResult:
    return certify(coarse_exp, "exp", dtype="float16", backend="numpy")


@pytest.fixture(scope="module")
def small() -> CertifyResult:
    return certify("jax.numpy:tanh", "tanh", dtype="float8_e5m2")


class Reader(HTMLParser):
    """The elements of a page with their attributes, and its text; elements that are not closed are an error."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)
        if "tr" in self.open:
            self.rows[-1][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for each, attributes in self.elements if each == tag]


def drawing(result: CertifyResult) -> ElementTree.Element:
    """Return the picture as XML, without its name space."""
    return ElementTree.fromstring(
        picture(result, worst_inputs(result)).replace(' xmlns="http://www.w3.org/2000/svg"', "")
    )


def test_a_page_refers_to_no_other_file_and_runs_nothing(conforming, differing):
    for result in (conforming, differing):
        text = page(result)
        read = Reader(text)
        assert {"script", "link", "img", "iframe", "object", "embed", "form", "a"}.isdisjoint(
            t for t, _ in read.elements
        )
        attributes = {name for _, named in read.elements for name in named}
        assert not {name for name in attributes if name.startswith("on")} | attributes & {"src", "href", "style"}
        assert set(re.findall(r"[a-z]+://[^\s\"<]*", text)) == {"http://www.w3.org/2000/svg"}
        assert "@import" not in text
        assert "url(" not in STYLE


def test_the_content_policy_allows_the_style_sheet_by_its_hash_and_nothing_else(conforming):
    text = page(conforming)
    policy = next(each["content"] for each in Reader(text).all("meta") if "http-equiv" in each)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def hostile(result: CertifyResult, word: str) -> CertifyResult:
    """Return a result with a word wherever the subject or its environment has a say."""
    subject = replace(result.campaign.subjects[0], name=f"m{word}:f", bind=((word, word),))
    assert result.finding is not None
    return replace(
        result,
        campaign=replace(result.campaign, subjects=(subject,)),
        finding=replace(result.finding, exact=word, kind=word),
        witness=(word, word),
        matches=(word,),
        notes=(word,),
        not_claimed=(word,),
        surroundings={**result.surroundings, "device": word, "versions": {word: word}},
    )


def test_no_text_of_the_subject_becomes_markup(differing):
    # The elements and attributes of the page are those that a harmless word of the same shape gives.
    harmless, harmful = Reader(page(hostile(differing, "word"))), Reader(page(hostile(differing, HOSTILE)))
    assert [tag for tag, _ in harmful.elements] == [tag for tag, _ in harmless.elements]
    assert [sorted(named) for _, named in harmful.elements] == [sorted(named) for _, named in harmless.elements]
    shown = "".join(harmful.text)
    assert "<script>alert(1)</script>" in shown  # as text
    assert "\u202e" not in page(hostile(differing, HOSTILE))
    assert r"\u202e" in shown


def test_the_same_result_gives_the_same_bytes(conforming):
    assert page(conforming) == page(replace(conforming, seconds=conforming.seconds + 60))


def test_the_page_says_verdict_claim_and_bounds(conforming, differing):
    text = "".join(Reader(page(conforming)).text)
    regular = conforming.merged.strata["regular"]
    assert "CONFORMS" in text
    assert "On every input (65 536) of binary16, numpy:exp (eager; " in text
    assert regular.ulp.at_most.hex() in text
    assert f"0x{regular.ulp.x[0]:04x}" in text
    assert all(words in text for words in conforming.not_claimed)
    text = "".join(Reader(page(differing)).text)
    assert "DIFFERS (formula)" in text
    assert differing.finding is not None
    assert f"0x{differing.finding.x[0]:04x}" in text
    assert "\n".join(differing.witness) in text


def test_every_stratum_has_a_row_with_its_counts(differing):
    rows = {row[0]: row for row in Reader(page(differing)).rows}
    for name, found in differing.merged.strata.items():
        if found.count:
            counts = rows[name][1].replace(" ", ""), rows[name][3].replace(" ", "")
            assert counts == (str(found.count), str(found.rejected))
            for way, count in found.accepted.items():
                assert f"{count:,} by {way}".replace(",", " ") in rows[name][2]


def test_tables_have_headers_and_captions_and_the_picture_a_title(differing):
    read = Reader(page(differing))
    assert len(read.all("caption")) == len(read.all("table")) >= 2
    assert {each.get("scope") for each in read.all("th")} == {"col", "row"}
    (svg,) = read.all("svg")
    names = {each.get("id") for each in (*read.all("title"), *read.all("desc"))}
    assert svg["role"] == "img"
    assert set(str(svg["aria-labelledby"]).split()) <= names
    assert read.all("html") == [{"lang": "en"}]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_stands_out_from_its_ground(scheme):
    # WCAG 2.2, 1.4.3 and 1.4.11: 4.5 to 1 for text, 3 to 1 for graphics.
    blocks = re.findall(r":root \{([^}]*)\}", STYLE)
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]+)", blocks[["light", "dark"].index(scheme)]))
    for ground in ("paper", "plot"):
        for text in ("ink", "soft"):
            assert contrast(colours[text], colours[ground]) >= 4.5
        for drawn in ("regular", "result", "overflow", "input", "bound"):
            assert contrast(colours[drawn], colours[ground]) >= 3
    for verdict in ("bound", "input", "result"):
        assert contrast(colours[verdict], colours["paper"]) >= 4.5


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_bar_of_a_binade_ends_at_its_largest_error(differing):
    svg = drawing(differing)
    path = next(each for each in svg.iter("path") if each.get("class") == "regular")
    drawn = re.findall(r"M([\d.]+) [\d.]+V([\d.]+)H([\d.]+)V", path.get("d") or "")
    # The binade of 2 is the seventeenth from zero, the subnormal numbers being the first, and 31 lie on each side.
    wide = (RIGHT - LEFT) / 62
    middle = (LEFT + RIGHT) / 2 + 16.5 * wide
    (bar,) = [each for each in drawn if float(each[0]) <= middle <= float(each[2])]
    # Its error is about a quarter of e^x, largest relative to the spacing 2^(e - 10) where e^x is near 2^(e + 1).
    largest = max(each.error for each in bars(differing))
    assert 500 <= largest <= 513
    top = BOTTOM - (BOTTOM - TOP) * math.log(largest / FLOOR) / math.log(1000 / FLOOR)
    assert float(bar[1]) == pytest.approx(top, abs=0.06)
    assert min(float(each[1]) for each in drawn) == float(bar[1])


def test_the_line_of_k_is_where_k_would_be_four():
    # exp: sum |x f'| = |x| e^x, so K = 4 at an error of 4 u (|x| + 1) e^x (eta is far below).
    result = certify("numpy:exp", "exp", dtype="float16", sample=64)
    for x, bits in ((1.0, 0x3C00), (-2.5, 0xC100), (3.25, 0x4280)):
        (found,) = appraise(result.campaign, [((bits,), 0x3C00)])
        with mpmath.workdps(30):
            value = mpmath.exp(x)
            ulp = mpmath.mpf(2) ** (mpmath.floor(mpmath.log(value, 2)) - 10)
            expected = 4 * (mpmath.mpf(2) ** -11 * (abs(x) + 1) * value + mpmath.mpf(2) ** -25) / ulp
            error = abs(1 - value) / ulp
        assert found.stratum == "regular"
        assert found.allowed == pytest.approx(float(expected), rel=1e-12)
        assert found.ulp is not None
        assert found.ulp[0] <= float(error) <= found.ulp[1]
        assert found.k is not None
        assert found.k[1] == pytest.approx(4 * float(error / expected), rel=1e-12)


def test_a_special_input_has_no_error(conforming):
    (found,) = appraise(conforming.campaign, [((0x7C00,), 0x7C00)])
    assert (found.stratum, found.ulp, found.k) == (None, None, None)


def test_worst_inputs_are_marked_where_they_lie(differing):
    worst = worst_inputs(differing)
    assert worst[0].what[0] == "worst rejected input"
    numbers = [each.text for each in drawing(differing).iter("text") if each.get("class") == "number"]
    assert numbers == [str(place) for place, each in enumerate(worst, 1) if each.at.ulp is not None]
    wide = (RIGHT - LEFT) / 62
    dots = [float(each.get("cx") or 0) for each in drawing(differing).iter("circle") if each.get("class") == "dot"]
    # The finding lies between 2 and 4.
    assert (LEFT + RIGHT) / 2 + 16 * wide <= dots[0] <= (LEFT + RIGHT) / 2 + 17 * wide


@given(st.floats(min_value=0, max_value=1e308))
def test_decimals_of_bounds_are_rounded_outwards(value):
    assert Fraction(down(value)) <= Fraction(value) <= Fraction(up(value))
    assert Fraction(up(value)) - Fraction(down(value)) <= Fraction(value) / 1000


@given(st.integers(1, 2**32), st.data())
def test_a_share_is_hundred_percent_for_all_only(whole, data):
    part = data.draw(st.integers(0, whole))
    assert (percentage(part, whole) == "100 %") == (part == whole)
    assert Fraction(percentage(part, whole).removesuffix(" %")) <= Fraction(100 * part, whole)


def test_the_command_of_a_page_makes_the_same_claim(small, tmp_path, capsys):
    words = certify_command(small)
    assert shlex.join(words) in "".join(Reader(page(small)).text)
    code = cli.run([*words[1:-1], str(tmp_path / "result.json")])
    capsys.readouterr()
    made = json.loads((tmp_path / "result.json").read_text())["predicate"]
    assert code == small.exit_code
    assert made["claim"] in "".join(Reader(page(small)).text)


@pytest.mark.parametrize(
    ("subject", "spec", "options"),
    [
        (nothing, "exp", {"dtype": "float16", "backend": "numpy"}),
        ("numpy:hypot", "hypot", {"dtype": "float16", "sample": 4096}),
        ("numpy:sqrt", "sqrt", {"dtype": "float64", "sample": 256}),
        ("numpy:exp", "exp", {"dtype": "float16", "within": Fraction(1, 4)}),
        ("numpy:log", "log", {"dtype": "float16", "part": (1, 8)}),
    ],
)
def test_every_kind_of_result_has_a_page(subject, spec, options):
    result = certify(subject, spec, **options)
    text = "".join(Reader(page(result)).text)
    assert result.verdict.upper() in text
    assert result.coverage in text
    root = drawing(result)
    heights = [float(y) for path in root.iter("path") for y in re.findall(r"V([\d.-]+)H", path.get("d") or "")]
    clipped = [path for path in root.iter("path") if path.get("clip-path")]
    assert all(TOP <= y <= BOTTOM for y in heights) or clipped


def test_a_part_of_a_run_claims_nothing():
    result = certify("numpy:exp", "exp", dtype="float16", part=(1, 8))
    assert result.verdict == "not covered"
    assert "None: the run covers a part (8 192 of 65 536)" in "".join(Reader(page(result)).text)


def test_the_command_line_writes_the_page(tmp_path: Path, capsys):
    file = tmp_path / "page.html"
    assert cli.run(["certify", "numpy:exp", "--spec", "exp", "--dtype", "float16", "--html", str(file)]) == 0
    capsys.readouterr()
    assert "CONFORMS" in "".join(Reader(file.read_text(encoding="utf-8")).text)


def test_a_page_that_cannot_be_written_is_a_wrong_call(tmp_path: Path):
    from lenticulum.certify.command import deliver

    result = certify("numpy:exp", "exp", dtype="float16", part=(1, 8))
    with pytest.raises(CallError, match="cannot be written"):
        deliver(result, None, str(tmp_path / "missing" / "page.html"), None, False)
