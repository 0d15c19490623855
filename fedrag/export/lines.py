"""Texts from outside as lines of a file or a terminal: whatever could break either is taken out."""

from __future__ import annotations

from urllib.parse import urlsplit

__all__ = ["one_line", "printable", "web_address"]


def printable(text: str) -> str:
    """The text without control characters and half characters; line ends and tabs stay.

    >>> printable("a\\x1b[31mb\\ud800\\n")
    'a[31mb\\n'
    """
    if text.isprintable():
        return text
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


def one_line(text: str) -> str:
    """The text on one line, single spaces between its words, without control characters.

    >>> one_line("a\\tb\\r\\n c\\x1b")
    'a b c'
    """
    return printable(" ".join(text.split()))


def web_address(url: str | None) -> str:
    """The address where it is one of the web, else nothing: a source may send any string.

    >>> web_address("https://civicdb.org/1"), web_address("javascript:x"), web_address("http://[x")
    ('https://civicdb.org/1', '', '')
    """
    try:
        return url if url and urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:
        return ""
