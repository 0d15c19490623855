"""Texts from outside as lines of a file or a terminal: whatever could break either is taken out."""

from __future__ import annotations

__all__ = ["one_line", "printable"]


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
