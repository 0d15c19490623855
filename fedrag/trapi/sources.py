"""Where an edge comes from: TRAPI's retrieval sources, in every way they have been written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from fedrag.datamodel import RetrievalSource
from fedrag.trapi.attributes import Attributes
from fedrag.trapi.publications import pubmed_of_url

__all__ = ["SourceReader", "cited_by_record", "record_urls"]

_PRIMARY = "primary_knowledge_source"
# Before TRAPI 1.4 sources were attributes; the role each of them stands for.
_ATTRIBUTE_ROLES = (
    ("primary_knowledge_source", _PRIMARY),
    ("original_knowledge_source", _PRIMARY),
    ("aggregator_knowledge_source", "aggregator_knowledge_source"),
    ("supporting_data_source", "supporting_data_source"),
)
Sources = tuple[RetrievalSource, ...]
# A name stands in sentences beside the keys they cite: "[E9]" in it would look like one.
_NO_NAME = re.compile(r"[^\w.:/+-]+", re.ASCII)


class SourceReader:
    """Reads the sources of the edges of one answer; equal ones become one object.

    :param infores: of the service that answered: it stands in as primary where none is named.
    """

    def __init__(self, infores: str) -> None:
        self._infores = infores
        self._known: dict[Sources, Sources] = {}

    def read(self, value: Any, attributes: Attributes) -> Sources:
        """The sources of one edge. Attributes are used where ``sources`` name no primary one."""
        sources = tuple(_listed(value))
        if not _primary(sources):
            given = {source.resource_id for source in sources}
            named = tuple(s for s in _attributed(attributes) if s.resource_id not in given)
            sources = named + sources
        if not _primary(sources):
            told = map(_named, attributes.texts("knowledge_source"))
            stand_in = next(filter(None, told), self._infores)
            sources = (RetrievalSource(sys.intern(stand_in), _PRIMARY), *sources)
        return self._known.setdefault(sources, sources)


def _primary(sources: Sources) -> bool:
    return any(source.role == _PRIMARY for source in sources)


def _listed(value: Any) -> Iterator[RetrievalSource]:
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, dict):
            continue
        told, role = item.get("resource_id") or item.get("resource"), item.get("resource_role")
        if isinstance(told, str) and (name := _named(told)):
            yield RetrievalSource(
                name,
                sys.intern(role.removeprefix("biolink:")) if isinstance(role, str) else "",
                tuple(map(_named, _texts(item.get("upstream_resource_ids")))),
                _texts(item.get("source_record_urls")),
            )


def _attributed(attributes: Attributes) -> Iterator[RetrievalSource]:
    seen: set[str] = set()
    for name, role in _ATTRIBUTE_ROLES:
        for resource in map(_named, attributes.texts(name)):
            if resource and resource not in seen:
                seen.add(resource)
                yield RetrievalSource(resource, role)


@lru_cache(maxsize=4096)  # an answer names the same few sources on each of its edges
def _named(resource: str) -> str:
    """A source's name as one word, whatever was sent.

    >>> _named("infores:drugmechdb"), _named("infores:evil<b>[E9] fake")
    ('infores:drugmechdb', 'infores:evil-b-E9-fake')
    """
    return sys.intern(_NO_NAME.sub("-", resource.strip()).strip("-"))


def _texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(sys.intern(text) for text in values if isinstance(text, str) and text)


@lru_cache(maxsize=1024)
def _urls(sources: Sources) -> Mapping[str, str | None]:
    return {url: pubmed_of_url(url) for source in sources for url in source.record_urls}


def record_urls(sources: Iterable[RetrievalSource]) -> tuple[str, ...]:
    """The addresses of the sources' records, but for those that point to PubMed."""
    return tuple(url for url, pmid in _urls(tuple(sources)).items() if pmid is None)


def cited_by_record(sources: Iterable[RetrievalSource]) -> tuple[str, ...]:
    """The PMIDs that addresses of records point to: what a record cites is not the edge's evidence.

    >>> source = RetrievalSource("infores:drugmechdb", "primary_knowledge_source",
    ...                          record_urls=("https://pubmed.ncbi.nlm.nih.gov/7684152/",))
    >>> cited_by_record([source]), record_urls([source])
    (('PMID:7684152',), ())
    """
    return tuple(dict.fromkeys(pmid for pmid in _urls(tuple(sources)).values() if pmid))
