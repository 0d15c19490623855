"""Which part of an answer answers which of the identifiers that were asked.

BioThings tells it in each hit's ``query``, other services in a field of their own
(``x-fedrag.echo_field``) or in the two ends of a pair; a call with one identifier needs no telling.
Identifiers are compared as wholes. The NodeJS engine compares by substring: asked for 1017 and 101
it gives the hit of 1017 to 101.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.xbte.identifiers import local_id, text
from fedrag.xbte.paths import scalars

__all__ = ["Inputs", "Part", "parts"]

_ECHOES = ("Input", "input", "query", "queryItem")  # what services call it; see ``echo_field``


class Inputs:
    """The identifiers a call asked about, found again in whatever form the answer writes them.

    :param curies: the CURIEs as they were handed in, all with one prefix.
    :param own: identifiers of the service's own → the CURIEs each was looked up for.

    >>> asked = Inputs(["NCBIGene:1017", "NCBIGene:101"])
    >>> asked.match("1017"), asked.match("ncbigene:101"), asked.match(10171)
    (('NCBIGene:1017',), ('NCBIGene:101',), ())
    """

    def __init__(
        self, curies: Sequence[str], own: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.curies = tuple(dict.fromkeys(curies))
        self._prefix = self.curies[0].partition(":")[0] if self.curies else ""
        self._exact: dict[str, tuple[str, ...]] = {}
        self._folded: dict[str, tuple[str, ...]] = {}
        for curie in self.curies:
            self._know((curie.partition(":")[2] or curie), curie)
            self._know(curie, curie)
        for identifier, names in (own or {}).items():  # what was looked up is surest
            self._exact[identifier] = self._folded[identifier.casefold()] = tuple(names)

    def _know(self, written: str, curie: str) -> None:
        for table, key in ((self._exact, written), (self._folded, written.casefold())):
            known = table.get(key, ())
            if curie not in known:
                table[key] = (*known, curie)

    @property
    def alone(self) -> tuple[str, ...]:
        """The one identifier that was asked, where it was one."""
        return self.curies if len(self.curies) == 1 else ()

    def match(self, value: Any) -> tuple[str, ...]:
        """The inputs that a value names: as written, without case, without its prefix.

        A list names several.
        """
        if type(value) is not list:
            return self._one(text(value))
        return tuple(dict.fromkeys(name for v in scalars(value) for name in self._one(text(v))))

    def queried(self, value: Any) -> tuple[str, ...]:
        """The inputs that a hit's ``query`` names.

        A list of which only some elements name an input is an input and what else was asked of it
        (``["C0282687", "CAUSES", "gngm", 1, 1]``): the first that does is it, numbers aside.
        """
        found = self.match(value)
        if type(value) is not list or all(self._one(text(v)) for v in scalars(value)):
            return found
        named = (self._one(v) for v in scalars(value) if type(v) is str)
        return next((names for names in named if names), ())

    def _one(self, written: str) -> tuple[str, ...]:
        if not written:
            return ()
        if (found := self._exact.get(written)) or (found := self._folded.get(written.casefold())):
            return found
        local = local_id(self._prefix, written)
        return self._exact.get(local) or self._folded.get(local.casefold(), ())


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an answer that mappings start in. ``inputs`` is None where it does not tell.

    ``torn``: an array of objects came as one array per field (``dotfield``), so that which of their
    elements belong together is lost.
    """

    root: Any
    inputs: tuple[str, ...] | None = None
    torn: bool = False


def parts(
    payload: Any, method: str, steps: frozenset[str], asked: Inputs, dropped: Counter[str]
) -> Iterator[Part]:
    """The parts of an answer, in its order.

    :param steps: the first keys of the mapping's paths. Those of BioThings start inside a hit, in
        a GET's with ``hits``; those into a bare list with ``data`` (as x-bte does) or inside an
        element.
    :param dropped: counts what is no record and what answers none of the inputs.
    """
    hits = _hits(payload)
    tells = method == "post" or not asked.alone
    if tells and "hits" not in steps and hits is not None and any(map(_echoes, hits)):
        yield from _queried(hits, asked, dropped)
    elif hits is not None and type(payload) is dict:
        yield from (_whole(payload, hits),) if "hits" in steps else _records(hits, dropped)
    elif type(payload) is list:
        if "data" not in steps or any(type(e) is dict and "data" in e for e in payload):
            yield from _records(payload, dropped)
        elif asked.alone:
            yield Part({"data": payload})
        else:
            yield from _told(payload, asked)
    elif type(payload) is dict:
        yield _record(payload)
    elif payload is not None:
        dropped["no record"] += 1


def _hits(payload: Any) -> list[Any] | None:
    """The hits of a BioThings answer: a bare list, or under ``hits``."""
    found = payload.get("hits") if type(payload) is dict else payload
    return found if type(found) is list else None


def _echoes(hit: Any) -> bool:
    return type(hit) is dict and "query" in hit


def _queried(hits: Iterable[Any], asked: Inputs, dropped: Counter[str]) -> Iterator[Part]:
    for hit in hits:
        if type(hit) is not dict:
            dropped["no record"] += 1
        elif "notfound" not in hit:
            found = asked.queried(hit.get("query")) or asked.alone
            if found:
                yield _record(hit, found)
            else:
                dropped["answers none of the inputs"] += 1


def _whole(payload: dict[str, Any], hits: list[Any]) -> Part:
    made = [_record(hit) if type(hit) is dict else Part(hit) for hit in hits]
    return Part({**payload, "hits": [part.root for part in made]}, None, any(p.torn for p in made))


def _told(elements: Iterable[Any], asked: Inputs) -> Iterator[Part]:
    """The elements of a bare list, each with the input that it says it answers (CTD does)."""
    for element in elements:
        names = (element.get(key) for key in _ECHOES) if type(element) is dict else ()
        found = next((match for name in names if (match := asked.match(name))), None)
        yield Part({"data": [element]}, found)


def _records(elements: Iterable[Any], dropped: Counter[str]) -> Iterator[Part]:
    for element in elements:
        if type(element) is dict:
            yield _record(element)
        else:
            dropped["no record"] += 1


def _record(record: dict[str, Any], inputs: tuple[str, ...] | None = None) -> Part:
    """A part; a record with dotted keys (BioThings' ``dotfield``) as objects in objects."""
    if not any("." in key for key in record):
        return Part(record, inputs)
    torn = any(type(value) is list for key, value in record.items() if "." in key)
    return Part(_nested(record), inputs, torn)


def _nested(record: dict[str, Any]) -> dict[str, Any]:
    """A record's dotted keys as objects in objects; the record itself is left as it is.

    >>> _nested({"_id": "x", "a.b": 1, "a.c": [2, 3]})
    {'_id': 'x', 'a': {'b': 1, 'c': [2, 3]}}
    """
    made: dict[str, Any] = {}
    ours = {id(made)}
    for key, value in record.items():
        *steps, last = key.split(".")
        place: dict[str, Any] = made
        for step in steps:
            below: Any = place.get(step)
            if id(below) not in ours:
                below = dict(below) if type(below) is dict else {}
                place[step] = below
                ours.add(id(below))
            place = below
        place[last] = value
    return made
