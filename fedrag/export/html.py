"""A small page for notebooks: the answer, its evidence with links, and the service table."""

from __future__ import annotations

from html import escape

from fedrag.datamodel import Answer, Edge, Evidence
from fedrag.export.json import publication_url
from fedrag.export.lines import web_address
from fedrag.export.text import replay_banner

__all__ = ["answer_to_html"]


def answer_to_html(answer: Answer) -> str:
    """HTML without scripts or styles of its own; everything from outside is escaped."""
    evidence = "".join(_evidence(item) for item in answer.evidence)
    services = "".join(
        f"<tr><td>{escape(s.service)}</td><td>{s.state}</td><td>{escape(s.reason)}</td>"
        f"<td>{s.edges}</td></tr>"
        for s in answer.services
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in answer.notes)
    replayed = answer.mode == "replay"
    banner = f"<p><em>{escape(replay_banner(answer))}</em></p>" if replayed else ""
    return (
        f"<div class='fedrag'>{banner}<p>{escape(answer.text)}</p>"
        f"<p>completeness: {answer.completeness}</p>"
        f"<details open><summary>Evidence</summary><ol>{evidence}</ol></details>"
        "<details><summary>Services</summary><table><tr><th>service</th><th>state</th>"
        f"<th>reason</th><th>edges</th></tr>{services}</table></details>"
        f"<details><summary>Notes</summary><ul>{notes}</ul></details></div>"
    )


def _evidence(evidence: Evidence) -> str:
    links = " ".join(_links(edge) for edge in evidence.edges)
    return f"<li>[{evidence.key}] {escape(evidence.sentence)} <small>{links}</small></li>"


def _links(edge: Edge) -> str:
    parts = [escape(edge.primary_source), escape(edge.knowledge_level)]
    for publication in edge.publications:
        parts.append(_link(publication_url(publication), publication))
    parts += [f"cited by the record: {_link(publication_url(p), p)}" for p in edge.cited_by_record]
    parts += [_link(url, "record") for url in edge.record_urls]
    return ", ".join(parts)


def _link(url: str | None, text: str) -> str:
    """A link only to http(s): a source may send any string as an address."""
    if url and web_address(url):
        return f'<a href="{escape(url, quote=True)}" rel="noopener">{escape(text)}</a>'
    return escape(text)
