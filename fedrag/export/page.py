"""One HTML page that stands alone: the answer with links to its evidence, sources, publications.

No script, nothing fetched, and a content security policy that allows neither; it can be mailed,
archived and printed. :func:`~fedrag.export.html.answer_to_html` is the small form for notebooks.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedrag import __version__
from fedrag.datamodel import Answer, ServiceReport
from fedrag.export.citations import Publication, publications
from fedrag.export.json import publication_url
from fedrag.export.lines import printable, web_address
from fedrag.export.text import replay_banner
from fedrag.trapi import write_graph

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["answer_to_page", "segments"]

_HERE = Path(__file__).resolve().parent
_CITATION = re.compile(r"\[(E\d+(?:\s*[,;]\s*E\d+)*)\]")


def answer_to_page(answer: Answer) -> str:
    """The whole answer as one self-contained HTML page; everything from outside is escaped.

    Each key of the answer is a link to its evidence (``#E1``).
    """
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _template().render(
        answer=answer,
        banner=replay_banner(answer) if answer.mode == "replay" else "",
        digest=digest,
        publications=publications(answer),
        query_graph=_query_graph(answer),
        said=list(segments(answer)),
        services=_services(answer),
        sources=Counter(edge.primary_source for edge in answer.all_edges).most_common(),
        style=style,
        version=__version__,
        when=answer.recorded.get("recorded_at") or answer.timings.get("asked_at", ""),
    )


def segments(answer: Answer) -> Iterator[tuple[str, bool]]:
    """The answer's text in pieces; a piece is a key of the evidence where the second is true.

    A key that no evidence has stays text.
    """
    known = {item.key for item in answer.evidence}
    for number, piece in enumerate(_CITATION.split(answer.text)):
        if number % 2 == 0:
            yield piece, False
            continue
        yield "[", False
        for part in re.split(r"(E\d+)", piece):
            yield part, part in known
        yield "]", False


def _services(answer: Answer) -> list[ServiceReport]:
    """Those that were asked first, the most edges first."""
    unasked = ("inapplicable", "skipped", "needs_key")
    return sorted(answer.services, key=lambda s: (s.state in unasked, -s.edges, s.service))


def _query_graph(answer: Answer) -> str:
    if answer.plan is None:
        return ""
    return json.dumps(write_graph(answer.plan.nodes, answer.plan.edges), indent=2)


# --- the template -------------------------------------------------------------------------------


@cache
def _template() -> Template:
    """Compiled once; imported late, since jinja2 costs more than most runs need."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup, escape

    def shown(value: Any) -> Any:
        """Without controls that no page may hold; a page's own markup stays as it is."""
        return value if isinstance(value, Markup) else escape(printable(str(value)))

    environment = Environment(
        autoescape=True,
        finalize=shown,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"address": web_address, "publication": _publication, "plain": _plain}
    return environment.from_string((_HERE / "page.html").read_text(encoding="utf-8"))


def _publication(found: Publication | str) -> str:
    return web_address(publication_url(found) if isinstance(found, str) else found.url)


def _plain(name: str) -> str:
    """A name of Biolink for reading.

    >>> _plain("biolink:object_aspect_qualifier")
    'object aspect qualifier'
    """
    return name.removeprefix("biolink:").replace("_", " ")
