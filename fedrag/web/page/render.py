"""Templates and assets: everything that a browser gets from this page, and nothing from elsewhere.

Every value is escaped by the templates themselves; texts are cleaned on their way in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fedrag import __version__
from fedrag.web.page.drawing import kind_of
from fedrag.web.page.wording import (
    clean,
    keyed,
    lead_and_list,
    plain_name,
    safe_url,
    short_url,
    source_url,
    value_text,
)

__all__ = ["asset", "asset_name", "content_html", "page_html", "split_page", "warm_up"]

_HERE = Path(__file__).parent
_TYPES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_KINDS = {
    "gene": "gene or protein",
    "drug": "drug or chemical",
    "disease": "disease or phenotype",
    "process": "process or pathway",
    "other": "other",
}
_EMPTY: Mapping[str, Any] = {"error": None, "answer": None, "held": False, "waiting": False}


def page_html(view: Mapping[str, Any]) -> str:
    """The whole page.

    :param view: what the views made of a question and its outcome.
    """
    return _rendered("page.html", view)


def split_page(view: Mapping[str, Any]) -> tuple[str, str]:
    """What stands before and after the content, for a page whose content is still to come.

    The first part leaves a list of lines open, for progress; :func:`content_html` goes after
    ``</div>``.
    """
    before, _, after = page_html({**view, "waiting": True}).partition("<!--content-->")
    return before, after


def content_html(view: Mapping[str, Any]) -> str:
    """The part under the form alone, for a script that keeps the rest."""
    return _rendered("content.html", view)


def warm_up() -> None:
    """Compile the templates, so that the first page need not wait for it."""
    made = _templates()
    for name in made.list_templates():
        made.get_template(name)


def _rendered(name: str, view: Mapping[str, Any]) -> str:
    return _templates().get_template(name).render({**_EMPTY, **view})


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "addressed": _addressed,
        "keyed": keyed,
        "kind": kind_of,
        "lead_and_list": lead_and_list,
        "plain_name": plain_name,
        "safe_url": safe_url,
        "value_text": value_text,
    }
    made.globals |= {
        "assets": {name.partition(".")[2]: asset_name(name) for name in ("page.css", "page.js")}
        | {"icon": asset_name("icon.svg")},
        "kind_names": _KINDS,
        "version": __version__,
    }
    return made


def _addressed(items: Iterable[str]) -> list[tuple[str | None, str]]:
    """Publications or addresses, each with where it can be read and what to call it."""
    return [(source_url(item), short_url(item)) for item in items]


def asset_name(name: str) -> str:
    """A file's name with a mark of its content, so that a browser may keep it for good.

    >>> asset_name("page.css").startswith("page.css?v=")
    True
    """
    return f"{name}?v={hashlib.sha256(_read(name)).hexdigest()[:12]}"


def asset(name: str) -> tuple[bytes, str] | None:
    """A file's content and media type; None where there is no such file.

    >>> asset("../routes.py") is None
    True
    """
    return (_read(name), _TYPES[name]) if name in _TYPES else None


@cache
def _read(name: str) -> bytes:
    return (_HERE / "assets" / name).read_bytes()
