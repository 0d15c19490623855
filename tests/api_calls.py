"""Asks shipped operations of their loopback stand-ins, over real HTTP, step by step.

``ask`` is what the executor does of a call: look up, build, send, read, on to the next page, and
look up what was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx2

from fedrag.metakg import Operation, Service, load_service
from fedrag.resources import metakg_dir
from fedrag.testing.federation import Federation
from fedrag.xbte import (
    Reading,
    Record,
    Request,
    build_lookups,
    build_output_lookups,
    build_requests,
    failure_of,
    next_request,
    read_answer,
    read_lookup,
    read_output_lookup,
    stands_for,
    with_outputs,
)
from fedrag.xbte.outputs import Output

NAMES = ("opentargets", "chembl", "ctd", "reactome", "quickgo", "pubtator3", "hpa", "gprofiler")


@cache
def shipped(name: str) -> Service:
    """A service as its shipped document describes it."""
    return load_service(metakg_dir() / f"{name}.yaml")


def operation(service: str, name: str) -> Operation:
    """The operation of a service whose identifier ends in ``name``."""
    found = [one for one in shipped(service).operations if one.id.endswith(f" {name}")]
    assert len(found) == 1, [one.id for one in shipped(service).operations]
    return found[0]


@dataclass
class Asked:
    """What came back, and how."""

    records: list[Record] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)
    calls: list[httpx2.Response] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def statements(self) -> list[tuple[str, str]]:
        """Input and output of each record, in the answer's order."""
        return [(record.input, record.output) for record in self.records]

    def take(self, reading: Reading) -> None:
        """Adds what one answer held."""
        self.records += reading.records
        for reason, count in reading.dropped:
            self.dropped[reason] = self.dropped.get(reason, 0) + count


def send(federation: Federation, service: str, request: Request) -> httpx2.Response:
    """One call, as it is."""
    return httpx2.request(
        request.method,
        federation.base_urls[service] + request.path,
        params=list(request.query),
        data=dict(request.form) if request.form is not None else None,
        json=request.json,
    )


def ask(
    federation: Federation,
    service: str,
    name: str,
    *inputs: str,
    variables: Mapping[str, Any] | None = None,
) -> Asked:
    """All records an operation has on some identifiers."""
    made, asked = operation(service, name), Asked()
    given = {**shipped(service).settings, **(variables or {})}
    own = _looked_up(federation, service, made, inputs, given, asked)
    if own is not None and not own:
        return asked
    for request in build_requests(made, inputs, variables=given, own=own):
        for payload, answered in _pages(federation, service, made, request, asked):
            asked.take(read_answer(made, payload, answered.inputs, own=stands_for(own or {})))
    if made.manner.output_lookup is not None:
        _look_outputs_up(federation, service, made, given, asked)
    return asked


def _look_outputs_up(
    federation: Federation, service: str, made: Operation, given: Mapping[str, Any], asked: Asked
) -> None:
    outputs = [record.output for record in asked.records]
    found: dict[str, tuple[Output, ...]] = {}
    for request in build_output_lookups(made, outputs, variables=given):
        response = send(federation, service, request)
        asked.calls.append(response)
        found |= read_output_lookup(made, request, response.json())
    records, asked.records = asked.records, []
    asked.take(with_outputs(records, found))


def _looked_up(
    federation: Federation,
    service: str,
    made: Operation,
    inputs: Sequence[str],
    given: Mapping[str, Any],
    asked: Asked,
) -> dict[str, tuple[str, ...]] | None:
    if made.manner.lookup is None:
        return None
    found: dict[str, tuple[str, ...]] = {}
    for request in build_lookups(made, inputs, variables=given):
        response = send(federation, service, request)
        asked.calls.append(response)
        found |= read_lookup(made, request, response.json())
    return found


def _pages(
    federation: Federation, service: str, made: Operation, first: Request, asked: Asked
) -> Iterator[tuple[Any, Request]]:
    request: Request | None = first
    page, seen = 0, set[bytes]()
    while request is not None:
        response = send(federation, service, request)
        asked.calls.append(response)
        if response.status_code != 200:
            if response.status_code not in made.manner.empty_status:
                asked.failures.append(f"HTTP {response.status_code}")
            return
        payload = response.json()
        if failure := failure_of(made, payload):
            asked.failures.append(failure)
            return
        page += 1
        yield payload, request
        request = next_request(made, request, payload, page, seen=seen)
