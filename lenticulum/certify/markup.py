"""Elements of HTML and SVG as text. Whatever is not an element is escaped, so no text can become markup."""

from __future__ import annotations

from html import escape

from lenticulum.certify.checker.main import printable

#: Elements without an end tag.
_VOID = {"meta", "br"}


class Markup(str):
    """Text that is markup already."""


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Return an element; children that are not markup are escaped, and so is every attribute.

    In the names of attributes a trailing underscore is dropped and others become hyphens. An attribute None is left
    out.

    >>> element("p", "a < b", element("b", "c"), class_="note")
    '<p class="note">a &lt; b<b>c</b></p>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    content = "".join(child if isinstance(child, Markup) else escaped(child) for child in children)
    return Markup(f"<{tag}{named}>{content}" + ("" if tag in _VOID else f"</{tag}>"))


def escaped(value: object) -> str:
    """Return text with the characters of markup escaped, and those that do not show written as in Python.

    >>> escaped('<b>' + chr(0x202E))
    '&lt;b&gt;\\\\u202e'
    """
    return "\n".join(escape(printable(line)) for line in str(value).split("\n"))
