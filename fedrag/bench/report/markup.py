"""HTML that cannot be broken by what it holds: plain strings are escaped, only markup is not."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import urlsplit

from fedrag.export.json import publication_url
from fedrag.export.lines import printable

__all__ = ["Html", "clean", "join", "link", "publication", "tag", "text"]

_VOID = frozenset({"br", "col", "input", "meta"})


class Html(str):
    """A string that is markup already; made by :func:`tag`, :func:`text` and :func:`join` alone."""

    __slots__ = ()


def clean(value: str) -> str:
    """The string without what no page may hold: controls, half characters, turned directions.

    >>> clean("a\\x00b\\ud800\\u202ec")
    'abc'
    """
    return printable(value)


def text(value: object) -> Html:
    """Anything as text of the page; markup stays as it is.

    >>> text("a <b>")
    'a &lt;b&gt;'
    """
    return value if isinstance(value, Html) else Html(escape(clean(str(value)), quote=True))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """One element. ``class_`` stands for ``class``, ``aria_label`` for ``aria-label``.

    An attribute that is ``None`` or ``False`` is left out, one that is ``True`` has no value.

    >>> tag("a", "x & y", href="#q1", class_="n", hidden=False)
    '<a href="#q1" class="n">x &amp; y</a>'
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{join(children)}</{name}>")


def join(children: Iterable[object], between: str = "") -> Html:
    """Children one after another, each escaped unless it is markup.

    >>> join(["<", tag("br")], ", ")
    '&lt;, <br>'
    """
    return Html(text(between).join(text(child) for child in children))


def link(url: str | None, label: str) -> Html:
    """A link where the address is http(s), else the label alone: a source may send any string.

    >>> link("javascript:alert(1)", "x")
    'x'
    """
    return tag("a", label, href=url, rel="noopener noreferrer") if _safe(url) else text(label)


def publication(curie: str) -> Html:
    """A publication as a link where its CURIE has a page, else as it was given.

    >>> publication("PMID:15774254")[:53]
    '<a href="https://pubmed.ncbi.nlm.nih.gov/15774254/" r'
    """
    return link(publication_url(curie), curie)


def _safe(url: str | None) -> bool:
    try:
        return bool(url) and urlsplit(url or "").scheme in ("http", "https")
    except ValueError:  # "http://[" is no address
        return False
