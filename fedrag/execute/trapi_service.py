"""TRAPI services: one-hop queries in the version the service declares, in batches it accepts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil

from fedrag.errors import BadPayloadError, ServiceError
from fedrag.execute.service import Ask, Outcome
from fedrag.metakg import Service
from fedrag.net import Caller
from fedrag.trapi import read_response, write_query

__all__ = ["TrapiService"]

_SUBMITTER = "fedrag"


@dataclass(frozen=True, slots=True)
class TrapiService:
    """Asks one TRAPI service over ``POST {base}/query``."""

    service: Service

    async def run(self, ask: Ask, caller: Caller) -> Outcome:
        """One call per batch of identifiers, all at once under the service's own pace."""
        outcome = Outcome()
        calls = [self._call(ask, ids, caller) for ids in _batches(ask.ids, self.service.batch_size)]
        for part in await asyncio.gather(*calls):
            outcome.add(part)
        return outcome

    async def _call(self, ask: Ask, ids: Mapping[str, tuple[str, ...]], caller: Caller) -> Outcome:
        body = write_query(
            nodes={key: ask.nodes[key] for key in (ask.edge.subject, ask.edge.object)},
            edges=[ask.edge],
            version=self.service.trapi_version,
            submitter=_SUBMITTER,
            ids=ids,
        )
        endpoint = self.service.endpoint
        outcome = Outcome(calls=1)
        try:
            reply = await caller.send(endpoint, "POST", self.service.query_path, json=body)
        except ServiceError as error:
            outcome.failures.append(error)
            return outcome
        try:
            read = read_response(
                reply.json(),
                service=self.service.name,
                infores=self.service.infores,
                retrieved_at=reply.retrieved_at,
                query_ids=ids,
            )
        except ServiceError as error:
            caller.discard(reply, endpoint)
            outcome.failures.append(error)
            return outcome
        outcome.edges.extend(read.edges)
        outcome.dropped.extend(read.dropped)
        if read.failure:
            caller.discard(reply, endpoint)  # a failure told with HTTP 200 is not kept as an answer
            outcome.failures.append(
                BadPayloadError(read.failure, service=self.service.name, status=reply.status)
            )
        if read.truncated:
            outcome.truncated = "the service says that it cut its answer"
        return outcome


def _batches(
    ids: Mapping[str, tuple[str, ...]], size: int | None
) -> Iterator[dict[str, tuple[str, ...]]]:
    """Requests of at most ``size`` identifiers in all, which together ask every pair of ends.

    With both ends bound each request needs one of either side, so two is the least it can hold.
    """
    keys = list(ids)
    counts = [len(ids[key]) for key in keys]
    if not keys:
        return
    if size is None or sum(counts) <= size:
        yield dict(ids)
        return
    steps = _steps(counts, size)
    sides = [
        [(key, ids[key][start : start + step]) for start in range(0, len(ids[key]), step)]
        for key, step in zip(keys, steps, strict=True)
    ]
    for parts in product(*sides):
        yield dict(parts)


def _steps(counts: Sequence[int], size: int) -> tuple[int, ...]:
    """How many identifiers of each side go into a request, so that requests are few.

    >>> _steps([310], 150), _steps([100, 2], 50), _steps([310, 200], 150)
    ((150,), (34, 16), (78, 72))
    """
    if len(counts) == 1:
        return (size,)
    first, second = counts
    choices = ((n, max(1, size - n)) for n in range(1, max(2, size)))
    return min(choices, key=lambda c: (ceil(first / c[0]) * ceil(second / c[1]), abs(c[0] - c[1])))
