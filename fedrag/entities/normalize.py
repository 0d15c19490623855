"""The Node Normalizer: any CURIE in, the canonical node out, with or without conflation.

Answers are mapped by the CURIE that was asked, since ``id.identifier`` differs from it; an unknown
CURIE is ``null``. One bad CURIE can fail a whole call, so a refused chunk is halved until the bad
one stands alone; a service that is unreachable or slow is not asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fedrag.datamodel import Identifier, NormalizedNode
from fedrag.errors import BadPayloadError, ServiceError, UnavailableError

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = ["CHUNK", "Normalizer", "read_node"]

CHUNK = 1000
_MAX_EXTRA_CALLS = 64  # halving 1,000 CURIEs around one bad one takes 20


class Normalizer:
    """Normalises CURIEs over one endpoint, and remembers them for the life of the instance.

    The CURIEs of a chunk that could not be asked come back as ``None`` and are asked again the next
    time.
    """

    def __init__(self, caller: Caller, endpoint: Endpoint) -> None:
        self._caller = caller
        self._endpoint = endpoint
        self._known: dict[tuple[str, bool], NormalizedNode | None] = {}
        self._failed: dict[tuple[str, bool], ServiceError] = {}

    @property
    def failures(self) -> tuple[ServiceError, ...]:
        """What went wrong and was not made good since, one error for each call."""
        return tuple({id(error): error for error in self._failed.values()}.values())

    async def normalize(
        self, curies: Iterable[str], *, conflate: bool = True
    ) -> dict[str, NormalizedNode | None]:
        """The node of each CURIE, keyed by what was asked; ``None`` where the service knows none.

        :param conflate: merge genes with their proteins and drugs with their ingredients.
        :raises ServiceError: every chunk failed.
        """
        asked = list(dict.fromkeys(curies))
        missing = sorted(c for c in asked if (c, conflate) not in self._known)
        chunks = [missing[i : i + CHUNK] for i in range(0, len(missing), CHUNK)]
        outcomes = await asyncio.gather(*(self._chunk(chunk, conflate) for chunk in chunks))
        failed = [error for error in outcomes if error is not None]
        if failed and len(failed) == len(chunks) and not self._any_known(missing, conflate):
            raise failed[0]
        return {curie: self._known.get((curie, conflate)) for curie in asked}

    def adopt(self, node: NormalizedNode) -> None:
        """Take over what others know of a thing: it is answered for each of its identifiers.

        >>> normalizer = Normalizer(caller=None, endpoint=None)
        >>> normalizer.adopt(NormalizedNode("DBSNP:rs1", "a variant", ("biolink:SequenceVariant",)))
        >>> asyncio.run(normalizer.normalize(["DBSNP:rs1"]))["DBSNP:rs1"].name
        'a variant'
        """
        for curie in (node.curie, *(identifier.curie for identifier in node.identifiers)):
            self._known[(curie, True)] = self._known[(curie, False)] = node

    def know(self, curie: str, node: NormalizedNode, *, conflate: bool) -> None:
        """Answer ``node`` for an identifier the service does not know."""
        self._known[(curie, conflate)] = node

    def _any_known(self, curies: Sequence[str], conflate: bool) -> bool:
        return any((curie, conflate) in self._known for curie in curies)

    async def _chunk(self, curies: Sequence[str], conflate: bool) -> ServiceError | None:
        """Ask a chunk, halving what is refused; the first error that could not be got round."""
        waiting: list[Sequence[str]] = [curies]
        calls, error = 0, None
        while waiting:
            part = waiting.pop()
            try:
                # A half is asked once: what was refused was retried as a whole.
                await self._ask(part, conflate, retries=None if part is curies else 0)
            except ServiceError as problem:
                if len(part) > 1 and calls < _MAX_EXTRA_CALLS and _may_be_one_curie(problem):
                    middle = len(part) // 2
                    waiting += [part[middle:], part[:middle]]
                    calls += 2
                else:
                    error = error or problem
                    self._failed |= dict.fromkeys(((c, conflate) for c in part), problem)
                    if not _may_be_one_curie(problem):
                        left = (curie for others in waiting for curie in others)
                        self._failed |= dict.fromkeys(((c, conflate) for c in left), problem)
                        return error
        return error

    async def _ask(self, curies: Sequence[str], conflate: bool, retries: int | None) -> None:
        endpoint = self._endpoint
        if retries is not None:
            endpoint = replace(endpoint, retries=retries)
        body = {
            "curies": list(curies),
            "conflate": conflate,
            "drug_chemical_conflate": conflate,
            "description": False,
        }
        payload = await self._answer(endpoint, body)
        for curie in curies:
            self._known[(curie, conflate)] = read_node(payload.get(curie))
            self._failed.pop((curie, conflate), None)

    async def _answer(self, endpoint: Endpoint, body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            reply = await self._caller.send(endpoint, "POST", "/get_normalized_nodes", json=body)
        except UnavailableError as problem:
            if problem.status != 404 or "match" not in problem.message.lower():
                raise
            return {}  # an older release says so when it knows none of the CURIEs
        try:
            return _dictionary(reply.json(), endpoint.service)
        except BadPayloadError:
            self._caller.discard(reply, endpoint)
            raise


def _dictionary(payload: Any, service: str) -> dict[str, Any]:
    if isinstance(payload, dict):
        return payload
    raise BadPayloadError(
        f"{service} answered no dictionary to /get_normalized_nodes", service=service
    )


def _may_be_one_curie(problem: ServiceError) -> bool:
    """Whether a smaller chunk may fare better: refused or garbled, not slow, limited or away."""
    if isinstance(problem, BadPayloadError):
        return True
    status = problem.status if isinstance(problem, UnavailableError) else None
    return status is not None and status not in (404, 405, 502, 503, 504)


def read_node(value: Any) -> NormalizedNode | None:
    """Read one value of the answer; ``None`` for ``null`` and for what names no identifier.

    >>> read_node({"id": {"identifier": "MONDO:1", "label": "gout"}, "type": ["biolink:Disease"]})
    NormalizedNode(curie='MONDO:1', name='gout', categories=('biolink:Disease',), identifiers=(),\
 taxa=(), information_content=None)
    """
    if not isinstance(value, dict) or not isinstance(value.get("id"), dict):
        return None
    curie = value["id"].get("identifier")
    if not isinstance(curie, str) or not curie:
        return None
    identifiers = tuple(_identifiers(value.get("equivalent_identifiers")))
    taxa = [*_strings(value.get("taxa")), *(t for i in identifiers for t in i.taxa)]
    content = value.get("information_content")
    return NormalizedNode(
        curie=curie,
        name=_name(value["id"], identifiers),
        categories=_strings(value.get("type")),
        identifiers=identifiers,
        taxa=tuple(dict.fromkeys(taxa)),
        information_content=float(content) if isinstance(content, int | float) else None,
    )


def _name(id_: Mapping[str, Any], identifiers: Sequence[Identifier]) -> str | None:
    label = id_.get("label")
    if isinstance(label, str) and label:
        return label
    return next((i.label for i in identifiers if i.label), None)


def _identifiers(values: Any) -> Iterable[Identifier]:
    for value in values if isinstance(values, list) else []:
        curie = value.get("identifier") if isinstance(value, dict) else None
        if isinstance(curie, str) and curie:
            label = value.get("label")
            known = label if isinstance(label, str) and label else None
            yield Identifier(curie, known, _strings(value.get("taxa")))


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
